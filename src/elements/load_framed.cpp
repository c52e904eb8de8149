#include "elements/load_framed.hpp"

#include <algorithm>

#include "elements/forms.hpp"
#include "elements/load_parts.hpp"

namespace trunnion::elements {
namespace {

using assembly::BlockId;
using assembly::Needs;
using assembly::Scratch;
using math::hat;

constexpr int kMostBodies = 6;
constexpr int kRigidSize = 6, kPlainSize = 3;  // unknowns of a rigid part; of a planar part and of a point
constexpr int kTorqueAxis = 3;                 // among the axes of a load
using WrenchVector = Eigen::Matrix<double, 6, 1>;
using TwistSquare = Eigen::Matrix<double, 6, 6>;

enum LoadEnd { kI, kJ, kK, kL };

bool is_known(MeasureKind kind) {
  switch (kind) {
    case MeasureKind::dx:
    case MeasureKind::dy:
    case MeasureKind::dz:
    case MeasureKind::dm:
    case MeasureKind::ax:
    case MeasureKind::ay:
    case MeasureKind::az:
    case MeasureKind::rack:
    case MeasureKind::euler_parameter:
    case MeasureKind::direction_cosine: return true;
    default: return measure_level(kind) == Level::v;
  }
}

int axis_of(MeasureKind kind, MeasureKind x) { return static_cast<int>(kind) - static_cast<int>(x); }

// A body as its unknowns move it.
struct FramedBody {
  void set(const Kinematics& kin, BlockId block) {
    motion = &kin.body(block);
    size = kin.layout().block(block).size;
    rigid = size == kRigidSize;
    for (int k = 0; k < size && !rigid; ++k) {
      const assembly::Twist t = kin.body_twist(block, k);
      J.col(k) << t.p, t.turn;
    }
  }
  const assembly::BodyMotion* motion = nullptr;
  int size = 0;
  bool rigid = true;
  Eigen::Matrix<double, 6, kPlainSize> J;  // of the others
};

// The gradients of a measure over the motions of bodies, at the levels of q and of v.
class MeasureGradient {
 public:
  MeasureGradient(const Kinematics& kin, std::span<const FramedBody> bodies) : kin_(kin), bodies_(bodies) {}

  // `ends`: the bodies of I, J, K, L.
  void find(const Measure& m, const std::array<int, 4>& ends) {
    touched_ = shifts_ = {0, 0};
    m_ = &m;
    ends_ = &ends;
    if (measure_level(m.kind) == Level::q) place();
    else if (m.kind == MeasureKind::vr) distance_rate();
    else if (m.kind >= MeasureKind::wx && m.kind <= MeasureKind::wm) turning();
    else speed();
  }
  bool touches(Level level, int body) const { return (touched_[index(level)] >> body & 1u) != 0; }
  bool shifts(Level level, int body) const {
    return (shifts_[index(level)] >> body & 1u) != 0;
  }  // not by turns alone
  const WrenchVector& of(Level level, int body) const {
    return g_[index(level)][static_cast<std::size_t>(body)];
  }

 private:
  static std::size_t index(Level level) { return static_cast<std::size_t>(level); }

  const Port& port(LoadEnd end) const {
    switch (end) {
      case kI: return m_->i;
      case kJ: return m_->j;
      case kK: return m_->k;
      case kL: break;
    }
    return m_->l;
  }
  Vec3 arm(LoadEnd end, int body) const { return kin_.marker(port(end).marker).p - bodies_[body].motion->x; }

