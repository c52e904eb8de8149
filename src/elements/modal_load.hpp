#pragma once
// What acts on the modes of a flexible body besides its own stiffness and a damping that stays: what an MFORCE puts on them, and damping
// that changes in the course of a run (CRATIO of time or state). What an MFORCE puts on the body's frame is a Load.
//
//   residual on the modes
//     force      −f(signals)                      f: the response, one output for each mode
//     damping    W diag(2 ω ζ(signals)) Wᵀ q̇      ζ: the response, one output for each mode of the free body or one for all; W = I6 N
// with all partials; K N = I6 N Λ, NᵀI6 N = 1 (docs/theory/flexible.md).

#include <memory>
#include <optional>

#include "core/words.hpp"
#include "elements/function.hpp"

namespace trunnion::elements {

struct ModalDamping {
  Eigen::VectorXd rates;   // 2 ω of each mode of the free body
  Eigen::MatrixXd shapes;  // W; empty: 1
};

struct ModalLoad {
  core::Words owner;
  assembly::BlockId modes;
  Response response;
  Columns columns;
  Dependence dependence;
  std::optional<ModalDamping> damping;
};

ModalLoad make_modal_load(core::Words owner, assembly::BlockId modes, int outputs,
                          const assembly::Layout& layout);
void seal(ModalLoad& load);

void evaluate(const ModalLoad& load, const Evaluation& at, expr::Workspace& work, assembly::Sink& sink);
// What it does on the body a unit of time; of damping minus what is lost.
double power(const ModalLoad& load, const Evaluation& at, expr::Workspace& work);

// MFORCE/…, FUNCTION=USER(…): from a law with the outputs (factor, number of a load case, a load vector of its own) the load
// factor · case, or factor · vector where the number is 0.
class CaseLaw final : public Law {
 public:
  // `cases`: one a column. Of the load, the outputs from `first` on.
  CaseLaw(std::shared_ptr<const Law> inner, Eigen::MatrixXd cases, int first, int outputs, std::string owner);
  void add(const VecMap& signals, VecMap c, MatMap D) const override;

 private:
  std::shared_ptr<const Law> inner_;
  Eigen::MatrixXd cases_;
  int first_, outputs_;
  std::string owner_;
};

}  // namespace trunnion::elements
