#pragma once
// The files of a run: takes whole rows, keeps the channels asked for, and feeds every writer.

#include <functional>
#include <memory>
#include <set>

#include "results/channels/selection.hpp"
#include "results/write/store.hpp"
#include "results/write/writer.hpp"

namespace trunnion::results {

struct RecorderOptions {
  std::string channels;  // patterns; empty: all
  bool csv = true, store = true;
};
// Why a path must not be written; empty where it may.
using Refusal = std::function<std::string(const std::string& path)>;
using Writers = std::vector<std::unique_ptr<Writer>>;

// What a model gives a recorder to write. `layouts` write files with a layout of their own and get every channel,
// whatever the patterns say; the other files choose among the first `usual` channels.
struct RecordedChannels {
  const std::vector<Channel>& list;
  std::size_t usual = static_cast<std::size_t>(-1);
  Writers layouts = {};
};

class Recorder {
 public:
  explicit Recorder(RecorderOptions options, Refusal refusal = {})
      : options_(std::move(options)), refusal_(std::move(refusal)) {}

  // `csv_path` names the CSV; the others lie beside it with their own endings.
  bool open(const std::string& csv_path, RecordedChannels channels, StoreTexts texts);
  // The model changed, and with it the channels. CSV and store go on: rows have NaN where a channel is not there, and
  // new channels come behind the others. Layouts begin files of their own beside `csv_path`.
  bool change(const std::string& csv_path, RecordedChannels channels);
  bool row(const std::vector<double>& values);
  bool step(const StepRecord& step);
  void phase(Phase phase);  // of the rows that follow
  void failed();            // the run ends early
  bool close();
  // Into every store this recorder has written; after close().
  bool add_report(const std::string& json);

  struct Written {
    std::vector<std::string> paths;
    std::size_t rows = 0;  // of each
  };
  bool is_open() const { return open_; }
  std::size_t rows() const { return rows_; }  // since the channels changed
  const std::string& error() const { return error_; }
  const std::vector<Written>& written() const {
    return written_;
  }  // all files, those opened together together
  const std::vector<std::string>& stores() const { return stores_; }  // all of them

 private:
  std::vector<Channel> choose(const RecordedChannels& channels, Selection& selection) const;
  void take_columns(const std::vector<Channel>& chosen, const Selection& selection);
  bool open_layouts(const std::string& csv_path, RecordedChannels channels);
  bool open_file(Writer& writer, const std::string& csv_path, const std::vector<Channel>& channels);
  bool close_from(std::size_t first);

  RecorderOptions options_;
  Refusal refusal_;
  std::vector<Channel> columns_;    // of CSV and store
  std::vector<std::size_t> from_;   // place of each column in a row, or none
  Writers writers_;                 // first those of chosen channels, then those of all
  std::vector<std::string> paths_;  // of them
  std::size_t chosen_writers_ = 0;
  std::vector<std::string> stores_;
  std::vector<Written> written_;
  std::size_t chosen_group_ = 0, layout_group_ = 0;  // in written_, of the files open now
  std::set<std::string> unclosed_;                   // nothing can be added to them
  std::vector<double> chosen_;
  std::string error_;
  std::size_t rows_ = 0;
  bool open_ = false;
};

}  // namespace trunnion::results