  // A wrench about the body's origin.
  void add(Level level, int body, const Vec3& f, const Vec3& m) {
    shifts_[index(level)] |= 1u << body;
    double* const g = room(level, body);
    for (int k = 0; k < 3; ++k) {
      g[k] += f[k];
      g[3 + k] += m[k];
    }
  }
  void add(Level level, int body, const Vec3& m) {
    double* const g = room(level, body);
    for (int k = 0; k < 3; ++k) g[3 + k] += m[k];
  }
  double* room(Level level, int body) {
    WrenchVector& g = g_[index(level)][static_cast<std::size_t>(body)];
    if (!touches(level, body)) g.setZero();
    touched_[index(level)] |= 1u << body;
    return g.data();
  }
  void force(Level level, LoadEnd end, const Vec3& f) {
    const int body = (*ends_)[end];
    if (body >= 0) add(level, body, f, arm(end, body).cross(f));
  }
  void moment(Level level, LoadEnd end, const Vec3& tau) {
    const int body = (*ends_)[end];
    if (body >= 0) add(level, body, tau);
  }
  // f·v of the marker by its velocity; and by its place, which besides moves the scalar by `along`.
  void velocity(LoadEnd end, const Vec3& f, const Vec3& along) {
    const int body = (*ends_)[end];
    if (body < 0) return;
    const Vec3 r = arm(end, body);
    add(Level::v, body, f, r.cross(f));
    // δv = δφ × (ω × r)
    add(Level::q, body, along, r.cross(along) + bodies_[body].motion->w.cross(r).cross(f));
  }
  void spin(LoadEnd end, const Vec3& tau) {
    const int body = (*ends_)[end];
    if (body < 0) return;
    add(Level::v, body, tau);
    add(Level::q, body, bodies_[body].motion->w.cross(tau));
  }

  void turn_of_i(const Vec3& tau) {
    moment(Level::q, kI, tau);
    moment(Level::q, kJ, -tau);
  }
  // Of the product of an axis of I and one of J.
  Vec3 product(int i, int j) const { return axis(kin_, m_->i, i).cross(axis(kin_, m_->j, j)); }
  // Of atan2(y, x), each a product of axes.
  void angle(double sign_y, int i_y, int j_y, double sign_x, int i_x, int j_x) {
    const Vec3 of_y = sign_y * product(i_y, j_y), of_x = sign_x * product(i_x, j_x);
    const double y = sign_y * axis(kin_, m_->i, i_y).dot(axis(kin_, m_->j, j_y)),
                 x = sign_x * axis(kin_, m_->i, i_x).dot(axis(kin_, m_->j, j_x)), r2 = x * x + y * y;
    if (r2 == 0.0) return;
    turn_of_i(x / r2 * of_y - y / r2 * of_x);
  }

  void place() {
    switch (m_->kind) {
      case MeasureKind::dx:
      case MeasureKind::dy:
      case MeasureKind::dz: {
        const Vec3 e = axis(kin_, m_->k, axis_of(m_->kind, MeasureKind::dx));
        force(Level::q, kI, e);
        force(Level::q, kJ, -e);
        moment(Level::q, kK, e.cross(offset(kin_, m_->i, m_->j)));
        return;
      }
      case MeasureKind::dm: {
        const Vec3 d = offset(kin_, m_->i, m_->j);
        const double length = d.norm();
        if (length == 0.0) return;
        force(Level::q, kI, d / length);
        force(Level::q, kJ, -d / length);
        return;
      }
      case MeasureKind::ax: return angle(-1.0, 2, 1, 1.0, 2, 2);
      case MeasureKind::ay: return angle(1.0, 2, 0, 1.0, 2, 2);
      case MeasureKind::az: return angle(1.0, 0, 1, 1.0, 0, 0);
      case MeasureKind::rack: return angle(-1.0, 1, 2, 1.0, 0, 2);
      case MeasureKind::direction_cosine: return turn_of_i(product(m_->component % 3, m_->component / 3));
      default: return turn_of_i(euler_parameter_gradient(kin_, m_->i, m_->j, m_->component));
    }
  }

