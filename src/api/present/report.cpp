#include "api/present/report.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "integrate/multistep.hpp"

namespace trunnion::api {

namespace {

std::string method_of(const analysis::DynamicSettings& s) {
  const char* formulation = s.formulation == model::Integrator::Formulation::si2 ? " SI2" : " I3";
  if (formulas::index2(*s.formula)) formulation = " I2";
  return std::string(s.formula->keyword) +
         (s.formula->si2 || formulas::index2(*s.formula) ? formulation : "");
}

const char* end_word(integrate::LoopEnd end, bool equal_steps) {
  using E = integrate::LoopEnd;
  switch (end) {
    case E::done: return "done";
    case E::event: return "stopped by a sensor";
    case E::interrupted: return "interrupted";
    case E::not_written: return "results could not be written";
    case E::step_too_small: return equal_steps ? "a step of the given length fails" : "step too small";
    case E::error_too_large: return "error above MAXERR";
    case E::inconsistent: return "no consistent state";
    case E::not_finite: return "not a number";
    case E::redundancy: return "constraints contradict";
  }
  return "";
}

std::string pattern_of(const analysis::DynamicSettings& s) {
  if (s.corrector.pattern.empty()) return "by need";
  std::string out;
  for (const char fresh : s.corrector.pattern)
    out += (out.empty() ? "" : ":") + std::string(fresh ? "T" : "F");
  return out;
}

constexpr const char* kReasons[solve::kNewMatrixReasons] = {
    "first", "asked for", "slow convergence", "failed corrector", "cheaper", "new pattern"};

template <class List> std::string histogram(const List& list, int offset, const char* form) {
  std::string out;
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (list[k] == 0) continue;
    out += fmt::format("{}{}: {}", out.empty() ? "" : ", ",
                       fmt::format(fmt::runtime(form), static_cast<int>(k) - offset), list[k]);
  }
  return out;
}

// As used; those that the user gave are marked.
std::string settings_of(const SimulationReport& r) {
  const analysis::DynamicSettings& s = r.settings;
  const auto given = [](double value) { return value > 0 ? " (given)" : ""; };
  std::string out = fmt::format(
      "HINIT = {:.3g}{}, HMAX = {:.3g}{}, HMIN = {:.3g}{}, MAXIT = {}, PATTERN {}, CORRECTOR {}, INTERPOLATE "
      "{}",
      r.used.hinit, given(s.hinit), r.used.hmax, given(s.hmax), r.used.hmin, given(s.hmin), s.corrector.maxit,
      pattern_of(s), s.corrector.all_variables ? "ORIGINAL" : "MODIFIED", s.interpolate ? "ON" : "OFF");
  if (s.h > 0) out += fmt::format(", H = {:.3g} (given)", s.h);
  const formulas::Parameters& p = s.parameters;
  if (p.rho_states && formulas::is<formulas::NewmarkType>(*s.formula))
    out += fmt::format(", RHO_STATES = {:.3g}", *p.rho_states);
  if (s.corrector.keep_redundant) out += ", AUGMENTED";
  switch (s.formula->damping) {
    case formulas::Damping::alpha: return out + fmt::format(", ALPHA = {:.3g}", p.alpha);
    case formulas::Damping::gamma:
      return out + fmt::format(", BETA = {:.3g}, GAMMA = {:.3g}", p.beta, p.gamma);
    case formulas::Damping::rho: return out + fmt::format(", RHO = {:.3g}", p.rho);
    case formulas::Damping::by_order:
      return out + fmt::format(", KMAX = {}", std::min(s.kmax, integrate::kHighestBdf));
    default: return out;
  }
}

// The five that most rejections are due to.
std::vector<std::pair<std::string, long>> worst_offenders(const integrate::LoopCounts& c) {
  std::vector<std::pair<std::string, long>> all(c.offenders.begin(), c.offenders.end());
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  constexpr std::size_t kShown = 5;
  if (all.size() > kShown) all.resize(kShown);
  return all;
}

// Over the simulation; the drift is what none of them explains: 0 in an exact one.
struct Balance {
  double dissipated = 0, work = 0, drift = 0;
};
Balance balance(const SimulationReport& r) {
  Balance b{r.spent_at_end.dissipated - r.spent_at_start.dissipated,
            r.spent_at_end.work - r.spent_at_start.work};
  b.drift = r.energy_at_end - r.energy_at_start + b.dissipated - b.work;
  return b;
}

}  // namespace

