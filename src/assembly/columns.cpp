#include "assembly/columns.hpp"

namespace trunnion::assembly {

int Columns::add(const Layout& layout, BlockId block) {
  if (!block.valid()) return -1;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (blocks_[i] == block) return offsets_[i];
  }
  blocks_.push_back(block);
  offsets_.push_back(size_);
  size_ += layout.block(block).size;
  return offsets_.back();
}

void Columns::gather(const Layout& layout, const Eigen::VectorXd& from,
                     Eigen::Ref<Eigen::VectorXd> to) const {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = layout.block(blocks_[i]);
    to.segment(offsets_[i], block.size) = from.segment(block.offset, block.size);
  }
}

}  // namespace trunnion::assembly
