#pragma once
// First touches of CONTACTs. One that begins within a step is to begin near its end, less deep than a part of DMAX: what a long step does
// across the first touch, the error at its end does not see. Nor does a step see what it passes through or dips into: the distance of two solids
// changes by no more than they move, so that they cannot meet where their distances at its ends are together more than that. Where they are
// not, the way is gone along in steps as long as the distance is each time, which passes over no touch. Very near each other
// the steps are as long as a touch may be deep without being located; a least distance between three of them is then looked for. What draws back so fast that the damping leaves no force may be pushed again before it is out, as the damping goes down with the depth:
// both ends of a step over that are free. Each pair of
// solids counts by itself: a wheel that rolls on the ground meets the sill that is in the same list.

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
  class Path;
  double met_within(std::size_t pair, double h);
  double first_touch(std::size_t pair, Path& path);
  double gap(std::size_t pair, const Path& path, double x) const;
  struct Bracket {
    double low, middle, high, gap;  // in the middle
  };
  double dip(std::size_t pair, const Path& path, Bracket bracket) const;
  bool may_be_free(std::size_t pair, double depth, double rate) const;
  double pushes_again(std::size_t pair, double h) const;
  void ends_apart_by(std::size_t pair, double distance);
  double sinks_at(std::size_t pair, const Path& path, double touch) const;
  double entry(std::size_t pair) const;
  bool any_touches(std::size_t contact, const std::vector<double>& depths) const;

  const system::System& system_;
  system::System::Workspace& work_;
  system::Contacts contacts_;
  std::vector<double> before_,
      depth_;  // penetrations of the pairs at the last accepted and at the trial state
  std::vector<system::Contacts::Relation> from_, to_;  // of the CONTACTs, there
  std::vector<double> pace_before_, pace_;
  Changes changes_;
  int tries_ = 0;
};

}  // namespace trunnion::integrate
