// GSE: states, sampled states and outputs of user code.
//   ẋ = f(x, xₙ, u, t)     xₙ₊₁ = g(x, xₙ, u, tₙ) at the sample times     y = h(x, xₙ, u, t)
// By ROUTINE= (or gsesub) one routine gives them all, NS rates, NO outputs, ND sampled states; by INTERFACE= one routine each.
// Sampled states are kept numbers (State::memory): constant between samples for every analysis.

#include <algorithm>

#include <fmt/format.h>

#include "system/compile/compiler.hpp"

namespace trunnion::system {

using assembly::BlockId;
using assembly::Dynamics;
using elements::Equation;
using elements::Signal;
using model::kind_of;

namespace {

enum Slot { kRates, kOutputs, kUpdate, kPeriod };  // kRates: all three where one routine gives them

struct Sizes {
  explicit Sizes(const model::Gse& g)
      : states(g.ns.value_or(0)), outputs(g.no.value_or(0)), sampled(g.nd.value_or(0)) {}
  int states, outputs, sampled;
  int all() const { return states + outputs + sampled; }
};

}  // namespace

void Compiler::find_gse_code(const model::Gse& s) {
  const auto nth = [](const std::vector<std::string>& list, std::size_t k) {
    return k < list.size() ? list[k] : std::string();
  };
  const Sizes n(s);
  const std::string& samp = nth(s.interface, kPeriod);
  if (s.interface.empty()) {
    look_up(s, s.function, nth(s.routine, 0), "gsesub", kRates);
  } else {
    if (n.states > 0) look_up(s, s.function, nth(s.interface, kRates), "gse_deriv", kRates);
    if (n.outputs > 0) look_up(s, s.function, nth(s.interface, kOutputs), "gse_output", kOutputs);
    if (n.sampled > 0) look_up(s, s.function, nth(s.interface, kUpdate), "gse_update", kUpdate);
  }
  if (n.sampled > 0) look_up(s, s.sample_period, samp, "gse_samp", kPeriod);
}

// Numbers that stay as they are where it does not act.
void Compiler::declare_gse(const model::Gse& gse) {
  const auto start_of = [&](const model::Ref<model::Array>& ref, int count) {
    Eigen::VectorXd start = Eigen::VectorXd::Zero(count);
    const model::Array* ic = ref.given() ? model_.find(ref) : nullptr;
    for (int k = 0; ic && k < std::min(count, static_cast<int>(ic->numbers.size())); ++k)
      start[k] = ic->numbers[static_cast<std::size_t>(k)];
    return start;
  };
  const auto keep = [&](const model::Ref<model::Array>& array, const Eigen::VectorXd& values) {
    for (const double value : values) {
      Signal s;
      s.kind = Signal::Kind::constant;
      s.value = value;
      system_->arrays_[array.id].push_back(std::move(s));
    }
  };
  const Sizes n(gse);
  const core::Words owner = name(gse);
  constexpr int kMost = 100'000;  // of each: a size is a word in a file, its states are not
  if (std::max({n.states, n.sampled, n.outputs}) > kMost) {
    error(gse.span, owner,
          fmt::format("it has {} states, {} sampled states and {} outputs; {} of a kind are the most",
                      n.states, n.sampled, n.outputs, kMost));
    return;
  }
  if (!claim(gse.x, owner, argument_span(gse, "X")) || !claim(gse.xd, owner, argument_span(gse, "XD")) ||
      !claim(gse.y, owner, argument_span(gse, "Y")))
    return;
  if (idle(gse)) {
    keep(gse.x, start_of(gse.ic, n.states));
    keep(gse.xd, start_of(gse.icd, n.sampled));
    keep(gse.y, Eigen::VectorXd::Zero(n.outputs));
    return;
  }
  StateInfo& info = info_of(gse);
  info.static_hold = gse.static_hold;
  info.implicit = gse.implicit;
  if (n.states > 0) {
    info.states = declare(gse, Dynamics::first_order, n.states, "state");
    for (int k = 0; k < n.states; ++k) system_->arrays_[gse.x.id].push_back(Signal::of_state(info.states, k));
    scalars_.push_back({info.states, start_of(gse.ic, n.states), {}});
  }
  if (n.sampled > 0) {
    const Eigen::VectorXd start = start_of(gse.icd, n.sampled);
    for (int k = 0; k < n.sampled; ++k) {
      Signal s;
      s.kind = Signal::Kind::memory;
      s.place = memory(start[k], fmt::format("{} sampled state {}", info.label, k + 1));
      if (k == 0) sampled_[gse.id] = s.place;
      system_->arrays_[gse.xd.id].push_back(std::move(s));
    }
  }
  if (n.outputs == 0) return;
  info.outputs = declare(gse, Dynamics::algebraic, n.outputs, "output", " outputs");
  for (int k = 0; k < n.outputs; ++k) system_->arrays_[gse.y.id].push_back(Signal::of_state(info.outputs, k));
  scalars_.push_back({info.outputs, Eigen::VectorXd::Zero(n.outputs), {}});
}

void Compiler::gse(const model::Gse& gse) {
  const auto found = states_.find({kind_of<model::Gse>().index, gse.id});
  if (idle(gse) || found == states_.end()) return;
  const Sizes n(gse);
  const bool apart = !gse.interface.empty();
  const auto add = [&](BlockId block, Equation::Left left, int slot, Segment segment) {
    const UserCall* call = user_call(gse, apart ? slot : kRates);
    if (!block.valid() || !call) return;
    Equation e = elements::make_equation(block, left, system_->layout_);
    if (!user_response(*call, {name(gse), argument_span(gse, "FUNCTION"), gse.id}, segment, e.response,
                       e.columns))
      return;
    elements::seal(e);
    system_->elements_->equations.push_back(std::move(e));
  };
  add(found->second.states, gse.implicit ? Equation::Left::none : Equation::Left::rate, kRates,
      {0, n.states, apart ? n.states : n.all()});
  add(found->second.outputs, Equation::Left::value, kOutputs,
      {apart ? 0 : n.states, n.outputs, apart ? n.outputs : n.all()});
  if (n.sampled > 0) sampling(gse);
}

void Compiler::sampling(const model::Gse& gse) {
  const Sizes n(gse);
  const bool apart = !gse.interface.empty();
  const UserCall* call = user_call(gse, apart ? kUpdate : kRates);
  const core::Words owner = name(gse);
  if (!gse.sample_period.given()) {
    error(gse.span, owner, "sampled states (ND=) need SAMPLE_PERIOD=");
    return;
  }
  Sampled sampled;
  sampled.label = owner;
  sampled.count = n.sampled;
  sampled.update = elements::Response(n.sampled);
  assembly::Columns columns;
  if (!call || !user_response(*call, {owner, argument_span(gse, "FUNCTION"), gse.id},
                              {apart ? 0 : n.states + n.outputs, n.sampled, apart ? n.sampled : n.all()},
                              sampled.update, columns))
    return;
  auto period = observed(gse.sample_period, user_call(gse, kPeriod),
                         {owner, argument_span(gse, "SAMPLE_PERIOD"), gse.id}, columns);
  if (!period) return;
  sampled.period = std::move(*period);
  sampled.columns = columns.size();
  sampled.states = sampled_.at(gse.id);
  for (int k = 0; k < n.sampled; ++k) {
    const int place = memory(memory_[static_cast<std::size_t>(sampled.states + k)],
                             fmt::format("{} waiting state {}", owner, k + 1));
    if (k == 0) sampled.waiting = place;
  }
  sampled.next = memory(gse.sample_offset.value_or(0), owner + " next sample");
  system_->sampled_.push_back(std::move(sampled));
}

}  // namespace trunnion::system
