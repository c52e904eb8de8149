#pragma once
// The commercial tool's graphics file read back: XFORM/2.X Y Z PSI THETA PHI of the moving parts, and ARROW/1.FX … of the
// forces drawn, numbered as they come. The first part of the file's table is ground, as in real files and ours.

#include "results/read/history.hpp"

namespace trunnion::results {

class GraphicsHistory final : public TableHistory {
 public:
  bool open(const std::string& path, std::string& error);
  std::string title() override { return title_; }
  bool keeps(const Channel& channel) const override;
  double rounding() const override { return 5e-6; }  // six digits

 private:
  std::string title_;
};

}  // namespace trunnion::results
