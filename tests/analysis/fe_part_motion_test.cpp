// FE_PART in motion: what rotation does to frequencies and lengths, and what a free beam keeps.

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "analysis/dynamics/dynamics.hpp"
#include "analysis/flexible_beam.hpp"
#include "analysis/linear/linear.hpp"
#include "elements/beam_element.hpp"

namespace trunnion::test {
namespace {

// To `end`; the mechanism is left there.
void move(Mechanism& mech, double end, const std::function<void(const assembly::State&)>& each = {}) {
  analysis::DynamicHooks hooks;
  hooks.output = [&](const assembly::State& s) {
    if (each) each(s);
    return true;
  };
  std::vector<double> times;
  for (int k = 1; k <= 10; ++k) times.push_back(end * k / 10);
  const auto result = analysis::dynamics(*mech.system, mech.assembled, end, times,
                                         analysis::dynamic_settings(mech.read.model), hooks);
  EXPECT_TRUE(result.ok) << (result.loop.messages.empty() ? "" : result.loop.messages.back());
}

// A cantilever that turns about z of its clamp; nothing but the beam's own inertia stiffens it.
std::string turning(const FlexibleBeam& beam, double speed, const std::string& integrator) {
  return beam.text(
      fmt::format("JOINT/1, REVOLUTE, I=21, J=1\nMOTION/1, JOINT=1, ROTATION, FUNCTION={:.17g}*TIME\n{}",
                  speed, integrator));
}

// Flapping, lagging in the plane of rotation: Wright et al. 1982 (field notes A), ω and Ω in √(EI/m L⁴). Damping brings it to its steady
// stretch first; it is left out of the frequencies.
TEST(FePartInMotion, FrequenciesOfATurningCantilever) {
  const struct {
    double speed, flap[3];
  } cases[] = {
      {2, {4.1373, 22.6149, 62.2732}}, {6, {7.3604, 26.8091, 66.6839}}, {10, {11.2023, 33.6404, 74.6493}}};
  for (const auto& c : cases) {
    FlexibleBeam beam;
    beam.elements = 16;
    beam.K = {1e7, 1e7, 1e7, 1, 1, 1};
    beam.J = {2e-8, 1e-8, 1e-8};
    beam.more = fmt::format(", CRATIOK=1e-3, WZ={0}, VY={1}", c.speed, c.speed / 2);
    Mechanism mech(turning(beam, c.speed, "INTEGRATOR/HHT, ERROR=1e-8, HMAX=1e-3\n"));
    ASSERT_TRUE(mech.system && mech.assembled.ok) << mech.messages();
    move(mech, 0.05);
    analysis::ModesOptions options;
    options.damping = false;
    options.vectors = false;
    options.frame = {*mech.system->find_marker(21), "MARKER/21"};
    const auto found = analysis::modes(*mech.system, mech.assembled, options);
    ASSERT_TRUE(found.ok) << (found.messages.empty() ? "" : found.messages.back());
    const auto nearest = [&](double w) {
      double best = HUGE_VAL;
      for (const analysis::Mode& mode : found.modes)
        if (std::abs(std::abs(mode.value.imag()) - w) < std::abs(best - w))
          best = std::abs(mode.value.imag());
      return best;
    };
    for (const double w : c.flap) {
      // 16 elements err by 1e-4 of the third frequency, and by h⁴ less with more (docs/theory/beams.md).
      const double allowed = 1.2e-4 * w;
      EXPECT_NEAR(nearest(w), w, allowed) << c.speed;
      const double lag = std::sqrt(w * w - c.speed * c.speed);
      EXPECT_NEAR(nearest(lag), lag, allowed * w / lag) << c.speed;
    }
  }
}

// Simo and Vu-Quoc's beam, spun up to 6 rad/s in 15 s: at last it is longer by ρA Ω² L³/3EA = 5.143e-4. In the plane, as a 2DBEAM.
TEST(FePartInMotion, SpunUpBeam) {
  FlexibleBeam beam;
  beam.type = "2DBEAMXY";
  beam.elements = 8;
  beam.length = 10;
  beam.K = {2.8e7, 1e7, 1e7, 1e4, 1.4e4, 1.4e4};
  beam.mass = 1.2;
  beam.J = {1.2e-3, 6e-4, 6e-4};
  const std::string angle = "(2/5)*(TIME**2/2+(15/(2*PI))**2*(COS(2*PI*TIME/15)-1))";
  Mechanism mech(
      beam.text("JOINT/1, REVOLUTE, I=21, J=1\nMOTION/1, JOINT=1, ROTATION, FUNCTION=IF(TIME-15: " + angle +
                "," + angle + ",6*TIME-45)\nINTEGRATOR/HHT, ERROR=1e-6, HMAX=0.02\n"));
  ASSERT_TRUE(mech.system && mech.assembled.ok) << mech.messages();
  double most = 0, last = 0;
  int late = 0;
  move(mech, 20, [&](const assembly::State& s) {
    const auto at = mech.sample(s);
    const double turn = at.at("FE_PART/2.1.PSI");
    const double u = at.at("FE_PART/2.2.X") * std::cos(turn) + at.at("FE_PART/2.2.Y") * std::sin(turn) - 10;
    const double v = -at.at("FE_PART/2.2.X") * std::sin(turn) + at.at("FE_PART/2.2.Y") * std::cos(turn);
    most = std::max(most, std::abs(v));
    if (s.t > 15.5) last += u, ++late;
  });
  EXPECT_NEAR(last / late, 5.143e-4, 5e-6);
  EXPECT_GT(most, 0.3);  // lags behind by more than half a metre on the way; the table has 0.58
}

struct Kept {
  math::Vec3 momentum = math::Vec3::Zero(), moment = math::Vec3::Zero();
  double energy = 0;
};
// By the element's own inertia, and by nothing that the integration uses.
Kept kept(Mechanism& mech, const assembly::State& s) {
  system::System::Workspace work(*mech.system, assembly::AnalysisMode::dynamics);
  mech.system->update(s, work);
  Kept k;
  for (const elements::BeamElement& e : mech.system->beam_elements()) {
    std::array<math::Vec3, 12> y, rate;
    for (std::size_t n = 0; n < static_cast<std::size_t>(e.count); ++n) {
      const assembly::BodyMotion& b = work.kinematics.body(e.nodes[n]);
      y[4 * n] = b.x;
      rate[4 * n] = b.v;
      for (std::size_t i = 0; i < 3; ++i) {
        y[4 * n + 1 + i] = b.R.col(static_cast<int>(i));
        rate[4 * n + 1 + i] = b.w.cross(y[4 * n + 1 + i]);
      }
    }
    for (int i = 0; i < 4 * e.count; ++i) {
      k.momentum += e.first[i] * rate[static_cast<std::size_t>(i)];
      for (int j = 0; j < 4 * e.count; ++j)
        k.moment += e.M(i, j) * y[static_cast<std::size_t>(i)].cross(rate[static_cast<std::size_t>(j)]);
    }
  }
  const auto energy = mech.system->energy(s, work);
  k.energy = energy.kinetic + energy.potential;
  return k;
}

// A free beam, thrown: while nothing acts on it, it keeps momentum, moment of momentum and energy, whatever it does to itself.
void keeps_what_it_has(const char* type, int elements) {
  FlexibleBeam beam;
  beam.type = type;
  beam.elements = elements;
  beam.length = 2;
  beam.K = {1e3, 1e3, 1e3, 4, 5, 3};
  beam.J = {2e-2, 1.2e-2, 0.8e-2};
  // A push that ends at 0.5 s bends and turns it.
  const std::string push = "STEP(TIME,0,0,0.25,2)*STEP(TIME,0.25,1,0.5,0)";
  Mechanism mech(beam.text(beam.load({"0", push, "0.5*" + push, "0.3*" + push, "0", "0"}) +
                           "INTEGRATOR/RADAU5, ERROR=1e-7, HMAX=0.02\n"));
  ASSERT_TRUE(mech.system && mech.assembled.ok) << mech.messages();
  EXPECT_EQ(mech.assembled.freedoms, 42);
  move(mech, 0.6);
  const Kept start = kept(mech, mech.assembled.state);
  EXPECT_GT(start.moment.norm(), 0.1);
  const auto before = mech.sample();
  move(mech, 3.0);
  const Kept end = kept(mech, mech.assembled.state);
  const auto after = mech.sample();
  // It is bent, and has turned.
  EXPECT_GT(std::abs(after.at("FE_PART/2.1_2-1_3.KZ")), 1e-3);
  EXPECT_LT((end.momentum - start.momentum).norm(), 1e-6 * start.momentum.norm());
  EXPECT_LT((end.moment - start.moment).norm(), 1e-5 * start.moment.norm());
  EXPECT_NEAR(end.energy, start.energy, 1e-4 * start.energy);
}

TEST(FePartInMotion, AFreeBeamKeepsWhatItHas) { keeps_what_it_has("3DBEAM", 6); }
TEST(FePartInMotion, AFreeBeamOfThreeNodesKeepsWhatItHas) { keeps_what_it_has("3DBEAM3", 3); }

}  // namespace
}  // namespace trunnion::test
