#include "api/present/formulas.hpp"

#include <algorithm>
#include <cctype>
#include <complex>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "formulas/bdf.hpp"
#include "formulas/catalogue.hpp"

namespace trunnion::api {

namespace {

using formulas::Damping;
using formulas::Entry;

int find(std::string_view keyword) {
  std::string upper(keyword);
  std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return std::toupper(c); });
  return formulas::index_of(upper);
}

bool there(const Entry& entry) { return !formulas::is<formulas::NotYet>(entry); }

const char* family_of(const Entry& entry) {
  struct Name {
    const char* operator()(const formulas::Bdf&) const { return "multistep, variable order"; }
    const char* operator()(const formulas::NewmarkType&) const { return "Newmark type"; }
    const char* operator()(const formulas::StagedType& type) const {
      return type.table(0.5).past > 0 ? "linear multistep" : "stages one after the other";
    }
    const char* operator()(const formulas::SingleStepType&) const {
      return "single step with auxiliary rates";
    }
    const char* operator()(const formulas::CollocationType&) const { return "stages solved together"; }
    const char* operator()(const formulas::ExplicitType&) const { return "explicit stages"; }
    const char* operator()(const formulas::AdamsType& type) const {
      return type.two_loops ? "Adams, corrector iterated" : "Adams, variable order";
    }
    const char* operator()(const formulas::AutomaticType&) const {
      return "explicit or implicit, by the motion";
    }
    const char* operator()(const formulas::NotYet&) const { return "not in this version"; }
  };
  return std::visit(Name{}, entry.family);
}

std::string damping_of(const Entry& entry) {
  switch (entry.damping) {
    case Damping::by_order: return "KMAX";
    case Damping::alpha: return "ALPHA";
    case Damping::gamma: return "GAMMA";
    case Damping::rho: return fmt::format("RHO ({:g})", entry.rho);
    case Damping::fixed: return "full";
    case Damping::none: return "none";
  }
  return "";
}

const char* steps_of(const Entry& entry) {
  switch (entry.step) {
    case formulas::Steps::controlled: return "by ERROR";
    case formulas::Steps::restart: return "equal";
    case formulas::Steps::fixed: return "fixed";
  }
  return "";
}

const char* forms_of(const Entry& entry) {
  if (formulas::on_independent_coordinates(entry)) return "indep.";
  if (formulas::is<formulas::AutomaticType>(entry)) return "both";
  if (formulas::index2(entry)) return "I2";
  return entry.si2 ? "I3, SI2" : "I3";
}

std::string numbers(std::string_view name, std::span<const double> values) {
  std::string out = fmt::format("  {:10}", name);
  for (const double value : values) out += fmt::format(" {:>21.16g}", value);
  return out + "\n";
}

std::string table_text(const formulas::StagedTable& table) {
  std::string out =
      "y_k = Σ a_j y_j + h (Σ b_j ẏ_j + b_k ẏ_k); j: the newest point, older ones, earlier stages\n";
  for (int k = 0; k < table.stages; ++k) {
    const formulas::StageRow& row = table.rows[static_cast<std::size_t>(k)];
    const auto count = static_cast<std::size_t>(table.place(k));
    out += fmt::format("stage {} at t + {:.16g} h\n", k + 1, row.c);
    out += numbers("a", std::span(row.a).first(count)) + numbers("b", std::span(row.b).first(count)) +
           numbers("own rate", std::span(&row.implicit, 1));
  }
  if (table.embedded)
    out += fmt::format("embedded solution of order {}\n", table.embedded_order) +
           numbers("b", std::span(table.embedded_weights).first(static_cast<std::size_t>(table.stages) + 1));
  return out;
}

std::string table_text(const formulas::SingleStepTable& table) {
  std::string out = "γ of the auxiliary rates\n";
  for (int k = 0; k < 2 * table.steps - 1; ++k)
    out += fmt::format("  γ{} = {:.16g} {:+.16g} i\n", k, table.gamma[static_cast<std::size_t>(k)].real(),
                       table.gamma[static_cast<std::size_t>(k)].imag());
  return out;
}

