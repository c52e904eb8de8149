// Chains of BEAM and FIELD elements read from model text against beam theory: small deflections with shear, and the
// frequencies of the Euler-Bernoulli and the Timoshenko beam.

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "analysis/cantilever.hpp"
#include "analysis/linear/linear.hpp"

namespace trunnion::test {
namespace {

using std::numbers::pi;

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
