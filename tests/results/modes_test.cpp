// Mode shapes in the results store: what goes in comes out.

#include "results/write/modes.hpp"

#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

#include "results/read/history.hpp"
#include "results/write/recorder.hpp"

namespace trunnion::results {
namespace {

namespace fs = std::filesystem;

ModeSet some_modes(double time, int modes) {
  ModeSet m;
  m.time = time;
  m.parts = {"PART/2", "POINT_MASS/3"};
  m.poses = {{1, 2, 3, 0, 0, 0, 1}, {4, 5, 6, 0.5, 0.5, 0.5, 0.5}};
  for (int k = 0; k < modes; ++k) {
    m.numbers.push_back(k + 3);
    m.values.emplace_back(-0.1 * k, 2.0 + k);
    m.frequencies.push_back(0.3 * k);
    m.dampings.push_back(0.01 * k);
    for (int part = 0; part < 2; ++part) {
      ModeSet::PartShape shape;
      for (int i = 0; i < 6; ++i)
        shape[static_cast<std::size_t>(i)] = {1.0 * k + 10 * part + 100 * i, -0.5 * i};
      m.shapes.push_back(shape);
    }
  }
  return m;
}

void expect_same(const ModeSet& a, const ModeSet& b) {
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.numbers, b.numbers);
  EXPECT_EQ(a.values, b.values);
  EXPECT_EQ(a.frequencies, b.frequencies);
  EXPECT_EQ(a.dampings, b.dampings);
  EXPECT_EQ(a.parts, b.parts);
  EXPECT_EQ(a.poses, b.poses);
  EXPECT_EQ(a.shapes, b.shapes);
}

class Modes : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "trunnion-modes-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    Recorder recorder({"", false, true});
    const std::vector<Channel> channels{{"time", "second"}, {"PART/2.X", "meter"}};
    ASSERT_TRUE(recorder.open((folder_ / "a.csv").string(), {channels}, {}));
    ASSERT_TRUE(recorder.row({0, 1}));
    ASSERT_TRUE(recorder.close());
    store_ = (folder_ / "a.h5").string();
  }
  void TearDown() override {
    std::error_code code;
    fs::remove_all(folder_, code);
  }
  fs::path folder_;
  std::string store_, error_;
};

TEST_F(Modes, ComeBackAsTheyWere) {
  ASSERT_TRUE(add_modes(store_, {some_modes(0, 4), some_modes(1.5, 1)}, error_)) << error_;
  ASSERT_TRUE(add_modes(store_, {some_modes(2, 0)}, error_)) << error_;
  std::vector<ModeSet> back;
  ASSERT_TRUE(read_modes(store_, back, error_)) << error_;
  ASSERT_EQ(back.size(), 3u);
  expect_same(back[0], some_modes(0, 4));
  expect_same(back[1], some_modes(1.5, 1));
  expect_same(back[2], some_modes(2, 0));
  // The rest of the store is as it was.
  const auto history = open_history(store_, error_);
  ASSERT_NE(history, nullptr) << error_;
  EXPECT_EQ(history->rows(), 1u);
  EXPECT_EQ(history->channels().size(), 2u);
}

TEST_F(Modes, HaveModalCoordinatesOfFlexibleBodies) {
  ModeSet set = some_modes(0, 3);
  set.flexible = {"FLEX_BODY/2", "FLEX_BODY/5"};
  set.coordinates = {2, 1};
  set.deformation = {0.5, -1, 2};
  for (int k = 0; k < 9; ++k) set.modal.emplace_back(k, -0.5 * k);
  ASSERT_TRUE(add_modes(store_, {set, some_modes(1, 2)}, error_)) << error_;
  std::vector<ModeSet> back;
  ASSERT_TRUE(read_modes(store_, back, error_)) << error_;
  ASSERT_EQ(back.size(), 2u);
  EXPECT_EQ(back[0].flexible, set.flexible);
  EXPECT_EQ(back[0].coordinates, set.coordinates);
  EXPECT_EQ(back[0].deformation, set.deformation);
  EXPECT_EQ(back[0].modal, set.modal);
  EXPECT_TRUE(back[1].flexible.empty());
  // One coordinate too few for three modes of three.
  set.modal.pop_back();
  EXPECT_FALSE(add_modes(store_, {set}, error_));
}

TEST_F(Modes, AStoreWithoutThemHasNone) {
  std::vector<ModeSet> back;
  EXPECT_TRUE(read_modes(store_, back, error_)) << error_;
  EXPECT_TRUE(back.empty());
}

TEST_F(Modes, WhatCannotBeWrittenIsSaid) {
  const std::string nowhere = (folder_ / "nowhere.h5").string();
  EXPECT_FALSE(add_modes(nowhere, {some_modes(0, 1)}, error_));
  EXPECT_NE(error_.find("cannot add the mode shapes to " + nowhere), std::string::npos) << error_;
}

}  // namespace
}  // namespace trunnion::results
