#include "results/read/history.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/text.hpp"
#include "results/read/graphics_history.hpp"
#include "results/read/store_history.hpp"
#include "results/read/xrf_history.hpp"
#include "results/write/csv.hpp"
#include "results/write/request_file.hpp"

namespace trunnion::results {

namespace {

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

class CsvHistory final : public TableHistory {
 public:
  bool open(const std::string& path, std::string& error) {
    std::ifstream file(path, std::ios::binary);
    std::string line;
    if (!file || !std::getline(file, line)) {
      error = path + ": " + (file.is_open() ? "it is empty" : std::strerror(errno));
      return false;
    }
    bool ours = false;
    for (const std::string_view heading : split(line)) {
      channels_.push_back(csv_channel(heading));
      ours = ours || !channels_.back().unit.empty();
    }
    data_.resize(channels_.size());
    for (std::size_t number = 2; std::getline(file, line); ++number) {
      if (line.starts_with('#')) {  // earlier versions had the units in a line of their own
        ours = true;
        const auto units = split(std::string_view(line).substr(1));
        for (std::size_t k = 0; k < std::min(units.size(), channels_.size()); ++k)
          channels_[k].unit = units[k];
        continue;
      }
      if (core::trim(line).empty()) continue;
      // Ours have units and an end of line: without that a kill cut it off, perhaps within a number.
      if (file.eof() && ours) break;
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

  bool keeps(const Channel& channel) const override { return kept_by_default(channel); }

 private:
  bool take(std::string_view line) {
    const auto words = split(line);
    if (words.size() != data_.size()) return false;
    std::vector<double> row(words.size());
    for (std::size_t k = 0; k < words.size(); ++k) {
      row[k] = std::nan("");
      if (words[k].empty()) continue;  // the run had no such channel then
      const auto [end, code] = std::from_chars(words[k].data(), words[k].data() + words[k].size(), row[k]);
      if (code != std::errc() || end != words[k].data() + words[k].size()) return false;
    }
    for (std::size_t k = 0; k < row.size(); ++k) data_[k].push_back(row[k]);
    ++rows_;
    return true;
  }
};

template <class Kind> std::unique_ptr<History> opened(const std::string& path, std::string& error) {
  auto history = std::make_unique<Kind>();
  if (!history->open(path, error)) return nullptr;
  return history;
}

}  // namespace

bool kept_by_default(const Channel& channel) {
  const std::string& name = channel.name;
  return !name.starts_with("XFORM/") && !name.starts_with("MARKER/") && !name.starts_with("PINPUT/") &&
         !name.starts_with("POUTPUT/") && !name.starts_with("ARROW/");
}

std::vector<std::vector<double>> TableHistory::columns(const std::vector<std::size_t>& places) {
  std::vector<std::vector<double>> out;
  for (const std::size_t place : places) out.push_back(data_[place]);
  return out;
}

std::optional<std::size_t> History::find(const std::string& name) const {
  for (std::size_t k = 0; k < channels_.size(); ++k) {
    if (core::equals_nocase(channels_[k].name, name)) return k;
  }
  return std::nullopt;
}

std::size_t History::at_once() const {
  constexpr std::size_t kNumbers = std::size_t{1} << 24;  // 128 MB
  return std::clamp<std::size_t>(kNumbers / std::max<std::size_t>(rows_, 1), 1, 256);
}

std::vector<double> History::column(std::size_t place) {
  auto all = columns({place});
  return all.empty() ? std::vector<double>() : std::move(all.front());
}

std::vector<double> History::row(std::size_t number) {
  std::vector<double> out;
  for (std::size_t place = 0; place < channels_.size(); ++place) out.push_back(column(place)[number]);
  return out;
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
  if (path.ends_with(".gra")) return opened<GraphicsHistory>(path, error);
  return opened<StoreHistory>(path, error);
}

}  // namespace trunnion::results
