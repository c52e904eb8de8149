#include "elements/joint_rigid.hpp"

#include <algorithm>

#include "assembly/carriers/bodies.hpp"

namespace trunnion::elements {
namespace {

using assembly::Evaluation;
using assembly::Port;
using math::Mat3;
using math::Vec3;

// One of the joint's markers: on a rigid part or on ground.
struct Side {
  bool fixed = true;
  int column = 0, block = 0;  // among the joint's columns and blocks
  double sign = 1;
  Vec3 p, w;                       // place of the marker and angular velocity, body axes
  const Mat3* R = nullptr;         // of the body
  const Mat3* axes = nullptr;      // of the marker, body axes
  const Mat3* R_marker = nullptr;  // of the marker, ground axes
};

bool is_rigid(const Port& port, const Evaluation& at) {
  return port.fixed() || at.kinematics.seat(port.marker).carrier == &assembly::rigid_carrier();
}

Side side(const Joint& joint, const Port& port, double sign, const Evaluation& at) {
  Side s;
  s.sign = sign;
  s.fixed = port.fixed();
  s.R_marker = &at.kinematics.marker(port.marker).R;
  if (s.fixed) return s;
  const assembly::Seat& seat = at.kinematics.seat(port.marker);
  s.column = port.column;
  s.block = port.column == 0 ? 0 : 1;
  s.p = seat.def->p_BM;
  s.R = &seat.body->R;
  s.axes = &seat.def->R_BM;
  const assembly::Block& block = at.layout().block(joint.columns.blocks()[static_cast<std::size_t>(s.block)]);
  s.w = at.state.v.segment<3>(block.offset + 3);
  return s;
}

class RigidRows {
 public:
  RigidRows(const Joint& joint, const Evaluation& at, const assembly::Needs& needs)
      : joint_(joint),
        at_(at),
        rows_(joint_rows(joint.type)),
        n_(joint.columns.size()),
        i_(side(joint, joint.i, 1, at)),
        j_(side(joint, joint.j, -1, at)),
        rates_(needs.hessians),
        curved_(needs.hessians && needs.partial_q) {
    const auto count = static_cast<Eigen::Index>(rows_.size());
    phi_ = at.scratch.take(count);
    g_ = at.scratch.vector(count * n_).data();
    if (rates_) b_ = at.scratch.vector(count * n_).data();
    turns_both_ = !i_.fixed && !j_.fixed;
    for (int k = 0; k < 8 && curved_; ++k) turns_[k / 2][k % 2].setZero();
  }

  void emit(assembly::Sink& sink) {
    const Vec3 d = at_.kinematics.marker(joint_.i.marker).p - at_.kinematics.marker(joint_.j.marker).p;
    double *g = g_, *b = b_;
    std::size_t k = 0;
    for (const PrimitiveRow& row : rows_) {
      if (row.kind == Primitive::coincide) {
        phi_[k] = d[row.a];
        coincide(i_, row.a, g, b);
        coincide(j_, row.a, g, b);
      } else {
        phi_[k] = dot(row.a, row.b, g, b);
        coupled_ = true;
      }
      g += n_;
      if (rates_) b += n_;
      ++k;
    }
    if (curved_) {
      curve_all(at_.state.lambda, turns_);
      curve_all(at_.state.mu, turns_ + 2);
    }
    sink.turning_rows({joint_.first_row, static_cast<int>(rows_.size()), joint_.columns.blocks(), phi_, g_,
                       b_, curved_ ? turns_ : nullptr, coupled_ && turns_both_});
  }

 private:
  void coincide(const Side& s, int axis, double* g, double* b) const {
    if (s.fixed) return;
    const Vec3 e = s.sign * s.R->row(axis).transpose();
    g[s.column + axis] = s.sign;
    Eigen::Map<Vec3>(g + s.column + 3) = s.p.cross(e);
    if (rates_) Eigen::Map<Vec3>(b + s.column + 3) = s.p * e.dot(s.w) - s.p.dot(e) * s.w;
  }

  const Mat3& between() {  // RaᵀRb
    if (!has_between_) between_ = i_.R->transpose() * *j_.R;
    has_between_ = true;
    return between_;
  }

