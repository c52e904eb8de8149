// The results store: what goes in comes out, patterns choose, and a kill takes no row.

#include <atomic>
#include <filesystem>
#include <fstream>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "results/read/history.hpp"
#include "results/write/hdf5.hpp"
#include "results/write/journal.hpp"
#include "results/write/recorder.hpp"
#include "support/reading.hpp"

namespace trunnion::results {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

class Store : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "trunnion-store-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    std::error_code code;
    fs::remove_all(folder_, code);
  }
  std::string path(const char* name) const { return (folder_ / name).string(); }

  fs::path folder_;
};

std::vector<Channel> some_channels() {
  return {{"time", "second"},       {"PART/2.X", "meter"}, {"PART/2.Y", "meter"},
          {"JOINT/1.FX", "newton"}, {"VARIABLE/7", "1"},   {"NFORCE/1.12.FX", "newton"}};
}

std::vector<double> row_at(int k) { return {0.5 * k, 1.0 * k, -2.0 * k, 1e9 + k, 1 / (1.0 + k), 7.0 * k}; }

TEST(Patterns, MatchAnyTextAndEitherCase) {
  EXPECT_TRUE(matches("JOINT/*.F*", "JOINT/12.FX"));
  EXPECT_FALSE(matches("JOINT/*.F*", "JOINT/12.TX"));
  EXPECT_TRUE(matches("part/?.x", "PART/2.X"));
  EXPECT_FALSE(matches("part/?.x", "PART/22.X"));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("*a*b*", "xxaxxbxx"));
  EXPECT_FALSE(matches("*a*b", "ba"));
  EXPECT_THAT(split_patterns(" a, ,b* ,"), ElementsAre("a", "b*"));
}

TEST(Patterns, KeepTheTimeAndNameWhatFitsNothing) {
  const Selection s = select(some_channels(), "joint/*,GFORCE/*");
  EXPECT_THAT(s.places, ElementsAre(0, 3));
  EXPECT_THAT(s.useless, ElementsAre("GFORCE/*"));
}

TEST_F(Store, WhatGoesInComesOut) {
  StoreWriter writer({"the model", "the script", "{}"});
  ASSERT_TRUE(writer.open(path("a.h5"), some_channels())) << writer.error();
  constexpr int kRows = 1000;
  for (int k = 0; k < kRows; ++k) ASSERT_TRUE(writer.row(row_at(k))) << writer.error();
  ASSERT_TRUE(writer.step({0.25, 0.125, 3, 2}));
  ASSERT_TRUE(writer.close()) << writer.error();
  std::string error;
  ASSERT_TRUE(StoreWriter::add_report(path("a.h5"), "{\"x\": 1}", error)) << error;

  const auto history = open_history(path("a.h5"), error);
  ASSERT_NE(history, nullptr) << error;
  EXPECT_TRUE(history->finished());
  ASSERT_EQ(history->rows(), kRows);
  ASSERT_EQ(history->channels().size(), some_channels().size());
  for (std::size_t c = 0; c < some_channels().size(); ++c) {
    EXPECT_EQ(history->channels()[c].name, some_channels()[c].name);
    EXPECT_EQ(history->channels()[c].unit, some_channels()[c].unit);
    const std::vector<double> column = history->column(c);
    for (int k = 0; k < kRows; ++k) ASSERT_EQ(column[static_cast<std::size_t>(k)], row_at(k)[c]);
  }
  EXPECT_EQ(history->text("model"), "the model");
  EXPECT_EQ(history->text("report"), "{\"x\": 1}");
  ASSERT_EQ(history->steps().size(), 1u);
  EXPECT_EQ(history->steps()[0].order, 3);
}

