#pragma once
// First touches of CONTACTs. One that begins within a step is to begin near its end, less deep than a part of DMAX: what a long step does
// across the first touch, the error at its end does not see. Nor does a step see what it passes through: where two solids may have met between
// its ends, because they came nearer than they moved, places on the way are looked at. Each pair of solids counts by itself: a wheel that rolls on the
// ground meets the sill that is in the same list.

#include <limits>
#include <vector>

#include "system/contacts.hpp"

namespace trunnion::integrate {

class TouchWatch {
 public:
  TouchWatch(const system::System& system, system::System::Workspace& work)
      : system_(system), work_(work), contacts_(system) {}

  void begin(const assembly::State& state);
  // The part of the step from an accepted to a trial state after which it should end: 1, or less where a contact begins too deep.
  double part(const assembly::State& from, const assembly::State& trial);
  // Of the step just accepted, whose part() was asked last: which contacts have begun to touch or have been released, and how long steps
  // may be for damping to come on in several: those of a free flight say nothing of what a contact needs.
  struct Change {
    const core::Words* contact;
    bool begins;
  };
  struct Changes {
    double longest = std::numeric_limits<double>::infinity();
    std::vector<Change> all;
  };
  const Changes& accepted(double h);
  const Changes& at_start();  // those that touch where begin() was called
  bool idle() const { return contacts_.size() == 0; }

 private:
  double met_within(const assembly::State& from, const assembly::State& trial);
  bool may_have_met(std::size_t pair, double h, double& way) const;
  bool any_touches(std::size_t contact, const std::vector<double>& depths) const;

  const system::System& system_;
  system::System::Workspace& work_;
  system::Contacts contacts_;
  std::vector<double> before_,
      depth_;  // penetrations of the pairs at the last accepted and at the trial state
  std::vector<double> pace_before_, pace_;  // of the CONTACTs
  std::vector<double> between_;             // within a step
  std::vector<std::size_t> suspects_;
  Eigen::VectorXd move_, part_of_move_;
  assembly::State there_;
  Changes changes_;
  int tries_ = 0;
};

}  // namespace trunnion::integrate
