#pragma once
// The commercial tool's request file, PREFIX.req (OUTPUT/REQSAVE): two lines on the run and the model, one on units, then
// for each output time a line with the time and a line of six numbers for each REQUEST, the two magnitudes left out.
// Real files in reach hold no request: the lines that describe a request (its id and kind, and its comment) and those of
// its numbers are laid out like the graphics file's.

#include "model/model.hpp"
#include "results/channels/selection.hpp"
#include "results/channels/unit_names.hpp"
#include "results/read/history.hpp"
#include "results/write/text_file.hpp"
#include "results/write/writer.hpp"
#include "system/system.hpp"

namespace trunnion::results {

class RequestWriter final : public Writer {
 public:
  RequestWriter(const model::Model& model, const system::System& system, const std::string& patterns = {})
      : model_(model), units_(system.units()), patterns_(split_patterns(patterns)) {}

  bool open(const std::string& path, const std::vector<Channel>& channels) override;
  bool row(const std::vector<double>& values) override;
  bool flush() override { return file_.flush(error_); }
  bool close() override { return file_.close(error_); }
  const char* extension() const override { return ".req"; }

 private:
  bool chosen(const std::vector<Channel>& channels, std::size_t first) const;

  const model::Model& model_;
  model::UnitSystem units_;
  std::vector<std::string> patterns_;  // requests none of whose channels match are left out
  TextFile file_;
  std::vector<std::size_t> first_;  // place of each request's F1
};

class RequestHistory final : public TableHistory {
 public:
  bool open(const std::string& path, std::string& error);
  std::string title() override { return title_; }
  bool keeps(const Channel& channel) const override;
  double rounding() const override { return 5e-6; }  // six digits

 private:
  std::string title_;
};

// "MMKGS_N_RACA 1.000000000000000E+03": two letters each for the units of length, mass, time, force, angle and the kind
// of coordinates, then how many units of length make a metre.
std::string unit_line(const model::UnitSystem& units);
// The units that such letters stand for; a plain "length", "time" and "force" where they are not known.
UnitNames units_of_letters(const std::string& letters);
// All numbers of a line, or false.
bool read_numbers(std::string_view line, std::vector<double>& out);

}  // namespace trunnion::results
