#include "system/compile/user_library.hpp"

#include <filesystem>
#include <sstream>

#include <dlfcn.h>
#include <fmt/format.h>

#include "system/compile/exported_symbols.hpp"
#include "trunnion_user.h"

namespace trunnion::system {

namespace fs = std::filesystem;

namespace {

// "controls" for /some/where/libcontrols.so
std::string plain_name(const fs::path& path) {
  std::string stem = path.stem().string();
  return stem.starts_with("lib") ? stem.substr(3) : stem;
}

constexpr const char* kUserHint =
    "--user-library FILE with that routine, or leave such statements out with --ignore-user";

constexpr const char* kVersion = "trunnion_user_version";

std::string not_for_us(const std::string& path) {
  return fmt::format(
      "{} was not written for Trunnion: TRUNNION_USER_LIBRARY of trunnion_user.h is missing in it", path);
}

void* symbol_of(void* handle, const std::string& name) { return dlsym(handle, name.c_str()); }

}  // namespace

UserLibraries::UserLibraries(UserCode user, const std::string& path) : user_(std::move(user)) {
  folders_.push_back(user_.folder.empty() ? "." : user_.folder);
  std::stringstream list(path);
  for (std::string one; std::getline(list, one, ':');) {
    if (!one.empty()) folders_.push_back(one);
  }
  folders_.push_back(".");
}

const UserLibraries::Library& UserLibraries::open(const std::string& path) {
  const auto [place, fresh] = opened_.try_emplace(path);
  Library& library = place->second;
  if (!fresh) return library;
  library.path = path;
  user_.look_only ? look_at(library) : load(library);
  return library;
}

// Libraries stay open to the end of the program: what they keep between two analyses must survive a change of the model.
void UserLibraries::load(Library& library) {
  const std::string& path = library.path;
  if (user_.loading) user_.loading(fmt::format("loading user code from {}", path));
  library.handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library.handle) {
    const char* why = dlerror();
    library.trouble = fmt::format("{} cannot be loaded: {}", path, why ? why : "no reason given");
    return;
  }
  const auto* version = static_cast<const int*>(symbol_of(library.handle, kVersion));
  if (!version) {
    library.trouble = not_for_us(path);
  } else if (*version > TRUNNION_USER_VERSION || *version < 1) {
    library.trouble = fmt::format("{} was built for version {} of trunnion_user.h; this program knows {}",
                                  path, *version, TRUNNION_USER_VERSION);
  }
}

void UserLibraries::look_at(Library& library) {
  auto symbols = exported_symbols(library.path);
  if (!symbols) library.trouble = fmt::format("{} is not there, or is no shared library", library.path);
  else if (!symbols->contains(kVersion)) library.trouble = not_for_us(library.path);
  else library.symbols = std::move(*symbols);
}

bool UserLibraries::has(const Library& library, const std::string& symbol) {
  if (!library.trouble.empty()) return false;
  return library.handle ? symbol_of(library.handle, symbol) != nullptr : library.symbols.contains(symbol);
}

const UserLibraries::Library* UserLibraries::given(const std::string& name) {
  for (const std::string& file : user_.libraries) {
    if (plain_name(file) == plain_name(name) || file == name) return &open(fs::absolute(file).string());
  }
  return nullptr;
}

std::string UserLibraries::file_named(const std::string& name) const {
  const fs::path named(name);
  const std::string last = named.filename().string();
  for (const std::string& folder : folders_) {
    for (const std::string& file : {fmt::format("lib{}.so", last), fmt::format("{}.so", last), last}) {
      const fs::path path = fs::path(folder) / named.parent_path() / file;
      std::error_code code;
      if (fs::is_regular_file(path, code)) return fs::absolute(path).lexically_normal().string();
    }
  }
  return {};
}

// Where no library that may be loaded has it.
UserTrouble UserLibraries::trouble_with(const std::string& routine, const std::string& library,
                                        const std::string& symbol) const {
  const std::string file = library.empty() ? "" : file_named(library);
  if (!file.empty())
    return {fmt::format("not loaded: ROUTINE={} names {}, and a library that a model names is loaded only "
                        "where you allow it",
                        routine, file),
            fmt::format("if you trust it, --user-library {}, or --allow-model-code for all that the model "
                        "names; --ignore-user leaves such statements out",
                        file)};
  std::string text;
  if (!library.empty())
    text = fmt::format(
        "not there: there is no library {0} (lib{0}.so, beside the model or on PREFERENCES/LIBPATH)",
        library);
  else if (user_.libraries.empty())
    text = fmt::format("not there: no library is given in which to find {}", symbol);
  else text = fmt::format("not there: no library given has a routine {}", symbol);
  return {text, kUserHint};
}

FoundRoutine UserLibraries::find(const std::string& routine, const std::string& standard,
                                 UserTrouble& trouble) {
  const std::size_t colons = routine.find("::");
  const std::string library = colons == std::string::npos ? "" : routine.substr(0, colons);
  std::string symbol = colons == std::string::npos ? routine : routine.substr(colons + 2);
  if (symbol.empty()) symbol = standard;
  const auto in = [&](const Library& from) -> FoundRoutine {
    if (!has(from, symbol)) return {};
    void* address = from.handle ? symbol_of(from.handle, symbol) : nullptr;
    return {reinterpret_cast<trunnion_routine*>(address), plain_name(from.path) + "::" + symbol};
  };
  if (!library.empty()) {
    const Library* from = given(library);
    if (!from && user_.load == Loading::model_too) {
      if (const std::string file = file_named(library); !file.empty()) from = &open(file);
    }
    if (from) {
      if (const FoundRoutine found = in(*from); !found.name.empty()) return found;
      trouble = {
          "not there: " + (from->trouble.empty() ? fmt::format("{} has no routine {}", from->path, symbol)
                                                 : from->trouble),
          kUserHint};
      return {};
    }
  }
  std::string broken;
  for (const std::string& file : user_.libraries) {
    const Library& from = open(fs::absolute(file).string());
    if (const FoundRoutine found = in(from); !found.name.empty()) return found;
    if (!from.trouble.empty()) broken = from.trouble;
  }
  trouble = broken.empty() ? trouble_with(routine, library, symbol)
                           : UserTrouble{"not there: " + broken, kUserHint};
  return {};
}

}  // namespace trunnion::system
