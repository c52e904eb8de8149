#include "system/compile/flex_matrices.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/text.hpp"

namespace trunnion::system {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using math::Vec3;

constexpr const char* kNames[] = {"INVAR1",  "INVAR2",   "INVAR3",  "INVAR4", "INVAR5",   "INVAR6", "INVAR7",
                                  "INVAR8",  "INVAR9",   "SELMOD",  "SELNOD", "GENSTIFF", "T_MODE", "R_MODE",
                                  "GENDAMP", "GEOSTIFF", "MODLOAD", "S_NODE", "S_MODE",   "E_MODE"};
// Files are written with six digits behind the point: what is symmetric is so to that.
constexpr double kDigits = 1e-4;

class MatrixReading {
 public:
  MatrixReading(const std::vector<GivenMatrix>& given, std::vector<std::string>& troubles,
                std::vector<std::string>& notes)
      : troubles_(troubles), notes_(notes) {
    std::vector<std::string> unknown;
    for (const GivenMatrix& m : given) {
      const std::string name = core::to_upper(m.name);
      const auto known = std::find(std::begin(kNames), std::end(kNames), name);
      if (known == std::end(kNames)) {
        unknown.push_back(fmt::format("{} ({})", m.name, m.where));
      } else if (const auto [at, fresh] = all_.emplace(name, &m); !fresh) {
        troubles_.push_back(fmt::format("{} is given twice, {} and {}", name, at->second->where, m.where));
      }
    }
    if (!unknown.empty())
      notes_.push_back(fmt::format("not used, as no such matrix is known: {}", fmt::join(unknown, ", ")));
  }

  std::optional<FlexMatrices> body() {
    const std::size_t before = troubles_.size();
    sizes();
    if (troubles_.size() > before) return std::nullopt;
    inertia();
    structure();
    nodes();
    stresses();
    if (troubles_.size() > before) return std::nullopt;
    checks();
    if (troubles_.size() > before) return std::nullopt;
    return std::move(out_);
  }

 private:
  const GivenMatrix* find(const char* name) const {
    const auto found = all_.find(name);
    return found == all_.end() ? nullptr : found->second;
  }
  void wrong(const GivenMatrix& m, const std::string& expected) {
    troubles_.push_back(fmt::format("{}: {} is {} by {}, but {} is expected", m.where, core::to_upper(m.name),
                                    m.values.rows(), m.values.cols(), expected));
  }
  const GivenMatrix* needed(const char* name, const char* what) {
    const GivenMatrix* m = find(name);
    if (m == nullptr) troubles_.push_back(fmt::format("its matrices have no {}, {}", name, what));
    return m;
  }

  // M is what GENSTIFF or INVAR6 say; without both the body is rigid.
  void sizes() {
    const GivenMatrix* K = find("GENSTIFF");
    const GivenMatrix* I6 = find("INVAR6");
    needed("INVAR1", "the mass");
    needed("INVAR2", "the first moment of mass");
    needed("INVAR7", "the inertia about the body's frame");
    if (K == nullptr && I6 == nullptr) {
      if (find("T_MODE") != nullptr || find("INVAR3") != nullptr || find("SELMOD") != nullptr) {
        needed("GENSTIFF", "the generalised stiffness");
        needed("INVAR6", "the generalised mass");
      }
      return;
    }
    needed("GENSTIFF", "the generalised stiffness");
    needed("INVAR6", "the generalised mass");
    if (K == nullptr || I6 == nullptr) return;
    M_ = std::max(K->values.rows(), K->values.cols());
  }

  // 3 × M; zero where it is not given.
  Eigen::Matrix3Xd columns(const char* name) {
    Eigen::Matrix3Xd result = Eigen::Matrix3Xd::Zero(3, M_);
    const GivenMatrix* m = find(name);
    if (m == nullptr) return result;
    if (m->values.rows() == 3 && m->values.cols() == M_) result = m->values;
    else if (m->values.rows() == M_ && m->values.cols() == 3) result = m->values.transpose();
    else wrong(*m, fmt::format("3 by {}", M_));
    return result;
  }
  // M × M, or its diagonal.
  MatrixXd square(const char* name) {
    const GivenMatrix* m = find(name);
    if (m == nullptr) return {};
    const MatrixXd& A = m->values;
    if (A.rows() == M_ && A.cols() == M_) {
      const double off = (A - A.transpose()).norm();
      if (off > kDigits * A.norm())
        troubles_.push_back(
            fmt::format("{}: {} is not symmetric: it differs from its transpose by {:.3g} of {:.3g}",
                        m->where, name, off, A.norm()));
      return 0.5 * (A + A.transpose());
    }
    if (A.size() == M_ && (A.rows() == 1 || A.cols() == 1))
      return MatrixXd(Eigen::Map<const Eigen::VectorXd>(A.data(), M_).asDiagonal());
    wrong(*m, fmt::format("{} by {}, or its diagonal,", M_, M_));
    return {};
  }

