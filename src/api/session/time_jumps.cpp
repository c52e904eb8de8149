#include "api/session/time_jumps.hpp"

#include <algorithm>
#include <cmath>

#include "expr/knots.hpp"
#include "model/schema.hpp"

namespace trunnion::api {

namespace {

// An expression over the time; whatever else it reads is held.
class Course {
 public:
  Course(expr::Program program, const system::System& system) : program_(std::move(program)) {
    system.bind(program_);
    work_.reserve(program_);
  }
  std::vector<double> knots(double begin, double end) const {
    constexpr std::size_t kMost = 1000;
    return expr::time_knots(program_, begin, end, kMost);
  }
  // What is left of the change around a time as the look narrows: of a slope or a corner next to nothing.
  double jump(double t, double width) {
    constexpr double kNarrower = 1.0 / 16, kLeft = 0.5, kRounding = 1e-9;
    const double before = at(t - width), after = at(t + width);
    const double narrow = at(t + kNarrower * width) - at(t - kNarrower * width);
    const bool seen = std::abs(narrow) > kRounding * std::max(std::abs(before), std::abs(after));
    return seen && std::abs(narrow) > kLeft * std::abs(after - before) ? narrow : 0;
  }

 private:
  double at(double t) {
    for (std::size_t k = 0; k < inputs_.size(); ++k)
      inputs_[k] = program_.inputs()[k].kind == expr::InputKind::time ? t : 1;
    return program_.value(inputs_, work_);
  }

  expr::Program program_;
  std::vector<double> inputs_ = std::vector<double>(program_.inputs().size());
  expr::Workspace work_;
};

constexpr double kSpan = 1e-9;  // of the time it is about

bool reads_time(const expr::Program& program) {
  const auto inputs = program.inputs();
  return !program.is_user() && std::any_of(inputs.begin(), inputs.end(), [](const expr::Input& in) {
    return in.kind == expr::InputKind::time;
  });
}

bool is_displacement(const model::Motion& motion) {
  using Level = model::Motion::Level;
  return motion.level.value_or(Level::displacement) == Level::displacement;
}

}  // namespace

std::vector<core::Words> motion_jumps(const model::Model& model, const system::System& system, double begin,
                                      double end) {
  constexpr std::size_t kTold = 3;
  std::vector<core::Words> lines;
  for (const model::Motion& motion : model.all<model::Motion>()) {
    const auto* held = system.find_constraint(model::kind_of<model::Motion>(), motion.id);
    if (!held || !is_displacement(motion)) continue;
    auto compiled = expr::compile(motion.function.text);
    if (!compiled.program || !reads_time(*compiled.program) || compiled.program->inputs().size() > 1)
      continue;
    Course course(std::move(*compiled.program), system);
    std::size_t told = 0;
    for (const double t : course.knots(begin, end)) {
      const double by = course.jump(t, kSpan * std::max(std::abs(t), end - begin));
      if (by == 0) continue;
      if (++told > kTold) break;
      lines.push_back(core::words(
          "{}: FUNCTION jumps by {:.4g} at t = {:.9g}: what it drives cannot be in two places at one time, "
          "and "
          "its speed and forces there mean nothing; try STEP over a finite width instead of IF",
          held->label, by, t));
    }
  }
  return lines;
}

std::vector<core::Words> jumps_near(const model::Model& model, const system::System& system, double t,
                                    double width) {
  std::vector<core::Words> lines;
  for (const model::Model::Entry entry : model.order) {
    if (entry.kind == model::kind_of<model::Request>() || entry.kind == model::kind_of<model::Sensor>())
      continue;
    const model::Schema& schema = model::schema_of(entry.kind);
    const model::Statement& statement = model.at(entry);
    for (const model::Argument& argument : schema.arguments) {
      if (argument.kind != model::ValueKind::expression || !model::is_given(argument, statement)) continue;
      auto compiled = expr::compile(model::field<model::Expression>(argument, statement).text);
      if (!compiled.program || !reads_time(*compiled.program)) continue;
      Course course(std::move(*compiled.program), system);
      for (const double knot : course.knots(t - width, t + width)) {
        if (course.jump(knot, kSpan * std::max(std::abs(knot), width)) == 0) continue;
        lines.push_back(
            core::words("{}: {} jumps with the time at t = {:.9g}; try STEP over a finite width "
                        "instead of IF",
                        label(schema, statement), argument.name, knot));
        break;
      }
    }
  }
  return lines;
}

}  // namespace trunnion::api
