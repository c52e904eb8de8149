#include "api/session/snapshot.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "api/session/project.hpp"
#include "lang/reader.hpp"
#include "model/schema.hpp"

namespace trunnion::api {

using Json = nlohmann::ordered_json;

namespace {

constexpr int kVersion =
    2;  // 2: turns are kept by the pair of markers, states and variables behind the bodies

std::uint64_t checksum(std::string_view text) {
  std::uint64_t sum = 14695981039346656037ull;  // FNV-1a
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return sum;
}

Json bits(const double* values, std::size_t count) {
  Json list = Json::array();
  for (std::size_t k = 0; k < count; ++k)
    list.push_back(fmt::format("{:016x}", std::bit_cast<std::uint64_t>(values[k])));
  return list;
}
Json bits(const Eigen::VectorXd& v) { return bits(v.data(), static_cast<std::size_t>(v.size())); }

double number(const Json& json) {
  const auto& text = json.get_ref<const std::string&>();
  std::uint64_t bits = 0;
  const char* const end = text.data() + text.size();
  const auto [at, code] = std::from_chars(text.data(), end, bits, 16);
  if (code != std::errc() || at != end) throw std::invalid_argument("a number is not written as its bits");
  return std::bit_cast<double>(bits);
}
double only(const Json& list) { return number(list.at(0)); }
Eigen::VectorXd vector(const Json& list) {
  if (!list.is_array()) throw std::invalid_argument("a list of numbers is missing");
  Eigen::VectorXd v(static_cast<Eigen::Index>(list.size()));
  for (Eigen::Index k = 0; k < v.size(); ++k) v[k] = number(list.at(static_cast<std::size_t>(k)));
  return v;
}
// nlohmann's own get<int>() takes any number, whatever an int can hold.
int whole(const Json& json) {
  if (!json.is_number_integer()) throw std::invalid_argument("a whole number is missing");
  const auto value = json.get<std::int64_t>();
  if (!std::in_range<int>(value)) throw std::invalid_argument("a whole number is too large");
  return static_cast<int>(value);
}
std::vector<int> wholes(const Json& list) {
  if (!list.is_array()) throw std::invalid_argument("a list of whole numbers is missing");
  std::vector<int> values;
  for (const Json& value : list) values.push_back(whole(value));
  return values;
}

Json to_json(const Snapshot& saved) {
  Json j;
  j["model"] = saved.model;
  j["off"] = saved.off;
  if (!saved.assembled) return j;
  const assembly::State& s = saved.from.state;
  j["state"] = {{"t", bits(&s.t, 1)},
                {"q", bits(s.q)},
                {"v", bits(s.v)},
                {"a", bits(s.a)},
                {"lambda", bits(s.lambda)},
                {"mu", bits(s.mu)},
                {"memory", bits(s.memory.data(), s.memory.size())}};
  j["active"] = saved.from.active;
  Json redundant = Json::array();
  for (const analysis::RedundantRow& row : saved.from.redundant)
    redundant.push_back(
        {{"row", row.row}, {"implied_by", row.implied_by}, {"magnification", bits(&row.magnification, 1)}});
  j["redundant"] = redundant;
  j["freedoms"] = saved.from.freedoms;
  j["spent"] = {bits(&saved.spent.dissipated, 1), bits(&saved.spent.work, 1)};
  return j;
}

void from_json(const Json& j, Snapshot& saved) {
  saved.model = j.at("model").get<std::string>();
  for (const Json& off : j.at("off")) saved.off.emplace_back(off.at(0).get<std::string>(), whole(off.at(1)));
  saved.assembled = j.contains("state");
  if (!saved.assembled) return;
  const Json& state = j.at("state");
  assembly::State& s = saved.from.state;
  s.t = only(state.at("t"));
  s.q = vector(state.at("q"));
  s.v = vector(state.at("v"));
  s.a = vector(state.at("a"));
  s.lambda = vector(state.at("lambda"));
  s.mu = vector(state.at("mu"));
  const Eigen::VectorXd memory = vector(state.at("memory"));
  s.memory.assign(memory.data(), memory.data() + memory.size());
  saved.from.ok = true;
  saved.from.active = wholes(j.at("active"));
  for (const Json& row : j.at("redundant")) {
    analysis::RedundantRow r;
    r.row = whole(row.at("row"));
    r.implied_by = wholes(row.at("implied_by"));
    r.magnification = only(row.at("magnification"));
    saved.from.redundant.push_back(std::move(r));
  }
  saved.from.freedoms = whole(j.at("freedoms"));
  if (!j.contains("spent")) return;  // of a program that did not count it
  saved.spent = {only(j.at("spent").at(0)), only(j.at("spent").at(1))};
}

}  // namespace

std::string save(const Snapshot& saved, const std::string& path) {
  const std::string content = to_json(saved).dump();
  // Beside it first: a full disk must not cost the file that was there.
  const std::string beside = path + ".new";
  bool written = false;
  {
    std::ofstream out(beside, std::ios::binary);
    out << fmt::format("trunnion save {} {:016x}\n", kVersion, checksum(content)) << content << "\n"
        << std::flush;
    written = out.good();
  }
  std::error_code error;
  if (written) std::filesystem::rename(beside, path, error);
  if (written && !error) return {};
  std::filesystem::remove(beside, error);
  return fmt::format("{} could not be written", path);
}

std::string load(const std::string& path, Snapshot& saved) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return fmt::format("{} could not be read", path);
  std::string word, kind, sum, content;
  int version = 0;
  in >> word >> kind >> version >> sum;
  in.get();
  std::getline(in, content);
  if (word != "trunnion" || kind != "save") return fmt::format("{} is not a file that SAVE wrote", path);
  if (version != kVersion)
    return fmt::format("{} is of version {}; this program reads version {}", path, version, kVersion);
  if (fmt::format("{:016x}", checksum(content)) != sum)
    return fmt::format("{} is damaged: its checksum does not fit", path);
  const std::string why = parse_snapshot(content, saved);
  return why.empty() ? why : fmt::format("{} is damaged: {}", path, why);
}

