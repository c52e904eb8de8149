#include "integrate/multistep.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trunnion::integrate {

using assembly::State;
using math::Mat3;

namespace {

// Lagrange weights at x of the polynomial through `nodes`, and of its derivative.
void lagrange(const double* nodes, int count, double x, double* value, double* slope) {
  for (int i = 0; i < count; ++i) {
    double product = 1, sum = 0;
    for (int j = 0; j < count; ++j) {
      if (j == i) continue;
      const double gap = nodes[i] - nodes[j];
      sum = sum * (x - nodes[j]) / gap + product / gap;
      product *= (x - nodes[j]) / gap;
    }
    value[i] = product;
    if (slope != nullptr) slope[i] = sum;
  }
}

}  // namespace

BdfWeights bdf_weights(const double* times, int order, MultistepSettings::Coefficients coefficients) {
  BdfWeights b;
  const double h = times[0] - times[1];
  double slope[kHighestBdf + 2];
  lagrange(times + 1, order + 1, times[0], b.predict, slope);
  double alpha_s = 0, alpha_0 = 0;
  for (int i = 1; i <= order; ++i) {
    alpha_s += 1.0 / i;
    alpha_0 += h / (times[0] - times[i]);
  }
  const double next = h / (times[0] - times[order + 1]);
  if (coefficients == MultistepSettings::Coefficients::fixed_leading) {
    b.s = alpha_s / h;
    for (int j = 0; j <= order; ++j) b.w[j] = slope[j] - b.s * b.predict[j];
    b.error = std::max(next, std::abs(next + alpha_0 - alpha_s));
  } else {
    double value[kHighestBdf + 2], all[kHighestBdf + 2];
    lagrange(times, order + 1, times[0], value, all);
    b.s = all[0];
    for (int j = 0; j < order; ++j) b.w[j] = all[j + 1];
    b.w[order] = 0;
    b.error = next;
  }
  return b;
}

Multistep::Multistep(const assembly::Layout& layout, const MultistepSettings& settings, double error)
    : layout_(layout),
      settings_(settings),
      allowed_(error),
      norm_(layout, settings.amplitude),
      past_(kPoints),
      chart_(kPoints, Eigen::VectorXd::Zero(layout.size())),
      spins_on_(layout),
      d_(Eigen::VectorXd::Zero(layout.size())),
      predicted_(d_),
      rate_rest_(d_),
      acceleration_rest_(d_),
      y_(d_),
      rate_(d_),
      error_(d_),
      velocity_error_(d_),
      turn_(layout.triples().size(), Mat3::Identity()) {
  settings_.highest_order = std::clamp(settings_.highest_order, 1, kHighestBdf);
  maps_.turn = &turn_;
}

void Multistep::start(const State& state) {
  now_ = state;
  now_.mu.setZero();
  // The second derivative of a first-order state is not known.
  order_ = norm_.has_states() ? 1 : std::min(2, settings_.highest_order);
  h_ = 0;
  points_ = 1;
  steps_at_this_ = 0;
  starting_ = true;
  failures_ = 0;
  turned_ = 0;
  forget_chart();
  spins_on_.start(now_);
  y_.setZero();
  norm_.grow(state);
  past_[0] = {state.t, state.q, state.v, state.lambda};
}

void Multistep::start_with(std::span<const State> past) {
  start(past[0]);
  points_ = std::min(static_cast<int>(past.size()), kPoints);
  for (int j = 0; j < points_; ++j) {
    const State& s = past[static_cast<std::size_t>(j)];
    past_[static_cast<std::size_t>(j)] = {s.t, s.q, s.v, s.lambda};
    norm_.grow(s);
  }
  order_ = std::min(settings_.highest_order, points_ - 1);
  starting_ = false;
}

// Points before the start, where the start's velocities and accelerations lead back to: exact to third order in positions,
// so that the second order can be had from the first step on.
void Multistep::first_past(double h, int place) {
  Point& p = past_[static_cast<std::size_t>(place)];
  const int n = layout_.coordinates().size;
  p.t = now_.t - h;
  p.v = now_.v - h * now_.a;
  p.lambda = now_.lambda;
  p.q.resize(now_.q.size());
  error_.setZero();
  error_.head(n) = 0.5 * h * h * now_.a.head(n);
  spins_on_.look(p.t);
  spins_on_.place(error_, p.q);
}

