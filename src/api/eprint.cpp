#include "api/eprint.hpp"

#include <utility>

#include <fmt/format.h>

namespace trunnion::api {

void DebugPrint::step(const integrate::StepAttempt& a) {
  if (!wanted_.eprint) return;
  say_("");
  say_(fmt::format("Integration step No. {:<8} Order = {:<3} Cumulative iterations of the corrector: {}",
                   a.step, a.order, a.iterations));
  say_(fmt::format("From {:.9E}, Step = {:.5E}", a.t, a.h));
  say_(
      "Iter  Residual     in equation                                      Change       of variable          "
      "        "
      "                    Jacobian");
  say_(std::string(138, '-'));
}

void DebugPrint::rejected(const std::string& why) {
  if (wanted_.eprint) say_("Step rejected: " + why);
}

void DebugPrint::iteration(const solve::IterationRecord& r, const system::StageSink& sink) {
  if (wanted_.dump && !std::exchange(map_shown_, true)) dump_map(sink);
  if (wanted_.eprint) {
    say_(fmt::format("{:>4}  {:<11.3E}  {:<47.47}  {:<11.3E}  {:<47.47}  {}", r.iteration, r.residual,
                     sink.equation_name(r.equation), r.change, sink.column_name(r.variable),
                     r.new_pivots   ? "new, new pivots"
                     : r.new_matrix ? "new"
                                    : ""));
  }
  if (wanted_.rhsdump) dump_states(r, sink);
  if (wanted_.jmdump && r.new_matrix) dump_matrix(sink);
}

void DebugPrint::dump_map(const system::StageSink& sink) {
  say_(fmt::format("{} equations and variables", sink.size()));
  say_("  No.    equation                                         variable");
  for (int k = 0; k < sink.size(); ++k)
    say_(fmt::format("  {:<5}  {:<47}  {}", k + 1, sink.equation_name(k), sink.column_name(k)));
}

void DebugPrint::dump_states(const solve::IterationRecord& r, const system::StageSink& sink) {
  say_("  residual        equation");
  for (int k = 0; k < sink.size(); ++k)
    say_(fmt::format("  {:<14.6E}  {}", sink.residual()[k], sink.equation_name(k)));
  say_("  rate            second rate     change          variable");
  const int n = sink.tangent_size();
  for (int k = 0; k < n; ++k)
    say_(fmt::format("  {:<14.6E}  {:<14.6E}  {:<14.6E}  {}", r.before.v[k], r.before.a[k], r.correction[k],
                     sink.column_name(k)));
  say_("  reaction        change          of constraint");
  for (int k = 0; k < sink.active_count(); ++k)
    say_(fmt::format("  {:<14.6E}  {:<14.6E}  {}", r.before.lambda[sink.row_of_active(k)],
                     r.correction[n + k], sink.column_name(n + k)));
}

void DebugPrint::dump_matrix(const system::StageSink& sink) {
  const sparse::CscMatrix& A = sink.matrix();
  say_("  partial         of equation                                      by variable");
  for (int j = 0; j < A.cols; ++j) {
    for (int k = A.start[static_cast<std::size_t>(j)]; k < A.start[static_cast<std::size_t>(j) + 1]; ++k)
      say_(fmt::format("  {:<14.6E}  {:<47}  {}", A.value[static_cast<std::size_t>(k)],
                       sink.equation_name(A.row[static_cast<std::size_t>(k)]), sink.column_name(j)));
  }
}

}  // namespace trunnion::api
