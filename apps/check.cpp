#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "api/present/summary.hpp"
#include "api/session/run.hpp"
#include "apps/commands.hpp"
#include "apps/terminal.hpp"
#include "core/text.hpp"

namespace trunnion::apps {

namespace {

constexpr std::size_t kListed = 40;  // bodies and joints shown by name; --json has them all

std::string units_text(const model::UnitSystem& units) {
  if (!units.named()) return fmt::format("none given, UCF = {}", core::number_text(units.ucf));
  std::string out = fmt::format("{}, {}, {}, {}", units.force, units.mass, units.length, units.time);
  if (units.ucf != 1) out += fmt::format(" (force × {:.10g} = mass × acceleration)", units.ucf);
  return out;
}

std::string counts_text(const std::vector<api::CountSummary>& counts) {
  std::string out;
  std::size_t column = 0;
  for (const api::CountSummary& c : counts) {
    const std::string one = fmt::format("{} {}", c.keyword, c.count);
    if (column + one.size() > 84) {
      out += "\n             ";
      column = 0;
    }
    out += (column == 0 ? "" : ", ") + one;
    column += one.size() + 2;
  }
  return out;
}

std::string summary_text(const api::Project& project, const api::Summary& s) {
  std::string out;
  out += fmt::format("model        {}\ntitle        {}\nunits        {}\n", project.model_path,
                     core::printable(s.title), units_text(s.units));
  out += fmt::format("statements   {}\n", counts_text(s.counts));
  std::size_t width = 0;
  for (const auto& b : s.bodies) width = std::max(width, b.label.size());
  for (const auto& c : s.constraints) width = std::max(width, c.label.size());
  width = std::min<std::size_t>(width, 48);
  out += fmt::format("\nbodies       {} with a total mass of {:.10g}{}\n", s.bodies.size(), s.mass,
                     s.flexible_bodies > 0 ? ", without flexible bodies" : "");
  for (std::size_t i = 0; i < s.bodies.size() && i < kListed; ++i) {
    const api::BodySummary& b = s.bodies[i];
    const std::string mass =
        b.kind == "ground" || b.mass == 0 ? std::string() : fmt::format("mass {:.10g}", b.mass);
    const char* massless = b.mass == 0 && b.freedoms > 0 && b.also.empty() ? "massless" : "";
    const std::string also = mass.empty() || b.also.empty() ? b.also : ", " + b.also;
    out += fmt::format("  {:<{}}  {:<13} {}{}{}\n", b.label, width, b.kind, mass, massless, also);
  }
  if (s.bodies.size() > kListed)
    out += fmt::format("  … and {} more (--json lists all)\n", s.bodies.size() - kListed);
  out += fmt::format("\nconstraints  {}\n", s.constraints.size());
  for (std::size_t i = 0; i < s.constraints.size() && i < kListed; ++i) {
    const api::ConstraintSummary& c = s.constraints[i];
    out += fmt::format("  {:<{}}  {:<13} {} equation{}{}\n", c.label, width, c.type, c.rows,
                       c.rows == 1 ? " " : "s", c.between.empty() ? "" : "   " + c.between);
  }
  if (s.constraints.size() > kListed)
    out += fmt::format("  … and {} more (--json lists all)\n", s.constraints.size() - kListed);
  out += fmt::format(
      "\nfreedom      {} degrees of freedom of the bodies − {} equations = {} (Gruebler's count{})\n",
      s.freedoms, s.equations, s.gruebler(),
      s.flexible_bodies > 0 ? fmt::format("; without the modes of {} flexible bod{}", s.flexible_bodies,
                                          s.flexible_bodies == 1 ? "y" : "ies")
                            : "");
  if (s.gruebler() < 0) out += "             negative: some constraints must be redundant\n";
  if (!s.frictions.empty()) out += fmt::format("\nfriction     {}\n", s.frictions.size());
  for (std::size_t i = 0; i < s.frictions.size() && i < kListed; ++i) {
    const api::FrictionSummary& f = s.frictions[i];
    out += fmt::format(
        "  {:<{}}  {}{}\n", f.label, width, f.joint,
        f.defaults.empty() ? "" : "; taken by default: " + fmt::format("{}", fmt::join(f.defaults, ", ")));
  }
  if (s.frictions.size() > kListed)
    out += fmt::format("  … and {} more (--json lists all)\n", s.frictions.size() - kListed);
  return out;
}

std::string assembly_text(const api::AssemblyReport& report) {
  std::string out;
  if (!report.compiled) {
    out += "\nassembly     not tried\n";
  } else if (!report.assembled) {
    out += "\nassembly     the model does not assemble\n";
  } else {
    out += fmt::format(
        "\nassembly     the model assembles; {} true degree{} of freedom, {} redundant equation{}\n",
        report.freedoms, report.freedoms == 1 ? "" : "s", report.redundant_count,
        report.redundant_count == 1 ? "" : "s");
  }
  for (const std::string& line : report.redundant) out += "  " + line + "\n";
  if (report.redundant.size() < report.redundant_count) out += "  (--all lists each of them)\n";
  if (report.assembled) {
    for (const std::string& line : report.messages) out += "  " + line + "\n";
  }
  return out;
}

std::string script_text(const api::Project& project) {
  std::string out =
      fmt::format("\ncommands     {}: {}\n", project.script_path, project.script->commands.size());
  return out;
}

nlohmann::json place_json(const api::Project& project, core::Span span) {
  if (!span.known()) return nullptr;
  const core::SourceFile& file = project.sources.file(span.file);
  const core::LineColumn at = file.position(span.begin);
  return {{"file", file.path()}, {"line", at.line}, {"column", at.column}};
}

nlohmann::json findings_json(const api::Project& project, const std::vector<core::Diagnostic>& findings) {
  nlohmann::json out = nlohmann::json::array();
  for (const core::Diagnostic& d : findings) {
    out.push_back({{"severity", d.severity == core::Severity::error ? "error" : "warning"},
                   {"at", place_json(project, d.span)},
                   {"subject", d.subject},
                   {"message", d.message},
                   {"hint", d.hint}});
  }
  return out;
}

nlohmann::json counts_json(const std::vector<api::CountSummary>& counts) {
  nlohmann::json out = nlohmann::json::object();
  for (const api::CountSummary& c : counts) out[std::string(c.keyword)] = c.count;
  return out;
}

nlohmann::json summary_json(const api::Project& project, const api::Summary& s) {
  nlohmann::json bodies = nlohmann::json::array();
  for (const auto& b : s.bodies)
    bodies.push_back({{"name", b.label}, {"kind", b.kind}, {"mass", b.mass}, {"freedoms", b.freedoms}});
  nlohmann::json constraints = nlohmann::json::array();
  for (const auto& c : s.constraints) {
    constraints.push_back(
        {{"name", c.label}, {"type", c.type}, {"between", c.between}, {"equations", c.rows}});
  }
  nlohmann::json frictions = nlohmann::json::array();
  for (const auto& f : s.frictions)
    frictions.push_back({{"name", f.label}, {"joint", f.joint}, {"defaults", f.defaults}});
  return {{"file", project.model_path},
          {"title", s.title},
          {"units",
           {{"force", s.units.force},
            {"mass", s.units.mass},
            {"length", s.units.length},
            {"time", s.units.time},
            {"ucf", s.units.ucf}}},
          {"statements", counts_json(s.counts)},
          {"bodies", bodies},
          {"mass", s.mass},
          {"constraints", constraints},
          {"frictions", frictions},
          {"gruebler", s.gruebler()},
          {"read_not_acted_on", counts_json(s.not_acted_on)}};
}

// The commands gone through as `run` would, without simulating: what it would refuse, and what it would warn of.
struct Trial {
  api::RunResult result;
  std::vector<std::string> lines;
  std::size_t errors = 0, warnings = 0;
  bool refused() const { return errors > 0; }
};

std::size_t times_in(std::string_view text, std::string_view word) {
  std::size_t times = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + word.size())) ++times;
  return times;
}