  // VX … VM: e·b, b = v_i − v_j − ω_l×d, e an axis of K or along b.
  void speed() {
    const Vec3 b = relative_velocity(kin_, m_->i, m_->j, m_->l);
    const Vec3 e = direction(b, MeasureKind::vm, MeasureKind::vx);
    Vec3 by_place = Vec3::Zero();
    if ((*ends_)[kL] >= 0) {
      by_place = kin_.marker(m_->l.marker).w.cross(e);  // −e·(ω×d) = d·(ω×e) …
      spin(kL, e.cross(offset(kin_, m_->i, m_->j)));    // … = ω·(e×d)
    }
    velocity(kI, e, by_place);
    velocity(kJ, -e, -by_place);
  }
  // WX … WM
  void turning() {
    const Vec3 e = direction(relative_angular_velocity(kin_, m_->i, m_->j), MeasureKind::wm, MeasureKind::wx);
    spin(kI, e);
    spin(kJ, -e);
  }
  Vec3 direction(const Vec3& b, MeasureKind magnitude, MeasureKind x) {
    if (m_->kind == magnitude) {
      const double size = b.norm();
      return size > 0.0 ? Vec3(b / size) : Vec3(Vec3::Zero());
    }
    const Vec3 e = axis(kin_, m_->k, axis_of(m_->kind, x));
    moment(Level::q, kK, e.cross(b));
    return e;
  }
  // VR: u·ḋ varies by u·δḋ and by ḋ·δu, δu = (1 − u uᵀ) δd/|d|.
  void distance_rate() {
    const Vec3 d = offset(kin_, m_->i, m_->j);
    const double length = d.norm();
    if (length == 0.0) return;
    const Vec3 u = d / length, rate = kin_.marker(m_->i.marker).v - kin_.marker(m_->j.marker).v,
               across = (rate - u * u.dot(rate)) / length;
    velocity(kI, u, across);
    velocity(kJ, -u, -across);
  }

  const Kinematics& kin_;
  std::span<const FramedBody> bodies_;
  const Measure* m_ = nullptr;
  const std::array<int, 4>* ends_ = nullptr;
  std::array<unsigned, 2> touched_{}, shifts_{};  // bits of bodies, by level
  std::array<std::array<WrenchVector, kMostBodies>, 2> g_;
};

// The side of I or J: a wrench (F, T) on I comes to its unknowns, with the sign of a residual, as −±F on the translations of a rigid
// part and as C (F, T) on its turns; on the unknowns of other bodies as C (F, T).
struct FramedSide {
  FramedSide(const FramedBody& on, int number, double direction, const Vec3& arm)
      : body(&on), which(number), sign(direction), r(arm) {
    for (int k = 0; k < 3; ++k) {
      if (on.rigid) set_row(k, Vec3::Zero(), on.motion->R.col(k));
      else set_row(k, on.J.col(k).head<3>(), on.J.col(k).tail<3>());
    }
    C.row(3).setZero();
  }
  // F·δp + (T + r×F)·δφ
  void set_row(int k, const Vec3& p, const Vec3& turn) {
    C.row(k).head<3>() = -sign * (p + turn.cross(r));
    C.row(k).tail<3>() = -sign * turn;
  }
  // Of columns of wrenches, one after the other; of `to` one number beyond is written.
  void pull(const double* w, int columns, double* to) const {
    const bool shifts = body->rigid;
    const double s = -sign;
    for (int j = 0; j < columns; ++j, w += 6) {
      if (shifts) {
        const double x = s * w[0], y = s * w[1], z = s * w[2];
        to[0] = x;
        to[1] = y;
        to[2] = z;
        to += 3;
      }
      Eigen::Map<Eigen::Vector4d> turns(to);
      turns = w[0] * C.col(0) + w[1] * C.col(1) + w[2] * C.col(2) + w[3] * C.col(3) + w[4] * C.col(4) +
              w[5] * C.col(5);
      to += 3;
    }
  }

