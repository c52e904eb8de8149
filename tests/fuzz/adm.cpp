// A model text is read, or refused with messages, and never crashes. One that reads without error can be checked,
// written and read again, and the second writing equals the first.

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

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  core::SourceSet sources;
  core::Diagnostics diagnostics;
  const auto first = sources.add("first", std::string(reinterpret_cast<const char*>(data), size));
  const model::Model model = lang::read_model(sources, first, diagnostics);
  const bool readable = !diagnostics.has_errors();
  model::validate(model, diagnostics);
  system::check_model(
      model,
      [&](const model::Expression& e, std::size_t offset, std::size_t length) {
        return lang::locate_in_expression(sources, e.span, offset, length);
      },
      diagnostics);
  diagnostics.sort();
  core::render(diagnostics, sources);
  if (!readable) return 0;

  const std::string once = lang::write_model(model);
  core::Diagnostics again;
  const auto second = sources.add("second", once);
  const std::string twice = lang::write_model(lang::read_model(sources, second, again));
  if (again.has_errors() || once != twice) {
    std::fprintf(stderr, "%s\n--- first\n%s--- second\n%s", core::render(again, sources).c_str(),
                 once.c_str(), twice.c_str());
    std::abort();
  }
  return 0;
}