TEST_F(Store, CanBeReadWhileItGrows) {
  StoreWriter writer({});
  ASSERT_TRUE(writer.open(path("a.h5"), some_channels())) << writer.error();
  for (int k = 0; k < 100; ++k) ASSERT_TRUE(writer.row(row_at(k)));
  ASSERT_TRUE(writer.flush());
  // In a process of its own: within one, HDF5 would hand out the open file.
  const pid_t child = fork();
  if (child == 0) {
    execl(TRUNNION_PROGRAM, TRUNNION_PROGRAM, "info", path("a.h5").c_str(), static_cast<char*>(nullptr));
    _exit(99);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

// The child writes as fast as it can and counts the rows it was told are taken in memory that both see; it is killed at a
// random time, sometimes before the first flush.
TEST_F(Store, KillLeavesEveryAcceptedRow) {
  std::mt19937 random(20261116);
  void* shared = mmap(nullptr, sizeof(std::atomic<std::size_t>), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  auto& accepted = *new (shared) std::atomic<std::size_t>(0);
  for (int attempt = 0; attempt < 24; ++attempt) {
    const std::string file = path("killed.h5");
    accepted = 0;
    const pid_t child = fork();
    if (child == 0) {
      StoreWriter writer({"text", "", ""});
      if (!writer.open(file, some_channels())) _exit(1);
      for (int k = 0;; ++k) {
        if (!writer.row(row_at(k))) _exit(1);
        ++accepted;
      }
    }
    const std::size_t enough = 1 + random() % (attempt % 2 == 0 ? 200 : 60000);
    while (accepted < enough && waitpid(child, nullptr, WNOHANG) == 0) usleep(50);
    usleep(random() % 3000);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);

    std::string error;
    const auto history = open_history(file, error);
    ASSERT_NE(history, nullptr) << error;
    EXPECT_FALSE(history->finished());
    ASSERT_GE(history->rows(), accepted);
    ASSERT_GE(accepted, enough);
    for (std::size_t c = 0; c < some_channels().size(); ++c) {
      const std::vector<double> column = history->column(c);
      for (std::size_t k = 0; k < column.size(); ++k) ASSERT_EQ(column[k], row_at(static_cast<int>(k))[c]);
    }
  }
  munmap(shared, sizeof(std::atomic<std::size_t>));
}

// A record that was cut short over an older one is no row.
TEST_F(Store, ATailCutShortIsLeftOut) {
  Journal tail;
  ASSERT_TRUE(tail.open(path("a.h5"), 2));
  for (int k = 0; k < 3; ++k) ASSERT_TRUE(tail.add({1.0 * k, 2.0 * k}));
  EXPECT_THAT(read_journal(path("a.h5"), 1, 2), ElementsAre(1, 2, 2, 4));
  tail.restart(3);
  for (int k = 3; k < 5; ++k) ASSERT_TRUE(tail.add({1.0 * k, 2.0 * k}));
  EXPECT_THAT(read_journal(path("a.h5"), 3, 2), ElementsAre(3, 6, 4, 8));
  std::string bytes;
  {
    std::ifstream file(path("a.h5.tail"), std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  constexpr std::size_t kRecord = 32;
  bytes[2 * kRecord - 1] ^= 1;  // in the second number of row 4
  std::ofstream(path("a.h5.tail"), std::ios::binary) << bytes;
  EXPECT_THAT(read_journal(path("a.h5"), 3, 2), ElementsAre(3, 6));
  tail.remove();
  EXPECT_FALSE(fs::exists(path("a.h5.tail")));
}

// What a killed run leaves without its tail says so, also after h5clear; with it, and a store that was closed, do not.
TEST_F(Store, AMissingTailIsSaid) {
  constexpr int kRows = 300;
  const pid_t child = fork();
  if (child == 0) {
    StoreWriter writer({});
    if (!writer.open(path("a.h5"), some_channels())) _exit(1);
    for (int k = 0; k < kRows; ++k) writer.row(row_at(k));
    _exit(0);  // as good as a kill: nothing is closed
  }
  int status = 1;
  waitpid(child, &status, 0);
  ASSERT_EQ(status, 0);
  std::string error;
  {
    const auto whole = open_history(path("a.h5"), error);
    ASSERT_NE(whole, nullptr) << error;
    EXPECT_EQ(whole->rows(), kRows);
    EXPECT_EQ(whole->notice(), "");
  }
  fs::remove(path("a.h5.tail"));
  for (const bool cleared : {false, true}) {
    ASSERT_TRUE(!cleared || h5::forget_writer(path("a.h5")));
    const auto cut = open_history(path("a.h5"), error);
    ASSERT_NE(cut, nullptr) << error;
    EXPECT_EQ(cut->rows(), StoreWriter::kHeldRows);
    EXPECT_FALSE(cut->finished());
    EXPECT_THAT(cut->notice(),
                testing::HasSubstr("a.h5.tail, which has its last rows, is not there: up to 256 "
                                   "rows after the 256 here"));
  }
  StoreWriter writer({});
  ASSERT_TRUE(writer.open(path("b.h5"), some_channels()));
  ASSERT_TRUE(writer.close());
  EXPECT_EQ(open_history(path("b.h5"), error)->notice(), "");
}

// The heap of texts has no checksum, and an entry of no length makes the library go in a circle.
TEST_F(Store, ADamagedHeapIsAMessage) {
  StoreWriter writer({"model", "script", "{}"});
  ASSERT_TRUE(writer.open(path("a.h5"), some_channels()));
  ASSERT_TRUE(writer.row(row_at(1)));
  ASSERT_TRUE(writer.close());
  std::fstream file(path("a.h5"), std::ios::in | std::ios::out | std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  constexpr std::size_t kHead = 16;  // of a collection: GCOL, version, size
  for (std::size_t at = bytes.find("GCOL"); at != std::string::npos; at = bytes.find("GCOL", at + 1)) {
    const std::string nothing(std::min<std::size_t>(64, bytes.size() - at - kHead), '\0');
    file.clear();
    file.seekp(static_cast<std::streamoff>(at + kHead));
    file.write(nothing.data(), static_cast<std::streamsize>(nothing.size()));
  }
  file.close();
  std::string error;
  EXPECT_EQ(open_history(path("a.h5"), error), nullptr);
  EXPECT_THAT(error, testing::HasSubstr("a.h5 is damaged"));
}

// Every chunk that is begun is in the file whole: few rows of many channels must not take the room of many rows.
TEST_F(Store, FewRowsOfManyChannelsTakeLittleRoom) {
  constexpr std::size_t kColumns = 20'000, kRows = 11;
  std::vector<Channel> channels{{"time", "second"}};
  for (std::size_t k = 1; k < kColumns; ++k)
    channels.push_back({"PART/" + std::to_string(k) + ".X", "meter"});
  std::vector<double> row(kColumns);
  StoreWriter writer({});
  ASSERT_TRUE(writer.open(path("a.h5"), channels));
  const auto names = fs::file_size(path("a.h5"));
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t k = 0; k < kColumns; ++k) row[k] = static_cast<double>(r * kColumns + k);
    ASSERT_TRUE(writer.row(row));
  }
  ASSERT_TRUE(writer.close());
  // A row of chunks is 4 MB at most, or 8 rows; the index and the flat sets add a little.
  EXPECT_LT(fs::file_size(path("a.h5")) - names, kRows * kColumns * sizeof(double) + (5u << 20));
  std::string error;
  const auto history = open_history(path("a.h5"), error);
  ASSERT_NE(history, nullptr) << error;
  ASSERT_EQ(history->rows(), kRows);
  EXPECT_EQ(history->column(kColumns - 1).back(), static_cast<double>(kRows * kColumns - 1));
}

// A program that is killed while it adds the report to a store leaves the store marked as being written.
TEST_F(Store, AKillWhileTheReportIsAddedLeavesItReadable) {
  StoreWriter writer({});
  ASSERT_TRUE(writer.open(path("a.h5"), some_channels()));
  for (int k = 0; k < 10; ++k) ASSERT_TRUE(writer.row(row_at(k)));
  ASSERT_TRUE(writer.close());
  const pid_t child = fork();
  if (child == 0) {
    const hid_t file = H5Fopen(path("a.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    _exit(file < 0);
  }
  int status = 1;
  waitpid(child, &status, 0);
  ASSERT_EQ(status, 0);
  ASSERT_LT(H5Fopen(path("a.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), 0) << "the mark is there";
  std::string error;
  const auto history = open_history(path("a.h5"), error);
  ASSERT_NE(history, nullptr) << error;
  EXPECT_EQ(history->rows(), 10u);
  EXPECT_EQ(history->column(1)[9], row_at(9)[1]);
}

// No file may grow beyond 200 kB: the run ends with a message and its exit code, and what was written can be read.
TEST_F(Store, AFullDiskEndsARunWithAMessage) {
  std::ofstream(path("m.adm")) << test::small_model("ACCGRAV/JGRAV=-9.81\n");
  std::ofstream(path("m.acf")) << path("m.adm") << "\nm\nSIMULATE/DYNAMICS, END=2, STEPS=4000\nSTOP\n";
  const pid_t child = fork();
  if (child == 0) {
    const rlimit small{200 << 10, 200 << 10};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    if (!std::freopen(path("said.txt").c_str(), "w", stderr)) _exit(98);
    execl(TRUNNION_PROGRAM, TRUNNION_PROGRAM, "run", path("m.acf").c_str(), "--files", "h5", "--out",
          folder_.c_str(), static_cast<char*>(nullptr));
    _exit(99);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status)) << "it crashed";
  EXPECT_EQ(WEXITSTATUS(status), 3);
  std::ifstream file(path("said.txt"));
  const std::string said(std::istreambuf_iterator<char>(file), {});
  EXPECT_THAT(said, testing::HasSubstr("cannot write " + path("m.h5") + ": File too large\n"));
  std::string error;
  const auto history = open_history(path("m.h5"), error);
  ASSERT_NE(history, nullptr) << error;
  EXPECT_GT(history->rows(), 100u);
  EXPECT_FALSE(history->finished());
}

TEST_F(Store, SaysInOneLineWhatIsNoStore) {
  const auto why = [&](const char* name) {
    std::string error;
    EXPECT_EQ(open_history(path(name), error), nullptr) << name;
    EXPECT_EQ(error.find('\n'), std::string::npos);
    return error.substr(std::min(error.size(), folder_.string().size() + 1));
  };
  const auto put = [&](const char* name, const std::string& bytes) {
    std::ofstream(path(name), std::ios::binary) << bytes;
  };
  StoreWriter writer({});
  ASSERT_TRUE(writer.open(path("a.h5"), some_channels()));
  for (int k = 0; k < 600; ++k) ASSERT_TRUE(writer.row(row_at(k)));
  ASSERT_TRUE(writer.close());
  std::ifstream file(path("a.h5"), std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  put("text.h5", "hello");
  EXPECT_EQ(
      why("text.h5"),
      "text.h5 is not an HDF5 file. Results are PREFIX.h5, .csv, .res, .req and .gra, as `trunnion run` "
      "writes them");
  put("empty.h5", "");
  EXPECT_THAT(why("empty.h5"),
              testing::HasSubstr("is empty: the run that made it was stopped before its first row"));
  for (const std::size_t part : {std::size_t{2000}, bytes.size() / 2, bytes.size() - 1}) {
    put("cut.h5", bytes.substr(0, part));
    EXPECT_EQ(why("cut.h5"), "cut.h5 is cut short: " + std::to_string(part) + " of " +
                                 std::to_string(bytes.size()) +
                                 " bytes are there. Copy it again, or run the model again");
  }
  // Cut within its first block, and a block of zeros where the names should be.
  put("head.h5", bytes.substr(0, 20));
  EXPECT_THAT(why("head.h5"),
              testing::HasSubstr("it is damaged, or its run was stopped while it was being made"));
  {
    const h5::Handle other(H5Fcreate(path("other.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                           H5Fclose);
    ASSERT_TRUE(h5::write_text(other, "model", "of someone else"));
    const h5::Handle old(H5Fopen(path("a.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    ASSERT_TRUE(h5::rewrite_attribute(old, "format", "trunnion results 1"));
  }
  EXPECT_THAT(why("other.h5"),
              testing::HasSubstr("is an HDF5 file, but not a results store of Trunnion. Results are"));
  EXPECT_EQ(why("a.h5"),
            "a.h5 has the format \"trunnion results 1\", and this version reads \"trunnion results 3\": run "
            "the model again, or read it with the version that wrote it");
}

// 160 MB of rows through a process that grows by less than a quarter of that.
TEST_F(Store, LongRunsAreNotHeldInMemory) {
  std::vector<Channel> channels{{"time", "second"}};
  for (int k = 0; k < 1000; ++k) channels.push_back({"VARIABLE/" + std::to_string(k), "1"});
  const auto peak = [] {  // kB
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  const pid_t child = fork();
  if (child == 0) {
    StoreWriter writer({});
    std::vector<double> row(channels.size());
    if (!writer.open(path("long.h5"), channels)) _exit(1);
    const long before = peak();
    for (int k = 0; k < 20000; ++k) {
      row[0] = k;
      if (!writer.row(row) || !writer.step({1.0 * k, 1, 2, 3})) _exit(2);
    }
    if (!writer.close()) _exit(3);
    _exit(peak() - before < 40000 ? 0 : 4);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(Store, RecorderWritesTheChosenChannelsToBothFiles) {
  Recorder recorder({"PART/*"});
  ASSERT_TRUE(recorder.open(path("r.csv"), {some_channels()}, {})) << recorder.error();
  for (int k = 0; k < 3; ++k) ASSERT_TRUE(recorder.row(row_at(k)));
  ASSERT_TRUE(recorder.close());
  for (const char* name : {"r.csv", "r.h5"}) {
    std::string error;
    const auto history = open_history(path(name), error);
    ASSERT_NE(history, nullptr) << error;
    ASSERT_EQ(history->channels().size(), 3u);
    EXPECT_EQ(history->channels()[2].name, "PART/2.Y");
    EXPECT_EQ(history->channels()[2].unit, "meter");
    EXPECT_THAT(history->column(2), ElementsAre(0, -2, -4));
  }
}

// A channel goes, another comes, the first comes back: one store and one CSV, with nothing where nothing was.
TEST_F(Store, OneStoreThroughChangesOfTheModel) {
  const std::vector<Channel> without{{"time", "second"}, {"PART/2.X", "meter"}},
      with{{"time", "second"}, {"JOINT/1.FX", "newton"}, {"PART/2.X", "meter"}},
      other{{"time", "second"}, {"PART/2.X", "meter"}, {"SFORCE/3.FX", "newton"}, {"SFORCE/3.FY", "newton"}};
  constexpr int kRows = 700;  // beyond what is held in memory
  const auto put_rows = [](Recorder& recorder, std::size_t width, int first) {
    for (int k = first; k < first + kRows; ++k) {
      std::vector<double> row(width, k);
      for (std::size_t c = 1; c < width; ++c) row[c] = 10.0 * k + static_cast<double>(c);
      ASSERT_TRUE(recorder.row(row)) << recorder.error();
    }
  };
  Recorder recorder({});
  ASSERT_TRUE(recorder.open(path("r.csv"), {without}, {})) << recorder.error();
  put_rows(recorder, 2, 0);
  ASSERT_TRUE(recorder.change(path("r_2.csv"), {with})) << recorder.error();
  put_rows(recorder, 3, kRows);
  ASSERT_TRUE(recorder.change(path("r_3.csv"), {other})) << recorder.error();
  ASSERT_TRUE(recorder.change(path("r_4.csv"), {without})) << recorder.error();  // no row of `other`
  put_rows(recorder, 2, 2 * kRows);
  ASSERT_TRUE(recorder.close()) << recorder.error();
  ASSERT_EQ(recorder.written().size(), 1u);
  EXPECT_EQ(recorder.written()[0].rows, 3u * kRows);
  EXPECT_THAT(recorder.written()[0].paths, ElementsAre(path("r.csv"), path("r.h5")));
  EXPECT_FALSE(fs::exists(path("r_2.csv")) || fs::exists(path("r_2.h5")) || fs::exists(path("r.csv.new")));

  for (const char* name : {"r.csv", "r.h5"}) {
    std::string error;
    const auto history = open_history(path(name), error);
    ASSERT_NE(history, nullptr) << error;
    ASSERT_EQ(history->rows(), 3u * kRows);
    std::vector<std::string> names;
    for (const Channel& c : history->channels()) names.push_back(c.name);
    EXPECT_THAT(names, ElementsAre("time", "PART/2.X", "JOINT/1.FX", "SFORCE/3.FX", "SFORCE/3.FY"));
    EXPECT_EQ(history->channels()[2].unit, "newton");
    const auto x = history->column(1), fx = history->column(2), never = history->column(3);
    for (std::size_t k = 0; k < 3 * kRows; ++k) {
      const bool there = k >= kRows && k < 2 * kRows;
      ASSERT_EQ(x[k], 10.0 * static_cast<double>(k) + (there ? 2 : 1)) << name << k;
      ASSERT_EQ(std::isnan(fx[k]), !there) << name << k;
      ASSERT_TRUE(!there || fx[k] == 10.0 * static_cast<double>(k) + 1) << name << k;
      ASSERT_TRUE(std::isnan(never[k]));
    }
    EXPECT_TRUE(std::isnan(history->row(0)[2]));
    EXPECT_EQ(history->row(kRows)[2], 10.0 * kRows + 1);
  }
  std::string error;
  const auto segments = open_history(path("r.h5"), error)->segments();
  ASSERT_EQ(segments.size(), 3u);
  EXPECT_EQ(segments[1].row, static_cast<std::size_t>(kRows));
  EXPECT_EQ(segments[2].t, 2.0 * kRows);
}

// Each segment is wider than the one before; a kill at any time leaves every row that was taken, in its place.
TEST_F(Store, KillBetweenSegmentsLeavesEveryRow) {
  auto* taken = static_cast<std::atomic<int>*>(
      mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  constexpr int kRowsOfASegment = 40, kTrials = 12;
  std::mt19937 random(3);
  for (int trial = 0; trial < kTrials; ++trial) {
    *taken = 0;
    const pid_t child = fork();
    if (child == 0) {
      std::vector<Channel> channels{{"time", "second"}, {"VARIABLE/0", "1"}};
      StoreWriter writer({});
      if (!writer.open(path("k.h5"), channels)) _exit(1);
      for (int k = 0;; ++k) {
        if (k > 0 && k % kRowsOfASegment == 0) {
          channels.push_back({"VARIABLE/" + std::to_string(channels.size()), "1"});
          if (!writer.change(channels)) _exit(2);
        }
        if (!writer.row(std::vector<double>(channels.size(), k))) _exit(3);
        ++*taken;
      }
    }
    while (*taken == 0) usleep(100);
    usleep(std::uniform_int_distribution<unsigned>(0, 60000)(random));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    std::string error;
    const auto history = open_history(path("k.h5"), error);
    ASSERT_NE(history, nullptr) << error;
    ASSERT_GE(history->rows(), static_cast<std::size_t>(*taken));
    const auto time = history->column(0), last = history->column(history->channels().size() - 1);
    const std::size_t begins = (history->channels().size() - 2) * kRowsOfASegment;
    for (std::size_t k = 0; k < history->rows(); ++k) {
      ASSERT_EQ(time[k], static_cast<double>(k));
      ASSERT_TRUE(k < begins ? std::isnan(last[k]) : last[k] == time[k]) << k;
    }
  }
}

// Results of earlier versions: a CSV with its units in a line of their own.
TEST_F(Store, ReadsUnitsInTheHeadingOrInALineOfTheirOwn) {
  std::ofstream(path("new.csv")) << "time [second],PART/2.X [meter],REQUEST/1.F2\n0,1,2\n1,,3\n";
  std::ofstream(path("old.csv")) << "time,PART/2.X,REQUEST/1.F2\n#second,meter,\n0,1,2\n1,5,3\n";
  for (const char* name : {"new.csv", "old.csv"}) {
    std::string error;
    const auto history = open_history(path(name), error);
    ASSERT_NE(history, nullptr) << error;
    ASSERT_EQ(history->rows(), 2u);
    EXPECT_EQ(history->channels()[1].name, "PART/2.X");
    EXPECT_EQ(history->channels()[1].unit, "meter");
    EXPECT_EQ(history->channels()[2].unit, "");
    EXPECT_EQ(history->column(2)[1], 3);
    EXPECT_EQ(std::isnan(history->column(1)[1]), name[0] == 'n');
  }
}

TEST_F(Store, SaysWhyAFileCannotBeWrittenOrRead) {
  StoreWriter writer({});
  EXPECT_FALSE(writer.open(path("nowhere/a.h5"), some_channels()));
  EXPECT_THAT(writer.error(), testing::StartsWith("cannot write " + path("nowhere/a.h5") + ": "));
  std::string error;
  EXPECT_EQ(open_history(path("b.h5"), error), nullptr);
  EXPECT_EQ(error, path("b.h5") + ": there is no such file");
  Recorder recorder({"GFORCE/*"});
  EXPECT_FALSE(recorder.open(path("r.csv"), {some_channels()}, {}));
  EXPECT_EQ(recorder.error(),
            "no channel matches GFORCE/*: there are PART, JOINT, VARIABLE and NFORCE; did you mean NFORCE?");
}

}  // namespace
}  // namespace trunnion::results
