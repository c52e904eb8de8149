#include "elements/user_law.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cmath>
#include <exception>

#include <fmt/format.h>

#include "elements/user_values.hpp"
#include "trunnion_user.h"

namespace trunnion::elements {
namespace {

static_assert(std::is_same_v<UserFunction, trunnion_routine*>);

constexpr double kStep = 6.0555e-6;      // ε^⅓: truncation and rounding of a central difference balance
constexpr double kSecondStep = 1.22e-4;  // ε^¼: the same for a second difference
constexpr double kLeastSize = 1e-2;      // a reading near zero is varied as one of this size

std::mutex& one_at_a_time() {
  static std::mutex mutex;
  return mutex;
}

bool same_name(const std::string& upper, const char* name) {
  std::size_t k = 0;
  for (; k < upper.size() && name[k] != '\0'; ++k) {
    if (upper[k] != std::toupper(static_cast<unsigned char>(name[k]))) return false;
  }
  return k == upper.size() && name[k] == '\0';
}

UserRead make_read(const char* name, const int* ids, int nids) {
  UserRead read;
  for (; *name != '\0'; ++name)
    read.name += static_cast<char>(std::toupper(static_cast<unsigned char>(*name)));
  read.ids.assign(ids, ids + std::max(0, nids));
  return read;
}

// What stands behind one call. Nothing here may throw: the routine's frames are between us and the caller.
struct Host {
  explicit Host(const UserRoutine& of) : routine(of) {}
  const UserRoutine& routine;
  double time = 0.0;
  // The first call
  const std::function<int(const UserRead&)>* resolve = nullptr;
  // All others
  const std::vector<DeclaredRead>* reads = nullptr;
  const double* signals = nullptr;
  std::size_t cursor = 0;  // readings mostly come in the same order
  // Partials handed back: results × signals, and which signals have any
  double* partials = nullptr;
  char* given = nullptr;

  std::string undeclared, complaint, wrong;
  std::exception_ptr thrown;

  const DeclaredRead* find(const char* name, const int* ids, int nids) {
    const std::size_t n = reads ? reads->size() : 0;
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t at = (cursor + k) % n;
      const DeclaredRead& d = (*reads)[at];
      if (static_cast<int>(d.read.ids.size()) != nids || !same_name(d.read.name, name)) continue;
      if (!std::equal(d.read.ids.begin(), d.read.ids.end(), ids)) continue;
      cursor = at + 1;
      return &d;
    }
    return nullptr;
  }
};

Host& host_of(void* p) { return *static_cast<Host*>(p); }

int read(void* p, const char* name, const int* ids, int nids, double* values, int capacity) {
  Host& host = host_of(p);
  for (int k = 0; k < capacity; ++k) values[k] = 0.0;
  if (nids == 0 && same_name("TIME", name)) {
    if (capacity > 0) values[0] = host.time;
    return 1;
  }
  if (host.resolve) {
    try {
      return std::max(0, (*host.resolve)(make_read(name, ids, nids)));
    } catch (...) {
      host.thrown = std::current_exception();
      return 0;
    }
  }
  const DeclaredRead* found = host.find(name, ids, nids);
  if (!found) {
    if (host.undeclared.empty()) host.undeclared = make_read(name, ids, nids).text();
    return 0;
  }
  const int count = static_cast<int>(found->signals.size());
  for (int k = 0; k < std::min(count, capacity); ++k)
    values[k] = host.signals[found->signals[static_cast<std::size_t>(k)]];
  return count;
}

void partial(void* p, int result, int component, double value, const char* name, const int* ids, int nids) {
  Host& host = host_of(p);
  if (!host.partials || (nids == 0 && same_name("TIME", name))) return;
  const DeclaredRead* found = host.find(name, ids, nids);
  const bool good = found && result >= 0 && result < host.routine.results && component >= 0 &&
                    component < static_cast<int>(found->signals.size());
  if (!good) {
    if (host.wrong.empty())
      host.wrong =
          fmt::format("returns the partial derivative of result {} by {}, component {}, which does not exist",
                      result, make_read(name, ids, nids).text(), component);
    return;
  }
  const int signal = found->signals[static_cast<std::size_t>(component)];
  host.partials[signal * host.routine.results + result] += value;
  host.given[signal] = 1;
}

void fail(void* p, const char* message) { host_of(p).complaint = message ? message : "no result"; }

std::atomic<const UserRoutine*> running = nullptr;
std::atomic<unsigned long> calls = 0;

// Says which routine has the word for as long as it has.
struct Running {
  explicit Running(const UserRoutine& routine) {
    ++calls;
    running = &routine;
  }
  ~Running() { running = nullptr; }
};

void call(Host& host, double time, bool partials, double* results) {
  const UserRoutine& r = host.routine;
  const Running now(r);
  trunnion_context context{sizeof(trunnion_context), &host, &read, &partial, &fail};
  std::fill_n(results, r.results, 0.0);
  host.time = time;
  try {
    r.function(&context, r.id, time, r.parameters.data(), static_cast<int>(r.parameters.size()),
               partials ? 1 : 0, host.resolve ? 1 : 0, results);
  } catch (const std::exception& e) {
    host.complaint = fmt::format("threw: {}", e.what());
  } catch (...) {
    host.complaint = "threw an exception";
  }
  if (host.thrown) std::rethrow_exception(host.thrown);
}

// After a call that counts: breaches end the analysis, a missing result is written down.
void judge(Host& host, double time, double* results) {
  const UserRoutine& r = host.routine;
  const std::string who = fmt::format("{}: {}", r.owner, r.name);
  if (!host.undeclared.empty())
    throw UserCodeError(
        fmt::format("{} reads {}, which it did not read in its first call (iflag = 1); it must "
                    "read there all that it will ever read",
                    who, host.undeclared));
  if (!host.wrong.empty()) throw UserCodeError(fmt::format("{} {}", who, host.wrong));
  if (!host.complaint.empty()) {
    if (r.troubles) r.troubles->add(fmt::format("{} at t = {:.9g}: {}", who, time, host.complaint));
    std::fill_n(results, r.results, std::nan(""));
    return;
  }
  for (int k = 0; k < r.results; ++k) {
    if (std::isfinite(results[k]) || !r.troubles) continue;
    r.troubles->add(fmt::format("{} gives {} for result {} at t = {:.9g}", who, results[k], k, time));
    return;
  }
}

}  // namespace

