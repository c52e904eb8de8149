#include "results/channels/requests.hpp"

#include <charconv>
#include <set>

#include <fmt/format.h>

#include "core/text.hpp"
#include "model/schema.hpp"

namespace trunnion::results {

namespace {

// The markers of one element of an MREQUEST.
struct Ends {
  int i = 0, j = 0;
};

class Expansion {
 public:
  Expansion(const model::Model& model, const model::Mrequest& from, std::vector<NamedRequest>& out)
      : model_(model), from_(from), out_(out) {}

  void parts() {
    each<model::Part>(from_.parts, [&](const model::Part& p) {
      if (p.ground) return;
      if (p.cm.given()) add(p.id, {p.cm.id, 0});
      else refuse(p.id, fmt::format("PART/{} has no CM marker", p.id));
    });
  }
  void joints() {
    each<model::Joint>(from_.joints, [&](const model::Joint& s) { add(s.id, {s.i.id, s.j.id}); });
  }
  void jprims() {
    each<model::Jprim>(from_.jprims, [&](const model::Jprim& s) { add(s.id, {s.i.id, s.j.id}); });
  }
  // Where several have the id, the first kind in alphabetical order counts.
  void forces() {
    of_markers<model::Beam>();
    of_markers<model::Bushing>();
    of_markers<model::Field>();
    floating<model::Gforce>();
    of_markers<model::Sforce>();
    of_markers<model::SpringDamper>();
    floating<model::Vforce>();
    floating<model::Vtorque>();
    if (all(from_.appfors)) return;
    for (const int id : ids(from_.appfors)) {
      if (!added_.contains(id))
        refuse(id, fmt::format("there is no applied force {} between two markers", id));
    }
  }

 private:
  static bool all(const std::vector<std::string>& list) {
    return list.size() == 1 && core::to_upper(list.front()) == "ALL";
  }
  std::vector<int> ids(const std::vector<std::string>& list) {
    std::vector<int> out;
    for (const std::string& word : list) {
      int id = 0;
      const auto end = word.data() + word.size();
      if (std::from_chars(word.data(), end, id).ptr == end) out.push_back(id);
      else refuse(0, fmt::format("{} is neither an id nor ALL", word));
    }
    return out;
  }
  template <class T, class F> void each(const std::vector<std::string>& list, const F& use) {
    if (all(list)) {
      for (const T& s : model_.all<T>()) use(s);
      return;
    }
    for (const int id : ids(list)) {
      if (const T* found = model_.find<T>(id)) use(*found);
      else
        refuse(id,
               fmt::format("{}/{} is not in the model", model::schema_of(model::kind_of<T>()).keyword, id));
    }
  }
  template <class T, class F> void each_force(const F& ends) {
    const bool every = all(from_.appfors);
    for (const T& s : model_.all<T>()) {
      const auto wanted = every ? std::vector<int>{s.id} : ids(from_.appfors);
      for (const int id : wanted) {
        if (id == s.id && added_.insert(id).second) add(id, ends(s));
      }
    }
  }
  template <class T> void of_markers() {
    each_force<T>([](const T& s) { return Ends{s.i.id, s.j.id}; });
  }
  template <class T> void floating() {
    each_force<T>([](const T& s) { return Ends{s.i.id, s.jfloat.id}; });
  }

  NamedRequest& next(int id) {
    out_.push_back({fmt::format("MREQUEST/{}.{}", from_.id, id),
                    model::label(model::schema_of(model::kind_of<model::Mrequest>()), from_),
                    from_.span,
                    {},
                    {}});
    return out_.back();
  }
  void refuse(int id, std::string why) { next(id).trouble = std::move(why); }
  void add(int id, const Ends& ends) {
    model::Request& r = next(id).request;
    r.id = id;
    r.quantity = from_.quantity;
    r.i.id = ends.i;
    r.j.id = ends.j;
    r.rm = from_.rm;
    r.comment = from_.comment;
  }

  const model::Model& model_;
  const model::Mrequest& from_;
  std::vector<NamedRequest>& out_;
  std::set<int> added_;
};

// VARIABLES= as functions.
void read_variables(model::Request& r) {
  model::Expression* functions[] = {&r.f1, &r.f2, &r.f3, &r.f4, &r.f5, &r.f6, &r.f7, &r.f8};
  std::size_t k = 0;
  for (const int id : r.variables.ids) {
    if (k < std::size(functions)) functions[k++]->text = fmt::format("VARVAL({})", id);
  }
}

}  // namespace

std::vector<NamedRequest> all_requests(const model::Model& model) {
  std::vector<NamedRequest> out;
  for (const model::Request& r : model.all<model::Request>()) {
    out.push_back({fmt::format("REQUEST/{}", r.id),
                   model::label(model::schema_of(model::kind_of<model::Request>()), r),
                   r.span,
                   r,
                   {}});
    read_variables(out.back().request);
  }
  for (const model::Mrequest& m : model.all<model::Mrequest>()) {
    Expansion expansion(model, m, out);
    if (!m.parts.empty()) expansion.parts();
    if (!m.joints.empty()) expansion.joints();
    if (!m.jprims.empty()) expansion.jprims();
    if (!m.appfors.empty()) expansion.forces();
  }
  return out;
}

}  // namespace trunnion::results
