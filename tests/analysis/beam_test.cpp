// Chains of BEAM and FIELD elements read from model text against beam theory: small deflections with shear, the elastica, and the
// frequencies of the Euler-Bernoulli and the Timoshenko beam.

#include "elements/beam.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "analysis/linear.hpp"
#include "analysis/mechanism.hpp"
#include "analysis/planar.hpp"
#include "analysis/statics.hpp"
#include "support/sanitized.hpp"

namespace trunnion::test {
namespace {

using std::numbers::pi;

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
Tip tip_of(const Cantilever& beam) {
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

// w = P L³/(3 E I) + ASY P L/(G A), turned by P L²/(2 E I). The load bends by 2e-4 of the length, so that what is of second order is
// of relative size 4e-8. A chain of elements that are exact is exact at its nodes.
TEST(BeamChain, SmallDeflectionsAreTimoshenkos) {
  for (const bool fields : {false, true}) {
    for (const double shear : {0.0, 1.2}) {
      for (const char* formulation : {"LINEAR", "STRING", "NONLINEAR"}) {
        const bool nonlinear = std::string(formulation) == "NONLINEAR";
        if (fields && formulation[0] == 'S') continue;
        if (!fields && nonlinear && shear != 0) continue;  // knows no shear
        Cantilever beam;
        beam.width = 0.4;  // stubby: shear is 1 % of the deflection
        beam.fields = fields;
        beam.formulation = formulation;
        beam.shear = shear;
        const double L = beam.length;
        beam.force = 2e-4 * 3 * beam.EI() / (L * L);
        const double bending = beam.force * std::pow(L, 3) / (3 * beam.EI());
        const double w = bending + shear * beam.force * L / (beam.G * beam.area());
        const double turn = beam.force * L * L / (2 * beam.EI());
        if (shear != 0) {
          EXPECT_GT(w / bending, 1.01);
        }
        const Tip tip = tip_of(beam);
        const std::string what = fmt::format("{} {} {}", fields ? "FIELD" : "BEAM", formulation, shear);
        EXPECT_NEAR(tip.y, w, 2e-7 * w) << what;
        EXPECT_NEAR(tip.turn, turn, 2e-7 * turn) << what;
      }
    }
  }
}

// The elastica under a dead load across it, P L²/(E I) → tip: turn, deflection, shortening over the length. Mattiasson 1981 has five
// digits of the elliptic integrals; the others are a quadrature of ∫ dθ/√(2 P/(E I) (sin θ_tip − sin θ)) at 15 digits.
struct Elastica {
  double load, turn, deflection, shortening;
};
constexpr Elastica kElastica[] = {{1, 0.46135195, 0.301720774, 0.0564332363},
                                  {5, 1.21536812, 0.713791524, 0.387628361},
                                  {10, 1.43028554, 0.810609025, 0.554995598}};

constexpr double kSlender = 1e-3;  // width over length

double elastica_error(const Elastica& exact, bool fields, int n) {
  Cantilever beam;
  beam.n = n;
  beam.fields = fields;
  beam.formulation = "NONLINEAR";
  beam.width = kSlender * beam.length;
  const double L = beam.length;
  beam.force = exact.load * beam.EI() / (L * L);
  beam.bent = exact.turn;
  const Tip tip = tip_of(beam);
  return std::max({std::abs(tip.turn - exact.turn), std::abs(tip.y / L - exact.deflection),
                   std::abs(1 - tip.x / L - exact.shortening)});
}

// A FIELD keeps the length of its chord: second order in the elements' turn, load/n at most. A BEAM shortens its chord as it bends,
// fourth order: what is left at 50 is its strain, P/(E A).
TEST(BeamChain, LargeDeflectionsAreTheElastica) {
  if (test::kSanitized) GTEST_SKIP() << "run in the release build";
  for (const Elastica& exact : kElastica) {
    const double strain = exact.load * kSlender * kSlender / 12;
    const double beam = elastica_error(exact, false, 50);
    EXPECT_LE(beam, strain + 1e-8) << exact.load;
    const double coarse = elastica_error(exact, true, 25), fine = elastica_error(exact, true, 50);
    EXPECT_NEAR(fine / coarse, 0.25, 0.02) << exact.load;
    EXPECT_LE(fine, 0.1 * std::pow(exact.load / 50, 2)) << exact.load;
  }
}

// Under a moment at the tip alone, M = π E I/L, the beam is half a circle: tip at (0, 2L/π), turned by π. A BEAM's chord is that of
// its arc to (π/n)⁴/1920; a FIELD keeps its length, (π/n)²/24 too long.
TEST(BeamChain, AMomentBendsItToACircle) {
  if (test::kSanitized) GTEST_SKIP() << "run in the release build";
  for (const bool fields : {false, true}) {
    Cantilever beam;
    beam.fields = fields;
    beam.formulation = "NONLINEAR";
    beam.width = kSlender * beam.length;
    const double L = beam.length, phi = 0.9 * pi;
    beam.moment = phi * beam.EI() / L;
    beam.bent = 0.5 * phi;
    const Tip tip = tip_of(beam);
    const double each = phi / beam.n, tolerance = fields ? 1.01 * each * each / 24 : 1e-7;
    EXPECT_NEAR(tip.turn, phi, 1e-8);
    EXPECT_NEAR(tip.x / L, std::sin(phi) / phi, tolerance) << fields;
    EXPECT_NEAR(tip.y / L, (1 - std::cos(phi)) / phi, tolerance) << fields;
  }
}

// A column gives way at Euler's load, π² E I/(4 L²): straight, it is stable below and not above. Lumps of 1/50 of its length are off
// by some 1/50² of it.
TEST(BeamChain, AColumnGivesWayAtEulersLoad) {
  for (const bool fields : {false, true}) {
    for (const char* formulation : {"LINEAR", "STRING", "NONLINEAR"}) {
      if (fields && formulation[0] == 'S') continue;
      for (const double part : {0.995, 1.005}) {
        Cantilever beam;
        beam.fields = fields;
        beam.formulation = formulation;
        beam.thrust = part * pi * pi * beam.EI() / (4 * beam.length * beam.length);
        Mechanism mech(beam.text());
        ASSERT_TRUE(mech.assembled.ok) << mech.messages();
        analysis::StaticSettings settings = analysis::static_settings(mech.read.model);
        settings.judge = false;
        const auto result = analysis::statics(*mech.system, mech.assembled, settings);
        const std::string what = fmt::format("{} {} {}", fields ? "FIELD" : "BEAM", formulation, part);
        ASSERT_TRUE(result.ok) << what;
        EXPECT_NEAR(mech.sample().at(fmt::format("PART/{}.Y", beam.tip())), 0, 1e-9) << what;
        analysis::ModesOptions options;
        options.count = 2;
        options.dense_up_to = 0;
        const auto found = analysis::modes(*mech.system, mech.assembled, options);
        ASSERT_TRUE(found.ok && !found.modes.empty()) << what;
        const auto lowest = found.modes.front().value;  // swings, or runs away
        EXPECT_EQ(std::abs(lowest.imag()) > std::abs(lowest.real()), part < 1)
            << what << " " << lowest.real();
      }
    }
  }
}

// Clamped-free frequencies of the beam with shear and rotary inertia: det of (M, V) at the end over those at the clamp is zero.
//   y′ = θ + V/GAs   θ′ = M/EI   M′ = −V − ρIω²θ   V′ = −ρAω²y
double at_free_end(const Cantilever& b, double omega) {
  Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
  A(0, 1) = 1;
  A(0, 3) = b.shear > 0 ? b.shear / (b.G * b.area()) : 0.0;
  A(1, 2) = 1 / b.EI();
  A(2, 3) = -1;
  A(2, 1) = -b.density * b.I() * omega * omega;
  A(3, 0) = -b.density * b.area() * omega * omega;
  // Balance the units, then exp by halving twenty times and squaring back.
  const double s = b.EI();
  const Eigen::Vector4d scale(1, 1, s, s);
  A = (scale.cwiseInverse().asDiagonal() * A * scale.asDiagonal()).eval() * (b.length / 1048576.0);
  Eigen::Matrix4d sum = Eigen::Matrix4d::Identity(), term = sum;
  for (int k = 1; k <= 8; ++k) {
    term = (term * A / k).eval();
    sum += term;
  }
  for (int k = 0; k < 20; ++k) sum = (sum * sum).eval();
  return sum.bottomRightCorner<2, 2>().determinant();
}

double timoshenko_frequency(const Cantilever& b, double euler) {
  double low = 0.7 * euler, high = 1.02 * euler;
  EXPECT_LT(at_free_end(b, low) * at_free_end(b, high), 0);
  for (int k = 0; k < 60; ++k) {
    const double middle = (low + high) / 2;
    (at_free_end(b, low) * at_free_end(b, middle) <= 0 ? high : low) = middle;
  }
  return low;
}

// The lowest, each mode once: a square section bends alike in both planes.
std::vector<double> frequencies(const Cantilever& beam, int count) {
  Mechanism mech(beam.text());
  EXPECT_TRUE(mech.assembled.ok) << mech.messages();
  analysis::ModesOptions options;
  options.count = 2 * count + 2;
  options.dense_up_to = 0;
  const auto found = analysis::modes(*mech.system, mech.assembled, options);
  EXPECT_TRUE(found.ok);
  std::vector<double> values;
  for (int k = 0; k < count && 2 * k < static_cast<int>(found.modes.size()); ++k)
    values.push_back(found.modes[static_cast<std::size_t>(2 * k)].value.imag());
  return values;
}

TEST(BeamChain, FrequenciesAreTheBeams) {
  const double beta[3] = {1.8751040687119611, 4.6940911329741745, 7.8547574382376126};
  for (const bool fields : {false, true}) {
    for (const bool stubby : {false, true}) {
      Cantilever beam;
      beam.fields = fields;
      if (stubby) beam.width = 0.1, beam.shear = 1.2;
      const std::vector<double> fine = frequencies(beam, 3);
      beam.n = 25;
      const std::vector<double> coarse = frequencies(beam, 3);
      for (std::size_t k = 0; k < 3; ++k) {
        const double euler =
            std::pow(beta[k] / beam.length, 2) * std::sqrt(beam.EI() / (beam.density * beam.area()));
        const double exact = timoshenko_frequency(beam, euler);
        const double error = std::abs(fine[k] / exact - 1), before = std::abs(coarse[k] / exact - 1);
        // Masses in lumps: second order in the elements' length, β_k L/n.
        EXPECT_LE(error, 0.2 * std::pow(beta[k] / 50, 2)) << k;
        EXPECT_NEAR(error / before, 0.25, 0.03) << k;
      }
    }
  }
}

}  // namespace
}  // namespace trunnion::test
