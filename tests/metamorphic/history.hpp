#pragma once
// The motion of a model held in memory, by name and by kind of quantity, and how far two of them are apart.

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "analysis/dynamics/dynamics.hpp"
#include "math/so3.hpp"
#include "model/model.hpp"

namespace trunnion::metamorphic {

// What a channel measures decides how it moves with the model, what it converts by and what an error of it is held against.
enum class Sort {
  position,     // three numbers
  orientation,  // three 3-1-3 angles, compared as rotations
  velocity,     // from here on vectors
  spin,
  acceleration,
  spin_rate,
  force,
  torque,
  state  // one number: VARIABLE, DIFF, LSE, REQUEST
};
inline constexpr std::size_t kSorts = 9;
const char* name_of(Sort sort);

struct Quantity {
  std::string name;  // "PART/2.X", the first of its numbers
  Sort sort = Sort::state;
  std::size_t at = 0;  // place of the first number in a row
  bool loose =
      false;  // not compared: angles that jump by whole turns, readings of reactions that are not unique
};

struct Momentum {
  math::Vec3 linear, angular;  // about the origin of the ground
};

struct History {
  bool ok = false;
  std::string why;     // where it is not: what was said
  bool unfit = false;  // the model does not compile or assemble: no motion to judge
  std::vector<Quantity> quantities;
  std::vector<double> t;
  std::vector<std::vector<double>> rows;
  std::vector<Momentum> momentum;
  std::vector<double> energy, spent;  // kinetic + potential; dissipated − work put in
  std::vector<double> kinetic;
  bool redundant = false;  // reactions are then not unique
  double adjusted =
      0;  // what assembly changed of positions and velocities given, largest; how depends on units
  int freedoms = 0;
  double mass = 0;  // of all bodies
  long steps = 0;

  const double* value(std::size_t row, const Quantity& q) const { return rows[row].data() + q.at; }
};

// When rows are taken, and what is done on the way.
struct Schedule {
  double begin = 0;
  std::vector<double> times;      // after begin, rising
  std::vector<double> interrupt;  // a SIMULATE ends at each of these, and another goes on
  bool turn_back = false;  // at the end velocities are reversed and the same times are run through again
  double shake = 0;        // by what part of themselves they are changed there
};
Schedule evenly(double duration, int steps, double begin = 0);

// Row 0 is the start. The INTEGRATOR statement of the model counts.
History simulate(const model::Model& model, const Schedule& schedule);
// The start alone, with accelerations and reactions.
History start(const model::Model& model, double begin = 0);
// Where the forces balance, from the start on; not ok where no stable place was found. `at` is told the system there.
History at_rest(const model::Model& model,
                const std::function<void(const system::System&, const analysis::AssemblyResult&)>& at = {});

// Sizes that errors are held against. ERROR is relative to max(1, size) of each coordinate, so no length counts as smaller than 1,
// and a rate is an error of a coordinate over the shortest time in which it changes by its size.
struct Sizes {
  std::array<double, kSorts> of{};
};
Sizes sizes_of(const History& history, double duration);

struct Apart {
  std::array<double, kSorts> by{};  // over the size of its sort, largest over rows and quantities
  std::array<std::string, kSorts> where;
  std::string missing;  // a quantity that one of the two does not have

  double largest(std::initializer_list<Sort> sorts) const;
};
// Over rows at the same times; quantities are matched by name. Those that only `variant` has are left aside.
Apart apart(const History& base, const History& variant, const Sizes& sizes);

}  // namespace trunnion::metamorphic
