#pragma once
// DEBUG/EPRINT, RHSDUMP, JMDUMP and DUMP: what the corrector does, by the names of equations and variables (primer §8.5).

#include <functional>
#include <string>

#include "integrate/step_loop.hpp"
#include "solve/corrector.hpp"

namespace trunnion::api {

class DebugPrint {
 public:
  using Say = std::function<void(const std::string&)>;
  struct Wanted {
    bool eprint = false, rhsdump = false, jmdump = false, dump = false;
    bool any() const { return eprint || rhsdump || jmdump || dump; }
  };
  DebugPrint(Say say, Wanted wanted) : say_(std::move(say)), wanted_(wanted) {}

  void step(const integrate::StepAttempt& attempt);
  void rejected(const std::string& why);
  void iteration(const solve::IterationRecord& record, const system::StageSink& sink);

 private:
  void dump_map(const system::StageSink& sink);  // once: which equations and variables there are
  void dump_states(const solve::IterationRecord& record, const system::StageSink& sink);
  void dump_matrix(const system::StageSink& sink);

  Say say_;
  Wanted wanted_;
  bool map_shown_ = false;
};

}  // namespace trunnion::api
