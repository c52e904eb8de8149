#include "metamorphic/output_relations.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace trunnion::metamorphic {

using math::Mat3;
using math::Vec3;

// PSI, THETA, PHI of a marker are the orientation that the channels of its part report.
Verdict angles_read(Subject& s, Random&) {
  if (s.begin().unfit) return Verdict::skip(s.begin().why);
  model::Model model = s.mechanism().model;
  int request = 0;
  for (const model::Request& r : model.all<model::Request>()) request = std::max(request, r.id);
  const int first = request + 1;
  std::vector<int> parts;
  for (const model::Part& part : model.all<model::Part>()) {
    if (part.ground || !part.cm.given()) continue;
    model::Request r;
    r.id = ++request;
    const auto of = [&](const char* f) { return model::Expression(fmt::format("{}({})", f, part.cm.id)); };
    r.f2 = of("PSI");
    r.f3 = of("THETA");
    r.f4 = of("PHI");
    r.f6 = of("YAW");
    r.f7 = of("PITCH");
    r.f8 = of("ROLL");
    parts.push_back(part.id);
    model.add(r);
  }
  const History h = start(model);
  if (!h.ok) return {Outcome::fails, h.why};
  const auto find = [&](const std::string& name) -> const double* {
    for (const Quantity& q : h.quantities) {
      if (q.name == name) return h.value(0, q);
    }
    return nullptr;
  };
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const double *channel = find(fmt::format("PART/{}.PSI", parts[k])),
                 *f = find(fmt::format("REQUEST/{}.F1", first + static_cast<int>(k)));
    if (!channel || !f) return {Outcome::fails, fmt::format("no orientation of PART/{}", parts[k])};
    const Mat3 R = math::rotation_from_euler_313({channel[0], channel[1], channel[2]});
    const Mat3 body = math::rotation_from_euler_313({f[1], f[2], f[3]}),
               ship = math::rotation_from_euler_321({f[5], -f[6], f[7]});
    // Angles are read to half of the digits where two axes of rotation coincide.
    constexpr double kDigits = 1e-6;
    const double by_body = math::so3_log(Mat3(R.transpose() * body)).norm(),
                 by_ship = math::so3_log(Mat3(R.transpose() * ship)).norm();
    if (!(by_body < kDigits))
      return {Outcome::fails,
              fmt::format("PSI, THETA, PHI of PART/{} are {:.6g}, {:.6g}, {:.6g}: turned by {:.3g} from "
                          "its channels {:.6g}, {:.6g}, {:.6g}",
                          parts[k], f[1], f[2], f[3], by_body, channel[0], channel[1], channel[2])};
    if (!(by_ship < kDigits))
      return {Outcome::fails,
              fmt::format("YAW, PITCH, ROLL of PART/{} are turned by {:.3g} from its channels", parts[k],
                          by_ship)};
  }
  return {};
}

namespace {

// A force by a function of MODE, and that function as a VARIABLE and a REQUEST.
struct ByMode {
  int variable, request, force;
};

// Every SFORCE's function times MODE: the analyses then differ by a seventh of it at least.
std::vector<ByMode> multiply_by_mode(model::Model& model) {
  int variable = 0, request = 0;
  for (const model::Variable& v : model.all<model::Variable>()) variable = std::max(variable, v.id);
  for (const model::Request& r : model.all<model::Request>()) request = std::max(request, r.id);
  std::vector<ByMode> out;
  std::vector<std::string> texts;
  for (model::Sforce& f : model.all<model::Sforce>()) {
    if (f.type != model::Freedom::translation) continue;
    f.function = fmt::format("MODE*({})", f.function.text);
    texts.push_back(f.function.text);
    out.push_back({0, 0, f.id});
  }
  texts.push_back("MODE");
  out.push_back({0, 0, 0});
  for (std::size_t k = 0; k < out.size(); ++k) {
    model::Variable v;
    out[k].variable = v.id = ++variable;
    v.function = texts[k];
    model.add(v);
    model::Request r;
    out[k].request = r.id = ++request;
    r.f2 = texts[k];
    model.add(r);
  }
  return out;
}

std::string told_otherwise(const History& h, const std::vector<ByMode>& all) {
  const auto value = [&](const std::string& name, std::size_t row) -> const double* {
    for (const Quantity& q : h.quantities) {
      if (q.name == name) return h.value(row, q);
    }
    return nullptr;
  };
  // The corrector leaves a VARIABLE off by a part of ERROR.
  constexpr double kLeft = 1e-3;
  for (const ByMode& f : all) {
    for (std::size_t row = 0; row < h.rows.size(); ++row) {
      const double solved = *value(fmt::format("VARIABLE/{}", f.variable), row);
      const double may = kLeft * std::max(1.0, std::abs(solved));
      const double request = *value(fmt::format("REQUEST/{}.F2", f.request), row);
      if (!(std::abs(request - solved) <= may))
        return fmt::format("REQUEST/{} is {:.6g} at t = {:.6g}, VARIABLE/{} with its function {:.6g}",
                           f.request, request, h.t[row], f.variable, solved);
      const double* force = value(fmt::format("SFORCE/{}.FX", f.force), row);
      if (!force) continue;
      const double size = Vec3(force[0], force[1], force[2]).norm();
      if (!(std::abs(size - std::abs(solved)) <= may))
        return fmt::format("SFORCE/{} is {:.6g} at t = {:.6g}, VARIABLE/{} with its function {:.6g}", f.force,
                           size, h.t[row], f.variable, solved);
    }
  }
  return {};
}

}  // namespace

// A VARIABLE is solved with the equations, a REQUEST and the channels of a force are made for the row.
Verdict mode_read(Subject& s, Random&) {
  if (s.begin().unfit) return Verdict::skip(s.begin().why);
  model::Model model = s.with(s.mechanism().model, s.integrator());
  const std::vector<ByMode> all = multiply_by_mode(model);
  History moving = simulate(model, evenly(s.duration(), Subject::kRows));
  if (!moving.ok) return Verdict::skip(moving.why);
  moving.rows.erase(moving.rows.begin());  // of the assembly
  moving.t.erase(moving.t.begin());
  if (const std::string what = told_otherwise(moving, all); !what.empty())
    return {Outcome::fails, "in dynamics " + what};
  const History resting = at_rest(model);
  if (!resting.ok) return {};
  const std::string what = told_otherwise(resting, all);
  return what.empty() ? Verdict{} : Verdict{Outcome::fails, "in statics " + what};
}

}  // namespace trunnion::metamorphic
