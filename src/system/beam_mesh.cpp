#include "system/beam_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "core/text.hpp"
#include "model/units.hpp"
#include "system/compile/matrix_data.hpp"

namespace trunnion::system {

using elements::BeamCrossSection;
using math::Mat3;
using math::Mat6;
using math::Vec3;
using math::Vec6;
using model::kind_of;

namespace {

constexpr double kDegrees = 180.0 / M_PI;
// Nodes nearer than this to one another, as part of the whole, are one.
constexpr double kSamePlace = 1e-6;

bool of_three_nodes(const model::FePart& part) {
  using T = model::FePart::Type;
  if (!part.type.given()) return false;
  switch (part.type.value()) {
    case T::beam3d3:
    case T::beam2d_xy3:
    case T::beam2d_yz3:
    case T::beam2d_zx3: return true;
    default: return false;
  }
}

class Mesher {
 public:
  Mesher(const model::Model& model, const model::FePart& part, const Frame& X_GB, const std::string& folder,
         core::Diagnostics& diagnostics)
      : model_(model), part_(part), X_GB_(X_GB), folder_(folder), diagnostics_(diagnostics) {}

  std::optional<BeamMesh> run() {
    if (part_.type == model::FePart::Type::cable)
      error("TYPE", "TYPE = CABLE, a beam without bending stiffness, is not simulated",
            "3DBEAM3 with the small bending stiffness that a cable has");
    labels();
    places();
    sections();
    if (failed_) return std::nullopt;
    distances();
    if (failed_) return std::nullopt;
    in_plane();
    refine();
    if (failed_) return std::nullopt;
    return std::move(mesh_);
  }

 private:
  core::Span span(std::string_view argument) const {
    const model::GivenArgument* given =
        part_.find_given(model::schema_of(kind_of<model::FePart>()).index_of(argument));
    return given ? given->value : part_.span;
  }
  std::string owner() const { return label(model::schema_of(kind_of<model::FePart>()), part_); }
  void error(std::string_view argument, std::string message, std::string hint = {}) {
    failed_ = true;
    diagnostics_.error(span(argument), owner(), std::move(message), std::move(hint));
  }

  void labels() {
    std::set<int> seen;
    for (const int label : part_.node_labels) {
      if (!seen.insert(label).second)
        error("NODE_LABELS", fmt::format("NODE_LABELS: {} is named twice", label));
    }
  }

  // Rows of `width` numbers that each begin with a node's label.
  std::map<int, std::vector<double>> table(std::string_view argument, const std::vector<double>& values,
                                           std::size_t width) {
    std::map<int, std::vector<double>> rows;
    if (values.size() % width != 0) {
      error(argument, fmt::format("{} has {} numbers; it takes {} for each node, the label first", argument,
                                  values.size(), width));
      return rows;
    }
    for (std::size_t k = 0; k < values.size(); k += width) {
      const int label = static_cast<int>(values[k]);
      const bool known =
          std::find(part_.node_labels.begin(), part_.node_labels.end(), label) != part_.node_labels.end() &&
          label == values[k];
      if (!known) {
        error(argument, fmt::format("{}: {} is not in NODE_LABELS", argument, core::number_text(values[k])));
        continue;
      }
      const bool fresh =
          rows.emplace(label, std::vector<double>(values.begin() + static_cast<std::ptrdiff_t>(k) + 1,
                                                  values.begin() + static_cast<std::ptrdiff_t>(k + width)))
              .second;
      if (!fresh) error(argument, fmt::format("{}: node {} is given twice", argument, label));
    }
    return rows;
  }

  void places() {
    const auto rows = table("COORDINATES", part_.coordinates, 7);
    for (const int label : part_.node_labels) {
      BeamNode node;
      node.label = label;
      node.name = std::to_string(label);
      Frame X_GN;
      if (const auto found = rows.find(label); found != rows.end()) {
        const std::vector<double>& c = found->second;
        X_GN = X_GB_ * Frame{Vec3(c[0], c[1], c[2]), math::rotation_from_euler_313({c[3], c[4], c[5]})};
      } else if (const model::FeNode* given = fe_node(label)) {
        X_GN.p = Vec3(given->qg[0], given->qg[1], given->qg[2]);
        if (given->reuler.size() >= 3)
          X_GN.R = math::rotation_from_euler_313({given->reuler[0], given->reuler[1], given->reuler[2]});
      } else {
        error("COORDINATES",
              fmt::format("node {} has no place: neither COORDINATES nor an FE_NODE with QG gives it one",
                          label));
        continue;
      }
      node.pose = {X_GN.p, math::Quat(X_GN.R).normalized()};
      mesh_.nodes.push_back(std::move(node));
    }
  }