std::string table_text(const formulas::NewmarkTable& table) {
  return fmt::format("β = {:.16g}, γ = {:.16g}, αm = {:.16g}, αf = {:.16g}\n", table.beta, table.gamma,
                     table.alpha_m, table.alpha_f);
}

std::string table_text(const formulas::CollocationTable& table) {
  std::string out = "Y = y + h (start ẏ + A Ẏ), y + h Σ b_j Ẏ_j\n";
  for (int k = 0; k < table.stages; ++k) {
    const Eigen::VectorXd row = table.A.row(k);
    out += fmt::format("stage {} at t + {:.16g} h\n", k + 1, table.c[k]) +
           numbers("start", std::span(&table.start[k], 1)) +
           numbers("A", std::span(row.data(), static_cast<std::size_t>(row.size())));
  }
  out += numbers("b", std::span(table.b.data(), static_cast<std::size_t>(table.b.size())));
  return out;
}

std::string table_text(const formulas::ExplicitTable& table) {
  std::string out = "Y_k = y + h Σ A_kj Ẏ_j, y + h Σ b_j Ẏ_j\n";
  const auto row = [](std::string_view name, const Eigen::VectorXd& values, int count) {
    return numbers(name, std::span(values.data(), static_cast<std::size_t>(count)));
  };
  for (int k = 0; k < table.stages; ++k)
    out += fmt::format("stage {} at t + {:.16g} h\n", k + 1, table.c[k]) + row("A", table.A.row(k), k);
  out += row("b", table.b, table.stages);
  out += fmt::format("b less an embedded solution of order {}\n", table.embedded_order) +
         row("error", table.error, table.stages);
  if (table.second_order > 0)
    out += fmt::format("b less an embedded solution of order {}\n", table.second_order) +
           row("error", table.second_error, table.stages);
  return out;
}

std::string bdf_text() {
  std::string out = "Σ a_j y_j = h ẏ_0 at equal steps; j: the new point, older ones\n";
  for (int k = 1; k <= formulas::kHighestBdfOrder; ++k) {
    out += fmt::format(
        "order {}: a vibration is damped at any step within {:.2f} degrees of the negative axis\n", k,
        formulas::bdf_angle(k));
    out += numbers("a", formulas::bdf_weights(k));
  }
  return out;
}

std::string table_of(const Entry& entry, const formulas::Parameters& p) {
  if (formulas::is<formulas::Bdf>(entry)) return bdf_text();
  if (const auto* type = std::get_if<formulas::NewmarkType>(&entry.family)) return table_text(type->table(p));
  if (const auto* type = std::get_if<formulas::StagedType>(&entry.family))
    return table_text(type->table(p.rho));
  if (const auto* type = std::get_if<formulas::SingleStepType>(&entry.family))
    return table_text(type->table(p.rho));
  if (const auto* type = std::get_if<formulas::CollocationType>(&entry.family))
    return table_text(type->table(p.rho));
  if (const auto* type = std::get_if<formulas::ExplicitType>(&entry.family)) return table_text(type->table());
  return {};
}

std::vector<std::string> conditions_met(const Entry& entry) {
  if (formulas::is<formulas::ExplicitType>(entry)) return {"order", "order of the embedded solutions"};
  if (formulas::is<formulas::Bdf>(entry))
    return {"order", "stability of every order, A-stability of 1 and 2"};
  if (entry.damping == Damping::gamma) return {};  // BETA and GAMMA are the user's: nothing is promised
  if (formulas::is<formulas::NewmarkType>(entry))
    return {"order", "A-stability", "spectral radius at infinity"};
  return {"consistency", "order", "stage order", "A-stability", "spectral radius at infinity"};
}

std::vector<std::string> failed_of(const Entry& entry, const formulas::Parameters& p) {
  return formulas::is<formulas::Bdf>(entry) ? formulas::bdf_conditions()
                                            : formulas::failed_conditions(entry, p);
}

formulas::Parameters parameters_of(const Entry& entry, double rho) {
  formulas::Parameters p;
  p.rho = rho >= 0 ? std::min(rho, entry.largest_rho) : entry.rho;
  return p;
}

