#pragma once
// The files of a run: takes whole rows, keeps the channels asked for, and feeds every writer.

#include <functional>
#include <memory>
#include <set>

#include "results/selection.hpp"
#include "results/store.hpp"
#include "results/writer.hpp"

namespace trunnion::results {

struct RecorderOptions {
  std::string channels;  // patterns; empty: all
  bool csv = true, store = true;
};
// Why a path must not be written; empty where it may.
using Refusal = std::function<std::string(const std::string& path)>;
using Writers = std::vector<std::unique_ptr<Writer>>;

class Recorder {
 public:
  explicit Recorder(RecorderOptions options, Refusal refusal = {})
      : options_(std::move(options)), refusal_(std::move(refusal)) {}

  // `csv_path` names the CSV; the others lie beside it with their own endings. `layouts` write files with a layout of
  // their own and get every channel, whatever the patterns say; the other files choose among the first `usual` channels.
  bool open(const std::string& csv_path, const std::vector<Channel>& channels, StoreTexts texts,
            Writers layouts = {}, std::size_t usual = static_cast<std::size_t>(-1));
  bool row(const std::vector<double>& values);
  bool step(const StepRecord& step);
  void phase(Phase phase);  // of the rows that follow
  void failed();            // the run ends early
  bool close();
  // Into every store this recorder has written; after close().
  bool add_report(const std::string& json);

  bool is_open() const { return open_; }
  std::size_t rows() const { return rows_; }
  const std::string& error() const { return error_; }
  const std::vector<std::string>& paths() const { return paths_; }    // of the files open now, or last
  const std::vector<std::string>& stores() const { return stores_; }  // all of them

 private:
  RecorderOptions options_;
  Refusal refusal_;
  Selection selection_;
  Writers writers_;  // first those of chosen channels, then those of all
  std::size_t chosen_writers_ = 0;
  std::vector<std::string> paths_, stores_;
  std::set<std::string> unclosed_;  // nothing can be added to them
  std::vector<double> chosen_;
  std::string error_;
  std::size_t rows_ = 0;
  bool open_ = false;
};

}  // namespace trunnion::results