  const FramedBody* body;
  int which;
  double sign;
  Vec3 r;                         // from the body's origin to where it is pushed
  Eigen::Matrix<double, 4, 6> C;  // a fourth row, of zeros, to go by pairs
};

class FramedLoad {
 public:
  FramedLoad(const Load& load, const Evaluation& at, expr::Workspace& work, const Needs& needs)
      : load_(load), frames_(*load.frames), at_(at), kin_(at.kinematics), needs_(needs) {
    const std::span<const BlockId> blocks = load.columns.blocks();
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      if (const int body = frames_.of_block[b]; body >= 0) bodies_[place(body)].set(kin_, blocks[b]);
    }
    const VecMap signals = signal_values(load, at);
    VecMap c = at.scratch.vector(load.response.outputs);
    const bool partials = needs.partials();
    MatMap D = at.scratch.matrix(partials ? c.size() : 0, partials ? signals.size() : 0);
    respond(load.response, at, work, signals, c, D);
    on_i_ = sum(load, kin_, c);
    if (!partials) return;
    add_signals(D);
    if (needs.partial_q) on_line() ? turn_line(c[0]) : turn_axes();
    for (const Level level : {Level::q, Level::v}) {
      for (int b = 0; b < frames_.count && wanted(needs, level); ++b)
        to_unknowns(bodies_[place(b)], S_[index(level)][place(b)]);
    }
  }

  void emit(assembly::Sink& sink) const {
    const std::span<const BlockId> blocks = load_.columns.blocks();
    for (std::size_t r = 0; r < blocks.size(); ++r) {
      const int body = frames_.of_block[r];
      if (body < 0 || (body != frames_.sides[kI] && body != frames_.sides[kJ])) continue;
      const FramedSide side = this->side(body == frames_.sides[kI] ? kI : kJ);
      const WrenchVector residual = pulled(side, on_i_.force, on_i_.torque);
      if (needs_.residual)
        sink.residual(blocks[r], assembly::Term::applied,
                      Eigen::Map<const Eigen::VectorXd>(residual.data(), side.body->size));
      for (const Level level : kLevels) {
        for (std::size_t b = 0; b < blocks.size() && wanted(needs_, level); ++b) {
          if (!load_.dependence.has(b, level)) continue;
          if (frames_.of_block[b] < 0) emit_scalars(side, blocks[r], blocks[b], level, sink);
          else emit_body(side, residual, frames_.of_block[b], blocks[r], blocks[b], level, sink);
        }
      }
    }
  }

 private:
  static std::size_t place(int body) { return static_cast<std::size_t>(body); }
  static std::size_t index(Level level) { return static_cast<std::size_t>(level); }
  bool on_line() const { return load_.direction == Load::Direction::line; }

  // From the origin of the body of I or J to where it is pushed: along a line each is where it is, other loads act at I on both.
  Vec3 arm(LoadEnd end) const {
    const Port& where = end == kI || !on_line() ? load_.i : load_.j;
    return kin_.marker(where.marker).p - bodies_[place(frames_.sides[end])].motion->x;
  }
  FramedSide side(LoadEnd end) const {
    const int body = frames_.sides[end];
    return {bodies_[place(body)], body, end == kI ? 1.0 : -1.0, arm(end)};
  }

  // What the signals do to force and torque, of each by each body.
  void add_signals(const MatMap& D) {
    by_signal_ = at_.scratch.take(6 * D.cols());
    for (auto& level : S_) {
      for (int b = 0; b < frames_.count; ++b) level[place(b)].setZero();
    }
    const Vec3 u = on_line() ? line_of(load_, kin_).u : Vec3(Vec3::Zero());
    const Mat3& R = kin_.marker(load_.k.marker).R;
    MeasureGradient gradient(kin_, bodies_);
    for (Eigen::Index k = 0; k < D.cols(); ++k) {
      Vec3 F = Vec3::Zero(), T = Vec3::Zero();
      if (on_line()) F = D(0, k) * u;
      for (Eigen::Index m = 0; m < D.rows() && !on_line(); ++m) {
        const int a = load_.axes[static_cast<std::size_t>(m)];
        if (D(m, k) != 0.0) (a < kTorqueAxis ? F : T) += D(m, k) * R.col(a % kTorqueAxis);
      }
      WrenchVector w;
      w << F, T;
      std::copy_n(w.data(), 6, by_signal_ + 6 * k);
      const auto signal = static_cast<std::size_t>(k);
      if (load_.response.signals[signal].kind != Signal::Kind::measure || w.isZero(0.0)) continue;
      gradient.find(load_.response.signals[signal].measure, frames_.of_signal[signal]);
      for (const Level level : {Level::q, Level::v}) {
        for (int b = 0; b < frames_.count && wanted(needs_, level); ++b) {
          if (!gradient.touches(level, b)) continue;
          const WrenchVector& g = gradient.of(level, b);
          TwistSquare& S = S_[index(level)][place(b)];
          for (int j = gradient.shifts(level, b) ? 0 : 3; j < 6; ++j) S.col(j) += w * g[j];
        }
      }
    }
  }

