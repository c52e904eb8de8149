// The same for command scripts, checked against a small model.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/diagnostics.hpp"
#include "lang/logical_line.hpp"
#include "lang/reader.hpp"
#include "lang/writer.hpp"
#include "model/validate.hpp"
#include "system/check.hpp"

using namespace trunnion;

namespace {

const model::Model& small_model() {
  static const model::Model model = [] {
    core::SourceSet sources;
    core::Diagnostics diagnostics;
    const auto file = sources.add(
        "model",
        "t\nPART/1, GROUND\nMARKER/1\nPART/2, MASS=1, CM=2\nMARKER/2\nVARIABLE/1, FUNCTION=TIME\nEND\n");
    return lang::read_model(sources, file, diagnostics);
  }();
  return model;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  core::SourceSet sources;
  core::Diagnostics diagnostics;
  const auto first = sources.add("first", std::string(reinterpret_cast<const char*>(data), size));
  const model::Script script = lang::read_script(sources, first, diagnostics);
  const bool readable = !diagnostics.has_errors();
  model::validate(script, small_model(), diagnostics);
  system::check_script(
      script, small_model(),
      [&](const model::Expression& e, std::size_t offset, std::size_t length) {
        return lang::locate_in_expression(sources, e.span, offset, length);
      },
      diagnostics);
  diagnostics.sort();
  core::render(diagnostics, sources);
  if (!readable) return 0;

  const std::string once = lang::write_script(script);
  core::Diagnostics again;
  const auto second = sources.add("second", once);
  const std::string twice = lang::write_script(lang::read_script(sources, second, again));
  if (again.has_errors() || once != twice) {
    std::fprintf(stderr, "%s\n--- first\n%s--- second\n%s", core::render(again, sources).c_str(),
                 once.c_str(), twice.c_str());
    std::abort();
  }
  return 0;
}
