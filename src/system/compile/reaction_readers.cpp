#include "system/reaction_readers.hpp"

#include <algorithm>
#include <variant>

#include "system/compile/compiler.hpp"

namespace trunnion::system {

std::vector<char> reaction_readers(const System& system) {
  const Elements& all = Compiler::elements_of(system);
  const assembly::Layout& layout = system.layout();
  std::vector<char> reads(static_cast<std::size_t>(layout.block_count()), 0);
  const auto of = [&](assembly::BlockId block) -> char& {
    return reads[static_cast<std::size_t>(block.index)];
  };
  const auto any = [&](const elements::Response& response) {
    for (std::size_t k = 0; k < response.signals.size(); ++k) {
      const elements::Signal& s = response.signals[k];
      if (s.kind != elements::Signal::Kind::state || !of(s.state)) continue;
      if (s.level != assembly::Level::q || layout.block(s.state).dynamics == assembly::Dynamics::algebraic)
        return true;
    }
    return false;
  };
  // A force that is read may follow a reaction itself.
  const auto reaction = [&](const elements::Reading::Source& from) {
    const auto* load = std::get_if<const elements::Load*>(&from.source.element);
    return load == nullptr || any((*load)->response);
  };
  for (bool more = true; more;) {
    more = false;
    const auto mark = [&](assembly::BlockId block, bool found) {
      if (!found || of(block)) return;
      of(block) = 1;
      more = true;
    };
    for (const elements::Reading& r : all.readings)
      mark(r.block, std::any_of(r.sources.begin(), r.sources.end(), reaction));
    for (const elements::Equation& e : all.equations) mark(e.block, any(e.response));
  }
  return reads;
}

}  // namespace trunnion::system
