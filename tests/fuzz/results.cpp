// Results of any origin, as info, plot, view and compare read them. The first byte chooses the kind: the commercial tool's texts
// (.res, .req, .gra), our table (.csv), the store with its tail (.h5).

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>

#include <unistd.h>

#include "results/read/history.hpp"
#include "results/write/modes.hpp"
#include "results/write/shapes.hpp"

using namespace trunnion;

namespace {

constexpr const char* kEndings[] = {".res", ".req", ".gra", ".csv", ".h5"};

void put(const std::string& path, const std::uint8_t* data, std::size_t size) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
}

// False where it is refused.
bool read_all(const std::string& path) {
  std::string error;
  const auto history = results::open_history(path, error);
  if (!history) return false;
  history->title();
  history->notice();
  history->finished();
  history->text("model");
  history->text("settings");
  history->text("report");
  history->steps();
  constexpr std::size_t kMost = 64;
  for (std::size_t k = 0; k < history->channels().size() && k < kMost; ++k) history->column(k);
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const char* ending = kEndings[data[0] % std::size(kEndings)];
  static const std::string kBase = "/dev/shm/trunnion_fuzz_" + std::to_string(getpid());
  const std::string path = kBase + ending;
  put(path, data + 1, size - 1);
  if (read_all(path) && std::string(ending) == ".h5") {
    std::vector<results::ModeSet> modes;
    std::string error;
    results::read_modes(path, modes, error);
    std::vector<results::DeformingBody> bodies;
    results::read_shapes(path, bodies, error);
  }
  std::remove(path.c_str());
  return 0;
}
