#pragma once
// What stands behind an input of a function expression: VARVAL(1), AZ(11,21), ARYVAL(3,2), SFORCE(1,0,3,2). One answer for all: the
// compiler asks while the system grows, the channels of a run ask the whole.

#include <optional>
#include <string>
#include <vector>

#include "elements/function.hpp"
#include "model/model.hpp"
#include "system/system.hpp"

namespace trunnion::system {

// What there is to read.
class InputSources {
 public:
  virtual ~InputSources() = default;
  virtual const assembly::Layout& layout() const = 0;
  virtual const assembly::MarkerTable& frames() const = 0;
  virtual std::optional<assembly::MarkerId> marker(int id) = 0;  // 0 is ground
  virtual const StateInfo* states(model::Kind kind, int id) = 0;
  virtual const std::vector<elements::Signal>* array(int id) = 0;
  virtual int turns(elements::MeasureKind kind, int i, int j) = 0;  // where they are counted; −1: nowhere
  virtual elements::Signal sensor(int id) = 0;
};

// A number to read, or why there is none; no reason where a marker is missing.
struct Resolved {
  std::optional<elements::Signal> signal;
  std::string why = {}, hint = {};
};
// Of all inputs but forces.
Resolved resolve(const expr::Input& input, const model::Model& model, InputSources& from);
// The parts of it: a state, a component of PINPUT or POUTPUT, of an ARRAY.
Resolved resolve_state(model::Kind kind, int id, assembly::Level level, const model::Model& model,
                       InputSources& from);
Resolved resolve_plant(const model::RefList<model::Variable>& variables, int component,
                       const model::Model& model, InputSources& from);
Resolved resolve_array(int array, int component, const model::Model& model, InputSources& from);

// A force that is read: what acts, which of the eight components, along the axes of which marker.
inline bool reads_force(const expr::Input& input) {
  return input.kind == expr::InputKind::element_force || input.kind == expr::InputKind::generic_force;
}
struct ForceRead {
  model::Kind kind;  // of an element function
  std::vector<System::Acting> acting;
  int component = 1;  // 1 … 8 = |F| Fx Fy Fz |T| Tx Ty Tz
  int rm = 0;
};
ForceRead force_read(const expr::Input& input, const model::Model& model, const System& system);

// Angles that go on counting beyond a turn, and the key of the count: as an expression names it, AZ(11) where j is the ground.
bool counts_turns(elements::MeasureKind kind);
std::string turns_key(elements::MeasureKind kind, int i, int j);

// The inputs of a system that is whole.
class SystemInputs final : public InputSources {
 public:
  explicit SystemInputs(const System& system) : system_(system) {}
  const assembly::Layout& layout() const override { return system_.layout(); }
  const assembly::MarkerTable& frames() const override { return system_.markers(); }
  std::optional<assembly::MarkerId> marker(int id) override { return system_.find_marker(id); }
  const StateInfo* states(model::Kind kind, int id) override { return system_.find_states(kind, id); }
  const std::vector<elements::Signal>* array(int id) override { return system_.find_array(id); }
  int turns(elements::MeasureKind kind, int i, int j) override {
    return system_.counted_place(turns_key(kind, i, j));
  }
  elements::Signal sensor(int id) override;

 private:
  const System& system_;
};

}  // namespace trunnion::system
