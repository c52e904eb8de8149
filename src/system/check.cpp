#include "system/check.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/text.hpp"
#include "expr/doubts.hpp"
#include "expr/program.hpp"
#include "expr/references.hpp"
#include "model/left_out.hpp"
#include "model/validate.hpp"
#include "system/check_inertia.hpp"
#include "system/hints.hpp"
#include "system/owner.hpp"

namespace trunnion::system {

using core::Diagnostics;
using core::Span;
using model::Argument;
using model::Kind;
using model::kind_of;
using model::Model;
using model::Schema;
using model::schema_of;
using model::Statement;
using model::ValueKind;

namespace {

Span value_span(const Schema& schema, const Statement& statement, std::string_view argument) {
  const model::GivenArgument* given = statement.find_given(schema.index_of(argument));
  return given ? given->value : statement.span;
}

// --- expressions --------------------------------------------------------------------------------------------------

class ExpressionCheck {
 public:
  ExpressionCheck(const Model& model, const Locate& locate, Diagnostics& diagnostics)
      : model_(model), locate_(locate), diagnostics_(diagnostics) {}

  void statement(const Schema& schema, const Statement& statement) {
    for (const Argument& argument : schema.arguments) {
      if (argument.kind != ValueKind::expression || !model::is_given(argument, statement)) continue;
      expression(schema, statement, argument);
    }
  }

 private:
  void expression(const Schema& schema, const Statement& statement, const Argument& argument) {
    const auto& expression = model::field<model::Expression>(argument, statement);
    expr::CompileOptions options;
    // Only FXYZ= and TXYZ= take vectors, and nothing else does.
    options.vector_required = argument.name.ends_with("XYZ");
    options.vector_allowed = options.vector_required;
    const expr::CompileResult result = expr::compile(expression.text, options);
    const auto words = [&](std::size_t offset, const std::string& message) {
      std::string text = fmt::format("{}: {}", argument.name, message);
      if (!expression.span.known()) text += fmt::format(" (at column {} of {})", offset + 1, expression.text);
      return text;
    };
    const auto report = [&](std::size_t offset, std::size_t length, const std::string& message,
                            const std::string& hint) {
      diagnostics_.error(locate_(expression, offset, length), label(schema, statement),
                         words(offset, message), hint);
    };
    for (const expr::ExprError& e : result.errors) report(e.offset, e.length, e.message, e.hint);
    if (result.program) {
      for (const expr::ExprError& d : expr::doubts(*result.program))
        diagnostics_.warning(locate_(expression, d.offset, d.length), label(schema, statement),
                             words(d.offset, d.message), d.hint);
    }
    for (const expr::Reference& r : expr::references(expression.text)) {
      const Kind kind = model::kind_named(r.statement);
      if (kind.index == Kind::kNone || model_.find(kind, r.id)) continue;
      const bool shown = diagnostics_.error_count() < Diagnostics::kErrorLimit;
      report(r.offset, r.length,
             fmt::format("{}/{} is not in the model{}", r.statement, r.id,
                         shown ? model::nearest_id(model_, kind, r.id) : ""),
             {});
    }
  }

  const Model& model_;
  const Locate& locate_;
  Diagnostics& diagnostics_;
};

// --- bodies and markers -------------------------------------------------------------------------------------------

class MarkerCheck {
 public:
  MarkerCheck(const Model& model, Diagnostics& diagnostics)
      : model_(model), owners_(model), diagnostics_(diagnostics) {}

  void run() {
    ground();
    for (const model::Marker& marker : model_.all<model::Marker>()) {
      if (!owners_.of(marker).known()) {
        error(marker, "PART", "the marker has no PART=, and no body precedes it in the file", "add PART=");
      }
    }
    for (const model::Part& part : model_.all<model::Part>()) part_markers(part);
    for (const Model::Entry entry : model_.order) roles(schema_of(entry.kind), model_.at(entry));
    point_mass_joints();
  }

