// User code in shared libraries: the libraries are built here with the system's compilers.

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text.hpp"
#include "elements/dense_sink.hpp"
#include "results/channels/channels.hpp"
#include "support/reading.hpp"
#include "support/user_code.hpp"
#include "system/compile/compile.hpp"

namespace trunnion::test {
namespace {

namespace fs = std::filesystem;
using elements::test::DenseSink;
using ::testing::HasSubstr;

struct Compiled {
  Read read;
  std::shared_ptr<const system::System> system;
  Compiled(const std::string& text, system::UserCode user) : read(check_adm(text)) {
    if (!read.diagnostics.has_errors()) system = system::compile(read.model, {}, read.diagnostics, 0, user);
  }
  DenseSink evaluate(const assembly::State& state) const {
    system::System::Workspace work(*system, assembly::AnalysisMode::dynamics);
    DenseSink sink(system->layout(), state);
    system->evaluate(state, work, sink);
    return sink;
  }
};

const std::string kModel =
    "user code\nPART/1, GROUND\nMARKER/1, PART=1\nMARKER/2, PART=1, FLOATING\n"
    "PART/2, QG=0.3,0.4,0.5, REULER=0.1,0.2,0.3, MASS=2, CM=20, IP=1,2,3\nMARKER/20, PART=2\n";

system::UserCode with(std::vector<std::string> libraries, bool ignore = false) {
  return {std::move(libraries), scratch().string(), ignore, {}};
}

const std::string kLaws =
    kHead +
    routine("given",
            "double x = trunnion_read(c, \"DM\", 2, 20, 1), v = trunnion_read(c, \"vr\", 2, 20, 1);\n"
            "result[0] = par[0] * x * x * x - par[1] * v * x;\n"
            "if (dflag) {\n trunnion_partial(c, 0, 3 * par[0] * x * x - par[1] * v, \"DM\", 2, 20, 1);\n"
            " trunnion_partial(c, 0, -par[1] * x, \"VR\", 2, 20, 1);\n}") +
    routine("differenced",
            "double x = trunnion_read(c, \"DM\", 2, 20, 1), v = trunnion_read(c, \"VR\", 2, 20, 1);\n"
            "result[0] = par[0] * x * x * x - par[1] * v * x;") +
    routine("gfosub",
            "double d[6], v[6];\nif (trunnion_read_array(c, d, 6, \"DISP\", 3, 20, 1, 1) != 6 && !iflag) "
            "trunnion_fail(c, \"six\");\ntrunnion_read_array(c, v, 6, \"VEL\", 4, 20, 1, 1, 1);\n"
            "for (int k = 0; k < 3; ++k) { result[k] = -d[k]; result[3 + k] = -v[3 + k] * d[0]; }");

// The same law as an expression, with partials handed back and by differences: forces and all partials agree.
TEST(UserCode, GivesWhatAnExpressionGives) {
  if (!have_compilers()) GTEST_SKIP() << "no compilers";
  const std::string library = build_text("laws", kLaws);
  const auto sink = [&](const std::string& force) {
    const Compiled c(kModel + force + "\nEND\n", with({library}));
    EXPECT_NE(c.system, nullptr) << c.read.messages();
    assembly::State s = c.system->start();
    s.v << 0.3, -0.2, 0.5, 0.1, 0.2, -0.4;
    return c.evaluate(s);
  };
  const std::string line = "SFORCE/1, TRANSLATIONAL, I=20, J=1, FUNCTION=";
  const DenseSink expected = sink(line + "7*DM(20,1)**3-2*VR(20,1)*DM(20,1)");
  for (const char* name : {"given", "differenced"}) {
    const DenseSink user = sink(line + "USER(7,2)\\ROUTINE=laws::" + name);
    const double close = std::string(name) == "given" ? 1e-14 : 1e-8;
    EXPECT_LE((user.force - expected.force).norm(), 1e-14) << name;
    for (int l = 0; l < 3; ++l) EXPECT_LE((user.D[l] - expected.D[l]).norm(), close) << name << l;
    EXPECT_EQ((user.pattern - expected.pattern).norm(), 0) << name;
  }
  const DenseSink g = sink("GFORCE/1, I=20, JFLOAT=2, RM=1, FUNCTION=USER(0)");
  const DenseSink h = sink(
      "GFORCE/1, I=20, JFLOAT=2, RM=1, FX=-DX(20,1,1)\\FY=-DY(20,1,1)\\FZ=-DZ(20,1,1)\\\n"
      ", TX=-WX(20,1,1)*DX(20,1,1)\\TY=-WY(20,1,1)*DX(20,1,1)\\TZ=-WZ(20,1,1)*DX(20,1,1)");
  EXPECT_LE((g.force - h.force).norm(), 1e-14);
  for (int l = 0; l < 3; ++l) EXPECT_LE((g.D[l] - h.D[l]).norm(), 1e-8);
}

// A CONTACT's normal force against IMPACT, which the routine writes out; friction that is viscous against what the touch's own numbers say.
TEST(UserCode, PressesAndRubsInAContact) {
  if (!have_compilers()) GTEST_SKIP() << "no compilers";
  const std::string library = build_text(
      "touching", kHead +
                      routine("cnfsub",
                              "double x[15];\nint n = trunnion_read_array(c, x, 15, \"CONTACT\", 1, id);\n"
                              "double g = -x[12], s = g < par[3] ? g / par[3] : 1;\n"
                              "if (n != 15) trunnion_fail(c, \"fifteen\");\n"
                              "double f = par[0] * pow(g, par[1]) - par[2] * s * s * (3 - 2 * s) * x[13];\n"
                              "result[0] = f > 0 ? f : 0;") +
                      routine("cffsub",
                              "double x[11];\ntrunnion_read_array(c, x, 11, \"CONTACT\", 1, id);\n"
                              "for (int k = 0; k < 3; ++k) result[k] = -par[0] * x[9] * x[6 + k];") +
                      routine("by_height", "result[0] = par[0] * trunnion_read(c, \"DZ\", 3, 20, 1, 1);"));
  const std::string solids =
      "GRAPHICS/1, PLANE, RM=1\nGRAPHICS/2, ELLIPSOID, CM=20, XSCALE=1.2, YSCALE=1.2, ZSCALE=1.2\n"
      "CONTACT/1, IGEOM=2, JGEOM=1, ";
  const auto sink = [&](const std::string& law) {
    const Compiled c(kModel + solids + law + "\nEND\n", with({library}));
    EXPECT_NE(c.system, nullptr) << c.read.messages();
    assembly::State s = c.system->start();
    s.v << 0.3, -0.2, 0.5, 0.1, 0.2, -0.4;
    return c.evaluate(s);
  };
  const DenseSink expected = sink("IMPACT, STIFFNESS=100, EXPONENT=1.5, DAMPING=2, DMAX=0.2");
  const DenseSink user = sink("NORMAL_FUNCTION=USER(100,1.5,2,0.2)");
  EXPECT_GT(expected.force.norm(), 1);
  EXPECT_LE((user.force - expected.force).norm(), 1e-12 * expected.force.norm());
  for (int l = 0; l < 2; ++l)
    EXPECT_LE((user.D[l] - expected.D[l]).norm(), 1e-8 * (1 + expected.D[l].norm())) << l;
  // The ball's centre is at 0.5, its touch at 0.55 below: u of the point is v + ω × (0, 0, −0.55), ω in body axes or not is the same to
  // the force, which is checked through its power: −par N |slip|².
  const DenseSink rubs =
      sink("IMPACT, STIFFNESS=100, EXPONENT=1.5, DAMPING=2, DMAX=0.2, FRICTION_FUNCTION=USER(0.7)");
  Eigen::VectorXd v(6);
  v << 0.3, -0.2, 0.5, 0.1, 0.2, -0.4;
  const double power = (rubs.force - expected.force).dot(v);
  const DenseSink twice =
      sink("IMPACT, STIFFNESS=100, EXPONENT=1.5, DAMPING=2, DMAX=0.2, FRICTION_FUNCTION=USER(1.4)");
  EXPECT_GT(power, 0);  // of a residual: taken away
  EXPECT_NEAR((twice.force - expected.force).dot(v), 2 * power, 1e-12 * power);
  // −par N s is linear in the slip s, and N in the speed: v·∂N/∂v is what the damping adds to K gᵉ, g = 0.1, going out at 0.5 with a step of ½.
  const double elastic = 100 * std::pow(0.1, 1.5), damped = elastic - 2 * 0.5 * 0.5;
  EXPECT_NEAR(v.dot(rubs.D[1] * v) - v.dot(expected.D[1] * v), power * (1 + (damped - elastic) / damped),
              1e-8 * (1 + rubs.D[1].norm()) * v.squaredNorm());
  // What else a routine reads is a signal with its own partials.
  const DenseSink high = sink("NORMAL_FUNCTION=USER(3), NORMAL_ROUTINE=touching::by_height");
  EXPECT_NEAR(high.force[2], -3 * 0.5, 1e-12);
  EXPECT_NEAR(high.D[0](2, 2), -3, 1e-8);
  // Without the library it is an error that names the option, or left out.
  const Compiled refused(kModel + solids + "NORMAL_FUNCTION=USER(1)\nEND\n", with({}));
  EXPECT_THAT(refused.read.messages(), HasSubstr("--user-library FILE"));
  const Compiled left(kModel + solids + "NORMAL_FUNCTION=USER(1)\nEND\n", with({}, true));
  EXPECT_NE(left.system, nullptr) << left.read.messages();
  EXPECT_THAT(Compiled(kModel + solids + "NORMAL_FUNCTION=TIME\nEND\n", with({})).read.messages(),
              HasSubstr("USER("));
}

// Torques alone, and the six components of a FIELD along J: against the same laws in the language, with all partials. Both read
// through several signals; the FIELD's partials are handed back, those of the VTORQUE are differences.
TEST(UserCode, ServesTorquesAndFields) {
  if (!have_compilers()) GTEST_SKIP() << "no compilers";
  const std::string library = build_text(
      "fields",
      kHead +
          routine("vtosub",
                  "double w[3];\ntrunnion_read_array(c, w, 3, \"RVEL\", 3, 20, 1, 1);\n"
                  "double x = trunnion_read(c, \"DX\", 3, 20, 1, 1);\n"
                  "for (int k = 0; k < 3; ++k) result[k] = -par[k] * w[k] * (1 + x * x);") +
          routine("fiesub",
                  "static const char* const disp[] = {\"DX\", \"DY\", \"DZ\", \"AX\", \"AY\", \"AZ\"};\n"
                  "static const char* const rate[] = {\"VX\", \"VY\", \"VZ\", \"WX\", \"WY\", \"WZ\"};\n"
                  "for (int k = 0; k < 6; ++k) {\n"
                  "  int turn = k > 2, n = turn ? 2 : 3, m = turn ? 3 : 4;\n"
                  "  result[k] = -par[k] * trunnion_read(c, disp[k], n, 20, 1, 1)\n"
                  "              - 0.1 * par[k] * trunnion_read(c, rate[k], m, 20, 1, 1, 1);\n"
                  "  if (!dflag) continue;\n"
                  "  trunnion_partial(c, k, -par[k], disp[k], n, 20, 1, 1);\n"
                  "  trunnion_partial(c, k, -0.1 * par[k], rate[k], m, 20, 1, 1, 1);\n}"));
  const auto sink = [&](const std::string& force) {
    const Compiled c(kModel + force + "\nEND\n", with({library}));
    EXPECT_NE(c.system, nullptr) << c.read.messages();
    assembly::State s = c.system->start();
    s.v << 0.3, -0.2, 0.5, 0.1, 0.2, -0.4;
    return c.evaluate(s);
  };
  const auto same = [&](const std::string& user, const std::string& language, double close) {
    const DenseSink a = sink(user), b = sink(language);
    EXPECT_GT(b.force.norm(), 0.1);
    EXPECT_LE((a.force - b.force).norm(), 1e-13 * b.force.norm()) << user;
    for (int l = 0; l < 3; ++l) EXPECT_LE((a.D[l] - b.D[l]).norm(), close * (1 + b.D[l].norm())) << user << l;
  };
  same("VTORQUE/1, I=20, JFLOAT=2, RM=1, FUNCTION=USER(2,3,4)",
       "VTORQUE/1, I=20, JFLOAT=2, RM=1, "
       "TX=-2*WX(20,1,1)*(1+DX(20,1,1)**2)\\TY=-3*WY(20,1,1)*(1+DX(20,1,1)**2)\\\n"
       ", TZ=-4*WZ(20,1,1)*(1+DX(20,1,1)**2)",
       1e-8);
  std::string K;
  for (int k = 0; k < 36; ++k) K += fmt::format("{}{}", k == 0 ? "" : "\n, ", k % 7 == 0 ? 2 + k / 7 : 0);
  same("FIELD/1, I=20, J=1, FUNCTION=USER(2,3,4,5,6,7)", "FIELD/1, I=20, J=1, CRATIO=0.1, KMATRIX=" + K,
       1e-13);
}

TEST(UserCode, ServesVariablesStatesMotionsSensorsRequestsAndGse) {
  if (!have_compilers()) GTEST_SKIP() << "no compilers";
  const std::string text =
      kHead + routine("varsub", "result[0] = par[0] + trunnion_read(c, \"DIF\", 1, 1);") +
      routine("difsub", "result[0] = -par[0] * trunnion_read(c, \"DIF\", 1, 1);") +
      routine("motsub", "result[0] = time * time; result[1] = 2 * time; result[2] = 2;") +
      routine("sensub", "result[0] = trunnion_read(c, \"TIME\", 0) + trunnion_read(c, \"MODE\", 0);") +
      routine("reqsub", "for (int k = 0; k < 8; ++k) result[k] = k + par[0];") +
      routine("gsesub",
              "double x[2], u[1];\ntrunnion_read_array(c, x, 2, \"ARRAY\", 1, 2);\n"
              "trunnion_read_array(c, u, 1, \"ARRAY\", 1, 1);\n"
              "result[0] = x[1]; result[1] = u[0] - x[0]; result[2] = 3 * x[0] + u[0];");
  const std::string library = build_text("standard", text);
  Compiled c(kModel +
                 "VARIABLE/1, IC=1, FUNCTION=USER(5)\nDIFF/1, IC=2, FUNCTION=USER(3)\n"
                 "JOINT/1, REVOLUTE, I=20, J=1\nMOTION/1, JOINT=1, FUNCTION=USER(1)\n"
                 "SENSOR/1, FUNCTION=USER(1), VALUE=1, HALT\nREQUEST/1, FUNCTION=USER(10)\n"
                 "ARRAY/1, U, VARIABLES=1\nARRAY/2, X\nARRAY/3, Y\nARRAY/4, IC, NUMBERS=0.5,0.25\n"
                 "GSE/1, NS=2, NO=1, X=2, U=1, Y=3, IC=4, FUNCTION=USER(0)\nEND\n",
             with({library}));
  ASSERT_NE(c.system, nullptr) << c.read.messages();
  assembly::State s = c.system->start();
  s.t = 0.5;
  const DenseSink sink = c.evaluate(s);
  const assembly::Layout& layout = c.system->layout();
  const auto residual = [&](model::Kind kind, bool outputs = false) {
    const system::StateInfo* info = c.system->find_states(kind, 1);
    const assembly::Block& block = layout.block(outputs ? info->outputs : info->states);
    return Eigen::VectorXd(sink.force.segment(block.offset, block.size));
  };
  EXPECT_DOUBLE_EQ(residual(model::kind_of<model::Variable>())[0], 1.0 - 7.0);
  EXPECT_DOUBLE_EQ(residual(model::kind_of<model::Diff>())[0], 6.0);
  EXPECT_DOUBLE_EQ(residual(model::kind_of<model::Gse>())[0], -0.25);
  EXPECT_DOUBLE_EQ(residual(model::kind_of<model::Gse>())[1], -(1.0 - 0.5));
  EXPECT_DOUBLE_EQ(residual(model::kind_of<model::Gse>(), true)[0], -(1.5 + 1.0));
  system::System::Workspace work(*c.system, assembly::AnalysisMode::initial_conditions);
  c.system->update(s, work);
  EXPECT_DOUBLE_EQ(work.drives[0].value, 0.25);
  EXPECT_DOUBLE_EQ(work.drives[0].d1, 1.0);
  EXPECT_DOUBLE_EQ(work.drives[0].d2, 2.0);
  EXPECT_DOUBLE_EQ(c.system->watch(c.system->sensors()[0], s, work), 3.5);
  results::Channels channels(c.system, c.read.model, c.read.diagnostics);
  std::vector<double> values;
  channels.sample(s, assembly::AnalysisMode::dynamics, values);
  const auto last = std::find_if(channels.list().begin(), channels.list().end(),
                                 [](const results::Channel& one) { return one.name == "REQUEST/1.F8"; });
  ASSERT_NE(last, channels.list().end());
  EXPECT_DOUBLE_EQ(values[static_cast<std::size_t>(last - channels.list().begin())], 17.0);
}

// x₁ + ½ x₂² − sin(x₁) x₃ of three joints' displacements is the constraint that GCON makes of the same expression.
TEST(UserCode, ServesCouplers) {
  if (!have_compilers()) GTEST_SKIP() << "no compilers";
  const std::string read =
      "double x[3];\nif (trunnion_read_array(c, x, 3, \"COUPLER\", 1, id) != 3 && !iflag) "
      "trunnion_fail(c, \"three\");\n";
  const std::string library = build_text(
      "coupling",
      kHead + routine("f", read + "result[0] = x[0] + 0.5 * x[1] * x[1] - sin(x[0]) * x[2];") +
          routine("f1", read + "result[0] = 1 - cos(x[0]) * x[2]; result[1] = x[1]; result[2] = "
                               "-sin(x[0]);") +
          routine("f2", read + "result[0] = sin(x[0]) * x[2]; result[2] = -cos(x[0]); result[3] = 1;"));
  const std::string greedy =
      build_text("greedy", kHead + routine("cousub", "result[0] = trunnion_read(c, \"DX\", 2, 20, 1);"));
  const std::string model =
      "coupler\nPART/1, GROUND\nMARKER/1, PART=1\nMARKER/2, PART=1, REULER=0,0.7,0\n"
      "PART/2, REULER=0.5,0,0, MASS=1, CM=20, IP=1,2,3\nMARKER/20, PART=2\n"
      "PART/3, QG=0,0,0.4, MASS=1, CM=30, IP=1,2,3\nMARKER/30, PART=3\n"
      "PART/4, REULER=0,0.7,0.9, MASS=1, CM=40, IP=1,2,3\nMARKER/40, PART=4\n"
      "JOINT/1, REVOLUTE, I=20, J=1\nJOINT/2, TRANSLATIONAL, I=30, J=1\nJOINT/3, REVOLUTE, I=40, J=2\n"
      "GCON/1, FUNCTION=AZ(20,1)+0.5*DZ(30,1,1)**2-SIN(AZ(20,1))*AZ(40,2)\n";
  const auto coupled = [&](const std::string& routines, const std::string& with_library) {
    return Compiled(model + "COUPLER/7, JOINTS=1,2,3, FUNCTION=USER(1)\\" + routines + "\nEND\n",
                    with({with_library}));
  };
  // Given; one and two orders by differences, whose errors are ε^⅔ and ε^½.
  const std::pair<const char*, double> forms[] = {{"ROUTINE=coupling::f,coupling::f1,coupling::f2", 1e-13},
                                                  {"ROUTINE=coupling::f,coupling::f1", 1e-9},
                                                  {"ROUTINE=coupling::f", 1e-6}};
  for (const auto& [routines, tolerance] : forms) {
    const Compiled c = coupled(routines, library);
    ASSERT_NE(c.system, nullptr) << c.read.messages();
    const DenseSink sink = c.evaluate(c.system->start());
    int gcon = -1, coupler = -1;
    for (int r = 0; r < c.system->layout().row_count(); ++r) {
      const std::string row = c.system->layout().row_name({r});
      if (row.starts_with("GCON/1")) gcon = r;
      if (row.starts_with("COUPLER/7")) coupler = r;
    }
    ASSERT_TRUE(gcon >= 0 && coupler >= 0);
    EXPECT_GT(std::abs(sink.phi[gcon]), 0.1);
    EXPECT_NEAR(sink.phi[coupler], sink.phi[gcon], 1e-14);
    EXPECT_LE((sink.G.row(coupler) - sink.G.row(gcon)).norm(), tolerance * sink.G.row(gcon).norm())
        << routines;
    EXPECT_LE((sink.H[static_cast<std::size_t>(coupler)] - sink.H[static_cast<std::size_t>(gcon)]).norm(),
              tolerance * sink.H[static_cast<std::size_t>(gcon)].norm())
        << routines;
  }
  EXPECT_THAT(coupled("ROUTINE=coupling::f,coupling::none", library).read.messages(),
              HasSubstr("COUPLER/7: its user code is not there"));
  EXPECT_THAT(
      coupled("ROUTINE=greedy::cousub", greedy).read.messages(),
      HasSubstr("greedy::cousub reads DX(20,1): a COUPLER is a function of its joints' displacements, "
                "COUPLER(7), alone"));
  const Compiled nothing(model + "COUPLER/7, JOINTS=1,2,3, FUNCTION=USER(1)\nEND\n", with({}));
  EXPECT_THAT(nothing.read.messages(), HasSubstr("COUPLER/7: its user code is not there"));
  const Compiled ignored(model + "COUPLER/7, JOINTS=1,2,3, FUNCTION=USER(1)\nEND\n", with({}, true));
  ASSERT_NE(ignored.system, nullptr);
  ASSERT_EQ(ignored.system->idle().size(), 1u);
  EXPECT_EQ(ignored.system->idle()[0].label, "COUPLER/7");
}

TEST(UserCode, OneMissingLibraryIsOneError) {
  std::string forces;
  for (int k = 1; k <= 12; ++k)
    forces +=
        "SFORCE/" + std::to_string(k) + ", TRANSLATIONAL, I=20, J=1, FUNCTION=USER(1)\\ROUTINE=nowhere::f\n";
  const Compiled compiled(kModel + forces + "END\n", with({}));
  const std::string messages = compiled.read.messages();
  EXPECT_THAT(messages, HasSubstr("SFORCE/1: its user code is not there: there is no library nowhere"));
  EXPECT_THAT(messages, HasSubstr("the same holds for SFORCE/2, SFORCE/3"));
  EXPECT_THAT(messages, HasSubstr("SFORCE/9 and 3 more"));
  EXPECT_EQ(messages.find("error:"), messages.rfind("error:"));
}

TEST(UserCode, TroubleNamesTheStatement) {
  if (!have_compilers()) GTEST_SKIP() << "no compilers";
  const std::string library =
      build_text("bad", kHead + routine("root", "result[0] = sqrt(trunnion_read(c, \"DX\", 1, 20) - 10);") +
                            routine("late", "if (!iflag) result[0] = trunnion_read(c, \"DY\", 2, 20, 1);") +
                            routine("unknown", "result[0] = trunnion_read(c, \"DX\", 1, 99);") +
                            routine("refuses", "trunnion_fail(c, iflag ? \"three numbers needed\" : \"\");"));
  build_text("foreign", "void sfosub_(int* id) { (void)id; }\n");
  std::string said;
  const auto force = [&](const std::string& function, bool ignore = false) {
    system::UserCode user = with({}, ignore);
    user.load = system::Loading::model_too;
    user.loading = [&](const std::string& line) { said = line; };
    return Compiled(kModel + "SFORCE/1, TRANSLATIONAL, I=20, J=1, FUNCTION=" + function + "\nEND\n", user);
  };
  EXPECT_THAT(force("USER(1)\\ROUTINE=nowhere::f").read.messages(),
              HasSubstr("SFORCE/1: its user code is not there: there is no library nowhere"));
  EXPECT_THAT(force("USER(1)").read.messages(), HasSubstr("--user-library FILE"));
  EXPECT_THAT(force("USER(1)\\ROUTINE=bad::none").read.messages(), HasSubstr("has no routine none"));
  EXPECT_THAT(said, HasSubstr("loading user code from"));
  EXPECT_THAT(said, HasSubstr("libbad.so"));
  EXPECT_THAT(force("USER(1)\\ROUTINE=foreign::sfosub_").read.messages(),
              HasSubstr("not written for Trunnion"));
  EXPECT_THAT(force("USER(1)\\ROUTINE=bad::unknown").read.messages(),
              HasSubstr("its user code reads DX(99): MARKER/99 is not in the model"));
  EXPECT_THAT(force("USER(1)\\ROUTINE=bad::refuses").read.messages(), HasSubstr("three numbers needed"));
  const Compiled nan = force("USER(1)\\ROUTINE=bad::root");
  ASSERT_NE(nan.system, nullptr) << nan.read.messages();
  nan.evaluate(nan.system->start());
  const auto troubles = nan.system->user_troubles();
  ASSERT_FALSE(troubles.empty());
  EXPECT_THAT(troubles[0], ::testing::MatchesRegex("SFORCE/1: bad::root gives -?nan for result 0 at t = 0"));
  const Compiled late = force("USER(1)\\ROUTINE=bad::late");
  ASSERT_NE(late.system, nullptr) << late.read.messages();
  try {
    late.evaluate(late.system->start());
    ADD_FAILURE() << "a reading that was not declared must not pass";
  } catch (const elements::UserCodeError& e) {
    EXPECT_THAT(e.what(), HasSubstr("SFORCE/1: bad::late reads DY(20,1)"));
  }
  const Compiled ignored = force("USER(1)\\ROUTINE=nowhere::f", true);
  ASSERT_NE(ignored.system, nullptr);
  ASSERT_EQ(ignored.system->idle().size(), 1u);
  EXPECT_EQ(ignored.system->idle()[0].label, "SFORCE/1");
  EXPECT_EQ(ignored.system->idle()[0].why, "left out (no user code)");
}

TEST(UserCode, ExamplesCompileAndAct) {
  if (!have_compilers()) GTEST_SKIP() << "no compilers";
  const fs::path folder = fs::path(TRUNNION_SOURCE_DIR) / "examples/user-code";
  const std::string suspension = build("cc", "suspension", folder / "suspension.c");
  const std::string controller = build("c++", "controller", folder / "controller.cpp");
  std::ifstream file(folder / "quarter_car.adm");
  std::stringstream text;
  text << file.rdbuf();
  const Compiled c(text.str(), with({suspension, controller}));
  ASSERT_NE(c.system, nullptr) << c.read.messages();
  // It starts at rest: spring and tyre carry the weight.
  const DenseSink sink = c.evaluate(c.system->start());
  EXPECT_NEAR(sink.force[2], 0.0, 0.5);
  EXPECT_NEAR(sink.force[8], 0.0, 0.5);
}

// "KEYWORD/id" of the statements of a model whose text, in capitals without blanks, holds any of the words; found without the reader.
std::set<std::string> statements_with(const std::string& text, const std::vector<std::string>& words) {
  static const std::regex start(R"(^\s*([A-Za-z_]+)\s*/\s*(\d+))");
  std::set<std::string> found;
  std::string name, body;
  const auto close = [&] {
    for (const std::string& word : words) {
      if (!name.empty() && body.find(word) != std::string::npos) found.insert(name);
    }
  };
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    line = line.substr(0, line.find('!'));
    std::smatch match;
    if (std::regex_search(line, match, start)) {
      close();
      name = core::to_upper(match[1].str()) + "/" + match[2].str();
      body.clear();
    }
    for (const char c : core::to_upper(line)) {
      if (!std::isspace(static_cast<unsigned char>(c))) body += c;
    }
  }
  close();
  return found;
}

std::set<std::string> idle_in(const system::System& system) {
  std::set<std::string> labels;
  for (const system::Idle& idle : system.idle()) {
    EXPECT_FALSE(idle.why.empty()) << idle.label;
    labels.insert(idle.label.substr(0, idle.label.find(' ')));
  }
  return labels;
}

// What is listed where no code is there: the statements that call it, and those on a curve that does. REQUESTs are listed by the
// results, a CURVE by those that use it.
std::set<std::string> without_code(const std::string& text) {
  std::set<std::string> named = statements_with(text, {"=USER("}), all;
  for (const std::string& name : named) {
    if (name.starts_with("CURVE/")) {
      const std::string id = name.substr(6);
      for (const std::string& user : statements_with(text, {"CURVE=" + id}))
        if (user.starts_with("PTCV/") || user.starts_with("CVCV/")) all.insert(user);
    } else if (!name.starts_with("REQUEST/")) {
      all.insert(name);
    }
  }
  return all;
}

// Every model of the corpus becomes a System, with what cannot act listed by name; with a stub for their user code too.
TEST(Corpus, EveryModelBecomesASystem) {
  const std::string folder = std::string(TRUNNION_CORPUS_DIR) + "/models";
  if (!fs::exists(folder)) GTEST_SKIP() << "no corpus at " << folder;
  std::string stub = kHead;
  for (const char* name :
       {"sfosub", "vfosub", "vtosub", "gfosub", "varsub", "difsub", "reqsub", "sensub", "gsesub"})
    stub += routine(name, "result[0] = 0 * time;");
  // Whatever the models call by name, too.
  std::set<std::string> named;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".adm") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    for (const std::string& name : routines_named_in(file)) named.insert(name);
  }
  for (const std::string& name : named) stub += routine(name, "result[0] = 0 * time;");
  const std::string library = have_compilers() ? build_text("stub", stub) : "";
  int models = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".adm") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    const Compiled alone(text.str(), with({}, true));
    if (entry.path().stem() == "parser-test-1") {
      EXPECT_EQ(alone.system, nullptr) << "damaged on purpose";
      continue;
    }
    ++models;
    ASSERT_NE(alone.system, nullptr) << entry.path() << "\n" << alone.read.messages();
    // Of geometry whose file is not here another stands in, or its CONTACTs are left out: all of that is listed in any case.
    std::set<std::string> readers;
    for (const system::Idle& idle : alone.system->idle()) {
      const std::string who = idle.label.substr(0, idle.label.find(' '));
      const bool contact = who.starts_with("CONTACT/") || who.starts_with("GRAPHICS/");
      if (contact) {
        EXPECT_THAT(idle.why, testing::HasSubstr("EXTERNAL")) << who;
      }
      if (contact || idle.why.starts_with("CONTACT that is left out")) readers.insert(who);
    }
    std::set<std::string> expected = without_code(text.str());
    expected.insert(readers.begin(), readers.end());
    EXPECT_EQ(idle_in(*alone.system), expected) << entry.path();
    if (library.empty()) continue;
    const Compiled stubbed(text.str(), with({library}, true));
    ASSERT_NE(stubbed.system, nullptr) << entry.path() << "\n" << stubbed.read.messages();
    EXPECT_EQ(idle_in(*stubbed.system), readers) << entry.path();
    fmt::print("{}: {} idle, {} with a stub library\n", entry.path().stem().string(),
               alone.system->idle().size(), stubbed.system->idle().size());
  }
  EXPECT_GE(models, 10);  // the corpus grows
}

}  // namespace
}  // namespace trunnion::test
