// The relations on models that people wrote: the examples, and the corpus where it is there.

#include <chrono>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/session/project.hpp"
#include "metamorphic/shrink.hpp"

namespace trunnion::metamorphic {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> models_in(const fs::path& folder) {
  std::vector<std::string> out;
  if (!fs::exists(folder)) return out;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".adm") out.push_back(entry.path().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

// What its script simulates, a second at most.
double duration_of(const model::Script* script) {
  double length = 0.2;
  if (!script) return length;
  for (const model::Command& command : script->commands) {
    if (const auto* s = command.as<model::Simulate>(); s && (s->end || s->duration))
      return std::min(s->end.value_or(s->duration.value_or(length)), 0.5);
  }
  return length;
}

class Models : public testing::TestWithParam<std::string> {};

TEST_P(Models, MoveAsTheirTwins) {
  const fs::path path = GetParam();
  fs::path script = path;
  script.replace_extension(".acf");
  const api::Project project =
      api::load_project(fs::exists(script) ? std::vector<std::string>{path.string(), script.string()}
                                           : std::vector<std::string>{path.string()});
  if (!project.ok() || !project.model) GTEST_SKIP() << "has errors of its own";
  for (const model::Schema& schema : model::all_schemas()) {
    if (!schema.acted_on && schema.group == "Forces" && project.model->count(schema.kind) > 0)
      GTEST_SKIP() << schema.keyword << " is not simulated";
    if (schema.keyword == "FE_PART" && project.model->count(schema.kind) > 0)
      GTEST_SKIP() << "no relation moves, turns or rescales an FE_PART yet";
  }
  const Case c{path.stem().string(), plain(*project.model),
               duration_of(project.script ? &*project.script : nullptr)};
  Subject subject(c, all_formulas()[1]);
  if (!subject.begin().ok) GTEST_SKIP() << subject.begin().why;
  const auto began = std::chrono::steady_clock::now();
  if (!subject.base().ok) GTEST_SKIP() << subject.base().why;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  const bool slow = seconds > 0.5;  // then only the start
  std::uint64_t seed = 1;
  for (const Relation& relation : relations()) {
    if (relation.conservative || (slow && !std::string_view(relation.name).starts_with("start"))) continue;
    const Verdict verdict = judge(relation, subject, ++seed);
    if (verdict.outcome != Outcome::fails) continue;
    const Case least = slow ? c : shrunk(relation, c, subject.formula(), seed);
    ADD_FAILURE() << fmt::format("{} ({}), {}:\n  {}\n  minimal: {}", relation.name, relation.says, c.name,
                                 verdict.what, keep(relation, least, subject.formula(), seed));
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = fs::path(info.param).stem().string();
  for (char& ch : name) ch = std::isalnum(static_cast<unsigned char>(ch)) ? ch : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Examples, Models, testing::ValuesIn(models_in(TRUNNION_SOURCE_DIR "/examples")),
                         test_name);
INSTANTIATE_TEST_SUITE_P(Corpus, Models, testing::ValuesIn(models_in(TRUNNION_CORPUS_DIR)), test_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Models);

}  // namespace
}  // namespace trunnion::metamorphic
