// Any text as the matrices of a FLEX_BODY. What is taken as good becomes a body.

#include <cstdint>
#include <string>

#include "system/compile/flex_matrices.hpp"
#include "system/compile/matrix_data.hpp"

using namespace trunnion;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  // Sizes are words of the text, and zeros need no numbers: long ones only cost memory, which is no subject here.
  constexpr std::size_t kDigits = 4;
  for (std::size_t at = 0, run = 0; at < text.size(); ++at) {
    run = text[at] >= '0' && text[at] <= '9' ? run + 1 : 0;
    if (run >= kDigits) return 0;
  }
  std::string trouble;
  const auto all = system::matrix_text(text, "fuzz", trouble);
  if (!all) return 0;
  std::vector<system::GivenMatrix> given;
  for (const system::NamedMatrix& one : *all) given.push_back({one.name, "fuzz", one.values});
  std::vector<std::string> troubles, notes;
  auto body = system::flex_matrices(given, troubles, notes);
  if (!body) return 0;
  constexpr Eigen::Index kModes = 40;
  if (body->invariants.I3.cols() > kModes) return 0;
  system::rigid_mode(*body);
  elements::make_modal_data(body->invariants);
  system::select_modes(*body, {1, 2, 3}, troubles);
  elements::make_modal_data(body->invariants);
  return 0;
}
