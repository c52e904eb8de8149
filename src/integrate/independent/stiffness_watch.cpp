#include "integrate/independent/stiffness_watch.hpp"

#include <algorithm>
#include <cmath>

namespace trunnion::integrate {

bool StiffnessWatch::see(double h, double from, const Norm& norm, const Eigen::VectorXd& d,
                         const Eigen::VectorXd& rate, const Eigen::VectorXd& acceleration) {
  const assembly::Segment &q = layout_.coordinates(), &z = layout_.states();
  const Eigen::VectorXd& weight = norm.weight();
  const auto size = [&](const auto& vector, int offset, int count) {
    return count > 0 ? vector.cwiseProduct(weight.segment(offset, count)).norm() : 0.0;
  };
  const auto part = [](double above, double below) { return above > 0 && below > 0 ? above / below : 0.0; };
  const double swing =
      std::sqrt(part(size(acceleration.head(q.size), 0, q.size), size(d.head(q.size), 0, q.size)));
  const double decay = part(size(rate.segment(z.offset, z.size), z.offset, z.size),
                            size(d.segment(z.offset, z.size), z.offset, z.size));
  frequency_ = std::max(swing, decay);
  stiff_ = h * frequency_ > from;
  if (!stiff_) return false;
  Eigen::Index at = 0;
  if (swing >= decay) {
    acceleration.head(q.size).cwiseProduct(weight.head(q.size)).cwiseAbs().maxCoeff(&at);
    entry_ = static_cast<int>(at);
  } else {
    rate.segment(z.offset, z.size).cwiseAbs().maxCoeff(&at);
    entry_ = z.offset + static_cast<int>(at);
  }
  return plain() && !told_;
}

void StiffnessWatch::accept() {
  if (stiff_) ++count_;
  calm_ = stiff_ ? 0 : calm_ + 1;
  if (calm_ >= kForgotten) count_ = 0;
}

}  // namespace trunnion::integrate
