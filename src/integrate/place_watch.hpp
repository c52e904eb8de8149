#pragma once
// Forces that act within a thin layer of place, speed or state: a step that begins before it and ends beyond it sees nothing of them, and neither does
// its error. Functions tell where they change their course (expr/kinks.hpp). Two ways of passing unseen are looked for in each step:
//   a layer   such places lie between what a function reads at the ends of the step, and the function is something else
//             between two of them, or near one of them only, than at both ends
//   a touch   an IMPACT or BISTOP comes nearer at the start and goes away at the end, so fast that it may have touched in between:
//             its distance, continued straight from both ends, meets below zero
// The step then ends there instead, and the error test sees what acts.

#include <vector>

#include "system/place_kinks.hpp"

namespace trunnion::integrate {

class PlaceWatch {
 public:
  PlaceWatch(const system::System& system, system::System::Workspace& work)
      : system_(system), work_(work), kinks_(system), largest_(kinks_.functions().size(), 0.0) {}

  bool idle() const { return kinks_.functions().empty(); }
  void begin(const assembly::State& state);
  // The part of the step from an accepted to a trial state after which it should end; 1: all of it.
  double part(const assembly::State& from, const assembly::State& trial);
  void accepted();  // the trial state whose part() was asked last

 private:
  double passed_layer(std::size_t function, double h);
  double passed_touch(std::size_t function, double h) const;
  void read_at(std::size_t function, double h, double x);
  double off_line(std::size_t function, double h, double x);
  bool is_thin(std::size_t function, double h, double x);
  bool differs(std::size_t function);
  double root(std::size_t function, std::size_t kink, double h);

  const system::System& system_;
  system::System::Workspace& work_;
  system::PlaceKinks kinks_;
  system::PlaceKinks::Reading from_, to_;
  std::vector<double> largest_;  // value of each function so far
  std::vector<double> in_, distances_, roots_, at_from_, at_to_, between_;
  int tries_ = 0;
};

}  // namespace trunnion::integrate
