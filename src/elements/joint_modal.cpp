#include "elements/joint_modal.hpp"

#include "assembly/carriers/modal.hpp"
#include "assembly/modal_sink.hpp"
#include "elements/forms.hpp"

namespace trunnion::elements {
namespace {

using assembly::Evaluation;
using assembly::kNodeMotions;
using assembly::MatMap;
using assembly::NodeShape;
using assembly::Seat;
using math::hat;

using Wrench6 = Eigen::Matrix<double, 6, 1>;
using Square = Eigen::Matrix<double, kNodeMotions, kNodeMotions>;

// One of the joint's markers: on a node, on a body with one block, or on ground.
struct NodeSide {
  const Port& port;
  const Seat* seat = nullptr;        // null on ground
  const NodeShape* shape = nullptr;  // of a marker on a node
  int size = 0;                      // of the motions below
  Eigen::Matrix<double, 6, kNodeMotions> J =
      Eigen::Matrix<double, 6, kNodeMotions>::Zero();  // (δp, δφ) by (x, θ, d, ψ) or by the body's entries

  NodeSide(const Port& p, const Evaluation& at) : port(p) {
    if (port.fixed()) return;
    seat = &at.kinematics.seat(port.marker);
    shape = assembly::modal_shape(*seat->carrier);
  }
  bool known() const { return port.fixed() || shape != nullptr || seat->carrier->turns_with_body(); }
  const int* columns() const { return port.columns().data(); }
  bool has_arm() const { return shape != nullptr && seat->def->p_BM != shape->s; }

  void find_motions() {
    if (seat == nullptr) return;
    if (shape != nullptr) {
      size = kNodeMotions;
      J = assembly::modal_jacobian(*seat);
      return;
    }
    size = seat->layout->block(seat->def->body).size;
    for (int k = 0; k < size; ++k) {
      const assembly::Twist t = seat->carrier->twist(*seat, 0, k);
      J.col(k) << t.p, t.turn;
    }
  }
  void pull(const Vec3& f, const Vec3& tau, double* row) const {
    if (seat != nullptr) seat->carrier->pull(*seat, f, tau, row, columns());
  }
  void rate(const Vec3& f, const Vec3& tau, double* row) const {
    if (seat != nullptr) seat->carrier->rate_in_q(*seat, f, tau, row, columns());
  }
};

// What a row puts on the two markers, and how that changes with their places and turns.
struct Form {
  Vec3 f = Vec3::Zero();                              // on I; its opposite on J
  Vec3 tau_i = Vec3::Zero(), tau_j = Vec3::Zero();    // moments on I and J
  Vec3 f_rate = Vec3::Zero();                         // ∂(rate)/∂p_I through f and τ; its opposite for J
  Vec3 turn_i = Vec3::Zero(), turn_j = Vec3::Zero();  // ∂(rate)/∂φ alike
  // ∂τ_I/∂φ_I, ∂τ_I/∂φ_J, ∂τ_J/∂φ_I, ∂τ_J/∂φ_J, and ê of a direction that turns with J
  Mat3 ii = Mat3::Zero(), ij = Mat3::Zero(), ji = Mat3::Zero(), jj = Mat3::Zero(), E = Mat3::Zero();
};

class ModalRows {
 public:
  ModalRows(const Joint& joint, const Evaluation& at, const assembly::Needs& needs, const NodeSide& i,
            const NodeSide& j)
      : joint_(joint),
        at_(at),
        kin_(at.kinematics),
        i_(i),
        j_(j),
        n_(joint.columns.size()),
        rates_(needs.hessians),
        curved_(needs.hessians && needs.partial_q) {
    const auto count = static_cast<Eigen::Index>(joint_rows(joint.type).size());
    phi_ = at.scratch.take(count);
    g_ = at.scratch.vector(count * n_).data();
    if (rates_) b_ = at.scratch.vector(count * n_).data();
  }

  void emit(assembly::Sink& sink) {
    if (curved_) {
      i_.find_motions();
      j_.find_motions();
    }
    int k = 0;
    modes_couple_ = i_.has_arm() || j_.has_arm();
    for (const PrimitiveRow& row : joint_rows(joint_.type)) add(row, k++);
    const MatMap H = curved_ ? summed(0) : MatMap(nullptr, 0, 0);
    const MatMap H_mu = any_mu_ ? summed(1) : MatMap(nullptr, 0, 0);
    assembly::SummedRows rows{
        {joint_.first_row, k, joint_.columns.blocks(), phi_, g_, b_}, H, H_mu, modes_couple_};
    sink.turning_rows(rows);
  }

 private:
  // Σ over rows with one set of multipliers.
  struct Sum {
    Wrench6 on_i = Wrench6::Zero(), on_j = Wrench6::Zero();
    Mat3 ii = Mat3::Zero(), ij = Mat3::Zero(), ji = Mat3::Zero(), jj = Mat3::Zero(), E = Mat3::Zero();
    bool turns = false;
  };

