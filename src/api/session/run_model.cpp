// The model of a run and where it is: assembly, ACTIVATE and DEACTIVATE, SAVE and RELOAD.

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "api/present/eprint.hpp"
#include "api/present/inactive_statements.hpp"
#include "api/present/redundant.hpp"
#include "api/session/runner.hpp"
#include "api/view/flexible.hpp"
#include "elements/body.hpp"
#include "lang/writer.hpp"
#include "system/compile/compile.hpp"

namespace trunnion::api {

// The system of the model as it is now, with the state carried over.
bool Runner::compile() {
  switch (session_.compile()) {
    case Session::Compiled::as_before: return true;
    case Session::Compiled::failed:
      voice_.say(session_.diagnostics());
      if (result_.status == RunStatus::done) result_.status = RunStatus::refused;
      return false;
    case Session::Compiled::anew: break;
  }
  voice_.say(session_.diagnostics());
  say_idle();
  return output_.open(session_.system(), session_.model(), [this] { return texts(); }) ||
         fail(output_.error());
}

void Runner::say_idle() {
  bool fresh = false;
  for (const std::string& line : inactive_lines(system())) {
    if (!said_idle_.insert(line).second) continue;
    voice_.warn(line);
    fresh = true;
  }
  if (!fresh) return;
  std::vector<core::Words> contacts;
  for (const system::Idle& idle : system().idle()) {
    if (idle.left_out) result_.left_out.push_back(idle.label);
    if (idle.label.subject().kind == model::kind_of<model::Contact>()) contacts.push_back(idle.label);
  }
  voice_.say_places(contacts);
}

results::StoreTexts Runner::texts() const {
  results::StoreTexts texts;
  texts.model = lang::write_model(session_.model());
  if (project_.script) texts.script = lang::write_script(*project_.script);
  texts.settings = settings_json(project_, options_);
  texts.flexible =
      flexible_bodies(session_.model(), std::filesystem::path(project_.model_path).parent_path().string());
  return texts;
}

bool Runner::assemble(analysis::Upto upto) {
  if (!compile()) return false;
  if (session_.assembled()) return true;
  session_.assemble(upto, assembly_listener());
  if (options_.rehearse && !adrift_) note_first();
  if (adrift_ && !place().ok) {  // from the true place it may well assemble
    place().ok = true;
    session_.keep();
  }
  say_outcome(place());
  if (!place().ok) return false;
  last_phase_ = results::Phase::initial_conditions;
  voice_.say(fmt::format("t = {:.6g}: assembled in {} iteration{}, {} degree{} of freedom", place().state.t,
                         place().iterations, place().iterations == 1 ? "" : "s", place().freedoms,
                         place().freedoms == 1 ? "" : "s"));
  tell_redundant();
  if (debug_on(&model::Debug::dof)) voice_.say(freedom_line(system(), place()));
  if (debug_on(&model::Debug::topology)) voice_.say_all(topology_lines(session_.model()));
  return true;
}

// INITIAL_CONDITIONS, DISPLACEMENT or VELOCITY: the lower levels only, and no row of results.
bool Runner::only_upto(analysis::Upto upto) {
  if (!compile()) return false;
  if (adrift_) return true;
  const analysis::AssemblyResult result = session_.prepare(upto, assembly_listener());
  say_outcome(result);
  if (!result.ok) return false;
  voice_.say(fmt::format("t = {:.6g}: positions{} are consistent", session_.time(),
                         upto == analysis::Upto::positions ? "" : " and velocities"));
  return true;
}

analysis::ConstraintListener Runner::assembly_listener() {
  const auto wanted = DebugPrint::wanted(session_.model());
  if (!wanted.any()) return {};
  return [this, print = DebugPrint([this](const std::string& line) { voice_.say(line); }, wanted)](
             const analysis::ConstraintIteration& it) mutable {
    print.iteration("Initial conditions", it, system().layout());
  };
}

void Runner::say_outcome(const analysis::AssemblyResult& result) {
  for (std::size_t k = 0; k < result.messages.size(); ++k) {
    if (result.ok || k > 0) voice_.say(result.messages[k]);
    else voice_.error(result.messages[k]);
  }
  if (!result.ok) voice_.say_places(result.messages);
}

void Runner::tell_redundant() {
  const auto& redundant = place().redundant;
  if (redundant.empty()) return;
  const bool all = options_.verbose || debug_on(&model::Debug::verbose);
  const std::vector<std::string> lines = redundant_lines(system(), session_.model(), redundant, all);
  if (lines.size() < redundant.size())
    voice_.say(
        fmt::format("  {} redundant equations are left out (--verbose lists each):", redundant.size()));
  for (const std::string& line : lines) voice_.say("  " + line);
}

// A switch of DEBUG.
bool Runner::debug_on(model::Choice<model::Switch> model::Debug::*which) const {
  const model::Debug* debug = session_.model().single<model::Debug>();
  return debug && (debug->*which).given() && (debug->*which).value() == model::Switch::on;
}

namespace {

// Of each modal body its mass, its modes and what they are damped by.
std::vector<core::Words> flexible_lines(const system::System& system) {
  std::vector<core::Words> lines;
  for (const system::FlexInfo& body : system.flexible()) {
    double mass = 0;
    for (const elements::Body& outline : system.body_elements()) {
      if (outline.block == body.frame) mass = outline.mass;
    }
    if (body.hertz.empty()) {
      lines.push_back(body.label + fmt::format(": mass {:.6g}, no modes: rigid", mass));
      continue;
    }
    std::vector<double> hertz = body.hertz;
    std::sort(hertz.begin(), hertz.end());
    std::string first;
    constexpr std::size_t kListed = 3;
    for (std::size_t k = 0; k < std::min(kListed, hertz.size()); ++k)
      first += fmt::format("{}{:.4g}", k == 0 ? "" : ", ", hertz[k]);
    std::string damping = "as CRATIO changes in the run";
    if (!body.ratios.empty()) {
      const auto [least, most] = std::minmax_element(body.ratios.begin(), body.ratios.end());
      damping = fmt::format("by {:.3g} {}% of critical", 100 * *least,
                            *most > *least ? fmt::format("… {:.3g} ", 100 * *most) : "");
    }
    lines.push_back(body.label +
                    fmt::format(": mass {:.6g}, {} mode{}, {}{} Hz, damped {}", mass, hertz.size(),
                                hertz.size() == 1 ? "" : "s", first,
                                hertz.size() > kListed ? fmt::format(" … {:.5g}", hertz.back()) : "",
                                damping));
  }
  return lines;
}

}  // namespace

// What `check` tells of the model.
void Runner::note_first() {
  AssemblyReport& first = result_.first;
  if (first.assembled) return;
  first.compiled = true;
  first.idle = inactive_lines(system());
  first.assembled = place().ok;
  first.freedoms = place().freedoms;
  first.messages = place().messages;
  for (core::Words& line : flexible_lines(system())) first.messages.push_back(std::move(line));
  first.redundant_count = place().redundant.size();
  first.redundant = redundant_lines(system(), session_.model(), place().redundant, options_.verbose);
}

// A joint that is switched off while a MOTION goes on to drive it.
void Runner::tell_driven(const std::string& what, core::Subject statement, bool on,
                         const std::string& place) {
  if (on || statement.kind != model::kind_of<model::Joint>()) return;
  const auto& off = session_.inactive();
  for (const model::Motion& motion : session_.model().all<model::Motion>()) {
    const core::Subject drive{model::kind_of<model::Motion>(), motion.id};
    if (motion.joint.given() && motion.joint.id == statement.id && off.count(drive) == 0)
      voice_.warn(fmt::format("{}: {} goes on to drive the markers of {}; switch it off too if it must not",
                              what, label(session_.model(), drive.kind, drive.id),
                              label(session_.model(), statement.kind, statement.id)),
                  place);
  }
}

bool Runner::switch_elements(const model::Selection& selection, bool on) {
  const model::Kind kind{selection.element.index};
  std::vector<int> ids = selection.ids;
  if (selection.range.size() == 2) {
    const model::Model& model = session_.model();
    for (std::size_t k = 0; k < model.count(kind); ++k) {
      const int id = model.at(kind, k).id;
      if (id >= selection.range[0] && id <= selection.range[1]) ids.push_back(id);
    }
  }
  const std::string place = voice_.place_of(selection), what = on ? "ACTIVATE" : "DEACTIVATE";
  const std::string_view keyword = model::schema_of(kind).keyword;
  if (!system::can_be_inactive(kind)) {
    voice_.warn(
        fmt::format(
            "{}/{} has no effect: constraints, forces, contacts and SENSORs can be switched off and on, "
            "{}s cannot",
            what, keyword, keyword),
        place);
    return true;
  }
  if (ids.empty())
    voice_.warn(fmt::format("{}/{}: the model has none from {} to {}", what, keyword, selection.range[0],
                            selection.range[1]),
                place);
  for (const int id : ids) {
    if (!session_.activate({kind, id}, on))
      return fail(
          fmt::format("{}{}: {} is not in the model", place, what, label(session_.model(), kind, id)));
    tell_driven(what, {kind, id}, on, place);
  }
  session_.compile_anew();
  return true;
}

// --- SAVE and RELOAD; SYSTEM brings the model too, STATES only where it was.
bool Runner::save_system(const model::Save& command) {
  Snapshot now;
  now.model = lang::write_model(session_.model());
  for (const core::Subject s : session_.inactive())
    now.off.emplace_back(model::schema_of(s.kind).keyword, s.id);
  now.assembled = session_.assembled();
  if (session_.assembled()) now.from = place();
  now.spent = output_.spent();
  if (!command.file || options_.rehearse) {
    kept_[command.file ? files_.in_folder(*command.file, ".sav") : command.buffer.value_or("")] =
        std::move(now);
    return true;
  }
  const std::string path = files_.in_folder(*command.file, ".sav");
  std::string error = files_.refusal(path);
  if (error.empty()) error = files_.refusal(path + ".new");
  if (error.empty()) error = save(now, path);
  return error.empty() || fail(voice_.place_of(command) + "SAVE: " + error);
}

bool Runner::reload_system(const model::Reload& command) {
  const auto refuse = [&](const std::string& why) {
    return fail(voice_.place_of(command) + "RELOAD: " + why);
  };
  Snapshot then;
  const auto file = command.file ? kept_.find(files_.in_folder(*command.file, ".sav")) : kept_.end();
  if (file != kept_.end()) {
    then = file->second;  // of a rehearsal
  } else if (command.file) {
    const std::string error = load(files_.saved_file(*command.file), then);
    if (!error.empty()) return refuse(error);
  } else {
    const auto found = kept_.find(command.buffer.value_or(""));
    if (found == kept_.end()) return refuse("nothing was saved under that name in this session");
    then = found->second;
  }
  if (command.output_prefix && !new_files(*command.output_prefix)) return false;
  if (command.content.value() == model::Saved::system) {
    const std::string here = lang::write_model(session_.model());
    model::Model model;
    std::set<core::Subject> off;
    const std::string error = model_of(then, model, off);
    if (!error.empty()) return refuse(error);
    if (lang::write_model(model) != here)
      voice_.say("RELOAD: the saved model differs from the one before and replaces it");
    session_.open(std::move(model), std::move(off));
  }
  if (command.title) session_.set_title(*command.title);
  if (!compile()) return false;
  if (!then.assembled) return true;
  const std::string error = misfit(then, system());
  if (!error.empty()) return refuse(error);
  session_.put(std::move(then.from));
  output_.set_spent(then.spent);
  voice_.say(fmt::format("t = {:.6g}: reloaded", place().state.t));
  return true;
}

// The results go on in files of another name; the .msg and the report stay where they are.
bool Runner::new_files(const std::string& prefix) {
  bool same = false;
  const std::string why = files_.take_next(prefix, same);
  if (!why.empty()) return fail("RELOAD: OUTPUT_PREFIX: " + why);
  if (same) return true;
  output_.begin_anew(files_.in_folder(prefix, "") + ".csv");
  session_.compile_anew();
  return true;
}

}  // namespace trunnion::api
