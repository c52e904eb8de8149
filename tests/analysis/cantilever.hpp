#pragma once
// A clamped chain of BEAM or FIELD elements as model text, and where its tip comes to rest.

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/mechanism.hpp"
#include "analysis/planar.hpp"
#include "analysis/statics/statics.hpp"
#include "elements/beam.hpp"

namespace trunnion::test {

// A clamped beam along x of ground; EI and GJ from a square section, its deflection in x-y and x-z alike.
struct Cantilever {
  int n = 50;
  double length = 2, width = 0.02, E = 2e11, G = 8e10, density = 7800;
  double shear = 0;  // ASY, ASZ
  bool fields = false;
  const char* formulation = "LINEAR";
  double force = 0, moment = 0;  // at the tip: along y, about z
  double thrust = 0;             // and along −x
  double bent = 0;               // the model's nodes lie on an arc of this turn: where the search begins

  double area() const { return width * width; }
  double I() const { return std::pow(width, 4) / 12; }
  double EI() const { return E * I(); }
  int tip() const { return n + 1; }  // PART

  std::string element(int id, int i, int j) const {
    const elements::BeamSection section{length / n, area(), 2 * I(), I(), I(), shear, shear, E, G};
    if (!fields)
      return fmt::format(
          "BEAM/{}, I={}, J={}, LENGTH={:.17g}, IXX={:.17g}, IYY={:.17g}, IZZ={:.17g}, AREA={:.17g}, "
          "ASY={}, ASZ={}, EMODULUS={}, GMODULUS={}, FORMULATION={}",
          id, i, j, section.length, section.ixx, I(), I(), area(), shear, shear, E, G, formulation);
    std::string K;
    const Eigen::MatrixXd stiffness = elements::beam_stiffness(section);
    for (Eigen::Index k = 0; k < stiffness.size(); ++k) K += fmt::format("\n, {:.17g}", stiffness(k));
    return fmt::format("FIELD/{}, I={}, J={}, LENGTH={:.17g},0,0,0,0,0, FORMULATION={}, KMATRIX={}", id, i, j,
                       section.length, formulation, K.substr(2));
  }
  // Each node has the mass of half the element on either side.
  std::string text() const {
    Planar model;
    model.marker(1, 1, 0, 0).marker(2, 1, 0, 0).line("MARKER/99, PART=1, FLOATING");
    const double l = length / n, turn = bent / n, r = length / bent;
    for (int k = 1; k <= n; ++k) {
      const double share = k == n ? 0.5 : 1.0;
      const int id = k + 1;
      model.part(id, share * density * area() * l, share * density * I() * l,
                 bent == 0 ? k * l : r * std::sin(k * turn), bent == 0 ? 0 : r * (1 - std::cos(k * turn)),
                 k * turn);
      model.marker(10 * id + 1, id, 0, 0).line(element(id, 10 * id + 1, k == 1 ? 1 : 10 * k + 1));
    }
    model.line(
        fmt::format("GFORCE/1, I={}, JFLOAT=99, RM=2, FX={:.17g}\\FY={:.17g}\\FZ=0\\TX=0\\TY=0\\TZ={:.17g}",
                    10 * tip() + 1, -thrust, force, moment));
    return model.end();
  }
};

struct Tip {
  double x = 0, y = 0, turn = 0;
};
// In equilibrium, to well below the rounding of the oracles.
inline Tip tip_of(const Cantilever& beam) {
  Mechanism mech(beam.text());
  EXPECT_TRUE(mech.assembled.ok) << mech.messages();
  analysis::StaticSettings settings = analysis::static_settings(mech.read.model);
  settings.error = 1e-10;
  settings.imbalance = 1e-7 * (std::abs(beam.force) + std::abs(beam.moment));
  settings.maxit = 200;
  settings.alimit = 1;
  settings.judge = false;
  const auto result = analysis::statics(*mech.system, mech.assembled, settings);
  EXPECT_TRUE(result.ok) << (result.messages.empty() ? "" : result.messages.back());
  const auto at = mech.sample();
  const std::string part = fmt::format("PART/{}.", beam.tip());
  return {at.at(part + "X"), at.at(part + "Y"), at.at(part + "PSI")};
}

}  // namespace trunnion::test
