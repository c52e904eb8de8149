// MFORCE, damping that changes in the course of a run, and contacts on nodes of flexible bodies, against closed forms, against an
// integration of their own equation, and against the same told in another way.

#include <cmath>
#include <functional>

#include <gmock/gmock.h>

#include "analysis/linear/linear.hpp"
#include "dynamics/simulate.hpp"
#include "support/flex_beam.hpp"
#include "support/run_text.hpp"
#include "support/user_code.hpp"

namespace trunnion::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using math::Vec3;
using ::testing::HasSubstr;

const std::string kStart =
    "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n";

std::string unique(const std::string& name) {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  return std::string(test->name()) + "_" + name;
}
std::string flex(const MatrixText& file, const std::string& more = "") {
  return kStart + "MATRIX/1, FILE=" + file.path() + "\nFLEX_BODY/2, MATRICES=1" + more + "\n";
}
std::string model(const std::string& text) { return "title\n" + text + "END\n"; }

// Force and torque on the frame and what the modes get of forces along y on each node.
VectorXd case_of(const FlexBeam& beam, const MatrixXd& modes, const VectorXd& along_y) {
  VectorXd all = VectorXd::Zero(6 + modes.cols());
  for (int k = 0; k <= beam.elements; ++k) {
    all[1] += along_y[k];
    all[5] += k * beam.h() * along_y[k];
    all.tail(modes.cols()) += along_y[k] * modes.row(FlexBeam::kDof * k + 1).transpose();
  }
  return all;
}

constexpr const char* kHeld =
    "MARKER/20, FLEX_BODY=2, NODE_ID=1\nMARKER/21, FLEX_BODY=2, NODE_ID=11\nJOINT/1, FIXED, I=20, J=1\n";

