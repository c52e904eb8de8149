#pragma once
// An FE_PART clamped at one end as model text, and where it comes to rest.

#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/mechanism.hpp"
#include "analysis/statics/statics.hpp"

namespace trunnion::test {

// MATRIX/id, 6×6, with a diagonal.
inline std::string diagonal_matrix(int id, const std::array<double, 6>& diagonal) {
  std::string text = fmt::format("MATRIX/{}, FULL=RORDER, ROWS=6, COLUMNS=6, VALUES=", id);
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j)
      text += fmt::format("{}{:.17g}", i + j == 0 ? "" : ", ", i == j ? diagonal[i] : 0.0);
    if (i < 5) text += "\n";
  }
  // Values of a line after the first begin with a comma, as continued lines do.
  return text;
}

struct FlexibleBeam {
  int elements = 16;
  double length = 1.0;
  std::array<double, 6> K = {1e8, 1e8, 1e8, 1.0, 1.0, 1.0};  // EA, GAy, GAz, GJ, EIy, EIz
  double mass = 1.0;                                         // per length
  std::array<double, 3> J = {2e-6, 1e-6, 1e-6};              // per length
  std::string type = "3DBEAM";
  std::string more;                   // arguments of the FE_PART
  std::string end = "{L},0,0,0,0,0";  // place and angles of the second node

  // The beam from the origin along x, with MARKER/21 at its start and MARKER/22 at its end; ground's marker is 1, JFLOAT 99.
  std::string text(const std::string& rest) const {
    const std::string tip = end == "{L},0,0,0,0,0" ? fmt::format("{:.17g},0,0,0,0,0", length) : end;
    const std::string at = tip.substr(0, tip.find(',', tip.find(',', tip.find(',') + 1) + 1));
    std::string out = "beam\nPART/1, GROUND\nMARKER/1, PART=1\nMARKER/99, PART=1, FLOATING\n";
    out += diagonal_matrix(1, K) + "\n";
    out += diagonal_matrix(2, {mass, mass, mass, J[0], J[1], J[2]}) + "\n";
    out += fmt::format(
        "FE_PART/2, TYPE={}, NODE_LABELS=1,2\n, COORDINATES=1,0,0,0,0,0,0,2,{}\n"
        ", SECTION_STIFFNESS=1, SECTION_INERTIA=2, SUBDIVIDE={}{}\n",
        type, tip, elements, more);
    out += "MARKER/21, FE_PART=2, NODE_LABEL=1\n";
    out += fmt::format("MARKER/22, FE_PART=2, NODE_LABEL=2, QP={}\n", at);
    return out + rest + "END\n";
  }
  std::string clamped(const std::string& rest) const { return text("JOINT/1, FIXED, I=21, J=1\n" + rest); }
  // Forces and torques at its end, along ground axes.
  static std::string load(const std::array<std::string, 6>& f) {
    return fmt::format("GFORCE/1, I=22, JFLOAT=99, RM=1\n, FX={}\\FY={}\\FZ={}\\TX={}\\TY={}\\TZ={}\n", f[0],
                       f[1], f[2], f[3], f[4], f[5]);
  }
};

inline analysis::StaticSettings tight(const Mechanism& mech, double force) {
  analysis::StaticSettings settings = analysis::static_settings(mech.read.model);
  settings.error = 1e-8;
  settings.imbalance = 1e-7 * force;  // rounding is EA·ε·x/h
  settings.maxit = 200;
  settings.judge = false;
  return settings;
}

inline std::map<std::string, double> at_rest(const std::string& text, double force) {
  Mechanism mech(text);
  if (!mech.system) return {};
  EXPECT_TRUE(mech.assembled.ok) << mech.messages();
  const auto result = analysis::statics(*mech.system, mech.assembled, tight(mech, force));
  EXPECT_TRUE(result.ok) << (result.messages.empty() ? "" : result.messages.back());
  return mech.sample();
}

// Along a load that grows with TIME from 0 to 1, from rest to rest.
inline std::map<std::string, double> followed(const std::string& text, double force, int steps) {
  Mechanism mech(text);
  if (!mech.system) return {};
  EXPECT_TRUE(mech.assembled.ok) << mech.messages();
  for (int k = 1; k <= steps; ++k) {
    mech.assembled.state.t = static_cast<double>(k) / steps;
    const auto result = analysis::statics(*mech.system, mech.assembled, tight(mech, force));
    EXPECT_TRUE(result.ok) << (result.messages.empty() ? "" : result.messages.back());
    if (!result.ok) return {};
  }
  return mech.sample();
}

}  // namespace trunnion::test