  // The components held: force and torque turn with K, and the force acts where I is.
  void turn_axes() {
    const Mat3 F = hat(on_i_.force);
    if (const int k = frames_.sides[kK]; k >= 0) {
      TwistSquare& S = S_[0][place(k)];
      S.topRightCorner<3, 3>() -= F;
      S.bottomRightCorner<3, 3>() -= hat(on_i_.torque);
    }
    if (frames_.sides[kI] < 0) return;
    const Vec3 r = arm(kI);
    TwistSquare& S = S_[0][place(frames_.sides[kI])];
    S.bottomLeftCorner<3, 3>() -= F;
    S.bottomRightCorner<3, 3>() += r * on_i_.force.transpose();  // F̂ r̂ = r Fᵀ − (F·r) 1
    S.bottomRightCorner<3, 3>().diagonal().array() -= on_i_.force.dot(r);
  }
  // … or with the line.
  void turn_line(double c) {
    const Line line = line_of(load_, kin_);
    Mat3 A;
    if (line.length > 0.0) A = c / line.length * (Mat3::Identity() - line.u * line.u.transpose());
    else A = -meeting_stiffness(load_, line) * Mat3::Identity();
    for (const LoadEnd end : {kI, kJ}) {
      if (frames_.sides[end] < 0) continue;
      const double sign = end == kI ? 1.0 : -1.0;
      const Vec3 r = arm(end);
      TwistSquare& S = S_[0][place(frames_.sides[end])];
      S.topLeftCorner<3, 3>() += sign * A;
      for (int k = 0; k < 3; ++k) S.row(k).tail<3>() += sign * r.cross(A.col(k));  // −A r̂, A symmetric
    }
  }

  static WrenchVector pulled(const FramedSide& s, const Vec3& F, const Vec3& T) {
    WrenchVector w;
    w << F, T;
    double to[7];
    s.pull(w.data(), 1, to);
    return Eigen::Map<const WrenchVector>(to);
  }

  // S J, in its place.
  static void to_unknowns(const FramedBody& b, TwistSquare& S) {
    if (b.rigid) S.rightCols<3>() = (S.rightCols<3>().lazyProduct(b.motion->R)).eval();
    else S.leftCols<kPlainSize>() = S.lazyProduct(b.J).eval();
  }

  void emit_body(const FramedSide& s, const WrenchVector& residual, int b, BlockId row, BlockId col,
                 Level level, assembly::Sink& sink) const {
    const int columns = bodies_[place(b)].size;
    double P[kRigidSize * kRigidSize + 1];
    s.pull(S_[index(level)][place(b)].data(), columns, P);
    if (level == Level::q && b == s.which) add_own_motion(s, residual, P);
    sink.partial(row, col, level, Eigen::Map<const Eigen::MatrixXd>(P, s.body->size, columns));
  }

