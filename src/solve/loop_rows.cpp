#include "solve/loop_rows.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

namespace trunnion::solve {

using assembly::Block;
using math::Mat3;
using math::Vec3;
using Wrench = Articulated::Wrench;

namespace {

constexpr double kProximal =
    1e-10;  // μ; rows that are no others' sum by less than this are taken for redundant

// The wrench on a link, ground axes at its mass centre, whose power is g times the block's velocities.
Wrench wrench_of(const assembly::Layout& layout, const Block& block, const Mat3& R_GB, const double* g) {
  const Eigen::Map<const Vec3> first(g);
  if (block.rotation >= 0) return {R_GB * Eigen::Map<const Vec3>(g + 3), first};
  if (block.plane >= 0) {
    const assembly::Plane& plane = layout.plane(block);
    return {g[2] * (R_GB * plane.normal_B), plane.axes * first.head<2>()};
  }
  return {Vec3::Zero(), first};
}

}  // namespace

LoopRows::LoopRows(const Articulated& links, const system::Levels& levels, std::vector<int> rows)
    : rows_(std::move(rows)),
      row_(rows_.size()),
      at_link_(links.tree().links.size()),
      through_(links.tree().links.size()),
      scale_(VectorXd::Zero(size())),
      lambda_(scale_),
      left_(scale_),
      x_(scale_) {
  for (const Link& link : links.tree().links) {
    freedoms_.push_back(link.freedoms);
    offset_.push_back(link.offset);
  }
  find_paths(links, levels);
  find_pattern();
}

void LoopRows::find_paths(const Articulated& links, const system::Levels& levels) {
  const JointTree& tree = links.tree();
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    Row& row = row_[r];
    const system::Levels::RowParts& parts = levels.rows()[static_cast<std::size_t>(rows_[r])];
    std::set<int, std::greater<>> path;
    for (int p = parts.first; p < parts.first + parts.count; ++p) {
      const system::Levels::Part& part = levels.parts()[static_cast<std::size_t>(p)];
      const int link = tree.link_of[static_cast<std::size_t>(part.block.index)];
      row.parts.push_back({link, part.at});
      for (int i = link; i >= 0; i = tree.links[static_cast<std::size_t>(i)].parent) path.insert(i);
    }
    row.path.assign(path.begin(), path.end());
    row.first = static_cast<int>(response_.size());
    int at = row.first;
    for (const int i : row.path) {
      const auto link = static_cast<std::size_t>(i);
      if (freedoms_[link] > 0) at_link_[link].push_back({static_cast<int>(r), at});
      at += freedoms_[link];
    }
    response_.resize(static_cast<std::size_t>(at), 0.0);
  }
}

void LoopRows::find_pattern() {
  std::vector<std::set<int>> columns(rows_.size());
  for (const auto& shares : at_link_) {
    for (const Share& a : shares) {
      for (const Share& b : shares) columns[static_cast<std::size_t>(a.row)].insert(b.row);
    }
  }
  matrix_.rows = matrix_.cols = size();
  matrix_.start.push_back(0);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    columns[c].insert(static_cast<int>(c));
    matrix_.row.insert(matrix_.row.end(), columns[c].begin(), columns[c].end());
    matrix_.start.push_back(static_cast<int>(matrix_.row.size()));
  }
  matrix_.value.assign(matrix_.row.size(), 0.0);
  // Full factors take n³/3 at once what sparse ones take one by one.
  constexpr int kSmall = 40;
  constexpr double kSparse = 0.3;
  sparse_ = size() > kSmall && matrix_.nonzeros() < kSparse * size() * size();
  shifted_ = matrix_;
  if (!sparse_) A_.setZero(size(), size());
  for (const auto& shares : at_link_) {
    for (const Share& a : shares) {
      for (const Share& b : shares) {
        const auto c = static_cast<std::size_t>(a.row);
        const auto first = matrix_.row.begin() + matrix_.start[c],
                   last = matrix_.row.begin() + matrix_.start[c + 1];
        slot_.push_back(static_cast<int>(std::lower_bound(first, last, b.row) - matrix_.row.begin()));
      }
    }
  }
}

