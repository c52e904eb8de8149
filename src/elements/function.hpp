#pragma once
// What an element computes from the rest of the system: numbers read (signals) and functions of them, with exact partials by level
// over the element's own columns.
//
// A signal is time, a constant, the kind of analysis (MODE), a measure, a kept number, or one entry of a block of scalars:
//   VARVAL(id), ARYVAL of outputs, a force read back       algebraic block, Level::q
//   DIF(id), ARYVAL of states                              first-order block, Level::q
//   DIF1(id)                                               first-order block, Level::v
// A response is m outputs of s signals:
//   c = scale · (constant + linear · s + functions(s) + law(s))     ∂c/∂s exact, from the tape of the expression
//   ∂c/∂q = ∂c/∂s · ∂s/∂q, and so for v and a
// Signals that several functions of one element share are evaluated once.

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "assembly/sink.hpp"
#include "elements/measure.hpp"
#include "elements/scatter.hpp"
#include "expr/program.hpp"

namespace trunnion::elements {

struct Signal {
  enum class Kind : std::uint8_t { time, mode, constant, memory, measure, state };
  Kind kind = Kind::time;
  double value = 0.0;  // of a constant
  int place = -1;      // in State::memory
  Measure measure;
  assembly::BlockId state;  // a block of scalars …
  int component = 0;        // … and which of them
  Level level = Level::q;   // its value (VARVAL, DIF) or its rate (DIF1)

  static Signal of(Measure measure) {
    Signal s;
    s.kind = Kind::measure;
    s.measure = std::move(measure);
    return s;
  }
  static Signal of_state(assembly::BlockId block, int component, Level level = Level::q) {
    Signal s;
    s.kind = Kind::state;
    s.state = block;
    s.component = component;
    s.level = level;
    return s;
  }
};
// Whether both are the same number at every state.
bool same(const Signal& a, const Signal& b);
double value(const Signal& signal, const Evaluation& at);

// Which levels of which blocks something depends on: bit 1 << level for each block of an element's columns.
class Dependence {
 public:
  void add(const Columns& columns, assembly::BlockId block, Level level);
  void add(const Columns& columns, const Port& marker, Level level);
  void add(const Columns& columns, const Signal& signal);
  bool has(std::size_t block, Level level) const {
    return block < bits_.size() && (bits_[block] >> static_cast<int>(level) & 1u) != 0;
  }
  bool any(Level level) const;

 private:
  std::vector<unsigned> bits_;
};

// The distinct signals of one element.
class Signals {
 public:
  // Its index; its blocks are added to the columns.
  int add(Signal signal, const assembly::Layout& layout, Columns& columns);
  std::size_t size() const { return items_.size(); }
  const Signal& operator[](std::size_t k) const { return items_[k].signal; }

  struct Values {
    VecMap value{nullptr, 0};
    // Of each level, columns × signals; empty where nothing depends on that level, or where no partials were asked for.
    std::array<MatMap, 3> by{MatMap{nullptr, 0, 0}, MatMap{nullptr, 0, 0}, MatMap{nullptr, 0, 0}};
  };
  // In the evaluation's scratch. `columns` is the number of the element's columns.
  Values evaluate(const Evaluation& at, int columns, bool partials) const;
  const Dependence& dependence() const { return dependence_; }

 private:
  struct Item {
    Signal signal;
    Scatter scatter;  // of a measure
    int column = -1;  // of a state
  };
  std::vector<Item> items_;
  Dependence dependence_;
};

// An expression as a function of an element's signals; one output, or three for a vector.
struct Function {
  const expr::Program* program = nullptr;  // outlives this
  std::vector<int> signals;                // of each program input
  int first = 0;                           // output that its first result is added to
  Eigen::VectorXd shape;                   // of a factor: its one result times this is added from there on
};

// A law written in C++ rather than as an expression: adds its outputs to c and, unless D is empty, ∂/∂signals to D.
class Law {
 public:
  virtual ~Law() = default;
  virtual void add(const VecMap& signals, VecMap c, MatMap D) const = 0;
  // What −∂/∂signals of gives the outputs, where there is such a thing.
  virtual bool stores() const { return false; }  // whether there is
  virtual double potential(const VecMap&) const { return 0.0; }
  // Its rate where the signals change at these rates.
  virtual double potential_rate(const VecMap&, const VecMap& /*rates*/) const { return 0.0; }
  // What an accepted step leaves behind: places of State::memory and their new values.
  virtual bool remembers() const { return false; }
  virtual void keep(const VecMap&, std::vector<std::pair<int, double>>&) const {}
  virtual bool keeps_travel() const { return false; }  // what it keeps is a way gone, not a place
};

struct Response {
  Signals signals;
  int outputs = 0;
  Eigen::VectorXd constant;  // outputs
  Eigen::MatrixXd linear;    // outputs × signals, or empty
  std::vector<Function> functions;
  std::shared_ptr<const Law> law;  // or none
  double scale = 1.0;

  explicit Response(int count = 0) : outputs(count), constant(Eigen::VectorXd::Zero(count)) {}
  // inputs are in the order of program.inputs(). `shape`: what a factor is a factor of.
  void add(const expr::Program& program, std::vector<Signal> inputs, int first,
           const assembly::Layout& layout, Columns& columns, Eigen::VectorXd shape = {});
};

struct ResponseValues {
  Signals::Values signals;
  VecMap value{nullptr, 0};  // outputs
  // ∂/∂(columns) of each level: columns × outputs; empty as for Signals.
  std::array<MatMap, 3> by{MatMap{nullptr, 0, 0}, MatMap{nullptr, 0, 0}, MatMap{nullptr, 0, 0}};
};
ResponseValues evaluate(const Response& response, const Evaluation& at, expr::Workspace& work, int columns,
                        bool partials);
// The outputs c of given signals, and unless D is empty ∂c/∂signals: outputs × signals.
void respond(const Response& response, const Evaluation& at, expr::Workspace& work, const VecMap& signals,
             VecMap c, MatMap D);

// Why a response has no finite value or slope here: its first function that has none, or what its law gives.
expr::Trouble trouble(const Response& response, const Evaluation& at, int columns);

// The part of `needs` that belongs to a level.
inline bool wanted(const assembly::Needs& needs, Level level) {
  switch (level) {
    case Level::q: return needs.partial_q;
    case Level::v: return needs.partial_v;
    case Level::a: break;
  }
  return needs.partial_a;
}
inline constexpr std::array<Level, 3> kLevels{Level::q, Level::v, Level::a};

}  // namespace trunnion::elements
