#pragma once
// A slender beam along x as a flexible body, from its own finite elements: cubic bending in two planes, linear stretch, consistent mass
// taken by Gauss points. No torsion; a small inertia about the axis keeps the body's. Modes of any support, or Craig-Bampton's, become
// the matrices of a FLEX_BODY, written as ADAMSMAT.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <Eigen/Eigenvalues>
#include <fmt/format.h>
#include <unistd.h>

namespace trunnion::test {

struct FlexBeam {
  using MatrixXd = Eigen::MatrixXd;
  using Vec3 = Eigen::Vector3d;

  double L = 1, EA = 2.1e7, EI_y = 200, EI_z = 200, rho_A = 0.8;  // EI_z bends along y, EI_y along z
  double rho_J = 1e-4;                                            // inertia about the axis, per length
  int elements = 10;
  double height = 0.01;  // of the outermost fibre, for stresses

  // u, v, w, θy = −w', θz = v' of each node.
  static constexpr int kDof = 5;
  int dofs() const { return kDof * (elements + 1); }
  double h() const { return L / elements; }

  // Shapes at a place 0 ≤ s ≤ 1 of an element, over its ten freedoms: u, v, w, and the slopes v', w'.
  struct Shapes {
    Eigen::Matrix<double, 3, 10> place = Eigen::Matrix<double, 3, 10>::Zero();
    Eigen::Matrix<double, 2, 10> slope = Eigen::Matrix<double, 2, 10>::Zero();
    Eigen::Matrix<double, 3, 10> strain = Eigen::Matrix<double, 3, 10>::Zero();  // u', v'', w''
  };
  Shapes shapes(double s) const {
    Shapes out;
    const double l = h();
    const double N[4] = {1 - 3 * s * s + 2 * s * s * s, l * s * (1 - s) * (1 - s), s * s * (3 - 2 * s),
                         l * s * s * (s - 1)};
    const double D[4] = {6 * s * (s - 1) / l, (1 - s) * (1 - 3 * s), 6 * s * (1 - s) / l, s * (3 * s - 2)};
    const double C[4] = {(12 * s - 6) / (l * l), (6 * s - 4) / l, (6 - 12 * s) / (l * l), (6 * s - 2) / l};
    for (int end = 0; end < 2; ++end) {
      const int o = 5 * end, k = 2 * end;
      out.place(0, o) = end == 0 ? 1 - s : s;
      out.strain(0, o) = end == 0 ? -1 / l : 1 / l;
      out.place(1, o + 1) = N[k];
      out.place(1, o + 4) = N[k + 1];
      out.place(2, o + 2) = N[k];
      out.place(2, o + 3) = -N[k + 1];
      out.slope(0, o + 1) = D[k];
      out.slope(0, o + 4) = D[k + 1];
      out.slope(1, o + 2) = D[k];
      out.slope(1, o + 3) = -D[k + 1];
      out.strain(1, o + 1) = C[k];
      out.strain(1, o + 4) = C[k + 1];
      out.strain(2, o + 2) = C[k];
      out.strain(2, o + 3) = -C[k + 1];
    }
    return out;
  }
  // Calls f(place, weight, element, shapes) at Gauss points: five of them, exact to degree nine.
  template <class F> void integrate(const F& f) const {
    const double x[5] = {0, 0.5384693101056831, -0.5384693101056831, 0.9061798459386640, -0.9061798459386640};
    const double w[5] = {0.5688888888888889, 0.4786286704993665, 0.4786286704993665, 0.2369268850561891,
                         0.2369268850561891};
    for (int e = 0; e < elements; ++e) {
      for (int k = 0; k < 5; ++k) {
        const double s = 0.5 * (1 + x[k]);
        f((e + s) * h(), 0.5 * h() * w[k], e, shapes(s));
      }
    }
  }
  MatrixXd mass() const {
    MatrixXd M = MatrixXd::Zero(dofs(), dofs());
    integrate([&](double, double w, int e, const Shapes& s) {
      M.block<10, 10>(kDof * e, kDof * e) += w * rho_A * s.place.transpose() * s.place;
    });
    return M;
  }
  MatrixXd stiffness() const {
    MatrixXd K = MatrixXd::Zero(dofs(), dofs());
    const Vec3 section(EA, EI_z, EI_y);
    integrate([&](double, double w, int e, const Shapes& s) {
      K.block<10, 10>(kDof * e, kDof * e) += w * s.strain.transpose() * section.asDiagonal() * s.strain;
    });
    return K;
  }