nlohmann::json json_of(const formulas::NewmarkTable& t) {
  return {{"beta", t.beta}, {"gamma", t.gamma}, {"alpha_m", t.alpha_m}, {"alpha_f", t.alpha_f}};
}

nlohmann::json json_of(const formulas::StagedTable& table) {
  nlohmann::json j = {{"stages", nlohmann::json::array()}};
  for (int k = 0; k < table.stages; ++k) {
    const formulas::StageRow& row = table.rows[static_cast<std::size_t>(k)];
    j["stages"].push_back({{"c", row.c},
                           {"a", std::vector<double>(row.a.begin(), row.a.begin() + table.place(k))},
                           {"b", std::vector<double>(row.b.begin(), row.b.begin() + table.place(k))},
                           {"own_rate", row.implicit}});
  }
  if (table.embedded)
    j["embedded"] = {{"order", table.embedded_order},
                     {"b", std::vector<double>(table.embedded_weights.begin(),
                                               table.embedded_weights.begin() + table.stages + 1)}};
  return j;
}

nlohmann::json json_of(const formulas::SingleStepTable& table) {
  nlohmann::json gamma = nlohmann::json::array();
  for (int k = 0; k < 2 * table.steps - 1; ++k) {
    const std::complex<double> g = table.gamma[static_cast<std::size_t>(k)];
    gamma.push_back({g.real(), g.imag()});
  }
  return {{"gamma", gamma}};
}

std::vector<double> values_of(const Eigen::VectorXd& v) { return {v.data(), v.data() + v.size()}; }

nlohmann::json rows_of(const Eigen::MatrixXd& matrix) {
  nlohmann::json rows = nlohmann::json::array();
  for (int k = 0; k < matrix.rows(); ++k) rows.push_back(values_of(matrix.row(k)));
  return rows;
}

nlohmann::json json_of(const formulas::CollocationTable& t) {
  return {{"c", values_of(t.c)}, {"start", values_of(t.start)}, {"A", rows_of(t.A)}, {"b", values_of(t.b)}};
}

nlohmann::json json_of(const formulas::ExplicitTable& t) {
  return {{"c", values_of(t.c)}, {"A", rows_of(t.A)}, {"b", values_of(t.b)}, {"error", values_of(t.error)}};
}

nlohmann::json bdf_json() {
  nlohmann::json orders = nlohmann::json::array();
  for (int k = 1; k <= formulas::kHighestBdfOrder; ++k)
    orders.push_back({{"order", k}, {"a", formulas::bdf_weights(k)}, {"angle", formulas::bdf_angle(k)}});
  return {{"orders", orders}};
}

nlohmann::json table_json(const Entry& entry, const formulas::Parameters& p) {
  if (formulas::is<formulas::Bdf>(entry)) return bdf_json();
  if (const auto* type = std::get_if<formulas::NewmarkType>(&entry.family)) return json_of(type->table(p));
  if (const auto* type = std::get_if<formulas::StagedType>(&entry.family)) return json_of(type->table(p.rho));
  if (const auto* type = std::get_if<formulas::SingleStepType>(&entry.family))
    return json_of(type->table(p.rho));
  if (const auto* type = std::get_if<formulas::CollocationType>(&entry.family))
    return json_of(type->table(p.rho));
  if (const auto* type = std::get_if<formulas::ExplicitType>(&entry.family)) return json_of(type->table());
  return {};
}

nlohmann::json json_of(const Entry& entry) {
  nlohmann::json j = {{"keyword", entry.keyword},       {"family", family_of(entry)},
                      {"order", entry.order},           {"steps", entry.steps},
                      {"stages", entry.stages},         {"what", entry.help},
                      {"good_for", entry.good_for},     {"damping", damping_of(entry)},
                      {"step_length", steps_of(entry)}, {"in_this_version", there(entry)}};
  j["formulations"] = nlohmann::json::array();
  if (formulas::on_independent_coordinates(entry) || formulas::is<formulas::AutomaticType>(entry))
    j["formulations"].push_back("independent coordinates");
  else if (formulas::index2(entry)) j["formulations"].push_back("I2");
  else if (entry.i3) j["formulations"].push_back("I3");
  if (entry.si2) j["formulations"].push_back("SI2");
  if (entry.damping == Damping::rho) j["rho"] = {{"default", entry.rho}, {"largest", entry.largest_rho}};
  return j;
}

}  // namespace

