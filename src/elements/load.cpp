#include "elements/load.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <Eigen/QR>

#include "elements/forms.hpp"
#include "elements/load_framed.hpp"
#include "elements/load_parts.hpp"

namespace trunnion::elements {
namespace {

using assembly::BlockId;
using assembly::Scratch;

constexpr int kTurn = 3;  // axes from here on are torques

}  // namespace

Line line_of(const Load& load, const Kinematics& kin) {
  const Vec3 d = offset(kin, load.i, load.j);
  const double length = d.norm();
  return length > 0.0 ? Line{d / length, length} : Line{};
}

double meeting_stiffness(const Load& load, const Line& line) {
  if (line.length > 0.0 || !load.spring) return 0.0;
  const Spring& s = *load.spring;
  return s.free[0] == 0.0 && s.preload[0] == 0.0 ? load.response.scale * s.K(0, 0) : 0.0;
}

Wrench sum(const Load& load, const Kinematics& kin, const VecMap& c) {
  Wrench w;
  if (load.direction == Load::Direction::line) {
    w.force = c[0] * line_of(load, kin).u;
    return w;
  }
  for (std::size_t m = 0; m < load.axes.size(); ++m) {
    const int a = load.axes[m];
    (a < kTurn ? w.force : w.torque) += c[static_cast<Eigen::Index>(m)] * axis(kin, load.k, a % 3);
  }
  return w;
}

VecMap signal_values(const Load& load, const Evaluation& at) {
  const Signals& signals = load.response.signals;
  VecMap all = at.scratch.vector(static_cast<Eigen::Index>(signals.size()));
  // A reach that reads none leaves them all to their measures.
  const Eigen::Index known = load.reach ? load.reach->read_size() : 0;
  if (known > 0)
    load.reach->read(at.kinematics.marker(load.i.marker), at.kinematics.marker(load.j.marker), all);
  for (Eigen::Index k = known; k < all.size(); ++k) all[k] = value(signals[static_cast<std::size_t>(k)], at);
  return all;
}

namespace {

// W(:, m) = w_m, and H = Σ c_m ∂w_m/∂q unless H is empty.
void directions(const Load& load, const Evaluation& at, const VecMap& c, MatMap W, MatMap H) {
  const Kinematics& kin = at.kinematics;
  if (load.direction == Load::Direction::line) {
    const Scratch::Frame inner(at.scratch);
    const bool second = H.size() != 0;
    const MeasureResult m = evaluate(load.line, at, second ? Order::second : Order::first);
    load.to[0].add(1.0, m.q, VecMap(W.data(), W.rows()));
    if (second) {
      load.to[0].add(c[0], m.qq, H);
      VecMap unused = at.scratch.vector(W.rows());
      const double k = meeting_stiffness(load, line_of(load, kin));
      Pullback out(kin, unused, H);
      if (k != 0.0) offset_offset_row(out, kin, load.i, load.j, load.i, load.j, -0.5 * k);
    }
    return;
  }
  for (std::size_t m = 0; m < load.axes.size(); ++m) {
    Pullback out(kin, W.col(static_cast<Eigen::Index>(m)));
    const int a = load.axes[m];
    if (a < kTurn) velocity_row(out, kin, load.k, a, load.i, load.j, load.j, 1.0);
    else angular_row(out, kin, load.k, a - kTurn, load.i, load.j, 1.0);
  }
  if (H.size() == 0) return;
  const Wrench w = sum(load, kin, c);
  VecMap unused = at.scratch.vector(W.rows());
  Pullback out(kin, unused, H);
  velocity_vector_row(out, kin, load.k, w.force, load.i, load.j, load.j);
  angular_vector_row(out, load.k, w.torque, load.i, load.j);
}

bool stores(const Load& load) { return load.spring || (load.response.law && load.response.law->stores()); }

void emit_partials(const Load& load, const Evaluation& at, const ResponseValues& c, const MatMap& W,
                   const MatMap& H, BlockId row, int first, Level level, assembly::Sink& sink) {
  const int size = at.layout().block(row).size;
  const MatMap& by = c.by[static_cast<std::size_t>(level)];
  for (std::size_t b = 0; b < load.columns.blocks().size(); ++b) {
    if (!load.dependence.has(b, level)) continue;
    const Scratch::Frame inner(at.scratch);
    const BlockId col = load.columns.blocks()[b];
    const int o = load.columns.offsets()[b], width = at.layout().block(col).size;
    MatMap P = at.scratch.matrix(size, width);
    if (by.size() != 0)
      P.noalias() -= W.middleRows(first, size).lazyProduct(by.middleRows(o, width).transpose());
    if (level == Level::q) P -= H.block(first, o, size, width);
    sink.partial(row, col, level, P);
  }
}

// The places of the pattern as they would be written, with nothing in them.
void emit_nothing(const Load& load, const Evaluation& at, assembly::Sink& sink) {
  const assembly::Needs needs = sink.needs();
  const int n = load.columns.size();
  const auto blocks = load.columns.blocks();
  const MatMap zero = at.scratch.matrix(n, n);
  for (std::size_t r = 0; r < blocks.size(); ++r) {
    const int first = load.columns.offsets()[r];
    if (!load.i.has(first) && !load.j.has(first)) continue;
    for (const Level level : kLevels) {
      if (!wanted(needs, level)) continue;
      for (std::size_t b = 0; b < blocks.size(); ++b) {
        if (load.dependence.has(b, level))
          sink.partial(
              blocks[r], blocks[b], level,
              zero.topLeftCorner(at.layout().block(blocks[r]).size, at.layout().block(blocks[b]).size));
      }
    }
  }
}

// The components alone.
VecMap components(const Load& load, const Evaluation& at, expr::Workspace& work) {
  VecMap c = at.scratch.vector(load.response.outputs);
  respond(load.response, at, work, signal_values(load, at), c, MatMap(nullptr, 0, 0));
  return c;
}

ResponseValues respond(const Load& load, const Evaluation& at, expr::Workspace& work, bool partials) {
  if (partials) return evaluate(load.response, at, work, load.columns.size(), true);
  ResponseValues r;
  new (&r.value) VecMap(components(load, at, work));
  return r;
}

}  // namespace

double apart_by(const Load& load, const Kinematics& kinematics) {
  if (!load.reach) return 0.0;
  return load.reach->apart_by(kinematics.marker(load.i.marker), kinematics.marker(load.j.marker));
}

bool out_of_reach(const Load& load, const Kinematics& kinematics) {
  if (!load.reach) return false;
  const assembly::MarkerMotion &i = kinematics.marker(load.i.marker), &j = kinematics.marker(load.j.marker);
  return load.reach->apart_by(i, j) > 0.0 || !load.reach->acts(i, j);
}

Load make_load(MarkerId i, MarkerId j, MarkerId k, std::vector<int> axes, const assembly::Layout& layout,
               const assembly::MarkerTable& table) {
  Load load;
  load.i = load.columns.add(layout, table, i);
  load.j = load.columns.add(layout, table, j);
  load.k = load.columns.add(layout, table, k);
  load.response = Response(static_cast<int>(axes.size()));
  load.axes = std::move(axes);
  return load;
}

Load make_line_load(MarkerId i, MarkerId j, const assembly::Layout& layout,
                    const assembly::MarkerTable& table) {
  Load load = make_load(i, j, i, {0}, layout, table);
  load.direction = Load::Direction::line;
  load.line = make_measure(MeasureKind::dm, 0, {i, j}, layout, table);
  load.to.emplace_back(layout, load.line.columns, load.columns);
  return load;
}

void seal(Load& load) {
  // The geometry: every body column of I, J and K at level q; a row's own body always.
  load.dependence = load.response.signals.dependence();
  for (const Port* port : {&load.i, &load.j, &load.k}) load.dependence.add(load.columns, *port, Level::q);
  load.frames = find_frames(load);
}

void set_linear(Load& load, std::vector<Signal> x, std::vector<Signal> rates, const Eigen::MatrixXd& K,
                const Eigen::MatrixXd& C, const Eigen::VectorXd& free, const Eigen::VectorXd& preload,
                const assembly::Layout& layout) {
  Response& r = load.response;
  for (Signal& s : x) r.signals.add(std::move(s), layout, load.columns);
  for (Signal& s : rates) r.signals.add(std::move(s), layout, load.columns);
  r.linear.resize(r.outputs, K.cols() + C.cols());
  r.linear << -K, -C;
  r.constant = K * free + preload;
  load.spring = Spring{K, free, preload};
  load.passive = true;
}

std::vector<Signal> displacements(MarkerId i, MarkerId j, int memory, const assembly::Layout& layout,
                                  const assembly::MarkerTable& table) {
  std::vector<Signal> all;
  for (const MeasureKind kind : {MeasureKind::dx, MeasureKind::dy, MeasureKind::dz, MeasureKind::ax,
                                 MeasureKind::ay, MeasureKind::az}) {
    Measure m = make_measure(kind, 0, {i, j, j, j}, layout, table);
    if (kind >= MeasureKind::ax && memory >= 0) m.memory = std::exchange(memory, memory + kCountedPlaces);
    all.push_back(Signal::of(std::move(m)));
  }
  return all;
}

std::vector<Signal> velocities(MarkerId i, MarkerId j, const assembly::Layout& layout,
                               const assembly::MarkerTable& table) {
  std::vector<Signal> all;
  for (const MeasureKind kind :
       {MeasureKind::vx, MeasureKind::vy, MeasureKind::vz, MeasureKind::wx, MeasureKind::wy, MeasureKind::wz})
    all.push_back(Signal::of(make_measure(kind, 0, {i, j, j, j}, layout, table)));
  return all;
}

void evaluate(const Load& load, const Evaluation& at, expr::Workspace& work, assembly::Sink& sink) {
  if (!load.frames) return evaluate_by_carriers(load, at, work, sink);
  const assembly::Needs needs = sink.needs();
  if (!needs.residual && !needs.partials()) return;
  const Scratch::Frame frame(at.scratch);
  if (out_of_reach(load, at.kinematics)) emit_nothing(load, at, sink);
  else evaluate_framed(load, at, work, sink);
}

void evaluate_by_carriers(const Load& load, const Evaluation& at, expr::Workspace& work,
                          assembly::Sink& sink) {
  const assembly::Needs needs = sink.needs();
  if (!needs.residual && !needs.partials()) return;
  const Scratch::Frame frame(at.scratch);
  if (out_of_reach(load, at.kinematics)) return emit_nothing(load, at, sink);
  const int n = load.columns.size();
  const ResponseValues c = respond(load, at, work, needs.partials());
  MatMap W = at.scratch.matrix(n, load.response.outputs);
  MatMap H = at.scratch.matrix(needs.partial_q ? n : 0, needs.partial_q ? n : 0);
  directions(load, at, c.value, W, H);
  VecMap residual = at.scratch.vector(n);
  residual.noalias() -= W.lazyProduct(c.value);
  const auto blocks = load.columns.blocks();
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const int first = load.columns.offsets()[b];
    if (!load.i.has(first) && !load.j.has(first)) continue;
    if (needs.residual)
      sink.residual(blocks[b], assembly::Term::applied,
                    residual.segment(first, at.layout().block(blocks[b]).size));
    for (const Level level : kLevels) {
      if (wanted(needs, level)) emit_partials(load, at, c, W, H, blocks[b], first, level, sink);
    }
  }
}

