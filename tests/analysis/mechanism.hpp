#pragma once
// A mechanism from model text, compiled and assembled, with its channels by name.

#include <map>

#include <gtest/gtest.h>

#include "api/session/session.hpp"
#include "support/reading.hpp"
#include "system/compile/compile.hpp"

namespace trunnion::test {

struct Mechanism {
  Read read;
  std::shared_ptr<const system::System> system;
  analysis::AssemblyResult assembled;
  std::unique_ptr<results::Channels> channels;

  explicit Mechanism(std::string text, analysis::Upto upto = analysis::Upto::accelerations)
      : read(check_adm(std::move(text))) {
    EXPECT_FALSE(read.diagnostics.has_errors()) << read.messages();
    api::Session session(read.model);
    session.assemble(upto);
    system = session.system();
    EXPECT_NE(system, nullptr) << core::render(session.diagnostics(), read.sources);
    if (!system) return;
    assembled = session.place();
    channels = std::make_unique<results::Channels>(system, read.model, read.diagnostics);
  }

  std::string messages() const {
    std::string out;
    for (const std::string& line : assembled.messages) out += line + "\n";
    return out;
  }

  // All channels of a state, by name.
  std::map<std::string, double> sample(
      const assembly::State& state,
      assembly::AnalysisMode mode = assembly::AnalysisMode::initial_conditions) {
    std::vector<double> values;
    channels->sample(state, mode, values);
    std::map<std::string, double> out;
    for (std::size_t k = 0; k < values.size(); ++k) out[channels->list()[k].name] = values[k];
    return out;
  }
  std::map<std::string, double> sample() { return sample(assembled.state); }
};

}  // namespace trunnion::test
