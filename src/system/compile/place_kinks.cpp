#include "system/place_kinks.hpp"

#include <limits>

#include "system/compile/compiler.hpp"

namespace trunnion::system {

using assembly::Level;

PlaceKinks::PlaceKinks(const System& system) : system_(system) {
  const Elements& all = Compiler::elements_of(system);
  for (const elements::Load& load : all.loads) add(load.response, load.columns);
  for (const elements::Equation& equation : all.equations) add(equation.response, equation.columns);
}

void PlaceKinks::add(const elements::Response& response, const assembly::Columns& columns) {
  Owner owner{&response, &columns, functions_.size(), {}};
  for (std::size_t k = 0; k < response.functions.size(); ++k) {
    const expr::Program& program = *response.functions[k].program;
    expr::Kinks kinks(program);
    if (kinks.all().empty()) continue;
    owner.which.push_back(k);
    const std::size_t count = kinks.all().size();
    functions_.push_back({&program, std::move(kinks), inputs_, kinks_});
    inputs_ += program.inputs().size();
    kinks_ += count;
  }
  if (!owner.which.empty()) owners_.push_back(std::move(owner));
}

void PlaceKinks::read(const assembly::State& state, System::Workspace& work, double ahead, Reading& reading) {
  reading.inputs.resize(inputs_);
  reading.rates.resize(inputs_);
  for (std::vector<double>* each : {&reading.distances, &reading.slopes, &reading.sizes})
    each->resize(kinks_);
  for (const Owner& owner : owners_) read(owner, state, work, reading);
  for (const Watched& f : functions_) {
    const std::size_t inputs = f.program->inputs().size(), kinks = f.kinks.all().size();
    const std::span<const double> in(reading.inputs.data() + f.first_input, inputs);
    const std::span<double> d(reading.distances.data() + f.first_kink, kinks);
    f.kinks.distances(in, slots_, d, {reading.sizes.data() + f.first_kink, kinks});
    shifted_.assign(in.begin(), in.end());
    for (std::size_t k = 0; k < inputs; ++k) shifted_[k] += ahead * reading.rates[f.first_input + k];
    ahead_.resize(kinks);
    sizes_.resize(kinks);
    f.kinks.distances(shifted_, slots_, ahead_, sizes_);
    for (std::size_t k = 0; k < kinks; ++k) reading.slopes[f.first_kink + k] = (ahead_[k] - d[k]) / ahead;
  }
}

void PlaceKinks::read(const Owner& owner, const assembly::State& state, System::Workspace& work,
                      Reading& reading) {
  const assembly::Scratch::Frame frame(work.scratch);
  const assembly::Evaluation at{state, work.kinematics, work.scratch, work.mode, work.drives};
  const elements::Signals& signals = owner.response->signals;
  const int size = owner.columns->size();
  const elements::Signals::Values values = signals.evaluate(at, size, true);
  const auto q = static_cast<std::size_t>(Level::q), v = static_cast<std::size_t>(Level::v),
             a = static_cast<std::size_t>(Level::a);
  v_.resize(size);
  a_.resize(size);
  owner.columns->gather(system_.layout(), state.v, v_);
  owner.columns->gather(system_.layout(), state.a, a_);
  const auto rate = [&](int k) {
    const elements::Signal& signal = signals[static_cast<std::size_t>(k)];
    using Kind = elements::Signal::Kind;
    if (signal.kind == Kind::time) return 1.0;
    const bool accelerates = values.by[a].size() != 0 && (values.by[a].col(k).array() != 0).any();
    // Of a VARIABLE, and of what reads accelerations, not known.
    if (signal.kind == Kind::state || accelerates) return std::numeric_limits<double>::quiet_NaN();
    if (signal.kind != Kind::measure) return 0.0;
    double sum = 0;
    if (values.by[q].size() != 0) sum += values.by[q].col(k).dot(v_);
    if (values.by[v].size() != 0) sum += values.by[v].col(k).dot(a_);
    return sum;
  };
  for (std::size_t n = 0; n < owner.which.size(); ++n) {
    const std::vector<int>& from = owner.response->functions[owner.which[n]].signals;
    const std::size_t first = functions_[owner.first + n].first_input;
    for (std::size_t k = 0; k < from.size(); ++k) {
      reading.inputs[first + k] = values.value[from[k]];
      reading.rates[first + k] = rate(from[k]);
    }
  }
}

void PlaceKinks::distances(std::size_t function, std::span<const double> inputs, std::span<double> out) {
  const expr::Kinks& kinks = functions_[function].kinks;
  sizes_.resize(kinks.all().size());
  kinks.distances(inputs, slots_, out, sizes_);
}

void PlaceKinks::values(std::size_t function, std::span<const double> inputs, System::Workspace& work,
                        std::span<double> out) const {
  functions_[function].program->values(inputs, work.expression, out);
}

}  // namespace trunnion::system
