#include "analysis/dynamics/time_courses.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "expr/knots.hpp"
#include "math/features.hpp"
#include "model/schema.hpp"

namespace trunnion::analysis {

namespace {

bool reads(const expr::Program& program, expr::InputKind kind) {
  const auto inputs = program.inputs();
  return std::any_of(inputs.begin(), inputs.end(), [&](const expr::Input& in) { return in.kind == kind; });
}

// Values of the courses at a time; whatever else they read is held at one.
class Sampler {
 public:
  Sampler(const std::vector<TimeCourse>& courses, const system::System& system) {
    for (const TimeCourse& course : courses) {
      Bound bound{*course.program, {}, std::vector<double>(course.program->inputs().size())};
      system.bind(bound.program);
      bound.work.reserve(bound.program);
      bound_.push_back(std::move(bound));
      if (course.variable != 0) of_variable_[course.variable] = bound_.size() - 1;
    }
  }

  // Whether it changes with the time at all, by itself or through VARIABLEs: one that reads motions only has nothing to show here.
  bool moves(std::size_t which) {
    if (moves_.empty()) find_moving();
    return moves_[which] != 0;
  }

  double value(std::size_t which, double t, int depth = 0) {
    Bound& b = bound_[which];
    for (std::size_t k = 0; k < b.in.size(); ++k) b.in[k] = value_of(b.program.inputs()[k], t, depth);
    return b.program.value(b.in, b.work);
  }

 private:
  void find_moving() {
    moves_.assign(bound_.size(), 0);
    const auto reads_moving = [&](const expr::Input& in) {
      if (in.kind == expr::InputKind::time) return true;
      const auto found =
          in.kind == expr::InputKind::variable ? of_variable_.find(in.ids[0]) : of_variable_.end();
      return found != of_variable_.end() && moves_[found->second] != 0;
    };
    for (bool more = true; std::exchange(more, false);) {
      for (std::size_t k = 0; k < bound_.size(); ++k) {
        const auto inputs = bound_[k].program.inputs();
        if (moves_[k] != 0 || !std::any_of(inputs.begin(), inputs.end(), reads_moving)) continue;
        moves_[k] = 1;
        more = true;
      }
    }
  }

  double value_of(const expr::Input& input, double t, int depth) {
    switch (input.kind) {
      case expr::InputKind::time: return t;
      case expr::InputKind::mode: return assembly::number(assembly::AnalysisMode::dynamics);
      case expr::InputKind::variable: break;
      default: return 1;
    }
    const auto found = of_variable_.find(input.ids[0]);
    return found == of_variable_.end() || depth == kDeepest ? 1 : value(found->second, t, depth + 1);
  }

  static constexpr int kDeepest = 8;  // VARIABLEs that read one another in a ring end here
  struct Bound {
    expr::Program program;
    expr::Workspace work;
    std::vector<double> in;
  };
  std::vector<Bound> bound_;
  std::map<int, std::size_t> of_variable_;
  std::vector<char> moves_;
};

// How many samples a course gets: enough for the longest step, and not so many that a short run is mostly this.
std::size_t samples_for(std::size_t courses, double span, double longest) {
  constexpr double kInStep = 2000, kFewest = 1000, kAll = 1e5, kEnough = 20000;
  const double wanted = kInStep * span / longest;
  const double most = std::clamp(kAll / static_cast<double>(courses), kFewest, kEnough);
  return static_cast<std::size_t>(std::clamp(wanted, kFewest, most));
}

}  // namespace

std::vector<TimeCourse> time_courses(const model::Model& model) {
  std::vector<TimeCourse> courses;
  for (const model::Model::Entry entry : model.order) {
    if (entry.kind == model::kind_of<model::Request>() || entry.kind == model::kind_of<model::Sensor>())
      continue;
    const model::Statement& statement = model.at(entry);
    for (const model::Argument& argument : model::schema_of(entry.kind).arguments) {
      if (argument.kind != model::ValueKind::expression || !model::is_given(argument, statement)) continue;
      auto compiled = expr::compile(model::field<model::Expression>(argument, statement).text);
      if (!compiled.program || compiled.program->is_user()) continue;
      if (!reads(*compiled.program, expr::InputKind::time) &&
          !reads(*compiled.program, expr::InputKind::variable))
        continue;
      const bool variable = entry.kind == model::kind_of<model::Variable>();
      courses.push_back(
          {std::make_shared<const expr::Program>(std::move(*compiled.program)), variable ? statement.id : 0});
    }
  }
  return courses;
}

std::vector<double> course_changes(const std::vector<TimeCourse>& courses, const system::System& system,
                                   double begin, double end, double longest) {
  constexpr std::size_t kMost = 100000;  // of one expression: more are a wave, which ERROR sees
  std::vector<double> all;
  if (courses.empty() || !(end > begin) || !(longest > 0)) return all;
  Sampler sampler(courses, system);
  const std::size_t count = samples_for(courses.size(), end - begin, longest);
  const double step = (end - begin) / static_cast<double>(count);
  std::vector<double> values(count + 1);
  for (std::size_t k = 0; k < courses.size(); ++k) {
    const std::vector<double> some = expr::time_knots(*courses[k].program, begin, end, kMost);
    all.insert(all.end(), some.begin(), some.end());
    if (expr::knots_tell_all(*courses[k].program) || !sampler.moves(k)) continue;
    for (std::size_t i = 0; i <= count; ++i)
      values[i] = sampler.value(k, begin + static_cast<double>(i) * step);
    for (const auto& [from, to] : math::short_features(values, begin, step)) {
      all.push_back(from);
      all.push_back(to);
    }
  }
  std::erase_if(all, [&](double t) { return !(t > begin && t < end); });
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace trunnion::analysis