namespace {

// On the marker I, of a load that is within reach.
Wrench wrench_on_i(const Load& load, const Evaluation& at, expr::Workspace& work) {
  const Scratch::Frame frame(at.scratch);
  return sum(load, at.kinematics, components(load, at, work));
}

}  // namespace

Wrench wrench(const Load& load, const Evaluation& at, expr::Workspace& work, bool on_j) {
  if ((on_j && !load.reaction) || out_of_reach(load, at.kinematics)) return {};
  Wrench w = wrench_on_i(load, at, work);
  if (!on_j) return w;
  w.torque = -w.torque;
  if (!load.j_floats) w.torque -= offset(at.kinematics, load.i, load.j).cross(w.force);
  w.force = -w.force;
  return w;
}

double potential_energy(const Load& load, const Evaluation& at) {
  if (!stores(load) || out_of_reach(load, at.kinematics)) return 0.0;
  const Scratch::Frame frame(at.scratch);
  const VecMap s = signal_values(load, at);
  if (!load.spring) return load.response.scale * load.response.law->potential(s);
  const Eigen::Index n = load.spring->free.size();
  VecMap x = at.scratch.vector(n);
  x = s.head(n) - load.spring->free;
  double twice = 0.0;
  for (Eigen::Index r = 0; r < n; ++r) twice += x[r] * load.spring->K.row(r).dot(x);
  return load.response.scale * (0.5 * twice - x.dot(load.spring->preload));
}

