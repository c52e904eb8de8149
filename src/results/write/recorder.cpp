#include "results/write/recorder.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "core/text.hpp"
#include "results/write/background_writer.hpp"
#include "results/write/csv.hpp"

namespace trunnion::results {

namespace fs = std::filesystem;

namespace {

constexpr auto kNone = static_cast<std::size_t>(-1);

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

std::vector<Channel> Recorder::choose(const RecordedChannels& channels, Selection& selection) const {
  const std::span all(channels.list);
  selection = select(all.first(std::min(channels.usual, all.size())), options_.channels);
  std::vector<Channel> chosen;
  for (const std::size_t place : selection.places) chosen.push_back(channels.list[place]);
  return chosen;
}

// Columns keep their places; those that `chosen` has no channel for are empty from now on.
void Recorder::take_columns(const std::vector<Channel>& chosen, const Selection& selection) {
  std::map<std::string, std::size_t> known;
  for (std::size_t k = 0; k < columns_.size(); ++k) known.emplace(columns_[k].name, k);
  from_.assign(columns_.size(), kNone);
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const auto [at, fresh] = known.try_emplace(chosen[k].name, columns_.size());
    if (fresh) {
      columns_.push_back(chosen[k]);
      from_.push_back(kNone);
    }
    from_[at->second] = selection.places[k];
  }
}

bool Recorder::open_file(Writer& writer, const std::string& csv_path, const std::vector<Channel>& channels) {
  const std::string extension = writer.extension();
  paths_.push_back(extension == ".csv" ? csv_path : fs::path(csv_path).replace_extension(extension).string());
  if (error_ = refusal_ ? refusal_(paths_.back()) : ""; !error_.empty()) return false;
  // A CSV whose columns change is written beside itself first.
  if (extension == ".csv") error_ = refusal_ ? refusal_(paths_.back() + ".new") : "";
  if (!error_.empty()) return false;
  if (extension == ".h5") stores_.push_back(paths_.back());
  written_.back().paths.push_back(paths_.back());
  if (writer.open(paths_.back(), channels)) return true;
  error_ = writer.error();
  return false;
}

bool Recorder::open_layouts(const std::string& csv_path, RecordedChannels channels) {
  for (auto& layout : channels.layouts) {
    writers_.push_back(std::make_unique<BackgroundWriter>(std::move(layout)));
    if (!open_file(*writers_.back(), csv_path, channels.list)) return false;
  }
  return true;
}

bool Recorder::open(const std::string& csv_path, RecordedChannels channels, StoreTexts texts) {
  close();
  rows_ = 0;
  columns_.clear();
  Selection selection;
  const std::vector<Channel> chosen = choose(channels, selection);
  if (!selection.useless.empty()) {
    error_ = useless_patterns(selection.useless, channels.list);
    return false;
  }
  take_columns(chosen, selection);
  if (options_.csv) writers_.push_back(std::make_unique<BackgroundWriter>(std::make_unique<CsvWriter>()));
  if (options_.store) writers_.push_back(std::make_unique<StoreWriter>(std::move(texts)));
  chosen_writers_ = writers_.size();
  written_.emplace_back();
  chosen_group_ = layout_group_ = written_.size() - 1;
  for (const auto& writer : writers_) {
    if (!open_file(*writer, csv_path, columns_)) return false;
  }
  open_ = open_layouts(csv_path, std::move(channels));
  return open_;
}

bool Recorder::change(const std::string& csv_path, RecordedChannels channels) {
  rows_ = 0;
  Selection selection;
  take_columns(choose(channels, selection), selection);
  const bool layouts = writers_.size() > chosen_writers_;
  const std::vector<std::string> old_paths(paths_.begin() + static_cast<std::ptrdiff_t>(chosen_writers_),
                                           paths_.end());
  if (!close_from(chosen_writers_) ||
      !each(writers_, error_, [&](Writer& w, std::size_t) { return w.change(columns_); }))
    return false;
  if (!layouts && channels.layouts.empty()) return true;
  if (layouts && layout_group_ == chosen_group_) {
    // They end before the others: counted on their own.
    auto& together = written_[chosen_group_].paths;
    together.resize(together.size() - old_paths.size());
    written_.push_back({old_paths, written_[chosen_group_].rows});
  }
  written_.emplace_back();
  layout_group_ = written_.size() - 1;
  return open_layouts(csv_path, std::move(channels));
}

bool Recorder::row(const std::vector<double>& values) {
  chosen_.clear();
  for (const std::size_t place : from_) chosen_.push_back(place == kNone ? std::nan("") : values[place]);
  ++rows_;
  ++written_[chosen_group_].rows;
  if (layout_group_ != chosen_group_) ++written_[layout_group_].rows;
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

// The writers from `first` on.
bool Recorder::close_from(std::size_t first) {
  bool good = true;
  for (std::size_t k = first; k < writers_.size(); ++k) {
    if (writers_[k]->close()) continue;
    unclosed_.insert(paths_[k]);
    if (good) error_ = writers_[k]->error();
    good = false;
  }
  writers_.resize(std::min(first, writers_.size()));
  paths_.resize(writers_.size());
  return good;
}

bool Recorder::close() {
  open_ = false;
  return close_from(0);
}

bool Recorder::add_report(const std::string& json) {
  bool good = true;
  for (const std::string& path : stores_) {
    if (!unclosed_.contains(path)) good = StoreWriter::add_report(path, json, error_) && good;
  }
  return good;
}

}  // namespace trunnion::results
