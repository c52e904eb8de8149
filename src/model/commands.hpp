#pragma once
// Commands that are not statements: run an analysis, switch elements, read and write files, show information.

#include "model/output.hpp"
#include "model/statement.hpp"
#include "model/values.hpp"

namespace trunnion::model {

struct Marker;
struct Pinput;
struct Poutput;
struct Pstate;

struct Simulate : Statement {
  enum class Type { dynamics, kinematics, transient, statics, initial_conditions, settle };
  enum class Level { displacement, velocity, acceleration };
  Choice<Type> type;
  Choice<Level> level;                  // INITIAL_CONDITIONS: stop after this level
  std::optional<double> end, duration;  // time
  std::optional<int> steps;
  std::optional<double> dtout;  // time
};

struct Linear : Statement {
  enum class Type { eigensol, statemat, mkb, nastran };
  enum class Format { matrixx, matlab };
  Choice<Type> type;
  bool novector = false, nodampin = false, original = false;
  std::vector<int> coords;  // first, last mode
  bool kinetic = false, strain = false, dissipative = false;
  Ref<Marker> rm;
  Ref<Pstate> pstate;
  Ref<Pinput> pinput;
  Ref<Poutput> poutput;
  std::optional<std::string> file;
  Choice<Format> format;
  std::optional<int> export_type;  // TYPE, of the Nastran deck
};

struct Selection : Statement {
  Choice<ElementKind> element;
  std::vector<int> ids;    // ID
  std::vector<int> range;  // first, last id
};
struct Activate : Selection {};
struct Deactivate : Selection {};

struct File : Statement {
  std::optional<std::string> model, command, output_prefix;
};

enum class Saved { system, states };

struct Save : Statement {
  Choice<Saved> content;
  std::optional<std::string> file, buffer, title;
};

struct Reload : Statement {
  Choice<Saved> content;
  std::optional<std::string> file, buffer, output_prefix, title;
};

struct Info : Statement {
  Choice<Quantity> quantity;
  Ref<Marker> i, j, rm;
};

struct Show : Statement {
  enum class Status { simulation, model };
  Choice<Status> status;
  bool dof = false, version = false, files = false;
};

struct Time : Statement {};

struct Control : Statement {
  Expression function;
  std::optional<std::string> routine;
};

struct Help : Statement {
  std::optional<std::string> topic;
};

struct Stop : Statement {};

}  // namespace trunnion::model
