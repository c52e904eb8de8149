#include "results/history.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

#include "core/text.hpp"
#include "results/hdf5.hpp"
#include "results/request_file.hpp"
#include "results/tail.hpp"
#include "results/xrf_history.hpp"

namespace trunnion::results {

namespace {

// --- the store

class StoreHistory final : public History {
 public:
  bool open(const std::string& path, std::string& error) {
    h5::be_quiet();
    // A file that a run has open, or left behind when it was killed, opens in this mode only.
    file_ = {H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose};
    if (!file_.valid()) {
      // The library retries with waits that double each time; its own 100 times would outlast the reader.
      constexpr unsigned kAttempts = 24;
      const h5::Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
      H5Pset_metadata_read_attempts(access, kAttempts);
      file_ = {H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access), H5Fclose};
      finished_ = false;
    }
    if (file_.valid() && read_names()) {
      tail_ = read_tail(path, in_file_, channels_.size());
      rows_ = in_file_ + tail_.size() / channels_.size();
      return true;
    }
    error = path + (file_.valid() ? " is not a results store of Trunnion" : ": " + h5::last_error());
    return false;
  }

  std::vector<std::vector<double>> columns(const std::vector<std::size_t>& places) override {
    std::vector<std::vector<double>> out(places.size());
    // Columns that lie side by side are in the same chunks: one reading for all that are near each other.
    std::vector<std::size_t> order(places.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });
    for (std::size_t first = 0; first < order.size();) {
      constexpr std::size_t kNear = 32;
      std::size_t last = first;
      const std::size_t begin = places[order[first]];
      while (last < order.size() && places[order[last]] < begin + kNear &&
             (begin == 0) == (places[order[last]] == 0))
        ++last;
      const std::size_t width = places[order[last - 1]] - begin + 1;
      const std::vector<double> block =
          begin == 0 ? read("time", 0, 1, 1, in_file_) : read("values", begin - 1, width, 2, in_file_);
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

  std::vector<StepRecord> steps() override {
    const std::size_t count = length("steps");
    const std::vector<double> block = read("steps", 0, 4, 2, count);
    std::vector<StepRecord> out;
    for (std::size_t k = 0; k + 4 <= block.size(); k += 4) {
      out.push_back(
          {block[k], block[k + 1], static_cast<int>(block[k + 2]), static_cast<long>(block[k + 3])});
    }
    return out;
  }

  std::string text(const char* name) override {
    std::string out;
    h5::read_text(file_, name, out);
    return out;
  }
  bool finished() override { return finished_; }

 private:
  bool read_names() {
    std::vector<std::string> format, unit, names, units;
    if (!h5::read_attribute(file_, "format", format) || format.empty() ||
        format.front() != "trunnion results 2" || !h5::read_texts(file_, "channels", names) ||
        !h5::read_texts(file_, "units", units) || units.size() != names.size())
      return false;
    const h5::Handle time(H5Dopen2(file_, "time", H5P_DEFAULT), H5Dclose);
    if (!time.valid() || !h5::read_attribute(time, "units", unit)) return false;
    channels_.push_back({"time", unit.empty() ? "" : unit.front()});
    for (std::size_t k = 0; k < names.size(); ++k) channels_.push_back({names[k], units[k]});
    in_file_ = length("time");
    return true;
  }

  std::size_t length(const char* name) const {
    const h5::Handle set(H5Dopen2(file_, name, H5P_DEFAULT), H5Dclose);
    const h5::Handle space(set.valid() ? H5Dget_space(set) : -1, H5Sclose);
    hsize_t size[2] = {0, 0};
    if (space.valid()) H5Sget_simple_extent_dims(space, size, nullptr);
    return size[0];
  }

  // `width` columns from `first` of the first `rows` rows. NaN where they cannot be read.
  std::vector<double> read(const char* name, std::size_t first, std::size_t width, int rank,
                           std::size_t rows) const {
    std::vector<double> out(rows * width, std::nan(""));
    if (out.empty()) return out;
    const h5::Handle set(H5Dopen2(file_, name, H5P_DEFAULT), H5Dclose);
    if (!set.valid()) return out;
    const hsize_t start[2] = {0, first}, count[2] = {rows, width};
    const h5::Handle memory(H5Screate_simple(rank, count, nullptr), H5Sclose);
    const h5::Handle space(H5Dget_space(set), H5Sclose);
    if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr) >= 0)
      H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, out.data());
    return out;
  }

  h5::Handle file_;
  bool finished_ = true;
  std::size_t in_file_ = 0;   // rows
  std::vector<double> tail_;  // rows after them, whole
};

