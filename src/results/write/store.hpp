#pragma once
// The results store, PREFIX.h5 (docs/manual/results.md has the layout). Written in HDF5's single-writer-multiple-reader
// mode: the library then orders its writes so that the file is whole at any time, for readers beside the run and after
// a kill. Rows are held until there are 256 (fewer long ones) or a second has passed, whichever is first; until then they are in a file of
// their own beside the store (journal.hpp), where a kill finds them too.

#include <chrono>
#include <memory>

#include "results/write/shapes.hpp"
#include "results/write/writer.hpp"

namespace trunnion::results {

// What is kept beside the numbers.
struct StoreTexts {
  std::string model;     // the model file's text, as it was when the file was opened
  std::string script;    // the commands; may be empty
  std::string settings;  // JSON: what was asked for
  std::vector<DeformingBody> flexible = {};
};

// Attribute `format`: the name, and a number that changes with the layout.
inline constexpr const char* kStoreFormatName = "trunnion results ";
std::string store_format();
bool readable_store_format(const std::string& format);  // by this version
// Attribute `state`: a run writes it, or did so until it was killed, and then there is a tail; or it was closed.
// Words of one length, so that one goes in the other's place.
inline constexpr const char *kStoreOpen = "open", *kStoreClosed = "done";

class StoreWriter final : public Writer {
 public:
  explicit StoreWriter(StoreTexts texts);
  ~StoreWriter() override;

  bool open(const std::string& path, const std::vector<Channel>& channels) override;
  bool row(const std::vector<double>& values) override;
  bool change(const std::vector<Channel>& channels) override;
  bool step(const StepRecord& step) override;
  bool close() override;
  const char* extension() const override { return ".h5"; }

  bool flush() override;
  std::size_t flushed_rows() const { return flushed_; }  // what is in the HDF5 file

  // Adds the run report (JSON) to a store that was closed.
  static bool add_report(const std::string& path, const std::string& report, std::string& error);

  static constexpr std::size_t kHeldRows = 256;  // in memory, at most

 private:
  struct File;
  bool widen(const std::vector<Channel>& channels);
  bool make(const std::string& path, const std::vector<Channel>& channels);
  bool open_tail(std::size_t columns);
  bool mark_closed();
  bool fail();

  StoreTexts texts_;
  std::string path_;
  std::unique_ptr<File> file_;
  std::size_t flushed_ = 0;
  std::size_t held_rows_ = kHeldRows;  // fewer where they are long
  std::chrono::steady_clock::time_point last_flush_;
};

}  // namespace trunnion::results
