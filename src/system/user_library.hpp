#pragma once
// Shared libraries with user code, and the routines in them.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "elements/user_law.hpp"

namespace trunnion::system {

// What a run is told about user code.
struct UserCode {
  std::vector<std::string> libraries;  // files that are searched for any routine
  std::string folder;                  // of the model: a library named by ROUTINE= is looked for there first
  bool ignore = false;                 // statements whose routine is not found do not act, and are listed
  // Told before a library is opened: should it bring the program down, the last line names it.
  std::function<void(const std::string& line)> loading;
};

struct FoundRoutine {
  elements::UserFunction function = nullptr;
  std::string name;  // library::symbol, for messages
};

class UserLibraries {
 public:
  // `path`: further folders, from PREFERENCES/LIBPATH, separated by ':'.
  UserLibraries(UserCode user, const std::string& path);
  const UserCode& user() const { return user_; }

  // `routine` is what ROUTINE= says: library::symbol, or a symbol; `standard` is the symbol where it says nothing.
  // Null with `trouble` set where there is none.
  FoundRoutine find(const std::string& routine, const std::string& standard, std::string& trouble);

 private:
  struct Library {
    void* handle = nullptr;
    std::string path, trouble;
  };
  const Library& open(const std::string& path);
  const Library* named(const std::string& name);  // null where no file has that name

  UserCode user_;
  std::vector<std::string> folders_;
  std::map<std::string, Library> opened_;  // by path
};

}  // namespace trunnion::system