void Multistep::chart_past(int points) const {
  if (charted_ >= points) return;
  assembly::Chart::Point known[kPoints];
  known[0] = {now_.t, &chart_[0], &now_.v};
  for (int j = 1; j < points; ++j) {
    const Point& p = past_[static_cast<std::size_t>(j)];
    Eigen::VectorXd& chart = chart_[static_cast<std::size_t>(j)];
    known[j] = {p.t, &chart, &p.v};
    if (j < charted_) continue;
    spins_on_.look(p.t);
    spins_on_.coordinates(p.q, chart);
  }
  charted_ = points;
  known_ = spins_on_.turns_known(std::span(known, static_cast<std::size_t>(points)));
}

// Where not all points that made the step are known in its chart: the cubic through coordinates and rates at both ends.
void Multistep::within_step(double t, Eigen::VectorXd& d) const {
  const double h = past_[1].t - now_.t, x = (t - now_.t) / h;
  spins_on_.look(past_[1].t);
  spins_on_.coordinates(past_[1].q, error_);
  spins_on_.rate(error_, past_[1].v, velocity_error_);
  d = x * x * (3 - 2 * x) * error_ + h * x * x * (x - 1) * velocity_error_;
  const assembly::Segment& w = layout_.variables();
  d.segment(w.offset, w.size) = x * error_.segment(w.offset, w.size);
}

void Multistep::predict(double h, State& trial) {
  if (h != h_) steps_at_this_ = 0;
  h_ = h;
  // Made anew when the first step is repeated shorter.
  if (points_ == 1) forget_chart();
  for (int place = 1; points_ == 1 && place < kMade; ++place) first_past(place * h, place);
  chart_past(std::min(std::max(points_, kMade), order_ + 3));
  order_ = std::min(order_, std::max(1, known_ - 1));
  double times[kPoints + 1];
  times[0] = now_.t + h;
  for (int j = 0; j < kPoints; ++j) times[j + 1] = past_[static_cast<std::size_t>(j)].t;
  weights_ = bdf_weights(times, order_, settings_.coefficients);
  const double s = weights_.s;
  maps_.body = {1 / (s * s), 1 / s, 1};
  maps_.state = {1 / s, 1, 0};
  predicted_.setZero();
  rate_rest_.setZero();
  acceleration_rest_ = weights_.w[0] * now_.v;
  for (int j = 1; j <= order_; ++j) {
    const auto& chart = chart_[static_cast<std::size_t>(j)];
    predicted_ += weights_.predict[j] * chart;
    rate_rest_ += weights_.w[j] * chart;
    acceleration_rest_ += weights_.w[j] * past_[static_cast<std::size_t>(j)].v;
  }
  d_ = predicted_;
  y_.setZero();
  trial.t = now_.t + h;
  spins_on_.look(trial.t);
  trial.memory = now_.memory;
  trial.mu.setZero(layout_.row_count());
  // Reactions: a line through the last two points; more would amplify their errors.
  const Point &p0 = past_[0], &p1 = past_[1];
  const double x = points_ > 2 ? h / (p0.t - p1.t) : 0.0;
  trial.lambda = p0.lambda + std::min(x, 2.0) * (p0.lambda - p1.lambda);
  place(trial);
}

void Multistep::place(State& trial) {
  const double s = weights_.s;
  const int n = layout_.coordinates().size;
  const assembly::Segment& w = layout_.variables();
  rate_ = s * d_ + rate_rest_;
  rate_.segment(w.offset, w.size).setZero();
  spins_on_.place(d_, trial.q);
  spins_on_.velocity(d_, rate_, trial.v);
  if (settings_.stabilised) trial.v.head(n) += y_.head(n) / s;
  trial.a.head(n) = s * trial.v.head(n) + acceleration_rest_.head(n);
}

const system::LevelMaps& Multistep::maps(bool turns) {
  if (turns) spins_on_.turns(d_, rate_, weights_.s, turn_);
  return maps_;
}

// What the unknowns of a stage are in positions, states and variables.
void Multistep::to_positions(const Eigen::VectorXd& du, Eigen::VectorXd& to) const {
  const assembly::Segment &q = layout_.coordinates(), &z = layout_.states(), &w = layout_.variables();
  to.head(q.size) = maps_.body.q * du.head(q.size);
  to.segment(z.offset, z.size) = maps_.state.q * du.segment(z.offset, z.size);
  to.segment(w.offset, w.size) = maps_.variable.q * du.segment(w.offset, w.size);
}