  // What is the side's own: its origin moves under the point where the load acts, or that point moves with the body; and C turns.
  void add_own_motion(const FramedSide& s, const WrenchVector& residual, double* to) const {
    const Vec3 force = s.sign * on_i_.force;
    if (s.body->rigid) {
      Eigen::Map<TwistSquare> P(to);
      const Mat3& R = s.body->motion->R;
      P.bottomRightCorner<3, 3>() += hat(residual.tail<3>());
      if (on_line()) {
        const Vec3 r = R.transpose() * s.r, F = R.transpose() * force;
        P.bottomRightCorner<3, 3>() -= r * F.transpose();
        P.bottomRightCorner<3, 3>().diagonal().array() += F.dot(r);
      } else {
        for (int k = 0; k < 3; ++k) P.row(3 + k).head<3>() -= R.col(k).cross(force);
      }
      return;
    }
    const Vec3 moment = s.sign * (on_i_.torque + s.r.cross(on_i_.force));
    for (int k = 0; k < kPlainSize; ++k) {
      const Vec3 p = s.body->J.col(k).head<3>(), turn = s.body->J.col(k).tail<3>();
      const Vec3 m = moment.cross(turn) + (on_line() ? turn.cross(s.r) : Vec3(-p)).cross(force);
      for (int i = 0; i < kPlainSize; ++i) to[kPlainSize * k + i] -= s.body->J.col(i).tail<3>().dot(m);
    }
  }

  // By a block of states or variables.
  void emit_scalars(const FramedSide& s, BlockId row, BlockId block, Level level,
                    assembly::Sink& sink) const {
    const Scratch::Frame inner(at_.scratch);
    MatMap P = at_.scratch.matrix(s.body->size, at_.layout().block(block).size);
    for (std::size_t k = 0; k < load_.response.signals.size(); ++k) {
      const Signal& signal = load_.response.signals[k];
      if (signal.kind == Signal::Kind::state && signal.state == block && signal.level == level)
        P.col(signal.component) =
            pulled(s, Vec3(by_signal_ + 6 * k), Vec3(by_signal_ + 6 * k + 3)).head(s.body->size);
    }
    sink.partial(row, block, level, P);
  }

  const Load& load_;
  const Load::Frames& frames_;
  const Evaluation& at_;
  const Kinematics& kin_;
  const Needs needs_;
  std::array<FramedBody, kMostBodies> bodies_;
  Wrench on_i_;
  double* by_signal_ = nullptr;                            // w of each
  std::array<std::array<TwistSquare, kMostBodies>, 2> S_;  // of q and v; in the end S J
};

}  // namespace

std::optional<Load::Frames> find_frames(const Load& load) {
  const std::span<const BlockId> blocks = load.columns.blocks();
  Load::Frames frames;
  frames.of_block.assign(blocks.size(), -1);
  // The body that carries a port, whose columns these are.
  const auto body_of = [&](const Columns& columns, const Port& port) {
    if (port.fixed()) return -1;
    const auto at = std::find(columns.offsets().begin(), columns.offsets().end(), port.column) -
                    columns.offsets().begin();
    const auto found =
        std::find(blocks.begin(), blocks.end(), columns.blocks()[static_cast<std::size_t>(at)]);
    int& body = frames.of_block[static_cast<std::size_t>(found - blocks.begin())];
    if (body < 0) body = frames.count++;
    return body;
  };
  if (!load.columns.stand_in_frames()) return std::nullopt;
  frames.sides = {body_of(load.columns, load.i), body_of(load.columns, load.j),
                  body_of(load.columns, load.k)};
  if (frames.sides[kI] == frames.sides[kJ]) return std::nullopt;
  for (std::size_t k = 0; k < load.response.signals.size(); ++k) {
    const Signal& signal = load.response.signals[k];
    frames.of_signal.push_back({-1, -1, -1, -1});
    if (signal.kind != Signal::Kind::measure) continue;
    const Measure& m = signal.measure;
    if (!is_known(m.kind) || !m.columns.stand_in_frames()) return std::nullopt;
    frames.of_signal.back() = {body_of(m.columns, m.i), body_of(m.columns, m.j), body_of(m.columns, m.k),
                               body_of(m.columns, m.l)};
  }
  if (frames.count > kMostBodies) return std::nullopt;
  return frames;
}

void evaluate_framed(const Load& load, const Evaluation& at, expr::Workspace& work, assembly::Sink& sink) {
  FramedLoad(load, at, work, sink.needs()).emit(sink);
}

}  // namespace trunnion::elements
