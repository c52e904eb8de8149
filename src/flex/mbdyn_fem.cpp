#include "flex/mbdyn_fem.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>

#include <Eigen/Cholesky>
#include <Eigen/SVD>
#include <fmt/format.h>

#include "flex/input_error.hpp"
#include "flex/orthonormal.hpp"
#include "flex/text_lines.hpp"

namespace trunnion::flex {

namespace {

struct FemFile {
  int nodes = 0, modes = 0;
  std::map<int, std::vector<double>> groups;

  bool has(int group) const { return groups.contains(group); }
};

// "** RECORD GROUP 11, …": 11; 0 for other comments.
int group_of(std::string_view line) {
  constexpr std::string_view kWords = "RECORD GROUP";
  const std::size_t at = line.find(kWords);
  if (at == std::string_view::npos) return 0;
  const std::size_t digit = line.find_first_of("0123456789", at + kWords.size());
  if (digit == std::string_view::npos) return 0;
  int group = 0;
  std::from_chars(line.data() + digit, line.data() + line.size(), group);
  return group;
}

void read_sizes(TextLines& file, FemFile& fem) {
  const auto& words = file.words();  // REV0 nodes normal attachment constraint rejected
  if (words.size() < 3) file.fail("expected revision, number of nodes and numbers of modes");
  fem.nodes = file.whole(words[1]);
  long long modes = 0;
  for (std::size_t k = 2; k < std::min<std::size_t>(words.size(), 5); ++k) modes += file.whole(words[k]);
  if (words.size() > 5) modes -= file.whole(words[5]);
  constexpr int kMostNodes = 10'000'000, kMostModes = 20'000;
  if (fem.nodes < 1 || fem.nodes > kMostNodes || modes < 1 || modes > kMostModes)
    file.fail(fmt::format("{} nodes and {} modes", fem.nodes, modes));
  fem.modes = static_cast<int>(modes);
}

FemFile read_groups(TextLines& file) {
  FemFile fem;
  int group = 0;
  while (file.next()) {
    if (file.line().starts_with("**")) {
      if (const int next = group_of(file.line()); next > 0) {
        group = next;
        fem.groups[group];
      }
      continue;
    }
    if (file.words().empty() || group == 0) continue;
    if (group == 1) {
      read_sizes(file, fem);
      continue;
    }
    for (const std::string_view word : file.words()) fem.groups[group].push_back(file.real(word));
  }
  if (fem.nodes == 0)
    throw InputError(file.path().string() + ": no sizes (RECORD GROUP 1): this is no .fem of MBDyn");
  return fem;
}

void check_groups(const FemFile& fem, const std::string& path) {
  const std::size_t n = static_cast<std::size_t>(fem.nodes), m = static_cast<std::size_t>(fem.modes);
  const std::map<int, std::size_t> sizes{{2, n},     {5, n},      {6, n},      {7, n},  {8, 6 * n * m},
                                         {9, m * m}, {10, m * m}, {11, 6 * n}, {12, 13}};
  std::vector<std::string> wrong;
  for (const auto& [group, size] : sizes) {
    if (!fem.has(group) && (group == 11 || group == 12)) continue;
    const std::size_t have = fem.has(group) ? fem.groups.at(group).size() : 0;
    if (have != size)
      wrong.push_back(fmt::format("{}: RECORD GROUP {} has {} numbers; {} nodes and {} modes need {}", path,
                                  group, have, fem.nodes, fem.modes, size));
  }
  if (!fem.has(11) && !fem.has(12))
    wrong.push_back(
        path + ": neither nodal masses (RECORD GROUP 11) nor mass, centre and inertia (RECORD GROUP 12)");
  if (!wrong.empty()) throw InputError(fmt::format("{}", fmt::join(wrong, "\n")));
}

// Nodes by ascending number, and where each stood in the file.
std::vector<std::size_t> sorted_nodes(const FemFile& fem, const std::string& path, FeModel& model) {
  std::vector<std::size_t> order(static_cast<std::size_t>(fem.nodes));
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto& ids = fem.groups.at(2);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return ids[a] < ids[b]; });
  for (const std::size_t k : order) {
    const auto id = static_cast<int>(ids[k]);
    if (id < 1 || id != ids[k] || (!model.nodes.empty() && model.nodes.back().id == id))
      throw InputError(
          fmt::format("{}: node number {:g} in RECORD GROUP 2 is no number, or there twice", path, ids[k]));
    model.nodes.push_back({id, {fem.groups.at(5)[k], fem.groups.at(6)[k], fem.groups.at(7)[k]}});
    for (int d = 0; d < 6; ++d) model.dofs.push_back({static_cast<int>(model.nodes.size()) - 1, d});
  }
  return order;
}