  const model::FeNode* fe_node(int label) const {
    for (const model::FeNode& node : model_.all<model::FeNode>()) {
      if (node.fe_part.id == part_.id && node.label == label && node.qg.size() >= 3) return &node;
    }
    return nullptr;
  }

  void sections() {
    const model::Material* material = model_.find(part_.material);
    const bool by_matrix = part_.section_stiffness.given() && part_.section_inertia.given();
    if (part_.section_stiffness.given() != part_.section_inertia.given())
      error(part_.section_stiffness.given() ? "SECTION_STIFFNESS" : "SECTION_INERTIA",
            "SECTION_STIFFNESS and SECTION_INERTIA go together", "give both, or SECTION");
    if (by_matrix && !part_.section.empty())
      error("SECTION", "SECTION and SECTION_STIFFNESS exclude each other", "leave out one of the two");
    if (by_matrix) from_matrices();
    else if (material) from_properties(*material);
    else if (!part_.material.given()) error("TYPE", "the MATERIAL of the beam is missing");
    if (part_.section_damping.given()) {
      for (std::size_t k = 0; k < mesh_.nodes.size(); ++k) {
        const auto C = matrix("SECTION_DAMPING", part_.section_damping, k);
        if (C) mesh_.nodes[k].section.C = model::units_of(model_).ucf * *C;
      }
    }
  }

  void from_properties(const model::Material& m) {
    const std::string material = label(model::schema_of(kind_of<model::Material>()), m);
    if (!m.youngs_modulus) error("MATERIAL", material + " has no YOUNGS_MODULUS");
    if (!m.poissons_ratio) error("MATERIAL", material + " has no POISSONS_RATIO");
    if (!m.density) error("MATERIAL", material + " has no DENSITY");
    if (part_.section.empty()) {
      error("SECTION", "the cross sections are missing",
            "SECTION = label, area, Iyy, Izz, Iyz, J of each node, or SECTION_STIFFNESS and SECTION_INERTIA");
      return;
    }
    const auto rows = table("SECTION", part_.section, 6);
    if (failed_) return;
    const double ucf = model::units_of(model_).ucf;
    const double E = ucf * *m.youngs_modulus, G = E / (2 * (1 + *m.poissons_ratio)), rho = *m.density;
    for (BeamNode& node : mesh_.nodes) {
      const auto found = rows.find(node.label);
      if (found == rows.end()) {
        error("SECTION", fmt::format("SECTION: node {} has no cross section", node.label));
        continue;
      }
      node.section = section(found->second, node.label, E, G, rho);
    }
  }

  // area, Iyy, Izz, Iyz, J. The strain of a fibre at (y, z) is ε + z κ_y − y κ_z.
  BeamCrossSection section(const std::vector<double>& v, int label, double E, double G, double rho) {
    const double A = v[0], Iyy = v[1], Izz = v[2], Iyz = v[3], J = v[4];
    static constexpr const char* kNames[] = {"the area", "Iyy", "Izz", "Iyz", "the torsion constant"};
    for (const std::size_t k : {0u, 1u, 2u, 4u}) {
      if (!(v[k] > 0))
        error("SECTION", fmt::format("SECTION: {} of node {} is {}; it must be positive", kNames[k], label,
                                     core::number_text(v[k])));
    }
    if (Iyz * Iyz >= Iyy * Izz && Iyy > 0 && Izz > 0)
      error("SECTION",
            fmt::format("SECTION: Iyz of node {} belongs to no section: its square must be below Iyy Izz",
                        label));
    BeamCrossSection s;
    s.K.diagonal() << E * A, G * A / part_.asy.value_or(1.2), G * A / part_.asz.value_or(1.2), G * J, E * Iyy,
        E * Izz;
    s.K(4, 5) = s.K(5, 4) = -E * Iyz;
    s.mass = rho * A;
    s.second << 0, 0, 0, 0, rho * Izz, rho * Iyz, 0, rho * Iyz, rho * Iyy;
    return s;
  }

