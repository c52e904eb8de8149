#pragma once
// The yardstick for trees: a chain of equal rods on revolutes, or on spherical joints, by an articulated-body recursion written for it alone,
// with its geometry as constants, in link axes, and DOP853 around it. No element, no marker, no choice.

#include <algorithm>
#include <cmath>
#include <ctime>
#include <vector>

#include <Eigen/Dense>

#include "formulas/explicit_table.hpp"

namespace trunnion::bench {

class HandWrittenChain {
 public:
  using Vec3 = Eigen::Vector3d;
  using Mat3 = Eigen::Matrix3d;
  using VectorXd = Eigen::VectorXd;

  HandWrittenChain(int rods, bool spherical)
      : n_(rods), spherical_(spherical), link_(static_cast<std::size_t>(rods)) {}

  long evaluations = 0, steps = 0;
  double seconds = 0;

  // Mass centres after `end` seconds, falling from horizontal along x, gravity along −z.
  std::vector<Vec3> run(double end, double tolerance) {
    const formulas::ExplicitTable table = formulas::dop853_table();
    const std::clock_t began = std::clock();
    const int positions = spherical_ ? 4 * n_ : n_, size = positions + (spherical_ ? 3 * n_ : n_);
    VectorXd y = VectorXd::Zero(size), next(size), error(size), second(size);
    if (spherical_) {
      for (int i = 0; i < n_; ++i) y[4 * i] = 1;
    }
    std::vector<VectorXd> rate(static_cast<std::size_t>(table.stages) + 1, VectorXd(size));
    const auto sum = [&](const auto& weights, int count, double h, VectorXd& to) {
      for (int j = 0; j < count; ++j) {
        if (weights[j] != 0) to += (h * weights[j]) * rate[static_cast<std::size_t>(j)];
      }
    };
    evaluate(y, rate[0]);
    double t = 0, h = 1e-3;
    while (end - t > 1e-13 * end) {
      h = std::min(h, end - t);
      for (int k = 1; k < table.stages; ++k) {
        next = y;
        sum(table.A.row(k), k, h, next);
        evaluate(next, rate[static_cast<std::size_t>(k)]);
      }
      next = y;
      sum(table.b, table.stages, h, next);
      error.setZero();
      second.setZero();
      sum(table.error, table.stages, h, error);
      sum(table.second_error, table.stages, h, second);
      const auto scale = (tolerance * (1 + y.array().abs().max(next.array().abs()))).eval();
      const double e1 = (error.array() / scale).square().sum(), e2 = (second.array() / scale).square().sum();
      const double size_of = e1 > 0 ? e1 / std::sqrt((e1 + 0.01 * e2) * size) : 0;
      const double factor = 0.9 * std::pow(std::max(size_of, 1e-10), -1.0 / 8);
      if (size_of <= 1) {
        t += h;
        y = next;
        if (spherical_) {
          for (int i = 0; i < n_; ++i) y.segment<4>(4 * i).normalize();
        }
        evaluate(y, rate[0]);
        ++steps;
      }
      h *= std::clamp(factor, 0.2, 6.0);
    }
    seconds = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
    return places(y);
  }

 private:
  static constexpr double kLength = 0.1, kMass = 1, kAcross = kMass * kLength * kLength / 12, kGravity = 9.81;
  // Axes at the joint, x along the rod, revolutes about y.
  struct Link {
    Mat3 R, A, B, C, D;
    Vec3 w, v, cw, cv, n, f, un, uf, alpha, a;
    double d = 0, u = 0;
  };

  static Mat3 hat(const Vec3& a) {
    Mat3 s;
    s << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
    return s;
  }
  Mat3 turn(const VectorXd& y, int i) const {
    if (spherical_)
      return Eigen::Quaterniond(y[4 * i], y[4 * i + 1], y[4 * i + 2], y[4 * i + 3])
          .normalized()
          .toRotationMatrix();
    const double c = std::cos(y[i]), s = std::sin(y[i]);
    Mat3 R;
    R << c, 0, s, 0, 1, 0, -s, 0, c;
    return R;
  }

