#pragma once
// The commercial tool's graphics file, PREFIX.gra (OUTPUT/GRSAVE): tables of parts, joints, markers and of the graphics
// that move by themselves (forces, springs), then for each output time the places and 3-1-3 angles of the parts and the
// forces drawn. Solids are not in it: the tool has them from the model. As in real files; one of them gives the forces in
// another order than its table, which we could not explain and do not follow.

#include "model/model.hpp"
#include "results/write/as_given.hpp"
#include "results/write/text_file.hpp"
#include "results/write/writer.hpp"
#include "system/system.hpp"

namespace trunnion::results {

class GraphicsWriter final : public Writer {
 public:
  GraphicsWriter(const model::Model& model, const system::System& system);

  bool open(const std::string& path, const std::vector<Channel>& channels) override;
  bool row(const std::vector<double>& values) override;
  bool flush() override { return file_.flush(error_); }
  bool close() override { return file_.close(error_); }
  const char* extension() const override { return ".gra"; }

 private:
  struct Arrow {
    std::size_t place = 0;  // of FX in a row
    double sign = 1;        // −1: drawn at the J side
  };
  std::string tables(const std::vector<Channel>& channels);
  std::string marker_table();
  std::string graphics_table(const std::vector<Channel>& channels);

  const model::Model& model_;
  const system::System& system_;
  TextFile file_;
  std::vector<Place> input_;        // of each moving part
  std::vector<std::size_t> parts_;  // place of X in a row
  std::vector<Arrow> arrows_;
};

}  // namespace trunnion::results
