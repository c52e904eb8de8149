#pragma once
// DEBUG/EPRINT, RHSDUMP, JMDUMP and DUMP: what the corrector of a motion, the assembly and kinematics do, by the names of
// equations and variables (primer §8.5).

#include <functional>
#include <string>

#include "analysis/initial/constraint_iteration.hpp"
#include "integrate/step_loop.hpp"
#include "model/model.hpp"
#include "solve/stage_solver.hpp"

namespace trunnion::api {

class DebugPrint {
 public:
  using Say = std::function<void(const std::string&)>;
  struct Wanted {
    bool eprint = false, rhsdump = false, jmdump = false, dump = false, matlab = false;
    bool any() const { return eprint || rhsdump || jmdump || dump; }
  };
  static Wanted wanted(const model::Model& model);

  DebugPrint(Say say, Wanted wanted) : say_(std::move(say)), wanted_(wanted) {}

  void step(const integrate::StepAttempt& attempt);
  void rejected(const std::string& why);
  void iteration(const solve::IterationRecord& record, const solve::StageEquations& stage);
  // Of the assembly or of kinematics, named by `analysis`.
  void iteration(const char* analysis, const analysis::ConstraintIteration& it,
                 const assembly::Layout& layout);

 private:
  void head();
  void line(int iteration, double residual, const std::string& equation, double change,
            const std::string& variable, const char* jacobian);
  void dump_map(const solve::StageEquations& stage);  // once: which equations and variables there are
  void dump_states(const solve::IterationRecord& record, const solve::StageEquations& stage);
  void dump_values(const assembly::Layout& layout, const assembly::State& before,
                   const Eigen::VectorXd& correction);
  using Name = std::function<std::string(int)>;
  void dump_residual(int k, double value, const Name& equation);
  void dump_matrix(const sparse::CscMatrix& A, const Name& equation, const Name& variable);

  Say say_;
  Wanted wanted_;
  bool map_shown_ = false;
};

}  // namespace trunnion::api
