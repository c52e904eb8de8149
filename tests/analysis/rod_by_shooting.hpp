#pragma once
// A clamped rod under a dead force and moment at its end, without elements: Kirchhoff's equations of equilibrium with the strains of the
// geometrically exact beam, integrated along the axis by Runge and Kutta's formula, the moment at the clamp found by Newton's method. An
// oracle that shares no line with the elements; it gives the values of reference-values.md to their digits (fe_part_oracles_test.cpp).

#include <Eigen/Dense>

namespace trunnion::test {

struct Rod {
  using Vec3 = Eigen::Vector3d;
  using Mat3 = Eigen::Matrix3d;
  using Vec6 = Eigen::Matrix<double, 6, 1>;

  Vec6 K;                           // EA, GAy, GAz, GJ, EIy, EIz
  Vec6 unstressed = Vec6::Unit(0);  // stretch 1, and curvatures of the unstressed axis
  double length = 1.0;
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();  // at the end, along axes of the clamp

  struct End {
    Vec3 x = Vec3::Zero();
    Mat3 R = Mat3::Identity();
    Vec3 m = Vec3::Zero();
  };

  // The end of the rod under its full load, which is brought on in `parts`.
  End end(int parts) const {
    Vec3 clamp = Vec3::Zero();
    for (int k = 1; k <= parts; ++k) {
      const double share = static_cast<double>(k) / parts;
      if (k > 1) clamp *= share * parts / (k - 1);
      clamp = solved(share, clamp);
    }
    return integrated(1.0, clamp);
  }

 private:
  static Mat3 hat(const Vec3& a) {
    Mat3 s;
    s << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
    return s;
  }

  Vec3 solved(double share, Vec3 clamp) const {
    const double size = force.norm() * length + moment.norm();
    for (int k = 0; k < 20; ++k) {
      const Vec3 off = integrated(share, clamp).m - share * moment;
      if (off.norm() < 1e-13 * size) break;
      Mat3 J;
      const double h = 1e-6 * size;
      for (int c = 0; c < 3; ++c)
        J.col(c) = (integrated(share, clamp + h * Vec3::Unit(c)).m -
                    integrated(share, clamp - h * Vec3::Unit(c)).m) /
                   (2 * h);
      clamp -= J.lu().solve(off);
    }
    return clamp;
  }

  End rate(const End& at, const Vec3& n) const {
    Vec6 w;
    w << at.R.transpose() * n, at.R.transpose() * at.m;
    const Vec6 e = w.cwiseQuotient(K) + unstressed;
    End r;
    r.x = at.R * e.head<3>();
    r.R = at.R * hat(e.tail<3>());
    r.m = -r.x.cross(n);
    return r;
  }
  static End moved(const End& a, double h, const End& r) {
    return {a.x + h * r.x, a.R + h * r.R, a.m + h * r.m};
  }

  End run(double share, const Vec3& clamp, int steps) const {
    const Vec3 n = share * force;
    const double h = length / steps;
    End y;
    y.m = clamp;
    for (int k = 0; k < steps; ++k) {
      const End a = rate(y, n), b = rate(moved(y, h / 2, a), n), c = rate(moved(y, h / 2, b), n),
                d = rate(moved(y, h, c), n);
      y = moved(moved(moved(moved(y, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
    }
    return y;
  }
  // Two step lengths, extrapolated.
  End integrated(double share, const Vec3& clamp) const {
    const End coarse = run(share, clamp, 200), fine = run(share, clamp, 400);
    const auto better = [](const auto& a, const auto& b) { return (b + (b - a) / 15.0).eval(); };
    return {better(coarse.x, fine.x), better(coarse.R, fine.R), better(coarse.m, fine.m)};
  }
};

}  // namespace trunnion::test
