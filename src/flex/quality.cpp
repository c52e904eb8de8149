#include "flex/quality.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

namespace trunnion::flex {

namespace {

double hertz(double omega) { return omega / (2 * std::numbers::pi); }

std::string place_of(const SetOfModes& set, int k) {
  const auto at = static_cast<std::size_t>(k);
  return fmt::format("node {} {}{}", set.nodes[at], set.directions[at] < 3 ? "along " : "",
                     direction_name(set.directions[at]));
}

double part(double of, double total) {
  // Rounding of sums of squares; nothing to have is all of it.
  return total > 0 ? std::min(1.0, of / total)
                   : (total == 0 ? 1.0 : std::numeric_limits<double>::quiet_NaN());
}

// The frequency at which the modes left out reach what is allowed. left_out_part grows with ω.
double good_to(const SetOfModes& set) {
  double low = 0, high = std::sqrt(set.ahead[0]);
  for (int k = 0; k < 60; ++k) {
    const double middle = (low + high) / 2;
    (left_out_part(set, middle) <= kAllowed ? low : high) = middle;
  }
  return low;
}

// Free frequencies with more modes, against those without.
void what_more_would_change(const SetOfModes& set, const Eigen::VectorXd& eigenvalues, double up_to,
                            Quality& q) {
  q.more = static_cast<int>(set.ahead.size());
  for (Eigen::Index k = 0; k < std::min(eigenvalues.size(), set.richer.size()); ++k) {
    const double with = std::sqrt(std::max(0.0, set.richer[k])), without = std::sqrt(eigenvalues[k]);
    if (without > up_to) break;
    q.change = std::max(q.change, (without - with) / with);
    ++q.changed;
  }
}

std::string percent(double part) { return fmt::format("{:.3g} %", 100 * part); }

// 99.99 % is not 100 %: what is missing counts.
std::string share(double part) {
  if (std::isnan(part)) return "unknown";
  if (part > 0.99 && part < 1) return fmt::format("{:.4f} %", std::floor(part * 1e6) / 1e4);
  return fmt::format("{:.1f} %", 100 * part);
}

}  // namespace

double left_out_part(const SetOfModes& set, double omega, int* where) {
  const double x = omega * omega;
  if (set.ahead.size() == 0) return 0;  // all modes are in
  if (x >= set.ahead[0]) return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (Eigen::Index k = 0; k < set.coupled.size(); ++k) {
    const double rest = std::max(0.0, set.coupled_total[k] - set.coupled[k]);
    const double missing = x * x * rest / (set.ahead[0] - x) / std::max(set.stiffness[k], x * set.mass[k]);
    if (std::isnan(missing)) return missing;
    if (missing > worst) {
      worst = missing;
      if (where) *where = static_cast<int>(k);
    }
  }
  return worst;
}

Quality judge(const SetOfModes& set, const Eigen::VectorXd& eigenvalues, double band) {
  Quality q;
  q.static_error = set.static_error;
  if (set.fixed.size() > 0) q.highest_kept = std::sqrt(set.fixed[set.fixed.size() - 1]);
  if (set.ahead.size() > 0) q.first_left_out = std::sqrt(set.ahead[0]);
  for (int k = 0; k < 3; ++k) {
    q.moved[k] = part(set.moved[k], set.moved_total[k]);
    q.weight[k] = part(set.weight[k], set.weight_total[k]);
  }
  q.least_mass = 1;
  for (Eigen::Index k = 0; k < set.coupled.size(); ++k) {
    const double here = part(set.coupled[k], set.coupled_total[k]);
    if (here >= q.least_mass) continue;
    q.least_mass = here;
    q.least_mass_at = place_of(set, static_cast<int>(k));
  }
  if (set.coupled.size() == 0) return q;
  if (set.ahead.size() > 0 && !std::isnan(left_out_part(set, 0))) {
    q.good_to = good_to(set);
    int where = 0;
    left_out_part(set, q.good_to, &where);
    q.worst = place_of(set, where);
  }
  what_more_would_change(set, eigenvalues, band > 0 ? band : q.good_to, q);
  return q;
}

std::string verdict(const Quality& q, double band) {
  if (q.first_left_out == 0 && q.good_to == 0 && q.highest_kept > 0 && q.more == 0 && q.worst.empty() &&
      q.changed == 0)
    return "no verdict: modes of the free body say nothing about loads on joints; give --interface nodes";
  if (q.first_left_out == 0) return "good at any frequency: no mode of the mesh is left out";
  if (q.good_to == 0) return "no verdict: a part of the mesh has no mass, so what is left out has no bound";
  const double limit = hertz(q.good_to);
  if (band <= 0)
    return fmt::format(
        "good enough for motion up to {:.4g} Hz: there, all that is left out changes no interface by more "
        "than {:g} %",
        limit, 100 * kAllowed);
  if (hertz(band) <= limit)
    return fmt::format(
        "good enough for {:.4g} Hz: the limit of {:g} % at the interfaces is reached at {:.4g} Hz",
        hertz(band), 100 * kAllowed, limit);
  return fmt::format(
      "not good enough for {:.4g} Hz: above {:.4g} Hz ({}) more than {:g} % may be missing; take more modes, "
      "up to twice "
      "the frequency: --to {:.4g}",
      hertz(band), limit, q.worst, 100 * kAllowed, 2 * hertz(band));
}

std::string quality_text(const Quality& q, double band) {
  std::string out;
  const auto line = [&](const std::string& what, const std::string& value) {
    out += fmt::format("  {:<34} {}\n", what, value);
  };
  if (!q.worst.empty() || q.more > 0) {
    line("effective interface mass, x y z",
         fmt::format("{}, {}, {}", share(q.moved[0]), share(q.moved[1]), share(q.moved[2])));
    line("  least of one interface coordinate",
         q.least_mass_at.empty() ? share(q.least_mass)
                                 : fmt::format("{} ({})", share(q.least_mass), q.least_mass_at));
    line("static loads on interfaces", fmt::format("error {:.1e}", q.static_error));
    line("own weight, x y z",
         fmt::format("{}, {}, {} of its energy", share(q.weight[0]), share(q.weight[1]), share(q.weight[2])));
    if (q.highest_kept > 0)
      line("highest fixed-interface mode kept", fmt::format("{:.5g} Hz", hertz(q.highest_kept)));
  }
  if (q.first_left_out > 0) line("first one left out", fmt::format("{:.5g} Hz", hertz(q.first_left_out)));
  if (q.more > 0)
    line(fmt::format("{} more modes would change", q.more),
         q.changed == 0 ? fmt::format("no free frequency below {:.4g} Hz: there is none",
                                      hertz(band > 0 ? band : q.good_to))
                        : fmt::format("{} free {} by {} at most", q.changed,
                                      q.changed == 1 ? "frequency" : "frequencies", percent(q.change)));
  return out + "verdict: " + verdict(q, band) + "\n";
}

}  // namespace trunnion::flex
