#include "results/read/store_history.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "results/write/journal.hpp"
#include "results/write/modes.hpp"
#include "results/write/store.hpp"

namespace trunnion::results {

namespace {

// The first bytes of an HDF5 file as ours are (superblock of version 3), read without the library: it waits, guesses and
// speaks of its own insides where a file is not what it should be.
struct Head {
  bool is_hdf5 = false, known = false;
  bool in_use = false;      // by a writer, or by one that was killed
  bool by_run = false;      // in the mode that a run writes in
  std::uintmax_t size = 0;  // that the file should have at least, where nobody writes it
};

Head read_head(const std::string& path) {
  constexpr std::size_t kVersion = 8, kFlags = 11, kEnd = 28, kLength = 36;
  constexpr char kSignature[] = "\x89HDF\r\n\x1a\n";
  std::array<char, kLength> bytes{};
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), bytes.size());
  Head head;
  head.is_hdf5 = std::memcmp(bytes.data(), kSignature, kVersion) == 0;
  head.known = head.is_hdf5 && bytes[kVersion] == 3 && file.gcount() == kLength;
  if (!head.known) return head;
  constexpr char kRun = 4;
  head.in_use = bytes[kFlags] != 0;
  head.by_run = (bytes[kFlags] & kRun) != 0;
  std::uint64_t end = 0;
  std::memcpy(&end, bytes.data() + kEnd, sizeof end);
  head.size = end;
  return head;
}

const char* const kWhatThereIs =
    "Results are PREFIX.h5, .csv, .res, .req and .gra, as `trunnion run` writes them";

// Why a file cannot be a whole store, before the library is asked; empty where it may be one.
std::string unusable(const std::string& path) {
  const std::uintmax_t size = std::filesystem::file_size(path);
  if (size == 0)
    return path + " is empty: the run that made it was stopped before its first row. Run it again";
  const Head head = read_head(path);
  if (!head.is_hdf5) return path + " is not an HDF5 file. " + kWhatThereIs;
  if (head.known && !head.in_use && size < head.size)
    return fmt::format("{} is cut short: {} of {} bytes are there. Copy it again, or run the model again",
                       path, size, head.size);
  return {};
}

}  // namespace

// Damage in the heap that texts are kept in makes the library run in a circle or crash: found by changing bytes of a store at random.
bool StoreHistory::survives(const std::string& path) {
  const pid_t child = fork();
  if (child < 0) return true;  // no process to be had: as it comes
  if (child == 0) {
    // Of the processor; names and times of a store take milliseconds.
    constexpr rlim_t kSeconds = 2, kBytesPerSecond = 100'000'000;
    const rlim_t most = kSeconds + std::filesystem::file_size(path) / kBytesPerSecond;
    const rlimit limit{most, most};
    setrlimit(RLIMIT_CPU, &limit);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE}) std::signal(signal, SIG_DFL);
    StoreHistory trial;
    std::string error;
    if (trial.open_here(path, error)) {
      for (const char* name : {"model", "script", "settings", "report"}) trial.text(name);
      trial.segments();
      std::vector<ModeSet> modes;
      read_modes(path, modes, error);
      std::vector<DeformingBody> bodies;
      read_shapes(path, bodies, error);
    }
    _exit(0);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status);
}

bool StoreHistory::open(const std::string& path, std::string& error) {
  h5::be_quiet();
  error = unusable(path);
  if (!error.empty()) return false;
  if (survives(path)) return open_here(path, error);
  error = path + " is damaged: reading its texts does not end. Copy it again, or run the model again";
  return false;
}

bool StoreHistory::open_here(const std::string& path, std::string& error) {
  constexpr int kAttempts = 2;  // a run may end between the opening of its store and the look for its tail
  for (int attempt = 1;; ++attempt) {
    if (!open_file(path, error) || !read_names(path, error) || !read_rows(path, error)) return false;
    if (take_tail(path)) return true;
    if (attempt < kAttempts) continue;
    notice_ = fmt::format(
        "{0}: the run that made it did not end, and {0}.tail, which has its last rows, is not there: up to "
        "{1} "
        "rows after the {2} here, or those of its last second, are lost. Keep both files together",
        path, StoreWriter::kHeldRows, in_file_);
    return true;
  }
}

bool StoreHistory::open_file(const std::string& path, std::string& error) {
  channels_.clear();
  error = unusable(path);
  if (!error.empty()) return false;
  finished_ = true;
  // A file that a run has open, or left behind when it was killed, opens in this mode only.
  file_ = {H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose};
  if (file_.valid()) return true;
  // Killed while the report was added to the store of a run that had ended.
  if (const Head head = read_head(path); head.in_use && !head.by_run && h5::forget_writer(path)) {
    file_ = {H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose};
    if (file_.valid()) return true;
  }
  // The library retries with waits that double each time; its own 100 times would outlast the reader.
  constexpr unsigned kAttempts = 24;
  const h5::Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_metadata_read_attempts(access, kAttempts);
  file_ = {H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access), H5Fclose};
  finished_ = false;
  if (file_.valid()) return true;
  error = fmt::format(
      "{} cannot be read ({}): it is damaged, or its run was stopped while it was being made. Copy it again, "
      "or run the model again",
      path, h5::last_error());
  return false;
}