  // Of node k: the one matrix for all, or its own. Symmetric, 6×6.
  std::optional<Mat6> matrix(std::string_view argument, const model::RefListBase& list, std::size_t k) {
    const std::size_t count = list.ids.size();
    if (count != 1 && count != mesh_.nodes.size()) {
      if (k == 0)
        error(argument,
              fmt::format("{} names {} matrices; it takes one for all nodes or one for each of the {}",
                          argument, count, mesh_.nodes.size()));
      return std::nullopt;
    }
    const model::Matrix* m = model_.find<model::Matrix>(list.ids[count == 1 ? 0 : k]);
    if (!m) return std::nullopt;  // reported with the references
    const std::string who = label(model::schema_of(kind_of<model::Matrix>()), *m);
    std::string trouble;
    const auto M = matrix_data(*m, folder_, trouble);
    if (!M) {
      error(argument, fmt::format("{}: {}", who, trouble));
      return std::nullopt;
    }
    if (M->rows() != 6 || M->cols() != 6) {
      error(argument, fmt::format("{}: {} is {}×{}; it must be 6×6", argument, who, M->rows(), M->cols()));
      return std::nullopt;
    }
    constexpr double kRounded = 1e-6;  // of numbers as people write them
    if ((*M - M->transpose()).norm() > kRounded * M->norm()) {
      error(argument, fmt::format("{}: {} is not symmetric", argument, who));
      return std::nullopt;
    }
    return Mat6(0.5 * (*M + M->transpose()));
  }

  void from_matrices() {
    const double ucf = model::units_of(model_).ucf;
    for (std::size_t k = 0; k < mesh_.nodes.size(); ++k) {
      const auto K = matrix("SECTION_STIFFNESS", part_.section_stiffness, k);
      const auto M = matrix("SECTION_INERTIA", part_.section_inertia, k);
      if (!K || !M) continue;
      // Rows and columns scaled to their diagonals: lengths and forces are of any unit.
      const Vec6 d = K->diagonal();
      bool positive = d.minCoeff() > 0;
      if (positive) {
        const Vec6 r = d.cwiseSqrt().cwiseInverse();
        const Mat6 scaled = r.asDiagonal() * *K * r.asDiagonal();
        positive =
            Eigen::SelfAdjointEigenSolver<Mat6>(scaled, Eigen::EigenvaluesOnly).eigenvalues()[0] > 1e-12;
      }
      if (!positive)
        error("SECTION_STIFFNESS",
              fmt::format(
                  "SECTION_STIFFNESS of node {} is not positive definite: some strain would cost no energy",
                  mesh_.nodes[k].label));
      BeamCrossSection& s = mesh_.nodes[k].section;
      s.K = ucf * *K;
      inertia(*M, mesh_.nodes[k].label, s);
    }
  }

  // [m 1, −m ĉ; m ĉ, J] about the node.
  void inertia(const Mat6& M, int label, BeamCrossSection& s) {
    s.mass = M.topLeftCorner<3, 3>().trace() / 3;
    const Mat3 c = M.bottomLeftCorner<3, 3>();
    s.moment = Vec3(c(2, 1) - c(1, 2), c(0, 2) - c(2, 0), c(1, 0) - c(0, 1)) / 2;
    const Mat3 J = M.bottomRightCorner<3, 3>();
    s.second = 0.5 * J.trace() * Mat3::Identity() - J;
    constexpr double kRounded = 1e-4;
    const double size = M.norm();
    const bool form = (M.topLeftCorner<3, 3>() - s.mass * Mat3::Identity()).norm() <= kRounded * size &&
                      (c - math::hat(s.moment)).norm() <= kRounded * size && s.mass >= 0;
    if (!form)
      error("SECTION_INERTIA",
            fmt::format("SECTION_INERTIA of node {} is no inertia: it must be m on the first diagonal, "
                        "the products m c of a mass centre off the node, and moments of inertia",
                        label));
    const Eigen::SelfAdjointEigenSolver<Mat3> solver(s.second);
    if (solver.eigenvalues()[0] < -1e-3 * std::max(J.trace(), 0.0))
      error("SECTION_INERTIA",
            fmt::format("SECTION_INERTIA of node {}: one moment of inertia exceeds the sum of the other two",
                        label));
    // J = J₂ + J₃ to the digits given.
    s.second = solver.eigenvectors() * solver.eigenvalues().cwiseMax(0.0).asDiagonal() *
               solver.eigenvectors().transpose();
  }