  void inertia() {
    elements::ModalInvariants& I = out_.invariants;
    const GivenMatrix& I1 = *find("INVAR1");
    const GivenMatrix& I2 = *find("INVAR2");
    const GivenMatrix& I7 = *find("INVAR7");
    if (I1.values.size() != 1) wrong(I1, "1 by 1");
    else I.I1 = I1.values(0, 0);
    if (I2.values.size() != 3) wrong(I2, "3 by 1");
    else I.I2 = Eigen::Map<const Vec3>(I2.values.data());
    if (I7.values.rows() != 3 || I7.values.cols() != 3) wrong(I7, "3 by 3");
    else I.I7 = I7.values;
    I.I3 = columns("INVAR3");
    I.I4 = columns("INVAR4");
    if (M_ == 0) return;
    I.I6 = square("INVAR6");
    I.K = square("GENSTIFF");
    out_.damping = square("GENDAMP");
    fifth();
    eighth();
    ninth();
    if (const GivenMatrix* G = find("GEOSTIFF"); G != nullptr) {
      if (G->values.rows() != 12 * M_ || G->values.cols() != M_)
        wrong(*G, fmt::format("{} by {}", 12 * M_, M_));
      else I.geometric = G->values;
    }
  }
  void fifth() {
    const GivenMatrix* m = find("INVAR5");
    if (m == nullptr) return;
    const MatrixXd& A = m->values;
    MatrixXd& I5 = out_.invariants.I5;
    if (A.rows() == 3 * M_ && A.cols() == M_) {
      I5 = A;
    } else if (A.rows() == 3 && A.cols() == M_ * M_) {
      I5.resize(3 * M_, M_);
      for (Index j = 0; j < M_; ++j) I5.middleRows(3 * j, 3) = A.middleCols(j * M_, M_);
    } else {
      wrong(*m, fmt::format("{} by {} or 3 by {}", 3 * M_, M_, M_ * M_));
    }
  }
  void eighth() {
    const GivenMatrix* m = find("INVAR8");
    if (m == nullptr) return;
    const MatrixXd& A = m->values;
    MatrixXd& I8 = out_.invariants.I8;
    if (A.rows() == 3 && A.cols() == 3 * M_) {
      I8 = A;
    } else if (A.rows() == 3 * M_ && A.cols() == 3) {
      I8.resize(3, 3 * M_);
      for (Index j = 0; j < M_; ++j) I8.middleCols(3 * j, 3) = A.middleRows(3 * j, 3);
    } else {
      wrong(*m, fmt::format("3 by {} or {} by 3", 3 * M_, 3 * M_));
    }
  }
  void ninth() {
    const GivenMatrix* m = find("INVAR9");
    if (m == nullptr) return;
    const MatrixXd& A = m->values;
    MatrixXd& I9 = out_.invariants.I9;
    const Index blocks = M_ * M_;
    if (A.rows() == 3 * M_ && A.cols() == 3 * M_) {
      I9 = A;
      return;
    }
    const bool down = A.rows() == 3 * blocks && A.cols() == 3,
               across = A.rows() == 3 && A.cols() == 3 * blocks;
    if (!down && !across) {
      wrong(*m, fmt::format("{} by {}", 3 * M_, 3 * M_));
      return;
    }
    I9.resize(3 * M_, 3 * M_);
    for (Index k = 0; k < blocks; ++k) {
      if (down) I9.block(3 * (k / M_), 3 * (k % M_), 3, 3) = A.middleRows(3 * k, 3);
      else I9.block(3 * (k / M_), 3 * (k % M_), 3, 3) = A.middleCols(3 * k, 3);
    }
  }