ModelSizes sizes_of(const system::System& system, const model::Model& model,
                    const analysis::AssemblyResult& assembled) {
  return {static_cast<int>(system.bodies().size()),
          system.layout().size(),
          system.layout().row_count(),
          static_cast<int>(assembled.redundant.size()),
          assembled.freedoms,
          model::left_out_text(model::left_out(model))};
}

Effort effort_of(const AnyReport& report) {
  if (const auto* path = std::get_if<PathReport>(&report)) return {path->steps, path->iterations};
  const analysis::DynamicResult& result = std::get<SimulationReport>(report).result;
  return {result.loop.counts.steps, result.corrector.iterations};
}

std::string termination(const SimulationReport& r) {
  const auto& c = r.result.loop.counts;
  const std::string seconds = fmt::format("{:.3g} s", r.result.seconds);
  if (r.result.ok)
    return fmt::format("t = {:.6g}: {} done in {} steps, {}", r.reached, method_of(r.settings), c.steps,
                       seconds);
  return fmt::format("t = {:.6g}: {} stopped ({}) after {} steps, {}; results up to here are kept", r.reached,
                     method_of(r.settings), end_word(r.result.loop.end, r.settings.constant), c.steps,
                     seconds);
}

// Who does it, and what to try.
static std::string remedy(const SimulationReport& r, bool gained, bool high_order) {
  const analysis::DynamicSettings& s = r.settings;
  const std::string name(s.formula->keyword);
  const formulas::Parameters& p = s.parameters;
  const bool bdf = formulas::is<formulas::Bdf>(*s.formula);
  const char* shorter = s.h > 0 ? "a smaller H" : "a smaller ERROR or HMAX";
  if (bdf && s.constant)  // no error control
    return gained && high_order
               ? name + " above order 2 feeds vibrations without damping: try KMAX = 2, HHT, or a smaller " +
                     (s.h > 0 ? "H" : "HINIT")
               : name + (s.h > 0 ? " with H has no error control: try a smaller H, or leave it out"
                                 : " has no error control: try a smaller HINIT, or GSTIFF");
  if (gained && bdf && high_order)
    return fmt::format("{} above order 2 feeds vibrations without damping: try KMAX = 2, HHT, or {}", name,
                       shorter);
  if (gained) return fmt::format("try {}", shorter);
  switch (s.formula->damping) {
    case formulas::Damping::gamma:
      if (p.gamma > 0.5)
        return fmt::format(
            "NEWMARK with GAMMA = {:.3g} damps every motion: try GAMMA = 0.5 with BETA = 0.25, HHT, or {}",
            p.gamma, s.h > 0 ? "a smaller H" : "a smaller ERROR");
      break;
    case formulas::Damping::alpha:
      return fmt::format("{} damps by itself (ALPHA = {:.3g}): try {}, or ALPHA nearer 0", name, p.alpha,
                         shorter);
    case formulas::Damping::rho:
      return fmt::format("{} damps by itself (RHO = {:.3g}): try {}, or RHO nearer 1", name, p.rho, shorter);
    default: break;
  }
  return fmt::format("{} damps what ERROR does not see: try {}", name, shorter);
}

std::string energy_astray(const analysis::EnergyDrift& drift, const SimulationReport& r, bool high_order) {
  constexpr double kTrusted = 0.1;
  const bool gained = drift.amount > 0;
  return fmt::format(
      "t = {:.6g}: the energy {} by {:.3g} {} that {}, {:.2g} % of the energy of the motion{}; {}", drift.t,
      gained ? "rose" : "fell", std::abs(drift.amount), r.energy_unit,
      gained ? "no force or motion put in" : "no force, damper or motion took", 100 * drift.part,
      drift.part > kTrusted ? ", and the results should not be trusted" : "", remedy(r, gained, high_order));
}

std::string open_constraint(const SimulationReport& r) {
  constexpr double kClosed = 1e-5, kPartOfError = 1e-2;  // of the model's size; radians
  const integrate::LoopCounts::Open& open = r.result.loop.counts.open;
  if (!(open.part > std::max(kClosed, kPartOfError * r.settings.error))) return {};
  return fmt::format(
      "t = {:.6g}: constraint violation: {} is off by {:.2g}, {:.2g} of the model's size; try a smaller "
      "ERROR or HMAX",
      open.t, open.row, open.phi, open.part);
}

static std::string sizes_text(const ModelSizes& m) {
  const std::string banner =
      m.left_out.empty() ? "" : fmt::format("\n  {:<16}{}", "NOT SIMULATED", m.left_out);
  return fmt::format("{} bodies, {} equations, {} constraint rows ({} redundant), {} freedoms{}", m.bodies,
                     m.equations, m.constraints, m.redundant, m.freedoms, banner);
}

