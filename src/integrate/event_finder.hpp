#pragma once
// The first event within an accepted step, by the formula's own interpolant: its values at the ends, at quarters of the step, and at the tops
// between them, where what comes close goes again.

#include <array>
#include <optional>
#include <vector>

#include "integrate/step_loop.hpp"

namespace trunnion::integrate {

// Whether a value comes true from one time to the next; of several, which ones.
bool crossed(const Event& event, double from, double to);
std::vector<int> crossed(const std::vector<Event>& events, const std::vector<double>& from,
                         const std::vector<double>& to);

class EventFinder {
 public:
  EventFinder(const system::System& system, const Formula& formula, const std::vector<Event>& events,
              system::System::Workspace& work)
      : system_(system), formula_(formula), events_(events), work_(work) {}

  bool idle() const { return events_.empty(); }
  void begin(const assembly::State& state) { sense(state, before_); }
  struct Found {
    double t = 0;  // at or just after the crossing
    std::vector<int> which = {};
  };
  // In the step of length h that led to `state`: the first, with all that have come true by its time. Each step must be asked about,
  // in turn.
  std::optional<Found> within(const assembly::State& state, double h);

 private:
  static constexpr std::size_t kParts = 4;  // of a step
  struct Sample {
    double t = 0;
    std::vector<double> values;
  };
  void sense(const assembly::State& state, std::vector<double>& values);
  void sense_within(const assembly::State& state, double h);
  double value(const Event& event, double t);
  std::optional<double> first_crossing(std::size_t k);
  double locate(const Event& event, double t0, double e0, double t1, double e1);

  const system::System& system_;
  const Formula& formula_;
  const std::vector<Event>& events_;
  system::System::Workspace& work_;
  std::vector<double> before_, at_first_;
  std::array<Sample, kParts + 1> samples_;
  assembly::State there_;
};

}  // namespace trunnion::integrate