bool LoopRows::factor(const Articulated& links, const system::Levels& levels) {
  const double* const g = levels.numbers().g.data();
  for (const Row& row : row_) {
    for (const Part& part : row.parts) {
      const Block& block =
          levels.layout().block(links.tree().links[static_cast<std::size_t>(part.link)].block);
      const Wrench w = wrench_of(levels.layout(), block, links.body_rotation(part.link), g + part.at);
      Wrench& to = through_[static_cast<std::size_t>(part.link)];
      to.n += w.n;
      to.f += w.f;
    }
    links.respond(row.path, through_, response_.data() + row.first);
  }
  std::fill(matrix_.value.begin(), matrix_.value.end(), 0.0);
  const int* slot = slot_.data();
  double x[6];
  for (std::size_t i = 0; i < at_link_.size(); ++i) {
    const int n = freedoms_[i];
    for (const Share& a : at_link_[i]) {
      links.divide(static_cast<int>(i), response_.data() + a.at, x);
      for (const Share& b : at_link_[i]) {
        double sum = 0;
        for (int k = 0; k < n; ++k) sum += x[k] * response_[static_cast<std::size_t>(b.at + k)];
        matrix_.value[static_cast<std::size_t>(*slot++)] += sum;
      }
    }
  }
  // A row that moves nothing, or by rounding only, cannot be met by any change: it is left out, and its residual tells.
  constexpr double kNothing = 1e-22;  // of the largest; both are squares
  double largest = 0;
  for (int c = 0; c < size(); ++c) {
    const auto first = matrix_.row.begin() + matrix_.start[static_cast<std::size_t>(c)],
               last = matrix_.row.begin() + matrix_.start[static_cast<std::size_t>(c) + 1];
    scale_[c] =
        matrix_.value[static_cast<std::size_t>(std::lower_bound(first, last, c) - matrix_.row.begin())];
    if (!std::isfinite(scale_[c])) return false;
    largest = std::max(largest, scale_[c]);
  }
  for (double& scale : scale_) scale = scale > kNothing * largest ? 1 / std::sqrt(scale) : 0;
  for (int c = 0; c < size(); ++c) {
    for (int e = matrix_.start[static_cast<std::size_t>(c)];
         e < matrix_.start[static_cast<std::size_t>(c) + 1]; ++e) {
      const auto at = static_cast<std::size_t>(e);
      const int r = matrix_.row[at];
      const double value = matrix_.value[at] * scale_[r] * scale_[c];
      matrix_.value[at] = value;
      const double shifted = r == c ? (scale_[c] > 0 ? value + kProximal : 1.0) : value;
      if (sparse_) shifted_.value[at] = shifted;
      else A_(r, c) = shifted;
    }
  }
  if (sparse_) {
    const bool first = !std::exchange(analysed_, true);
    return factors_.renew(shifted_, first);
  }
  full_.compute(A_);
  return full_.info() == Eigen::Success;
}

void LoopRows::solve(VectorXd& x) const {
  if (sparse_) factors_.solve(x);
  else full_.solveInPlace(x);
}

void LoopRows::take_away(const VectorXd& e, VectorXd& w) {
  constexpr int kMost = 20;
  constexpr double kDone = 1e-13, kFast = 0.5;  // who asks looks at what is left
  left_ = e.cwiseProduct(scale_);
  lambda_.setZero();
  const double begun = left_.size() > 0 ? left_.lpNorm<Eigen::Infinity>() : 0.0;
  double before = begun;
  for (int k = 0; k < kMost && before > 0; ++k) {
    x_ = left_;
    solve(x_);
    lambda_ += x_;
    left_ = e.cwiseProduct(scale_);
    for (int c = 0; c < size(); ++c) {
      for (int at = matrix_.start[static_cast<std::size_t>(c)];
           at < matrix_.start[static_cast<std::size_t>(c) + 1]; ++at)
        left_[matrix_.row[static_cast<std::size_t>(at)]] -=
            matrix_.value[static_cast<std::size_t>(at)] * lambda_[c];
    }
    const double now = left_.lpNorm<Eigen::Infinity>();
    if (!(now > kDone * begun) || now > kFast * before) break;
    before = now;
  }
  for (std::size_t r = 0; r < row_.size(); ++r) {
    const double lambda = lambda_[static_cast<Eigen::Index>(r)] * scale_[static_cast<Eigen::Index>(r)];
    int at = row_[r].first;
    for (const int i : row_[r].path) {
      const auto link = static_cast<std::size_t>(i);
      for (int k = 0; k < freedoms_[link]; ++k)
        w[offset_[link] + k] -= lambda * response_[static_cast<std::size_t>(at++)];
    }
  }
}

}  // namespace trunnion::solve
