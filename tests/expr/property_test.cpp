// Random trees: the tape against a plain recursive evaluator; gradient and Hessian against central
// differences of that evaluator in long double.

#include <array>
#include <set>

#include "helpers.hpp"
#include "random_tree.hpp"

namespace trunnion::expr::testing {
namespace {

TableSet tree_tables() {
  TableSet tables;
  math::SplineData cubic, parabola;
  cubic.y.emplace_back();
  parabola.y.emplace_back();
  for (int k = -3; k <= 3; ++k) {
    cubic.x.push_back(k + 0.1 * k * k);  // unequal spacing
    cubic.y[0].push_back(table_cubic(cubic.x.back()));
    parabola.x.push_back(k);
    parabola.y[0].push_back(table_parabola(parabola.x.back()));
  }
  EXPECT_EQ(tables.add_spline(1, cubic), "");
  EXPECT_EQ(tables.add_spline(2, parabola), "");
  return tables;
}

// Where each of the tree's inputs stands in the program's list.
std::vector<int> input_order(const Program& program) {
  std::vector<int> order;
  for (const Input& input : program.inputs()) {
    for (int k = 0; k < kInputCount; ++k) {
      if (input.name() == kInputNames[k]) order.push_back(k);
    }
  }
  EXPECT_EQ(order.size(), program.inputs().size());
  return order;
}

void collect(const Tree& t, std::set<std::string>& names) {
  names.insert(t.name);
  for (const Tree& kid : t.kids) collect(kid, names);
}

using Point = std::array<long double, kInputCount>;

TEST(RandomTrees, ValueMatchesPlainEvaluation) {
  TableSet tables = tree_tables();
  TreeMaker maker(1);
  std::set<std::string> compared;
  int finite = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const Tree tree = maker.make(4);
    CompileResult result = compile(tree.text());
    if (!result.program) {  // STEP with equal constants is the one thing the trees may get wrong
      EXPECT_NE(result.errors[0].message.find("are equal"), std::string::npos) << tree.text();
      continue;
    }
    Program& program = *result.program;
    ASSERT_TRUE(program.bind(tables).empty());
    const std::vector<int> order = input_order(program);
    Workspace work(program);
    double in[kInputCount];
    for (double& x : in) x = maker.uniform(-2, 2);
    std::vector<double> inputs, grad(order.size());
    for (const int k : order) inputs.push_back(in[k]);
    Watch watch;
    const double expected = evaluate(tree, in, watch);
    const double value = program.value(inputs, work);
    // The gradient's sweep computes by other code; it must find the same number.
    const double with_gradient = program.gradient(inputs, work, grad);
    if (watch.near_trouble) continue;  // a kink: rounding may take the other side
    // Each operation rounds once; hundreds of operations on numbers up to `largest`, amplified by slopes up
    // to 1e2.
    const double tolerance = 1e-11 * static_cast<double>(watch.largest);
    ASSERT_NEAR(value, expected, tolerance) << tree.text();
    ASSERT_NEAR(with_gradient, expected, tolerance) << tree.text();
    collect(tree, compared);
    ++finite;
  }
  EXPECT_GT(finite, 800);
  // Everything the maker can produce was really compared.
  for (const char* name :
       {"**",    "MOD",    "IF",     "STEP",  "STEP5",  "HAVSIN", "IMPACT", "BISTOP", "SHF",  "POLY",
        "CHEBY", "FORCOS", "FORSIN", "SWEEP", "CUBSPL", "AKISPL", "ATAN2",  "SIGN",   "DIM",  "MAX",
        "MIN",   "ABS",    "ACOS",   "AINT",  "ANINT",  "ASIN",   "ATAN",   "CEIL",   "COS",  "COSH",
        "EXP",   "FLOOR",  "LOG",    "LOG10", "SIN",    "SINH",   "SQRT",   "TAN",    "TANH", "neg"}) {
    EXPECT_TRUE(compared.count(name)) << name;
  }
}

TEST(RandomTrees, GradientAndHessianMatchDifferences) {
  TableSet tables = tree_tables();
  TreeMaker maker(2);
  std::set<std::string> compared;
  int checked = 0;
  for (int trial = 0; trial < 6000; ++trial) {
    const Tree tree = maker.make(3);
    CompileResult result = compile(tree.text());
    if (!result.program) continue;
    Program& program = *result.program;
    program.bind(tables);
    const std::vector<int> order = input_order(program);
    const std::size_t n = order.size();
    if (n == 0) continue;
    Point at;
    for (long double& x : at) x = static_cast<double>(maker.uniform(-2, 2));
    Watch watch;
    const auto f = [&](std::size_t i, long double hi, std::size_t j, long double hj) {
      Point p = at;
      p[static_cast<std::size_t>(order[i])] += hi;
      p[static_cast<std::size_t>(order[j])] += hj;
      return evaluate(tree, p.data(), watch);
    };
    // Central differences at two steps. Their difference is three quarters of the truncation error of the
    // larger step; four times it bounds the error with room for higher orders. Rounding: 1e-19 · largest /
    // h².
    const auto first = [&](std::size_t i, long double h) {
      return (f(i, h, i, 0) - f(i, -h, i, 0)) / (2 * h);
    };
    const auto second = [&](std::size_t i, std::size_t j, long double h) {
      return (f(i, h, j, h) - f(i, h, j, -h) - f(i, -h, j, h) + f(i, -h, j, -h)) / (4 * h * h);
    };
    std::vector<long double> g1(n), g2(n), h1(n * n), h2(n * n);
    for (std::size_t i = 0; i < n; ++i) {
      g1[i] = first(i, 1e-4L);
      g2[i] = first(i, 5e-5L);
      for (std::size_t j = 0; j < n; ++j) {
        h1[i * n + j] = second(i, j, 4e-4L);
        h2[i * n + j] = second(i, j, 2e-4L);
      }
    }
    if (watch.near_trouble) continue;
    // Where the two steps disagree in the third digit the function bends too fast for them to say anything.
    bool resolved = true;
    for (std::size_t i = 0; i < n; ++i) {
      resolved = resolved && std::abs(g1[i] - g2[i]) <= 1e-3L * (1 + std::abs(g2[i]));
      for (std::size_t k = i * n; k < (i + 1) * n; ++k) {
        resolved = resolved && std::abs(h1[k] - h2[k]) <= 1e-3L * (1 + std::abs(h2[k]));
      }
    }
    if (!resolved) continue;
    std::vector<double> inputs, grad(n), grad2(n), hess(n * n);
    for (const int k : order) inputs.push_back(static_cast<double>(at[static_cast<std::size_t>(k)]));
    Workspace work(program);
    const double v1 = program.gradient(inputs, work, grad);
    const double v2 = program.hessian(inputs, work, grad2, hess);
    ASSERT_NEAR(v1, v2, 1e-12 * static_cast<double>(watch.largest));
    const long double scale = watch.largest;
    for (std::size_t i = 0; i < n; ++i) {
      const long double g_tolerance = 4 * std::abs(g1[i] - g2[i]) + 1e-9L * scale + 1e-11L * std::abs(g2[i]);
      ASSERT_NEAR(grad[i], static_cast<double>(g2[i]), static_cast<double>(g_tolerance))
          << tree.text() << " by " << i;
      ASSERT_NEAR(grad2[i], grad[i], 1e-10 * (static_cast<double>(scale) + std::abs(grad[i]))) << tree.text();
      for (std::size_t j = 0; j < n; ++j) {
        const std::size_t k = i * n + j;
        const long double h_tolerance =
            4 * std::abs(h1[k] - h2[k]) + 1e-8L * scale + 1e-10L * std::abs(h2[k]);
        ASSERT_NEAR(hess[k], static_cast<double>(h2[k]), static_cast<double>(h_tolerance))
            << tree.text() << " by " << i << ", " << j;
        ASSERT_EQ(hess[k], hess[j * n + i]);
      }
    }
    collect(tree, compared);
    ++checked;
  }
  EXPECT_GT(checked, 1500);
  for (const char* name : {"**",     "MOD",    "IF",    "STEP",  "STEP5",  "HAVSIN", "IMPACT",
                           "BISTOP", "SHF",    "POLY",  "CHEBY", "FORCOS", "FORSIN", "SWEEP",
                           "CUBSPL", "AKISPL", "ATAN2", "SIGN",  "DIM",    "ACOS",   "LOG10"}) {
    EXPECT_TRUE(compared.count(name)) << name;
  }
}

}  // namespace
}  // namespace trunnion::expr::testing