Trial rehearse(const CheckOptions& options, const api::Project& project) {
  Trial trial;
  if (!project.model || !project.ok()) return trial;
  api::RunOptions run;
  run.rehearse = true;
  run.verbose = options.all;
  run.user_libraries = options.user_libraries;
  run.ignore_user = options.ignore_user;
  run.allow_model_code = options.allow_model_code;
  trial.result = api::run(project, run, [&](const std::string& line) {
    trial.errors += times_in(line, "error: ");  // what the compiler found comes in one piece
    trial.warnings += times_in(line, "warning: ");
    trial.lines.push_back(line.ends_with('\n') ? line.substr(0, line.size() - 1) : line);
  });
  // Whatever the words: what run would not carry out is an error.
  if (trial.result.status != api::RunStatus::done) trial.errors = std::max<std::size_t>(trial.errors, 1);
  return trial;
}

void print_json(const api::Project& project, const Trial& trial) {
  nlohmann::json out;
  out["errors"] = project.diagnostics.error_count() + trial.errors;
  out["warnings"] = project.diagnostics.warning_count() + trial.warnings;
  out["findings"] = findings_json(project, project.diagnostics.all());
  if (project.model) out["model"] = summary_json(project, api::summarise(*project.model));
  if (project.model && project.ok()) {
    const api::AssemblyReport& first = trial.result.first;
    out["assembly"] = {{"compiled", first.compiled},
                       {"assembled", first.assembled},
                       {"freedoms", first.freedoms},
                       {"redundant", first.redundant},
                       {"messages", std::vector<std::string>(first.messages.begin(), first.messages.end())},
                       {"idle", first.idle}};
    out["rehearsal"] = {{"refused", trial.refused()}, {"messages", trial.lines}};
  }
  if (project.script)
    out["script"] = {{"file", project.script_path}, {"commands", project.script->commands.size()}};
  // Latin-1 bytes in titles and names must not stop the output.
  print(stdout, out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

std::string verdict(std::size_t errors, std::size_t warnings) {
  const auto count = [](std::size_t n, const char* what) {
    return fmt::format("{} {}{}", n == 0 ? "no" : fmt::format("{}", n), what, n == 1 ? "" : "s");
  };
  return fmt::format("{}, {}\n", count(errors, "error"), count(warnings, "warning"));
}

void print_text(const api::Project& project, const Trial& trial) {
  print_diagnostics(project);
  if (project.model && project.ok()) {
    print(stdout, summary_text(project, api::summarise(*project.model)));
    print(stdout, assembly_text(trial.result.first));
  }
  if (project.script && project.ok()) print(stdout, script_text(project));
  if (!trial.lines.empty()) print(stdout, "\n");
  for (const std::string& line : trial.lines) print(trial.refused() ? stderr : stdout, line + "\n");
  const bool good = project.ok() && !trial.refused();
  print(good ? stdout : stderr,
        (project.ok() ? "\n" : "") + verdict(project.diagnostics.error_count() + trial.errors,
                                             project.diagnostics.warning_count() + trial.warnings));
}

}  // namespace

int check(const CheckOptions& options) {
  const api::Project project = api::load_project(options.files);
  const Trial trial = rehearse(options, project);
  if (options.json) print_json(project, trial);
  else print_text(project, trial);
  if (!project.ok() || trial.refused()) return kErrors;
  return options.strict && project.diagnostics.warning_count() + trial.warnings > 0 ? kWarnings : kOk;
}

}  // namespace trunnion::apps
