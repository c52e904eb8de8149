#include "api/saved.hpp"

#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace trunnion::api {

using Json = nlohmann::ordered_json;

namespace {

constexpr int kVersion = 1;

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

double number(const Json& text) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(std::stoull(text.get<std::string>(), nullptr, 16)));
}
Eigen::VectorXd vector(const Json& list) {
  Eigen::VectorXd v(static_cast<Eigen::Index>(list.size()));
  for (Eigen::Index k = 0; k < v.size(); ++k) v[k] = number(list[static_cast<std::size_t>(k)]);
  return v;
}

Json to_json(const Saved& saved) {
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

void from_json(const Json& j, Saved& saved) {
  saved.model = j.at("model").get<std::string>();
  saved.off = j.at("off").get<std::vector<std::pair<std::string, int>>>();
  saved.assembled = j.contains("state");
  if (!saved.assembled) return;
  const Json& state = j.at("state");
  assembly::State& s = saved.from.state;
  s.t = number(state.at("t")[0]);
  s.q = vector(state.at("q"));
  s.v = vector(state.at("v"));
  s.a = vector(state.at("a"));
  s.lambda = vector(state.at("lambda"));
  s.mu = vector(state.at("mu"));
  const Eigen::VectorXd memory = vector(state.at("memory"));
  s.memory.assign(memory.data(), memory.data() + memory.size());
  saved.from.ok = true;
  saved.from.active = j.at("active").get<std::vector<int>>();
  for (const Json& row : j.at("redundant")) {
    analysis::RedundantRow r;
    r.row = row.at("row").get<int>();
    r.implied_by = row.at("implied_by").get<std::vector<int>>();
    r.magnification = number(row.at("magnification")[0]);
    saved.from.redundant.push_back(std::move(r));
  }
  saved.from.freedoms = j.at("freedoms").get<int>();
  if (!j.contains("spent")) return;  // of a program that did not count it
  saved.spent = {number(j.at("spent")[0][0]), number(j.at("spent")[1][0])};
}

}  // namespace

std::string save(const Saved& saved, const std::string& path) {
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

std::string load(const std::string& path, Saved& saved) {
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
  try {
    from_json(Json::parse(content), saved);
  } catch (const std::exception& e) {
    return fmt::format("{} is damaged: {}", path, e.what());
  }
  return {};
}

}  // namespace trunnion::api
