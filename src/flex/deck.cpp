#include "flex/deck.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "core/text.hpp"
#include "flex/input_error.hpp"
#include "flex/text_lines.hpp"

namespace trunnion::flex {

namespace {

// "*NODE, NSET=ALL" by its parts, in capitals.
struct Card {
  std::string name;
  std::map<std::string, std::string> options;

  std::string option(const std::string& key) const {
    const auto found = options.find(key);
    return found == options.end() ? std::string() : found->second;
  }
};

// File names keep their spelling, all else is in capitals.
Card card_of(std::string_view line) {
  Card card;
  std::size_t at = 1;
  bool first = true;
  while (at <= line.size()) {
    const std::size_t end = std::min(line.find(',', at), line.size());
    const std::string_view word = core::trim(line.substr(at, end - at));
    at = end + 1;
    if (first) {
      card.name = core::to_upper(word);
    } else if (!word.empty()) {
      const std::size_t equal = word.find('=');
      const std::string key = core::to_upper(core::trim(word.substr(0, equal)));
      const std::string_view value =
          equal == std::string_view::npos ? std::string_view() : core::trim(word.substr(equal + 1));
      card.options[key] = key == "INPUT" ? std::string(value) : core::to_upper(value);
    }
    first = false;
  }
  return card;
}

template <std::size_t N> bool among(const std::string& name, const std::array<const char*, N>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// What would hold or load the body, or belongs to a state other than the unloaded one.
constexpr std::array kLeftOut{"BOUNDARY", "INITIAL CONDITIONS", "CONTACT PAIR", "AMPLITUDE",
                              "RESTART",  "TIME POINTS",        "BASE MOTION",  "HEADING"};
constexpr std::array kConstraints{"EQUATION",  "MPC",          "RIGID BODY",
                                  "TIE",       "COUPLING",     "DISTRIBUTING COUPLING",
                                  "KINEMATIC", "DISTRIBUTING", "CYCLIC SYMMETRY MODEL"};
// CalculiX makes solids of these, with nodes of its own.
constexpr std::array kMadeSolid{"B", "S", "M3D", "CPS", "CPE", "CAX", "T3D", "U1", "US"};

bool made_solid(const std::string& type) {
  return type != "SPRINGA" && !type.starts_with("SPRING") &&
         std::any_of(kMadeSolid.begin(), kMadeSolid.end(),
                     [&](const char* prefix) { return type.starts_with(prefix); });
}

class DeckReader {
 public:
  void read(const std::filesystem::path& path, int depth) {
    constexpr int kDeepest = 20;
    if (depth > kDeepest) throw InputError(path.string() + ": *INCLUDE goes in circles");
    TextLines file(path);
    while (file.next()) {
      const std::string_view line = core::trim(file.line());
      if (line.empty() || line.starts_with("**")) continue;
      if (line.front() == '*') begin(file, line, depth);
      else data(file);
    }
  }

  Deck finish(const std::filesystem::path& path) {
    flush_element();
    if (nodes_.empty()) throw InputError(path.string() + ": there are no nodes (*NODE)");
    if (elements_.empty()) throw InputError(path.string() + ": there are no elements (*ELEMENT)");
    for (const auto& [id, place] : nodes_) deck_.model.nodes.push_back({id, place});
    std::vector<std::string> wrong;
    for (const auto& [element, where] : elements_) {
      Element one{element.id, element.type, {}};
      for (const int id : element.nodes) {
        one.nodes.push_back(deck_.model.find(id));
        if (one.nodes.back() < 0 && wrong.size() < 10)
          wrong.push_back(
              fmt::format("{}: element {} has node {}, which is not there", where, element.id, id));
      }
      deck_.model.elements.push_back(std::move(one));
    }
    if (!wrong.empty()) throw InputError(fmt::format("{}", fmt::join(wrong, "\n")));
    for (const auto& [name, count] : counts_)
      deck_.left_out.push_back(fmt::format("*{}{}{}", name, count > 1 ? fmt::format(" ({})", count) : "",
                                           name == "STEP" ? " and all inside" : ""));
    return std::move(deck_);
  }

 private:
  void begin(TextLines& file, std::string_view line, int depth) {
    flush_element();
    continued_ = line.ends_with(',');
    card_ = card_of(line);
    if (card_.name == "INCLUDE") {
      const std::string name = card_.option("INPUT");
      if (name.empty()) file.fail("*INCLUDE without INPUT=");
      kept_ = false;
      std::filesystem::path path = name;
      if (path.is_relative()) path = file.path().parent_path() / path;
      std::error_code code;
      if (!std::filesystem::is_regular_file(path, code))
        file.fail(fmt::format("*INCLUDE: there is no file {}", name));
      return read(path, depth + 1);
    }
    if (card_.name == "STEP") {
      if (in_step_) file.fail("*STEP inside of a step: *END STEP is missing");
      in_step_ = true;
      ++counts_["STEP"];
    }
    if (in_step_) {
      kept_ = false;
      if (card_.name == "END STEP") in_step_ = false;
      return;
    }
    kept_ = !among(card_.name, kLeftOut);
    if (!kept_ && card_.name != "HEADING") ++counts_[card_.name];
    if (among(card_.name, kConstraints) && std::find(deck_.constraints.begin(), deck_.constraints.end(),
                                                     "*" + card_.name) == deck_.constraints.end())
      deck_.constraints.push_back("*" + card_.name);
    check_card(file);
    if (kept_) keep(line);
  }

  void check_card(TextLines& file) {
    if (card_.name == "ELEMENT") {
      const std::string type = card_.option("TYPE");
      if (type.empty()) file.fail("*ELEMENT without TYPE=");
      if (made_solid(type))
        file.fail(
            fmt::format("elements of type {}: CalculiX turns beams, shells, membranes and plane elements "
                        "into solids with "
                        "nodes of its own, which joints could not be put on",
                        type),
            "mesh the part with solid elements (C3D10, C3D20R, …), or give --mass, --stiffness and --nodes");
    }
    if (card_.name == "PART" || card_.name == "ASSEMBLY" || card_.name == "INSTANCE")
      file.fail(fmt::format("*{}: decks of parts and instances are not read", card_.name),
                "write a flat deck (in Abaqus/CAE: do not use parts and assemblies in input files)");
    if (card_.name == "SYSTEM")
      file.fail("*SYSTEM: nodes in a system of their own are not read", "give global coordinates");
    if (card_.name == "TRANSFORM")
      file.fail("*TRANSFORM: nodes with axes of their own are not read",
                "leave it out: it serves boundary conditions");
    if (card_.name == "NSET" && card_.option("NSET").empty()) file.fail("*NSET without NSET=");
  }

  void keep(std::string_view line) {
    deck_.text += line;
    deck_.text += '\n';
  }

  void data(TextLines& file) {
    if (continued_) {  // of the card itself
      continued_ = core::trim(file.line()).ends_with(',');
      const Card more = card_of("*," + std::string(core::trim(file.line())));
      card_.options.insert(more.options.begin(), more.options.end());
      if (kept_) keep(file.line());
      return;
    }
    if (in_step_) return;
    if (card_.name.empty()) file.fail("data before the first card");
    if (card_.name == "NODE") node(file);
    else if (card_.name == "ELEMENT") element(file);
    else if (card_.name == "NSET") set(file);
    if (kept_) keep(file.line());
  }

  void node(TextLines& file) {
    const auto& words = file.words();
    if (words.size() < 2 || words.size() > 4) file.fail("expected a node's number and its x, y, z");
    const int id = file.whole(words[0]);
    if (id < 1) file.fail("node numbers begin with 1");
    Eigen::Vector3d place = Eigen::Vector3d::Zero();
    for (std::size_t k = 1; k < words.size(); ++k)
      place[static_cast<Eigen::Index>(k) - 1] = file.real(words[k]);
    nodes_[id] = place;  // the last one counts, as in CalculiX
    if (const std::string name = card_.option("NSET"); !name.empty()) deck_.model.sets[name].push_back(id);
  }

  // An element may go on over lines that end with a comma.
  void element(TextLines& file) {
    for (const std::string_view word : file.words()) pending_.push_back(file.whole(word));
    where_ = fmt::format("{}:{}", file.path().string(), file.number());
    if (!core::trim(file.line()).ends_with(',')) flush_element();
  }
  void flush_element() {
    if (pending_.empty()) return;
    elements_.push_back(
        {{pending_.front(), card_.option("TYPE"), {pending_.begin() + 1, pending_.end()}}, where_});
    pending_.clear();
  }

  void set(TextLines& file) {
    auto& ids = deck_.model.sets[card_.option("NSET")];
    const auto& words = file.words();
    if (card_.options.contains("GENERATE")) {
      if (words.size() < 2 || words.size() > 3) file.fail("expected first, last and step of GENERATE");
      const int first = file.whole(words[0]), last = file.whole(words[1]);
      const int step = words.size() == 3 ? file.whole(words[2]) : 1;
      constexpr int kMost = 50'000'000;
      if (step < 1 || first < 1 || last < first || last - first > kMost)
        file.fail("GENERATE goes from a node up to another");
      for (int id = first; id <= last; id += step) ids.push_back(id);
      return;
    }
    for (const std::string_view word : words) {
      if (is_whole(word)) {
        ids.push_back(file.whole(word));
        continue;
      }
      const auto other = deck_.model.sets.find(core::to_upper(word));
      if (other == deck_.model.sets.end())
        file.fail(fmt::format("there is no node set {} yet", core::printable(word)));
      const std::vector<int> more = other->second;  // a set may name itself
      ids.insert(ids.end(), more.begin(), more.end());
    }
  }

  struct Placed {
    Element element;
    std::string where;
  };

  Deck deck_;
  Card card_;
  bool kept_ = false, in_step_ = false, continued_ = false;
  std::map<int, Eigen::Vector3d> nodes_;
  std::vector<Placed> elements_;
  std::vector<int> pending_;
  std::string where_;
  std::map<std::string, int> counts_;
};

}  // namespace

Deck read_deck(const std::filesystem::path& path) {
  DeckReader reader;
  reader.read(path, 0);
  return reader.finish(path);
}

}  // namespace trunnion::flex
