#pragma once
// A model and a script given as text, run as the program does, with what was said and the rows of the results store.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "api/session/project.hpp"
#include "api/session/run.hpp"
#include "results/read/history.hpp"

namespace trunnion::test {

struct RunOfText {
  api::RunStatus status = api::RunStatus::failed;
  std::string said;
  std::map<std::string, std::vector<double>> rows;

  double last(const std::string& channel) const {
    const auto found = rows.find(channel);
    if (found != rows.end() && !found->second.empty()) return found->second.back();
    ADD_FAILURE() << "no " << channel << "\n" << said;
    return 0;
  }
  std::size_t times_said(const std::string& part) const {
    std::size_t count = 0;
    for (std::size_t at = said.find(part); at != std::string::npos; at = said.find(part, at + 1)) ++count;
    return count;
  }
};

// Lines before END, and commands before STOP. `change` sees the options before the run.
inline RunOfText run_text(const std::string& model, const std::string& commands,
                          const std::function<void(api::RunOptions&)>& change = {}) {
  namespace fs = std::filesystem;
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  std::string name = std::string(test.test_suite_name()) + "." + test.name() + std::to_string(getpid());
  std::replace(name.begin(), name.end(), '/', '_');
  const fs::path folder = fs::temp_directory_path() / ("trunnion_" + name);
  fs::create_directories(folder);
  const std::string adm = (folder / "m.adm").string(), acf = (folder / "s.acf").string();
  std::ofstream(adm) << "title\n" << model << "END\n";
  std::ofstream(acf) << commands << "STOP\n";
  RunOfText out;
  const api::Project project = api::load_project({adm, acf});
  EXPECT_TRUE(project.ok());
  api::RunOptions options;
  options.folder = folder.string();
  if (change) change(options);
  const api::RunResult result =
      api::run(project, options, [&](const std::string& line) { out.said += line + "\n"; });
  out.status = result.status;
  std::string error;
  for (const std::string& store : result.stores) {
    const auto history = results::open_history(store, error);
    EXPECT_NE(history, nullptr) << error;
    for (std::size_t k = 0; history && k < history->channels().size(); ++k) {
      std::vector<double>& all = out.rows[history->channels()[k].name];
      const std::vector<double> more = history->column(k);
      all.insert(all.end(), more.begin(), more.end());
    }
  }
  fs::remove_all(folder);
  return out;
}

}  // namespace trunnion::test
