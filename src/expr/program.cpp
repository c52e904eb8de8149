#include "expr/program.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "expr/sweep.hpp"

namespace trunnion::expr {

namespace {

// Every evaluation sums all the terms; more than this is surely a mistyped argument.
constexpr int kMaxSignalTerms = 100000;

template <class Vector> void grow(Vector& v, std::size_t size) {
  if (v.size() < size) v.resize(size);
}

}  // namespace

std::string Input::name() const {
  if (function->max_arguments == 0) return std::string(function->name);
  // All the arguments, without the trailing markers that are ground.
  int count = function->max_arguments;
  while (count > function->min_arguments && ids[static_cast<std::size_t>(count - 1)] == 0) --count;
  std::string text = fmt::format("{}(", function->name);
  for (int k = 0; k < count; ++k) {
    text += fmt::format("{}{}", k == 0 ? "" : ",", ids[static_cast<std::size_t>(k)]);
  }
  return text + ")";
}

void Workspace::reserve(const Program& program) {
  const Tape& tape = program.tape();
  grow(values_, tape.slot_count);
  grow(adjoints_, tape.slot_count);
  grow(partials_, tape.partial_count);
  grow(dual_values_, tape.slot_count);
  grow(dual_adjoints_, tape.slot_count);
  grow(dual_partials_, tape.partial_count);
}

std::optional<double> Program::constant() const {
  if (is_user_ || tape_.outputs.size() != 1 || tape_.outputs[0] < tape_.input_count) return std::nullopt;
  const std::size_t k = tape_.outputs[0] - tape_.input_count;
  if (k >= tape_.constants.size()) return std::nullopt;
  return tape_.constants[k];
}

std::vector<ExprError> Program::bind(TableSet& set) {
  std::vector<ExprError> errors;
  for (std::size_t k = 0; k < tables_.size(); ++k) {
    const TableUse& use = tables_[k];
    const FunctionInfo& function = info(use.function);
    const auto fail = [&](std::string message) {
      errors.push_back({table_ranges_[k].offset, table_ranges_[k].length, std::move(message), {}});
    };
    BoundTable& table = bound_[k];
    table = {};
    table.order = use.order;
    table.component = use.component - 1;
    if (use.function == Function::kCURVE) {
      table.curve = set.curve(use.id);
      if (!table.curve) fail(fmt::format("CURVE/{} does not exist or has no points", use.id));
      continue;
    }
    const math::SplineData* data = set.spline_data(use.id);
    if (!data) {
      fail(fmt::format("SPLINE/{} does not exist or has no data", use.id));
      continue;
    }
    if (use.function == Function::kINVPSD) {
      const bool logarithmic = use.logarithmic != 0;
      std::string message =
          use.count > kMaxSignalTerms
              ? fmt::format("nf must not exceed {}, {} given", kMaxSignalTerms, use.count)
              : math::SpectrumSignal::check(data->x, data->y[0], use.f0, use.f1, use.count, logarithmic);
      if (message.empty() && !(std::abs(use.seed) < 9e15)) message = "the seed must be a whole number";
      if (message.empty()) {
        // A real seed is cut to a whole number.
        table.signal = math::SpectrumSignal(data->x, data->y[0], use.f0, use.f1, use.count, logarithmic,
                                            static_cast<long long>(use.seed));
      } else {
        fail(fmt::format("{} with SPLINE/{}: {}", function.name, use.id, message));
      }
      continue;
    }
    using math::Interpolation;
    const Interpolation method = use.function == Function::kAKISPL   ? Interpolation::akima
                                 : use.function == Function::kCUBSPL ? Interpolation::cubic
                                 : use.method == 1                   ? Interpolation::linear_hold
                                                                     : Interpolation::cubic_hold;
    table.surface = set.surface(use.id, method);
    const bool holds = method == Interpolation::linear_hold || method == Interpolation::cubic_hold;
    table.range = holds ? nullptr : set.range(use.id);
  }
  return errors;
}

template <class T> void Program::load(std::span<const double> inputs, T* values) const {
  std::copy_n(inputs.begin(), tape_.input_count, values);
  std::copy(tape_.constants.begin(), tape_.constants.end(), values + tape_.input_count);
}

template <class T, bool partials> void Program::run(T* values, T* partial_store) const {
  forward<T, partials>(tape_.code.data(), tape_.code.size(), tape_.arguments.data(), bound_.data(), values,
                       partial_store);
}

// explain() uses these from its own file.
template void Program::load<double>(std::span<const double>, double*) const;
template void Program::run<double, true>(double*, double*) const;

double Program::value(std::span<const double> inputs, Workspace& work) const {
  work.reserve(*this);
  load(inputs, work.values_.data());
  run<double, false>(work.values_.data(), nullptr);
  return work.values_[tape_.outputs[0]];
}

void Program::values(std::span<const double> inputs, Workspace& work, std::span<double> out) const {
  value(inputs, work);
  for (std::size_t k = 0; k < tape_.outputs.size(); ++k) out[k] = work.values_[tape_.outputs[k]];
}

double Program::gradient(std::span<const double> inputs, Workspace& work, std::span<double> grad) const {
  work.reserve(*this);
  double* values = work.values_.data();
  double* adjoints = work.adjoints_.data();
  load(inputs, values);
  run<double, true>(values, work.partials_.data());
  std::fill_n(adjoints, tape_.slot_count, 0.0);
  adjoints[tape_.outputs[0]] = 1.0;
  reverse(tape_.code.data(), tape_.code.size(), tape_.arguments.data(), values, work.partials_.data(),
          adjoints);
  std::copy_n(adjoints, tape_.input_count, grad.begin());
  return values[tape_.outputs[0]];
}

void Program::jacobian(std::span<const double> inputs, Workspace& work, std::span<double> out,
                       std::span<double> jacobian) const {
  work.reserve(*this);
  double* values = work.values_.data();
  double* adjoints = work.adjoints_.data();
  load(inputs, values);
  run<double, true>(values, work.partials_.data());
  for (std::size_t k = 0; k < tape_.outputs.size(); ++k) {
    std::fill_n(adjoints, tape_.slot_count, 0.0);
    adjoints[tape_.outputs[k]] = 1.0;
    reverse(tape_.code.data(), tape_.code.size(), tape_.arguments.data(), values, work.partials_.data(),
            adjoints);
    std::copy_n(adjoints, tape_.input_count,
                jacobian.begin() + static_cast<std::ptrdiff_t>(k * tape_.input_count));
    out[k] = values[tape_.outputs[k]];
  }
}

double Program::hessian(std::span<const double> inputs, Workspace& work, std::span<double> grad,
                        std::span<double> hess, int output) const {
  work.reserve(*this);
  const std::size_t n = tape_.input_count;
  const std::uint32_t slot = tape_.outputs[static_cast<std::size_t>(output)];
  math::Dual* values = work.dual_values_.data();
  math::Dual* adjoints = work.dual_adjoints_.data();
  load(inputs, values);
  for (std::size_t column = 0; column < n; ++column) {
    values[column].d = 1.0;
    run<math::Dual, true>(values, work.dual_partials_.data());
    std::fill_n(adjoints, tape_.slot_count, math::Dual());
    adjoints[slot].v = 1.0;
    reverse(tape_.code.data(), tape_.code.size(), tape_.arguments.data(), values, work.dual_partials_.data(),
            adjoints);
    // The two triangles agree up to rounding; taking one makes the matrix exactly symmetric.
    for (std::size_t row = column; row < n; ++row)
      hess[row * n + column] = hess[column * n + row] = adjoints[row].d;
    values[column].d = 0.0;
    if (column == 0) {
      for (std::size_t row = 0; row < n; ++row) grad[row] = adjoints[row].v;
    }
  }
  if (n == 0) run<math::Dual, true>(values, work.dual_partials_.data());
  return values[slot].v;
}

}  // namespace trunnion::expr