bool StoreHistory::read_names(const std::string& path, std::string& error) {
  std::vector<std::string> format, unit, names, units;
  const bool said = h5::read_attribute(file_, "format", format) && !format.empty();
  if (!said || !format.front().starts_with(kStoreFormatName)) {
    error = path + " is an HDF5 file, but not a results store of Trunnion. " + kWhatThereIs;
    return false;
  }
  if (const std::string ours = store_format(); !readable_store_format(format.front())) {
    error = fmt::format(
        "{} has the format \"{}\", and this version reads \"{}\": run the model again, or read it with the "
        "version that wrote it",
        path, format.front(), ours);
    return false;
  }
  const h5::Handle time(H5Dopen2(file_, "time", H5P_DEFAULT), H5Dclose);
  // A run that is under way may add channels: their units come first.
  if (!h5::read_texts(file_, "channels", names) || !h5::read_texts(file_, "units", units) ||
      units.size() < names.size() || !time.valid() || !h5::read_attribute(time, "units", unit)) {
    error = path + " is damaged: the names or units of its channels are not there. Copy it, or run it again";
    return false;
  }
  channels_.push_back({"time", unit.empty() ? "" : unit.front()});
  for (std::size_t k = 0; k < names.size(); ++k) channels_.push_back({names[k], units[k]});
  return true;
}

// As many as /time has; its numbers are read to see that they can be.
bool StoreHistory::read_rows(const std::string& path, std::string& error) {
  in_file_ = length("time");
  std::vector<double> time;
  const bool values = channels_.size() == 1 || in_file_ == 0 || length("values") >= in_file_;
  if (values && read("time", 0, 1, 1, in_file_, time)) return true;
  error = fmt::format(
      "{} is damaged: it should have {} rows, which cannot be read. Copy it again, or run the model again",
      path, in_file_);
  return false;
}

// False where the run has not ended and its tail is missing.
bool StoreHistory::take_tail(const std::string& path) {
  std::vector<std::string> state;
  const bool open = !finished_ || (h5::read_attribute(file_, "state", state) && !state.empty() &&
                                   state.front() == kStoreOpen);
  finished_ = !open;
  const bool there = std::filesystem::exists(journal_path(path));
  tail_ = there ? read_journal(path, in_file_, channels_.size()) : std::vector<double>();
  rows_ = in_file_ + tail_.size() / channels_.size();
  return there || !open;
}

std::vector<std::vector<double>> StoreHistory::columns(const std::vector<std::size_t>& places) {
  std::vector<std::vector<double>> out(places.size());
  // Columns that lie side by side are in the same chunks: one reading for all that are near each other.
  std::vector<std::size_t> order(places.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });
  std::vector<double> block;
  for (std::size_t first = 0; first < order.size();) {
    constexpr std::size_t kNear = 32;
    std::size_t last = first;
    const std::size_t begin = places[order[first]];
    while (last < order.size() && places[order[last]] < begin + kNear &&
           (begin == 0) == (places[order[last]] == 0))
      ++last;
    const std::size_t width = places[order[last - 1]] - begin + 1;
    if (begin == 0) read("time", 0, 1, 1, in_file_, block);
    else read("values", begin - 1, width, 2, in_file_, block);
    for (; first < last; ++first) {
      std::vector<double>& column = out[order[first]];
      const std::size_t place = places[order[first]];
      for (std::size_t r = 0; r < in_file_; ++r) column.push_back(block[r * width + place - begin]);
      for (std::size_t r = 0; r < rows_ - in_file_; ++r)
        column.push_back(tail_[r * channels_.size() + place]);
    }
  }
  return out;
}

std::vector<StepRecord> StoreHistory::steps() {
  std::vector<double> block;
  read("steps", 0, 4, 2, length("steps"), block);
  std::vector<StepRecord> out;
  for (std::size_t k = 0; k + 4 <= block.size(); k += 4) {
    out.push_back({block[k], block[k + 1], static_cast<int>(block[k + 2]), static_cast<long>(block[k + 3])});
  }
  return out;
}

std::vector<Segment> StoreHistory::segments() {
  if (H5Lexists(file_, "segments", H5P_DEFAULT) <= 0) return {};
  std::vector<double> block;
  read("segments", 0, 2, 2, length("segments"), block);
  std::vector<Segment> out;
  for (std::size_t k = 0; k + 2 <= block.size(); k += 2) {
    const auto row = static_cast<std::size_t>(block[k]);
    if (block[k] >= 0 && row < rows_) out.push_back({row, block[k + 1]});
  }
  return out;
}

std::vector<double> StoreHistory::row(std::size_t number) {
  const std::size_t width = channels_.size();
  if (number >= in_file_) {
    const auto from = tail_.begin() + static_cast<std::ptrdiff_t>((number - in_file_) * width);
    return {from, from + static_cast<std::ptrdiff_t>(width)};
  }
  std::vector<double> out, values;
  read("time", 0, 1, 1, 1, out, number);
  if (width > 1) read("values", 0, width - 1, 2, 1, values, number);
  out.insert(out.end(), values.begin(), values.end());
  return out;
}

std::string StoreHistory::text(const char* name) {
  std::string out;
  h5::read_text(file_, name, out);
  return out;
}

std::size_t StoreHistory::length(const char* name) const {
  const auto sizes = h5::sizes_of(file_, name);
  return sizes.empty() ? 0 : sizes.front();
}

// `width` columns from `first` of `rows` rows from `first_row`. NaN, and false, where they cannot be read.
bool StoreHistory::read(const char* name, std::size_t first, std::size_t width, int rank, std::size_t rows,
                        std::vector<double>& out, std::size_t first_row) const {
  out.assign(rows * width, std::nan(""));
  if (out.empty()) return true;
  const h5::Handle set(H5Dopen2(file_, name, H5P_DEFAULT), H5Dclose);
  if (!set.valid()) return false;
  const hsize_t start[2] = {first_row, first}, count[2] = {rows, width};
  const h5::Handle memory(H5Screate_simple(rank, count, nullptr), H5Sclose);
  const h5::Handle space(H5Dget_space(set), H5Sclose);
  return H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr) >= 0 &&
         H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, out.data()) >= 0;
}

}  // namespace trunnion::results
