#include "apps/picture.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "apps/process.hpp"

namespace trunnion::apps {

namespace {

// Beside the picture, so that a full or read-only place shows up here too; gone with the guard.
class Drawing {
 public:
  Drawing(const std::string& svg, const std::string& beside) : path_(beside + ".XXXXXX") {
    const int file = mkstemp(path_.data());
    if (file < 0) {
      path_.clear();
      return;
    }
    close(file);
    written_ = static_cast<bool>(std::ofstream(path_, std::ios::binary) << svg << std::flush);
  }
  ~Drawing() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove(path_, ignored);
  }
  Drawing(const Drawing&) = delete;
  Drawing& operator=(const Drawing&) = delete;

  bool written() const { return written_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool written_ = false;
};

}  // namespace

std::string write_png(const std::string& svg, const std::string& path) {
  const Drawing drawing(svg, path);
  if (!drawing.written()) return "cannot write beside " + path;
  switch (run_program({"rsvg-convert", "--zoom=2", "--output", path.c_str(), drawing.path().c_str()})) {
    case Ended::well: return {};
    case Ended::not_there:
      return "a PNG needs the program rsvg-convert; on Debian: apt-get install librsvg2-bin";
    case Ended::badly: break;
  }
  return "rsvg-convert could not make " + path;
}

}  // namespace trunnion::apps
