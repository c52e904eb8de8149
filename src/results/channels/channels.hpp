#pragma once
// What a run reports: named numbers with units, taken from an accepted state.
//   PART/2.X Y Z PSI THETA PHI VX … WDZ     mass centre and the axes of the CM marker, in ground axes
//   JOINT/1.FX FY FZ TX TY TZ               on the I side, in ground axes; JPRIM, MOTION, COUPLER, GEAR, GCON, PTCV alike
//   SFORCE/1.FX FY FZ TX TY TZ              the same for applied forces
//   VARIABLE/1, DIFF/1                      value, state;  LSE/1.X1 … Y1 …, TFSISO/1 alike: states and outputs
//   FLEX_BODY/2.Q7 Q8 …                     modal coordinates, by the numbers of the modes; X … WDZ alike, of its frame
//   FE_PART/2.3.X …, FE_PART/2.3-4.FX …     nodes of beams as bodies; sections of beams, see beams.hpp
//   ENERGY.KINETIC POTENTIAL DISSIPATED WORK BALANCE   of the whole; the balance, kinetic + potential + dissipated − work, is
//                                           constant in a dynamic run as far as the run is right. Other analyses leave DISSIPATED
//                                           and WORK as they were.
//   REQUEST/1.F1 … F8                       as the language defines them
//   SOLVER.STEP ORDER ITERATIONS            size and order of the step a row lies in, and the corrector's iterations since the row before
//   JOINT/1.LAMBDA1 …, MARKER/…, XFORM/…    on request, see multipliers.hpp and frames.hpp

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/diagnostics.hpp"
#include "results/channels/beams.hpp"
#include "results/channels/channel.hpp"
#include "results/channels/frames.hpp"
#include "results/channels/multipliers.hpp"
#include "results/write/step_record.hpp"
#include "system/system.hpp"

namespace trunnion::results {

// What is there beyond the usual.
struct ChannelWishes {
  std::string patterns;      // may name markers and part frames
  bool part_frames = false;  // all of them: files for the commercial tool need them
};

class Channels {
 public:
  // Requests that need what the system does not have yet are left out, each with a warning.
  Channels(std::shared_ptr<const system::System> system, const model::Model& model,
           core::Diagnostics& diagnostics, const ChannelWishes& wishes = {});
  ~Channels();

  const std::vector<Channel>& list() const { return list_; }
  std::size_t first_request() const { return first_request_; }  // place of F1 of the first of them
  std::size_t usual() const {
    return usual_;
  }  // of them: the rest is there for files with a layout of their own
  // One value per channel, in order; the first is the time. The state must have been accepted, with its reactions, in an analysis of
  // that mode: what depends on MODE is told as it acted there.
  void sample(const assembly::State& state, assembly::AnalysisMode mode, std::vector<double>& values);
  // Functions of requests that had no finite value in the last row and had one, or none, before: each is told once, with the reason.
  std::vector<core::Words> take_troubles() { return std::exchange(troubles_, {}); }
  // The first channel of a row that is not finite and is no request: a solution that is none. Past the end: all are.
  std::size_t first_not_finite(const std::vector<double>& values) const;
  void stepped(const StepRecord& step);  // accepted; the rows that follow lie in it
  void no_steps() { step_ = {}; }        // the rows that follow come from no integrator
  // Dissipated and put in up to the next state; integrals are for who makes the motion.
  void set_spent(const system::Power& spent) { spent_ = spent; }

 private:
  struct RequestInput;
  struct Request;

  void add(std::string name, std::string unit, core::Subject about = {}) {
    list_.push_back({std::move(name), std::move(unit), about});
  }
  std::optional<std::vector<RequestInput>> sources(const expr::Program& program, const model::Model& model,
                                                   std::string& why) const;
  void add_requests(const model::Model& model, core::Diagnostics& diagnostics);
  void sample_bodies(std::vector<double>& values);
  void add_states();
  void sample_forces(const assembly::State& state, std::vector<double>& values);
  elements::Wrench sum_of(const std::vector<system::System::Acting>& acting, const assembly::State& state);
  void sample_requests(const assembly::State& state, std::vector<double>& values);
  void note_trouble(Request& request, int component, double t, double value, const std::string& why);
  void sample_energy(const assembly::State& state, std::vector<double>& values);

  std::shared_ptr<const system::System> system_;
  system::System::Workspace work_;
  std::vector<Channel> list_;
  std::size_t usual_ = 0;
  std::vector<Request> requests_;
  std::size_t first_request_ = 0;  // place of their first channel
  std::vector<core::Words> troubles_;
  bool yaw_pitch_roll_ = false;  // OUTPUT/YPR: the angles of a displacement
  std::vector<int> states_;      // places in State::q, in the order of their channels
  BeamChannels beams_;
  MultiplierChannels multipliers_;
  FrameChannels frames_;
  StepRecord step_;
  double ucf_ = 1;
  system::Power spent_;
};

}  // namespace trunnion::results
