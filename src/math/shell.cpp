#include "math/shell.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "core/text.hpp"

namespace trunnion::math {

namespace {

namespace fs = std::filesystem;
using Corner = std::array<float, 3>;

// STL repeats the corners of each triangle: equal ones become one.
class Builder {
 public:
  explicit Builder(Shell& shell) : shell_(shell) {}

  void corner(const Corner& c) {
    if (std::isnan(c[0]) || std::isnan(c[1]) || std::isnan(c[2])) {  // has no place in an order
      shell_.faces.push_back(static_cast<std::uint32_t>(shell_.points.size() / 3));
      shell_.points.insert(shell_.points.end(), c.begin(), c.end());
      return;
    }
    const auto [at, fresh] = known_.try_emplace(c, static_cast<std::uint32_t>(shell_.points.size() / 3));
    if (fresh) shell_.points.insert(shell_.points.end(), c.begin(), c.end());
    shell_.faces.push_back(at->second);
  }

 private:
  Shell& shell_;
  std::map<Corner, std::uint32_t> known_;
};

constexpr std::size_t kHead = 84, kTriangle = 50;  // bytes of a binary STL

std::uint32_t triangles_of(const std::string& bytes) {
  std::uint32_t count = 0;
  if (bytes.size() >= kHead) std::memcpy(&count, bytes.data() + kHead - sizeof count, sizeof count);
  return count;
}

// Text files begin with "solid", and so do some binary ones: the length tells.
bool is_binary_stl(const std::string& bytes) {
  return bytes.size() >= kHead && bytes.size() == kHead + kTriangle * std::size_t{triangles_of(bytes)};
}

void read_binary_stl(const std::string& bytes, Shell& shell) {
  Builder builder(shell);
  for (std::size_t at = kHead; at < bytes.size(); at += kTriangle) {
    for (std::size_t k = 1; k <= 3; ++k) {  // after the normal
      Corner c;
      std::memcpy(c.data(), bytes.data() + at + k * sizeof c, sizeof c);
      builder.corner(c);
    }
  }
}

bool read_text_stl(const std::string& bytes, Shell& shell) {
  Builder builder(shell);
  std::istringstream words(bytes);
  for (std::string word; words >> word;) {
    if (word != "vertex") continue;
    Corner c;
    if (!(words >> c[0] >> c[1] >> c[2])) return false;
    builder.corner(c);
  }
  return !shell.faces.empty() && shell.faces.size() % 3 == 0;
}

// "f 1/2/3 4 5//6 …": only the first number of a word counts; negative ones count from the end.
bool read_obj_lines(const std::string& bytes, Shell& shell) {
  std::istringstream lines(bytes);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string what;
    words >> what;
    if (what == "v") {
      Corner c;
      if (!(words >> c[0] >> c[1] >> c[2])) return false;
      shell.points.insert(shell.points.end(), c.begin(), c.end());
    } else if (what == "f") {
      const auto count = static_cast<long>(shell.points.size() / 3);
      std::vector<std::uint32_t> polygon;
      for (std::string word; words >> word;) {
        const long number = std::strtol(word.c_str(), nullptr, 10);
        const long place = number < 0 ? count + number : number - 1;
        if (place < 0 || place >= count) return false;
        polygon.push_back(static_cast<std::uint32_t>(place));
      }
      for (std::size_t k = 2; k < polygon.size(); ++k)
        shell.faces.insert(shell.faces.end(), {polygon[0], polygon[k - 1], polygon[k]});
    }
  }
  return !shell.faces.empty();
}

}  // namespace

namespace {

// Sizes whose cubes, of a volume, are still numbers.
bool judge(bool read, Shell& shell, std::string& error) {
  constexpr float kLargest = 1e30f;
  if (!read) error = "no whole triangles in it";
  for (const float x : shell.points) {
    if (std::isfinite(x) && std::abs(x) <= kLargest) continue;
    error = "a corner whose coordinates are no numbers, or too large";
    break;
  }
  if (!error.empty()) shell = {};
  return error.empty();
}

}  // namespace

bool read_obj(const std::string& bytes, Shell& shell, std::string& error) {
  return judge(read_obj_lines(bytes, shell), shell, error);
}

bool read_stl(const std::string& bytes, Shell& shell, std::string& error) {
  if (!is_binary_stl(bytes)) return judge(read_text_stl(bytes, shell), shell, error);
  read_binary_stl(bytes, shell);
  return judge(!shell.faces.empty(), shell, error);
}

bool read_shell(const std::string& path, Shell& shell, std::string& error) {
  shell = {};
  std::string ending = fs::path(path).extension().string();
  for (char& c : ending) c = core::upper(c);
  if (ending != ".STL" && ending != ".OBJ") {
    error = path + ": shells are read from .stl and .obj only";
    return false;
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    error = path + ": there is no such file";
    return false;
  }
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::string why;
  const bool good = ending == ".OBJ" ? read_obj(bytes, shell, why) : read_stl(bytes, shell, why);
  if (!good) error = path + ": " + why;
  return good;
}

}  // namespace trunnion::math
