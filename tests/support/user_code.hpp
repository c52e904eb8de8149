#pragma once
// Libraries of user code, built by the tests that need them with the system's compilers.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <istream>
#include <regex>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace trunnion::test {

// A folder of this process for libraries.
inline const std::filesystem::path& scratch() {
  static const std::filesystem::path folder = [] {
    namespace fs = std::filesystem;
    fs::path p = fs::temp_directory_path() / fmt::format("trunnion_user_{}", getpid());
    fs::create_directories(p);
    return p;
  }();
  return folder;
}

inline bool have_compilers() {
  return std::system("cc --version >/dev/null 2>&1 && c++ --version >/dev/null 2>&1") == 0;
}

// The library's path.
inline std::string build(const std::string& compiler, const std::string& name,
                         const std::filesystem::path& source) {
  const std::string out = (scratch() / fmt::format("lib{}.so", name)).string();
  const std::string line = fmt::format("{} -shared -fPIC -Wall -Wextra -Werror -I {}/include {} -o {} -lm",
                                       compiler, TRUNNION_SOURCE_DIR, source.string(), out);
  EXPECT_EQ(std::system(line.c_str()), 0) << line;
  return out;
}

inline std::string build_text(const std::string& name, const std::string& text) {
  const std::filesystem::path source = scratch() / (name + ".c");
  std::ofstream(source) << text;
  return build("cc", name, source);
}

// "void name(context, id, time, par, npar, dflag, iflag, result)" around a body.
inline std::string routine(const std::string& name, const std::string& body) {
  return fmt::format(
      "TRUNNION_EXPORT void {}(trunnion_context* c, int id, double time, const double* par, int npar, int "
      "dflag, "
      "int iflag, double* result) {{\n(void)c, (void)id, (void)time, (void)par, (void)npar, (void)dflag, "
      "(void)iflag, (void)result;\n{}\n}}\n",
      name, body);
}
inline const std::string kHead = "#include <math.h>\n#include \"trunnion_user.h\"\nTRUNNION_USER_LIBRARY\n";

// What ROUTINE= and INTERFACE= name in a model's text.
inline std::set<std::string> routines_named_in(std::istream& file) {
  std::set<std::string> names;
  const std::regex pattern("\\w+::(\\w+)");
  for (std::string line; std::getline(file, line);) {
    for (std::sregex_iterator it(line.begin(), line.end(), pattern), end; it != end; ++it)
      names.insert((*it)[1]);
  }
  return names;
}

}  // namespace trunnion::test
