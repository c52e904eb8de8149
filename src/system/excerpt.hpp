#pragma once
// The elements of a system apart from one another, for who evaluates its equations in parts: the joints as they are; all that applies forces
// or gives states and variables; the constraints that certain rows belong to.

#include <span>
#include <vector>

#include "elements/joint.hpp"
#include "system/system.hpp"

namespace trunnion::system {

struct Elements;

class Excerpt {
 public:
  // The constraints are those that own any of these rows of the layout.
  Excerpt(const System& system, std::span<const int> rows);

  static std::span<const elements::Joint> joints(const System& system);

  bool has_loads() const { return loads_; }  // forces, states or variables

  // Brings the workspace to the positions, velocities and time of the state; accelerations stay as they were.
  void update(const assembly::State& state, System::Workspace& work) const;
  // What has been brought to the state emits: all forces, or the constraints chosen, in the order of the system …
  void emit_loads(const assembly::State& state, System::Workspace& work, assembly::Sink& sink) const;
  void emit_rows(const assembly::State& state, System::Workspace& work, assembly::Sink& sink) const;

  // … or what gives states and variables, and forces read back, one by one: the block it is about, and whether it reads its own value
  // (Level::q) or its own rate (Level::v).
  std::size_t scalars() const;
  assembly::BlockId scalar_block(std::size_t k) const;
  bool reads_itself(std::size_t k, assembly::Level level) const;
  void emit_scalar(std::size_t k, const assembly::State& state, System::Workspace& work,
                   assembly::Sink& sink) const;

 private:
  const System& system_;
  const Elements& elements_;
  std::vector<std::size_t> joints_, measure_rows_, gcons_, ptcvs_, cvcvs_;
  bool loads_ = false;
};

}  // namespace trunnion::system
