#pragma once
// The commercial tool's results file, PREFIX.res, in its XML form (RESULTS/XRF): entities with components that are
// numbered from 1 through the file, then a <Step> of as many numbers for each output time.
// The layout follows real files: parts, joints, motions, applied forces, variables, plant inputs and outputs are known
// from them; the names for other statements are the tool's own names for such objects, not seen in a file.

#include <map>

#include "model/model.hpp"
#include "results/write/as_given.hpp"
#include "results/write/text_file.hpp"
#include "results/write/writer.hpp"
#include "system/system.hpp"

namespace trunnion::results {

struct XrfComponent {
  std::string name, unit;
  std::size_t place = 0;  // in a row of the run's channels
  int id = 0;
};

struct XrfEntity {
  std::string name, entity, type;
  int id = 0;  // of the statement
  std::vector<XrfComponent> components;
};

// The entities of a model for the run's channels, which must have the part frames (XFORM/…). In the order of the file;
// RESULTS' NO… arguments leave kinds out, `patterns` entities none of whose channels they match: those of a part are
// PART/2.X … as well.
std::vector<XrfEntity> xrf_entities(const model::Model& model, const std::vector<Channel>& channels,
                                    const std::string& patterns = {});

// The statement a type of entity stands for: "Single_Component_Force" → "SFORCE", "Part" → "XFORM". The type in capitals
// where the table has none.
std::string keyword_of_entity(const std::string& type);
bool has_entity(std::string_view keyword);  // whether the file tells of such statements

class XrfWriter final : public Writer {
 public:
  XrfWriter(const model::Model& model, const system::System& system, std::string patterns = {});
  ~XrfWriter() override { shut(); }

  bool open(const std::string& path, const std::vector<Channel>& channels) override;
  bool row(const std::vector<double>& values) override;
  bool flush() override { return put() && file_.flush(error_); }
  void phase(Phase phase) override;
  void failed() override { failed_ = true; }
  bool close() override { return shut(); }
  const char* extension() const override { return ".res"; }

 private:
  bool shut();
  void head(const std::vector<Channel>& channels);
  void map(const std::vector<XrfEntity>& entities);
  void begin_data(const std::string& type);
  void end_data();
  void add_step(const std::vector<double>& values);
  void number(double value);
  bool put();

  const model::Model& model_;
  model::UnitSystem units_;
  std::string patterns_;
  std::map<int, Place> input_;  // of each part
  TextFile file_;
  std::string path_, text_, type_, open_type_;
  bool starts_ = false;  // the next row is the first of a motion
  // Value k of a step is at places_[k] of a row; a line ends after those of line_ends_.
  std::vector<std::size_t> places_;
  std::vector<bool> line_ends_;
  std::vector<std::pair<std::string, int>> blocks_;  // how many <Data> of each type
  int data_ = 0;
  int digits_ = 0;          // DECIMALPLACES; 0: as many as the number has
  std::size_t column_ = 0;  // in the present line
  bool failed_ = false;
};

// "2026-11-16 07:42:12", local time; in every file for the commercial tool, which takes files with the same stamp for
// those of one run.
std::string time_stamp();
// What the model calls a statement: 'SPRING_1.sforce' in full, or "PART_2".
std::string object_name(const model::Model& model, model::Kind kind, int id);

}  // namespace trunnion::results