namespace {

// Of what a potential depends on: places.
double place_rate(const Signal& signal, const Evaluation& at) {
  const bool place = signal.kind == Signal::Kind::measure && measure_level(signal.measure.kind) == Level::q;
  return place ? rate(signal.measure, at) : 0.0;
}

double potential_rate(const Load& load, const Evaluation& at) {
  const VecMap s = signal_values(load, at);
  if (load.reach) return load.reach->stored_power(s);
  const Signals& signals = load.response.signals;
  VecMap rates = at.scratch.vector(s.size());
  for (Eigen::Index k = 0; k < s.size(); ++k) rates[k] = place_rate(signals[static_cast<std::size_t>(k)], at);
  if (!load.spring) return load.response.law->potential_rate(s, rates);
  const Spring& spring = *load.spring;
  double sum = 0.0;
  for (Eigen::Index r = 0; r < spring.free.size(); ++r) {
    double force = -spring.preload[r];
    for (Eigen::Index k = 0; k < spring.free.size(); ++k)
      force += 0.5 * (spring.K(r, k) + spring.K(k, r)) * (s[k] - spring.free[k]);
    sum += force * rates[r];
  }
  return sum;
}

}  // namespace

double power_beyond_potential(const Load& load, const Evaluation& at, expr::Workspace& work) {
  const Scratch::Frame frame(at.scratch);
  const Kinematics& kin = at.kinematics;
  if (out_of_reach(load, kin)) return 0.0;
  const Wrench w = wrench_on_i(load, at, work);
  const double power = w.force.dot(relative_velocity(kin, load.i, load.j, load.j)) +
                       w.torque.dot(relative_angular_velocity(kin, load.i, load.j));
  if (!stores(load)) return power;
  return power + load.response.scale * potential_rate(load, at);
}

