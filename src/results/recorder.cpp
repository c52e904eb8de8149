#include "results/recorder.hpp"

#include <filesystem>

#include "core/text.hpp"
#include "results/csv.hpp"

namespace trunnion::results {

namespace fs = std::filesystem;

namespace {

template <class Act>
bool each(const std::vector<std::unique_ptr<Writer>>& writers, std::string& error, Act act) {
  bool good = true;
  for (const auto& writer : writers) {
    if (act(*writer)) continue;
    if (good) error = writer->error();
    good = false;
  }
  return good;
}

}  // namespace

bool Recorder::open(const std::string& csv_path, const std::vector<Channel>& channels, StoreTexts texts) {
  close();
  rows_ = 0;
  selection_ = select(channels, options_.channels);
  if (!selection_.useless.empty()) {
    error_ = "no channel of this model matches " + core::join_and(selection_.useless);
    return false;
  }
  std::vector<Channel> chosen;
  for (const std::size_t place : selection_.places) chosen.push_back(channels[place]);
  if (options_.csv) writers_.push_back(std::make_unique<CsvWriter>());
  if (options_.store) writers_.push_back(std::make_unique<StoreWriter>(std::move(texts)));
  paths_.clear();
  for (const auto& writer : writers_) {
    const bool is_csv = writer->extension() == std::string(".csv");
    paths_.push_back(is_csv ? csv_path : fs::path(csv_path).replace_extension(writer->extension()).string());
    if (!is_csv) stores_.push_back(paths_.back());
    if (writer->open(paths_.back(), chosen)) continue;
    error_ = writer->error();
    return false;
  }
  return true;
}

bool Recorder::row(const std::vector<double>& values) {
  chosen_.clear();
  for (const std::size_t place : selection_.places) chosen_.push_back(values[place]);
  ++rows_;
  return each(writers_, error_, [&](Writer& w) { return w.row(chosen_); });
}

bool Recorder::step(const StepRecord& step) {
  return each(writers_, error_, [&](Writer& w) { return w.step(step); });
}

bool Recorder::close() {
  const bool good = each(writers_, error_, [](Writer& w) { return w.close(); });
  writers_.clear();
  return good;
}

bool Recorder::add_report(const std::string& json) {
  bool good = true;
  for (const std::string& path : stores_) good = StoreWriter::add_report(path, json, error_) && good;
  return good;
}

}  // namespace trunnion::results