Eigen::MatrixXd square(const std::vector<double>& values, int size) {
  const Eigen::MatrixXd A = Eigen::Map<const Eigen::MatrixXd>(values.data(), size, size);
  return (A + A.transpose()) / 2;
}

// Combinations of modes that are rigid motions, by generalised mass.
Eigen::MatrixXd rigid_among(const FeModel& model, const Eigen::MatrixXd& shapes,
                            const Eigen::MatrixXd& mass) {
  constexpr double kRigid = 0.999;
  const Eigen::MatrixXd R = rigid_motions(model), MR = model.M * R;
  const Eigen::LLT<Eigen::MatrixXd> G(R.transpose() * MR), m(mass);
  if (G.info() != Eigen::Success || m.info() != Eigen::Success) return Eigen::MatrixXd(mass.rows(), 0);
  const Eigen::MatrixXd X = MR.transpose() * shapes;
  const Eigen::MatrixXd Y = m.matrixL().solve(G.matrixL().solve(X).transpose()).transpose();
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(Y, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const auto count = (svd.singularValues().array() > kRigid).count();
  return m.matrixU().solve(svd.matrixV().leftCols(count));
}

Invariants of_group_12(const std::vector<double>& g, const Eigen::MatrixXd& mass) {
  const Eigen::Index m = mass.rows();
  Invariants out;
  out.I1 = g[0];
  const Eigen::Vector3d c(g[1], g[2], g[3]);
  out.I2 = out.I1 * c;
  const Eigen::Matrix3d J = Eigen::Map<const Eigen::Matrix3d>(g.data() + 4);
  out.I7 =
      (J + J.transpose()) / 2 + out.I1 * (c.squaredNorm() * Eigen::Matrix3d::Identity() - c * c.transpose());
  out.I3 = out.I4 = Eigen::MatrixXd::Zero(3, m);
  out.I5 = Eigen::MatrixXd::Zero(3 * m, m);
  out.I8 = Eigen::MatrixXd::Zero(3, 3 * m);
  out.I9 = Eigen::MatrixXd::Zero(3 * m, 3 * m);
  return out;
}

}  // namespace

ModalBody read_mbdyn(const std::filesystem::path& path, std::vector<std::string>& notes) {
  TextLines file(path);
  const FemFile fem = read_groups(file);
  check_groups(fem, path.string());
  FeModel model;
  const std::vector<std::size_t> order = sorted_nodes(fem, path.string(), model);
  Eigen::MatrixXd shapes(6 * fem.nodes, fem.modes);
  Eigen::VectorXd lumps = Eigen::VectorXd::Zero(6 * fem.nodes);
  for (std::size_t k = 0; k < order.size(); ++k) {
    for (std::size_t d = 0; d < 6; ++d) {
      const auto row = static_cast<Eigen::Index>(6 * k + d);
      for (int m = 0; m < fem.modes; ++m)
        shapes(row, m) = fem.groups.at(8)[6 * (static_cast<std::size_t>(m) * order.size() + order[k]) + d];
      if (fem.has(11)) lumps[row] = fem.groups.at(11)[6 * order[k] + d];
    }
  }
  model.M = SparseMatrix(lumps.asDiagonal());
  const Eigen::MatrixXd mass = square(fem.groups.at(9), fem.modes),
                        stiffness = square(fem.groups.at(10), fem.modes);
  const Eigen::MatrixXd rigid =
      fem.has(11) ? rigid_among(model, shapes, mass) : Eigen::MatrixXd(fem.modes, 0);
  const Orthonormal found = without_rigid(stiffness, mass, rigid);
  Reduction reduction;
  reduction.eigenvalues = found.eigenvalues;
  reduction.shapes = shapes * found.vectors;
  reduction.coordinates = Eigen::MatrixXd(0, reduction.shapes.cols());
  fix_signs(reduction.shapes, reduction.coordinates);
  ModalBody body = modal_body(model, {}, {}, reduction, MassKind::lumped);
  if (!fem.has(11)) {
    body.inertia = of_group_12(fem.groups.at(12), reduction.eigenvalues.asDiagonal());
    notes.emplace_back(
        "the file has no nodal masses (RECORD GROUP 11): deformation is not coupled to the body's motion "
        "(INVAR3, 4, 5, 8, "
        "9 are zero)");
  }
  body.inertia.I6 = Eigen::MatrixXd::Identity(found.eigenvalues.size(), found.eigenvalues.size());
  if (rigid.cols() > 0)
    notes.push_back(fmt::format("{} rigid motions were taken out of the modes", rigid.cols()));
  if (fem.has(13)) notes.emplace_back("the damping of RECORD GROUP 13 is left out; FLEX_BODY has CRATIO");
  return body;
}

}  // namespace trunnion::flex
