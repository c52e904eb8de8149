// Any bytes as an OBJ, STL or SHL file. What is read becomes a mesh, which meets a box: all numbers must be numbers.

#include "math/shell.hpp"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "math/mesh.hpp"
#include "math/touch.hpp"

using namespace trunnion::math;

namespace {

struct Finite final : TouchSink {
  void take(const Touch& t) override {
    if (!std::isfinite(t.g) || !t.n.allFinite() || !t.c.allFinite() || !t.g_x.allFinite() ||
        !t.n_x.allFinite() || !t.c_x.allFinite())
      std::abort();
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  Shell shell;
  std::string error;
  const auto reader = data[0] % 3 == 0 ? read_obj : data[0] % 3 == 1 ? read_stl : read_shl;
  const bool read = reader(bytes, shell, error);
  if (!read) return 0;
  constexpr std::size_t kMost = 3 * 200;  // pairs of triangles cost time, which is no subject here
  if (shell.faces.size() > kMost) return 0;
  Shape solid, box;
  solid.kind = Shape::Kind::mesh;
  solid.mesh = mesh_of(shell);
  box.kind = Shape::Kind::box;
  box.half = {1, 2, 3};
  box.mesh = mesh_of(box, 8);
  set_bound(solid);
  set_bound(box);
  const Placed first{&solid, Vec3(0.1, 0.2, 0.3), Mat3::Identity()},
      second{&box, Vec3::Zero(), Mat3::Identity()};
  Finite sink;
  touch(first, second, Wanted::partials, sink);
  touch(second, first, Wanted::partials, sink);
  return 0;
}