  // Between neighbours as the statement gives them: apart, turned by less than an element bends, along x of their axes.
  void distances() {
    constexpr double kMostTurn = 170 / kDegrees;
    constexpr double kOffAxis = 10 / kDegrees;
    places_ = {0.0};
    for (std::size_t k = 0; k + 1 < mesh_.nodes.size(); ++k) {
      const BeamNode &a = mesh_.nodes[k], &b = mesh_.nodes[k + 1];
      const Vec6 epsilon =
          math::se3_log(a.pose.R.conjugate() * (b.pose.x - a.pose.x), a.pose.R.conjugate() * b.pose.R);
      const double length = epsilon.head<3>().norm();
      if (!(length > 0)) {
        error("COORDINATES", fmt::format("nodes {} and {} are in the same place", a.label, b.label));
      } else if (epsilon.tail<3>().norm() > kMostTurn) {
        error("COORDINATES",
              fmt::format("node {} is turned against node {} by {:.0f} degrees, too far for one element",
                          b.label, a.label, epsilon.tail<3>().norm() * kDegrees),
              "nodes in between");
      } else if (const double off = std::acos(std::clamp(epsilon[0] / length, -1.0, 1.0)); off > kOffAxis) {
        diagnostics_.warning(span("COORDINATES"), owner(),
                             fmt::format("the axis from node {} to node {} is {:.0f} degrees off x of their "
                                         "axes, along which sections "
                                         "stretch and about which they twist",
                                         a.label, b.label, off * kDegrees),
                             "turn the axes of the nodes so that x is tangent to the beam");
      }
      places_.push_back(places_.back() + length);
    }
    mesh_.length = places_.back();
    if (!(mesh_.length > 0)) return;
    for (std::size_t k = 0; k < mesh_.nodes.size(); ++k) mesh_.nodes[k].s = places_[k] / mesh_.length;
  }

  // A 2DBEAM must lie in its plane to be able to stay in it.
  void in_plane() {
    const auto plane = plane_of(part_);
    if (!plane) return;
    const Vec3& normal = *plane;
    constexpr double kFlat = 1e-4;  // of the length; radians: files round their numbers
    const BeamNode& first = mesh_.nodes.front();
    const Vec3 own = first.pose.R.conjugate() * normal;
    for (const BeamNode& node : mesh_.nodes) {
      const bool off = std::abs(normal.dot(node.pose.x - first.pose.x)) > kFlat * mesh_.length;
      const bool turned = (node.pose.R.conjugate() * normal - own).norm() > kFlat;
      if (off || turned)
        error("TYPE",
              fmt::format("node {} {} the plane of node {}, to which {} is parallel", node.label,
                          off ? "is out of" : "is turned out of", first.label, word_of(normal)),
              "3DBEAM");
    }
  }
  static const char* word_of(const Vec3& normal) {
    return normal.z() > 0 ? "2DBEAMXY" : normal.x() > 0 ? "2DBEAMYZ" : "2DBEAMZX";
  }

  // A node to be between those of the statement.
  struct Wanted {
    double s;
    int label = 0;
  };

  // SUBDIVIDE of them from node to node, and those that FE_NODEs put at an S.
  std::vector<Wanted> wanted() {
    std::vector<Wanted> all;
    const int parts = part_.subdivide.value_or(1);
    for (std::size_t k = 0; k + 1 < mesh_.nodes.size(); ++k) {
      for (int i = 1; i < parts; ++i)
        all.push_back({mesh_.nodes[k].s + (mesh_.nodes[k + 1].s - mesh_.nodes[k].s) * i / parts});
    }
    std::set<int> labels(part_.node_labels.begin(), part_.node_labels.end());
    for (const model::FeNode& node : model_.all<model::FeNode>()) {
      const bool ours = node.fe_part.id == part_.id && node.s && node.label;
      if (!ours || std::find(part_.node_labels.begin(), part_.node_labels.end(), *node.label) !=
                       part_.node_labels.end())
        continue;
      if (labels.insert(*node.label).second) {
        all.push_back({*node.s, *node.label});
        continue;
      }
      failed_ = true;
      diagnostics_.error(node.span, label(model::schema_of(kind_of<model::FeNode>()), node),
                         fmt::format("{} has a node {} already", owner(), *node.label));
    }
    // Labelled ones first where two are in one place.
    std::sort(all.begin(), all.end(), [](const Wanted& a, const Wanted& b) {
      return std::abs(a.s - b.s) > kSamePlace ? a.s < b.s : a.label > b.label;
    });
    return all;
  }

  // The unstressed axis between two nodes of the statement is an arc of constant twist.
  void refine() {
    const std::vector<Wanted> between = wanted();
    const std::vector<BeamNode> given = std::exchange(mesh_.nodes, {});
    auto next = between.begin();
    for (std::size_t k = 0; k < given.size(); ++k) {
      mesh_.nodes.push_back(given[k]);
      if (k + 1 == given.size()) break;
      for (; next != between.end() && next->s < given[k + 1].s - kSamePlace; ++next) {
        if (next->s < mesh_.nodes.back().s + kSamePlace) {
          taken(*next, mesh_.nodes.back());
          continue;
        }
        mesh_.nodes.push_back(inside(given[k], given[k + 1], next->s));
        BeamNode& node = mesh_.nodes.back();
        node.label = next->label;
        node.added = next->label != 0;
        if (node.added) node.name = std::to_string(node.label);
      }
    }
    for (; next != between.end(); ++next) taken(*next, mesh_.nodes.back());
    if (of_three_nodes(part_)) add_middles();
    name_between();
    for (std::size_t k = 0; k + 1 < mesh_.nodes.size(); ++k)
      mesh_.mass += 0.5 * (mesh_.nodes[k].section.mass + mesh_.nodes[k + 1].section.mass) * mesh_.length *
                    (mesh_.nodes[k + 1].s - mesh_.nodes[k].s);
  }