void Multistep::add(const Eigen::VectorXd& du, State& trial) {
  to_positions(du, error_);
  assembly::turn_to_increment(layout_, d_, error_, error_);
  d_ += error_;
  if (settings_.stabilised) y_ += du.segment(du.size() / 2, layout_.size());
  place(trial);
}

double Multistep::size(const Eigen::VectorXd& du) const {
  to_positions(du, error_);
  double size = norm_(error_);
  // An error left by the corrector is a force that is missing: it stays in the velocities, where truncation errors do not
  // pile up. So velocities must converge as well as positions.
  error_ = du.head(layout_.size());
  if (settings_.stabilised) error_ += du.segment(du.size() / 2, layout_.size());
  size = std::max(size, maps_.body.v * norm_.velocities(error_));
  return weights_.error * size / allowed_;
}

double Multistep::rounding() const {
  constexpr double kRounding = 16 * std::numeric_limits<double>::epsilon();
  return weights_.error * std::max(kRounding, velocity_rounding()) / allowed_;
}

double Multistep::derivative_norm(int j, const State& trial) const {
  // y − P_j times (j + 1)! h^(j+1) / Π (tₙ₊₁ − tₙ₋ᵢ)
  double nodes[kPoints], value[kPoints];
  double scale = 1;
  for (int i = 0; i <= j; ++i) {
    nodes[i] = past_[static_cast<std::size_t>(i)].t;
    scale *= (i + 1) * h_ / (trial.t - nodes[i]);
  }
  lagrange(nodes, j + 1, trial.t, value, nullptr);
  error_ = d_;
  for (int i = 1; i <= j; ++i) error_ -= value[i] * chart_[static_cast<std::size_t>(i)];
  if (controls_velocities()) {
    velocity_error_ = trial.v;
    for (int i = 0; i <= j; ++i) velocity_error_ -= value[i] * past_[static_cast<std::size_t>(i)].v;
  }
  plain_[j] = scale * by_error(error_, velocity_error_);
  return std::max(plain_[j], scale * norm_.amplitude(error_));
}

double Multistep::by_error(const Eigen::VectorXd& position, const Eigen::VectorXd& velocity) const {
  double size = norm_(position);
  if (controls_velocities()) {
    // Rounding of positions over a short step is no error that a shorter one would mend: it would end at HMIN.
    constexpr double kHopeless = 100;  // over ERROR
    const double v = norm_.velocities(velocity), rounding = velocity_rounding();
    const bool granted = v <= rounding && (starting_ || rounding > kHopeless * allowed_);
    if (!granted) size = std::max(size, v);
  }
  return size / allowed_;
}

double Multistep::velocity_rounding() const {
  constexpr double kRounding = 16 * std::numeric_limits<double>::epsilon();
  return kRounding * weights_.s * norm_.velocity_of_rounding();
}

double Multistep::error(const State& trial) {
  error_ = d_ - predicted_;
  if (controls_velocities()) {
    velocity_error_ = trial.v;
    for (int j = 0; j <= order_; ++j)
      velocity_error_ -= weights_.predict[j] * past_[static_cast<std::size_t>(j)].v;
  }
  // Errors of the first steps stay for good and those steps are cheap: a small part of what is allowed.
  constexpr double kStartShare = 1e-2;
  plain_error_ = weights_.error * by_error(error_, velocity_error_);
  const double amplitude = weights_.error * norm_.amplitude(error_);
  for (int j = std::max(0, order_ - 2); j <= order_ + 1; ++j)
    derivative_[j] = j + 1 <= available() ? derivative_norm(j, trial) : -1;
  keep_peaks();
  // A higher order shows it; where there is none, the step has to answer for it.
  const bool unseen = order_ == settings_.highest_order && hidden(order_);
  const double instead = unseen ? weights_.error * usual(order_) : 0.0;
  // Beyond this the chart does not tell how far a body turned.
  turned_ = assembly::largest_move(layout_, d_).turn;
  if (turned_ > assembly::kLargestTurn) return std::numeric_limits<double>::infinity();
  return std::max({starting_ ? plain_error_ / kStartShare : plain_error_, amplitude, instead});
}

