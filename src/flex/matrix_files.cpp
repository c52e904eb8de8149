#include "flex/matrix_files.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/text.hpp"
#include "flex/op4.hpp"
#include "flex/text_lines.hpp"

namespace trunnion::flex {

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;
using Label = std::pair<int, int>;

// What one triangle says holds for the other.
SparseMatrix symmetric(int size, Triplets& entries) {
  const std::size_t count = entries.size();
  for (std::size_t k = 0; k < count; ++k) {
    const auto e = entries[k];
    if (e.row() != e.col()) entries.emplace_back(e.col(), e.row(), e.value());
  }
  SparseMatrix A(size, size);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

// A matrix given by both triangles must be symmetric, as mass and stiffness are.
void check_symmetric(const SparseMatrix& A, const std::filesystem::path& path) {
  constexpr double kAllowed = 1e-8;  // of the largest entry: files have 9 digits or more
  const SparseMatrix B = A - SparseMatrix(A.transpose());
  const auto largest = [](const SparseMatrix& S) {
    return S.nonZeros() == 0 ? 0.0 : S.coeffs().abs().maxCoeff();
  };
  if (largest(B) > kAllowed * largest(A))
    throw InputError(path.string() + ": the matrix is not symmetric; mass and stiffness are");
}

int index_in(TextLines& file, std::string_view word, int size) {
  const int index = file.whole(word);
  if (index < 1 || index > size)
    file.fail(fmt::format("row or column {} of a matrix of size {}", index, size));
  return index - 1;
}

bool comment(std::string_view line) {
  const std::string_view text = core::trim(line);
  return text.empty() || text.front() == '#' || text.front() == '*' || text.front() == '%' ||
         text.front() == '$';
}

// The next line that says something.
bool next_said(TextLines& file) {
  while (file.next()) {
    if (!comment(file.line())) return true;
  }
  return false;
}

LabelledMatrix matrix_market(TextLines& file) {
  const std::string head = core::to_lower(file.line());
  if (head.find("coordinate") == std::string::npos)
    file.fail("a Matrix Market file of mass or stiffness must be in coordinate form");
  if (head.find("complex") != std::string::npos || head.find("pattern") != std::string::npos)
    file.fail("the numbers of mass or stiffness must be real");
  const bool one_triangle = head.find("symmetric") != std::string::npos;
  if (!next_said(file)) file.fail("the line of sizes is missing");
  const auto sizes = file.words();
  if (sizes.size() != 3) file.fail("expected rows, columns and number of entries");
  const int n = file.whole(sizes[0]), entries = file.whole(sizes[2]);
  if (n < 1 || entries < 0 || file.whole(sizes[1]) != n) file.fail("mass and stiffness are square");
  Triplets all;
  while (next_said(file)) {
    const auto& words = file.words();
    if (words.size() != 3) file.fail("expected row, column and value");
    all.emplace_back(index_in(file, words[0], n), index_in(file, words[1], n), file.real(words[2]));
    if (one_triangle && all.back().row() < all.back().col())
      file.fail("an entry above the diagonal in a symmetric Matrix Market file");
  }
  if (static_cast<int>(all.size()) != entries)
    file.fail(fmt::format("the file ends after {} of {} entries", all.size(), entries));
  LabelledMatrix out;
  if (one_triangle) {
    out.values = symmetric(n, all);
  } else {
    out.values.resize(n, n);
    out.values.setFromTriplets(all.begin(), all.end());
    check_symmetric(out.values, file.path());
  }
  return out;
}

LabelledMatrix abaqus(TextLines& file) {
  std::map<std::pair<Label, Label>, double> entries;
  std::set<Label> labels;
  file.back();
  while (next_said(file)) {
    const auto& words = file.words();
    if (words.size() != 5) file.fail("expected node, direction, node, direction, value");
    const Label row{file.whole(words[0]), file.whole(words[1]) - 1};
    const Label column{file.whole(words[2]), file.whole(words[3]) - 1};
    for (const Label& label : {row, column}) {
      if (label.second < 0 || label.second > 5) file.fail("directions are 1 to 6");
      labels.insert(label);
    }
    entries[std::minmax(row, column)] = file.real(words[4]);  // the other triangle says the same
  }
  LabelledMatrix out;
  out.labels.assign(labels.begin(), labels.end());
  const auto index = [&](const Label& label) {
    return static_cast<int>(std::lower_bound(out.labels.begin(), out.labels.end(), label) -
                            out.labels.begin());
  };
  Triplets all;
  for (const auto& [place, value] : entries) all.emplace_back(index(place.first), index(place.second), value);
  out.values = symmetric(static_cast<int>(out.labels.size()), all);
  return out;
}

// Three or six directions a node, in the order of the list.
std::vector<Label> regular_labels(const std::vector<Node>& listed, Eigen::Index rows) {
  const auto nodes = static_cast<Eigen::Index>(listed.size());
  const Eigen::Index each = nodes > 0 ? rows / nodes : 0;
  if (nodes == 0 || rows % nodes != 0 || (each != 3 && each != 6))
    throw InputError(
        fmt::format("{} rows do not make three or six directions for each of {} nodes", rows, nodes),
        "--dofs FILE tells which row belongs to which node and direction");
  std::vector<Label> labels;
  for (const Node& node : listed) {
    for (int k = 0; k < static_cast<int>(each); ++k) labels.emplace_back(node.id, k);
  }
  return labels;
}

// B's rows in the order of A's labels.
SparseMatrix reordered(const LabelledMatrix& B, const std::vector<Label>& labels, const std::string& path) {
  std::map<Label, int> place;
  for (std::size_t k = 0; k < labels.size(); ++k) place[labels[k]] = static_cast<int>(k);
  Triplets all;
  const auto at = [&](int row) {
    const auto found = place.find(B.labels[static_cast<std::size_t>(row)]);
    if (found == place.end())
      throw InputError(fmt::format("{}: node {} direction {} has no stiffness", path,
                                   B.labels[static_cast<std::size_t>(row)].first,
                                   B.labels[static_cast<std::size_t>(row)].second + 1));
    return found->second;
  };
  for (int c = 0; c < B.values.outerSize(); ++c) {
    for (SparseMatrix::InnerIterator e(B.values, c); e; ++e)
      all.emplace_back(at(static_cast<int>(e.row())), at(c), e.value());
  }
  const auto n = static_cast<Eigen::Index>(labels.size());
  SparseMatrix out(n, n);
  out.setFromTriplets(all.begin(), all.end());
  return out;
}

}  // namespace

LabelledMatrix read_matrix(const std::filesystem::path& path, const std::string& name) {
  TextLines file(path);
  if (!file.next()) throw InputError(path.string() + ": the file is empty");
  if (core::starts_with_nocase(file.line(), "%%MatrixMarket")) return matrix_market(file);
  if (core::starts_with_nocase(file.line(), "ADAMSMAT"))
    file.fail("this is a file of matrices of a flexible body (ADAMSMAT), not mass or stiffness",
              "MATRIX/…, FILE= and FLEX_BODY/…, MATRICES= read it as it is");
  if (is_op4(file.line())) {
    LabelledMatrix out{read_op4(file, name), {}};
    check_symmetric(out.values, path);
    return out;
  }
  if (comment(file.line()) && !next_said(file)) file.fail("the file has nothing but comments");
  if (file.words().size() == 5) return abaqus(file);
  file.fail(
      "neither Matrix Market (%%MatrixMarket), nor OUTPUT4 as text, nor Abaqus' node, direction, node, "
      "direction, "
      "value");
}

SparseMatrix read_coordinates(const std::filesystem::path& path, int size) {
  TextLines file(path);
  Triplets all;
  while (next_said(file)) {
    const auto& words = file.words();
    if (words.size() != 3) file.fail("expected row, column and value");
    const double value = file.real(words[2]);
    const int row = index_in(file, words[0], size), column = index_in(file, words[1], size);
    if (value != 0) all.emplace_back(row, column, value);
  }
  if (all.empty()) throw InputError(path.string() + ": no entries");
  return symmetric(size, all);
}

std::vector<Node> read_nodes(const std::filesystem::path& path) {
  TextLines file(path);
  std::vector<Node> nodes;
  std::set<int> seen;
  while (next_said(file)) {
    const auto& words = file.words();
    if (words.size() < 4) file.fail("expected a node's number and its x, y, z");
    nodes.push_back({file.whole(words[0]), {file.real(words[1]), file.real(words[2]), file.real(words[3])}});
    if (nodes.back().id < 1) file.fail("node numbers begin with 1");
    if (!seen.insert(nodes.back().id).second)
      file.fail(fmt::format("node {} is listed twice", nodes.back().id));
  }
  if (nodes.empty()) throw InputError(path.string() + ": no nodes");
  return nodes;
}

std::vector<Label> read_dofs(const std::filesystem::path& path) {
  TextLines file(path);
  std::vector<Label> out;
  while (next_said(file)) {
    const auto& words = file.words();
    std::string_view node = words[0], direction;
    if (const std::size_t point = node.find('.'); words.size() == 1 && point != std::string_view::npos) {
      direction = node.substr(point + 1);
      node = node.substr(0, point);
    } else if (words.size() == 2) {
      direction = words[1];
    } else {
      file.fail("expected node.direction");
    }
    out.emplace_back(file.whole(node), file.whole(direction) - 1);
    if (out.back().second < 0 || out.back().second > 5) file.fail("directions are 1 to 6");
  }
  return out;
}

std::vector<Dof> dofs_of(const std::vector<Label>& labels, const FeModel& model, const std::string& origin) {
  std::vector<Dof> out;
  std::set<Label> seen;
  for (const Label& label : labels) {
    const int node = model.find(label.first);
    if (node < 0)
      throw InputError(fmt::format("{}: node {} is not in the list of nodes", origin, label.first));
    if (!seen.insert(label).second)
      throw InputError(
          fmt::format("{}: node {} direction {} has two rows", origin, label.first, label.second + 1));
    out.push_back({node, label.second});
  }
  return out;
}

FeModel read_matrices(const MatrixInput& input) {
  FeModel model;
  const std::vector<Node> listed = read_nodes(input.nodes);
  model.nodes = listed;
  std::sort(model.nodes.begin(), model.nodes.end(), [](const Node& a, const Node& b) { return a.id < b.id; });
  LabelledMatrix stiffness = read_matrix(input.stiffness, input.stiffness_name);
  LabelledMatrix mass = read_matrix(input.mass, input.mass_name);
  std::vector<Label> labels = stiffness.labels;
  if (!input.dofs.empty()) labels = read_dofs(input.dofs);
  else if (labels.empty()) labels = regular_labels(listed, stiffness.values.rows());
  model.dofs = dofs_of(labels, model, (input.dofs.empty() ? input.stiffness : input.dofs).string());
  model.K =
      stiffness.labels.empty() ? stiffness.values : reordered(stiffness, labels, input.stiffness.string());
  model.M = mass.labels.empty() ? mass.values : reordered(mass, labels, input.mass.string());
  return model;
}

}  // namespace trunnion::flex
