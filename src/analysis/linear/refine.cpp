#include "analysis/linear/refine.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

namespace trunnion::analysis {

namespace {

using Index = Eigen::Index;

// About a shift s, p between s/kReach and kReach s are known to n ε kReach of their size.
constexpr double kReach = 1e3, kStep = 1e-4;
constexpr double kWanted = 1e-10;  // relative
constexpr double kSlow = 1e-3;     // of the largest: the inverse knows nothing better beyond
constexpr int kSlices = 10;

class Refinement {
 public:
  Refinement(InvertedProblem& problem, const RefineOptions& options, Spectrum& spectrum)
      : problem_(problem), options_(options), s_(spectrum) {}

  void run() {
    const double fastest = s_.values.size() > 0 ? s_.values.cwiseAbs().maxCoeff() : 0.0;
    for (Index k = 0; k < s_.values.size(); ++k) {
      if (std::abs(s_.values[k]) <= kSlow * fastest && s_.doubt[k] > kWanted * std::abs(s_.values[k]))
        open_.push_back(k);
    }
    // The first reaches all that are open.
    double size = largest_open() / kReach;
    for (int slice = 0; slice < kSlices && !open_.empty() && size > 0; ++slice) {
      if (!find_anew(size)) return;
      close();
      size = std::min(size * kStep, largest_open() / kReach);
    }
  }

 private:
  double bound(Index k) const { return std::abs(s_.values[k]) + s_.doubt[k]; }
  double largest_open() const {
    double out = 0;
    for (const Index k : open_) out = std::max(out, bound(k));
    return out;
  }

  // What is known well by now, and what no digit of the stiffness says more about. What a smaller shift does not reach stays as it is.
  void close() {
    constexpr double kPart = 0.01;
    std::vector<Index> still;
    for (const Index k : open_) {
      const double least = options_.unknown(s_.vectors.col(k)), size = std::abs(s_.values[k]);
      if (s_.doubt[k] > std::max(kWanted * size, kPart * least) &&
          size - s_.doubt[k] <= kReach * reached_ * kStep)
        still.push_back(k);
    }
    open_ = std::move(still);
  }

  Eigen::MatrixXd basis(const Eigen::VectorXd& unit) const {
    const auto m = static_cast<Index>(open_.size());
    Eigen::MatrixXd parts(s_.vectors.rows(), options_.symmetric ? m : 2 * m);
    for (Index j = 0; j < m; ++j) {
      const Eigen::VectorXcd column = s_.vectors.col(open_[static_cast<std::size_t>(j)]).cwiseQuotient(unit);
      const double size = column.norm();
      parts.col(j) = column.real() / size;
      if (!options_.symmetric) parts.col(m + j) = column.imag() / size;
    }
    return orthonormal(parts);
  }

  // Half of a pair counts as both: the basis is real. Vectors of equal roots differ by the root of rounding.
  static Eigen::MatrixXd orthonormal(const Eigen::MatrixXd& columns) {
    constexpr double kParallel = 1e-12;
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(columns);
    qr.setThreshold(kParallel);
    return Eigen::MatrixXd(qr.householderQ() * Eigen::MatrixXd::Identity(columns.rows(), qr.rank()));
  }

  // The open ones about a shift of this size. An eigenvalue just there would hide the others: another shift then.
  bool find_anew(double size) {
    constexpr int kTries = 4;
    constexpr double kBeside = 100, kOther = 0.37;
    for (int k = 0; k < kTries; ++k, size *= kOther) {
      const double shift = options_.side * size;
      if (!problem_.factor(shift)) continue;
      const Eigen::VectorXd unit = problem_.unit();
      const auto inverse = [&](const Eigen::MatrixXd& columns) {
        return Eigen::MatrixXd(unit.cwiseInverse().asDiagonal() *
                               problem_.inverse(unit.asDiagonal() * columns));
      };
      Eigen::MatrixXd Q = basis(unit);
      if (Q.cols() != static_cast<Index>(open_.size())) continue;
      Eigen::MatrixXd image = inverse(Q);
      if (!options_.symmetric && image.allFinite()) {
        // An error of the subspace counts in full without symmetry; of fast modes the inverse leaves nothing.
        Q = orthonormal(image);
        if (Q.cols() != image.cols()) continue;
        image = inverse(Q);
      }
      const Eigen::MatrixXd T = Q.transpose() * image;
      if (!T.allFinite()) continue;
      const Spectrum found = options_.symmetric ? symmetric(T) : spectrum(T);
      const double nearest = found.values.cwiseAbs().maxCoeff();
      if (nearest * size > kBeside && k + 1 < kTries) continue;
      if (!(found.values.cwiseAbs().minCoeff() > 0)) return false;
      take(found, unit.asDiagonal() * Q, shift);
      reached_ = size;
      return true;
    }
    return false;
  }

  static Spectrum symmetric(const Eigen::MatrixXd& T) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(0.5 * (T + T.transpose()));
    Spectrum out;
    out.values = solver.eigenvalues().cast<std::complex<double>>();
    out.vectors = solver.eigenvectors().cast<std::complex<double>>();
    out.doubt = Eigen::VectorXd::Zero(T.rows());
    return out;
  }

  void take(const Spectrum& found, const Eigen::MatrixXd& columns, double shift) {
    // The matrix is known to what the solutions are: by the order of the whole problem, not of the subspace.
    const double unknown = static_cast<double>(columns.rows()) * std::numeric_limits<double>::epsilon() *
                           found.values.cwiseAbs().maxCoeff();
    for (std::size_t j = 0; j < open_.size(); ++j) {
      const auto from = static_cast<Index>(j);
      const Index k = open_[j];
      s_.values[k] = shift + 1.0 / found.values[from];
      s_.doubt[k] = std::max(found.doubt[from], unknown) / std::norm(found.values[from]);
      s_.vectors.col(k) = columns * found.vectors.col(from);
    }
  }

  InvertedProblem& problem_;
  const RefineOptions& options_;
  Spectrum& s_;
  std::vector<Index> open_;
  double reached_ = 0;
};

}  // namespace

void refine(InvertedProblem& problem, const RefineOptions& options, Spectrum& spectrum) {
  Refinement(problem, options, spectrum).run();
}

}  // namespace trunnion::analysis