std::string formula_list() {
  std::string out = fmt::format("{:16} {:>5} {:>5} {:>6}  {:8} {:11} {:9} {}\n", "INTEGRATOR/", "order",
                                "steps", "stages", "forms", "damping by", "steps", "good for");
  for (const Entry& entry : formulas::catalogue()) {
    if (!there(entry)) continue;
    out +=
        fmt::format("{:16} {:>5} {:>5} {:>6}  {:8} {:11} {:9} {}\n", entry.keyword, entry.order, entry.steps,
                    entry.stages, forms_of(entry), damping_of(entry), steps_of(entry), entry.good_for);
  }
  return out +
         "\nRHO is what a step leaves of the fastest vibrations: 0 damps them at once, 1 not at all (its "
         "default in brackets).\n"
         "Forms: index 3 (I3), stabilized index 2 (SI2), independent coordinates (indep.), which suit motion "
         "that is not stiff.\n"
         "H = … fixes the step of any of them. `trunnion formulas NAME` shows a formula's numbers and what "
         "proves them.\n";
}

std::string formula_details(std::string_view keyword, double rho) {
  const int index = find(keyword);
  if (index < 0) return {};
  const Entry& entry = formulas::entry(index);
  const formulas::Parameters p = parameters_of(entry, rho);
  std::string out =
      fmt::format("INTEGRATOR/{}: {}\n  {}\n  order {}, {} {}, {} {}, {}\n", entry.keyword, entry.help,
                  family_of(entry), entry.order, entry.steps, entry.steps == 1 ? "step" : "steps",
                  entry.stages, entry.stages == 1 ? "stage" : "stages", forms_of(entry));
  if (!there(entry)) return out;
  out += fmt::format("  good for: {}\n", entry.good_for);
  const std::string table = table_of(entry, p);
  if (table.empty()) return out;
  if (entry.damping == Damping::rho) out += fmt::format("\nwith RHO = {:g}\n", p.rho);
  out += table;
  const std::vector<std::string> failed = failed_of(entry, p);
  const std::vector<std::string> met = conditions_met(entry);
  if (failed.empty() && !met.empty()) out += fmt::format("conditions met: {}\n", fmt::join(met, ", "));
  for (const std::string& condition : failed) out += "condition FAILED: " + condition + "\n";
  return out;
}

static std::string details_json(const Entry& entry, double rho) {
  const formulas::Parameters p = parameters_of(entry, rho);
  nlohmann::json j = json_of(entry);
  if (entry.damping == Damping::rho) j["rho"]["used"] = p.rho;
  const nlohmann::json table = table_json(entry, p);
  if (!table.is_null()) {
    const std::vector<std::string> failed = failed_of(entry, p);
    j["table"] = table;
    j["conditions"] = {{"met", failed.empty() ? conditions_met(entry) : std::vector<std::string>()},
                       {"failed", failed}};
  }
  return j.dump(2) + "\n";
}

std::string formulas_json(std::string_view keyword, double rho) {
  if (!keyword.empty()) {
    const int index = find(keyword);
    return index < 0 ? std::string() : details_json(formulas::entry(index), rho);
  }
  nlohmann::json all = nlohmann::json::array();
  for (const Entry& entry : formulas::catalogue()) all.push_back(json_of(entry));
  return all.dump(2) + "\n";
}

std::string nearest_formula(std::string_view keyword) {
  std::string upper(keyword);
  std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return std::toupper(c); });
  std::vector<std::string_view> names;
  for (const Entry& entry : formulas::catalogue()) names.push_back(entry.keyword);
  return std::string(core::nearest(upper, names).value_or(""));
}

}  // namespace trunnion::api