  double dot(int a, int b_axis, double* g, double* b) {
    const Vec3 u = i_.R_marker->col(a), w = j_.R_marker->col(b_axis);
    const double s = u.dot(w);
    Vec3 w_a, u_b;
    if (!i_.fixed) {
      w_a = i_.R->transpose() * w;
      Eigen::Map<Vec3>(g + i_.column + 3) = i_.axes->col(a).cross(w_a);
    }
    if (!j_.fixed) {
      u_b = j_.R->transpose() * u;
      Eigen::Map<Vec3>(g + j_.column + 3) = j_.axes->col(b_axis).cross(u_b);
    }
    if (!rates_) return s;
    const double along_a = i_.fixed ? 0 : w_a.dot(i_.w), along_b = j_.fixed ? 0 : u_b.dot(j_.w);
    if (!i_.fixed) {
      Eigen::Map<Vec3> to(b + i_.column + 3);
      to = i_.axes->col(a) * along_a - s * i_.w;
      if (turns_both_) to += s * (between() * j_.w) - along_b * w_a;
    }
    if (!j_.fixed) {
      Eigen::Map<Vec3> to(b + j_.column + 3);
      to = j_.axes->col(b_axis) * along_b - s * j_.w;
      if (turns_both_) to += s * (between().transpose() * i_.w) - along_a * u_b;
    }
    return s;
  }

  // Σ λ H, or with the multipliers of the rates, which are zero but for stabilised index 2.
  void curve_all(const Eigen::VectorXd& multipliers, Mat3 (*turns)[2]) {
    const double* const lambda = multipliers.data() + joint_.first_row.index;
    const auto count = static_cast<std::ptrdiff_t>(rows_.size());
    if (std::all_of(lambda, lambda + count, [](double l) { return l == 0; })) return;
    Vec3 force = Vec3::Zero(), across[3] = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};  // Σ λ e_c, Σ λ w by u
    bool any_dot[3] = {false, false, false};
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const PrimitiveRow& row = rows_[k];
      if (row.kind == Primitive::coincide) {
        force[row.a] += lambda[k];
        continue;
      }
      across[row.a] += lambda[k] * j_.R_marker->col(row.b);
      any_dot[row.a] = true;
    }
    curve(i_, force, turns);
    curve(j_, force, turns);
    for (int a = 0; a < 3; ++a) {
      if (any_dot[a]) curve_dot(a, across[a], turns);
    }
  }

  static void curve(const Side& s, const Vec3& force, Mat3 (*turns)[2]) {
    if (s.fixed) return;
    const Vec3 e = s.sign * (s.R->transpose() * force);
    Mat3& T = turns[s.block][s.block];
    T.noalias() += e * s.p.transpose();
    T.diagonal().array() -= s.p.dot(e);
  }

  void curve_dot(int a, const Vec3& w, Mat3 (*turns)[2]) {
    const Vec3 u = i_.R_marker->col(a);
    const double s = u.dot(w);
    Vec3 w_a, u_b, w_b;
    if (!i_.fixed) {
      w_a = i_.R->transpose() * w;
      Mat3& T = turns[i_.block][i_.block];
      T.noalias() += w_a * i_.axes->col(a).transpose();
      T.diagonal().array() -= s;
    }
    if (!j_.fixed) {
      u_b = j_.R->transpose() * u;
      w_b = j_.R->transpose() * w;
      Mat3& T = turns[j_.block][j_.block];
      T.noalias() += u_b * w_b.transpose();
      T.diagonal().array() -= s;
    }
    if (!turns_both_) return;
    turns[i_.block][j_.block].noalias() += s * between() - w_a * u_b.transpose();
    turns[j_.block][i_.block].noalias() += s * between().transpose() - u_b * w_a.transpose();
  }

  const Joint& joint_;
  const Evaluation& at_;
  std::span<const PrimitiveRow> rows_;
  int n_;
  Side i_, j_;
  bool rates_, curved_, turns_both_ = false, coupled_ = false, has_between_ = false;
  double *phi_ = nullptr, *g_ = nullptr, *b_ = nullptr;
  Mat3 between_;
  Mat3 turns_[4][2];  // of λ, of μ; zero where they are needed
};

}  // namespace

bool evaluate_rigid(const Joint& joint, const Evaluation& at, assembly::Sink& sink) {
  if (!sink.takes_turning_rows() || !is_rigid(joint.i, at) || !is_rigid(joint.j, at)) return false;
  if (!joint.i.fixed() && joint.i.column == joint.j.column) return false;  // one and the same body
  const auto rows = joint_rows(joint.type);
  const auto known = [](const PrimitiveRow& r) {
    return r.kind == Primitive::coincide || r.kind == Primitive::dot1;
  };
  if (!std::all_of(rows.begin(), rows.end(), known)) return false;
  const assembly::Scratch::Frame frame(at.scratch);
  RigidRows(joint, at, sink.needs()).emit(sink);
  return true;
}

}  // namespace trunnion::elements
