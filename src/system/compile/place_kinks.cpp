#include "system/place_kinks.hpp"

#include <limits>

#include "system/compile/compiler.hpp"

namespace trunnion::system {

PlaceKinks::PlaceKinks(const System& system) : system_(system) {
  const Elements& all = Compiler::elements_of(system);
  for (const elements::Load& load : all.loads) add(load.response);
  for (const elements::Equation& equation : all.equations) add(equation.response);
}

void PlaceKinks::add(const elements::Response& response) {
  Owner owner{&response, functions_.size(), {}};
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
  const auto rate = [&](const elements::Signal& signal) {
    using Kind = elements::Signal::Kind;
    if (signal.kind == Kind::time) return 1.0;
    // Of a VARIABLE, and of what reads accelerations, not known.
    if (signal.kind == Kind::state) return std::numeric_limits<double>::quiet_NaN();
    return signal.kind == Kind::measure ? elements::rate(signal.measure, at) : 0.0;
  };
  for (std::size_t n = 0; n < owner.which.size(); ++n) {
    const std::vector<int>& from = owner.response->functions[owner.which[n]].signals;
    const std::size_t first = functions_[owner.first + n].first_input;
    for (std::size_t k = 0; k < from.size(); ++k) {
      const elements::Signal& signal = signals[static_cast<std::size_t>(from[k])];
      reading.inputs[first + k] = elements::value(signal, at);
      reading.rates[first + k] = rate(signal);
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
