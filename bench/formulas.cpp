// Studies of the formulas; each prints a page of docs/studies.
//   bench_formulas andrews    > docs/studies/andrews.md      §5.1 of the paper of Zhang, Zhang, Zanoni, Masarati (2022)
//   bench_formulas predictors > docs/studies/predictors.md   its §5.5, and PREDICTOR
//   bench_formulas cost       > docs/studies/cost.md         what a step costs on 100 links

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "chain_text.hpp"
#include "dynamics/mechanisms.hpp"
#include "formulas/catalogue.hpp"
#include "run_model.hpp"

namespace trunnion::bench {
namespace {

constexpr double kEnd = 0.05, kBeta = -0.0620, kTorque = 0.033;  // of the squeezer

struct Choice {
  const char* keyword;
  double rho = -1;  // none
  const formulas::Entry& entry() const { return formulas::entry(formulas::index_of(keyword)); }
  std::string integrator(const std::string& settings) const {
    const std::string damping = rho < 0 ? "" : fmt::format(", RHO={:g}", rho);
    return fmt::format("{}{}, {}", keyword, damping, settings);
  }
  std::string name() const { return rho < 0 ? keyword : fmt::format("{} {:g}", keyword, rho); }
};

model::Model model_of(const std::string& text) {
  core::SourceSet sources;
  core::Diagnostics diagnostics;
  return lang::read_model(sources, sources.add("model", text), diagnostics);
}

// Andrews' squeezer as the formula gives it, not as rows of results have it.
struct Squeezer {
  bool ok = false;
  std::map<int, double> omega;  // of the crank, at so many milliseconds
  double energy = 0, highest = 0, lowest = 0;
  double iterations = 0;  // a stage
};

Squeezer squeezer(const Choice& choice, double dt, const std::string& more = "", double error = 1e-9) {
  const int stages = choice.entry().stages;
  const double h = kEnd / std::round(kEnd / (stages * dt));
  api::Session session(model_of(
      test::andrews_at(kBeta, choice.integrator(fmt::format("H={:.17g}, ERROR={:g}{}", h, error, more)))));
  Squeezer out;
  if (!session.assemble()) return out;
  session.count_energy(false);
  const auto system = session.system();
  system::System::Workspace work(*system, assembly::AnalysisMode::dynamics);
  const auto block = system->bodies().front().block;
  const int crank = system->layout().block(block).offset + 5;  // its turn about z
  const auto energy = [&](const assembly::State& s) {
    system->update(s, work);
    const auto e = system->energy(s, work);
    return e.kinetic + e.potential;
  };
  const auto angle = [&](const assembly::State& s) {
    const math::Mat3 R = assembly::pose(system->layout(), block, s.q).R.toRotationMatrix();
    return std::atan2(R(1, 0), R(0, 0));
  };
  double first = 0, whole = 0, last_angle = 0, last_t = 0, last_omega = 0;
  analysis::DynamicHooks hooks;
  hooks.started = [&](const assembly::State& s) {
    first = energy(s);
    last_angle = angle(s);
  };
  hooks.accepted = [&](const integrate::StepAttempt&, const assembly::State& s) {
    const double now = angle(s), omega = s.v[crank];
    whole += std::remainder(now - last_angle, 2 * M_PI);
    last_angle = now;
    out.energy = energy(s) - first - kTorque * whole;
    out.highest = std::max(out.highest, out.energy);
    out.lowest = std::min(out.lowest, out.energy);
    // Between the ends of a step by a line; at the end of the run there is a step's end.
    for (const int ms : {10, 20, 30, 40, 50}) {
      const double t = 1e-3 * ms;
      if (last_t < t - 1e-9 && s.t >= t - 1e-9)
        out.omega[ms] = omega + (omega - last_omega) * (t - s.t) / (s.t - last_t);
    }
    last_t = s.t;
    last_omega = omega;
  };
  const analysis::DynamicResult result = session.simulate(kEnd, {}, hooks);
  out.ok = result.ok;
  out.iterations = static_cast<double>(result.corrector.iterations) /
                   static_cast<double>(std::max(1L, result.loop.counts.steps) * stages);
  return out;
}

// The table of the papers' digest, 5.6: another program by another hand. NAN: not given.
struct Given {
  Choice choice;
  double coarse_30, coarse_50, coarse_energy, fine_50, fine_energy;
};
const Given kGiven[] = {
    {{"LMS2", 0}, 1127.91, 1042.79, -2.79e-2, 1140.496, -1.18e-4},
    {{"SS2", 0}, NAN, NAN, NAN, NAN, NAN},
    {{"LMS3", 0}, 1136.09, 1121.20, -4.76e-3, 1140.760, -4.69e-5},
    {{"SS3", 0}, NAN, NAN, NAN, NAN, NAN},
    {{"LMS4", 0}, 1137.03, 1126.46, -3.47e-3, 1140.797, -3.75e-5},
    {{"SS4", 0}, NAN, NAN, NAN, NAN, NAN},
    {{"BATHE", 0}, 1131.20, 1051.91, -2.73e-2, 1140.614, -9.05e-5},
    {{"MSSTC3", 0}, 1130.37, 1130.96, -2.2e-3, 1140.823, -2.9e-5},
    {{"MSSTC4", 0}, 1136.36, 1099.01, -1.24e-2, 1140.770, -4.7e-5},
    {{"MSSTC5", 0}, 1138.54, 1143.42, 1.5e-3, 1140.853, -2.1e-5},
    {{"LMS2", 0.6}, 1137.84, 1129.00, -2.97e-3, 1140.833, -2.8e-5},
    {{"SS2", 0.6}, NAN, NAN, NAN, NAN, NAN},
    {{"LMS3", 0.6}, 1138.12, 1131.35, -2.35e-3, 1140.846, -2.5e-5},
    {{"SS3", 0.6}, NAN, NAN, NAN, NAN, NAN},
    {{"LMS4", 0.6}, 1138.17, 1131.58, -2.30e-3, 1140.848, -2.4e-5},
    {{"SS4", 0.6}, NAN, NAN, NAN, NAN, NAN},
    {{"BATHE", 0.6}, 1129.14, 1019.64, -4.14e-2, 1140.435, -1.50e-4},
    {{"MSSTC3", 0.6}, 1130.53, 1129.79, -2.8e-3, 1140.840, NAN},
    {{"MSSTC4", 0.6}, 1137.01, 1100.87, -1.2e-2, 1140.653, NAN},
    {{"MSSTC5", 0.6}, 1138.14, 1131.14, -2.4e-3, 1140.847, NAN},
    {{"MSSTH3", 0}, 1129.21, 1346.7, 7.0e-2, 1141.232, 1.1e-4},
    {{"MSSTH4", 0}, 1120.87, 1380.5, 1.18e-1, 1141.603, 2.5e-4},
    {{"MSSTH5", 0}, NAN, NAN, -7.1e-1, 1137.925, -1.03e-3},
    {{"MSSTH3", 0.6}, NAN, NAN, NAN, NAN, NAN},
    {{"MSSTH4", 0.6}, NAN, NAN, NAN, NAN, NAN},
    {{"MSSTH5", 0.6}, NAN, NAN, NAN, NAN, NAN},
    {{"ESDIRK34"}, NAN, 1355.97, 7.5e-2, 1141.255, 1.2e-4},
    {{"ESDIRK35"}, NAN, 1111.51, -8.1e-3, 1140.823, -3.1e-5},
    {{"ESDIRK46"}, NAN, 1117.47, -1.26e-2, 1141.180, 3.5e-5},
    {{"HHT"}, NAN, NAN, NAN, NAN, NAN},
    {{"GALPHA", 0}, NAN, NAN, NAN, NAN, NAN},
    {{"GALPHA", 0.6}, NAN, NAN, NAN, NAN, NAN},
    {{"WBZ", 0}, NAN, NAN, NAN, NAN, NAN},
    {{"WBZ", 0.6}, NAN, NAN, NAN, NAN, NAN},
    {{"TRAPEZOIDAL"}, NAN, NAN, NAN, NAN, NAN},
    {{"RADAU3"}, NAN, NAN, NAN, NAN, NAN},
    {{"RADAU5"}, NAN, NAN, NAN, NAN, NAN},
    {{"MIDPOINT"}, NAN, NAN, NAN, NAN, NAN},
    {{"GAUSS4"}, NAN, NAN, NAN, NAN, NAN},
    {{"ENERGY_DECAYING", 0}, NAN, NAN, NAN, NAN, NAN},
    {{"ENERGY_DECAYING", 0.6}, NAN, NAN, NAN, NAN, NAN},
};

std::string cell(double value, const char* digits) {
  if (!std::isfinite(value)) return "";
  return digits[0] == 'e' ? fmt::format("{:.2e}", value) : fmt::format("{:.{}f}", value, digits[0] - '0');
}

struct Ran {
  const Given* given;
  Squeezer coarse, fine;
};

const Ran& find(const std::vector<Ran>& all, const std::string& name) {
  for (const Ran& ran : all) {
    if (ran.given->choice.name() == name) return ran;
  }
  fmt::print(stderr, "no run of {}\n", name);
  std::exit(1);
}

// A claim of the paper about some formulas, and whether each of them does so here.
void claim(const std::vector<Ran>& all, const char* text, const std::vector<const char*>& names,
           const std::function<std::string(const Ran&)>& figure,
           const std::function<bool(const Ran&)>& holds) {
  std::string yes, no;
  for (const char* name : names) {
    const Ran& ran = find(all, name);
    std::string& list = holds(ran) ? yes : no;
    list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", name, figure(ran));
  }
  fmt::print("- {} {}{}{}\n", text, yes.empty() ? "" : "**So it is here:** " + yes + ".",
             yes.empty() || no.empty() ? "" : " ", no.empty() ? "" : "**Not so here:** " + no + ".");
}

void andrews_page() {
  // ω of the crank: LMS4 0.6 at 5e-6 and 2.5e-6 s, extrapolated, by the digest; the same from this program below.
  const std::map<int, double> exact = {{10, 709.953}, {20, 724.905}, {30, 1140.104}, {50, 1140.943}};
  const Squeezer a = squeezer({"LMS4", 0.6}, 5e-6), b = squeezer({"LMS4", 0.6}, 2.5e-6);
  fmt::print(
      "# Andrews' squeezer: energy kept by every formula\n\n"
      "Printed by `bench_formulas andrews`. The experiment of H. Zhang, R. Zhang, A. Zanoni, P. Masarati, "
      "Multibody Syst. Dyn. 54 (2022), §5.1: seven links, a spring, a constant torque of 0.033 N m, from "
      "rest at a crank "
      "angle of −0.0620; 0.05 s, index 3, fixed steps of Δt/n = 1e-4 and 1e-5 s for n stages, rounded to end "
      "at "
      "0.05 s. ω is the speed of the crank in rad/s as the formula gives it, ΔE the energy less the work of "
      "the torque in J; exact is 0. Figures in *italics* are another program's, written by another hand "
      "(index 3 in the "
      "Cartesian coordinates of the links, constant prediction). Rows that `trunnion run` writes have "
      "velocities made "
      "consistent with the constraints: the crank's speed there is 1044.565 where LMS2 0 has 1042.786 at "
      "1e-4.\n\n"
      "Exact, by that program: ω(0.01, 0.02, 0.03, 0.05) = 709.953, 724.905, 1140.104, 1140.943; by LMS4 0.6 "
      "here at "
      "5e-6 and 2.5e-6 s, extrapolated: ");
  for (const auto& [ms, value] : exact)
    fmt::print("{}{:.3f}", ms == 10 ? "" : ", ", (4 * b.omega.at(ms) - a.omega.at(ms)) / 3);
  fmt::print(
      ".\n\n| formula | ω(0.03), 1e-4 | ω(0.05), 1e-4 | ΔE(0.05), 1e-4 | ΔE from … to, 1e-4 | ω(0.05), 1e-5 "
      "| ΔE(0.05), 1e-5 | "
      "iterations a stage, 1e-4 · 1e-5 |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n");
  std::vector<Ran> all;
  for (const Given& given : kGiven)
    all.push_back({&given, squeezer(given.choice, 1e-4), squeezer(given.choice, 1e-5)});
  const auto both = [](bool ok, double here, double there, const char* digits) {
    const std::string other = cell(there, digits);
    return (ok ? cell(here, digits) : "fails") + (other.empty() ? "" : " *" + other + "*");
  };
  const auto at = [](const Squeezer& s, int ms) { return s.omega.count(ms) > 0 ? s.omega.at(ms) : NAN; };
  for (const Ran& ran : all) {
    const Given& g = *ran.given;
    const Squeezer &c = ran.coarse, &f = ran.fine;
    fmt::print("| {} | {} | {} | {} | {} | {} | {} | {:.2f} · {:.2f} |\n", g.choice.name(),
               both(c.ok, at(c, 30), g.coarse_30, "2"), both(c.ok, at(c, 50), g.coarse_50, "2"),
               both(c.ok, c.energy, g.coarse_energy, "e"),
               c.ok ? fmt::format("{:.1e} … {:.1e}", c.lowest, c.highest) : "",
               both(f.ok, at(f, 50), g.fine_50, "3"), both(f.ok, f.energy, g.fine_energy, "e"), c.iterations,
               f.iterations);
  }
  // What the paper reads from its figures, as numbers. The work of the torque until the end is about 1 J.
  constexpr double kSeen = 0.05, kDrop = 5e-3, kGain = 1e-3, kFine = 1e-2;
  const auto off = [&](const Squeezer& s, int ms) {
    return s.omega.count(ms) > 0 ? std::abs(s.omega.at(ms) / exact.at(ms) - 1) : HUGE_VAL;
  };
  const auto delta = [](const Ran& r) { return fmt::format("{:.1e}", r.coarse.energy); };
  const auto fine_delta = [](const Ran& r) { return fmt::format("{:.1e}", r.fine.energy); };
  const auto speed = [&](const Ran& r) { return fmt::format("{:.1f} %", 100 * off(r.coarse, 50)); };
  fmt::print(
      "\n## The paper's findings, one by one\n\n"
      "The paper reads them from figures. Here *observable* is more than {:.0f} % of ω at 0.05 s, a *drop* "
      "more than "
      "{:.0e} J, a *gain* more than {:.0e} J at Δt/n = 1e-4.\n\n",
      100 * kSeen, kDrop, kGain);
  claim(
      all, "Δt/n = 1e-4: MSSTH(5) with ρ∞ = 0 departs from the reference after about 0.01 s.", {"MSSTH5 0"},
      [&](const Ran& r) {
        return fmt::format("ω off by {:.1f} % at 0.01 s, {:.0f} % at 0.02 s", 100 * off(r.coarse, 10),
                           100 * off(r.coarse, 20));
      },
      [&](const Ran& r) { return off(r.coarse, 10) < 0.3 && off(r.coarse, 20) > kSeen; });
  claim(all, "MSSTH(3, 4) with 0, ESDIRK3(2)4 and Bathe with 0.6 show observable differences.",
        {"MSSTH3 0", "MSSTH4 0", "ESDIRK34", "BATHE 0.6"}, speed,
        [&](const Ran& r) { return off(r.coarse, 50) > kSeen; });
  claim(all, "ΔE of MSSTC(5) with 0, MSSTH(3, 4) with 0 and ESDIRK3(2)4 rises.",
        {"MSSTC5 0", "MSSTH3 0", "MSSTH4 0", "ESDIRK34"}, delta,
        [&](const Ran& r) { return r.coarse.energy > kGain; });
  claim(all,
        "LMS2 and SS2 with 0.6, LMS3, SS3, LMS4, SS4, MSSTC(3) and MSSTC(5) with 0.6 mostly keep the energy.",
        {"LMS2 0.6", "SS2 0.6", "LMS3 0", "SS3 0", "LMS3 0.6", "SS3 0.6", "LMS4 0", "SS4 0", "LMS4 0.6",
         "SS4 0.6", "MSSTC3 0", "MSSTC3 0.6", "MSSTC5 0.6"},
        delta, [&](const Ran& r) { return std::abs(r.coarse.energy) < kDrop; });
  claim(all, "LMS2 and SS2 with 0, Bathe, MSSTC(4) and the other formulas of higher order show a drop.",
        {"LMS2 0", "SS2 0", "BATHE 0", "BATHE 0.6", "MSSTC4 0", "MSSTC4 0.6", "MSSTH5 0", "ESDIRK35",
         "ESDIRK46"},
        delta, [&](const Ran& r) { return r.coarse.energy < -kDrop; });
  std::vector<const char*> papers;
  std::vector<std::string> kept;
  for (const Given& g : kGiven) {
    if (std::string(g.choice.keyword) == "HHT") break;
    kept.push_back(g.choice.name());
  }
  for (const std::string& name : kept) papers.push_back(name.c_str());
  claim(
      all, "Δt/n = 1e-5: all predict ω (here: to 1 % at 0.05 s).", papers,
      [&](const Ran& r) { return fmt::format("{:.2f} %", 100 * off(r.fine, 50)); },
      [&](const Ran& r) { return off(r.fine, 50) < kFine; });
  claim(all, "ΔE is still above 0 for MSSTH(3, 4) with 0, ESDIRK3(2)4 and ESDIRK4(3)6.",
        {"MSSTH3 0", "MSSTH4 0", "ESDIRK34", "ESDIRK46"}, fine_delta,
        [](const Ran& r) { return r.fine.energy > 0; });
  claim(all, "MSSTH(5) with 0 shows an obvious drop.", {"MSSTH5 0"}, fine_delta,
        [](const Ran& r) { return r.fine.energy < -5e-4; });
  claim(
      all,
      "Single-step formulas are the multistep ones in another form: SSk ends where LMSk does (to 1 % of ΔE).",
      {"SS2 0", "SS3 0", "SS4 0", "SS2 0.6", "SS3 0.6", "SS4 0.6"}, delta, [&](const Ran& r) {
        const Ran& lms = find(all, "LMS" + r.given->choice.name().substr(2));
        return std::abs(r.coarse.energy / lms.coarse.energy - 1) < 0.01;
      });
}

// Iterations a stage, with a new matrix for each.
double iterations(const Choice& choice, const std::string& text, double end) {
  api::Session session(model_of(text));
  if (!session.assemble()) return NAN;
  session.count_energy(false);
  const analysis::DynamicResult result = session.simulate(end, {}, {});
  if (!result.ok) return NAN;
  return static_cast<double>(result.corrector.iterations) /
         static_cast<double>(result.loop.counts.steps * choice.entry().stages);
}

const Choice kPredicted[] = {{"LMS2", 0.6}, {"SS2", 0.6},  {"LMS3", 0.6}, {"SS3", 0.6},
                             {"LMS4", 0.6}, {"SS4", 0.6},  {"BATHE", 0},  {"MSSTC3", 0},
                             {"MSSTC4", 0}, {"MSSTC5", 0}, {"MSSTH3", 0}, {"MSSTH4", 0},
                             {"MSSTH5", 0}, {"ESDIRK34"},  {"ESDIRK35"},  {"ESDIRK46"}};

struct Counted {
  // By PREDICTOR (USUAL, CONSTANT, CUBIC, QUINTIC), at the longer and the shorter step.
  double of[4][2];
};

void predictor_table(const char* title,
                     const std::function<double(const Choice&, double, const std::string&)>& count,
                     const double steps[2], std::map<std::string, Counted>& into) {
  const char* kinds[] = {"USUAL", "CONSTANT", "CUBIC", "QUINTIC"};
  fmt::print("\n## {}\n\n| formula |", title);
  for (const char* kind : kinds) fmt::print(" {}, Δt/n = {:g} · {:g} |", kind, steps[0], steps[1]);
  fmt::print("\n| --- | --- | --- | --- | --- |\n");
  for (const Choice& choice : kPredicted) {
    Counted& counted = into[choice.name()];
    fmt::print("| {} |", choice.name());
    for (int k = 0; k < 4; ++k) {
      for (int s = 0; s < 2; ++s) counted.of[k][s] = count(choice, steps[s], kinds[k]);
      const auto text = [](double x) {
        return std::isfinite(x) ? fmt::format("{:.2f}", x) : std::string("fails");
      };
      fmt::print(" {} · {} |", text(counted.of[k][0]), text(counted.of[k][1]));
    }
    fmt::print("\n");
    std::fflush(stdout);
  }
}

void predictor_claims(const std::map<std::string, Counted>& counted) {
  const auto usual = [&](const std::string& name, int s) { return counted.at(name).of[0][s]; };
  int fewer = 0, all = 0, single = 0, pairs = 0;
  for (const auto& [name, c] : counted) {
    all += std::isfinite(c.of[0][0]) ? 1 : 0;
    fewer += c.of[0][1] < c.of[0][0] ? 1 : 0;
  }
  for (const char* k : {"2", "3", "4"}) {
    for (const int s : {0, 1}) {
      ++pairs;
      single += usual(fmt::format("SS{} 0.6", k), s) > usual(fmt::format("LMS{} 0.6", k), s) ? 1 : 0;
    }
  }
  // Of those that do not fail.
  const auto mean = [&](const std::vector<const char*>& names, int s) {
    double sum = 0, finite = 0;
    for (const char* name : names) {
      if (!std::isfinite(usual(name, s))) continue;
      sum += usual(name, s);
      ++finite;
    }
    return sum / finite;
  };
  double second[2], higher[2];
  for (const int s : {0, 1}) {
    second[s] = mean({"LMS2 0.6", "LMS3 0.6", "LMS4 0.6", "BATHE 0", "MSSTC3 0", "MSSTC4 0", "MSSTC5 0"}, s);
    higher[s] = mean({"MSSTH3 0", "MSSTH4 0", "MSSTH5 0", "ESDIRK34", "ESDIRK35", "ESDIRK46"}, s);
  }
  fmt::print(
      "\n- fewer iterations with the smaller step: {} of {} formulas (paper: all)\n"
      "- single-step formulas take more than their multistep form: {} of {} (paper: always)\n"
      "- formulas of higher order take more than those of second order (multistep, several stages): {:.2f} "
      "and {:.2f} at the "
      "longer step, {:.2f} and {:.2f} at the shorter (paper: in most cases)\n",
      fewer, all, single, pairs, higher[0], second[0], higher[1], second[1]);
}

void predictors_page() {
  fmt::print(
      "# Iterations a stage, by PREDICTOR\n\n"
      "Printed by `bench_formulas predictors`. §5.5 (Fig. 28) of Zhang et al. (2022) counts iterations a "
      "step or substep, with "
      "single-step formulas predicted by the last rate, others by a cubic, the last stage of formulas above "
      "order 3 by a "
      "quintic: PREDICTOR=USUAL. Here with a new matrix for each iteration (PATTERN=T) and ERROR=1E-6, index "
      "3.\n");
  const double squeeze[2] = {1e-4, 1e-5}, chain[2] = {4e-3, 1e-3};
  std::map<std::string, Counted> one, two;
  predictor_table(
      "Andrews' squeezer, 0.05 s",
      [](const Choice& c, double dt, const std::string& kind) {
        const Squeezer s = squeezer(c, dt, ", PATTERN=T, PREDICTOR=" + kind, 1e-6);
        return s.ok ? s.iterations : NAN;
      },
      squeeze, one);
  predictor_claims(one);
  predictor_table(
      "A chain of 10 links, from horizontal, 1 s",
      [](const Choice& c, double dt, const std::string& kind) {
        constexpr double kSpan = 1;
        const double h = kSpan / std::round(kSpan / (c.entry().stages * dt));
        const std::string settings = fmt::format("H={:.17g}, ERROR=1E-6, PATTERN=T, PREDICTOR={}", h, kind);
        return iterations(c, chain_text(10, "REVOLUTE", c.integrator(settings)), kSpan);
      },
      chain, two);
  predictor_claims(two);
}

struct Cost {
  bool ok = false;
  double seconds = 0, iterations = 0, evaluations = 0, matrices = 0;  // a step
};

Cost cost_of(const std::string& integrator, double h, double end) {
  Cost cost;
  const Outcome out =
      run(chain_text(100, "REVOLUTE", fmt::format("{}, H={:.17g}, ERROR=1E-5", integrator, h)), end);
  const double steps = static_cast<double>(std::max(1L, out.result.loop.counts.steps));
  const solve::CorrectorCounts& n = out.result.corrector;
  cost.ok = out.ok;
  cost.seconds = out.seconds / steps;
  cost.iterations = static_cast<double>(n.iterations) / steps;
  cost.evaluations = static_cast<double>(n.evaluations) / steps;
  cost.matrices = static_cast<double>(n.factorisations + n.refactorisations) / steps;
  return cost;
}

void cost_page() {
  constexpr double kStep = 1e-3, kSpan = 0.2;
  const auto least = [&](const std::string& integrator) {
    Cost best = cost_of(integrator, kStep, kSpan);
    constexpr int kAgain = 2;
    for (int k = 0; k < kAgain && best.ok; ++k)
      best.seconds = std::min(best.seconds, cost_of(integrator, kStep, kSpan).seconds);
    return best;
  };
  const Cost hht = least("HHT");
  fmt::print(
      "# What a step costs\n\n"
      "Printed by `bench_formulas cost`: 100 links on revolute joints, falling from horizontal, {:g} s in "
      "steps of {:g} s "
      "(H, the whole step), ERROR = 1E-5, matrices as the program chooses. Processor time of a step over "
      "that of HHT, {:.2f} "
      "ms on the machine that printed this: the least of three runs, and still off by a third where other "
      "programs ran. Counts are a step's.\n\n"
      "| formula | time | iterations | evaluations | matrices | order | stages |\n| --- | --- | --- | --- | "
      "--- | --- | --- |\n",
      kSpan, kStep, 1e3 * hht.seconds);
  for (const formulas::Entry& entry : formulas::catalogue()) {
    if (formulas::is<formulas::NotYet>(entry) || formulas::is<formulas::AutomaticType>(entry)) continue;
    for (const char* form : {"", ", SI2"}) {
      if (*form != 0 ? !entry.si2 : !(entry.i3 || formulas::index2(entry))) continue;
      const std::string name = std::string(entry.keyword) + form;
      const Cost cost = name == "HHT" ? hht : least(name);
      if (!cost.ok) fmt::print("| {} | fails | | | | {} | {} |\n", name, entry.order, entry.stages);
      else
        fmt::print("| {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {} | {} |\n", name, cost.seconds / hht.seconds,
                   cost.iterations, cost.evaluations, cost.matrices, entry.order, entry.stages);
      std::fflush(stdout);
    }
  }
}

}  // namespace
}  // namespace trunnion::bench

int main(int count, char** words) {
  using namespace trunnion::bench;
  const std::string page = count > 1 ? words[1] : "";
  if (page == "andrews") andrews_page();
  else if (page == "predictors") predictors_page();
  else if (page == "cost") cost_page();
  else {
    fmt::print(stderr, "bench_formulas andrews|predictors|cost\n");
    return 1;
  }
  return 0;
}
