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
#include "math/outline.hpp"

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

// Triangles of a polygon of corners that are there. Where a fan would be folded over, as one that is not convex may make it, they are
// found in the plane that the corners lie nearest to.
void add_polygon(const std::vector<std::uint32_t>& polygon, Shell& shell) {
  const std::size_t n = polygon.size();
  std::vector<Vec3> at;
  for (const std::uint32_t k : polygon) {
    const float* const p = shell.points.data() + 3 * std::size_t{k};
    at.emplace_back(p[0], p[1], p[2]);
  }
  Vec3 normal = Vec3::Zero();
  for (std::size_t k = 2; k < n; ++k) normal += (at[k - 1] - at[0]).cross(at[k] - at[0]);
  bool folded = false;
  for (std::size_t k = 2; k < n; ++k) folded |= !((at[k - 1] - at[0]).cross(at[k] - at[0]).dot(normal) > 0);
  std::vector<std::array<std::uint32_t, 3>> triangles;
  if (folded && n > 3 && normal.norm() > 0 && normal.allFinite()) {
    Vec3::Index least = 0;
    normal.cwiseAbs().minCoeff(&least);
    const Vec3 x = normal.cross(Vec3::Unit(least)).normalized(), y = normal.normalized().cross(x);
    Outline flat;
    for (const Vec3& p : at) flat.emplace_back(x.dot(p - at[0]), y.dot(p - at[0]));
    triangles = triangulated(flat);
  }
  if (triangles.size() + 2 != n) {  // a fan: convex, or crosses itself
    triangles.clear();
    for (std::uint32_t k = 2; k < n; ++k) triangles.push_back({0, k - 1, k});
  }
  for (const auto& t : triangles) {
    for (const std::uint32_t corner : t) shell.faces.push_back(polygon[corner]);
  }
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
      add_polygon(polygon, shell);
    }
  }
  return !shell.faces.empty();
}

// Numbers of corners and of polygons, a scale; the corners; then how many corners each polygon has, and which, from 1. The second version says
// so in its first line, and has a third number before the scale, of what follows the polygons.
bool read_shl_numbers(const std::string& bytes, Shell& shell) {
  std::istringstream words(bytes);
  long version = 1, more = 0;
  if (std::string first; bytes.compare(0, 8, "Version:") == 0 && !(words >> first >> version)) return false;
  std::size_t corners = 0, polygons = 0;
  float scale = 1;
  words >> corners >> polygons;
  if (version > 1) words >> more;
  // Each takes two bytes at least.
  if (!(words >> scale) || corners > bytes.size() || polygons > bytes.size()) return false;
  for (std::size_t k = 0; k < 3 * corners; ++k) {
    float x = 0;
    if (!(words >> x)) return false;
    shell.points.push_back(scale * x);
  }
  for (std::size_t k = 0; k < polygons; ++k) {
    std::size_t count = 0;
    if (!(words >> count) || count > bytes.size()) return false;
    std::vector<std::uint32_t> polygon;
    for (std::size_t j = 0; j < count; ++j) {
      std::size_t corner = 0;
      if (!(words >> corner) || corner < 1 || corner > corners) return false;
      polygon.push_back(static_cast<std::uint32_t>(corner - 1));
    }
    add_polygon(polygon, shell);
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

bool read_shl(const std::string& bytes, Shell& shell, std::string& error) {
  return judge(read_shl_numbers(bytes, shell), shell, error);
}

bool read_shell(const std::string& path, Shell& shell, std::string& error) {
  shell = {};
  std::string ending = fs::path(path).extension().string();
  for (char& c : ending) c = core::upper(c);
  if (ending != ".STL" && ending != ".OBJ" && ending != ".SHL") {
    error = path + ": shells are read from .stl, .obj and .shl only";
    return false;
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    error = path + ": there is no such file";
    return false;
  }
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::string why;
  const bool good = ending == ".OBJ"   ? read_obj(bytes, shell, why)
                    : ending == ".SHL" ? read_shl(bytes, shell, why)
                                       : read_stl(bytes, shell, why);
  if (!good) error = path + ": " + why;
  return good;
}

}  // namespace trunnion::math
