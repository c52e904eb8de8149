#pragma once
// Statements for variables, differential equations, control systems and the data they use.

#include "model/statement.hpp"
#include "model/values.hpp"

namespace trunnion::model {

// v = f(q, t), or 0 = v - f(v, q, t): an algebraic scalar.
struct Variable : Statement {
  Expression function;
  std::optional<double> ic;  // first guess
  std::optional<std::string> routine;
};

// y' = f, or 0 = f with IMPLICIT.
struct Diff : Statement {
  Expression function;
  std::vector<double> ic;  // y, y'
  bool implicit = false;
  bool static_hold = false;
  bool dynamic_hold = false;
  std::optional<std::string> routine;
};

struct Array : Statement {
  enum class Type { ic, u, x, y };
  Choice<Type> type;
  std::optional<int> size;
  std::vector<double> numbers;  // IC
  RefList<Variable> variables;  // U
};

struct Matrix : Statement {
  enum class Order { rows, columns };
  Choice<Order> full;
  bool sparse = false;
  std::optional<int> rows, columns;
  std::vector<int> i, j;  // SPARSE: row and column of each value, from 1
  std::vector<double> values;
  std::optional<std::string> file, format, units;
  std::optional<std::string> matrix_name;  // NAME: which matrix of the file
};

struct Spline : Statement {
  std::vector<double> x;
  Rows y;  // one row y1,y2,…, or rows z,y1,y2,… of a family
  std::optional<std::string> file, block;
  std::optional<int> channel;
  bool linear_extrapolate = false;
  std::optional<std::string> routine;
};

struct String : Statement {
  std::optional<std::string> string;
};

// x' = A x + B u, y = C x + D u.
struct Lse : Statement {
  Ref<Array> x, u, y, ic;
  Ref<Matrix> a, b, c, d;
  bool static_hold = false;
};

// States, inputs and outputs of a user subroutine.
struct Gse : Statement {
  enum class Partial { user, zero, nonzero, constant, unknown };
  std::optional<int> ns, nd, no;  // continuous, discrete states, outputs
  Ref<Array> x, xd, u, y, ic, icd;
  Expression function;
  Expression sample_period;             // time
  std::optional<double> sample_offset;  // time
  bool implicit = false;
  bool static_hold = false;
  Choice<Partial> xxflag, xuflag, yxflag, yuflag;  // ∂x'/∂x, ∂x'/∂u, ∂y/∂x, ∂y/∂u
  std::vector<std::string> routine;                // FORTRAN style: equations, then the partials
  std::vector<std::string> interface;              // C++ style: derivative, output, update, sample
};

// y/u = (b0 + b1 s + …) / (a0 + a1 s + …)
struct Tfsiso : Statement {
  Ref<Array> x, u, y;
  std::vector<double> numerator, denominator;  // ascending powers of s
  bool static_hold = false;
};

struct Pinput : Statement {
  RefList<Variable> variables;
};

struct Poutput : Statement {
  RefList<Variable> variables;
};

struct Pstate : Statement {
  RefList<Variable> variables;
};

}  // namespace trunnion::model