// Derivatives of a swing are zero twice in it, one after the other: their peaks of late tell its pace.
void Multistep::keep_peaks() {
  constexpr double kFade = 0.93;
  steps_at_order_ = order_ == peaks_order_ ? steps_at_order_ + 1 : 0;
  peaks_order_ = order_;
  for (int j = 0; j <= kHighestBdf + 1; ++j) {
    const bool known = j >= order_ - 1 && j <= order_ + 1 && derivative_[j] >= 0;
    peak_[j] = known ? std::max(kFade * peak_[j], derivative_[j]) : 0;
  }
  keep_hidden();
}

// One derivative of a motion may vanish for good where its neighbours do not: the third of a thin disc that nutates does, in the
// chart that spins with it, and the formula of order 2 errs in velocities alone, unseen. Where axes of spin change, one that stays far
// below what lies between its neighbours is hidden, unless the upper one is noise or the motion is not smooth. In a swing each is
// so for 0.4 radians.
void Multistep::keep_hidden() {
  constexpr double kNoise = 0.1, kFar = 0.2;  // over what is allowed; of what lies between
  constexpr double kSmooth = 0.05;            // (ωh)² of a motion that steps resolve
  const bool spins = assembly::spin_axes_change(layout_, now_);
  for (int j = 1; j <= kHighestBdf; ++j) {
    const bool known =
        spins && j >= order_ - 1 && j <= order_ && derivative_[j - 1] >= 0 && derivative_[j + 1] >= 0;
    const double above = derivative_[j + 1], below = derivative_[j - 1];
    const bool far = known && above > kNoise && above < kSmooth * below &&
                     derivative_[j] < kFar * std::sqrt(below * above);
    hidden_phase_[j] = far ? hidden_phase_[j] + std::sqrt(above / below) : 0;
  }
}

bool Multistep::hidden(int j) const {
  constexpr double kLong = 0.7;
  return j > 0 && hidden_phase_[j] > kLong;
}

double Multistep::usual(int j) const {
  return hidden(j) ? std::sqrt(derivative_[j - 1] * derivative_[j + 1]) : derivative_[j];
}

// What errs most at order k swings at this ωh.
double Multistep::pace(int k) const {
  return k > 0 && peak_[k - 1] > 0 ? peak_[k] / std::max(peak_[k - 1], usual(k - 1)) : 0;
}

int Multistep::worst_entry() const {
  error_ = d_ - predicted_;
  return norm_.largest(error_);
}

