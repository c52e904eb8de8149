#pragma once
// Shared libraries with user code, and the routines in them.

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "elements/user_law.hpp"

namespace trunnion::system {

// Which libraries may be loaded: loading one runs its code. A model is data, often somebody else's: what it names is loaded only
// where the user says so.
enum class Loading {
  given,     // the files of UserCode::libraries
  model_too  // and what ROUTINE= and PREFERENCES/LIBPATH name
};

// What a run is told about user code.
struct UserCode {
  std::vector<std::string> libraries;  // files that are searched for any routine
  std::string folder;                  // of the model: a library named by ROUTINE= is looked for there first
  bool ignore = false;                 // statements whose routine is not found do not act, and are listed
  // Told before a library is opened: should it bring the program down, the last line names it.
  std::function<void(const std::string& line)> loading;
  Loading load = Loading::given;
  // None is loaded after all, as by check and view: a routine is only looked for in the tables of the libraries, and the statement
  // does not act.
  bool look_only = false;
  // For pictures: FLEX_BODYs are rigid, and no file of a FLEX_BODY, LSE, NFORCE or CONTACT is read.
  bool for_drawing = false;
};

struct FoundRoutine {
  elements::UserFunction function = nullptr;
  std::string name;  // library::symbol, for messages; without a function: it is there and is not loaded
};

// Why there is no routine, and what to try.
struct UserTrouble {
  std::string text, hint;
};

class UserLibraries {
 public:
  // `path`: further folders, from PREFERENCES/LIBPATH, separated by ':'.
  UserLibraries(UserCode user, const std::string& path);
  const UserCode& user() const { return user_; }

  // `routine` is what ROUTINE= says: library::symbol, or a symbol; `standard` is the symbol where it says nothing.
  // Null with `trouble` set where there is none, or it may not be loaded.
  FoundRoutine find(const std::string& routine, const std::string& standard, UserTrouble& trouble);

 private:
  struct Library {
    void* handle = nullptr;
    std::set<std::string> symbols;  // where it is only looked at
    std::string path, trouble;      // trouble: why none of its routines can be had
  };
  void load(Library& library);
  void look_at(Library& library);
  static bool has(const Library& library, const std::string& symbol);
  const Library& open(const std::string& path);
  const Library* given(const std::string& name);  // among the files given; null where none has that name
  std::string file_named(
      const std::string& name) const;  // where the model's name leads; empty where to no file
  UserTrouble trouble_with(const std::string& routine, const std::string& library,
                           const std::string& symbol) const;

  UserCode user_;
  std::vector<std::string> folders_;
  std::map<std::string, Library> opened_;  // by path
};

}  // namespace trunnion::system
