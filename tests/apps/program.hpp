#pragma once
// The program, run as a user runs it, in a folder of the test's own.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

namespace trunnion {

namespace fs = std::filesystem;

struct Ran {
  int code = -1;
  std::string out, err;
};

class Program : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "trunnion-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    std::error_code code;
    fs::remove_all(folder_, code);
  }

  std::string put(const std::string& name, const std::string& text) {
    const fs::path path = folder_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }
  std::string get(const std::string& name) {
    std::ifstream file(folder_ / name, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

  // The numbers of one channel.
  std::vector<double> column(const std::string& file, const std::string& channel) {
    std::istringstream text(get(file));
    std::vector<double> values;
    std::size_t place = 0;
    for (std::string line; std::getline(text, line);) {
      std::vector<std::string> cells;
      std::istringstream row(line);
      for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell.substr(0, cell.find(" [")));
      const auto found = std::find(cells.begin(), cells.end(), channel);
      if (found != cells.end()) place = static_cast<std::size_t>(found - cells.begin());
      else values.push_back(std::stod(cells.at(place)));
    }
    return values;
  }

  // Runs it in the test's own folder.
  Ran run(const std::string& arguments) {
    const std::string errors = (folder_ / "stderr.txt").string();
    const std::string line =
        "cd '" + folder_.string() + "' && '" TRUNNION_PROGRAM "' " + arguments + " 2>'" + errors + "'";
    Ran ran;
    std::FILE* pipe = popen(line.c_str(), "r");
    if (!pipe) return ran;
    char buffer[4096];
    std::size_t got = 0;
    while ((got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0) ran.out.append(buffer, got);
    const int status = pclose(pipe);
    if (WIFEXITED(status)) ran.code = WEXITSTATUS(status);
    ran.err = get("stderr.txt");
    return ran;
  }

  fs::path folder_;
};

}  // namespace trunnion