double Multistep::next_step(double error, double largest) {
  // A change of spin turns a body further by the square of the time: all points that the next step uses, one order higher, must stay
  // where their turns are known.
  const double steps = order_ + 2;
  if (turned_ > 0) largest = std::min(largest, h_ * std::sqrt(assembly::kLargestTurn / turned_) / steps);
  failures_ = 0;
  ++steps_at_this_;
  const int k = order_;
  if (settings_.constant) {
    if (points_ > order_ && order_ < settings_.highest_order) ++order_;
    return std::min(h_, largest);
  }
  // While starting, order and step grow together as long as the higher derivatives do not object.
  const auto lower_is_better = [&] {
    return k > 1 && derivative_[k - 1] >= 0 && derivative_[k - 1] <= derivative_[k];
  };
  if (starting_ && k < settings_.highest_order && !lower_is_better() && error < 0.5) {
    if (k < points_) ++order_;
    steps_at_this_ = 0;
    const double room = std::pow(2 * std::max(error, 1e-14), -1.0 / (k + 1));
    return std::min(h_ * std::min(2.0, std::max(1.0, room)), largest);
  }
  starting_ = false;
  if (h_ >= largest * (1 - 1e-12) && error < 1) {
    // The step cannot grow: the order with the smallest error costs nothing. By ERROR's own measure, which with SI2 does not fall
    // to zero twice in every swing.
    if (steps_at_this_ > k) {
      const double worse = 2;  // what one more point has to gain to be worth its noise
      if (k < settings_.highest_order && derivative_[k + 1] >= 0 &&
          worse * plain_[k + 1] / (k + 2) < plain_error_) {
        ++order_;
        steps_at_this_ = 0;
      } else if (k > 1 && derivative_[k - 1] >= 0 && plain_[k - 1] / k < plain_error_ && !hidden(k - 1)) {
        --order_;
        steps_at_this_ = 0;
      }
    }
    return largest;
  }
  // Biases as in LSODE: the higher order has to earn its place.
  const auto step_for = [&](int j, double size, double bias) {
    return 1 / (bias * std::pow(std::max(size, 1e-12), 1.0 / (j + 1)) + 1e-6);
  };
  const double here = step_for(k, error, 1.2);
  double best = here;
  int order = k;
  if (k < settings_.highest_order && hidden(k) && points_ > k + 1) {
    ++order_;
    steps_at_this_ = 0;
    return std::min(h_ * std::clamp(step_for(k + 1, derivative_[k + 1] / (k + 2), 1.4), 0.5, 1.0), largest);
  }
  if (steps_at_this_ > k) {
    // Vibrations that a step hardly resolves are fed by orders 3 and 4 (at most 9 and 35 % a step). Order 2 needs little shorter
    // steps there and is rid of them.
    const bool seen = steps_at_order_ > kSeen;
    if (seen && k > kDamping && k <= kFeeding && pace(k) > kFast) {
      --order_;
      steps_at_this_ = 0;
      return std::min(h_ * std::clamp(step_for(k - 1, derivative_[k - 1] / k, 1.3), 0.5, 1.0), largest);
    }
    if (k > 1 && derivative_[k - 1] >= 0) {
      const double down = step_for(k - 1, usual(k - 1) / k, 1.3);
      if (down > best) {
        best = down;
        order = k - 1;
      }
    }
    if (k < settings_.highest_order && derivative_[k + 1] >= 0 &&
        (!seen || k != kDamping || pace(k + 1) < kFast)) {
      const double up = step_for(k + 1, derivative_[k + 1] / (k + 2), 1.4);
      if (up > best) {
        best = up;
        order = k + 1;
      }
    }
    constexpr double kWorthIt = 1.2;
    if (best < kWorthIt && best >= 1) return std::min(h_, largest);
    if (best >= 1) {
      if (order != k) steps_at_this_ = 0;
      order_ = order;
      return std::min(h_ * std::min(best, 2.0), largest);
    }
  }
  if (here >= 1) return std::min(h_, largest);
  return std::min(h_ * std::clamp(here, 0.5, 0.95), largest);
}

double Multistep::smaller_step(double error, Rejection why) {
  starting_ = false;
  ++failures_;
  if (why == Rejection::corrector) {
    if (failures_ > 3) order_ = 1;
    return h_ / 4;
  }
  if (failures_ == 1) {
    // The order below may be the better one here.
    if (order_ > 1 && derivative_[order_ - 1] >= 0 && derivative_[order_ - 1] < derivative_[order_] &&
        !hidden(order_ - 1))
      --order_;
    return h_ * std::clamp(0.9 * std::pow(2 * error, -1.0 / (order_ + 1)), 0.25, 0.9);
  }
  if (failures_ > 2) order_ = 1;
  return h_ / 4;
}

void Multistep::accept(const State& trial) {
  if (points_ == 1) points_ = kMade;  // those before the start
  std::rotate(past_.begin(), past_.end() - 1, past_.end());
  Point& p = past_.front();
  p.t = trial.t;
  p.q = trial.q;
  p.v = trial.v;
  p.lambda = trial.lambda;
  points_ = std::min(points_ + 1, kPoints);
  now_ = trial;
  forget_chart();
  spins_on_.start(now_);
  norm_.grow(trial);
}

void Multistep::interpolate(double t, State& state) const {
  // Through as many points as the order that made the step has.
  const int count = std::min(order_ + 1, points_);
  chart_past(count);
  double nodes[kPoints], value[kPoints];
  for (int i = 0; i < count; ++i) nodes[i] = past_[static_cast<std::size_t>(i)].t;
  lagrange(nodes, count, t, value, nullptr);
  state = now_;
  state.t = t;
  Eigen::VectorXd d = Eigen::VectorXd::Zero(layout_.size());
  state.v = value[0] * now_.v;
  for (int i = 1; i < count; ++i) {
    d += value[i] * chart_[static_cast<std::size_t>(i)];
    state.v += value[i] * past_[static_cast<std::size_t>(i)].v;
  }
  if (known_ < count) within_step(t, d);
  spins_on_.look(t);
  spins_on_.place(d, state.q);
  const double x = (t - nodes[1]) / (nodes[0] - nodes[1]);
  state.lambda = x * past_[0].lambda + (1 - x) * past_[1].lambda;
}

}  // namespace trunnion::integrate
