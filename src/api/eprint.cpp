#include "api/eprint.hpp"

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

void DebugPrint::iteration(const solve::IterationRecord& r, const system::StageSink& sink) {
  if (wanted_.eprint) {
    say_(fmt::format("{:>4}  {:<11.3E}  {:<47.47}  {:<11.3E}  {:<47.47}  {}", r.iteration, r.residual,
                     sink.equation_name(r.equation), r.change, sink.column_name(r.variable),
                     r.new_matrix ? "new" : ""));
  }
  if (wanted_.rhsdump) dump_residual(sink);
  if (wanted_.jmdump && r.new_matrix) dump_matrix(sink);
}

void DebugPrint::dump_residual(const system::StageSink& sink) {
  say_("  residual        equation");
  for (int k = 0; k < sink.size(); ++k)
    say_(fmt::format("  {:<14.6E}  {}", sink.residual()[k], sink.equation_name(k)));
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
