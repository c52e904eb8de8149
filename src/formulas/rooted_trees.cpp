#include "formulas/rooted_trees.hpp"

#include <limits>

#include <fmt/format.h>

namespace trunnion::formulas {

namespace {

struct Tree {
  std::vector<int> branches;  // by index among the smaller trees, not ascending: each set of branches once
  int nodes = 1;
  double density = 1;  // γ
  bool tall = true;    // no node has two branches
  std::string text;    // of u, the factors
};

std::string factors(const std::vector<Tree>& trees, const std::vector<int>& branches) {
  std::string text;
  for (const int branch : branches) {
    if (!text.empty()) text += ' ';
    text += trees[branch].nodes == 1 ? std::string("c") : fmt::format("A({})", trees[branch].text);
  }
  return text;
}

// Trees with `nodes` nodes in the branches, all of them of at most `last` among the smaller trees.
void grow(std::vector<Tree>& trees, std::vector<int>& branches, int nodes, int last, int root_nodes) {
  if (nodes == 0) {
    Tree tree;
    tree.branches = branches;
    tree.nodes = root_nodes;
    tree.density = root_nodes;
    tree.tall = branches.size() == 1;
    for (const int branch : branches) {
      tree.density *= trees[branch].density;
      tree.tall = tree.tall && trees[branch].tall;
    }
    tree.text = factors(trees, branches);
    trees.push_back(tree);
    return;
  }
  for (int k = last; k >= 0; --k) {
    if (trees[k].nodes > nodes) continue;
    branches.push_back(k);
    grow(trees, branches, nodes - trees[k].nodes, k, root_nodes);
    branches.pop_back();
  }
}

std::vector<Tree> trees_up_to(int order) {
  std::vector<Tree> trees(1);
  trees[0].text.push_back('1');
  for (int nodes = 2; nodes <= order; ++nodes) {
    std::vector<int> branches;
    grow(trees, branches, nodes - 1, int(trees.size()) - 1, nodes);
  }
  return trees;
}

}  // namespace

std::vector<OrderCondition> order_conditions(const ButcherTable& table, int order) {
  const std::vector<Tree> trees = trees_up_to(order);
  const Eigen::MatrixXd size = table.A.cwiseAbs();
  std::vector<Eigen::ArrayXd> u, largest;  // and the same with all signs plus, for the rounding
  std::vector<OrderCondition> conditions;
  for (const Tree& tree : trees) {
    Eigen::ArrayXd product = Eigen::ArrayXd::Ones(table.b.size()), bound = product;
    for (const int branch : tree.branches) {
      product *= (table.A * u[branch].matrix()).array();
      bound *= (size * largest[branch].matrix()).array();
    }
    u.push_back(product);
    largest.push_back(bound);
    const double sum = table.b.cwiseAbs().dot(bound.matrix());
    conditions.push_back({tree.nodes, fmt::format("b·({}) = 1/{:.0f}", tree.text, tree.density), tree.tall,
                          table.b.dot(product.matrix()) - 1 / tree.density,
                          64 * std::numeric_limits<double>::epsilon() * (1 + sum)});
  }
  return conditions;
}

}  // namespace trunnion::formulas