  void add(const PrimitiveRow& row, int k) {
    const Vec3 d = offset(kin_, joint_.i, joint_.j);
    double* const g = g_ + k * n_;
    double* const b = rates_ ? b_ + k * n_ : nullptr;
    switch (row.kind) {
      case Primitive::coincide: phi_[k] = d[row.a]; return along(Vec3::Unit(row.a), d, false, k, g, b);
      case Primitive::dot2: {
        const Vec3 e = axis(kin_, joint_.j, row.a);
        phi_[k] = e.dot(d);
        return along(e, d, true, k, g, b);
      }
      case Primitive::dot1: phi_[k] = perpendicular(row.a, row.b, k, g, b); return;
      case Primitive::mirror: phi_[k] = perpendicular(0, 1, k, g, b) + perpendicular(1, 0, k, g, b); return;
    }
  }

  // e·d, e constant or turning with J.
  void along(const Vec3& e, const Vec3& d, bool turning, int k, double* g, double* b) {
    Form form;
    form.f = e;
    if (turning) {
      const assembly::MarkerMotion &i = kin_.marker(joint_.i.marker), &j = kin_.marker(joint_.j.marker);
      form.tau_j = e.cross(d);
      if (rates_) {
        form.f_rate = j.w.cross(e);
        form.turn_j = e.cross(i.v - j.v - j.w.cross(d));
      }
      form.E = hat(e);
      form.jj = hat(d) * form.E;
      if (j_.shape != nullptr) modes_couple_ = true;
    }
    put(form, turning, k, g, b);
  }
  // a_I·b_J.
  double perpendicular(int first, int second, int k, double* g, double* b) {
    const Vec3 u = axis(kin_, joint_.i, first), w = axis(kin_, joint_.j, second);
    Form form;
    form.tau_i = u.cross(w);
    form.tau_j = -form.tau_i;
    if (rates_) {
      const Vec3 spin = kin_.marker(joint_.i.marker).w - kin_.marker(joint_.j.marker).w;
      form.turn_i = u.cross(w.cross(spin));
      form.turn_j = -w.cross(u.cross(spin));
    }
    form.ji = -(form.ii = hat(w) * hat(u));
    form.ij = -(form.jj = hat(u) * hat(w));
    modes_couple_ = true;
    put(form, true, k, g, b);
    return u.dot(w);
  }

  void put(const Form& form, bool turns, int k, double* g, double* b) {
    i_.pull(form.f, form.tau_i, g);
    j_.pull(-form.f, form.tau_j, g);
    if (!rates_) return;
    i_.rate(form.f, form.tau_i, b);
    j_.rate(-form.f, form.tau_j, b);
    if (turns) {
      i_.pull(form.f_rate, form.turn_i, b);
      j_.pull(-form.f_rate, form.turn_j, b);
    }
    if (!curved_) return;
    const int row = joint_.first_row.index + k;
    weigh(form, turns, at_.state.lambda[row], sums_[0]);
    if (const double mu = at_.state.mu[row]; mu != 0) {
      any_mu_ = true;
      weigh(form, turns, mu, sums_[1]);
    }
  }
  static void weigh(const Form& form, bool turns, double weight, Sum& sum) {
    sum.on_i.head<3>() += weight * form.f;
    sum.on_i.tail<3>() += weight * form.tau_i;
    sum.on_j.head<3>() -= weight * form.f;
    sum.on_j.tail<3>() += weight * form.tau_j;
    if (!turns) return;
    sum.turns = true;
    sum.ii += weight * form.ii;
    sum.ij += weight * form.ij;
    sum.ji += weight * form.ji;
    sum.jj += weight * form.jj;
    sum.E += weight * form.E;
  }

  // All of H that will be read.
  MatMap zeroed() const {
    MatMap H(at_.scratch.take(n_ * n_), n_, n_);
    if (modes_couple_) {
      H.setZero();
      return H;
    }
    const std::span<const int> starts = joint_.columns.offsets();
    const std::span<const assembly::BlockId> blocks = joint_.columns.blocks();
    for (std::size_t c = 0; c < blocks.size(); ++c) {
      const assembly::Block& col = at_.layout().block(blocks[c]);
      for (std::size_t r = 0; r < blocks.size(); ++r) {
        const assembly::Block& row = at_.layout().block(blocks[r]);
        if (assembly::are_modes(row) && assembly::are_modes(col)) continue;
        H.block(starts[r], starts[c], row.size, col.size).setZero();
      }
    }
    return H;
  }