unsigned long user_call_number() { return running.load() ? calls.load() : 0; }

std::string user_call_words() {
  const UserRoutine* routine = running.load();
  return routine ? fmt::format("{}: {}", routine->owner, routine->name) : "user code";
}

std::string UserRead::text() const {
  return ids.empty() ? name : fmt::format("{}({})", name, fmt::join(ids, ","));
}

std::string declare_reads(const UserRoutine& routine, const std::function<int(const UserRead&)>& resolve) {
  const std::lock_guard lock(one_at_a_time());
  Host host(routine);
  host.resolve = &resolve;
  std::vector<double> results(static_cast<std::size_t>(routine.results));
  call(host, 0.0, false, results.data());
  return host.complaint;
}

void call_at(const UserRoutine& routine, double time, std::span<double> results) {
  const std::lock_guard lock(one_at_a_time());
  Host host(routine);
  call(host, time, false, results.data());
  judge(host, time, results.data());
}

std::array<math::Derivatives, 3> curve_at(const UserRoutine& routine, double alpha) {
  const double h = kStep * std::max(std::abs(alpha), kLeastSize);
  std::array<double, kCurveResults> here{}, back{}, ahead{};
  call_at(routine, alpha, here);
  call_at(routine, alpha - h, back);
  call_at(routine, alpha + h, ahead);
  std::array<math::Derivatives, 3> xyz{};
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t second = k + 6;
    xyz[k] = {here[k], here[k + 3], here[second], (ahead[second] - back[second]) / (2 * h),
              (ahead[second] - 2 * here[second] + back[second]) / (h * h)};
  }
  return xyz;
}

UserRelation::UserRelation(std::array<std::optional<UserRoutine>, 3> routines, int joints)
    : routines_(std::move(routines)), joints_(joints) {
  DeclaredRead read{{"COUPLER", {routines_[0]->id}}, {}};
  for (int k = 0; k < joints; ++k) read.signals.push_back(k);
  reads_.push_back(std::move(read));
}

void UserRelation::call(std::size_t order, const Eigen::Vector3d& m, double* results) const {
  const std::lock_guard lock(one_at_a_time());
  Host host(*routines_[order]);
  host.reads = &reads_;
  host.signals = m.data();
  elements::call(host, 0.0, false, results);
  judge(host, 0.0, results);
}

double UserRelation::value(const Eigen::Vector3d& m) const {
  double f = 0.0;
  call(0, m, &f);
  return f;
}

Eigen::Vector3d UserRelation::gradient(const Eigen::Vector3d& m) const {
  Eigen::Vector3d g = Eigen::Vector3d::Zero();
  if (routines_[1]) {
    call(1, m, g.data());
    return g;
  }
  for (int k = 0; k < joints_; ++k) {
    const Eigen::Vector3d h = kStep * std::max(std::abs(m[k]), kLeastSize) * Eigen::Vector3d::Unit(k);
    g[k] = (value(m + h) - value(m - h)) / (2.0 * h[k]);
  }
  return g;
}