  // Mode numbers with their frequencies, and load cases.
  void structure() {
    for (Index j = 1; j <= M_; ++j) out_.modes.push_back(static_cast<int>(j));
    if (const GivenMatrix* m = find("SELMOD"); m != nullptr) {
      MatrixXd A = m->values;
      if (A.rows() != M_ && A.cols() == M_) A.transposeInPlace();
      if (A.rows() != M_ || A.cols() > 2) {
        wrong(*m, fmt::format("{} by 1, or by 2 with frequencies,", M_));
      } else {
        out_.modes = whole(*m, A.col(0));
        if (A.cols() == 2) out_.frequencies.assign(A.col(1).data(), A.col(1).data() + M_);
      }
    }
    if (const GivenMatrix* m = find("MODLOAD"); m != nullptr) {
      const Index rows = m->values.rows(), cols = m->values.cols();
      if (rows == 6 + M_) {
        out_.loads = m->values;
      } else if (rows == M_) {
        out_.loads.setZero(6 + M_, cols);
        out_.loads.bottomRows(M_) = m->values;
      } else {
        wrong(*m, fmt::format("{} or {} rows, one column a load case,", 6 + M_, M_));
      }
    }
  }
  // Numbers of modes or nodes: whole, positive, each once.
  std::vector<int> whole(const GivenMatrix& m, const Eigen::VectorXd& values) {
    std::vector<int> all;
    std::set<int> seen;
    for (const double x : values) {
      if (!(x >= 1 && x <= 2e9 && x == std::floor(x))) {
        troubles_.push_back(fmt::format("{}: {} has {:g}, which is no number of a mode or node", m.where,
                                        core::to_upper(m.name), x));
        return {};
      }
      all.push_back(static_cast<int>(x));
      if (!seen.insert(all.back()).second)
        troubles_.push_back(fmt::format("{}: {} has {} twice", m.where, core::to_upper(m.name), all.back()));
    }
    return all;
  }

  // id, or id, x, y, z of each of `count` nodes; any number of them where count is 0.
  std::vector<FlexNode> listed(const GivenMatrix& m, Index count) {
    MatrixXd A = m.values;
    const bool lies = count > 0 ? A.rows() != count && A.cols() == count : A.rows() == 1 && A.cols() > 4;
    if (lies) A.transposeInPlace();
    if (count > 0 && A.rows() != count) {
      wrong(m, fmt::format("a row for each of {} nodes: number, x, y, z;", count));
      return {};
    }
    std::vector<FlexNode> nodes;
    for (const int id : whole(m, A.col(0))) nodes.push_back({id, std::nullopt});
    if (A.cols() < 4) return nodes;
    for (std::size_t k = 0; k < nodes.size(); ++k)
      nodes[k].place = Vec3(A.row(static_cast<Index>(k)).segment<3>(1));
    return nodes;
  }
  // Rows of `count` nodes one below the other; or of a node each beside the other.
  MatrixXd shapes(const char* name, Index rows, Index count) {
    const GivenMatrix* m = find(name);
    if (m == nullptr || count == 0) return {};
    if (m->values.rows() == rows && m->values.cols() == M_) return m->values;
    if (m->values.cols() == rows && m->values.rows() == M_) return m->values.transpose();
    const Index each = rows / count;
    if (m->values.rows() == each && m->values.cols() == count * M_) {
      notes_.push_back(
          fmt::format("{}: {} is {} by {}: taken as the shapes of one node beside those of the next",
                      m->where, name, each, count * M_));
      MatrixXd all(rows, M_);
      for (Index k = 0; k < count; ++k) all.middleRows(each * k, each) = m->values.middleCols(M_ * k, M_);
      return all;
    }
    wrong(*m, fmt::format("{} by {}", rows, M_));
    return {};
  }