std::string parse_snapshot(const std::string& content, Snapshot& saved) {
  try {
    from_json(Json::parse(content), saved);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    return e.what();
  }
  return {};
}

// Places in a text that nobody has.
static void forget_places(model::Model& model) {
  for (const model::Model::Entry entry : model.order) {
    model::Statement& statement = model.table(entry.kind).rows[entry.index].get();
    statement.span = statement.id_span = {};
    for (model::GivenArgument& given : statement.given) given.name = given.value = {};
    for (const model::Argument& argument : model::schema_of(entry.kind).arguments) {
      if (argument.kind == model::ValueKind::expression)
        model::field<model::Expression>(argument, statement).span = {};
    }
  }
}

std::string model_of(const Snapshot& saved, model::Model& model, std::set<core::Subject>& off) {
  core::SourceSet sources;
  core::Diagnostics diagnostics;
  model = lang::read_model(sources, sources.add("saved model", saved.model), diagnostics);
  if (!diagnostics.has_errors()) check(model, diagnostics);
  if (diagnostics.has_errors()) return "the model in it has errors\n" + core::render(diagnostics, sources);
  forget_places(model);
  off.clear();
  for (const auto& [keyword, id] : saved.off) {
    const auto all = model::all_schemas();
    const auto schema = std::find_if(
        all.begin(), all.end(), [&, &word = keyword](const model::Schema& s) { return s.keyword == word; });
    if (schema == all.end() || !model.find(schema->kind, id))
      return fmt::format("{}/{} is switched off in it and is not in its model", keyword, id);
    off.insert({schema->kind, id});
  }
  return {};
}

std::string misfit(const Snapshot& saved, const system::System& system) {
  const assembly::Layout& layout = system.layout();
  const assembly::State& s = saved.from.state;
  const assembly::State usual = system.start();
  if (s.q.size() != usual.q.size() || s.v.size() != usual.v.size() || s.a.size() != usual.a.size() ||
      s.lambda.size() != usual.lambda.size() || s.mu.size() != usual.mu.size() ||
      s.memory.size() != usual.memory.size())
    return "the states saved are those of another model";
  for (const Eigen::VectorXd* list : {&s.q, &s.v, &s.a, &s.lambda, &s.mu}) {
    if (!list->allFinite()) return "a state in it is not a number";
  }
  if (!std::isfinite(s.t) || !std::isfinite(saved.spent.dissipated) || !std::isfinite(saved.spent.work))
    return "its time or its energies are not numbers";
  for (std::size_t k = 0; k < s.memory.size(); ++k) {
    if (std::isfinite(usual.memory[k]) && !std::isfinite(s.memory[k]))
      return "a number that it keeps between steps is not one";
  }
  constexpr double kRounding = 1e-6;  // of the turns, over any number of steps
  for (const assembly::Triple& t : layout.triples()) {
    if (std::abs(s.q.segment<4>(t.pose_offset).norm() - 1) > kRounding)
      return fmt::format("{} has no orientation in it", layout.block(t.block).owner);
  }
  // Each row that lasts is either independent or implied, and none is both.
  std::vector<int> rows = saved.from.active, lasting;
  for (const analysis::RedundantRow& row : saved.from.redundant) {
    rows.push_back(row.row);
    for (const int by : row.implied_by) {
      if (by < 0 || by >= layout.row_count()) return "its constraints are those of another model";
    }
  }
  for (int r = 0; r < layout.row_count(); ++r) {
    const auto& first_only = system.start_rows();
    if (std::find(first_only.begin(), first_only.end(), r) == first_only.end()) lasting.push_back(r);
  }
  std::sort(rows.begin(), rows.end());
  if (rows != lasting) return "its constraints are those of another model";
  if (saved.from.freedoms != layout.mechanical_size() - static_cast<int>(saved.from.active.size()))
    return "its degrees of freedom are those of another model";
  return {};
}

}  // namespace trunnion::api