std::optional<Undirected> undirected(const Load& load, const Evaluation& at, expr::Workspace& work) {
  if (load.direction != Load::Direction::line) return std::nullopt;
  const double length = line_of(load, at.kinematics).length;
  const double from_origin = at.kinematics.marker(load.i.marker).p.norm();
  if (length > 4.0 * std::numeric_limits<double>::epsilon() * from_origin) return std::nullopt;
  const Scratch::Frame frame(at.scratch);
  const double c = components(load, at, work)[0];
  const Eigen::MatrixXd& linear = load.response.linear;
  const bool damper = length == 0.0 && load.spring && !linear.rightCols(linear.cols() - 1).isZero(0.0);
  if (c == 0.0 && !damper) return std::nullopt;
  return Undirected{c, length == 0.0, damper};
}

double asymmetry(const Load& load, const Evaluation& at) {
  const int n = load.columns.size(), m = load.response.outputs;
  if (!load.spring || load.direction == Load::Direction::line || load.spring->K.cols() != m) return 0.0;
  const Scratch::Frame frame(at.scratch);
  MatMap W = at.scratch.matrix(n, m);
  directions(load, at, at.scratch.vector(m), W, at.scratch.matrix(0, 0));
  const Signals::Values s = load.response.signals.evaluate(at, n, true);
  // ∂x/∂q = A ∂(displacement, turn)/∂q, so that S = K A; A is 1 but for projected angles.
  const Eigen::MatrixXd X = s.by[0].leftCols(m);
  const Eigen::MatrixXd A = Eigen::MatrixXd(W).completeOrthogonalDecomposition().solve(X).transpose();
  const Eigen::MatrixXd S = load.spring->K * A;
  double worst = 0.0;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < i; ++j) {
      const double size = S(i, i) * S(j, j);
      if (size > 0.0) worst = std::max(worst, std::abs(S(i, j) - S(j, i)) / std::sqrt(size));
    }
  }
  return worst;
}

