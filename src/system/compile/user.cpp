// Statements whose numbers come from user code, and what becomes of those whose code is not there.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/text.hpp"
#include "elements/user_values.hpp"
#include "system/compile/compiler.hpp"

namespace trunnion::system {

using elements::DeclaredRead;
using elements::Signal;
using elements::UserRead;
using model::kind_of;

namespace {

// The constants of USER(…), where the expression is one.
std::optional<std::vector<double>> user_parameters(const model::Expression& expression) {
  constexpr std::string_view kUser = "USER(";
  if (expression.text.size() < kUser.size()) return std::nullopt;
  if (core::to_upper(expression.text.substr(0, kUser.size())) != kUser) return std::nullopt;
  const expr::CompileResult result = expr::compile(expression.text);
  if (!result.program || !result.program->is_user()) return std::nullopt;
  const auto numbers = result.program->user_parameters();
  return std::vector<double>(numbers.begin(), numbers.end());
}

// What trunnion_read_array() knows, as functions of the language.
struct Bundle {
  std::string_view name;
  std::array<std::string_view, 6> functions;
};
constexpr std::array kBundles{
    Bundle{"TDISP", {"DX", "DY", "DZ"}},
    Bundle{"RDISP", {"PSI", "THETA", "PHI"}},
    Bundle{"TVEL", {"VX", "VY", "VZ"}},
    Bundle{"RVEL", {"WX", "WY", "WZ"}},
    Bundle{"TACC", {"ACCX", "ACCY", "ACCZ"}},
    Bundle{"RACC", {"WDTX", "WDTY", "WDTZ"}},
    Bundle{"DISP", {"DX", "DY", "DZ", "PSI", "THETA", "PHI"}},
    Bundle{"VEL", {"VX", "VY", "VZ", "WX", "WY", "WZ"}},
    Bundle{"ACC", {"ACCX", "ACCY", "ACCZ", "WDTX", "WDTY", "WDTZ"}},
    Bundle{"FORCE", {"FX", "FY", "FZ", "TX", "TY", "TZ"}},
};

}  // namespace

void Compiler::leave_idle(model::Kind kind, int id, const core::Words& label, const std::string& why) {
  inactive_.insert({kind.index, id});
  idle_.insert({kind.index, id});
  system_->idle_.push_back({label, fmt::format("left out ({})", why), true});
}

template <class T>
void Compiler::look_up(const T& s, const model::Expression& expression, const std::string& routine,
                       const char* standard, int slot) {
  const auto key = std::pair{kind_of<T>().index, s.id};
  if (!active(s)) return;
  auto parameters = user_parameters(expression);
  if (!parameters) return;
  UserTrouble trouble;
  const FoundRoutine found = libraries_.find(routine, standard, trouble);
  if (found.function) {
    calls_[{key.first, key.second, slot}] = {found, std::move(*parameters)};
    return;
  }
  if (idle(s)) return;  // said already, of another of its routines
  constexpr const char* kNotRun = "its user code is there, and is not run here";
  const bool only_looked_at = !found.name.empty();
  // Nothing reads it: the results say that it is left out.
  if constexpr (std::is_same_v<T, model::Request>) {
    const bool known = only_looked_at || libraries_.user().ignore;
    system_->lost_requests_.push_back(
        {s.id, only_looked_at ? kNotRun : "its user code is " + trouble.text, known ? "" : trouble.hint});
    return;
  }
  // Those that use the curve say so.
  if constexpr (std::is_same_v<T, model::Curve>) {
    lost_curves_[s.id] = only_looked_at ? kNotRun : trouble.text;
    return;
  }
  // The body is there all the same.
  if constexpr (std::is_same_v<T, model::FlexBody>) {
    idle_.insert(key);
    if (only_looked_at || libraries_.user().ignore) {
      system_->idle_.push_back(
          {name(s), only_looked_at ? kNotRun : "without damping: no user code for its CRATIO"});
      return;
    }
  }
  if (only_looked_at || libraries_.user().ignore) {
    leave_idle(kind_of<T>(), s.id, name(s), only_looked_at ? kNotRun : "no user code");
    return;
  }
  inactive_.insert(key);
  idle_.insert(key);
  const char* argument = "FUNCTION";
  if (std::is_same_v<T, model::FlexBody>) argument = "CRATIO";
  if constexpr (std::is_same_v<T, model::Mforce>) argument = s.force.given() ? "FORCE" : "FUNCTION";
  if (std::is_same_v<T, model::Sensor> && slot == 1) argument = "EVALUATE";
  if (std::is_same_v<T, model::Contact>) argument = slot == 0 ? "NORMAL_FUNCTION" : "FRICTION_FUNCTION";
  const auto same = std::find_if(missing_code_.begin(), missing_code_.end(),
                                 [&](const MissingCode& m) { return m.trouble.text == trouble.text; });
  if (same != missing_code_.end()) same->others.push_back(name(s));
  else missing_code_.push_back({argument_span(s, argument), name(s), std::move(trouble), {}});
}

// One cause, one message: a library that is missing is missing for all that use it.
void Compiler::tell_missing_code() {
  constexpr std::size_t kShown = 8;
  for (MissingCode& m : missing_code_) {
    const std::size_t more = m.others.size() > kShown ? m.others.size() - kShown : 0;
    m.others.resize(m.others.size() - more);
    if (more > 0) m.others.push_back(fmt::format("{} more", more));
    const std::string rest = m.others.empty() ? "" : "; the same holds for " + core::join_and(m.others);
    error(m.span, m.first, "its user code is " + m.trouble.text + rest, m.trouble.hint);
  }
}

template void Compiler::look_up(const model::Gse&, const model::Expression&, const std::string&, const char*,
                                int);

// Before anything reads it: which statements have a routine, and which do not act.
void Compiler::find_user_code() {
  const auto all = [&](const auto& table, const char* standard) {
    for (const auto& s : table) look_up(s, s.function, s.routine.value_or(""), standard, 0);
  };
  all(model_.all<model::Sforce>(), "sfosub");
  all(model_.all<model::Vforce>(), "vfosub");
  all(model_.all<model::Vtorque>(), "vtosub");
  all(model_.all<model::Gforce>(), "gfosub");
  all(model_.all<model::Field>(), "fiesub");
  all(model_.all<model::Variable>(), "varsub");
  all(model_.all<model::Diff>(), "difsub");
  all(model_.all<model::Motion>(), "motsub");
  all(model_.all<model::Request>(), "reqsub");
  const auto nth = [](const std::vector<std::string>& list, std::size_t k) {
    return k < list.size() ? list[k] : std::string();
  };
  for (const model::Coupler& s : model_.all<model::Coupler>()) {
    look_up(s, s.function, nth(s.routine, 0), "cousub", 0);
    look_up_derivatives(s);
  }
  for (const model::Gse& s : model_.all<model::Gse>()) find_gse_code(s);
  for (const model::Contact& s : model_.all<model::Contact>()) {
    look_up(s, s.normal_function, s.normal_routine.value_or(""), "cnfsub", 0);
    look_up(s, s.friction_function, s.friction_routine.value_or(""), "cffsub", 1);
  }
  all(model_.all<model::Curve>(), "cursub");
  for (const model::Mforce& s : model_.all<model::Mforce>())
    look_up(s, s.force.given() ? s.force : s.function, s.routine.value_or(""), "mfosub", 0);
  for (const model::FlexBody& s : model_.all<model::FlexBody>())
    look_up(s, s.cratio, s.routine.value_or(""), "dmpsub", 0);
  for (const model::Sensor& s : model_.all<model::Sensor>()) {
    look_up(s, s.function, nth(s.routine, 0), "sensub", 0);
    look_up(s, s.evaluate, nth(s.routine, 1), "sevsub", 1);
  }
  tell_missing_code();
}

// A COUPLER's derivatives are differences unless ROUTINE names their routines, or stands for none and the standard names are found.
void Compiler::look_up_derivatives(const model::Coupler& s) {
  constexpr const char* kStandard[] = {"", "couxx", "couxx2"};
  const UserCall* call = user_call(s);
  for (std::size_t k = 1; call && k < 3; ++k) {
    const bool named = k < s.routine.size();
    if (!named && !s.routine.empty()) continue;
    UserTrouble trouble;
    const FoundRoutine found = libraries_.find(named ? s.routine[k] : "", kStandard[k], trouble);
    if (found.function)
      calls_[{kind_of<model::Coupler>().index, s.id, static_cast<int>(k)}] = {found, call->parameters};
    else if (named && found.name.empty())
      error(argument_span(s, "ROUTINE"), name(s), "its user code is " + trouble.text, trouble.hint);
  }
}

template <class T> bool Compiler::cannot_act(const T& s, const std::string& why) {
  if (libraries_.user().ignore || libraries_.user().look_only) {
    leave_idle(kind_of<T>(), s.id, name(s), why);
  } else {
    error(s.span, name(s), why, "--ignore-user leaves it out");
  }
  return false;
}
template bool Compiler::cannot_act(const model::Ptcv&, const std::string&);
template bool Compiler::cannot_act(const model::Cvcv&, const std::string&);

elements::UserRoutine Compiler::routine(const UserCall& call, const core::Words& owner, int id,
                                        int results) const {
  return {call.found.function, owner, call.found.name, id, call.parameters, results, system_->troubles_};
}

// One function of the language as a routine names it; nothing, with a message, where there is no such thing.
std::optional<Signal> Compiler::user_signal(const std::string& function, std::vector<int> ids,
                                            const core::Words& owner, core::Span span) {
  const expr::FunctionInfo* info = expr::find_function(function);
  if (info && static_cast<int>(ids.size()) > info->max_arguments)
    ids.resize(static_cast<std::size_t>(info->max_arguments));
  const std::string text = UserRead{function, ids}.text();
  const expr::CompileResult result = expr::compile(text);
  const auto refuse = [&](const std::string& why) -> std::optional<Signal> {
    error(span, owner, fmt::format("its user code reads {}: {}", text, why));
    return std::nullopt;
  };
  if (!result.program) return refuse(result.errors.front().message);
  if (result.program->inputs().size() != 1 || !result.program->tables().empty())
    return refuse("it is not a number of the model");
  for (const expr::Reference& r : result.program->references()) {
    for (const model::Schema& schema : model::all_schemas()) {
      if (schema.keyword == r.statement && !model_.find(schema.kind, r.id))
        return refuse(fmt::format("{}/{} is not in the model", r.statement, r.id));
    }
  }
  return signal(result.program->inputs().front(), owner, span);
}

std::optional<std::vector<Signal>> Compiler::user_signals(const UserRead& read, const core::Words& owner,
                                                          core::Span span) {
  std::vector<Signal> all;
  const int id = read.ids.empty() ? 0 : read.ids.front();
  const auto add = [&](std::optional<Signal> s) {
    if (s) all.push_back(std::move(*s));
    return s.has_value();
  };
  const auto plant = [&](const auto* set) {
    if (!set) return;
    for (std::size_t k = 1; k <= set->variables.ids.size(); ++k)
      add(plant_signal(set->variables, static_cast<int>(k), owner, span));
  };
  const bool by_id = read.ids.size() == 1;
  if (read.name == "ARRAY" && by_id) {
    const auto found = system_->arrays_.find(id);
    if (found != system_->arrays_.end()) all = found->second;
  } else if (read.name == "PINPUT" && by_id) {
    plant(model_.find<model::Pinput>(id));
  } else if (read.name == "POUTPUT" && by_id) {
    plant(model_.find<model::Poutput>(id));
  } else if (auto modal = modal_signals(read)) {
    all = std::move(*modal);
  } else {
    const auto bundle =
        std::find_if(kBundles.begin(), kBundles.end(), [&](const Bundle& b) { return b.name == read.name; });
    if (bundle == kBundles.end()) {
      if (!add(user_signal(read.name, read.ids, owner, span))) return std::nullopt;
    } else {
      for (const std::string_view function : bundle->functions) {
        if (!function.empty() && !add(user_signal(std::string(function), read.ids, owner, span)))
          return std::nullopt;
      }
    }
  }
  if (all.empty()) {
    error(span, owner, fmt::format("its user code reads {}, which has no values", read.text()));
    return std::nullopt;
  }
  return all;
}

bool Compiler::user_response(const UserCall& call, const UserOwner& of, Segment segment,
                             elements::Response& response, assembly::Columns& columns) {
  const std::size_t before = diagnostics_.error_count();
  const assembly::Layout& layout = system_->layout_;
  response.signals.add(Signal{}, layout, columns);  // TIME
  std::vector<DeclaredRead> reads;
  const elements::UserRoutine r = routine(call, of.owner, of.id, segment.results);
  const auto resolve = [&](const UserRead& read) {
    for (const DeclaredRead& known : reads) {
      if (known.read == read) return static_cast<int>(known.signals.size());
    }
    auto signals = user_signals(read, of.owner, of.span);
    if (!signals) return -1;
    DeclaredRead declared{read, {}};
    for (Signal& s : *signals)
      declared.signals.push_back(response.signals.add(std::move(s), layout, columns));
    reads.push_back(std::move(declared));
    return static_cast<int>(reads.back().signals.size());
  };
  const std::string trouble = elements::declare_reads(r, resolve);
  if (!trouble.empty()) error(of.span, of.owner, fmt::format("{} in its first call: {}", r.name, trouble));
  if (diagnostics_.error_count() > before) return false;
  response.law = std::make_shared<elements::UserLaw>(r, std::move(reads), segment.first, segment.outputs,
                                                     &response.signals);
  return true;
}

// A CONTACT's routines read the touch they are called for, CONTACT(id), and whatever else others read.
std::shared_ptr<const elements::UserTouch> Compiler::user_touch(const model::Contact& contact, int slot,
                                                                int results, int own, elements::Load& load) {
  const UserCall* call = user_call(contact, slot);
  if (!call) return nullptr;
  const core::Words owner = name(contact);
  const core::Span span = argument_span(contact, slot == 0 ? "NORMAL_FUNCTION" : "FRICTION_FUNCTION");
  const assembly::Layout& layout = system_->layout_;
  const elements::UserRoutine r = routine(*call, owner, contact.id, results);
  const int time = load.response.signals.add(Signal{}, layout, load.columns);
  std::vector<DeclaredRead> reads;
  std::vector<int> others;
  const auto resolve = [&](const UserRead& read) {
    for (const DeclaredRead& known : reads) {
      if (known.read == read) return static_cast<int>(known.signals.size());
    }
    DeclaredRead declared{read, {}};
    if (read == UserRead{"CONTACT", {contact.id}}) {
      for (int k = 0; k < own; ++k) declared.signals.push_back(k);
    } else {
      auto signals = user_signals(read, owner, span);
      if (!signals) return -1;
      for (Signal& s : *signals) {
        declared.signals.push_back(own + static_cast<int>(others.size()));
        others.push_back(load.response.signals.add(std::move(s), layout, load.columns));
      }
    }
    reads.push_back(std::move(declared));
    return static_cast<int>(reads.back().signals.size());
  };
  const std::size_t before = diagnostics_.error_count();
  const std::string trouble = elements::declare_reads(r, resolve);
  if (!trouble.empty()) error(span, owner, fmt::format("{} in its first call: {}", r.name, trouble));
  if (diagnostics_.error_count() > before) return nullptr;
  return std::make_shared<elements::UserTouch>(r, std::move(reads), own, std::move(others), time);
}

// A MOTION's routine: no readings, three results.
std::optional<int> Compiler::user_time_function(const UserCall& call, const UserOwner& of) {
  constexpr int kDerivatives = 3;
  auto r = std::make_shared<elements::UserRoutine>(routine(call, of.owner, of.id, kDerivatives));
  const std::size_t before = diagnostics_.error_count();
  const std::string trouble = elements::declare_reads(*r, [&](const UserRead& read) {
    error(of.span, of.owner,
          fmt::format("{} reads {}: a MOTION is a function of time alone", r->name, read.text()));
    return -1;
  });
  if (!trouble.empty()) error(of.span, of.owner, fmt::format("{} in its first call: {}", r->name, trouble));
  if (diagnostics_.error_count() > before) return std::nullopt;
  TimeFunction function;
  function.user = std::move(r);
  system_->functions_.push_back(std::move(function));
  return static_cast<int>(system_->functions_.size()) - 1;
}

// A COUPLER's routines read the displacements of its joints, and nothing else.
std::shared_ptr<const elements::Relation> Compiler::user_relation(const model::Coupler& coupler) {
  const int n = static_cast<int>(coupler.joints.ids.size());
  const int results[] = {1, n, n * (n + 1) / 2};
  const core::Words owner = name(coupler);
  const core::Span span = argument_span(coupler, "FUNCTION");
  const std::size_t before = diagnostics_.error_count();
  std::array<std::optional<elements::UserRoutine>, 3> routines;
  for (int k = 0; k < 3; ++k) {
    const UserCall* call = user_call(coupler, k);
    if (!call) continue;
    const elements::UserRoutine r = routine(*call, owner, coupler.id, results[k]);
    const std::string trouble = elements::declare_reads(r, [&](const UserRead& read) {
      if (read == UserRead{"COUPLER", {coupler.id}}) return n;
      error(
          span, owner,
          fmt::format("{} reads {}: a COUPLER is a function of its joints' displacements, COUPLER({}), alone",
                      r.name, read.text(), coupler.id));
      return -1;
    });
    if (!trouble.empty()) error(span, owner, fmt::format("{} in its first call: {}", r.name, trouble));
    routines[static_cast<std::size_t>(k)] = r;
  }
  if (!routines[0] || diagnostics_.error_count() > before) return nullptr;
  return std::make_shared<elements::UserRelation>(std::move(routines), n);
}

// REQUEST/…, FUNCTION=USER(…): eight numbers that are only looked at.
void Compiler::user_requests() {
  constexpr int kComponents = 8;
  for (const model::Request& r : model_.all<model::Request>()) {
    const UserCall* call = user_call(r);
    if (!call) continue;
    UserRequest request{r.id, elements::Response(kComponents), 0};
    assembly::Columns columns;
    if (!user_response(*call, {name(r), argument_span(r, "FUNCTION"), r.id}, {0, kComponents, kComponents},
                       request.response, columns))
      continue;
    request.columns = columns.size();
    system_->user_requests_.push_back(std::move(request));
  }
}

}  // namespace trunnion::system
