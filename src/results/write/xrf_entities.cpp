#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/text.hpp"
#include "results/channels/request_names.hpp"
#include "results/channels/selection.hpp"
#include "results/channels/unit_names.hpp"
#include "results/write/xrf.hpp"

namespace trunnion::results {

using model::kind_of;

namespace {

enum class Group { parts, reactions, forces, equations, data, requests };

struct Type {
  const char *keyword, *name;
  Group group;
};
// In the order of the file.
constexpr Type kTypes[] = {
    {"XFORM", "Part", Group::parts},
    {"JOINT", "Joint", Group::reactions},
    {"JPRIM", "Primitive_Joint", Group::reactions},
    {"MOTION", "Motion", Group::reactions},
    {"COUPLER", "Coupler", Group::reactions},
    {"GEAR", "Gear", Group::reactions},
    {"GCON", "General_Constraint", Group::reactions},
    {"UCON", "User_Constraint", Group::reactions},
    {"PTCV", "Point_Curve", Group::reactions},
    {"CVCV", "Curve_Curve", Group::reactions},
    {"SFORCE", "Single_Component_Force", Group::forces},
    {"VFORCE", "Force_Vector", Group::forces},
    {"VTORQUE", "Torque_Vector", Group::forces},
    {"GFORCE", "General_Force", Group::forces},
    {"SPRINGDAMPER", "Spring_Damper", Group::forces},
    {"BUSHING", "Bushing", Group::forces},
    {"BEAM", "Beam", Group::forces},
    {"FIELD", "Field", Group::forces},
    {"NFORCE", "Multi_Point_Force", Group::forces},
    {"MFORCE", "Modal_Force", Group::forces},
    {"VARIABLE", "ADAMS_Variable", Group::equations},
    {"DIFF", "Differential_Equation", Group::equations},
    {"LSE", "Linear_State_Equation", Group::equations},
    {"TFSISO", "Transfer_Function", Group::equations},
    {"GSE", "General_State_Equation", Group::equations},
    {"PINPUT", "Plant_Input", Group::data},
    {"POUTPUT", "Plant_Output", Group::data},
    {"FRICTION", "Friction", Group::forces},
    {"CONTACT", "Contact", Group::forces},
    {"REQUEST", "Request", Group::requests},
};

// What RESULTS leaves out.
bool kept(const model::Results* results, const Type& type) {
  if (!results) return true;
  switch (type.group) {
    case Group::parts:
      return !(results->nodisplacements && results->novelocities && results->noaccelerations);
    case Group::reactions: return !results->noreactionforces;
    case Group::forces:
      return type.keyword == std::string_view("CONTACT") ? !results->nocontacts : !results->noappliedforces;
    case Group::equations: return !results->nosystemelements;
    case Group::data: return !results->nodatastructures;
    case Group::requests: return !results->norequests;
  }
  return true;
}

struct Source {
  std::string component;
  std::size_t place = 0;
};
// "SFORCE/1" → its channels, "NFORCE/1.12" apart from "NFORCE/1.13".
using Sources = std::map<std::string, std::vector<Source>>;

class Entities {
 public:
  Entities(const model::Model& model, const std::vector<Channel>& channels, const std::string& patterns)
      : model_(model),
        channels_(channels),
        patterns_(split_patterns(patterns)),
        results_(model.single<model::Results>()) {
    for (std::size_t k = 1; k < channels.size(); ++k) {
      const std::size_t dot = channels[k].name.rfind('.');
      const std::string group = channels[k].name.substr(0, dot);
      if (!sources_.contains(group)) groups_.push_back(group);
      sources_[group].push_back({dot == std::string::npos ? "Q" : channels[k].name.substr(dot + 1), k});
    }
  }

  std::vector<XrfEntity> make() {
    XrfEntity time{"time", "", "", 0, {{"TIME", to_xrf_unit(channels_.front().unit), 0}}};
    out_.push_back(std::move(time));
    for (const Type& type : kTypes) {
      if (!kept(results_, type)) continue;
      if (type.group == Group::data) plant(type);
      for (const std::string& group : groups_) {
        const std::size_t slash = group.find('/');
        if (slash != std::string::npos && group.substr(0, slash) == type.keyword && chosen(group))
          add(type, group);
      }
    }
    number();
    return std::move(out_);
  }

 private:
  static model::Kind kind(std::string_view keyword) {
    if (keyword == "XFORM") keyword = "PART";
    for (const model::Schema& schema : model::all_schemas()) {
      if (schema.keyword == keyword) return schema.kind;
    }
    return kind_of<model::Part>();
  }

