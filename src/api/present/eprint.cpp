#include "api/present/eprint.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace trunnion::api {

using assembly::State;

DebugPrint::Wanted DebugPrint::wanted(const model::Model& model) {
  const model::Debug* debug = model.single<model::Debug>();
  const auto on = [](const auto& choice) { return choice.given() && choice.value() == model::Switch::on; };
  if (!debug) return {};
  return {on(debug->eprint), on(debug->rhsdump), on(debug->jmdump), on(debug->dump), debug->matlab};
}

void DebugPrint::step(const integrate::StepAttempt& a) {
  if (!wanted_.eprint) return;
  say_("");
  say_(fmt::format("Integration step No. {:<8} Order = {:<3} Cumulative iterations of the corrector: {}",
                   a.step, a.order, a.iterations));
  say_(fmt::format("From {:.9E}, Step = {:.5E}", a.t, a.h));
  head();
}

void DebugPrint::head() {
  say_(fmt::format("Iter  {:<11}  {:<47}  {:<11}  {:<47}  Jacobian", "Residual", "in equation", "Change",
                   "of variable"));
  say_(std::string(138, '-'));
}

void DebugPrint::line(int iteration, double residual, const std::string& equation, double change,
                      const std::string& variable, const char* jacobian) {
  say_(fmt::format("{:>4}  {:<11.3E}  {:<47.47}  {:<11.3E}  {:<47.47}  {}", iteration, residual, equation,
                   change, variable, jacobian));
}

void DebugPrint::rejected(const std::string& why) {
  if (wanted_.eprint) say_("Step rejected: " + why);
}

void DebugPrint::iteration(const solve::IterationRecord& r, const solve::StageEquations& stage) {
  if (wanted_.dump && !std::exchange(map_shown_, true)) dump_map(stage);
  if (wanted_.eprint) {
    if (r.left_pivot)
      say_(fmt::format(
          "      pivots chosen anew at t = {:.9E}: on the old ones the pivot of row {}, column {} was {:.3E}",
          r.before.t, stage.equation_name(r.left_pivot->row), stage.column_name(r.left_pivot->col),
          r.left_pivot->size));
    line(r.iteration, r.residual, stage.equation_name(r.equation), r.change, stage.column_name(r.variable),
         r.new_pivots   ? "new, new pivots"
         : r.new_matrix ? "new"
                        : "");
  }
  if (wanted_.rhsdump) dump_states(r, stage);
  if (wanted_.jmdump && r.new_matrix) {
    sparse::CscMatrix A = stage.matrix();  // in the model's terms
    for (int j = 0; j < A.cols; ++j) {
      for (int k = A.start[static_cast<std::size_t>(j)]; k < A.start[static_cast<std::size_t>(j) + 1]; ++k)
        A.value[static_cast<std::size_t>(k)] /=
            stage.row_scale(A.row[static_cast<std::size_t>(k)]) * stage.column_scale(j);
    }
    dump_matrix(
        A, [&](int k) { return stage.equation_name(k); }, [&](int k) { return stage.column_name(k); });
  }
}

void DebugPrint::dump_map(const solve::StageEquations& stage) {
  say_(fmt::format("{} equations and variables", stage.size()));
  say_("  No.    equation                                         variable");
  for (int k = 0; k < stage.size(); ++k)
    say_(fmt::format("  {:<5}  {:<47}  {}", k + 1, stage.equation_name(k), stage.column_name(k)));
}

void DebugPrint::dump_residual(int k, double value, const Name& equation) {
  if (wanted_.matlab) say_(fmt::format("r({}) = {:.16e};", k + 1, value));
  else say_(fmt::format("  {:<14.6E}  {}", value, equation(k)));
}

// Positions as they are, rotations as vectors: zero ⊕ value is the pose.
void DebugPrint::dump_values(const assembly::Layout& layout, const State& before,
                             const Eigen::VectorXd& correction) {
  Eigen::VectorXd value(layout.size());
  assembly::difference(layout, assembly::make_state(layout).q, before.q, value);
  say_("  value           rate            second rate     change          variable");
  for (int k = 0; k < layout.size(); ++k)
    say_(fmt::format("  {:<14.6E}  {:<14.6E}  {:<14.6E}  {:<14.6E}  {}", value[k], before.v[k], before.a[k],
                     correction[k], layout.column_name(k)));
}

void DebugPrint::dump_states(const solve::IterationRecord& r, const solve::StageEquations& stage) {
  const Name equation = [&](int k) { return stage.equation_name(k); };
  if (!wanted_.matlab) say_("  residual        equation");
  for (int k = 0; k < stage.size(); ++k) dump_residual(k, stage.residual()[k] / stage.row_scale(k), equation);
  dump_values(stage.layout(), r.before, r.correction);
  const int n = stage.tangent_size();
  say_("  reaction        change          of constraint");
  for (int k = 0; k < stage.active_count(); ++k)
    say_(fmt::format("  {:<14.6E}  {:<14.6E}  {}", r.before.lambda[stage.row_of_active(k)],
                     r.correction[n + k], stage.column_name(n + k)));
}

void DebugPrint::dump_matrix(const sparse::CscMatrix& A, const Name& equation, const Name& variable) {
  if (wanted_.matlab) say_(fmt::format("J = sparse({}, {});", A.rows, A.cols));
  else say_("  partial         of equation                                      by variable");
  for (int j = 0; j < A.cols; ++j) {
    for (int k = A.start[static_cast<std::size_t>(j)]; k < A.start[static_cast<std::size_t>(j) + 1]; ++k) {
      const double value = A.value[static_cast<std::size_t>(k)];
      const int row = A.row[static_cast<std::size_t>(k)];
      if (wanted_.matlab) say_(fmt::format("J({}, {}) = {:.16e};", row + 1, j + 1, value));
      else say_(fmt::format("  {:<14.6E}  {:<47}  {}", value, equation(row), variable(j)));
    }
  }
}

void DebugPrint::iteration(const char* analysis, const analysis::ConstraintIteration& it,
                           const assembly::Layout& layout) {
  const Name equation = [&](int k) { return layout.row_name(assembly::RowId{k}); };
  if (wanted_.eprint) {
    int row = it.active.empty() ? -1 : it.active.front(), column = 0;
    for (const int r : it.active) {
      if (!(std::abs(it.residual[r]) <= std::abs(it.residual[row]))) row = r;
    }
    if (it.correction.size() > 0) it.correction.cwiseAbs().maxCoeff(&column);
    if (it.iteration == 1) {
      say_("");
      say_(fmt::format("{}, {}, t = {:.9E}", analysis, it.phase, it.before.t));
      head();
    }
    line(it.iteration, row < 0 ? 0 : it.residual[row], row < 0 ? "" : equation(row),
         it.correction.size() > 0 ? it.correction[column] : 0,
         it.correction.size() > 0 ? layout.column_name(column) : "", it.renewed ? "new" : "");
  }
  if (wanted_.rhsdump) {
    if (!wanted_.matlab) say_("  residual        equation");
    for (const int r : it.active) dump_residual(r, it.residual[r], equation);
    dump_values(layout, it.before, it.correction);
  }
  if (wanted_.jmdump && it.renewed)
    dump_matrix(it.jacobian, equation, [&](int k) { return layout.column_name(k); });
}

}  // namespace trunnion::api