std::string text(const PathReport& r) {
  return fmt::format(
      "  {:<16}{}\n  {:<16}{}, t = {:.6g} to {:.6g}\n  {:<16}{} steps, {} iterations, {:.3g} s", "model",
      sizes_text(r.model), "method", r.method, r.begin, r.reached, "work", r.steps, r.iterations, r.seconds);
}

static std::string solver_text(const solve::CorrectorCounts& n) {
  if (n.gave_up == 0) return std::string(n.solver);
  return fmt::format("{}; elimination without pivoting between blocks gave up {}", n.solver,
                     n.gave_up == 1 ? "once" : fmt::format("{} times", n.gave_up));
}

std::string text(const SimulationReport& r) {
  const auto& c = r.result.loop.counts;
  const auto& n = r.result.corrector;
  std::string out;
  const auto line = [&](const char* name, const std::string& value) {
    out += fmt::format("  {:<16}{}\n", name, value);
  };
  line("model", sizes_text(r.model));
  line("method", fmt::format("{}, ERROR = {:.3g}, h {:.2g} … {:.2g}", method_of(r.settings), r.settings.error,
                             c.smallest_h, c.largest_h));
  line("settings", settings_of(r));
  if (!n.evaluation.empty()) line("evaluation", n.evaluation);
  line("steps", fmt::format("{} accepted; rejected {} by error, {} by the corrector", c.steps,
                            c.rejected_by_error, c.rejected_by_corrector));
  std::string offenders;
  for (const auto& [who, count] : worst_offenders(c))
    offenders += fmt::format("{}{} ({})", offenders.empty() ? "" : ", ", who, count);
  if (!offenders.empty()) line("to blame", offenders);
  line("orders", histogram(c.order, 0, "{}"));
  line("step sizes", histogram(c.h_decade, 30, "1e{}"));
  line("corrector",
       fmt::format("{} iterations, {} evaluations, {} solves", n.iterations, n.evaluations, n.solves));
  std::string reasons;
  for (int k = 0; k < solve::kNewMatrixReasons; ++k) {
    if (n.matrices[k] > 0)
      reasons += fmt::format("{}{} {}", reasons.empty() ? "" : ", ", kReasons[k], n.matrices[k]);
  }
  line("Jacobians",
       fmt::format("{} refactored, {} with new pivots ({})", n.refactorisations, n.factorisations, reasons));
  if (!n.solver.empty()) line("linear solver", solver_text(n));
  line("worst |phi|", fmt::format("{:.2e}", c.worst_violation));
  line("energy", fmt::format("{:.9g} at the start, {:.9g} at the end (kinetic + potential, {})",
                             r.energy_at_start, r.energy_at_end, r.energy_unit));
  const Balance b = balance(r);
  line("energy balance", fmt::format("dissipated {:.6g}, work put in {:.6g}; {:.3g} unaccounted for",
                                     b.dissipated, b.work, b.drift));
  line("time", fmt::format("{:.3g} s: evaluating {:.3g}, factoring {:.3g}, solving {:.3g}, output {:.3g} (of "
                           "it {:.3g} to make rows satisfy all equations)",
                           r.result.seconds, r.result.seconds_evaluating, r.result.seconds_factoring,
                           r.result.seconds_solving, c.seconds_output, c.seconds_reconciling));
  return out;
}