  XrfEntity entity(const Type& type, int id) const {
    XrfEntity out;
    out.entity = object_name(model_, kind(type.keyword), id);
    out.name = out.entity.substr(out.entity.rfind('.') + 1);  // npos + 1 is the beginning
    if (type.group == Group::parts) out.name += "_XFORM";
    out.type = type.name;
    out.id = id;
    return out;
  }

  bool chosen(const std::string& group) const {
    const std::vector<Source>& sources = sources_.at(group);
    return std::any_of(sources.begin(), sources.end(), [&](const Source& source) {
      const std::string& name = channels_[source.place].name;
      return matches_any(patterns_, name) ||
             (name.starts_with("XFORM/") && matches_any(patterns_, "PART" + name.substr(5)));
    });
  }

  void add(const Type& type, const std::string& group) {
    XrfEntity out = entity(type, std::stoi(group.substr(group.find('/') + 1)));
    for (const Source& source : sources_.at(group)) {
      if (type.group == Group::parts && !level_kept(source.component)) continue;
      std::string name = source.component;
      if (const auto* r = type.group == Group::requests ? model_.find<model::Request>(out.id) : nullptr)
        name = request_component(*r, static_cast<std::size_t>(name.back() - '1'));
      if (name.empty()) continue;
      out.components.push_back({std::move(name), unit(channels_[source.place].unit), source.place});
    }
    if (type.group == Group::requests) {
      if (const auto* r = model_.find<model::Request>(out.id); r && r->results_name)
        out.name = *r->results_name;
    }
    out_.push_back(std::move(out));
  }

  static std::string unit(const std::string& name) { return name == "1" ? "" : to_xrf_unit(name); }

  bool level_kept(const std::string& component) const {
    if (!results_) return true;
    if (component.starts_with("ACC") || component.starts_with("WD")) return !results_->noaccelerations;
    if (component[0] == 'V' || component[0] == 'W') return !results_->novelocities;
    return !results_->nodisplacements;
  }

  // The variables of a plant input or output, under names of their own.
  void plant(const Type& type) {
    const bool in = type.keyword == std::string_view("PINPUT");
    const auto all = [&](const auto& table, const char* word) {
      for (const auto& statement : table) {
        XrfEntity out = entity(type, statement.id);
        for (const int id : statement.variables.ids) {
          const auto found = sources_.find(fmt::format("VARIABLE/{}", id));
          if (found == sources_.end() || !chosen(found->first)) continue;
          out.components.push_back(
              {fmt::format("{}{}", word, out.components.size() + 1), "", found->second.front().place});
        }
        if (patterns_.empty() || !out.components.empty()) out_.push_back(std::move(out));
      }
    };
    if (in) all(model_.all<model::Pinput>(), "IN");
    else all(model_.all<model::Poutput>(), "OUT");
  }

  // All positions of parts first, then all velocities, then all accelerations; what follows as it comes.
  void number() {
    int next = 1;
    const auto give = [&](XrfEntity& e, std::string_view names) {
      for (XrfComponent& c : e.components) {
        if (names.empty() || names.find(" " + c.name + " ") != std::string_view::npos) c.id = next++;
      }
    };
    give(out_.front(), "");
    for (const char* level :
         {" X Y Z PSI THETA PHI ", " VX VY VZ WX WY WZ ", " ACCX ACCY ACCZ WDX WDY WDZ "}) {
      for (XrfEntity& e : out_) {
        if (e.type == "Part") give(e, level);
      }
    }
    for (std::size_t k = 1; k < out_.size(); ++k) {
      if (out_[k].type != "Part") give(out_[k], "");
    }
  }

  const model::Model& model_;
  const std::vector<Channel>& channels_;
  std::vector<std::string> patterns_;
  const model::Results* results_;
  Sources sources_;
  std::vector<std::string> groups_;  // in the order of the channels
  std::vector<XrfEntity> out_;
};

}  // namespace

std::string object_name(const model::Model& model, model::Kind kind, int id) {
  const model::Statement* statement = model.find(kind, id);
  if (statement && !statement->name.empty()) return statement->name;
  return fmt::format("{}_{}", model::schema_of(kind).keyword, id);
}

std::vector<XrfEntity> xrf_entities(const model::Model& model, const std::vector<Channel>& channels,
                                    const std::string& patterns) {
  return Entities(model, channels, patterns).make();
}

bool has_entity(std::string_view keyword) {
  return std::any_of(std::begin(kTypes), std::end(kTypes),
                     [&](const Type& t) { return t.keyword == keyword; });
}

std::string keyword_of_entity(const std::string& type) {
  for (const Type& t : kTypes) {
    if (core::equals_nocase(t.name, type)) return t.keyword;
  }
  std::string out = type;
  for (char& c : out) c = core::upper(c);
  return out;
}

}  // namespace trunnion::results
