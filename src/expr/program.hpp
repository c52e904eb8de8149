#pragma once
// A compiled function expression.
//
//   CompileResult result = expr::compile("-1e4*(DM(2,3)-0.1) - 20*VR(2,3)");
//   for (const ExprError& e : result.errors) report(e);          // all of them, with positions
//   Program& f = *result.program;
//   for (const Reference& r : f.references()) check(r);           // MARKER/2, MARKER/3 exist?
//   for (const ExprError& e : f.bind(tables)) report(e);          // only if it uses tables
//   Workspace work(f);                                            // once; no allocation below
//   std::vector<double> in(f.inputs().size()), grad(in.size());   // fill in[k] for f.inputs()[k]
//   double force = f.gradient(in, work, grad);
//
// A program is immutable once bound and may be evaluated from several threads, each with its own Workspace.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expr/error.hpp"
#include "expr/functions.hpp"
#include "expr/tables.hpp"
#include "expr/tape.hpp"
#include "math/dual.hpp"

namespace trunnion::expr {

enum class InputKind : std::uint8_t {
  time,
  mode,
  measure,        // DX … WDTZ, INCANG
  orient,         // ids = type, component, i, j
  generic_force,  // FX(i, j, k) …
  element_force,  // ids = id, jflag, component, rm (FRICTION: id, component)
  variable,       // VARVAL(id)
  diff,           // DIF(id)
  diff_rate,      // DIF1(id)
  array,          // ARYVAL(id, component), and the next two alike
  plant_input,
  plant_output,
  sensor,
  flex_frequency,  // FXFREQ
  flex_mode,
};

// A number the expression needs from outside. Markers left out are 0, ground.
struct Input {
  InputKind kind = InputKind::time;
  const FunctionInfo* function = nullptr;
  std::array<int, 4> ids{};

  std::string name() const;  // "DX(2,3,1)", trailing ground markers left out
  bool operator==(const Input&) const = default;
};

// Where the text names another statement.
struct Reference {
  std::size_t offset = 0;
  std::size_t length = 0;
  std::string_view statement;  // "MARKER", "SPLINE", …
  int id = 0;
};

// What is not finite: an operation of the expression, only its derivative, or already an input.
struct Trouble {
  enum class Kind : std::uint8_t { none, operation, derivative, input };
  Kind kind = Kind::none;
  std::string text;  // "SQRT(DX(2,3)-1) is not a number: square root of the negative number -0.5"
};

class Program;

// Scratch memory of evaluations. One may serve many programs: it grows to the largest. Not for two threads at
// once.
class Workspace {
 public:
  Workspace() = default;
  explicit Workspace(const Program& program) { reserve(program); }
  void reserve(const Program& program);

 private:
  friend class Program;
  std::vector<double> values_, adjoints_, partials_;
  std::vector<math::Dual> dual_values_, dual_adjoints_, dual_partials_;
};

class Program {
 public:
  const std::string& text() const { return text_; }
  std::span<const Input> inputs() const { return inputs_; }
  std::span<const TableUse> tables() const { return tables_; }
  std::span<const Reference> references() const { return references_; }
  int output_count() const { return static_cast<int>(tape_.outputs.size()); }  // 1, or 3 for a vector
  std::optional<double> constant() const;  // the value, if it is a single number known at compile time

  // USER(…) as the whole expression: only its parameters count, evaluation gives NaN.
  bool is_user() const { return is_user_; }
  std::span<const double> user_parameters() const { return user_parameters_; }

  // Finds the tables. Until then, and for tables in error, look-ups give NaN.
  std::vector<ExprError> bind(TableSet& tables);

  // Inputs are in the order of inputs(). The first output is returned; grad[k] = ∂/∂inputs[k].
  double value(std::span<const double> inputs, Workspace& work) const;
  double gradient(std::span<const double> inputs, Workspace& work, std::span<double> grad) const;
  // hess is dense, symmetric, inputs × inputs; the value and gradient of that output come along.
  double hessian(std::span<const double> inputs, Workspace& work, std::span<double> grad,
                 std::span<double> hess, int output = 0) const;
  // All outputs; jacobian is output_count() rows of inputs().size() numbers.
  void values(std::span<const double> inputs, Workspace& work, std::span<double> out) const;
  void jacobian(std::span<const double> inputs, Workspace& work, std::span<double> out,
                std::span<double> jacobian) const;

  // Why the value or a derivative is not finite at these inputs: the first operation without a finite value, as
  // it is written, and its arguments. Allocates; meant for messages.
  Trouble trouble(std::span<const double> inputs) const;
  std::string explain(std::span<const double> inputs) const { return trouble(inputs).text; }

  const Tape& tape() const { return tape_; }

 private:
  friend class Parser;
  friend class Workspace;

  template <class T, bool partials> void run(T* values, T* partial_store) const;
  template <class T> void load(std::span<const double> inputs, T* values) const;

  std::string text_;
  std::vector<Input> inputs_;
  std::vector<TableUse> tables_;
  std::vector<SourceRange> table_ranges_;
  std::vector<BoundTable> bound_;
  std::vector<Reference> references_;
  std::vector<double> user_parameters_;
  Tape tape_;
  bool is_user_ = false;
};

struct CompileOptions {
  bool vector_allowed = true;    // false: a vector result is an error (SFORCE, MOTION, …)
  bool vector_required = false;  // true: a scalar result is an error (FXYZ=, TXYZ=)
};

struct CompileResult {
  std::optional<Program> program;  // present if there are no errors
  std::vector<ExprError> errors;   // in the order of their positions
};

inline constexpr std::size_t kMaxTextLength = 1u << 20;
inline constexpr int kMaxNesting = 200;
inline constexpr std::size_t kMaxErrors = 50;

// Any bytes are accepted; time is linear in their number.
CompileResult compile(std::string_view text, const CompileOptions& options = {});

}  // namespace trunnion::expr
