// Explicit formulas by recursion over joint coordinates, beside the same formula over all coordinates of the bodies, implicit formulas, and a
// recursion written by hand for chains.
//   bench_recursion [LINKS [MODEL]]    chains up to LINKS rods (1,000), a part of a model's name
// CPU seconds at an error of 1e-4, 1e-5 and 1e-6 m, log-log between neighbours of a ladder of ERROR; the error is the largest of any mass
// centre at the end against the recursion at ERROR = 1e-12. "–": the ladder does not reach it. ns: of one evaluation a body.

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>

#include <fmt/format.h>

#include "analysis/dynamics/dynamics.hpp"
#include "chain_text.hpp"
#include "dynamics/mechanisms.hpp"
#include "hand_written_chain.hpp"
#include "run_model.hpp"

namespace trunnion {
namespace {

using Places = std::vector<math::Vec3>;

struct Run {
  bool ok = false;
  double seconds = 0;
  long steps = 0, evaluations = 0;
  int bodies = 0;
  Places places;
  std::string evaluation;
};

Run run(const std::string& text, double end, bool recursion) {
  core::SourceSet sources;
  core::Diagnostics diagnostics;
  const auto model = lang::read_model(sources, sources.add("model", text), diagnostics);
  api::Session session(model);
  Run out;
  if (!session.assemble()) return out;
  const system::System& system = *session.system();
  analysis::AssemblyResult from = session.place();
  analysis::DynamicSettings settings = analysis::dynamic_settings(model);
  settings.corrector.recursion = recursion;
  const std::clock_t began = std::clock();
  const auto result = analysis::dynamics(system, from, end, {}, settings, {});
  out.seconds = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
  out.ok = result.ok;
  out.steps = result.loop.counts.steps;
  out.evaluations = result.corrector.evaluations;
  out.evaluation = result.corrector.evaluation;
  for (const system::BodyInfo& b : system.bodies()) {
    if (!b.block.valid()) continue;
    ++out.bodies;
    out.places.push_back(assembly::pose(system.layout(), b.block, from.state.q).x);
  }
  return out;
}

double apart(const Places& a, const Places& b) {
  double worst = 0;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k)
    worst = std::max(worst, (a[k] - b[k]).norm());
  return worst;
}

struct Rung {
  double error, seconds;
};

std::string at_error(const std::vector<Rung>& ladder, double error) {
  for (std::size_t k = 1; k < ladder.size(); ++k) {
    const Rung &a = ladder[k - 1], &b = ladder[k];
    if (!(a.error >= error && b.error <= error) || a.error == b.error) continue;
    const double x = std::log(a.error / error) / std::log(a.error / b.error);
    return fmt::format("{:.4f}", a.seconds * std::pow(b.seconds / a.seconds, x));
  }
  return "–";
}

// A serial arm of seven axes, alternately along and across, 1.2 m long.
std::string arm(const std::string& integrator) {
  std::string text =
      "arm\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/12, "
      "PART=1\n";
  for (int k = 1; k <= 7; ++k) {
    const int part = k + 1, before = 10 * k + 2;
    text += fmt::format(
        "PART/{0}, MASS={1}, CM={0}0, IP=0.02,0.018,0.01, QG=0,0,{2}\nMARKER/{0}0, PART={0}, QP=0.02,0.01,0\n"
        "MARKER/{0}1, PART={0}, QP=0,0,-0.085{3}\nMARKER/{0}2, PART={0}, QP=0,0,0.085{4}\n"
        "JOINT/{5}, REVOLUTE, I={0}1, J={6}\nSFORCE/{5}, ROTATIONAL, I={0}1, J={6}, "
        "FUNCTION={7}*SIN({8}*TIME)-0.5*WZ({0}1,{6},{6})\n",
        part, 4.0 - 0.4 * k, 0.17 * k - 0.085, k % 2 == 0 ? ", REULER=0D,90D,0D" : "",
        k % 2 == 1 ? ", REULER=0D,90D,0D" : "", k, before, 12.0 - k, 1.0 + 0.5 * k);
  }
  return text + fmt::format("ACCGRAV/KGRAV=-9.81\nINTEGRATOR/{}\nEND\n", integrator);
}

// A trunk in free fall with a head, two arms and two legs: 15 parts, 33 freedoms, dampers at the joints.
std::string humanoid(const std::string& integrator) {
  struct Limb {
    double x, y, z;                                     // where its first joint is
    std::vector<std::pair<const char*, double>> links;  // joints and lengths, downwards
  };
  const std::vector<std::pair<const char*, double>> arm_links = {{"SPHERICAL", 0.3},
                                                                 {"REVOLUTE", 0.25},
                                                                 {"UNIVERSAL", 0.1}},
                                                    leg_links = {{"SPHERICAL", 0.45},
                                                                 {"REVOLUTE", 0.42},
                                                                 {"UNIVERSAL", 0.1}};
  const Limb limbs[] = {{0, 0.2, 1.4, arm_links},
                        {0, -0.2, 1.4, arm_links},
                        {0, 0.1, 0.95, leg_links},
                        {0, -0.1, 0.95, leg_links},
                        {0, 0, 1.5, {{"SPHERICAL", -0.25}}}};
  std::string text =
      "humanoid\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\n"
      "PART/2, MASS=30, CM=20, IP=1,0.9,0.4, QG=0,0,1.2, WX=1, WZ=2\nMARKER/20, PART=2\n";
  int part = 2;
  for (const Limb& limb : limbs) {
    int parent = 2;
    double joint_z = limb.z, parent_z = 1.2;
    for (const auto& [kind, length] : limb.links) {
      ++part;
      const double middle = joint_z - length / 2, size = std::abs(length);
      const char* cross = std::strcmp(kind, "UNIVERSAL") == 0 ? "REULER=0D,90D,0D" : "REULER=90D,90D,0D";
      text += fmt::format(
          "PART/{0}, MASS={1}, CM={0}00, IP={2},{2},0.005, QG={3},{4},{5}\nMARKER/{0}00, PART={0}\n"
          "MARKER/{0}01, PART={0}, QP=0,0,{6}, {7}\nMARKER/{8}{0}, PART={8}, QP={9},{10},{11}, "
          "REULER=90D,90D,0D\n"
          "JOINT/{0}, {12}, I={0}01, J={8}{0}\n",
          part, 8 * size, 0.7 * size * size, limb.x, limb.y, middle, length / 2, cross, parent,
          parent == 2 ? limb.x : 0, parent == 2 ? limb.y : 0, joint_z - parent_z, kind);
      text += fmt::format(
          "SFORCE/{0}, ROTATIONAL, I={0}01, J={1}{0}, "
          "FUNCTION=-0.3*WZ({0}01,{1}{0},{1}{0})\n",
          part, parent);
      parent = part;
      parent_z = middle;
      joint_z -= length;
    }
  }
  return text + fmt::format("ACCGRAV/KGRAV=-9.81\nINTEGRATOR/{}\nEND\n", integrator);
}

void by_hand(int rods, bool spherical, double end, const Places& exact) {
  std::vector<Rung> ladder;
  double nanoseconds = 0;
  for (int k = 0; k <= 9; ++k) {
    bench::HandWrittenChain chain(rods, spherical);
    const double error = apart(chain.run(end, std::pow(10.0, -k)), exact);
    ladder.push_back({error, chain.seconds});
    nanoseconds = 1e9 * chain.seconds / static_cast<double>(chain.evaluations) / rods;
  }
  fmt::print("  {:<28} {:>9} {:>9} {:>9} {:>7.0f}\n", "by hand, DOP853", at_error(ladder, 1e-4),
             at_error(ladder, 1e-5), at_error(ladder, 1e-6), nanoseconds);
}

struct Model {
  std::string name;
  std::function<std::string(const std::string&)> text;
  double end;
  int rods = 0;  // of a chain
  bool spherical = false;
};

struct Method {
  const char* integrator;
  bool recursion;
  int from, to;  // ERROR = 1e-from … 1e-to
};

void compare(const Model& model) {
  const Run exact = run(model.text("DOP853, ERROR=1E-12, HMIN=1E-12"), model.end, true);
  fmt::print("{}: {}; reference of {} steps{}\n", model.name, exact.evaluation, exact.steps,
             exact.ok ? "" : " FAILED");
  if (model.rods > 0) {
    bench::HandWrittenChain chain(model.rods, model.spherical);
    fmt::print("  the recursion by hand at 1e-12 is {:.1e} m from it\n",
               apart(chain.run(model.end, 1e-12), exact.places));
    by_hand(model.rods, model.spherical, model.end, exact.places);
  }
  const bool large = exact.bodies > 300;
  constexpr Method kMethods[] = {{"DOP853", true, 0, 9},
                                 {"ABAM", true, 1, 9},
                                 {"DOP853", false, 3, 7},
                                 {"GSTIFF", false, 3, 8},
                                 {"HHT", false, 3, 7}};
  for (const Method& method : kMethods) {
    if (large && !method.recursion && std::strcmp(method.integrator, "GSTIFF") != 0) continue;
    std::vector<Rung> ladder;
    double nanoseconds = 0;
    for (int k = method.from; k <= (large && !method.recursion ? 6 : method.to); ++k) {
      const Run out = run(model.text(fmt::format("{}, ERROR=1E-{}, INTERPOLATE=ON", method.integrator, k)),
                          model.end, method.recursion);
      if (!out.ok) continue;
      ladder.push_back({apart(out.places, exact.places), out.seconds});
      nanoseconds = 1e9 * out.seconds / static_cast<double>(std::max(out.evaluations, 1L)) / out.bodies;
    }
    const bool is_explicit =
        std::strcmp(method.integrator, "DOP853") == 0 || std::strcmp(method.integrator, "ABAM") == 0;
    const std::string name = fmt::format("{}{}", method.integrator,
                                         !is_explicit       ? ""
                                         : method.recursion ? ", recursion"
                                                            : ", all coordinates");
    fmt::print("  {:<28} {:>9} {:>9} {:>9} {:>7.0f}\n", name, at_error(ladder, 1e-4), at_error(ladder, 1e-5),
               at_error(ladder, 1e-6), nanoseconds);
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace trunnion

int main(int count, char** words) {
  using namespace trunnion;
  const int longest = count > 1 ? std::atoi(words[1]) : 1000;
  const char* only = count > 2 ? words[2] : "";
  std::vector<Model> models;
  for (const char* joint : {"REVOLUTE", "SPHERICAL"}) {
    for (const int rods : {10, 100, 1000}) {
      if (rods <= longest)
        models.push_back({fmt::format("{} {}", rods, joint),
                          [=](const std::string& i) { return bench::chain_text(rods, joint, i); }, 1, rods,
                          joint[0] == 'S'});
    }
  }
  models.push_back({"7-axis arm", arm, 2});
  models.push_back({"humanoid", humanoid, 2});
  models.push_back({"40 four-bars", [](const std::string& i) { return test::four_bars(40, i); }, 1});
  models.push_back({"Andrews", test::andrews, 0.03});
  fmt::print("CPU seconds at an error of        1e-4 m    1e-5 m    1e-6 m   ns/eval\n");
  for (const Model& model : models) {
    if (model.name.find(only) != std::string::npos) compare(model);
  }
  return 0;
}
