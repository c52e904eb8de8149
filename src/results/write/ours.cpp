#include "results/write/ours.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "core/text.hpp"
#include "results/write/store.hpp"

namespace trunnion::results {

namespace fs = std::filesystem;

namespace {

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

// "PART/2.X", "VARIABLE/1", "ENERGY.KINETIC", with or without its unit behind it.
bool is_channel(std::string_view cell) {
  if (cell.starts_with('"')) cell.remove_prefix(1);
  const std::size_t word = cell.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
  if (word == 0 || word == std::string_view::npos) return false;
  if (cell[word] == '.') return true;
  return cell[word] == '/' && word + 1 < cell.size() && cell[word + 1] >= '0' && cell[word + 1] <= '9';
}

// A table of times and channels. "time" alone would be any measurement.
bool is_histories(std::string_view text) {
  const std::string_view line = first_line(text);
  if (!core::starts_with_nocase(line, "time") && !core::starts_with_nocase(line, "\"time")) return false;
  const std::size_t comma = line.find(',');
  return comma == std::string_view::npos
             ? text.substr(std::min(text.size(), line.size() + 1)).starts_with('#')
             : is_channel(line.substr(comma + 1));
}

bool begins_as_ours(const std::string& ending, std::string_view text) {
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  if (ending == ".h5") return text.starts_with("\x89HDF") && has(kStoreFormatName);
  if (ending == ".csv") return is_histories(text);
  if (ending == ".res") return has("<Corporation author=\"Trunnion\"");
  if (ending == ".json") return text.starts_with("{\n") && has("\n  \"simulations\": [");
  if (ending == ".sav") return text.starts_with("trunnion save ");
  if (ending == ".html") return has("<title>Trunnion");
  return first_line(text).find(kOurMark) != std::string_view::npos;
}

}  // namespace

bool may_replace(const std::string& path) {
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (!fs::exists(status)) return true;
  // A device is named by the user's own hand; a folder, a pipe or a socket is no result.
  if (fs::is_character_file(status)) return true;
  if (!fs::is_regular_file(status)) return false;
  constexpr std::size_t kLooked = 1 << 16;  // bytes: the store's format stands in its first pages
  std::string text(kLooked, '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  file.read(text.data(), kLooked);
  text.resize(static_cast<std::size_t>(file.gcount()));
  std::string ending = core::to_lower(fs::path(path).extension().string());
  // X.csv.new and X.sav.new are X.csv and X.sav on their way.
  if (ending == ".new") ending = core::to_lower(fs::path(path).stem().extension().string());
  return text.empty() || begins_as_ours(ending, text);
}

}  // namespace trunnion::results
