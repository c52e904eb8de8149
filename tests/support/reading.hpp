#pragma once
// Text in, model or script and messages out: what most tests of the language start from.

#include <string>
#include <string_view>

#include "api/session/project.hpp"
#include "core/diagnostics.hpp"
#include "lang/logical_line.hpp"
#include "lang/reader.hpp"
#include "model/validate.hpp"
#include "system/check.hpp"

namespace trunnion::test {

struct Read {
  core::SourceSet sources;
  core::Diagnostics diagnostics;
  model::Model model;
  model::Script script;

  std::string messages() const { return core::render(diagnostics, sources); }
  system::Locate locate() const {
    return [this](const model::Expression& e, std::size_t offset, std::size_t length) {
      return lang::locate_in_expression(sources, e.span, offset, length);
    };
  }
};

inline Read read_adm(std::string text) {
  Read read;
  const auto file = read.sources.add("model.adm", std::move(text));
  read.model = lang::read_model(read.sources, file, read.diagnostics);
  return read;
}

inline Read read_acf(std::string text) {
  Read read;
  const auto file = read.sources.add("run.acf", std::move(text));
  read.script = lang::read_script(read.sources, file, read.diagnostics);
  return read;
}

// Reads and checks as `trunnion check` does.
inline Read check_adm(std::string text) {
  Read read = read_adm(std::move(text));
  if (!(read.model.order.empty() && read.diagnostics.has_errors())) {
    model::validate(read.model, read.diagnostics);
    system::check_model(read.model, read.locate(), read.diagnostics);
  }
  read.diagnostics.sort();
  return read;
}

// The smallest model that checks without a word: ground, one body and a hinge. `more` goes in before END.
inline std::string small_model(std::string_view more = {}) {
  std::string text =
      "small\n"
      "PART/1, GROUND\n"
      "MARKER/10, PART=1\n"
      "PART/2, MASS=1, CM=20, IP=1,1,1\n"
      "MARKER/20, PART=2\n"
      "MARKER/21, PART=2\n"
      "JOINT/5, REVOLUTE, I=21, J=10\n";
  text += more;
  return text + "END\n";
}
inline constexpr int kSmallModelLines = 7;  // before `more`

}  // namespace trunnion::test