WrenchPartials wrench_partials(const Load& load, const Evaluation& at, expr::Workspace& work, bool on_j) {
  WrenchPartials out;
  const Kinematics& kin = at.kinematics;
  const int n = load.columns.size();
  for (std::size_t l = 0; l < 3; ++l) {
    new (&out.force[l]) MatMap(at.scratch.matrix(n, 3));
    new (&out.torque[l]) MatMap(at.scratch.matrix(n, 3));
  }
  if (on_j && !load.reaction) return out;
  const Scratch::Frame frame(at.scratch);
  const ResponseValues c = evaluate(load.response, at, work, n, true);
  const Wrench on_i = sum(load, kin, c.value);
  const bool line = load.direction == Load::Direction::line;
  const bool arm = on_j && !load.j_floats && !line;
  const double sign = on_j ? -1.0 : 1.0;
  const Vec3 d = arm ? offset(kin, load.i, load.j) : Vec3(Vec3::Zero());
  out.value.force = sign * on_i.force;
  out.value.torque = sign * on_i.torque - d.cross(on_i.force);
  const Line to = line ? line_of(load, kin) : Line{};
  for (int m = 0; m < load.response.outputs; ++m) {
    const int a = load.axes[static_cast<std::size_t>(m)];
    const Vec3 e = line ? to.u : axis(kin, load.k, a % 3);
    for (std::size_t l = 0; l < 3; ++l) {
      if (c.by[l].size() == 0) continue;
      const auto gradient = c.by[l].col(m);
      if (a < kTurn) {
        out.force[l].noalias() += gradient.lazyProduct(Vec3(sign * e).transpose());
        if (arm) out.torque[l].noalias() -= gradient.lazyProduct(Vec3(d.cross(e)).transpose());
      } else {
        out.torque[l].noalias() += gradient.lazyProduct(Vec3(sign * e).transpose());
      }
    }
  }
  // Components held, directions moving: F and T turn with K, or F with the line; δ moves with I and J.
  for (int r = 0; r < 3; ++r) {
    const Vec3 e = Vec3::Unit(r);
    Pullback force(kin, out.force[0].col(r)), torque(kin, out.torque[0].col(r));
    if (line) {
      const Vec3 across = to.length > 0.0 ? Vec3(sign * c.value[0] / to.length * (e - to.u * to.u.dot(e)))
                                          : Vec3(-sign * meeting_stiffness(load, to) * e);
      force.force(load.i, across);
      force.force(load.j, -across);
      continue;
    }
    force.moment(load.k, sign * on_i.force.cross(e));
    torque.moment(load.k, sign * on_i.torque.cross(e));
    if (!arm) continue;
    const Vec3 Fe = on_i.force.cross(e);
    torque.force(load.i, -Fe);
    torque.force(load.j, Fe);
    torque.moment(load.k, -on_i.force.cross(e.cross(d)));
  }
  return out;
}

}  // namespace trunnion::elements