  void nodes() {
    const GivenMatrix* ids = find("SELNOD");
    const GivenMatrix* T = find("T_MODE");
    if (ids == nullptr && T != nullptr)
      troubles_.push_back("its matrices have no SELNOD, the nodes of T_MODE");
    if (ids == nullptr || (M_ > 0 && T == nullptr)) return;
    const Index count = T == nullptr || M_ == 0 ? 0 : T->values.size() / (3 * M_);
    out_.nodes = listed(*ids, count);
    const auto rows = static_cast<Index>(3 * out_.nodes.size());
    if (rows == 0 || M_ == 0) return;
    out_.T = shapes("T_MODE", rows, rows / 3);
    out_.R = shapes("R_MODE", rows, rows / 3);
  }
  void stresses() {
    const GivenMatrix* ids = find("S_NODE");
    const GivenMatrix* S = find("S_MODE");
    if ((ids == nullptr) != (S == nullptr)) {
      troubles_.push_back("of S_NODE and S_MODE only one is given; stresses need both");
      return;
    }
    if (ids == nullptr || M_ == 0) return;
    out_.stress_nodes = listed(*ids, S->values.size() / (6 * M_));
    const auto count = static_cast<Index>(out_.stress_nodes.size());
    out_.stress = shapes("S_MODE", 6 * count, count);
    out_.strain = shapes("E_MODE", 6 * count, count);
  }

  void checks() {
    const elements::ModalInvariants& I = out_.invariants;
    if (!(I.I1 > 0))
      troubles_.push_back(fmt::format("{}: INVAR1, the mass, is {:g}", find("INVAR1")->where, I.I1));
    const double rounding = M_ > 0 ? 1e-9 * I.K.diagonal().cwiseAbs().maxCoeff() : 0;
    for (Index j = 0; j < M_; ++j) {
      const int number = out_.modes[static_cast<std::size_t>(j)];
      if (!(I.I6(j, j) > 0))
        troubles_.push_back(
            fmt::format("{}: mode {} has no generalised mass", find("INVAR6")->where, number));
      if (!(I.K(j, j) >= -rounding))
        troubles_.push_back(fmt::format("{}: mode {} has a negative stiffness, {:g}", find("GENSTIFF")->where,
                                        number, I.K(j, j)));
    }
    if (M_ > 0 && out_.R.size() == 0 && !out_.nodes.empty())
      notes_.push_back("its matrices have no R_MODE: markers on its nodes do not turn as it deforms");
    conventions();
  }

  // I5_jk = −I5_kj, and I9_jk − I9_kj = (I5_jk)^.
  void conventions() {
    const elements::ModalInvariants& I = out_.invariants;
    if (I.I5.size() == 0) return;
    double off = 0, off9 = 0;
    for (Index j = 0; j < M_; ++j) {
      for (Index k = 0; k < M_; ++k) {
        const Vec3 jk = I.I5.block<3, 1>(3 * j, k), kj = I.I5.block<3, 1>(3 * k, j);
        off = std::max(off, (jk + kj).cwiseAbs().maxCoeff());
        if (I.I9.size() == 0) continue;
        const math::Mat3 skew = I.I9.block<3, 3>(3 * j, 3 * k) - I.I9.block<3, 3>(3 * k, 3 * j);
        off9 = std::max(off9, (skew - math::hat(jk)).cwiseAbs().maxCoeff());
      }
    }
    const double size = I.I5.cwiseAbs().maxCoeff();
    if (off > kDigits * size)
      troubles_.push_back(
          fmt::format("{}: INVAR5 is not antisymmetric (column k of block j is minus column j of block k): "
                      "off by {:.3g} of {:.3g}",
                      find("INVAR5")->where, off, size));
    if (I.I9.size() != 0 && off9 > kDigits * (size + I.I9.cwiseAbs().maxCoeff()))
      troubles_.push_back(
          fmt::format("{}: INVAR9 does not belong to INVAR5: I9_jk − I9_kj is not the cross-product matrix "
                      "of column k of I5_j",
                      find("INVAR9")->where));
  }

  std::map<std::string, const GivenMatrix*> all_;
  std::vector<std::string>& troubles_;
  std::vector<std::string>& notes_;
  Index M_ = 0;
  FlexMatrices out_;
};

}  // namespace

std::optional<FlexMatrices> flex_matrices(const std::vector<GivenMatrix>& given,
                                          std::vector<std::string>& troubles,
                                          std::vector<std::string>& notes) {
  return MatrixReading(given, troubles, notes).body();
}