 private:
  template <class T>
  void error(const T& statement, std::string_view argument, std::string message, std::string hint = {}) {
    report(schema_of(kind_of<T>()), statement, argument, std::move(message), std::move(hint));
  }
  void report(const Schema& schema, const Statement& statement, std::string_view argument,
              std::string message, std::string hint = {}) {
    diagnostics_.error(value_span(schema, statement, argument), label(schema, statement), std::move(message),
                       std::move(hint));
  }
  std::string owner_label(Owner owner) const { return label(model_, owner.kind, owner.id); }
  std::string marker_label(int id) const { return label(model_, kind_of<model::Marker>(), id); }

  void ground() {
    const model::Part* first = nullptr;
    for (const model::Part& part : model_.all<model::Part>()) {
      if (!part.ground) continue;
      if (first) {
        error(part, "GROUND",
              fmt::format("there can be only one ground: {} is already GROUND",
                          label(schema_of(kind_of<model::Part>()), *first)),
              "keep one GROUND and give this part a mass");
      } else {
        first = &part;
      }
    }
    if (first) return;
    diagnostics_.error({}, {}, "the model has no ground part",
                       "add PART/1, GROUND, with the markers that stand still");
  }

  void part_markers(const model::Part& part) {
    const Owner self{kind_of<model::Part>(), part.id};
    for (const auto& [argument, marker] : {std::pair{"CM", part.cm}, std::pair{"IM", part.im}}) {
      if (!marker.given() || !model_.find(marker)) continue;
      const Owner owner = owners_.of(marker.id);
      if (owner.known() && !(owner == self)) {
        error(part, argument,
              fmt::format("{} = {} is on {}; it must be on this part", argument, marker_label(marker.id),
                          owner_label(owner)));
      }
    }
    if (part.mass.value_or(0) > 0 && !part.cm.given()) {
      error(part, "MASS", "a part with MASS needs CM, the marker at its mass centre",
            "add CM= with a marker of this part");
    }
  }

  // I and J on different bodies, JFLOAT and only JFLOAT floating.
  void roles(const Schema& schema, const Statement& statement) {
    const Argument* i = nullptr;
    const Argument* j = nullptr;
    std::optional<int> node_i, node_j;  // of an FE_PART, each of which is a body
    for (const Argument& a : schema.arguments) {
      const bool marker = a.kind == ValueKind::reference && a.target == kind_of<model::Marker>();
      if (!marker || !model::is_given(a, statement)) continue;
      const model::Marker* m = model_.find<model::Marker>(model::field<model::RefBase>(a, statement).id);
      if (!m) continue;
      const bool wants_floating = a.name.ends_with("FLOAT");
      if (wants_floating && !m->floating) {
        report(schema, statement, a.name,
               fmt::format("{} = {} must be a FLOATING marker", a.name, marker_label(m->id)),
               fmt::format("write MARKER/{}, …, FLOATING: the solver moves it", m->id));
      }
      const bool must_stand = a.name == "I" || a.name == "J" || a.name == "CM" || a.name == "IM";
      if (m->floating && must_stand && schema.kind != kind_of<model::Graphics>() &&
          schema.kind != kind_of<model::Request>()) {
        report(schema, statement, a.name,
               fmt::format("{} = {} is a FLOATING marker, which has no fixed position", a.name,
                           marker_label(m->id)),
               "name a fixed marker");
      }
      if (a.name == "I") {
        i = &a;
        node_i = m->node_label;
      }
      if (a.name == "J" || a.name == "JFLOAT") {
        j = &a;
        node_j = m->node_label;
      }
    }
    if (!i || !j || schema.group == "Output" || schema.group == "Commands") return;
    const Owner a = owners_.of(model::field<model::RefBase>(*i, statement).id);
    const Owner b = owners_.of(model::field<model::RefBase>(*j, statement).id);
    // Without a reaction, J only gives the direction and may be anywhere.
    const auto* single =
        schema.kind == kind_of<model::Sforce>() ? static_cast<const model::Sforce*>(&statement) : nullptr;
    if (single && single->actiononly) return;
    const bool other_node = a.kind == kind_of<model::FePart>() && node_i != node_j;
    if (a.known() && a == b && !other_node) {
      report(schema, statement, j->name,
             fmt::format("I and {} are both on {}; it must act between two bodies", j->name, owner_label(a)));
    }
  }

