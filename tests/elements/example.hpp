#pragma once
// Small random systems around one element, and a registry of them: listing an element here puts it through all the automatic tests.

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "assembly/evaluation.hpp"
#include "assembly/layout.hpp"
#include "assembly/sink.hpp"
#include "elements/beam_element.hpp"
#include "elements/body.hpp"
#include "elements/curve_constraint.hpp"
#include "elements/equation.hpp"
#include "elements/gcon.hpp"
#include "elements/joint.hpp"
#include "elements/load.hpp"
#include "elements/measure_row.hpp"
#include "elements/modal_body.hpp"
#include "elements/modal_load.hpp"
#include "elements/reading.hpp"
#include "expr/program.hpp"
#include "expr/tables.hpp"

namespace trunnion::elements::test {

using assembly::BlockId;
using assembly::Dynamics;
using assembly::Layout;
using assembly::MarkerDef;
using assembly::MarkerId;
using assembly::MarkerTable;
using assembly::State;
using math::Mat3;
using math::Quat;
using math::Vec3;

// Modal and between are made up (made_up.hpp); flexible is a FLEX_BODY with three modes.
enum class Owner { ground, rigid, point, planar, modal, between, flexible };
// Whether it moves as a whole without being held anywhere.
inline bool is_free(Owner owner) {
  return owner == Owner::rigid || owner == Owner::modal || owner == Owner::between ||
         owner == Owner::flexible;
}

// One system: everything compile() would make, plus a state to test it at.
struct Example {
  explicit Example(unsigned seed) : rng(seed) {}
  Example(const Example&) = delete;

  Layout layout;
  MarkerTable markers;
  std::vector<BlockId> bodies;  // blocks with a frame
  std::vector<Body> masses;
  std::vector<ModalBody> flexible;
  std::vector<BeamElement> beams;
  std::vector<Joint> joints;
  std::vector<MeasureRow> rows;
  std::vector<Gcon> gcons;
  std::vector<Ptcv> ptcvs;
  std::vector<Cvcv> cvcvs;
  std::vector<Load> loads;
  std::vector<ModalLoad> modal_loads;
  std::vector<Equation> equations;
  std::vector<Reading> readings;
  std::vector<std::unique_ptr<expr::Program>> programs;
  std::vector<std::unique_ptr<math::Curve>> curves;
  expr::TableSet tables;  // of the programs
  // Changes sign where an element has a kink or a jump.
  struct Kink {
    Response response{1};
    assembly::Columns columns;
  };
  std::vector<Kink> kinks;
  std::vector<double> memory;  // what an element finds in State::memory, from place 0 on
  int drives = 0;              // f_k(t) = sin((1 + k) t)
  bool internal = false;       // no element touches ground and all bodies are free
  // Of what its loads store: whether −∂V/∂q is their force everywhere, only where I and J are not turned against each other, or nowhere.
  enum class Potential { not_said, exact, untwisted, none };
  Potential potential = Potential::not_said;
  std::vector<std::pair<MarkerId, MarkerId>> pairs;  // of the element under test
  State state;                                       // where coincident markers coincide
  std::mt19937 rng;

  double uniform(double a = -1.0, double b = 1.0) {
    return std::uniform_real_distribution<double>(a, b)(rng);
  }
  Vec3 vector(double size = 1.0) {
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
  }
  Quat rotation() { return math::so3_exp_quat(vector(1.6)); }

  // Adds it with random mass; poses are drawn in finish(). A point between two nodes shares the second with the one before it.
  BlockId body(Owner owner);
  MarkerId marker(BlockId body);  // a random frame in it
  // A random frame in it that coincides, in place only, with another's at the example's state.
  MarkerId marker_at(BlockId body, MarkerId other);
  // Draws velocities, accelerations, multipliers; to be called last.
  void finish();

  // A random state near nothing: poses, velocities, accelerations and multipliers.
  State random_state();
  void evaluate(const State& at, assembly::Sink& sink, bool reversed = false) const;
  // On which side of its kinks a state is.
  std::vector<bool> sides(const State& at) const;

  // The angles that are counted over full turns. From half a turn off what is expected on they jump.
  std::vector<double> counted_angles(const State& at) const;

  std::vector<math::Jet> drive_values(double t) const;
  std::vector<Vec3> body_x;  // poses drawn when a body is added, by block
  std::vector<Quat> body_R;

 private:
  // The second block of a made-up body, or of a flexible one, by its first.
  struct MadeUp {
    Owner owner;
    BlockId second;
  };
  BlockId flexible_body();
  void draw_poses(State& state);
  void set_start(State& state) const;
  Vec3 place(const MarkerDef& def) const;  // at the example's state
  // A frame at `at`, in body axes, of a body that is made up; or, if `coincides` is given, in that place.
  MarkerDef made_up_marker(BlockId body, const Vec3& at, const Mat3& R, const Vec3* coincides);

  std::map<int, MadeUp> made_up_;
  std::map<int, std::vector<double>> amplitudes_;  // drawn when a body is added, by block
  BlockId last_node_;
};

struct Listed {
  std::string name;
  std::function<void(Example&)> build;
};
const std::vector<Listed>& registry();
std::unique_ptr<Example> make(const Listed& listed, unsigned seed);

}  // namespace trunnion::elements::test