Eigen::Matrix3d UserRelation::hessian(const Eigen::Vector3d& m) const {
  Eigen::Matrix3d H = Eigen::Matrix3d::Zero();
  if (routines_[2]) {
    std::array<double, 6> upper{};
    call(2, m, upper.data());
    std::size_t next = 0;
    for (int r = 0; r < joints_; ++r) {
      for (int c = r; c < joints_; ++c) H(r, c) = H(c, r) = upper[next++];
    }
    return H;
  }
  const auto step = [&](int k, double size) {
    return Eigen::Vector3d(size * std::max(std::abs(m[k]), kLeastSize) * Eigen::Vector3d::Unit(k));
  };
  for (int r = 0; r < joints_; ++r) {
    if (routines_[1]) {
      const Eigen::Vector3d h = step(r, kStep);
      H.row(r) = (gradient(m + h) - gradient(m - h)).transpose() / (2.0 * h[r]);
      continue;
    }
    for (int c = 0; c < joints_; ++c) {
      const Eigen::Vector3d a = step(r, kSecondStep), b = step(c, kSecondStep);
      H(r, c) =
          (value(m + a + b) - value(m + a - b) - value(m - a + b) + value(m - a - b)) / (4.0 * a[r] * b[c]);
    }
  }
  return 0.5 * (H + H.transpose());
}

Relation::Value UserRelation::at(const Vector& all, bool second) const {
  const Eigen::Vector3d m = all.head<3>();
  Value v;
  v.f = value(m);
  v.first.head<3>() = gradient(m);
  if (second) v.second.topLeftCorner<3, 3>() = hessian(m);
  return v;
}

std::vector<int> values_read(const std::vector<DeclaredRead>& reads) {
  std::vector<int> all;
  for (const DeclaredRead& read : reads) all.insert(all.end(), read.signals.begin(), read.signals.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

void user_values(const UserRoutine& routine, const std::vector<DeclaredRead>& reads,
                 std::span<const int> inputs, double time, std::span<double> s, std::span<double> results,
                 std::span<double> partials) {
  const std::lock_guard lock(one_at_a_time());
  thread_local std::vector<double> ahead, back;
  thread_local std::vector<char> given;
  const std::size_t m = results.size();
  const bool wanted = !partials.empty();
  Host host(routine);
  host.reads = &reads;
  host.signals = s.data();
  if (wanted) {
    std::fill(partials.begin(), partials.end(), 0.0);
    given.assign(s.size(), 0);
    host.partials = partials.data();
    host.given = given.data();
  }
  call(host, time, wanted, results.data());
  judge(host, time, results.data());
  if (!wanted) return;
  host.partials = nullptr;
  ahead.resize(m);
  back.resize(m);
  for (const int input : inputs) {
    const auto at = static_cast<std::size_t>(input);
    if (given[at] != 0) continue;
    const double x = s[at], h = kStep * std::max(std::abs(x), kLeastSize);
    s[at] = x + h;
    call(host, time, false, ahead.data());
    judge(host, time, ahead.data());
    s[at] = x - h;
    call(host, time, false, back.data());
    judge(host, time, back.data());
    s[at] = x;
    for (std::size_t k = 0; k < m; ++k) partials[at * m + k] = (ahead[k] - back[k]) / (2 * h);
  }
}

UserTouch::UserTouch(UserRoutine routine, std::vector<DeclaredRead> reads, int own, std::vector<int> others,
                     int time)
    : routine_(std::move(routine)),
      reads_(std::move(reads)),
      inputs_(values_read(reads_)),
      own_(own),
      others_(std::move(others)),
      time_(time) {}

void UserTouch::at(const double* values, const VecMap& signals, std::span<double> results,
                   Eigen::MatrixXd& by) const {
  thread_local std::vector<double> s;
  s.assign(values, values + own_);
  for (const int other : others_) s.push_back(signals[other]);
  user_values(routine_, reads_, inputs_, signals[time_], s, results,
              {by.data(), static_cast<std::size_t>(by.size())});
}

UserLaw::UserLaw(UserRoutine routine, std::vector<DeclaredRead> reads, int first, int outputs,
                 const Signals* signals)
    : routine_(std::move(routine)),
      reads_(std::move(reads)),
      first_(first),
      outputs_(outputs),
      inputs_(values_read(reads_)) {
  if (signals == nullptr) return;
  std::erase_if(
      inputs_, [&](int k) { return (*signals)[static_cast<std::size_t>(k)].kind == Signal::Kind::constant; });
}

void UserLaw::add(const VecMap& signals, VecMap c, MatMap D) const {
  thread_local std::vector<double> s, results, partials;
  const auto n = static_cast<std::size_t>(signals.size());
  const auto m = static_cast<std::size_t>(routine_.results);
  s.assign(signals.data(), signals.data() + n);
  results.resize(m);
  partials.resize(D.size() != 0 ? n * m : 0);
  user_values(routine_, reads_, inputs_, s[0], s, results, partials);
  for (int k = 0; k < outputs_; ++k) c[k] += results[static_cast<std::size_t>(first_ + k)];
  if (D.size() == 0) return;
  for (const int input : inputs_) {
    for (int k = 0; k < outputs_; ++k)
      D(k, input) += partials[static_cast<std::size_t>(input) * m + static_cast<std::size_t>(first_ + k)];
  }
}

}  // namespace trunnion::elements
