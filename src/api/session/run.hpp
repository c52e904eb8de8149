#pragma once
// Carries out the commands of a script on a model.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "api/session/project.hpp"
#include "results/write/exchange.hpp"
#include "results/write/recorder.hpp"
#include "system/compile/user_library.hpp"

namespace trunnion::api {

// Where a simulation is, for a progress line.
struct Progress {
  double begin = 0, end = 0, t = 0, h = 0;
  int order = 0;
  long steps = 0;
};

struct RunOptions {
  std::string folder;               // of the results; empty: the present one
  std::string prefix;               // base name of the results; empty: the script's, else the model's
  std::string csv;                  // path of the histories; empty: folder/prefix.csv
  bool report = false;              // say the run report after each simulation
  results::RecorderOptions output;  // which channels go into which files
  std::optional<results::ExchangeFiles>
      exchange;  // files as the commercial tool writes them; what the model asks for
  std::vector<std::string> user_libraries;  // files with user code
  bool ignore_user = false;                 // statements without their user code are left out, and listed
  bool allow_model_code = false;            // load libraries that ROUTINE= and LIBPATH name, too
  bool allow_outside = false;               // of the folder of the results, where the script says so
  std::function<void(const Progress&)> progress;  // called after each step
  std::function<void()> progress_done;            // before anything else is said
  std::function<bool()> interrupted;              // asked before each step
  // Goes through the commands without simulating and without writing: what would be refused is refused, and what would be warned
  // of is warned of. Only warnings and errors are said.
  bool rehearse = false;
  bool verbose = false;  // every redundant equation in a line of its own
  std::string version;   // of the program, for SHOW
};

enum class RunStatus {
  done,
  failed,
  incomplete,
  interrupted,
  refused
};  // incomplete: an analysis that is not in this version; refused: for an error of the model, or files that may not be written

// The first assembly of the model: its true freedom, what is redundant. Lines of text.
struct AssemblyReport {
  bool compiled = false, assembled = false;
  int freedoms = 0;
  std::size_t redundant_count = 0;
  std::vector<std::string> redundant;
  std::vector<core::Words> messages;
  std::vector<std::string> idle;  // what does not act, and why
};

struct RunResult {
  AssemblyReport first;
  RunStatus status = RunStatus::done;
  std::vector<std::string> left_out;  // statements that could not be simulated as they are, by name
  std::size_t warnings = 0;           // of the reading, the checks, the compiler and the analyses
  std::string csv;                    // where the histories are; empty where none were written
  std::size_t rows = 0;               // of them
  bool write_failed = false;          // the last rows may be missing in some files
  struct File {
    std::string path;
    std::size_t rows = 0;
  };
  std::vector<std::string> stores;  // the results stores among them
  std::vector<File> files;          // all that were written; those with the same rows in one
};

// `say` gets a line at a time for the user. Warnings (requests left out, forces not acted on) are said too.
RunResult run(const Project& project, const RunOptions& options,
              const std::function<void(const std::string&)>& say);

}  // namespace trunnion::api