void select_modes(FlexMatrices& body, const std::vector<int>& numbers, std::vector<std::string>& troubles) {
  std::vector<Index> kept;
  for (std::size_t j = 0; j < body.modes.size(); ++j) {
    if (std::find(numbers.begin(), numbers.end(), body.modes[j]) != numbers.end())
      kept.push_back(static_cast<Index>(j));
  }
  std::vector<int> missing;
  for (const int number : numbers) {
    if (std::find(body.modes.begin(), body.modes.end(), number) == body.modes.end())
      missing.push_back(number);
  }
  if (!missing.empty())
    troubles.push_back(fmt::format("MODES names {}, which its matrices do not have; they have {}",
                                   fmt::join(missing, ", "), fmt::join(body.modes, ", ")));
  const auto M = static_cast<Index>(body.modes.size());
  std::vector<Index> triples;
  for (const Index j : kept) {
    for (Index a = 0; a < 3; ++a) triples.push_back(3 * j + a);
  }
  elements::ModalInvariants& I = body.invariants;
  const auto columns = [&](MatrixXd& A) {
    if (A.size() != 0) A = MatrixXd(A(Eigen::all, kept));
  };
  const auto both = [&](MatrixXd& A) {
    if (A.size() != 0) A = MatrixXd(A(kept, kept));
  };
  I.I3 = Eigen::Matrix3Xd(I.I3(Eigen::all, kept));
  I.I4 = Eigen::Matrix3Xd(I.I4(Eigen::all, kept));
  if (I.I5.size() != 0) I.I5 = MatrixXd(I.I5(triples, kept));
  if (I.I8.size() != 0) I.I8 = MatrixXd(I.I8(Eigen::all, triples));
  if (I.I9.size() != 0) I.I9 = MatrixXd(I.I9(triples, triples));
  both(I.I6);
  both(I.K);
  both(body.damping);
  if (I.geometric.size() != 0) {
    MatrixXd all(12 * static_cast<Index>(kept.size()), static_cast<Index>(kept.size()));
    for (Index b = 0; b < 12; ++b)
      all.middleRows(b * all.cols(), all.cols()) = I.geometric.middleRows(b * M, M)(kept, kept);
    I.geometric = all;
  }
  if (body.loads.size() != 0) {
    std::vector<Index> rows{0, 1, 2, 3, 4, 5};
    for (const Index j : kept) rows.push_back(6 + j);
    body.loads = MatrixXd(body.loads(rows, Eigen::all));
  }
  columns(body.T);
  columns(body.R);
  columns(body.stress);
  columns(body.strain);
  std::vector<int> modes;
  std::vector<double> frequencies;
  for (const Index j : kept) {
    modes.push_back(body.modes[static_cast<std::size_t>(j)]);
    if (!body.frequencies.empty()) frequencies.push_back(body.frequencies[static_cast<std::size_t>(j)]);
  }
  body.modes = std::move(modes);
  body.frequencies = std::move(frequencies);
}

std::optional<int> rigid_mode(const FlexMatrices& body) {
  const elements::ModalInvariants& I = body.invariants;
  const Index M = I.I3.cols();
  if (M == 0) return std::nullopt;
  MatrixXd A = MatrixXd::Zero(6 + M, 6 + M);
  A.topLeftCorner<3, 3>().diagonal().setConstant(I.I1);
  A.block<3, 3>(3, 0) = math::hat(I.I2);
  A.block<3, 3>(0, 3) = -math::hat(I.I2);
  A.block<3, 3>(3, 3) = I.I7;
  A.block(0, 6, 3, M) = I.I3;
  A.block(3, 6, 3, M) = I.I4;
  A.bottomLeftCorner(M, 6) = A.topRightCorner(6, M).transpose();
  A.bottomRightCorner(M, M) = I.I6;
  // Elimination in order: what is left of a mode's own mass once the motions before it are taken out.
  constexpr double kNothing = 1e-5;
  const Eigen::VectorXd own = A.diagonal();
  for (Index k = 0; k < 6 + M; ++k) {
    const double left = A(k, k);
    if (!(left > kNothing * own[k])) {
      if (k >= 6) return body.modes[static_cast<std::size_t>(k - 6)];
      continue;  // a body whose points lie on a line
    }
    const Eigen::VectorXd column = A.col(k).tail(5 + M - k) / left;
    A.bottomRightCorner(5 + M - k, 5 + M - k) -= column * A.row(k).tail(5 + M - k);
  }
  return std::nullopt;
}

}  // namespace trunnion::system
