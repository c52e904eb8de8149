#include "results/recorder.hpp"

#include <filesystem>

#include "core/text.hpp"
#include "results/behind.hpp"
#include "results/csv.hpp"

namespace trunnion::results {

namespace fs = std::filesystem;

namespace {

template <class Act> bool each(const Writers& writers, std::string& error, Act act) {
  bool good = true;
  for (std::size_t k = 0; k < writers.size(); ++k) {
    if (act(*writers[k], k)) continue;
    if (good) error = writers[k]->error();
    good = false;
  }
  return good;
}

}  // namespace

bool Recorder::open(const std::string& csv_path, const std::vector<Channel>& channels, StoreTexts texts,
                    Writers layouts, std::size_t usual) {
  close();
  rows_ = 0;
  selection_ = select(std::span(channels).first(std::min(usual, channels.size())), options_.channels);
  if (!selection_.useless.empty()) {
    error_ = useless_patterns(selection_.useless, channels);
    return false;
  }
  std::vector<Channel> chosen;
  for (const std::size_t place : selection_.places) chosen.push_back(channels[place]);
  if (options_.csv) writers_.push_back(std::make_unique<Behind>(std::make_unique<CsvWriter>()));
  if (options_.store) writers_.push_back(std::make_unique<StoreWriter>(std::move(texts)));
  chosen_writers_ = writers_.size();
  for (auto& writer : layouts) writers_.push_back(std::make_unique<Behind>(std::move(writer)));
  paths_.clear();
  for (std::size_t k = 0; k < writers_.size(); ++k) {
    Writer& writer = *writers_[k];
    const std::string extension = writer.extension();
    paths_.push_back(extension == ".csv" ? csv_path
                                         : fs::path(csv_path).replace_extension(extension).string());
    if (error_ = refusal_ ? refusal_(paths_.back()) : ""; !error_.empty()) return false;
    if (extension == ".h5") stores_.push_back(paths_.back());
    if (writer.open(paths_.back(), k < chosen_writers_ ? chosen : channels)) continue;
    error_ = writer.error();
    return false;
  }
  open_ = true;
  return true;
}

bool Recorder::row(const std::vector<double>& values) {
  chosen_.clear();
  for (const std::size_t place : selection_.places) chosen_.push_back(values[place]);
  ++rows_;
  return each(writers_, error_,
              [&](Writer& w, std::size_t k) { return w.row(k < chosen_writers_ ? chosen_ : values); });
}

bool Recorder::step(const StepRecord& step) {
  return each(writers_, error_, [&](Writer& w, std::size_t) { return w.step(step); });
}

void Recorder::phase(Phase phase) {
  for (const auto& writer : writers_) writer->phase(phase);
}

void Recorder::failed() {
  for (const auto& writer : writers_) writer->failed();
}

bool Recorder::close() {
  const bool good = each(writers_, error_, [&](Writer& w, std::size_t k) {
    if (w.close()) return true;
    unclosed_.insert(paths_[k]);
    return false;
  });
  writers_.clear();
  open_ = false;
  return good;
}

bool Recorder::add_report(const std::string& json) {
  bool good = true;
  for (const std::string& path : stores_) {
    if (!unclosed_.contains(path)) good = StoreWriter::add_report(path, json, error_) && good;
  }
  return good;
}

}  // namespace trunnion::results