namespace {

using Json = nlohmann::ordered_json;

// For a banner wherever the results are shown.
void add_left_out(const std::vector<model::LeftOut>& left_out, Json& j) {
  if (left_out.empty()) return;
  Json counts = Json::object();
  for (const model::LeftOut& out : left_out) counts[std::string(out.keyword)] = out.count;
  j["left_out"] = {{"text", model::left_out_text(left_out)}, {"statements", counts}};
}

// What every kind of report begins with.
template <class Report>
Json head_of(const Report& r, const char* ended, const std::vector<core::Words>& messages) {
  Json j;
  j["begin"] = r.begin;
  j["end"] = r.end;
  j["reached"] = r.reached;
  j["ended"] = ended;
  j["messages"] = std::vector<std::string>(messages.begin(), messages.end());
  j["model"] = {{"bodies", r.model.bodies},
                {"equations", r.model.equations},
                {"constraint_rows", r.model.constraints},
                {"redundant_rows", r.model.redundant},
                {"freedoms", r.model.freedoms}};
  return j;
}

Json json_of(const PathReport& r) {
  Json j = head_of(r, r.interrupted ? "interrupted" : r.ok ? "done" : "failed", r.messages);
  j["method"] = {{"name", r.method}};
  j["steps"] = {{"accepted", r.steps}};
  j["iterations"] = r.iterations;
  j["seconds"] = {{"all", r.seconds}};
  return j;
}

Json json_of(const SimulationReport& r) {
  const auto& c = r.result.loop.counts;
  const auto& n = r.result.corrector;
  Json j = head_of(r, end_word(r.result.loop.end, r.settings.constant), r.result.loop.messages);
  j["method"] = {{"name", method_of(r.settings)}, {"error", r.settings.error}, {"kmax", r.settings.kmax}};
  j["settings"] = {{"hinit", r.used.hinit},
                   {"hmax", r.used.hmax},
                   {"hmin", r.used.hmin},
                   {"maxit", r.settings.corrector.maxit},
                   {"pattern", pattern_of(r.settings)},
                   {"text", settings_of(r)}};
  j["steps"] = {{"accepted", c.steps},
                {"rejected_by_error", c.rejected_by_error},
                {"begun_afresh", c.begun_afresh},
                {"rejected_by_corrector", c.rejected_by_corrector},
                {"smallest_h", c.smallest_h},
                {"largest_h", c.largest_h}};
  Json orders = Json::object(), sizes = orders, reasons = orders;
  for (std::size_t k = 0; k < c.order.size(); ++k) {
    if (c.order[k] > 0) orders[std::to_string(k)] = c.order[k];
  }
  for (std::size_t k = 0; k < c.h_decade.size(); ++k) {
    if (c.h_decade[k] > 0) sizes[fmt::format("1e{}", static_cast<int>(k) - 30)] = c.h_decade[k];
  }
  for (int k = 0; k < solve::kNewMatrixReasons; ++k) reasons[kReasons[k]] = n.matrices[k];
  Json offenders = Json::array();
  for (const auto& [who, count] : worst_offenders(c))
    offenders.push_back({{"who", who}, {"rejections", count}});
  j["offenders"] = offenders;
  Json contacts = Json::array();
  for (const ContactHistory& h : r.contacts)
    contacts.push_back({{"who", std::string(h.contact)},
                        {"touches", h.touches},
                        {"touching_at_end", h.touching},
                        {"touched", h.touched},
                        {"released", h.released}});
  if (!contacts.empty()) j["contacts"] = contacts;
  j["orders"] = orders;
  j["step_sizes"] = sizes;
  j["corrector"] = {{"iterations", n.iterations}, {"evaluations", n.evaluations}, {"solves", n.solves}};
  if (!n.evaluation.empty()) j["evaluation"] = n.evaluation;
  j["jacobians"] = {{"refactored", n.refactorisations},
                    {"pivoted", n.factorisations},
                    {"combined", n.combined},
                    {"reasons", reasons}};
  j["linear_solver"] = {{"name", n.solver}, {"gave_up", n.gave_up}};
  j["worst_constraint_violation"] = c.worst_violation;
  j["energy"] = {{"start", r.energy_at_start}, {"end", r.energy_at_end}, {"unit", r.energy_unit}};
  const Balance b = balance(r);
  j["energy"].update({{"dissipated", b.dissipated}, {"work", b.work}, {"balance_drift", b.drift}});
  j["seconds"] = {{"all", r.result.seconds},
                  {"evaluating", r.result.seconds_evaluating},
                  {"factoring", r.result.seconds_factoring},
                  {"solving", r.result.seconds_solving},
                  {"output", c.seconds_output},
                  {"output_reconciling", c.seconds_reconciling}};
  return j;
}

}  // namespace

std::string json(const std::vector<AnyReport>& reports, const Notices& notices,
                 const std::vector<model::LeftOut>& left_out) {
  Json all = Json::array();
  for (const AnyReport& report : reports)
    all.push_back(std::visit([](const auto& r) { return json_of(r); }, report));
  Json j;
  add_left_out(left_out, j);
  j["simulations"] = all;
  j["warnings"] = notices.warnings();
  j["errors"] = notices.errors();
  return j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string settings_json(const Project& project, const RunOptions& options) {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char date[32];
  std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
  nlohmann::ordered_json j;
  j["started"] = date;
  j["model_file"] = project.model_path;
  j["script_file"] = project.script_path;
  j["channels"] = options.output.channels.empty() ? "*" : options.output.channels;
  if (project.model) add_left_out(model::left_out(*project.model), j);
  return j.dump(2) + "\n";
}

}  // namespace trunnion::api
