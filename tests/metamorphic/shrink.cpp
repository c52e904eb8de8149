#include "metamorphic/shrink.hpp"

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>

#include "api/session/project.hpp"
#include "lang/writer.hpp"

namespace trunnion::metamorphic {

using model::Model;

namespace {

using Which = std::set<std::pair<int, std::size_t>>;  // kind and place in its table

bool refers_to(const Model& model, const model::Statement& statement, const model::Schema& schema,
               const Which& gone) {
  const auto is_gone = [&](model::Kind target, int id) {
    const std::size_t place =
        target.index < 0 ? model::StatementTable::kNone : model.table(target).index_of(id);
    return place != model::StatementTable::kNone && gone.contains({target.index, place});
  };
  for (const model::Argument& a : schema.arguments) {
    if (a.kind == model::ValueKind::reference) {
      const auto& ref =
          *static_cast<const model::RefBase*>(a.field(const_cast<model::Statement&>(statement)));
      if (ref.given() && is_gone(a.target, ref.id)) return true;
    } else if (a.kind == model::ValueKind::references) {
      const auto& refs =
          *static_cast<const model::RefListBase*>(a.field(const_cast<model::Statement&>(statement)));
      for (const int id : refs.ids) {
        if (is_gone(a.target, id)) return true;
      }
    }
  }
  return false;
}

Model without(const Model& model, const Model::Entry& entry) {
  Which gone{{entry.kind.index, entry.index}};
  for (bool more = true; more;) {
    more = false;
    for (const Model::Entry& e : model.order) {
      if (gone.contains({e.kind.index, e.index})) continue;
      if (!refers_to(model, model.at(e), model::schema_of(e.kind), gone)) continue;
      gone.insert({e.kind.index, e.index});
      more = true;
    }
  }
  Model out;
  out.title = model.title;
  for (const Model::Entry& e : model.order) {
    if (!gone.contains({e.kind.index, e.index})) out.add(model.table(e.kind).rows[e.index]);
  }
  return out;
}

void clear(const model::Argument& a, model::Statement& statement) {
  using K = model::ValueKind;
  void* at = a.field(statement);
  switch (a.kind) {
    case K::flag: *static_cast<bool*>(at) = false; return;
    case K::choice:
    case K::word: static_cast<model::ChoiceBase*>(at)->index = model::ChoiceBase::kNone; return;
    case K::words: static_cast<model::ChoiceListBase*>(at)->indices.clear(); return;
    case K::real: static_cast<std::optional<double>*>(at)->reset(); return;
    case K::integer: static_cast<std::optional<int>*>(at)->reset(); return;
    case K::reals: static_cast<std::vector<double>*>(at)->clear(); return;
    case K::integers: static_cast<std::vector<int>*>(at)->clear(); return;
    case K::rows: static_cast<model::Rows*>(at)->rows.clear(); return;
    case K::reference: static_cast<model::RefBase*>(at)->id = model::RefBase::kNone; return;
    case K::references: static_cast<model::RefListBase*>(at)->ids.clear(); return;
    case K::text: static_cast<std::optional<std::string>*>(at)->reset(); return;
    case K::texts: static_cast<std::vector<std::string>*>(at)->clear(); return;
    case K::expression: *static_cast<model::Expression*>(at) = {}; return;
  }
}

class Shrinker {
 public:
  Shrinker(const Relation& relation, const Formula& formula, std::uint64_t seed)
      : relation_(relation), formula_(formula), seed_(seed), began_(std::clock()) {}

  Case shrink(Case c) {
    unfit_ = start(plain(c.model)).unfit;
    while (statements(c) && in_time()) continue;
    arguments(c);
    while (statements(c) && in_time()) continue;  // what only an argument held
    constexpr int kHalvings = 10;
    for (int k = 0; k < kHalvings && in_time() && shorter(c); ++k) continue;
    return c;
  }

 private:
  static constexpr double kPatience = 10;  // seconds of this program, however busy the machine is
  bool in_time() const {
    return static_cast<double>(std::clock() - began_) < kPatience * static_cast<double>(CLOCKS_PER_SEC);
  }

  // Only what the program itself would take: a model with errors is another failure.
  bool still_fails(const Case& c) const {
    core::Diagnostics diagnostics;
    api::check(c.model, diagnostics);
    if (diagnostics.has_errors()) return false;
    if (start(plain(c.model)).unfit != unfit_) return false;
    return judge(relation_, c, formula_, seed_).outcome == Outcome::fails;
  }

  bool statements(Case& c) const {
    bool any = false;
    for (std::size_t k = c.model.order.size(); k-- > 0 && in_time();) {
      if (k >= c.model.order.size()) continue;
      Case less = c;
      less.model = without(c.model, c.model.order[k]);
      if (less.model.order.size() == c.model.order.size() || !still_fails(less)) continue;
      c = std::move(less);
      any = true;
    }
    return any;
  }

  void arguments(Case& c) const {
    for (std::size_t k = 0; k < c.model.order.size(); ++k) {
      const Model::Entry e = c.model.order[k];
      for (const model::Argument& a : model::schema_of(e.kind).arguments) {
        if (!in_time()) return;
        if (a.required || !model::is_given(a, c.model.at(e))) continue;
        Case less = c;
        clear(a, less.model.table(e.kind).rows[e.index].get());
        if (still_fails(less)) c = std::move(less);
      }
    }
  }

  bool shorter(Case& c) const {
    Case less = c;
    less.duration /= 2;
    if (!still_fails(less)) return false;
    c = std::move(less);
    return true;
  }

  const Relation& relation_;
  const Formula& formula_;
  std::uint64_t seed_;
  bool unfit_ = false;
  std::clock_t began_;
};

}  // namespace

Case shrunk(const Relation& relation, const Case& c, const Formula& formula, std::uint64_t seed) {
  return Shrinker(relation, formula, seed).shrink(c);
}

std::string keep(const Relation& relation, const Case& c, const Formula& formula, std::uint64_t seed) {
  namespace fs = std::filesystem;
  const char* wanted = std::getenv("TRUNNION_FAILURES");
  const fs::path folder = wanted ? wanted : "metamorphic-failures";
  fs::create_directories(folder);
  std::string stem = fmt::format("{}-{}-{}", relation.name, formula.name, c.name);
  for (char& ch : stem) ch = ch == ' ' || ch == '/' ? '_' : ch;
  const fs::path model = fs::absolute(folder / (stem + ".adm"));
  Model with = c.model;
  set_integrator(with, Subject(c, formula).integrator());
  with.title = fmt::format("{} fails: {} (seed {})", relation.name, c.name, seed);
  std::ofstream(model) << lang::write_model(with);
  std::ofstream(folder / (stem + ".acf")) << fmt::format(
      "{0}\n{0}\nSIMULATE/DYNAMICS, END={1}, STEPS={2}\nSTOP\n", stem, c.duration, Subject::kRows);
  return model.string();
}

}  // namespace trunnion::metamorphic
