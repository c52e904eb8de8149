#pragma once
// The names of a run's files, and whether they may be written.

#include <filesystem>
#include <optional>
#include <string>

#include "api/session/linear_files.hpp"
#include "api/session/output_guard.hpp"
#include "api/session/run.hpp"
#include "api/session/run_lock.hpp"

namespace trunnion::api {

class RunFiles {
 public:
  RunFiles(const Project& project, const RunOptions& options);

  std::string csv() const { return options_.csv.empty() ? base_ + ".csv" : options_.csv; }
  std::string messages() const { return base_ + ".msg"; }
  std::string report() const { return base_ + ".report.json"; }
  std::string in_folder(const std::string& name, const std::string& ending) const;
  // Where SAVE puts it, unless there is none and one lies beside the script.
  std::string saved_file(const std::string& name) const;

  // Takes the lock of the results; why they may not be written, or nothing.
  std::string take();
  // The results go on under another name. Why not, or nothing; `same`: that is their name already.
  std::string take_next(const std::string& prefix, bool& same);
  const std::string& cut_short() const { return lock_.left_by(); }  // by whom an earlier run was left
  std::string refusal(const std::string& path) const { return guard_.refusal(path); }

  // A file that a command names and that must not be written.
  struct Refused {
    const model::Statement* command = nullptr;
    std::string what, why;  // "SAVE: FILE"
  };
  std::vector<Refused> refused() const;
  // The statement that chose the name of the results, or the script's second line; nothing where the user did.
  const model::File* prefix_command() const;
  bool prefix_of_script() const;

  LinearNames& linear() { return linear_; }

 private:
  std::string base() const;
  std::filesystem::path folder() const;
  std::string home() const;

  const Project& project_;
  const RunOptions& options_;
  std::string base_;  // path of the results without an ending
  OutputGuard guard_;
  RunLock lock_, next_lock_;  // of the files, and of those that a RELOAD names
  LinearNames linear_;
};

}  // namespace trunnion::api
