#include "system/check_inertia.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "core/text.hpp"
#include "elements/body.hpp"
#include "system/frames.hpp"

namespace trunnion::system {

namespace {

using math::Mat3;
using math::Vec3;

// Digits that the shortest text of a number has: "1.67e-3" three.
int digits(double value) {
  int count = 0, zeros = 0;
  for (const char c : core::number_text(std::abs(value))) {
    if (c == 'e' || c == 'E') break;
    if (!core::is_digit(c)) continue;
    if (c == '0') {
      if (count > 0) ++zeros;  // counts where another digit follows
      continue;
    }
    count += std::exchange(zeros, 0) + 1;
  }
  return count;
}

// Half a unit of the last digit, of a number. One file writes all with as many digits, of which trailing zeros do not show; fewer than
// three nobody means.
double rounding(const model::Part& part) {
  constexpr int kLeast = 3;
  int most = kLeast;
  for (const double value : part.ip) most = std::max(most, digits(value));
  return 0.5 * std::pow(10.0, 1 - most);
}

struct Inertia {
  Mat3 J = Mat3::Zero();  // about the mass centre
  double doubt = 0;       // of its eigenvalues, from the digits of the data
};

Inertia inertia_of(const model::Part& part, Frames& frames) {
  double ip[6] = {0, 0, 0, 0, 0, 0};
  for (std::size_t k = 0; k < std::min<std::size_t>(6, part.ip.size()); ++k) ip[k] = part.ip[k];
  const double mass = part.mass.value_or(0);
  Vec3 c = Vec3::Zero();
  if (part.im.given() && part.cm.given()) {
    const Frame X_BI = frames.marker_on_body(part.im.id), X_BC = frames.marker_on_body(part.cm.id);
    c = X_BI.R.transpose() * (X_BC.p - X_BI.p);
  }
  Inertia out;
  out.J = elements::inertia_about_mass_centre(ip, mass, Mat3::Identity(), c);
  // The change of an eigenvalue is at most the norm of the change: of six numbers, and of the mass and twice the arm.
  double squares = 0;
  for (int k = 0; k < 6; ++k) squares += (k < 3 ? 1 : 2) * ip[k] * ip[k];
  const double rounded = rounding(part);
  out.doubt = rounded * (std::sqrt(squares) + 3 * mass * c.squaredNorm());
  return out;
}

void check(const model::Part& part, Frames& frames, core::Diagnostics& diagnostics) {
  if (part.ground || part.ip.empty()) return;
  const model::Schema& schema = model::schema_of(model::kind_of<model::Part>());
  const model::GivenArgument* given = part.find_given(schema.index_of("IP"));
  const core::Span span = given ? given->value : part.span;
  const std::string owner = label(schema, part);
  for (std::size_t k = 0; k < std::min<std::size_t>(3, part.ip.size()); ++k) {
    if (part.ip[k] >= 0) continue;
    diagnostics.error(span, owner,
                      fmt::format("IP: the moment of inertia I{0}{0} = {1} is negative", "xyz"[k],
                                  core::number_text(part.ip[k])),
                      "moments of inertia are sums of mass times distance squared; 0 is allowed");
    return;
  }
  if (part.planar) return;  // only one of the moments counts
  const Inertia inertia = inertia_of(part, frames);
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(inertia.J, Eigen::EigenvaluesOnly);
  const Vec3 principal = solver.eigenvalues();
  const std::string moments =
      fmt::format("{:.6g}, {:.6g} and {:.6g}", principal[0], principal[1], principal[2]);
  if (principal[0] < -inertia.doubt) {
    const bool moved = part.im.given() && part.im.id != part.cm.id;
    diagnostics.error(
        span, owner,
        fmt::format("IP is not a valid inertia tensor: its principal moments at the mass centre are {}",
                    moments),
        moved
            ? "IP holds about the origin of IM; leave out IM where it holds about CM, and check MASS and the "
              "place of CM"
            : "products are positive integrals, Ixy = ∫xy dm: some CAD programs print the negative");
    return;
  }
  if (principal[2] <= principal[0] + principal[1] + 3 * inertia.doubt) return;
  diagnostics.warning(
      span, owner,
      fmt::format(
          "IP belongs to no real body: its principal moments at the mass centre are {}, and none can exceed "
          "the sum of the other two",
          moments),
      "check the order Ixx, Iyy, Izz, the units, and whether IP holds about CM (else give IM); the run goes "
      "on "
      "with these numbers");
}

}  // namespace

void check_inertia(const model::Model& model, core::Diagnostics& diagnostics) {
  core::Diagnostics of_frames;  // said where the system is compiled
  Frames frames(model, of_frames);
  for (const model::Part& part : model.all<model::Part>()) check(part, frames, diagnostics);
}

}  // namespace trunnion::system
