#include "assembly/columns.hpp"

#include <algorithm>

#include "assembly/carrier.hpp"

namespace trunnion::assembly {

bool Port::has(int first) const {
  const std::span<const int> all = columns();
  return std::find(all.begin(), all.end(), first) != all.end();
}

int Columns::add(const Layout& layout, BlockId block) {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (blocks_[i] == block) return offsets_[i];
  }
  blocks_.push_back(block);
  offsets_.push_back(size_);
  size_ += layout.block(block).size;
  return offsets_.back();
}

Port Columns::add(const Layout& layout, const MarkerTable& markers, MarkerId marker) {
  const Carrier& carrier = carrier_of(markers[marker], layout);
  const std::span<const BlockId> blocks = carrier.blocks(markers[marker]);
  shifts_by_translations_ = shifts_by_translations_ && carrier.shifts_by_translations();
  turn_with_bodies_ = turn_with_bodies_ && carrier.turns_with_body();
  Port port;
  port.marker = marker;
  for (const BlockId block : blocks) {
    port.several.push_back(add(layout, block));
    port.column = port.several.front();
  }
  if (blocks.size() < 2) port.several.clear();
  port.several.shrink_to_fit();
  return port;
}

void Columns::gather(const Layout& layout, const Eigen::VectorXd& from,
                     Eigen::Ref<Eigen::VectorXd> to) const {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = layout.block(blocks_[i]);
    to.segment(offsets_[i], block.size) = from.segment(block.offset, block.size);
  }
}

}  // namespace trunnion::assembly
