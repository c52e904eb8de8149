#pragma once
// A chain of rods of 0.1 m and 1 kg on joints of one kind, horizontal at the start.

#include <string>

#include <fmt/format.h>

namespace trunnion::bench {

inline std::string chain_text(int rods, const char* joint, const std::string& integrator) {
  constexpr double kLength = 0.1, kAcross = kLength * kLength / 12;
  std::string text =
      "chain\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\n"
      "MARKER/1, PART=1, REULER=0D,90D,0D\n";
  for (int k = 0; k < rods; ++k) {
    const int part = k + 2, before = k == 0 ? 1 : 10 * (k + 1) + 2;
    text += fmt::format("PART/{0}, MASS=1, CM={0}0, IP={1},{2},{2}, QG={3},0,0\nMARKER/{0}0, PART={0}\n",
                        part, kAcross / 10, kAcross, kLength * (k + 0.5));
    text += fmt::format("MARKER/{0}1, PART={0}, QP={1},0,0, REULER=0D,90D,0D\n", part, -kLength / 2);
    text += fmt::format("MARKER/{0}2, PART={0}, QP={1},0,0, REULER=0D,90D,0D\n", part, kLength / 2);
    text += fmt::format("JOINT/{}, {}, I={}1, J={}\n", k + 1, joint, part, before);
  }
  return text + fmt::format("ACCGRAV/KGRAV=-9.81\nINTEGRATOR/{}\nEND\n", integrator);
}

}  // namespace trunnion::bench
