// What ERROR means: mechanisms without damping over many turns or swings, for each formula and a ladder of ERROR.
//   bench_error_ladder [MODEL [METHOD [FROM TO]]]   a part of its name, a method, exponents of ERROR (3 8)
// off: the largest distance of any mass centre at any output time from a run of GSTIFF SI2 with ERROR = 1e-10, over the largest travel;
// energy: the largest unaccounted change over the largest kinetic energy.

#include <cmath>
#include <cstring>
#include <functional>

#include <fmt/format.h>

#include "analysis/dynamics/energy_ledger.hpp"
#include "dynamics/mechanisms.hpp"
#include "run_model.hpp"

namespace trunnion {
namespace {

struct Run {
  bool ok = false;
  std::vector<std::vector<math::Vec3>> places;
  double kinetic = 0, drift = 0, seconds = 0, reached = 0;
  analysis::DynamicResult result;
};

Run run(const std::string& text, double end, int rows) {
  core::SourceSet sources;
  core::Diagnostics diagnostics;
  const auto model = lang::read_model(sources, sources.add("model", text), diagnostics);
  api::Session session(model);
  Run out;
  if (!session.assemble()) {
    fmt::print("{}\n", session.system() ? "not assembled" : "not compiled");
    return out;
  }
  session.count_energy(false);  // the ledger below does
  const auto system = session.system();
  analysis::EnergyLedger ledger(*system, assembly::AnalysisMode::dynamics, {});
  system::System::Workspace work(*system, assembly::AnalysisMode::dynamics);
  double first = 0;
  bool began = false;
  std::vector<double> times;
  for (int k = 1; k <= rows; ++k) times.push_back(end * k / rows);
  const auto energy = [&](const assembly::State& s) {
    system->update(s, work);
    const auto e = system->energy(s, work);
    const auto p = ledger.at(s.t);
    const double b = e.kinetic + e.potential + p.dissipated - p.work;
    if (!began) first = b;
    began = true;
    out.kinetic = std::max(out.kinetic, e.kinetic);
    out.drift = std::max(out.drift, std::abs(b - first));
  };
  analysis::DynamicHooks hooks;
  hooks.started = [&](const assembly::State& s) {
    ledger.begin(s);
    energy(s);
  };
  hooks.balanced = [&](const assembly::State& s) { ledger.step(s); };
  hooks.output = [&](const assembly::State& s) {
    energy(s);
    out.places.emplace_back();
    for (const system::BodyInfo& b : system->bodies())
      out.places.back().push_back(assembly::pose(system->layout(), b.block, s.q).x);
    return true;
  };
  const std::clock_t clock = std::clock();
  out.result = session.simulate(end, times, hooks);
  out.seconds = static_cast<double>(std::clock() - clock) / CLOCKS_PER_SEC;
  out.ok = out.result.ok;
  out.reached = session.time();
  return out;
}

double off(const Run& a, const Run& b) {
  double worst = 0, travel = 1e-300;
  for (std::size_t k = 0; k < std::min(a.places.size(), b.places.size()); ++k) {
    for (std::size_t i = 0; i < a.places[k].size(); ++i) {
      worst = std::max(worst, (a.places[k][i] - b.places[k][i]).norm());
      travel = std::max(travel, (b.places[k][i] - b.places[0][i]).norm());
    }
  }
  return worst / travel;
}

std::string rotor(double unit, const std::string& i) {
  return fmt::format(
      "rotor\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH={0}, TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n"
      "PART/2, MASS=2, CM=20, IP={1},{1},{1}, QG=0,0,0, WZ=50\nMARKER/20, PART=2, QP={2},0,0\nMARKER/21, "
      "PART=2\n"
      "JOINT/1, REVOLUTE, I=21, J=1\nINTEGRATOR/{3}\nEND\n",
      unit == 1 ? "METER" : "MILLIMETER", 0.02 * unit * unit, 0.5 * unit, i);
}

std::string oscillator(const std::string& i) {
  return "oscillator\nPART/1, GROUND\nMARKER/1, PART=1\nMARKER/2, PART=1, QP=0,0,-1\n"
         "PART/2, QG=0,0,0.1, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\nJOINT/1, TRANSLATIONAL, I=20, J=1\n"
         "SPRINGDAMPER/1, TRANSLATION, I=20, J=2, K=100, LENGTH=1\nINTEGRATOR/" +
         i + "\nEND\n";
}

std::string two_pendulums(const std::string& i) {
  return "double pendulum\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, "
         "GROUND\nMARKER/1, PART=1\n"
         "PART/2, QG=0.2,-0.4583,0, MASS=2, CM=20, IP=0.1,0.1,0.1\nMARKER/20, PART=2\nMARKER/21, PART=2, "
         "QP=-0.2,0.4583,0\nMARKER/22, PART=2, QP=0.2,-0.4583,0\n"
         "PART/3, QG=0.4,-1.4166,0, MASS=1, CM=30, IP=0.1,0.1,0.1\nMARKER/30, PART=3\nMARKER/31, PART=3, "
         "QP=0,0.5,0\n"
         "JOINT/1, REVOLUTE, I=21, J=1\nJOINT/2, REVOLUTE, I=31, J=22\nACCGRAV/JGRAV=-9.81\nINTEGRATOR/" +
         i + "\nEND\n";
}

std::string crank(const std::string& i) {
  return "free slider-crank\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND\nPART/1, "
         "GROUND\nMARKER/1, PART=1\n"
         "PART/2, QG=50,0,0, MASS=5, CM=20, IP=25000,25000,50000, WZ=40, VY=2000\nMARKER/20, "
         "PART=2\nMARKER/21, PART=2, QP=-50,0,0\nMARKER/22, PART=2, QP=50,0,0\n"
         "PART/3, QG=250,0,0, MASS=1, CM=30, IP=300,8000,8000\nMARKER/30, PART=3\nMARKER/31, PART=3, "
         "QP=-150,0,0\nMARKER/32, PART=3, QP=150,0,0\n"
         "PART/4, QG=400,0,0, MASS=2, CM=40, IP=1000,1000,1000\nMARKER/40, PART=4\nMARKER/41, PART=4, "
         "REULER=90D,90D,0D\n"
         "MARKER/2, PART=1, QP=400,0,0, REULER=90D,90D,0D\n"
         "JOINT/1, REVOLUTE, I=21, J=1\nJOINT/2, REVOLUTE, I=31, J=22\nJOINT/3, REVOLUTE, I=32, "
         "J=40\nJOINT/4, TRANSLATIONAL, I=41, J=2\nINTEGRATOR/" +
         i + "\nEND\n";
}

std::string top100(const std::string& i) {
  return "heavy top 100\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, "
         "GROUND\nMARKER/1, PART=1\n"
         "PART/2, MASS=1, CM=20, IP=0.004,0.004,0.004, QG=0,0,0, REULER=0,1,0, WZ=100\nMARKER/20, PART=2, "
         "QP=0,0,0.1\nMARKER/21, PART=2\n"
         "JOINT/1, SPHERICAL, I=21, J=1\nACCGRAV/KGRAV=-9.81\nINTEGRATOR/" +
         i + "\nEND\n";
}

std::string free_body(const std::string& i) {
  return "free body\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
         "PART=1\n"
         "PART/2, MASS=1, CM=20, IP=1,2,3, WX=10, WZ=5, QG=0,0,0\nMARKER/20, PART=2, "
         "QP=0.5,0.2,0.1\nMARKER/22, PART=2\nINTEGRATOR/" +
         i + "\nEND\n";
}

std::string chain(int rods, const char* joint, const std::string& integrator) {
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

}  // namespace
}  // namespace trunnion

int main(int count, char** words) {
  using namespace trunnion;
  struct Model {
    const char* name;
    std::function<std::string(const std::string&)> text;
    double end;
    int rows;
  };
  const std::string only = count > 1 ? words[1] : "", formula = count > 2 ? words[2] : "";
  const int from = count > 3 ? std::atoi(words[3]) : 3, to = count > 4 ? std::atoi(words[4]) : 8;
  const Model models[] = {
      {"rotor-mm", [](const std::string& i) { return rotor(1000, i); }, 12.566, 100},
      {"rotor-m", [](const std::string& i) { return rotor(1, i); }, 12.566, 100},
      {"pendulum", test::simple_pendulum, 230, 100},
      {"oscillator", oscillator, 62.83, 100},
      {"heavy-top", test::heavy_top, 2, 100},
      {"top100", top100, 5, 100},
      {"free-body", free_body, 40, 100},
      {"double", two_pendulums, 10, 100},
      {"crank", crank, 15, 100},
      {"four-bars-2", [](const std::string& i) { return test::four_bars(2, i); }, 10, 100},
      {"four-bars-40", [](const std::string& i) { return test::four_bars(40, i); }, 10, 100},
      {"bricard", test::bricard, 10, 100},
      {"car-axis", test::car_axis, 3, 30},
      {"governor", test::governor, 5, 50},
      {"andrews", test::andrews, 0.05, 50},
      {"chain-10", [](const std::string& i) { return chain(10, "REVOLUTE", i); }, 1, 10},
      {"chain-100", [](const std::string& i) { return chain(100, "REVOLUTE", i); }, 1, 10},
      {"chain-1000", [](const std::string& i) { return chain(1000, "REVOLUTE", i); }, 1, 10},
  };
  for (const Model& model : models) {
    if (!only.empty() && std::strstr(model.name, only.c_str()) == nullptr) continue;
    const Run exact = run(model.text("GSTIFF, SI2, ERROR=1E-10, INTERPOLATE=ON"), model.end, model.rows);
    fmt::print("{:<13} reference: {} steps, {:.2g} s, energy {:.1e}{}\n", model.name,
               exact.result.loop.counts.steps, exact.seconds, exact.drift / exact.kinetic,
               exact.ok ? "" : " FAILED");
    for (const char* method : {"GSTIFF", "GSTIFF, SI2", "WSTIFF", "HHT", "NEWMARK"}) {
      if (!formula.empty() && formula != method) continue;
      for (int k = from; k <= to; ++k) {
        const Run out =
            run(model.text(fmt::format("{}, ERROR=1E-{}, INTERPOLATE=ON", method, k)), model.end, model.rows);
        const auto& c = out.result.loop.counts;
        std::string orders;
        for (std::size_t j = 1; j < 7; ++j) orders += fmt::format(" {}", c.order[j]);
        fmt::print(
            "{:<13} {:<11} 1e-{:<2} off {:>8.1e} energy {:>8.1e} steps {:>6} rej {:>4}/{:<3} iter {:>7} CPU "
            "{:>8.2e} orders{} {}\n",
            model.name, method, k, off(out, exact), out.drift / exact.kinetic, c.steps, c.rejected_by_error,
            c.rejected_by_corrector, out.result.corrector.iterations, out.seconds, orders,
            out.ok ? "" : fmt::format("FAILED at {:.4g}", out.reached));
        std::fflush(stdout);
      }
    }
  }
  return 0;
}
