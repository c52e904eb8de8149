#pragma once
// A law whose numbers come from a routine in a shared library (include/trunnion_user.h).
//
// The routine's readings are the element's signals: they are recorded once, in a call that must read all it will ever read, so
// that the Jacobian's pattern is known before the first evaluation. Partials are taken over those signals, and the chain rule
// carries them to the coordinates:
//   ∂c/∂s as the routine hands it back, else (c(s + h) − c(s − h))/2h,  h = ε^⅓ max(|s|, kLeastSize)
// so that a routine of k readings costs 2k + 1 calls for a Jacobian, however many bodies its readings depend on.
// Calls are made one at a time, whoever evaluates: user code is seldom written for several threads.

#include <array>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

#include "elements/function.hpp"
#include "elements/measure_row.hpp"
#include "elements/troubles.hpp"
#include "math/piecewise.hpp"

struct trunnion_context;

namespace trunnion::elements {

// trunnion_routine of that header
using UserFunction = void (*)(trunnion_context*, int id, double time, const double* par, int npar, int dflag,
                              int iflag, double* result);

// Ends the analysis: the routine broke its contract.
class UserCodeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// For one who waits, in another thread, for user code to come back: it cannot be stopped. The number of the call that is being made,
// 0 where there is none; and who it is for, "SFORCE/1: controls::law", which may be asked only while that call goes on.
unsigned long user_call_number();
std::string user_call_words();

struct UserRoutine {
  UserFunction function = nullptr;
  std::string owner;  // the statement, for messages
  std::string name;   // library::symbol
  int id = 0;         // of the statement
  std::vector<double> parameters;
  int results = 1;
  std::shared_ptr<Troubles> troubles;
};

// What a routine asks for: a function of the language and its ids.
struct UserRead {
  std::string name;  // upper case
  std::vector<int> ids;
  bool operator==(const UserRead&) const = default;
  std::string text() const;  // "DX(2,3)"
};
struct DeclaredRead {
  UserRead read;
  std::vector<int> signals;  // of the element, one for each value
};

// Makes the first call. `resolve` gives the number of values of a reading, or −1 where there is none.
// Empty, or why the call came to nothing.
std::string declare_reads(const UserRoutine& routine, const std::function<int(const UserRead&)>& resolve);
// The results as functions of time alone; nothing may be read.
void call_at(const UserRoutine& routine, double time, std::span<double> results);

// A CURVE's routine at a parameter: x, y, z with derivatives. It gives the point, the first and the second; those beyond are central
// differences of the second, with the step of UserLaw.
inline constexpr int kCurveResults = 9;
std::array<math::Derivatives, 3> curve_at(const UserRoutine& routine, double alpha);

// A COUPLER's routines: the relation f of the joints' displacements, its first derivatives and its second ones (upper half, row by
// row). The latter two may be missing: central differences then, of step ε^⅓ for what is one order above what is given, ε^¼ for two.
class UserRelation final : public Relation {
 public:
  UserRelation(std::array<std::optional<UserRoutine>, 3> routines, int joints);
  Value at(const Vector& m, bool second) const override;

 private:
  void call(std::size_t order, const Eigen::Vector3d& m, double* results) const;
  double value(const Eigen::Vector3d& m) const;
  Eigen::Vector3d gradient(const Eigen::Vector3d& m) const;
  Eigen::Matrix3d hessian(const Eigen::Vector3d& m) const;

  std::array<std::optional<UserRoutine>, 3> routines_;
  std::vector<DeclaredRead> reads_;  // COUPLER(id)
  int joints_;
};

class UserLaw final : public Law {
 public:
  // Signals 0 is TIME. `first` of the routine's results is the law's first output.
  // `signals`: those that never change need no partials; null: all are taken to change.
  UserLaw(UserRoutine routine, std::vector<DeclaredRead> reads, int first, int outputs,
          const Signals* signals = nullptr);
  void add(const VecMap& signals, VecMap c, MatMap D) const override;

 private:
  UserRoutine routine_;
  std::vector<DeclaredRead> reads_;
  int first_, outputs_;
  std::vector<int> inputs_;  // distinct signals read
};

}  // namespace trunnion::elements
