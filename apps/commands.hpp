#pragma once
// The commands of the program. Each returns its exit code.

#include <string>
#include <vector>

namespace trunnion::apps {

// kFailed: the model is fine, an analysis failed; kIncomplete: it asks for one that this version does not have;
// kInterrupted: by the user.
enum ExitCode { kOk = 0, kWarnings = 1, kErrors = 2, kFailed = 3, kIncomplete = 4, kInterrupted = 5 };

struct CheckOptions {
  std::vector<std::string> files;
  bool json = false;
  bool strict = false;  // warnings count
  std::vector<std::string> user_libraries;
  bool ignore_user = false;
};
int check(const CheckOptions& options);

struct FormatOptions {
  std::string file;
  std::string output;  // empty: standard output
  bool in_place = false;
};
int format(const FormatOptions& options);

int help(const std::string& topic, bool markdown);

struct RunCommandOptions {
  std::vector<std::string> files;
  std::string folder, prefix, csv;
  bool report = false;
  std::vector<std::string> user_libraries;
  bool ignore_user = false;
};
int run(const RunCommandOptions& options);

}  // namespace trunnion::apps