  // The `count` lowest modes with these freedoms held, after `skip` of them; columns over all freedoms.
  MatrixXd modes(const std::vector<int>& held, int count, int skip = 0) const {
    std::vector<int> free;
    for (int k = 0; k < dofs(); ++k) {
      if (std::find(held.begin(), held.end(), k) == held.end()) free.push_back(k);
    }
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(MatrixXd(stiffness()(free, free)),
                                                                    MatrixXd(mass()(free, free)));
    MatrixXd all = MatrixXd::Zero(dofs(), count);
    all(free, Eigen::all) = solver.eigenvectors().middleCols(skip, count);
    return all;
  }
  static std::vector<int> clamped(int node) {
    std::vector<int> held;
    for (int k = 0; k < kDof; ++k) held.push_back(kDof * node + k);
    return held;
  }
  // Five motions as a whole are free: no torsion.
  MatrixXd free_modes(int count) const { return modes({}, count, 5); }
  MatrixXd cantilever_modes(int count) const { return modes(clamped(0), count); }
  // Static modes of both ends and `fixed` modes between them, orthonormal, without the motions as a whole.
  MatrixXd craig_bampton(int fixed) const {
    std::vector<int> ends = clamped(0), inner;
    for (const int k : clamped(elements)) ends.push_back(k);
    for (int k = kDof; k < kDof * elements; ++k) inner.push_back(k);
    const MatrixXd K = stiffness(), M = mass();
    MatrixXd basis = MatrixXd::Zero(dofs(), 10 + fixed);
    basis(ends, Eigen::seqN(0, 10)) = MatrixXd::Identity(10, 10);
    basis(inner, Eigen::seqN(0, 10)) = -K(inner, inner).ldlt().solve(MatrixXd(K(inner, ends)));
    basis.rightCols(fixed) = modes(ends, fixed);
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(MatrixXd(basis.transpose() * K * basis),
                                                                    MatrixXd(basis.transpose() * M * basis));
    return basis * solver.eigenvectors().rightCols(5 + fixed);
  }

  static Eigen::Matrix3d hat(const Vec3& a) {
    Eigen::Matrix3d m;
    m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
    return m;
  }

