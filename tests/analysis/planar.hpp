#pragma once
// Model text of mechanisms in the ground's x-y plane, a line at a time.

#include <string>

#include <fmt/format.h>

namespace trunnion::test {

class Planar {
 public:
  Planar() : text_("mechanism\nPART/1, GROUND\n") {}

  Planar& line(const std::string& text) {
    text_ += text + "\n";
    return *this;
  }
  // Mass centre at (x, y), turned by `angle`; its CM marker is 10·id.
  Planar& part(int id, double mass, double inertia, double x, double y, double angle = 0) {
    return line(fmt::format("PART/{}, MASS={:.17g}, CM={}, IP={:.17g},{:.17g},{:.17g}, QG={:.17g},{:.17g},0, "
                            "REULER={:.17g},0,0",
                            id, mass, 10 * id, inertia, inertia, inertia, x, y, angle))
        .marker(10 * id, id, 0, 0);
  }
  Planar& marker(int id, int part, double x, double y, const std::string& more = "") {
    return line(fmt::format("MARKER/{}, PART={}, QP={:.17g},{:.17g},0{}", id, part, x, y, more));
  }
  Planar& revolute(int id, int i, int j) {
    return line(fmt::format("JOINT/{}, REVOLUTE, I={}, J={}", id, i, j));
  }
  std::string end() const { return text_ + "END\n"; }

 private:
  std::string text_;
};

// Euler 3-1-3 angles that turn z to x.
inline constexpr const char* kZtoX = ", REULER=90D,90D,0D";
// … and to y.
inline constexpr const char* kZtoY = ", REULER=180D,90D,180D";

}  // namespace trunnion::test
