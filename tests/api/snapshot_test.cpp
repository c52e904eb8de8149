// RELOAD of files that are not what SAVE wrote: a message, never a crash, whatever is in them.

#include "api/session/snapshot.hpp"

#include <filesystem>
#include <fstream>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "lang/writer.hpp"
#include "support/reading.hpp"
#include "system/compile/compile.hpp"

namespace trunnion::api {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

const std::string kModel =
    "saved\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, QG=1,0,0, MASS=1, CM=2, IP=1,1,1\n"
    "MARKER/2, PART=2\nMARKER/3, PART=2, QP=-1,0,0\nJOINT/1, REVOLUTE, I=3, J=1\n"
    "JOINT/2, REVOLUTE, I=3, J=1\nDIFF/1, IC=1, FUNCTION=-DIF(1)\nACCGRAV/JGRAV=-9.81\nEND\n";

// As SAVE writes it, without its first line.
std::string content() {
  const test::Read read = test::check_adm(kModel);
  core::Diagnostics diagnostics;
  const auto system = system::compile(read.model, {}, diagnostics);
  Snapshot saved;
  saved.model = lang::write_model(read.model);
  saved.off = {{"DIFF", 1}};
  saved.assembled = true;
  saved.from = analysis::initial_conditions(*system, system->start(), {}, analysis::Upto::accelerations);
  const std::string path = testing::TempDir() + "saved_" + std::to_string(getpid()) + ".sav";
  EXPECT_EQ(save(saved, path), "");
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  std::getline(file, line);
  std::filesystem::remove(path);
  return line;
}

// What RELOAD does with it; the first objection.
std::string reload(const std::string& text) {
  Snapshot saved;
  if (std::string why = parse_snapshot(text, saved); !why.empty()) return why;
  model::Model model;
  std::set<core::Subject> off;
  if (std::string why = model_of(saved, model, off); !why.empty()) return why;
  core::Diagnostics diagnostics;
  const auto system = system::compile(model, {}, diagnostics);
  if (!system) return "does not compile";
  return saved.assembled ? misfit(saved, *system) : "";
}

TEST(Snapshot, ComesBackAsItWas) { EXPECT_EQ(reload(content()), ""); }

TEST(Snapshot, EveryValueIsLookedAt) {
  const Json good = Json::parse(content());
  const auto changed = [&](auto change) {
    Json j = good;
    change(j);
    return reload(j.dump());
  };
  const std::string nan = "7ff8000000000000", one = "3ff0000000000000";
  for (const char* list : {"q", "v", "a", "lambda", "mu"}) {
    EXPECT_THAT(changed([&](Json& j) { j["state"][list].erase(0); }), HasSubstr("another model")) << list;
    EXPECT_THAT(changed([&](Json& j) { j["state"][list][0] = nan; }), HasSubstr("not a number")) << list;
    EXPECT_NE(changed([&](Json& j) { j["state"][list] = "x"; }), "") << list;
    EXPECT_NE(changed([&](Json& j) { j["state"][list][0] = 1; }), "") << list;
    EXPECT_NE(changed([&](Json& j) { j["state"][list][0] = "3ff0z"; }), "") << list;
    EXPECT_NE(changed([&](Json& j) { j["state"].erase(list); }), "") << list;
  }
  EXPECT_NE(changed([&](Json& j) { j["state"]["t"] = Json::array(); }), "");
  EXPECT_THAT(changed([&](Json& j) { j["state"]["t"][0] = nan; }), HasSubstr("time"));
  EXPECT_THAT(changed([&](Json& j) { j["state"]["q"][4] = one; }), HasSubstr("PART/2 has no orientation"));
  EXPECT_THAT(changed([&](Json& j) { j["state"]["memory"].push_back(one); }), HasSubstr("another model"));
  for (const Json& row : {Json(-1), Json(1000000), Json(0)})  // outside, or there twice
    EXPECT_THAT(changed([&](Json& j) { j["active"].push_back(row); }), HasSubstr("constraints")) << row;
  EXPECT_THAT(changed([&](Json& j) { j["active"].erase(0); }), HasSubstr("constraints"));
  ASSERT_FALSE(good["redundant"].empty());
  EXPECT_THAT(changed([&](Json& j) { j["redundant"][0]["implied_by"] = {99}; }), HasSubstr("constraints"));
  EXPECT_THAT(changed([&](Json& j) { j["redundant"][0]["row"] = -7; }), HasSubstr("constraints"));
  EXPECT_THAT(changed([&](Json& j) { j["freedoms"] = 5; }), HasSubstr("degrees of freedom"));
  EXPECT_NE(changed([&](Json& j) { j["freedoms"] = 1e300; }), "");
  EXPECT_NE(changed([&](Json& j) { j["spent"] = Json::array(); }), "");
  EXPECT_THAT(changed([&](Json& j) { j["spent"][0][0] = nan; }), HasSubstr("energies"));
  EXPECT_THAT(changed([&](Json& j) {
                j["off"] = Json::array({Json::array({"PART", 77})});
              }),
              HasSubstr("PART/77 is switched off"));
  EXPECT_THAT(changed([&](Json& j) {
                j["off"] = Json::array({Json::array({"NOTHING", 1})});
              }),
              HasSubstr("NOTHING/1"));
  EXPECT_THAT(changed([&](Json& j) { j["model"] = "t\nPART/1, GRUOND\nEND\n"; }), HasSubstr("has errors"));
  EXPECT_THAT(changed([&](Json& j) { j["model"] = "t\nPART/1, GROUND\nEND\n"; }), HasSubstr("DIFF/1"));
}

// Bytes changed at random, as an attacker would who has mended the checksum.
TEST(Snapshot, DamageIsAMessage) {
  const std::string good = content();
  std::mt19937 random(1);
  int refused = 0;
  constexpr int kFiles = 400;
  for (int k = 0; k < kFiles; ++k) {
    std::string text = good;
    const auto at = [&] { return std::uniform_int_distribution<std::size_t>(0, text.size() - 1)(random); };
    switch (random() % 4) {
      case 0: text[at()] = static_cast<char>(random()); break;
      case 1: text.erase(at(), random() % 64); break;
      case 2: text.insert(at(), text.substr(at(), random() % 64)); break;
      default: text[at()] = "0123456789abcdef[]{},\":"[random() % 23];
    }
    refused += !reload(text).empty();
  }
  EXPECT_GT(refused, kFiles / 4);  // some changes are in a comment or in the last digits
}

}  // namespace
}  // namespace trunnion::api
