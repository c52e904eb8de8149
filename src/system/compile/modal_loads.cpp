// MFORCE, and damping of a FLEX_BODY that changes in the course of a run. docs/theory/flexible.md
//
// The part of an MFORCE that acts on the frame is a load of up to six components in the frame's own axes, as a GFORCE's whose RM it is; the
// part on the modes goes to them directly. Both are the same factor times a part of one column of MODLOAD, or results of one routine.

#include <fmt/format.h>

#include "elements/modal_load.hpp"
#include "system/compile/compiler.hpp"
#include "system/compile/flex_source.hpp"

namespace trunnion::system {

using assembly::MarkerId;
using Eigen::Index;
using elements::Load;
using elements::ModalLoad;
using elements::Signal;
using model::kind_of;

namespace {

constexpr int kFrame = 6;  // force and torque on the frame come before the modes

Signal constant(double value) {
  Signal s;
  s.kind = Signal::Kind::constant;
  s.value = value;
  return s;
}

int modes_of(const FlexSource& body) { return static_cast<int>(body.matrices.modes.size()); }

}  // namespace

void Compiler::add_modal_load(ModalLoad load, double scale) {
  load.response.scale = scale;
  elements::seal(load);
  system_->elements_->modal_loads.push_back(std::move(load));
}

void Compiler::mforce(const model::Mforce& f) {
  const core::Words owner = name(f);
  const auto found = flex_sources_.find(f.flex_body.id);
  if (found == flex_sources_.end()) return;  // the body has said why it is not there
  const FlexSource& body = *found->second;
  MarkerId reaction = assembly::MarkerTable::kGroundMarker;
  if (f.jfloat.given()) {
    const auto on = floating(f.jfloat.id, owner, argument_span(f, "JFLOAT"));
    if (!on) return;
    reaction = *on;
  }
  const MarkerId frame = frame_of(body.frame);
  const assembly::Layout& layout = system_->layout_;
  Load load = elements::make_load(frame, reaction, frame, {0, 1, 2, 3, 4, 5}, layout, system_->markers_);
  load.reaction = f.jfloat.given();
  load.j_floats = true;
  ModalLoad modal;
  if (body.modes.valid()) modal = elements::make_modal_load(owner, body.modes, modes_of(body), layout);
  bool good = true;
  if (libraries_.user().for_drawing) {
    // Its matrices are not read: a force of nothing.
  } else if (f.case_index) {
    load_case(f, body, load, modal, good);
  } else {
    modal_routine(f, body, load, modal, good);
  }
  if (!good) return;
  add_load(std::move(load), f, frame, reaction, f.jfloat.id);
  if (body.modes.valid()) add_modal_load(std::move(modal), system_->units_.ucf);
}

// SCALE times a column of MODLOAD.
void Compiler::load_case(const model::Mforce& f, const FlexSource& body, Load& load, ModalLoad& modal,
                         bool& good) {
  const core::Words owner = name(f);
  const core::Span span = argument_span(f, "CASE_INDEX");
  const std::string on = label(model_, kind_of<model::FlexBody>(), f.flex_body.id);
  const Eigen::MatrixXd& cases = body.matrices.loads;
  good = false;
  if (cases.size() == 0)
    return error(span, owner,
                 fmt::format("CASE_INDEX = {} needs a load case, but the matrices of {} have no MODLOAD",
                             *f.case_index, on),
                 "a MODLOAD has a column for each case: force and torque on the frame, then a load for each "
                 "mode ('trunnion flex --loads' writes one); or FORCE = USER(…)");
  if (*f.case_index > cases.cols())
    return error(span, owner,
                 fmt::format("CASE_INDEX is {}, but {} has {} load case{}", *f.case_index, on, cases.cols(),
                             cases.cols() == 1 ? "" : "s"));
  const auto factor = program(f.scale, owner, argument_span(f, "SCALE"));
  auto inputs = factor ? signals(*factor, owner, argument_span(f, "SCALE")) : std::nullopt;
  if (!inputs) return;
  if (factor->output_count() != 1)
    return error(argument_span(f, "SCALE"), owner, "SCALE is one number, not a vector");
  const Eigen::VectorXd column = cases.col(*f.case_index - 1);
  const assembly::Layout& layout = system_->layout_;
  load.response.add(*factor, *inputs, 0, layout, load.columns, column.head(kFrame));
  if (body.modes.valid())
    modal.response.add(*factor, std::move(*inputs), 0, layout, modal.columns, column.tail(modes_of(body)));
  good = true;
}

// FORCE = USER(…): the load itself. FUNCTION = USER(…): a factor, the number of a case, and a load for where that is 0.
void Compiler::modal_routine(const model::Mforce& f, const FlexSource& body, Load& load, ModalLoad& modal,
                             bool& good) {
  const core::Words owner = name(f);
  const bool whole = f.force.given();
  const core::Span span = argument_span(f, whole ? "FORCE" : "FUNCTION");
  const int size = kFrame + modes_of(body), results = whole ? size : 2 + size;
  const UserCall* call = user_call(f);
  good = false;
  if (!call) return error(span, owner, fmt::format("{} must be USER(…)", whole ? "FORCE" : "FUNCTION"));
  const UserOwner of{owner, span, f.id};
  const auto respond = [&](elements::Response& response, assembly::Columns& columns, int first, int count) {
    if (whole) return user_response(*call, of, {first, count, results}, response, columns);
    if (!user_response(*call, of, {0, results, results}, response, columns)) return false;
    const Eigen::MatrixXd& cases = body.matrices.loads;
    response.law = std::make_shared<elements::CaseLaw>(
        response.law, cases.size() != 0 ? cases : Eigen::MatrixXd::Zero(size, 0), first, count, owner);
    return true;
  };
  good = respond(load.response, load.columns, 0, kFrame);
  if (good && body.modes.valid()) good = respond(modal.response, modal.columns, kFrame, modes_of(body));
}

// CRATIO of time or state, or of a routine: one ζ for all modes, or one for each where it reads FXFREQ or FXMODE.
void Compiler::changing_damping(const model::FlexBody& f) {
  const auto found = flex_sources_.find(f.id);
  if (found == flex_sources_.end() || !found->second->damping || idle(f)) return;
  const FlexSource& body = *found->second;
  const core::Words owner = name(f);
  const core::Span span = argument_span(f, "CRATIO");
  const assembly::Layout& layout = system_->layout_;
  const int modes = modes_of(body);
  ModalLoad load;
  if (const UserCall* call = user_call(f)) {
    load = elements::make_modal_load(owner, body.modes, modes, layout);
    if (!user_response(*call, {owner, span, f.id}, {0, modes, modes}, load.response, load.columns)) return;
  } else {
    const auto ratio = program(f.cratio, owner, span);
    if (!ratio) return;
    const auto of_mode = [](const expr::Input& input) {
      return input.kind == expr::InputKind::flex_frequency || input.kind == expr::InputKind::flex_mode;
    };
    const auto& inputs = ratio->inputs();
    const bool one = std::none_of(inputs.begin(), inputs.end(), of_mode);
    load = elements::make_modal_load(owner, body.modes, one ? 1 : modes, layout);
    for (int k = 0; k < load.response.outputs; ++k) {
      const auto mode = static_cast<std::size_t>(k);
      std::vector<Signal> read;
      for (const expr::Input& input : inputs) {
        std::optional<Signal> s;
        if (input.kind == expr::InputKind::flex_frequency) s = constant(body.hertz[mode]);
        else if (input.kind == expr::InputKind::flex_mode) s = constant(body.matrices.modes[mode]);
        else s = signal(input, owner, span);
        if (!s) return;
        read.push_back(std::move(*s));
      }
      load.response.add(*ratio, std::move(read), k, layout, load.columns);
    }
  }
  load.damping = *body.damping;
  add_modal_load(std::move(load), 1.0);
}

// What routines may read of a flexible body: MODES (id) and MODE_RATES (id), the modal coordinates and their rates; FXFREQ (id), the
// frequencies of its free modes in Hz; MODLOAD (id, case), force and torque on the frame and a load for each mode.
std::optional<std::vector<Signal>> Compiler::modal_signals(const elements::UserRead& read) const {
  const auto is = [&](std::string_view word, std::size_t ids) {
    return read.name == word && read.ids.size() == ids;
  };
  const auto found = read.ids.empty() ? flex_sources_.end() : flex_sources_.find(read.ids.front());
  if (found == flex_sources_.end()) return std::nullopt;
  const FlexSource& body = *found->second;
  std::vector<Signal> all;
  for (const auto& [word, level] :
       {std::pair{"MODES", assembly::Level::q}, {"MODE_RATES", assembly::Level::v}}) {
    for (int k = 0; is(word, 1) && k < modes_of(body); ++k)
      all.push_back(Signal::of_state(body.modes, k, level));
  }
  if (is("FXFREQ", 1)) {
    for (const double hertz : body.hertz) all.push_back(constant(hertz));
  }
  if (is("MODLOAD", 2) && read.ids[1] >= 1 && read.ids[1] <= body.matrices.loads.cols()) {
    for (const double x : body.matrices.loads.col(read.ids[1] - 1)) all.push_back(constant(x));
  }
  return all.empty() ? std::nullopt : std::optional(std::move(all));
}

}  // namespace trunnion::system
