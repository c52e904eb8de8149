// What the page is told to draw for forces, and what it leaves out where there is too much.

#include "api/view/scene.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "api/present/notices.hpp"
#include "api/view/symbols.hpp"
#include "support/reading.hpp"

namespace trunnion::api {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

model::Beam beam(double area, double iyy, double izz) {
  model::Beam b;
  b.area = area;
  b.iyy = iyy;
  b.izz = izz;
  return b;
}

// Width b along y, height h along z: Iyy = ∫z² dA = b h³/12.
TEST(Sections, OfARectangleADiscATubeAndASquare) {
  const double b = 0.2, h = 0.05;
  auto s = section_of(beam(b * h, b * h * h * h / 12, h * b * b * b / 12));
  ASSERT_TRUE(s);
  EXPECT_FALSE(s->round);
  EXPECT_NEAR(s->y, b, 1e-12);
  EXPECT_NEAR(s->z, h, 1e-12);
  const double R = 30, r = 28;
  for (const double inner : {0.0, r}) {
    const double I = M_PI / 4 * (std::pow(R, 4) - std::pow(inner, 4));
    s = section_of(beam(M_PI * (R * R - inner * inner), I, I));
    ASSERT_TRUE(s && s->round);
    EXPECT_NEAR(s->y, 2 * R, 1e-9);
    EXPECT_EQ(s->z, s->y);
  }
  s = section_of(beam(16, 256.0 / 12, 256.0 / 12));
  ASSERT_TRUE(s && !s->round);
  EXPECT_NEAR(s->y, 4, 1e-12);
  EXPECT_TRUE(section_of(beam(1, 0, 0))->round);
  EXPECT_FALSE(section_of(model::Beam()));
}

TEST(Symbols, OfForcesThatTheModelDoesNotDraw) {
  const test::Read read =
      test::read_adm(test::small_model("MARKER/31, PART=1, QP=3,0,0\nMARKER/32, PART=1, QP=4,0,0\n"
                                       "SPRINGDAMPER/1, TRANSLATION, I=21, J=32, K=5, C=1, L=1\n"
                                       "SPRINGDAMPER/2, ROTATION, I=21, J=10, KT=5\n"
                                       "SPRINGDAMPER/3, TRANSLATION, I=20, J=31, K=5\n"
                                       "BEAM/4, I=20, J=32, LENGTH=1, AREA=4, IXX=2, IYY=1.3333333333, "
                                       "IZZ=1.3333333333, EMODULUS=1, GMODULUS=1\n"
                                       "BUSHING/5, I=20, J=32, K=1,1,1, KT=1,1,1\n"
                                       "SFORCE/6, TRANSLATION, I=20, J=10, FUNCTION=1\n"
                                       "SFORCE/7, TRANSLATION, ACTIONONLY, I=20, J=10, FUNCTION=1\n"
                                       "GRAPHICS/8, SPDP, I=31, J=20, COILS=100000\n"
                                       "GRAPHICS/9, OUTLINE=20,10,31\n"));
  ASSERT_FALSE(read.diagnostics.has_errors()) << read.messages();
  const auto drawn = scene(read.model);
  std::vector<std::string> names;
  for (const auto& symbol : drawn["symbols"])
    names.push_back(symbol["type"].get<std::string>() + " " + symbol["name"].get<std::string>());
  // SPRINGDAMPER/3 and SFORCE/6 have GRAPHICS between their markers.
  EXPECT_THAT(names, ElementsAre("spring SPRINGDAMPER/1", "torsion SPRINGDAMPER/2", "beam BEAM/4",
                                 "bushing BUSHING/5"));
  EXPECT_EQ(drawn["symbols"][0]["damper"], true);
  EXPECT_EQ(drawn["markers"][drawn["symbols"][0]["i"].get<std::size_t>()]["id"], 21);
  EXPECT_NEAR(drawn["symbols"][2]["section"]["y"].get<double>(), 2, 1e-9);
  EXPECT_EQ(drawn["graphics"][0]["coils"], 40);
  EXPECT_THAT(drawn["notes"], ElementsAre("GRAPHICS/8: 40 of its 100000 coils are drawn"));
}

// Numbers that need no file.
class Made final : public results::History {
 public:
  Made(std::size_t rows, std::size_t parts) {
    rows_ = rows;
    channels_.push_back({"time", "second"});
    for (std::size_t k = 0; k < parts; ++k) {
      for (const char* component : {"X", "Y", "Z", "PSI", "THETA", "PHI", "VX", "VY"})
        channels_.push_back({"PART/" + std::to_string(k + 2) + "." + component, "meter"});
    }
  }
  std::vector<std::vector<double>> columns(const std::vector<std::size_t>& places) override {
    std::vector<std::vector<double>> out(places.size(), std::vector<double>(rows_));
    for (auto& column : out) {
      for (std::size_t k = 0; k < rows_; ++k) column[k] = static_cast<double>(k);
    }
    return out;
  }
  std::string text(const char* what) override {
    return what == std::string("model") ? test::small_model() : std::string();
  }
};

Page page_of(results::History& run, std::size_t most_bytes, std::size_t frames = 4000) {
  PageOptions options;
  options.frames = frames;
  options.most_bytes = most_bytes;
  std::string error;
  Page made = page("<!--DATA-->", run, "run.h5", nullptr, "", options, error);
  EXPECT_EQ(error, "");
  return made;
}

TEST(Pages, LeaveOutRowsThenChannelsAndSaySo) {
  Made run(2000, 100);  // 800 channels
  const Page whole = page_of(run, 100 << 20);
  EXPECT_THAT(whole.notes, ElementsAre());
  EXPECT_GT(whole.html.size(), 2000u * 801 * 4);
  // Rows, as long as there are some hundreds.
  constexpr std::size_t kHalf = 4'400'000;  // 1000 × 801 × 4 bytes in base 64
  const Page fewer = page_of(run, kHalf);
  EXPECT_LT(fewer.html.size(), kHalf + (1 << 16));
  EXPECT_THAT(fewer.notes,
              ElementsAre("1000 of 2000 rows are in the page, one in 2, to keep it small: fewer --channels "
                          "leave room for more"));
  EXPECT_TRUE(fewer.html.find("1000 of 2000 rows are in the page") != std::string::npos);
  // Then channels, but not those that move the bodies.
  constexpr std::size_t kLittle = 1800000;
  const Page little = page_of(run, kLittle);
  EXPECT_LT(little.html.size(), kLittle + (1 << 16));
  ASSERT_EQ(little.notes.size(), 2u);
  EXPECT_THAT(little.notes[0],
              HasSubstr("of 800 channels are in the page, to keep it below 1 MB: --channels"));
  EXPECT_TRUE(little.html.find("PART/101.PHI") != std::string::npos);
  EXPECT_TRUE(little.html.find("PART/101.VY") == std::string::npos);
  // And if even these are too many, fewer rows.
  const Page least = page_of(run, 300000);
  EXPECT_LT(least.html.size(), 300000u + (1 << 16));
  EXPECT_TRUE(least.html.find("PART/101.PHI") != std::string::npos);
  EXPECT_THAT(page_of(run, 100 << 20, 500).notes,
              ElementsAre("500 of 2000 rows are in the page, one in 4: --frames keeps more"));
}

TEST(Notices, AreWhatARunWarnsOf) {
  using core::Severity;
  Notices notices;
  notices.take(Severity::note, "t = 0: assembled");
  notices.take(Severity::note, "  redundant: JOINT/1");
  notices.take(Severity::warning, "CONTACT (2) is not simulated");
  notices.take(Severity::note, "  try: nothing");
  notices.take(Severity::warning, "m.adm:12: HMAX is small");
  notices.take(Severity::error, "it fails");
  notices.take(Severity::note, "  at t = 1");
  notices.take(Severity::note, "said of a warning: nothing");
  EXPECT_THAT(notices.warnings(),
              ElementsAre("CONTACT (2) is not simulated\n  try: nothing", "m.adm:12: HMAX is small"));
  EXPECT_THAT(notices.errors(), ElementsAre("it fails\n  at t = 1"));
}

}  // namespace
}  // namespace trunnion::api
