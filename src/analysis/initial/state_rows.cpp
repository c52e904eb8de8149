#include "analysis/initial/state_rows.hpp"

#include <algorithm>

#include "assembly/row_sink.hpp"

namespace trunnion::analysis {

namespace {

class Owners final : public assembly::RowSink {
 public:
  explicit Owners(const assembly::Layout& layout) : RowSink(false), layout_(layout) {}
  void constraint(assembly::RowId row, const assembly::ConstraintRow& value) override {
    hear(row, value.blocks, true);
  }
  // Its rate asks for ż, which is known.
  void velocity_constraint(assembly::RowId row, const assembly::VelocityRow& value) override {
    hear(row, value.blocks, false);
  }
  std::vector<core::Words> found;

 private:
  void hear(assembly::RowId row, std::span<const assembly::BlockId> blocks, bool states) {
    const bool reads = std::any_of(blocks.begin(), blocks.end(), [&](assembly::BlockId b) {
      const assembly::Dynamics dynamics = layout_.block(b).dynamics;
      return dynamics == assembly::Dynamics::algebraic ||
             (states && dynamics == assembly::Dynamics::first_order);
    });
    const core::Words& owner = layout_.row(row).owner;
    if (reads && std::find(found.begin(), found.end(), owner) == found.end()) found.push_back(owner);
  }
  const assembly::Layout& layout_;
};

}  // namespace

std::vector<core::Words> constraints_on_states(const system::System& system, const assembly::State& state) {
  Owners owners(system.layout());
  system::System::Workspace work(system,
                                 assembly::AnalysisMode::initial_conditions);  // which it is does not matter
  system.evaluate(state, work, owners);
  return owners.found;
}

}  // namespace trunnion::analysis
