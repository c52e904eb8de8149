#pragma once
// What a run says: to the user, to the .msg file, and warnings and errors to its report. Names, files and lines are added here.

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "api/present/messages.hpp"
#include "api/present/notices.hpp"
#include "api/session/run.hpp"
#include "api/session/session.hpp"

namespace trunnion::api {

class RunVoice {
 public:
  RunVoice(const Project& project, const RunOptions& options,
           const std::function<void(const std::string&)>& user, const Session& session);

  void say(const std::string& line) { say(core::Severity::note, {}, line); }
  void say_all(const std::vector<std::string>& lines);
  // `place`: "model.adm:12: ", or nothing.
  void warn(const std::string& line, const std::string& place = {}) {
    say(core::Severity::warning, place, line);
  }
  void error(const std::string& line) { say(core::Severity::error, {}, line); }
  // What the compiler found. A warning only once in a run, however often the model is compiled: that of the checks counts too.
  void say(const core::Diagnostics& diagnostics);
  // The same warning only once in a run.
  void warn_once(const std::string& line, const model::Statement& about);
  // Where the statements stand that messages are about.
  void say_places(const std::vector<core::Words>& messages);
  // A warning, and where the statements stand.
  void warn_about(const core::Words& line);

  // "model.adm:12: "; nothing where it was built in code, or changed by a command since.
  std::string place_of(const model::Statement& about) const;

  MessageFile& file() { return file_; }
  const Notices& notices() const { return notices_; }

 private:
  void say(core::Severity severity, const std::string& place, const std::string& line);
  void put(const std::string& line);

  const Project& project_;
  const RunOptions& options_;
  const std::function<void(const std::string&)>& user_;
  const Session& session_;
  MessageFile file_;
  Notices notices_;
  std::vector<std::string> warned_;
  std::set<std::string> found_;  // warnings of the checks and the compiler
  bool grave_ = false;           // the line before, or the one that it went on with
};

}  // namespace trunnion::api