  MatMap summed(std::size_t which) const {
    MatMap H = zeroed();
    const Sum& sum = sums_[which];
    curve(i_, sum.on_i, H);
    curve(j_, sum.on_j, H);
    if (!sum.turns) return H;
    // ∂(f, τ)/∂(p, φ)
    Eigen::Matrix<double, 6, 6> ii = Eigen::Matrix<double, 6, 6>::Zero(), ij = ii, ji = ii, jj = ii;
    ii.bottomRightCorner<3, 3>() = sum.ii;
    ij.bottomRightCorner<3, 3>() = sum.ij;
    ij.topRightCorner<3, 3>() = -sum.E;
    ji.bottomRightCorner<3, 3>() = sum.ji;
    ji.bottomLeftCorner<3, 3>() = sum.E;
    jj.bottomRightCorner<3, 3>() = sum.jj;
    jj.topRightCorner<3, 3>() = sum.E;
    jj.bottomLeftCorner<3, 3>() = -sum.E;
    couple(i_, ii, i_, H);
    couple(i_, ij, j_, H);
    couple(j_, ji, i_, H);
    couple(j_, jj, j_, H);
    return H;
  }
  static void curve(const NodeSide& side, const Wrench6& w, MatMap& H) {
    if (side.seat == nullptr) return;
    if (side.shape == nullptr) {
      side.seat->carrier->curvature(*side.seat, w.head<3>(), w.tail<3>(), H, side.columns());
      return;
    }
    spread(side, assembly::modal_curvature(*side.seat, w.head<3>(), w.tail<3>()), side, H);
  }
  static void couple(const NodeSide& m, const Eigen::Matrix<double, 6, 6>& P, const NodeSide& n, MatMap& H) {
    if (m.seat == nullptr || n.seat == nullptr) return;
    spread(m, m.J.transpose() * P * n.J, n, H);
  }

  // A square over the motions of two markers onto their unknowns.
  static void spread(const NodeSide& m, const Square& square, const NodeSide& n, MatMap& H) {
    const int own_m = m.shape != nullptr ? 6 : m.size, own_n = n.shape != nullptr ? 6 : n.size;
    H.block(m.columns()[0], n.columns()[0], own_m, own_n) += square.topLeftCorner(own_m, own_n);
    // d and ψ apart: one of them is often zero.
    for (int part = 0; part < 2; ++part) {
      const int at = 6 + 3 * part;
      if (m.shape != nullptr) {
        const auto rows = square.block(at, 0, 3, own_n);
        if (!rows.isZero(0.0)) {
          auto to = H.block(m.columns()[1], n.columns()[0], m.shape->modes.cols(), own_n);
          for (int c = 0; c < own_n; ++c)
            for (int k = 0; k < 3; ++k)
              if (rows(k, c) != 0) to.col(c) += rows(k, c) * m.shape->across.col(3 * part + k);
        }
      }
      if (n.shape == nullptr) continue;
      const auto columns = square.block(0, at, own_m, 3);
      if (!columns.isZero(0.0)) {
        const auto& modes = n.shape->modes;
        for (Eigen::Index c = 0; c < modes.cols(); ++c) {
          double* const to = H.data() + (n.columns()[1] + c) * H.outerStride() + m.columns()[0];
          const double x = modes(3 * part, c), y = modes(3 * part + 1, c), z = modes(3 * part + 2, c);
          for (int r = 0; r < own_m; ++r) to[r] += columns(r, 0) * x + columns(r, 1) * y + columns(r, 2) * z;
        }
      }
    }
    if (m.shape == nullptr || n.shape == nullptr) return;
    const Eigen::Matrix<double, 6, 6> inner = square.bottomRightCorner<6, 6>();
    if (inner.isZero(0.0)) return;
    for (Eigen::Index c = 0; c < n.shape->modes.cols(); ++c) {
      const Wrench6 by = inner * n.shape->modes.col(c);
      auto to = H.col(n.columns()[1] + c).segment(m.columns()[1], m.shape->modes.cols());
      for (int k = 0; k < 6; ++k)
        if (by[k] != 0) to += by[k] * m.shape->across.col(k);
    }
  }

  const Joint& joint_;
  const Evaluation& at_;
  const Kinematics& kin_;
  NodeSide i_, j_;
  Eigen::Index n_;
  bool rates_, curved_, any_mu_ = false, modes_couple_ = false;
  double *phi_ = nullptr, *g_ = nullptr, *b_ = nullptr;
  Sum sums_[2];
};

}  // namespace

bool evaluate_modal(const Joint& joint, const Evaluation& at, assembly::Sink& sink) {
  if (!sink.takes_turning_rows()) return false;
  const NodeSide i(joint.i, at), j(joint.j, at);
  if ((i.shape == nullptr && j.shape == nullptr) || !i.known() || !j.known()) return false;
  const assembly::Scratch::Frame frame(at.scratch);
  ModalRows(joint, at, sink.needs(), i, j).emit(sink);
  return true;
}

}  // namespace trunnion::elements