  void evaluate(const VectorXd& y, VectorXd& rate) {
    ++evaluations;
    const Vec3 end(kLength, 0, 0), middle(kLength / 2, 0, 0);
    const Mat3 arm = kMass * hat(middle), own = Vec3(kAcross / 10, kAcross, kAcross).asDiagonal();
    const Mat3 about = own - arm * hat(middle);
    const int speeds = spherical_ ? 4 * n_ : n_;
    for (int i = 0; i < n_; ++i) {
      Link& l = link_[static_cast<std::size_t>(i)];
      l.R = turn(y, i);
      Vec3 spin(0, 0, 0);
      if (spherical_) {
        spin = y.segment<3>(speeds + 3 * i);
        const double w = y[4 * i];
        const Vec3 q = y.segment<3>(4 * i + 1);
        rate[4 * i] = -0.5 * q.dot(spin);
        rate.segment<3>(4 * i + 1) = 0.5 * (w * spin + q.cross(spin));
      } else {
        spin.y() = rate[i] = y[speeds + i];
      }
      if (i > 0) {
        const Link& p = link_[static_cast<std::size_t>(i - 1)];
        l.w = l.R.transpose() * p.w;
        l.v = l.R.transpose() * (p.v + p.w.cross(end));
      } else {
        l.w.setZero();
        l.v.setZero();
      }
      l.cw = l.w.cross(spin);
      l.cv = l.v.cross(spin);
      l.w += spin;
      l.A = about;
      l.B = arm;
      l.C = kMass * Mat3::Identity();
      const Vec3 angular = l.A * l.w + l.B * l.v, linear = l.B.transpose() * l.w + l.C * l.v;
      l.n = l.w.cross(angular) + l.v.cross(linear);
      l.f = l.w.cross(linear);
    }
    for (int i = n_ - 1; i >= 0; --i) {
      Link& l = link_[static_cast<std::size_t>(i)];
      Mat3 A = Mat3::Zero(), B = A, C;
      Vec3 n = Vec3::Zero(), f;
      if (spherical_) {
        l.D = l.A.inverse();
        if (i == 0) break;
        C = l.C - l.B.transpose() * l.D * l.B;
        f = l.f + C * l.cv - l.B.transpose() * (l.D * l.n);
      } else {
        l.un = l.A.col(1);
        l.uf = l.B.row(1).transpose();
        l.d = 1 / l.A(1, 1);
        l.u = -l.n.y();
        if (i == 0) break;
        A = l.A - l.d * l.un * l.un.transpose();
        B = l.B - l.d * l.un * l.uf.transpose();
        C = l.C - l.d * l.uf * l.uf.transpose();
        n = l.n + A * l.cw + B * l.cv + (l.d * l.u) * l.un;
        f = l.f + B.transpose() * l.cw + C * l.cv + (l.d * l.u) * l.uf;
      }
      Link& p = link_[static_cast<std::size_t>(i - 1)];
      const Mat3 Cg = l.R * C * l.R.transpose(), P = hat(end), PC = P * Cg;
      const Vec3 force = l.R * f;
      p.C += Cg;
      p.n += end.cross(force);
      p.f += force;
      if (spherical_) {
        p.B += PC;
        p.A -= PC * P;
        continue;
      }
      const Mat3 Bg = l.R * B * l.R.transpose(), BP = Bg * P;
      p.B += Bg + PC;
      p.A += l.R * A * l.R.transpose() - BP - BP.transpose() - PC * P;
      p.n += l.R * n;
    }
    for (int i = 0; i < n_; ++i) {
      Link& l = link_[static_cast<std::size_t>(i)];
      if (i > 0) {
        const Link& p = link_[static_cast<std::size_t>(i - 1)];
        l.alpha = l.R.transpose() * p.alpha;
        l.a = l.R.transpose() * (p.a + p.alpha.cross(end));
      } else {
        l.alpha.setZero();
        l.a = l.R.transpose() * Vec3(0, 0, kGravity);
      }
      l.alpha += l.cw;
      l.a += l.cv;
      if (spherical_) {
        const Vec3 x = -(l.D * (l.n + l.A * l.alpha + l.B * l.a));
        l.alpha += x;
        rate.segment<3>(speeds + 3 * i) = x;
      } else {
        const double x = l.d * (l.u - l.un.dot(l.alpha) - l.uf.dot(l.a));
        l.alpha.y() += x;
        rate[speeds + i] = x;
      }
    }
  }

  std::vector<Vec3> places(const VectorXd& y) const {
    std::vector<Vec3> out;
    Mat3 R = Mat3::Identity();
    Vec3 x(0, 0, 0);
    for (int i = 0; i < n_; ++i) {
      R = R * turn(y, i);
      out.push_back(x + R * Vec3(kLength / 2, 0, 0));
      x += R * Vec3(kLength, 0, 0);
    }
    return out;
  }

  int n_;
  bool spherical_;
  std::vector<Link> link_;
};

}  // namespace trunnion::bench