  // All matrices of the modes, as text. Node k + 1 is at x = k h.
  std::string matrices(const MatrixXd& modes, bool stiffening = false, bool stresses = false) const {
    const Eigen::Index m = modes.cols();
    MatrixXd I3 = MatrixXd::Zero(3, m), I4 = I3, I5 = MatrixXd::Zero(3 * m, m), I8 = MatrixXd::Zero(3, 3 * m),
             I9 = MatrixXd::Zero(3 * m, 3 * m), G = MatrixXd::Zero(12 * m, m);
    Vec3 I2 = Vec3::Zero();
    Eigen::Matrix3d I7 = Eigen::Matrix3d::Zero();
    I7(0, 0) = rho_J * L;
    integrate([&](double x, double w, int e, const Shapes& s) {
      const double dm = w * rho_A;
      const Vec3 place(x, 0, 0);
      const MatrixXd phi = s.place * modes.middleRows(kDof * e, 10);
      const MatrixXd slope = s.slope * modes.middleRows(kDof * e, 10);
      I2 += dm * place;
      I3 += dm * phi;
      I4 += dm * hat(place) * phi;
      I7 += dm * hat(place).transpose() * hat(place);
      for (Eigen::Index j = 0; j < m; ++j) {
        I5.middleRows(3 * j, 3) += dm * hat(phi.col(j)) * phi;
        I8.middleCols(3 * j, 3) += dm * hat(place) * hat(phi.col(j));
        for (Eigen::Index k = 0; k < m; ++k)
          I9.block(3 * j, 3 * k, 3, 3) += dm * hat(phi.col(j)) * hat(phi.col(k));
      }
      // Tension by spin about y or z, ½ρA(L² − x²)ω², and by acceleration along the axis, −ρA(L − x)b.
      const MatrixXd bend = w * slope.transpose() * slope;
      G.middleRows(0, m) -= rho_A * (L - x) * bend;
      G.middleRows(7 * m, m) += 0.5 * rho_A * (L * L - x * x) * bend;
      G.middleRows(8 * m, m) += 0.5 * rho_A * (L * L - x * x) * bend;
    });
    const int n = elements + 1;
    MatrixXd nodes(n, 4), T(3 * n, m), R = MatrixXd::Zero(3 * n, m), S = MatrixXd::Zero(6 * n, m);
    for (int k = 0; k < n; ++k) {
      nodes.row(k) << k + 1, k * h(), 0, 0;
      T.middleRows(3 * k, 3) = modes.middleRows(kDof * k, 3);
      R.middleRows(3 * k + 1, 2) = modes.middleRows(kDof * k + 3, 2);
      // Of the fibre at y = height: E (u' − y v'').
      const int e = std::min(k, elements - 1);
      const MatrixXd strain = shapes(k - e).strain * modes.middleRows(kDof * e, 10);
      S.row(6 * k) = strain.row(0) - height * strain.row(1);
    }
    std::string names, text;
    int count = 0;
    const auto put = [&](const char* name, const MatrixXd& A) {
      ++count;
      names += std::string(name) + " ";
      text += fmt::format("{} FULL RORDER {} {} {} (5E24.16)\n", name, A.rows(), A.cols(), A.size());
      int column = 0;
      for (Eigen::Index i = 0; i < A.rows(); ++i) {
        for (Eigen::Index j = 0; j < A.cols(); ++j) {
          text += fmt::format("{:24.16E}", A(i, j));
          if (++column % 5 == 0) text += "\n";
        }
      }
      if (column % 5 != 0) text += "\n";
    };
    put("INVAR1", MatrixXd::Constant(1, 1, rho_A * L));
    put("INVAR2", I2);
    put("INVAR7", I7);
    put("SELNOD", nodes);
    if (m > 0) {
      put("INVAR3", I3);
      put("INVAR4", I4);
      put("INVAR5", I5);
      put("INVAR6", modes.transpose() * mass() * modes);
      put("INVAR8", I8);
      put("INVAR9", I9);
      put("GENSTIFF", modes.transpose() * stiffness() * modes);
      put("T_MODE", T);
      put("R_MODE", R);
      if (stiffening) put("GEOSTIFF", G);
      if (stresses) {
        put("S_NODE", nodes);
        put("S_MODE", S);
      }
    }
    return fmt::format("ADAMSMAT2 beam\n{}\n{}\n{}", count, names, text);
  }
};

// The text with one more matrix.
inline std::string with_matrix(std::string text, const std::string& name, const Eigen::MatrixXd& A) {
  const std::size_t count = text.find('\n') + 1, names = text.find('\n', count) + 1;
  const int matrices = std::stoi(text.substr(count, names - count)) + 1;
  std::string block = fmt::format("{} FULL RORDER {} {} {} (*)\n", name, A.rows(), A.cols(), A.size());
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    for (Eigen::Index j = 0; j < A.cols(); ++j) block += fmt::format("{:.17g} ", A(i, j));
    block += "\n";
  }
  text.insert(text.find('\n', names) + 1, block);
  return text.replace(count, names - count, fmt::format("{}\n{} ", matrices, name));
}

// A file of its own, gone with it.
class MatrixText {
 public:
  MatrixText(const std::string& name, const std::string& text)
      : path_((std::filesystem::temp_directory_path() / fmt::format("trunnion_{}_{}.mtx", name, ::getpid()))
                  .string()) {
    std::ofstream(path_) << text;
  }
  ~MatrixText() { std::filesystem::remove(path_); }
  MatrixText(const MatrixText&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace trunnion::test
