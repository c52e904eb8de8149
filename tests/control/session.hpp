#pragma once
// A model and a command file, run as the program does; what was said and what was written.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "api/session/run.hpp"
#include "core/diagnostics.hpp"
#include "support/user_code.hpp"

namespace trunnion::test {

struct Session {
  api::RunStatus status = api::RunStatus::failed;
  std::string said;
  std::string heading;                              // of the histories
  std::vector<std::map<std::string, double>> rows;  // since the channels changed last

  double at(double time, const std::string& channel) const {
    for (const auto& row : rows) {
      if (std::abs(row.at("TIME") - time) > 1e-9) continue;
      const auto found = row.find(channel);
      if (found != row.end()) return found->second;
      ADD_FAILURE() << "no channel " << channel;
      return 0;
    }
    ADD_FAILURE() << "no output at t = " << time << "\n" << said;
    return 0;
  }
};

inline std::vector<std::map<std::string, double>> read_csv(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> names;
  std::vector<std::map<std::string, double>> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) continue;
    std::stringstream cells(line);
    std::vector<std::string> values;
    for (std::string cell; std::getline(cells, cell, ',');) values.push_back(cell);
    if (names.empty()) {
      names = values;
      for (std::string& name : names) name = name.substr(0, name.find(" ["));
      continue;
    }
    auto& row = rows.emplace_back();
    for (std::size_t k = 0; k < values.size() && k < names.size(); ++k)
      if (!values[k].empty())
        row[names[k]] = std::strtod(values[k].c_str(), nullptr);  // stod throws on 1e-310
    if (!names.empty()) row["TIME"] = std::strtod(values.front().c_str(), nullptr);
  }
  return rows;
}

// The rows since channels came or went.
inline std::vector<std::map<std::string, double>> last_segment(
    std::vector<std::map<std::string, double>> rows) {
  const auto same_names = [](const auto& a, const auto& b) { return a.first == b.first; };
  std::size_t begin = rows.size();
  while (begin > 1 && std::equal(rows[begin - 1].begin(), rows[begin - 1].end(), rows[begin - 2].begin(),
                                 rows[begin - 2].end(), same_names))
    --begin;
  if (begin > 0) rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(begin - 1));
  return rows;
}

struct SessionOptions {
  std::vector<std::string> libraries;
  bool ignore_user = false;
};

inline Session run_files(const std::vector<std::string>& paths, const SessionOptions& options = {}) {
  static int number = 0;
  Session session;
  const api::Project project = api::load_project(paths);
  if (!project.ok()) {
    session.said = core::render(project.diagnostics, project.sources);
    return session;
  }
  api::RunOptions run;
  run.folder = (scratch() / ("results_" + std::to_string(++number))).string();
  run.user_libraries = options.libraries;
  run.ignore_user = options.ignore_user;
  const api::RunResult result =
      api::run(project, run, [&](const std::string& line) { session.said += line + "\n"; });
  session.status = result.status;
  if (!result.csv.empty()) std::getline(std::ifstream(result.csv), session.heading);
  if (!result.csv.empty()) session.rows = last_segment(read_csv(result.csv));
  return session;
}

inline std::string put(const std::string& name, const std::string& text) {
  const std::string path = (scratch() / name).string();
  std::ofstream(path) << text;
  return path;
}

inline Session run_text(const std::string& name, const std::string& model, const std::string& commands,
                        const SessionOptions& options = {}) {
  const std::string adm = put(name + ".adm", model);
  return run_files({adm, put(name + ".acf", "\n" + commands)}, options);
}

}  // namespace trunnion::test