// --- CSV

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> out;
  while (true) {
    const std::size_t comma = line.find(',');
    out.push_back(core::trim(line.substr(0, comma)));
    if (comma == std::string_view::npos) return out;
    line.remove_prefix(comma + 1);
  }
}

class CsvHistory final : public History {
 public:
  bool open(const std::string& path, std::string& error) {
    std::ifstream file(path, std::ios::binary);
    std::string line;
    if (!file || !std::getline(file, line)) {
      error = path + ": " + (file.is_open() ? "it is empty" : std::strerror(errno));
      return false;
    }
    for (const std::string_view name : split(line)) channels_.push_back({std::string(name), ""});
    data_.resize(channels_.size());
    for (std::size_t number = 2; std::getline(file, line); ++number) {
      if (line.starts_with('#')) {
        const auto units = split(std::string_view(line).substr(1));
        for (std::size_t k = 0; k < std::min(units.size(), channels_.size()); ++k)
          channels_[k].unit = units[k];
        continue;
      }
      if (core::trim(line).empty()) continue;
      if (!take(line)) {
        // The last line of a run that was killed may be cut off.
        if (file.peek() == std::ifstream::traits_type::eof()) break;
        error = path + ":" + std::to_string(number) + ": not a row of " + std::to_string(channels_.size()) +
                " numbers";
        return false;
      }
    }
    return true;
  }

  std::vector<std::vector<double>> columns(const std::vector<std::size_t>& places) override {
    std::vector<std::vector<double>> out;
    for (const std::size_t place : places) out.push_back(data_[place]);
    return out;
  }

 private:
  bool take(std::string_view line) {
    const auto words = split(line);
    if (words.size() != data_.size()) return false;
    std::vector<double> row(words.size());
    for (std::size_t k = 0; k < words.size(); ++k) {
      const auto [end, code] = std::from_chars(words[k].data(), words[k].data() + words[k].size(), row[k]);
      if (code != std::errc() || end != words[k].data() + words[k].size()) return false;
    }
    for (std::size_t k = 0; k < row.size(); ++k) data_[k].push_back(row[k]);
    ++rows_;
    return true;
  }

  std::vector<std::vector<double>> data_;
};

template <class Kind> std::unique_ptr<History> opened(const std::string& path, std::string& error) {
  auto history = std::make_unique<Kind>();
  if (!history->open(path, error)) return nullptr;
  return history;
}

}  // namespace

std::optional<std::size_t> History::find(const std::string& name) const {
  for (std::size_t k = 0; k < channels_.size(); ++k) {
    if (core::equals_nocase(channels_[k].name, name)) return k;
  }
  return std::nullopt;
}

std::vector<double> History::column(std::size_t place) {
  auto all = columns({place});
  return all.empty() ? std::vector<double>() : std::move(all.front());
}

std::string History::title() {
  const std::string model = text("model");
  return model.substr(0, model.find('\n'));
}

std::unique_ptr<History> open_history(const std::string& path, std::string& error) {
  if (!std::filesystem::is_regular_file(path)) {
    error = path + ": there is no such file";
    return nullptr;
  }
  if (path.ends_with(".csv")) return opened<CsvHistory>(path, error);
  if (path.ends_with(".res")) return opened<XrfHistory>(path, error);
  if (path.ends_with(".req")) return opened<RequestHistory>(path, error);
  return opened<StoreHistory>(path, error);
}

}  // namespace trunnion::results
