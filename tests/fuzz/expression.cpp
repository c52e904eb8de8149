// Any bytes: compile must not crash, and what compiles must evaluate, whatever the inputs. Tables 1 to 3
// exist.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "expr/program.hpp"

namespace {

using namespace trunnion;

expr::TableSet& tables() {
  static expr::TableSet set = [] {
    expr::TableSet t;
    math::SplineData data;
    data.x = {-1, 0, 1, 2.5, 4};
    data.y = {{0, 1, 0, 2, 3}};
    t.add_spline(1, data);
    data.z = {0, 1};
    data.y.push_back({3, 2, 1, 0, 1});
    t.add_spline(2, data);
    data.x = {0.1, 1, 10, 20, 30};
    data.z.clear();
    data.y = {{1, 1, 0.5, 0.1, 0.1}};
    t.add_spline(3, data);
    std::string error;
    t.add_curve(1,
                *math::Curve::through_points({{0, 0, 0}, {1, 1, 0}, {2, 0, 1}, {3, 1, 1}}, 4, false, error));
    return t;
  }();
  return set;
}

// Inputs between −4 and 4, some of them whole, from a hash of the text and the position.
double input(std::uint64_t hash, std::size_t k) {
  hash = (hash ^ (k + 1)) * 0x9E3779B97F4A7C15ull;
  hash ^= hash >> 29;
  const double x = static_cast<double>(hash % 8001) * 1e-3 - 4.0;
  return hash & 0x10000 ? std::round(x) : x;
}

void check(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  expr::CompileResult result = expr::compile(text);
  check(result.program.has_value() == result.errors.empty());
  check(result.errors.size() <= expr::kMaxErrors);
  for (const expr::ExprError& e : result.errors) check(e.offset + e.length <= size && !e.message.empty());
  if (!result.program) return 0;

  expr::Program& program = *result.program;
  for (const expr::Reference& r : program.references()) check(r.offset + r.length <= size && r.id > 0);
  program.bind(tables());
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  const std::size_t n = program.inputs().size();
  if (n > 200 || program.tape().code.size() > 20000) return 0;  // the Hessian would only cost time
  std::vector<double> inputs, grad(n), hess(n * n), jacobian(3 * n), out(3);
  for (std::size_t k = 0; k < n; ++k) inputs.push_back(input(hash, k));
  expr::Workspace work(program);
  const double value = program.value(inputs, work);
  const double with_gradient = program.gradient(inputs, work, grad);
  // The two sweeps use different code for the same number.
  const double difference = std::abs(value - with_gradient);
  if (std::isfinite(value) && std::isfinite(with_gradient)) {
    bool tame = true;
    for (const double g : grad) tame = tame && std::abs(g) < 1e3;
    check(!tame || difference <= 1e-6 * (1.0 + std::abs(value)));
  }
  const std::string reason = program.explain(inputs);
  check(!reason.empty() || std::isfinite(value));
  if (n <= 20) program.hessian(inputs, work, grad, hess);
  program.jacobian(inputs, work, out, jacobian);
  return 0;
}
