#pragma once
// The articulated-body recursion (R. Featherstone, Rigid Body Dynamics Algorithms, 2008) over the links of a JointTree: O(N) in the number of
// links. All vectors are in ground axes, motions and forces of a link are those at its mass centre: (α, a) with a the second
// derivative of its place, (n, f) a moment about it and a force.
//
//   from the parent P, r from its mass centre to the link's:    ω = ω_P + S_w u            v = v_P + ω_P × r + S_v u
//                                                               α = α_P + S_w u̇ + c_w      a = a_P + α_P × r + S_v u̇ + c_v
//   of the link with all that hangs from it:                    (n, f) = I (α, a) + p,     I = [A B; Bᵀ C]
//   U = I S,  D = SᵀU,  w = τ − Sᵀp
//   to the parent:   I − U D⁻¹ Uᵀ,   p + (I − U D⁻¹ Uᵀ) c + U D⁻¹ w,   both moved by r
//   back:            u̇ = D⁻¹ (w − Uᵀ(α', a')), α' and a' being α and a without u̇
// A spherical joint passes on a force at its point and no moment: about that point, with turns along ground's axes, D = A and
//   T = A⁻¹B,   C' = C − BᵀT,   f' = f + C' c + Tᵀw,   back: α = A⁻¹w − T a',  a' of the point
// Its freedoms are the link's axes in coordinates and velocities, and ground's in the numbers of respond() and joint_forces().
// Nothing is allocated after construction.

#include <span>
#include <vector>

#include "assembly/state.hpp"
#include "solve/joint_tree.hpp"

namespace trunnion::solve {

class Articulated {
 public:
  using Vec3 = math::Vec3;
  using Mat3 = math::Mat3;
  using VectorXd = Eigen::VectorXd;

  Articulated(const assembly::Layout& layout, JointTree tree);
  const JointTree& tree() const { return tree_; }
  int size() const { return static_cast<int>(tree_.links.size()); }

  // Poses, velocities and c from coordinates and velocities of the joints.
  void move(const VectorXd& q, const VectorXd& u);
  // Own inertia of each link, its weight and gyroscopic moment; no other forces yet.
  void load();
  void add_force(int link, const Vec3& moment, const Vec3& force);
  // Leaves to root. False where what hangs from a joint has no inertia against it: see stuck().
  bool gather();
  // Root to leaves: accelerations of joints into u_dot.
  void release(VectorXd& u_dot);
  int stuck() const { return stuck_; }
  // The link whose articulated inertia against its joint is a smaller part than this of that with all joints locked; −1: none. For a
  // configuration as move() left it.
  int weakest(double part);

  // The same solution for forces (n, f) on links beside those gathered: into, and from, numbers of the joints on the way to ground.
  // A path is the links from one or two up to ground, each once, children first.
  struct Wrench {
    Vec3 n = Vec3::Zero(), f = Vec3::Zero();
  };
  // b = S·p of every freedom on the path, p from the wrenches given for its links; `through` has room for a wrench of each link.
  void respond(std::span<const int> path, std::vector<Wrench>& through, double* b) const;
  // D⁻¹ b of one link.
  void divide(int link, const double* b, double* x) const;
  // M⁻¹ of generalized forces w_ that respond() and the caller summed: u_dot without velocities and weights.
  void release_alone(const VectorXd& w, VectorXd& u_dot);
  // w of the joints, which a change of forces by −b changes.
  VectorXd& joint_forces() { return w_; }

  // Small motions of the joints as those of the links: turn and travel of each, in ground axes.
  void spread(const double* delta, std::vector<Wrench>& moved) const;

  // --- one link
  Mat3 body_rotation(int link) const;
  const Mat3& rotation(int link) const { return at_[static_cast<std::size_t>(link)].R; }
  const Vec3& place(int link) const { return at_[static_cast<std::size_t>(link)].x; }
  const Vec3& velocity(int link) const { return at_[static_cast<std::size_t>(link)].v; }
  const Vec3& spin(int link) const { return at_[static_cast<std::size_t>(link)].w; }
  const Vec3& acceleration(int link) const { return at_[static_cast<std::size_t>(link)].a; }
  const Vec3& spin_rate(int link) const { return at_[static_cast<std::size_t>(link)].alpha; }
  // Coordinates and velocities of the joints at a state of the mechanism; their rates where move() has brought the links there.
  void read(const assembly::State& state, VectorXd& q, VectorXd& u) const;
  void read_rates(const assembly::State& state, VectorXd& u_dot) const;
  // Accelerations of the links from those of the joints.
  void follow(const VectorXd& u_dot);

 private:
  struct At {
    Mat3 R = Mat3::Identity();  // link axes
    Vec3 x = Vec3::Zero(), w = x, v = x, r = x, arm = x, cw = x, cv = x;
    Mat3 A = Mat3::Zero(), B = A, C = A;  // B of a spherical joint, once gathered: T
    Vec3 n = x, f = x;
    Vec3 alpha = x, a = x;
  };
  struct Freedom {
    Vec3 sw, sv, un, uf;
  };

  void place_link(const Link& link, const At& P, const VectorXd& q, const VectorXd& u, At& l);
  template <int kFreedoms> bool project(const Link& link, At& l);
  void pass_on(const Link& link, At& l);
  bool pass_on_at_point(const Link& link, At& l);  // both, of a spherical joint
  void lock(const Link& link, const At& l);
  void gather_locked();
  Eigen::Map<Mat3> inverse_of_point(const Link& link);
  void release_joint(int link, const double* w, At& l, double* u_dot);
  void release_at_point(const Link& link, const double* w, At& l, double* u_dot);
  void set_own_inertia(const Link& link, At& l);

  const assembly::Layout& layout_;
  JointTree tree_;
  At ground_;
  std::vector<At> at_;
  std::vector<Freedom> freedom_;
  std::vector<int> inverse_at_;  // of each link among inverse_
  std::vector<double> inverse_;  // D⁻¹ of each link, column by column
  VectorXd w_;
  std::vector<double> locked_;  // D of each freedom with all joints locked
  int stuck_ = -1;
};

}  // namespace trunnion::solve