// y'' = f(t, y, y') by classical Runge-Kutta, so finely that only rounding is left.
double integrated(const std::function<double(double, double, double)>& f, double y, double v, double end) {
  constexpr int kSteps = 20000;
  const double h = end / kSteps;
  for (int k = 0; k < kSteps; ++k) {
    const double t = k * h;
    const double v1 = v, a1 = f(t, y, v1);
    const double v2 = v + h / 2 * a1, a2 = f(t + h / 2, y + h / 2 * v1, v2);
    const double v3 = v + h / 2 * a2, a3 = f(t + h / 2, y + h / 2 * v2, v3);
    const double v4 = v + h * a3, a4 = f(t + h, y + h * v3, v4);
    y += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return y;
}

// --- MFORCE

TEST(ModalForce, LoadCasesBendAsNodalForces) {
  FlexBeam beam;
  const MatrixXd modes = beam.craig_bampton(6);
  VectorXd tip = VectorXd::Zero(11), middle = tip;
  tip[10] = 1;
  middle[5] = 2;
  MatrixXd cases(6 + modes.cols(), 2);
  cases << case_of(beam, modes, tip), case_of(beam, modes, middle);
  const MatrixText file(unique("cases"), with_matrix(beam.matrices(modes), "MODLOAD", cases));
  const double F = 1e-5 * 3 * beam.EI_z;  // turns of 1e-5: squares of them do not count
  const RunOfText ran =
      run_text(flex(file) + kHeld + fmt::format("MFORCE/1, FLEX_BODY=2, CASE_INDEX=1, SCALE={:.17g}\n", F) +
                   "REQUEST/1, F2=DY(21,1)\\F3=MFORCE(1,0,3,0)\\F4=MFORCE(1,0,8,0)\\F6=MFORCE(1,1,3,0)\n",
               "SIMULATE/STATICS\n");
  ASSERT_EQ(ran.status, api::RunStatus::done) << ran.said;
  // The tip of a cantilever: F L³/3EI, which static modes of the ends have exactly.
  EXPECT_NEAR(ran.last("REQUEST/1.F2"), 1e-5, 1e-5 * 1e-8);
  EXPECT_NEAR(ran.last("JOINT/1.TZ"), -F, 1e-9 * F);
  EXPECT_NEAR(ran.last("REQUEST/1.F3"), F, 1e-9 * F);
  EXPECT_NEAR(ran.last("REQUEST/1.F4"), F, 1e-9 * F);
  EXPECT_EQ(ran.last("REQUEST/1.F6"), 0);  // without JFLOAT
  EXPECT_NEAR(ran.last("MFORCE/1.FY"), F, 1e-9 * F);
  // The second case against a force on the node, and both at once: they add up.
  const std::string both =
      "MFORCE/1, FLEX_BODY=2, CASE_INDEX=1, SCALE=0.01\nMFORCE/2, FLEX_BODY=2, "
      "CASE_INDEX=2, SCALE=0.02*VARVAL(1)\nVARIABLE/1, FUNCTION=3-2*MODE*0\n";
  const std::string nodal =
      "MARKER/26, FLEX_BODY=2, NODE_ID=6\nMARKER/30, PART=1, FLOATING\nMARKER/31, PART=1, FLOATING\n"
      "VFORCE/1, I=21, JFLOAT=30, RM=1, FX=0\\FY=0.01\\FZ=0\n"
      "VFORCE/2, I=26, JFLOAT=31, RM=1, FX=0\\FY=0.12\\FZ=0\n";
  const std::string ask = "REQUEST/1, F2=DY(21,1)\n";
  const double a = run_text(flex(file) + kHeld + both + ask, "SIMULATE/STATICS\n").last("REQUEST/1.F2");
  const double b = run_text(flex(file) + kHeld + nodal + ask, "SIMULATE/STATICS\n").last("REQUEST/1.F2");
  // A load case acts where the body was: turns of 1e-4 move the arms of a force on a node by their square.
  EXPECT_NEAR(a, b, 1e-7 * std::abs(b));
}

// A mode by itself under a force of time: q̈ + ω² q = A sin Ωt, and what the force works is in the energies.
TEST(ModalForce, DrivesAModeAsItsEquationSays) {
  FlexBeam beam;
  const MatrixXd modes = beam.free_modes(3);
  const double omega = std::sqrt((modes.transpose() * beam.stiffness() * modes)(1, 1)), A = 500, drive = 90;
  VectorXd load = VectorXd::Zero(9);
  load[7] = A;
  const MatrixText file(unique("mode"), with_matrix(beam.matrices(modes), "MODLOAD", load));
  Mechanism m(model(flex(file, ", CRATIO=0") +
                    fmt::format("MFORCE/1, FLEX_BODY=2, CASE_INDEX=1, SCALE=SIN({}*TIME)\n", drive) +
                    "INTEGRATOR/ESDIRK46, SI2, ERROR=1E-9\n"));
  ASSERT_NE(m.system, nullptr);
  const Motion moved = simulate(m, {0.01, 0.03, 0.05});
  for (const double t : {0.01, 0.03, 0.05}) {
    const double q =
        A / (omega * omega - drive * drive) * (std::sin(drive * t) - drive / omega * std::sin(omega * t));
    EXPECT_NEAR(moved.at(t, "FLEX_BODY/2.Q2"), q, 1e-5 * A / (omega * omega)) << t;
    EXPECT_NEAR(moved.at(t, "FLEX_BODY/2.Q1"), 0, 1e-12) << t;
  }
}

TEST(ModalForce, WorkIsAccountedFor) {
  FlexBeam beam;
  const MatrixXd modes = beam.craig_bampton(4);
  const MatrixText file(unique("work"), with_matrix(beam.matrices(modes), "MODLOAD",
                                                    case_of(beam, modes, VectorXd::LinSpaced(11, 0, 1))));
  const RunOfText ran = run_text(flex(file, ", CRATIO=0.01+TIME, QG=0,0,0") + kHeld +
                                     "MFORCE/1, FLEX_BODY=2, CASE_INDEX=1, "
                                     "SCALE=2*SIN(100*TIME)-3*VY(21,1)\nINTEGRATOR/HHT, ERROR=1E-7\n",
                                 "SIMULATE/DYNAMIC, END=0.1, STEPS=100\n");
  ASSERT_EQ(ran.status, api::RunStatus::done) << ran.said;
  double kinetic = 0, off = 0, work = 0, lost = 0;
  for (std::size_t k = 0; k < ran.rows.at("ENERGY.BALANCE").size(); ++k) {
    kinetic = std::max(kinetic, ran.rows.at("ENERGY.KINETIC")[k]);
    work = std::max(work, std::abs(ran.rows.at("ENERGY.WORK")[k]));
    lost = std::max(lost, ran.rows.at("ENERGY.DISSIPATED")[k]);
    off = std::max(off, std::abs(ran.rows.at("ENERGY.BALANCE")[k]));
  }
  EXPECT_GT(work, kinetic / 2);
  EXPECT_GT(lost, kinetic / 100);
  EXPECT_LT(off, 2e-3 * work);
}

// The reaction acts on the other part where the body's frame is, so that both together keep their momentum.
TEST(ModalForce, ReactsOnThePartOfJfloat) {
  FlexBeam beam;
  const MatrixXd none = MatrixXd::Zero(beam.dofs(), 0);
  VectorXd load(6);
  load << 1, -2, 3, 0.1, 0.3, -0.2;
  const MatrixText file(unique("pair"), with_matrix(beam.matrices(none), "MODLOAD", load));
  const RunOfText ran = run_text(
      flex(file, ", QG=0.3,0.2,0.1, REULER=0.3,0.2,0.1") +
          "PART/3, QG=1,1,1, MASS=2, CM=30, IP=0.3,0.4,0.5\nMARKER/30, PART=3\nMARKER/31, PART=3, FLOATING\n"
          "MFORCE/1, FLEX_BODY=2, JFLOAT=31, CASE_INDEX=1, SCALE=1+TIME\n"
          "REQUEST/1, F2=MFORCE(1,0,2,0)\\F3=MFORCE(1,1,2,0)\\F4=MFORCE(1,0,6,0)\\F6=MFORCE(1,1,6,0)\n"
          "INTEGRATOR/RADAU5, ERROR=1E-10\n",
      "SIMULATE/DYNAMIC, END=0.2, STEPS=2\n");
  ASSERT_EQ(ran.status, api::RunStatus::done) << ran.said;
  EXPECT_GT(std::abs(ran.last("REQUEST/1.F2")), 0.1);
  EXPECT_NEAR(ran.last("REQUEST/1.F2"), -ran.last("REQUEST/1.F3"), 1e-12);
  EXPECT_NEAR(ran.last("REQUEST/1.F4"), -ran.last("REQUEST/1.F6"), 1e-12);
  const auto vec = [&](const std::string& body, const char* x, const char* y, const char* z) {
    return Vec3(ran.last(body + x), ran.last(body + y), ran.last(body + z));
  };
  const auto turn = [&](const std::string& body) {
    return math::rotation_from_euler_313(
        {ran.last(body + "PSI"), ran.last(body + "THETA"), ran.last(body + "PHI")});
  };
  const std::string b = "FLEX_BODY/2.", p = "PART/3.";
  const math::Mat3 R = turn(b);
  const double mass = beam.rho_A * beam.L;
  const Vec3 w = vec(b, "WX", "WY", "WZ"), c = R * Vec3(beam.L / 2, 0, 0);
  const Vec3 v = vec(b, "VX", "VY", "VZ") + w.cross(c), at = vec(b, "X", "Y", "Z") + c;
  const double across = mass * beam.L * beam.L / 12;
  const Vec3 spin = R * Vec3(beam.rho_J * beam.L, across, across).cwiseProduct(R.transpose() * w);
  const math::Mat3 S = turn(p);
  const Vec3 other = vec(p, "VX", "VY", "VZ"), there = vec(p, "X", "Y", "Z"), u = vec(p, "WX", "WY", "WZ");
  const Vec3 momentum = mass * v + 2 * other;
  const Vec3 angular = mass * at.cross(v) + spin + 2 * there.cross(other) +
                       S * Vec3(0.3, 0.4, 0.5).cwiseProduct(S.transpose() * u);
  EXPECT_GT(other.norm(), 0.1);
  EXPECT_LE(momentum.norm(), 1e-8);
  EXPECT_LE(angular.norm(), 1e-8);
}

// Switched off and changed by commands, as any force.
TEST(ModalForce, ObeysCommands) {
  FlexBeam beam;
  const MatrixXd modes = beam.craig_bampton(2);
  VectorXd tip = VectorXd::Zero(11);
  tip[10] = 1;
  const MatrixText file(unique("commands"),
                        with_matrix(beam.matrices(modes), "MODLOAD", case_of(beam, modes, tip)));
  const RunOfText ran = run_text(
      flex(file) + kHeld + "MFORCE/1, FLEX_BODY=2, CASE_INDEX=1, SCALE=0.003\nREQUEST/1, F2=DY(21,1)\n",
      "SIMULATE/STATICS\nMFORCE/1, SCALE=0.006\nSIMULATE/STATICS\nDEACTIVATE/MFORCE, "
      "ID=1\nSIMULATE/STATICS\n");
  ASSERT_EQ(ran.status, api::RunStatus::done) << ran.said;
  const auto& bent = ran.rows.at("REQUEST/1.F2");
  ASSERT_GE(bent.size(), 3u);
  const double one = 0.003 / (3 * beam.EI_z);
  EXPECT_NEAR(bent[bent.size() - 3], one, 1e-6 * one);
  EXPECT_NEAR(bent[bent.size() - 2], 2 * one, 1e-6 * one);
  EXPECT_NEAR(bent.back(), 0, 1e-9 * one);
}

TEST(ModalForce, SaysWhatIsWrong) {
  FlexBeam beam;
  const MatrixXd modes = beam.free_modes(3);
  const MatrixText plain(unique("plain"), beam.matrices(modes));
  const MatrixText loaded(unique("loaded"),
                          with_matrix(beam.matrices(modes), "MODLOAD", MatrixXd::Zero(9, 2)));
  const auto said = [](const MatrixText& file, const std::string& force) {
    return run_text(flex(file) + force + "\n", "SIMULATE/DYNAMIC, END=0.1, STEPS=1\n").said;
  };
  EXPECT_THAT(said(plain, "MFORCE/1, FLEX_BODY=2, CASE_INDEX=1, SCALE=1"),
              HasSubstr("CASE_INDEX = 1 needs a load case, but the matrices of FLEX_BODY/2 have no MODLOAD"));
  EXPECT_THAT(said(loaded, "MFORCE/1, FLEX_BODY=2, CASE_INDEX=3, SCALE=1"),
              HasSubstr("CASE_INDEX is 3, but FLEX_BODY/2 has 2 load cases"));
  EXPECT_THAT(said(loaded, "MFORCE/1, FLEX_BODY=2, FORCE=1"), HasSubstr("FORCE must be USER(…)"));
  EXPECT_THAT(
      said(loaded, "MARKER/9, FLEX_BODY=2, FLOATING\nMFORCE/1, FLEX_BODY=2, JFLOAT=9, CASE_INDEX=1, SCALE=1"),
      HasSubstr("MARKER/9 floats on FLEX_BODY/2"));
  EXPECT_THAT(said(loaded, "MFORCE/1, FLEX_BODY=2, FORCE=USER(1)\\ROUTINE=nowhere::law"),
              HasSubstr("MFORCE/1: its user code is"));
  const MatrixText wrong(unique("wrong"), with_matrix(beam.matrices(modes), "MODLOAD", MatrixXd::Zero(8, 2)));
  EXPECT_THAT(said(wrong, ""),
              HasSubstr("MODLOAD is 8 by 2, but 9 or 3 rows, one column a load case, is expected"));
}

// --- routines

const std::string kRoutines =
    kHead +
    // A spring on the first mode, and a force of time on the frame along x.
    routine("mfosub",
            "double q[9], f[9];\nint n = trunnion_read_array(c, q, 9, \"MODES\", 1, 2);\n"
            "if (n != 3 && !iflag) trunnion_fail(c, \"three\");\n"
            "trunnion_read_array(c, f, 9, \"FXFREQ\", 1, 2);\n"
            "if (!iflag && !(f[0] > 1)) trunnion_fail(c, \"hertz\");\n"
            "result[0] = par[1] * time;\nresult[6] = -par[0] * q[0];") +
    // A case by its number, or the same numbers as a vector of its own.
    routine("by_case",
            "double x[9];\ntrunnion_read_array(c, x, 9, \"MODLOAD\", 2, 2, 1);\n"
            "result[0] = sin(par[0] * time);\nresult[1] = par[1];\n"
            "for (int k = 0; k < 9; ++k) result[2 + k] = x[k];") +
    routine("dmpsub",
            "double f[9];\nint n = trunnion_read_array(c, f, 9, \"FXFREQ\", 1, 2);\n"
            "for (int k = 0; k < n; ++k) result[k] = par[0] * f[k] + par[1] * time;");

struct Routines : ::testing::Test {
  FlexBeam beam;
  MatrixXd modes = beam.free_modes(3);
  VectorXd load = VectorXd::LinSpaced(9, 0.1, 0.9);
  std::function<void(api::RunOptions&)> library;

  void SetUp() override {
    if (!have_compilers()) GTEST_SKIP() << "no compilers";
    const std::string path = build_text("modal", kRoutines);
    library = [path](api::RunOptions& o) { o.user_libraries.push_back(path); };
  }
  RunOfText run(const MatrixText& file, const std::string& more, const std::string& statements) const {
    const RunOfText ran = run_text(flex(file, more) + statements + "INTEGRATOR/ESDIRK46, SI2, ERROR=1E-9\n",
                                   "SIMULATE/DYNAMIC, END=0.02, STEPS=4\n", library);
    EXPECT_EQ(ran.status, api::RunStatus::done) << ran.said;
    return ran;
  }
};

TEST_F(Routines, GiveTheWholeForce) {
  const MatrixText file(unique("whole"), beam.matrices(modes));
  const double first = (modes.transpose() * beam.stiffness() * modes)(0, 0);
  const RunOfText ran = run(file, ", CRATIO=0, VMODE=0.01,0,0",
                            fmt::format("MFORCE/1, FLEX_BODY=2, FORCE=USER({:.17g},2)\n", 3 * first));
  EXPECT_NEAR(ran.last("FLEX_BODY/2.Q1"),
              0.01 * std::sin(2 * std::sqrt(first) * 0.02) / (2 * std::sqrt(first)),
              1e-6 * 0.01 / std::sqrt(first));
  EXPECT_NEAR(ran.last("MFORCE/1.FX"), 0.04, 1e-12);
}

TEST_F(Routines, ChooseCasesAsTheStatementDoes) {
  const MatrixText file(unique("cases"), with_matrix(beam.matrices(modes), "MODLOAD", load));
  const RunOfText expected = run(file, "", "MFORCE/1, FLEX_BODY=2, CASE_INDEX=1, SCALE=SIN(50*TIME)\n");
  for (const char* which : {"1", "0"}) {
    const RunOfText ran =
        run(file, "",
            fmt::format("MFORCE/1, FLEX_BODY=2, FUNCTION=USER(50,{})\\ROUTINE=modal::by_case\n", which));
    for (const char* channel : {"FLEX_BODY/2.Q1", "FLEX_BODY/2.Q3", "FLEX_BODY/2.VX", "MFORCE/1.TZ"})
      EXPECT_NEAR(ran.last(channel), expected.last(channel), 1e-9 * std::abs(expected.last(channel)))
          << channel << " " << which;
  }
  const RunOfText wrong =
      run_text(flex(file) + "MFORCE/1, FLEX_BODY=2, FUNCTION=USER(50,2)\\ROUTINE=modal::by_case\n",
               "SIMULATE/DYNAMIC, END=0.02, STEPS=4\n", library);
  EXPECT_NE(wrong.status, api::RunStatus::done);
  EXPECT_THAT(wrong.said, HasSubstr("MFORCE/1: its routine names load case 2; there are 1"));
}

TEST_F(Routines, Damp) {
  const MatrixText file(unique("damps"), beam.matrices(modes));
  const std::string start = ", VMODE=0.01,0.02,0.03, CRATIO=";
  const RunOfText by_code = run(file, start + "USER(1E-4,2)", "");
  const RunOfText by_words = run(file, start + "1E-4*FXFREQ+2*TIME", "");
  for (const char* channel : {"FLEX_BODY/2.Q1", "FLEX_BODY/2.Q2", "FLEX_BODY/2.Q3"})
    EXPECT_NEAR(by_code.last(channel), by_words.last(channel), 1e-6 * std::abs(by_words.last(channel)))
        << channel;
  // Without the code the body is there, undamped, and that is told.
  const RunOfText without =
      run_text(flex(file, start + "USER(1)\\ROUTINE=nowhere::dmpsub"),
               "SIMULATE/DYNAMIC, END=1E-3, STEPS=1\n", [](api::RunOptions& o) { o.ignore_user = true; });
  EXPECT_EQ(without.status, api::RunStatus::done) << without.said;
  EXPECT_THAT(without.said, HasSubstr("without damping: no user code for its CRATIO"));
}

// --- damping that changes

TEST(ModalDamping, OfTimeAsItsEquationSays) {
  FlexBeam beam;
  const MatrixXd modes = beam.free_modes(3);
  const VectorXd squares = (modes.transpose() * beam.stiffness() * modes).diagonal();
  const MatrixText file(unique("time"), beam.matrices(modes));
  Mechanism m(model(flex(file, ", VMODE=1,0,-1, CRATIO=20*TIME*FXFREQ*1E-2+0.01*FXMODE") +
                    "INTEGRATOR/ESDIRK46, SI2, ERROR=1E-9\n"));
  ASSERT_NE(m.system, nullptr);
  const double end = 0.02;
  const Motion moved = simulate(m, {end});
  for (const int k : {1, 3}) {
    const double omega = std::sqrt(squares[k - 1]), hertz = omega / (2 * M_PI);
    const double q = integrated(
        [&](double t, double y, double v) {
          return -2 * (0.2 * t * hertz + 0.01 * k) * omega * v - omega * omega * y;
        },
        0, k == 1 ? 1 : -1, end);
    EXPECT_NEAR(moved.at(end, fmt::format("FLEX_BODY/2.Q{}", k)), q, 1e-6 / omega) << k;
  }
}

// Of the state: it reads the deformation itself. Modes that are not orthonormal are damped as the free body's are.
TEST(ModalDamping, OfStateAndOfModesThatAreNotOrthonormal) {
  FlexBeam beam;
  const MatrixXd free = beam.free_modes(2);
  MatrixXd mixed(2, 2);
  mixed << 1, 0.4, -0.3, 2;
  const MatrixText a(unique("a"), beam.matrices(free)), b(unique("b"), beam.matrices(free * mixed));
  const Eigen::Vector2d rates(0.5, -0.3), other = mixed.inverse() * rates;
  const auto moved = [&](const MatrixText& file, const Eigen::Vector2d& v) {
    Mechanism m(
        model(flex(file, fmt::format(", VMODE={:.17g},{:.17g}, CRATIO=0.02+2E5*(DY(21,20)-DY(22,20))**2",
                                     v[0], v[1])) +
              "MARKER/20, FLEX_BODY=2\nMARKER/21, FLEX_BODY=2, NODE_ID=1\nMARKER/22, FLEX_BODY=2, NODE_ID=6\n"
              "INTEGRATOR/ESDIRK46, SI2, ERROR=1E-9\n"));
    EXPECT_NE(m.system, nullptr);
    const Motion motion = simulate(m, {0.02});
    return Eigen::Vector2d(motion.at(0.02, "FLEX_BODY/2.Q1"), motion.at(0.02, "FLEX_BODY/2.Q2"));
  };
  const Eigen::Vector2d one = moved(a, rates), two = mixed * moved(b, other);
  EXPECT_GT(one.norm(), 1e-5);
  EXPECT_LE((one - two).norm(), 1e-6 * one.norm());
  Mechanism plain(model(flex(a, ", CRATIO=0.02+0*TIME")));
  const auto found = analysis::modes(*plain.system, plain.assembled, {});
  int seen = 0;
  for (const analysis::Mode& mode : found.modes) {
    if (mode.value.imag() < 1) continue;
    EXPECT_NEAR(mode.damping(), 0.02, 1e-9);
    ++seen;
  }
  EXPECT_EQ(seen, 2);
}

// What a number would be refused or warned of is told when it comes up, once.
TEST(ModalDamping, IsWatched) {
  FlexBeam beam;
  const MatrixText file(unique("watched"), beam.matrices(beam.free_modes(2)));
  const auto said = [&](const char* ratio) {
    return run_text(flex(file, std::string(", CRATIO=") + ratio), "SIMULATE/DYNAMIC, END=0.01, STEPS=10\n");
  };
  const RunOfText fed = said("0.1-20*TIME");
  EXPECT_EQ(fed.times_said("CRATIO is -0.02: damping below zero feeds vibrations"), 1u) << fed.said;
  EXPECT_EQ(fed.times_said("damping below zero"), 1u) << fed.said;
  EXPECT_EQ(said("0.5+100*TIME").times_said("more than critical, its deformation only creeps back"), 1u);
  EXPECT_EQ(said("STEP(TIME,0,1,0.01,0)").times_said("CRATIO is"), 0u);
}

// --- contacts

// One CONTACT over two nodes is two CONTACTs of one node each.
TEST(FlexibleContact, OfSeveralNodesIsTheSumOverThem) {
  FlexBeam beam;
  const MatrixText file(unique("nodes"), beam.matrices(beam.craig_bampton(4)));
  const std::string body =
      flex(file, ", QG=-0.5,0,0.03, REULER=0,0,0, WY=0.5") +
      "ACCGRAV/KGRAV=-9.81\nMARKER/20, FLEX_BODY=2, NODE_ID=1\nMARKER/21, FLEX_BODY=2, NODE_ID=11\n"
      "MARKER/2, PART=1, QP=-2,-2,0\nGRAPHICS/1, BOX, CORNER=3, X=4, Y=4, Z=1\nMARKER/3, PART=1, "
      "QP=-2,-2,-1\n"
      "GRAPHICS/2, ELLIPSOID, CM=20, XSCALE=0.04, YSCALE=0.04, ZSCALE=0.04\n"
      "GRAPHICS/3, ELLIPSOID, CM=21, XSCALE=0.04, YSCALE=0.04, ZSCALE=0.04\nINTEGRATOR/HHT, ERROR=1E-6\n";
  const std::string law =
      ", IMPACT, STIFFNESS=1E5, EXPONENT=1.5, DAMPING=50, DMAX=1E-4, COULOMB_FRICTION=ON, MU_STATIC=0.3, "
      "MU_DYNAMIC=0.2, STICTION_TRANSITION_VELOCITY=0.01, FRICTION_TRANSITION_VELOCITY=0.1\n";
  const std::string commands = "SIMULATE/DYNAMIC, END=0.15, STEPS=30\n";
  const RunOfText one = run_text(body + "CONTACT/1, IGEOM=2,3, JGEOM=1" + law +
                                     "REQUEST/1, F2=CONTACT(1,0,4,0)\\F3=DZ(21,1)\\F4=DZ(20,1)\n",
                                 commands);
  const RunOfText two =
      run_text(body + "CONTACT/1, IGEOM=2, JGEOM=1" + law + "CONTACT/2, IGEOM=3, JGEOM=1" + law +
                   "REQUEST/1, F2=CONTACT(1,0,4,0)+CONTACT(2,0,4,0)\\F3=DZ(21,1)\\F4=DZ(20,1)\n",
               commands);
  ASSERT_EQ(one.status, api::RunStatus::done) << one.said;
  ASSERT_EQ(two.status, api::RunStatus::done) << two.said;
  double most = 0;
  for (const char* channel : {"REQUEST/1.F2", "REQUEST/1.F3", "REQUEST/1.F4"}) {
    const auto &a = one.rows.at(channel), &b = two.rows.at(channel);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k)
      EXPECT_NEAR(a[k], b[k], 1e-9 * (1 + std::abs(b[k]))) << channel << k;
    if (channel == std::string("REQUEST/1.F2")) most = *std::max_element(a.begin(), a.end());
  }
  EXPECT_GT(most, 5);
  EXPECT_EQ(one.rows.count("CONTACT/1.1.FZ"), 1u);
  EXPECT_EQ(one.rows.count("CONTACT/1.11.FZ"), 1u);
  EXPECT_THAT(one.said, HasSubstr("CONTACT/1 at node"));
}

// The surface of its mesh does not touch, and that is told with what to do.
TEST(FlexibleContact, OfASurfaceIsLeftOutAloud) {
  FlexBeam beam;
  const MatrixText file(unique("surface"), beam.matrices(beam.free_modes(2)));
  const RunOfText ran =
      run_text(flex(file) +
                   "GRAPHICS/1, PLANE, RM=1\nCONTACT/1, IFLEX=2, JGEOM=1, IMPACT, STIFFNESS=1E5, "
                   "EXPONENT=1.5, DAMPING=50, DMAX=1E-4\n",
               "SIMULATE/DYNAMIC, END=1E-3, STEPS=1\n");
  EXPECT_THAT(ran.said, HasSubstr("the surface of a flexible body does not touch"));
}

}  // namespace
}  // namespace trunnion::test
