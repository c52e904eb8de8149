#include "flex/matrix_text.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace trunnion::flex {

namespace {

class MatrixText {
 public:
  void add(const std::string& name, const Eigen::MatrixXd& A) {
    names_.push_back(name);
    const auto out = std::back_inserter(body_);
    fmt::format_to(out, "{} FULL RORDER {} {} {} (5E24.16)\n", name, A.rows(), A.cols(), A.size());
    int column = 0;
    for (Eigen::Index r = 0; r < A.rows(); ++r) {
      for (Eigen::Index c = 0; c < A.cols(); ++c) {
        fmt::format_to(out, "{:24.16E}", A(r, c) == 0 ? 0.0 : A(r, c));  // no −0
        if (++column % 5 == 0) body_ += '\n';
      }
    }
    if (column % 5 != 0) body_ += '\n';
  }

  std::string text(const std::string& title) const {
    std::string out = fmt::format("ADAMSMAT2 {}\n{}\n", title, names_.size());
    for (std::size_t k = 0; k < names_.size(); ++k)
      out += names_[k] + (k + 1 == names_.size() || k % 8 == 7 ? "\n" : " ");
    return out + body_;
  }

 private:
  std::vector<std::string> names_;
  std::string body_;
};

// Indices of the nodes that markers may stand on: interfaces first, in the user's order.
std::vector<int> marker_nodes(const ModalBody& body, const StatementOptions& options) {
  std::vector<int> out;
  std::vector<char> seen(body.nodes.size(), 0);
  const auto take = [&](int id) {
    const auto at = std::lower_bound(body.nodes.begin(), body.nodes.end(), id,
                                     [](const Node& node, int wanted) { return node.id < wanted; });
    const auto index = static_cast<std::size_t>(at - body.nodes.begin());
    if (at == body.nodes.end() || at->id != id || seen[index]) return;
    seen[index] = 1;
    out.push_back(static_cast<int>(index));
  };
  for (const int id : body.interfaces) take(id);
  for (const int id : options.nodes) take(id);
  return out;
}

Eigen::MatrixXd listed(const ModalBody& body, const std::vector<int>& nodes) {
  Eigen::MatrixXd out(static_cast<Eigen::Index>(nodes.size()), 4);
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const Node& node = body.nodes[static_cast<std::size_t>(nodes[k])];
    out.row(static_cast<Eigen::Index>(k)) << static_cast<double>(node.id), node.position.transpose();
  }
  return out;
}

// Number and frequency in Hz of each mode: a reader can hold the latter against mass and stiffness, and find wrong units.
Eigen::MatrixXd numbered(const ModalBody& body) {
  Eigen::MatrixXd out(body.modes(), 2);
  for (Eigen::Index k = 0; k < out.rows(); ++k)
    out.row(k) << static_cast<double>(k + 1),
        std::sqrt(std::max(0.0, body.eigenvalues[k])) / (2 * std::numbers::pi);
  return out;
}

Eigen::MatrixXd shapes_at(const Eigen::MatrixXd& shapes, const std::vector<int>& nodes) {
  Eigen::MatrixXd out(static_cast<Eigen::Index>(3 * nodes.size()), shapes.cols());
  for (std::size_t k = 0; k < nodes.size(); ++k)
    out.middleRows(static_cast<Eigen::Index>(3 * k), 3) = shapes.middleRows(3 * nodes[k], 3);
  return out;
}

}  // namespace

std::string matrices_text(const ModalBody& body, const StatementOptions& options) {
  MatrixText text;
  const Invariants& I = body.inertia;
  text.add("INVAR1", Eigen::MatrixXd::Constant(1, 1, I.I1));
  text.add("INVAR2", I.I2);
  text.add("INVAR7", I.I7);
  if (body.modes() > 0) {
    text.add("INVAR3", I.I3);
    text.add("INVAR4", I.I4);
    text.add("INVAR5", I.I5);
    text.add("INVAR6", I.I6);
    text.add("INVAR8", I.I8);
    text.add("INVAR9", I.I9);
    text.add("GENSTIFF", body.stiffness);
    text.add("SELMOD", numbered(body));
    if (body.loads.size() != 0) text.add("MODLOAD", body.loads);
    if (const std::vector<int> nodes = marker_nodes(body, options); !nodes.empty()) {
      text.add("SELNOD", listed(body, nodes));
      text.add("T_MODE", shapes_at(body.translation, nodes));
      text.add("R_MODE", shapes_at(body.rotation, nodes));
    }
  }
  return text.text("trunnion flex " + body.origin);
}

std::string stress_text(const ModalBody& body) {
  if (body.stress.nodes.empty()) return {};
  std::vector<int> nodes;
  for (const int id : body.stress.nodes) {
    const auto at = std::lower_bound(body.nodes.begin(), body.nodes.end(), id,
                                     [](const Node& node, int wanted) { return node.id < wanted; });
    nodes.push_back(static_cast<int>(at - body.nodes.begin()));
  }
  MatrixText text;
  text.add("S_NODE", listed(body, nodes));
  text.add("S_MODE", body.stress.values);
  if (body.stress.strains.size() != 0) text.add("E_MODE", body.stress.strains);
  return text.text("stresses, trunnion flex " + body.origin);
}

std::string statements_text(const ModalBody& body, const StatementOptions& options,
                            const std::string& matrices, const std::string& stresses) {
  std::string out = fmt::format(
      "! made by trunnion flex from {}\n! {} modes; interface nodes {}\n", body.origin, body.modes(),
      body.interfaces.empty() ? "none" : fmt::format("{}", fmt::join(body.interfaces, ", ")));
  std::string ids = std::to_string(options.id);
  out += fmt::format("MATRIX/{}, FILE={}\n", options.id, matrices);
  if (!stresses.empty()) {
    out += fmt::format("MATRIX/{}, FILE={}\n", options.id + 1, stresses);
    ids += ", " + std::to_string(options.id + 1);
  }
  out += fmt::format("FLEX_BODY/{}, MATRICES={}\n", options.id, ids);
  out += "! markers on the interfaces, for joints and forces; QP is the node's place\n";
  int marker = 100 * options.id;
  for (const int index : marker_nodes(body, StatementOptions{options.id, {}})) {
    const Node& node = body.nodes[static_cast<std::size_t>(index)];
    out += fmt::format("MARKER/{}, FLEX_BODY={}, NODE_ID={}, QP={}, {}, {}\n", ++marker, options.id, node.id,
                       node.position.x(), node.position.y(), node.position.z());
  }
  if (body.loads.size() != 0)
    out += fmt::format("! {} load case{}:  MFORCE/1, FLEX_BODY={}, CASE_INDEX=1, SCALE=1\n",
                       body.loads.cols(), body.loads.cols() == 1 ? "" : "s", options.id);
  return out;
}

}  // namespace trunnion::flex