  void add_middles() {
    mesh_.order = 2;
    const std::vector<BeamNode> ends = std::exchange(mesh_.nodes, {});
    for (std::size_t k = 0; k < ends.size(); ++k) {
      if (k > 0) mesh_.nodes.push_back(inside(ends[k - 1], ends[k], 0.5 * (ends[k - 1].s + ends[k].s)));
      mesh_.nodes.push_back(ends[k]);
    }
  }

  // 3_1, 3_2 …: the first, the second after node 3 that has no label.
  void name_between() {
    std::string last;
    int count = 0;
    for (BeamNode& node : mesh_.nodes) {
      if (node.label != 0 && !node.added) {
        last = node.name;
        count = 0;
      } else if (node.label == 0) {
        node.name = fmt::format("{}_{}", last, ++count);
      }
    }
  }

  void taken(const Wanted& wanted, const BeamNode& by) {
    if (wanted.label == 0) return;
    error("NODE_LABELS",
          fmt::format("FE_NODE {} is put at S = {}, where node {} is", wanted.label,
                      core::number_text(wanted.s), by.name),
          fmt::format("NODE_LABEL = {} on its markers", by.name));
  }

  static BeamNode inside(const BeamNode& a, const BeamNode& b, double s) {
    BeamNode node;
    node.s = s;
    const double xi = (s - a.s) / (b.s - a.s);
    const Vec6 epsilon =
        math::se3_log(a.pose.R.conjugate() * (b.pose.x - a.pose.x), a.pose.R.conjugate() * b.pose.R);
    const math::RigidMotion part = math::se3_exp(xi * epsilon);
    node.pose = {a.pose.x + a.pose.R * part.p, (a.pose.R * part.R).normalized()};
    node.section = elements::between(a.section, b.section, xi);
    return node;
  }

  const model::Model& model_;
  const model::FePart& part_;
  Frame X_GB_;
  const std::string& folder_;
  core::Diagnostics& diagnostics_;
  BeamMesh mesh_;
  std::vector<double> places_;  // of the statement's nodes along the axis
  bool failed_ = false;
};

}  // namespace

std::optional<Vec3> plane_of(const model::FePart& part) {
  using T = model::FePart::Type;
  switch (part.type.given() ? part.type.value() : T::beam3d) {
    case T::beam2d_xy:
    case T::beam2d_xy3: return Vec3(Vec3::UnitZ());
    case T::beam2d_yz:
    case T::beam2d_yz3: return Vec3(Vec3::UnitX());
    case T::beam2d_zx:
    case T::beam2d_zx3: return Vec3(Vec3::UnitY());
    default: return std::nullopt;
  }
}

const BeamNode* BeamMesh::find(int label) const {
  for (const BeamNode& node : nodes) {
    if (label != 0 && node.label == label) return &node;
  }
  return nullptr;
}

std::optional<BeamMesh> make_beam_mesh(const model::Model& model, const model::FePart& part,
                                       const Frame& X_GB, const std::string& folder,
                                       core::Diagnostics& diagnostics) {
  return Mesher(model, part, X_GB, folder, diagnostics).run();
}

double cantilever_frequency(const BeamMesh& mesh) {
  constexpr double kFirstRoot = 1.8751040687119611;  // of 1 + cos x cosh x
  Eigen::Matrix2d bending = Eigen::Matrix2d::Zero();
  for (std::size_t k = 0; k + 1 < mesh.nodes.size(); ++k) {
    const double share = 0.5 * (mesh.nodes[k + 1].s - mesh.nodes[k].s);
    bending += share * (mesh.nodes[k].section.K.bottomRightCorner<2, 2>() +
                        mesh.nodes[k + 1].section.K.bottomRightCorner<2, 2>());
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> solver(bending, Eigen::EigenvaluesOnly);
  const double EI = solver.eigenvalues()[0], L = mesh.length, m = mesh.mass / L;
  return m > 0 ? kFirstRoot * kFirstRoot / (2 * M_PI) * std::sqrt(EI / (m * L * L * L * L)) : 0.0;
}

}  // namespace trunnion::system
