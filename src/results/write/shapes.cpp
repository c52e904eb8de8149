#include "results/write/shapes.hpp"

#include <algorithm>

#include "results/write/hdf5.hpp"

namespace trunnion::results {

namespace {

constexpr const char* kFlexible = "flexible";
using Sizes = std::vector<hsize_t>;

bool write_numbers(hid_t group, const char* name, hid_t type, const void* data, const Sizes& sizes) {
  const h5::Handle space(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), H5Sclose);
  const h5::Handle set(H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  const bool any = std::find(sizes.begin(), sizes.end(), hsize_t{0}) == sizes.end();
  return set.valid() && (!any || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
}
bool write(hid_t group, const char* name, const std::vector<int>& values, const Sizes& sizes) {
  return write_numbers(group, name, H5T_NATIVE_INT, values.data(), sizes);
}
bool write(hid_t group, const char* name, const std::vector<float>& values, const Sizes& sizes) {
  return write_numbers(group, name, H5T_NATIVE_FLOAT, values.data(), sizes);
}

bool write_body(hid_t group, const DeformingBody& b) {
  const hsize_t modes = b.numbers.size(), n = b.nodes.size(), s = b.stressed.size(), m = b.markers.size();
  return h5::write_text(group, "channel", b.channel) && write(group, "modes", b.numbers, {modes}) &&
         write(group, "nodes", b.nodes, {n}) && write(group, "places", b.places, {n, 3}) &&
         write(group, "shapes", b.shapes, {modes, n, 3}) &&
         write(group, "triangles", b.triangles, {b.triangles.size() / 3, 3}) &&
         write(group, "lines", b.lines, {b.lines.size() / 2, 2}) &&
         write(group, "stressed", b.stressed, {s}) && write(group, "stresses", b.stresses, {modes, s, 6}) &&
         write(group, "markers", b.markers, {m}) && write(group, "stands", b.stands, {m, 3}) &&
         write(group, "turns", b.turns, {m, modes, 6}) && h5::write_texts(group, "notes", b.notes);
}

template <class Number> bool read(hid_t group, const char* name, hid_t type, std::vector<Number>& out) {
  constexpr hssize_t kMost = 20'000'000;  // above what is ever written
  return h5::read_whole(group, name, type, kMost, out);
}

bool read_body(hid_t group, DeformingBody& b) {
  const hid_t whole = H5T_NATIVE_INT, real = H5T_NATIVE_FLOAT;
  return h5::read_text(group, "channel", b.channel) && read(group, "modes", whole, b.numbers) &&
         read(group, "nodes", whole, b.nodes) && read(group, "places", real, b.places) &&
         read(group, "shapes", real, b.shapes) && read(group, "triangles", whole, b.triangles) &&
         read(group, "lines", whole, b.lines) && read(group, "stressed", whole, b.stressed) &&
         read(group, "stresses", real, b.stresses) && read(group, "markers", whole, b.markers) &&
         read(group, "stands", real, b.stands) && read(group, "turns", real, b.turns) &&
         h5::read_texts(group, "notes", b.notes) && b.whole();
}

h5::Handle open(const std::string& store) {
  h5::Handle file(H5Fopen(store.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (file.valid()) return file;
  constexpr unsigned kAttempts = 24;  // as StoreHistory
  const h5::Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_metadata_read_attempts(access, kAttempts);
  return {H5Fopen(store.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access), H5Fclose};
}

}  // namespace

bool DeformingBody::whole() const {
  const std::size_t modes = numbers.size(), n = nodes.size(), s = stressed.size(), m = markers.size();
  const auto within = [n](const std::vector<int>& all) {
    return std::all_of(all.begin(), all.end(),
                       [n](int k) { return k >= 0 && static_cast<std::size_t>(k) < n; });
  };
  return places.size() == 3 * n && shapes.size() == 3 * n * modes && triangles.size() % 3 == 0 &&
         lines.size() % 2 == 0 && stresses.size() == 6 * s * modes && stands.size() == 3 * m &&
         turns.size() == 6 * m * modes && within(triangles) && within(lines) && within(stressed);
}

bool write_shapes(std::int64_t file, const std::vector<DeformingBody>& bodies) {
  if (bodies.empty()) return true;
  const h5::Handle all(H5Gcreate2(file, kFlexible, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  bool good = all.valid();
  for (std::size_t k = 0; good && k < bodies.size(); ++k) {
    const h5::Handle group(
        H5Gcreate2(all, std::to_string(k + 1).c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    good = group.valid() && write_body(group, bodies[k]);
  }
  return good;
}

bool read_shapes(const std::string& store, std::vector<DeformingBody>& bodies, std::string& error) {
  h5::be_quiet();
  bodies.clear();
  const h5::Handle file = open(store);
  if (!file.valid()) {
    error = store + ": " + h5::last_error();
    return false;
  }
  if (H5Lexists(file, kFlexible, H5P_DEFAULT) <= 0) return true;
  const h5::Handle all(H5Gopen2(file, kFlexible, H5P_DEFAULT), H5Gclose);
  H5G_info_t info;
  const hsize_t count = all.valid() && H5Gget_info(all, &info) >= 0 ? info.nlinks : 0;
  for (hsize_t k = 1; k <= count; ++k) {
    const h5::Handle group(H5Gopen2(all, std::to_string(k).c_str(), H5P_DEFAULT), H5Gclose);
    DeformingBody body;
    if (!group.valid() || !read_body(group, body)) {
      error = store + ": /flexible/" + std::to_string(k) + " is not as it should be";
      bodies.clear();
      return false;
    }
    bodies.push_back(std::move(body));
  }
  return true;
}

}  // namespace trunnion::results