  // A point mass does not rotate, so nothing that speaks of axes can hold on to it.
  void point_mass_joints() {
    for (const model::Joint& joint : model_.all<model::Joint>()) {
      if (joint.type == model::Joint::Type::spherical || !joint.type.given()) continue;
      for (const auto& [argument, marker] : {std::pair{"I", joint.i}, std::pair{"J", joint.j}}) {
        const Owner owner = marker.given() ? owners_.of(marker.id) : Owner{};
        if (!(owner.kind == kind_of<model::PointMass>())) continue;
        error(joint, argument,
              fmt::format("{} = {} is on {}, which has no orientation", argument, marker_label(marker.id),
                          owner_label(owner)),
              "use SPHERICAL, or make the body a PART");
      }
    }
  }

  const Model& model_;
  Owners owners_;
  Diagnostics& diagnostics_;
};

// --- tables of data -----------------------------------------------------------------------------------------------

void check_spline(const model::Spline& spline, Diagnostics& diagnostics) {
  const Schema& schema = schema_of(kind_of<model::Spline>());
  const auto error = [&](std::string_view argument, std::string message) {
    diagnostics.error(value_span(schema, spline, argument), label(schema, spline), std::move(message));
  };
  if (spline.file || spline.x.empty()) return;
  for (std::size_t k = 1; k < spline.x.size(); ++k) {
    if (spline.x[k] > spline.x[k - 1]) continue;
    error("X", fmt::format("X must increase: value {} ({}) does not exceed value {} ({})", k + 1,
                           core::number_text(spline.x[k]), k, core::number_text(spline.x[k - 1])));
    break;
  }
  const bool family = spline.y.rows.size() > 1;
  for (const auto& row : spline.y.rows) {
    const std::size_t wanted = spline.x.size() + (family ? 1 : 0);
    if (row.size() == wanted || (!family && row.size() == wanted + 1)) continue;
    error("Y", fmt::format("Y has {} values, but X has {}{}", row.size(), spline.x.size(),
                           family ? "; each Y of a family needs one more, its z, in front" : ""));
    break;
  }
}

void check_matrix(const model::Matrix& matrix, Diagnostics& diagnostics) {
  if (!matrix.full.given() || !matrix.rows || !matrix.columns || matrix.values.empty()) return;
  const Schema& schema = schema_of(kind_of<model::Matrix>());
  const long long wanted = static_cast<long long>(*matrix.rows) * *matrix.columns;
  if (wanted == static_cast<long long>(matrix.values.size())) return;
  diagnostics.error(value_span(schema, matrix, "VALUES"), label(schema, matrix),
                    fmt::format("{} rows and {} columns need {} VALUES, found {}", *matrix.rows,
                                *matrix.columns, wanted, matrix.values.size()));
}

// --- friction -----------------------------------------------------------------------------------------------------

using Surface = std::pair<core::JointType, std::string_view>;

// Which joints have the surface that an argument is about; none: any joint.
const std::vector<Surface>& surfaces(std::string_view argument) {
  using T = core::JointType;
  static const Surface kPin{T::revolute, "REVOLUTE"}, kTube{T::cylindrical, "CYLINDRICAL"},
      kHooke{T::hooke, "HOOKE"}, kCross{T::universal, "UNIVERSAL"}, kGuide{T::translational, "TRANSLATIONAL"},
      kBall{T::spherical, "SPHERICAL"};
  static const std::map<std::string_view, std::vector<Surface>> kOf = {
      {"PIN_RADIUS", {kPin, kTube, kHooke, kCross}},
      {"FRICTION_ARM", {kPin, kHooke, kCross}},
      {"BENDING_REACTION_ARM", {kPin, kHooke, kCross}},
      {"BALL_RADIUS", {kBall}},
      {"REACTION_ARM", {kGuide}},
      {"INITIAL_OVERLAP", {kGuide, kTube}},
      {"OVERLAP_DELTA", {kGuide, kTube}},
      {"FRICTION_FORCE_PRELOAD", {kGuide, kTube}},
      {"FRICTION_TORQUE_PRELOAD", {kPin, kTube, kHooke, kCross, kBall}},
      {"yoke", {kHooke, kCross}}};
  static const std::vector<Surface> kAny;
  const auto at = kOf.find(argument);
  return at == kOf.end() ? kAny : at->second;
}

// What a joint of another type has no surface for, and the solver therefore does not read.
void check_friction(const model::Friction& friction, const Model& model, Diagnostics& diagnostics) {
  const model::Joint* joint = model.find(friction.joint);
  if (!joint || !joint->type.given()) return;
  const Schema& schema = schema_of(kind_of<model::Friction>());
  const std::string joint_name = label(schema_of(kind_of<model::Joint>()), *joint);
  for (const model::GivenArgument& given : friction.given) {
    const std::string_view argument = schema.arguments[static_cast<std::size_t>(given.argument)].name;
    if (friction_reads(argument, joint->type.value())) continue;
    std::string names;
    for (const Surface& s : surfaces(argument)) names += (names.empty() ? "" : ", ") + std::string(s.second);
    diagnostics.warning(given.value, label(schema, friction),
                        fmt::format("{} has no effect in {}; it is for {}",
                                    argument == "yoke" ? "the yoke" : argument, joint_name, names));
  }
  for (const model::Friction& other : model.all<model::Friction>()) {
    if (&other == &friction) break;
    if (other.joint.id != friction.joint.id) continue;
    diagnostics.warning(friction.span, label(schema, friction),
                        fmt::format("{} has {} already; both act, and their friction adds up", joint_name,
                                    label(schema, other)));
    break;
  }
}

// --- motions ------------------------------------------------------------------------------------------------------

// A joint that cannot do what its motion asks.
void check_motion(const model::Motion& motion, const Model& model, Diagnostics& diagnostics) {
  using T = model::Joint::Type;
  const model::Joint* joint = model.find(motion.joint);
  if (!joint || !motion.freedom.given()) return;
  const bool turn = motion.freedom == model::Freedom::rotation;
  if (!(joint->type == (turn ? T::translational : T::revolute))) return;
  diagnostics.error(
      motion.span, label(schema_of(kind_of<model::Motion>()), motion),
      fmt::format("{} is {}, so it cannot be driven in {}", label(schema_of(kind_of<model::Joint>()), *joint),
                  turn ? "TRANSLATIONAL" : "REVOLUTE", turn ? "rotation" : "translation"),
      fmt::format("write {}, or drive a CYLINDRICAL joint", turn ? "TRANSLATION" : "ROTATION"));
}

}  // namespace

void check_model(const Model& model, const Locate& locate, Diagnostics& diagnostics) {
  ExpressionCheck expressions(model, locate, diagnostics);
  for (const Model::Entry entry : model.order) expressions.statement(schema_of(entry.kind), model.at(entry));
  MarkerCheck(model, diagnostics).run();
  for (const model::Spline& spline : model.all<model::Spline>()) check_spline(spline, diagnostics);
  for (const model::Matrix& matrix : model.all<model::Matrix>()) check_matrix(matrix, diagnostics);
  for (const model::Friction& f : model.all<model::Friction>()) check_friction(f, model, diagnostics);
  if (!diagnostics.has_errors()) check_inertia(model, diagnostics);
  for (const model::Motion& motion : model.all<model::Motion>()) check_motion(motion, model, diagnostics);
  add_hints(model, diagnostics);
  for (const model::LeftOut& out : model::left_out(model)) {
    diagnostics.warning(
        out.first, std::string(out.keyword),
        fmt::format("{} statement{} parsed but not simulated; the results do not contain {}", out.count,
                    out.count == 1 ? " is" : "s are", out.count == 1 ? "it" : "them"));
  }
}

bool friction_reads(std::string_view argument, core::JointType type) {
  const std::vector<Surface>& of = surfaces(argument);
  return of.empty() || std::any_of(of.begin(), of.end(), [&](const Surface& s) { return s.first == type; });
}

void check_script(const model::Script& script, const Model& model, const Locate& locate,
                  Diagnostics& diagnostics) {
  ExpressionCheck expressions(model, locate, diagnostics);
  for (const model::Command& command : script.commands) {
    expressions.statement(schema_of(model::kind_of(command)), model::statement_of(command));
  }
}

}  // namespace trunnion::system
