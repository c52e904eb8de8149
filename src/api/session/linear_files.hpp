#pragma once
// The files that LINEAR leaves: their names, none of them twice in a run, and what is in them (docs/manual/linear.md).

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/linear/linear.hpp"

namespace trunnion::api {

enum class LinearFamily { modes, matrices };

// BASE.eig.csv, BASE.eig-2.csv, …
struct LinearName {
  std::string base;
  int number = 1;

  std::string path(const std::string& what, const char* ending) const;
  std::string script() const;  // BASE.m, BASE_2.m: MATLAB takes no other
};

class LinearNames {
 public:
  explicit LinearNames(std::string prefix) : prefix_(std::move(prefix)) {}
  // Removes what an earlier run left beside the results `prefix`: it would stand beside other modes. Files that do not begin as
  // ours do are the user's, whatever their names.
  void begin();
  // Path without an ending under which the files of FILE= go.
  std::string base(const std::optional<std::string>& file) const;

  // Of the next analysis. `file`: FILE of the command, in the folder of the results unless it is a whole path. With its first use
  // in a run go the files of that name which an earlier run left. Numbered on past files of this run and of the user.
  LinearName next(LinearFamily family, const std::optional<std::string>& file);

 private:
  bool is_taken(LinearFamily family, const LinearName& name) const;

  std::string prefix_;
  std::map<std::pair<LinearFamily, std::string>, int> used_;
  std::set<std::string> taken_;  // paths of this run: FILE=a a second time has a_2.m, and so has FILE=a_2
};

// Text of files, row by row.
using TextRows = std::vector<std::string>;
// False, with the file's name, where it cannot be written.
bool write_rows(const std::string& path, const TextRows& rows);

// The table of eigenvalues; `per_second`: of the model's unit of time.
TextRows eigenvalue_rows(const std::vector<analysis::Mode>& modes, double per_second);
// A row for each coordinate: real and imaginary part in modes first … last − 1.
TextRows shape_rows(const system::System& system, const std::vector<analysis::Mode>& modes, std::size_t first,
                    std::size_t last);
// A row for each mode: the share of each part in the kinetic energy.
TextRows kinetic_rows(const system::System& system, const assembly::State& state,
                      const std::vector<analysis::Mode>& modes, std::size_t first, std::size_t last);

struct NamedMatrix {
  const char* name;
  const Eigen::MatrixXd& values;
};
// Matrices go to their files number by number: as text in memory a large one is many times its size. False where the file cannot
// be written.
bool write_matrix_market(const std::string& path, const Eigen::MatrixXd& m);
// As MATLAB's `load` reads them, which skips rows with %.
bool write_plain(const std::string& path, const Eigen::MatrixXd& m);
// A script that sets all of them; `names`: of the states or coordinates, for its comments.
bool write_matlab(const std::string& path, const TextRows& names, const std::vector<NamedMatrix>& matrices);

}  // namespace trunnion::api
