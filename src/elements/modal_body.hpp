#pragma once
// FLEX_BODY: inertia, weight, stiffness and damping of a body with a floating frame B and M modal coordinates q. docs/theory/flexible.md
// has the derivation. In axes of B, ω and α too, with b = Rᵀ(ẍ − g):
//
//   S = I2 + I3 q + ½ qᵀG q      P = ∂S/∂q      N = I4 + Σ q_j I5_j + (Gα q)ᵀ      J = I7 + J1 q + ½ qᵀJ2 q      J_j = ∂J/∂q_j
//   force     I1 (ẍ − g) + R [α × S + P q̈ + q̇ᵀG q̇ + ω × (ω × S) + 2 ω × P q̇]              = …
//   torque    S × b + J α + N q̈ + q̇ᵀGα q̇ + J̇ ω + ω × Jω + ω × N q̇                        = …
//   mode j    P_j·b + N_j·α + (I6 q̈)_j − 2 ω·I5_j q̇ − ½ ω·J_j ω + (K q + D q̇)_j           = …
// G and Gα, geometric stiffening, are zero unless given; J1 = −(I8 + I8ᵀ), J2 = −(I9_jk + I9_kj).
//
// Tensors J are kept by six components xx, yy, zz, xy, yz, zx. Not modelled: deformation that is not linear in q beyond what G, Gα, J2 say.

#include <array>
#include <memory>

#include "assembly/evaluation.hpp"
#include "assembly/sink.hpp"

namespace trunnion::elements {

// A symmetric matrix over modes that may be known to be zero or diagonal.
class ModeMatrix {
 public:
  ModeMatrix() = default;
  explicit ModeMatrix(const Eigen::MatrixXd& full);

  // to += factor · this x
  void add_product(double factor, const assembly::VecRef& x, Eigen::Ref<Eigen::VectorXd> to) const;
  // to += factor · this
  void add(double factor, assembly::MatMap to) const;
  bool is_zero() const { return form_ == Form::zero; }
  bool is_diagonal() const { return form_ != Form::full; }       // or zero
  const Eigen::VectorXd& diagonal() const { return diagonal_; }  // empty where all is zero

 private:
  enum class Form { zero, diagonal, full };
  Form form_ = Form::zero;
  Eigen::VectorXd diagonal_;
  Eigen::MatrixXd full_;
};

// Constant, shared by the threads.
struct ModalData {
  double mass = 0;                              // I1
  math::Vec3 I2 = math::Vec3::Zero();           // Σ m s
  Eigen::Matrix3Xd I3, I4;                      // 3 × M
  std::array<Eigen::MatrixXd, 3> I5;            // x, y, z of φ_j × φ_k, antisymmetric; empty: zero
  ModeMatrix I6;                                // generalised mass
  math::Mat3 I7 = math::Mat3::Zero();           // about the origin of B
  Eigen::Matrix<double, 6, Eigen::Dynamic> J1;  // 6 × M
  std::array<ModeMatrix, 6> J2;
  std::array<ModeMatrix, 3> G, G_alpha;  // of geometric stiffening
  ModeMatrix K, D;
  // Whether nothing couples one mode to another in K, C and M, by Level, whatever the motion.
  std::array<bool, 3> uncoupled{};

  Eigen::Index modes() const { return I3.cols(); }
};

// The body as its matrices say (docs/theory/flexible.md); empty means zero.
struct ModalInvariants {
  double I1 = 0;
  math::Vec3 I2 = math::Vec3::Zero();
  Eigen::Matrix3Xd I3, I4;  // 3 × M; set, also where there are no modes
  Eigen::MatrixXd I5;       // 3M × M, I5_j one below the other
  Eigen::MatrixXd I6;       // M × M
  math::Mat3 I7 = math::Mat3::Zero();
  Eigen::MatrixXd I8;         // 3 × 3M, I8_j side by side
  Eigen::MatrixXd I9;         // 3M × 3M
  Eigen::MatrixXd K, D;       // M × M
  Eigen::MatrixXd geometric;  // 12M × M
};
ModalData make_modal_data(const ModalInvariants& invariants);

struct ModalBody {
  assembly::BlockId frame;
  assembly::BlockId modes;  // invalid where there are none
  std::shared_ptr<const ModalData> data;
  math::Vec3 gravity = math::Vec3::Zero();  // ACCGRAV, ground axes
};

void evaluate(const ModalBody& body, const assembly::Evaluation& at, assembly::Sink& sink);

double kinetic_energy(const ModalBody& body, const assembly::Evaluation& at);
// Of weight and of elastic deformation.
double potential_energy(const ModalBody& body, const assembly::Evaluation& at);
// What damping takes, q̇·D q̇.
double dissipated_power(const ModalBody& body, const assembly::Evaluation& at);

}  // namespace trunnion::elements
