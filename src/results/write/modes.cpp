#include "results/write/modes.hpp"

#include "results/write/hdf5.hpp"

namespace trunnion::results {

namespace {

using Sizes = std::vector<hsize_t>;
constexpr const char* kModes = "modes";

hsize_t product(const Sizes& sizes) {
  hsize_t count = 1;
  for (const hsize_t s : sizes) count *= s;
  return count;
}

// `data` holds doubles, or integers where the type says so.
h5::Handle write_numbers(hid_t group, const char* name, const Sizes& sizes, hid_t type, const void* data) {
  const h5::Handle space(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), H5Sclose);
  h5::Handle set(H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  if (set.valid() && product(sizes) > 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
    return {};
  return set;
}

bool write_time(hid_t group, double time) {
  const h5::Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const h5::Handle attribute(H5Acreate2(group, "time", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT),
                             H5Aclose);
  return attribute.valid() && H5Awrite(attribute, H5T_NATIVE_DOUBLE, &time) >= 0;
}

// Only where there are flexible bodies.
bool write_flexible(hid_t group, const ModeSet& m) {
  if (m.flexible.empty()) return true;
  const hsize_t n = m.values.size(), all = m.deformation.size();
  if (m.modal.size() != n * all || m.coordinates.size() != m.flexible.size()) return false;
  const hid_t real = H5T_NATIVE_DOUBLE;
  return h5::write_texts(group, "flexible", m.flexible) &&
         write_numbers(group, "coordinates", {m.flexible.size()}, H5T_NATIVE_INT, m.coordinates.data())
             .valid() &&
         write_numbers(group, "deformation", {all}, real, m.deformation.data()).valid() &&
         write_numbers(group, "modal", {n, all, 2}, real, m.modal.data()).valid();
}

bool write_set(hid_t modes, std::size_t number, const ModeSet& m) {
  const h5::Handle group(
      H5Gcreate2(modes, std::to_string(number).c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  const hsize_t n = m.values.size(), parts = m.parts.size();
  if (!group.valid() || m.shapes.size() != n * parts || m.poses.size() != parts) return false;
  const hid_t real = H5T_NATIVE_DOUBLE;
  const h5::Handle values = write_numbers(group, "eigenvalue", {n, 2}, real, m.values.data());
  const h5::Handle poses = write_numbers(group, "pose", {parts, 7}, real, m.poses.data());
  const h5::Handle shapes = write_numbers(group, "shape", {n, parts, 6, 2}, real, m.shapes.data());
  return write_time(group, m.time) && values.valid() && poses.valid() && shapes.valid() &&
         write_flexible(group, m) &&
         write_numbers(group, "number", {n}, H5T_NATIVE_INT, m.numbers.data()).valid() &&
         write_numbers(group, "frequency", {n}, real, m.frequencies.data()).valid() &&
         write_numbers(group, "damping", {n}, real, m.dampings.data()).valid() &&
         h5::write_texts(group, "parts", m.parts) &&
         h5::write_attribute(values, "names", {"real", "imaginary"}) &&
         h5::write_attribute(poses, "names", {"x", "y", "z", "qx", "qy", "qz", "qw"}) &&
         h5::write_attribute(shapes, "names", {"x", "y", "z", "rx", "ry", "rz"});
}

// The whole of a dataset, whose sizes must be those given.
template <class Number>
bool read_numbers(hid_t group, const char* name, const Sizes& sizes, hid_t type, std::vector<Number>& out) {
  if (h5::sizes_of(group, name) != sizes) return false;
  out.resize(product(sizes) * H5Tget_size(type) / sizeof(Number));  // a complex number is two of them
  const h5::Handle set(H5Dopen2(group, name, H5P_DEFAULT), H5Dclose);
  return out.empty() || H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) >= 0;
}

hsize_t length(hid_t group, const char* name) {
  const auto sizes = h5::sizes_of(group, name);
  return sizes.empty() ? 0 : sizes.front();
}

bool read_flexible(hid_t group, ModeSet& m) {
  if (H5Lexists(group, "flexible", H5P_DEFAULT) <= 0) return true;
  const hsize_t n = m.values.size(), all = length(group, "deformation");
  hsize_t sum = 0;
  const bool good = h5::read_texts(group, "flexible", m.flexible) &&
                    read_numbers(group, "coordinates", {m.flexible.size()}, H5T_NATIVE_INT, m.coordinates) &&
                    read_numbers(group, "deformation", {all}, H5T_NATIVE_DOUBLE, m.deformation) &&
                    read_numbers(group, "modal", {n, all, 2}, H5T_NATIVE_DOUBLE, m.modal);
  for (const int count : m.coordinates) {
    if (count < 0) return false;
    sum += static_cast<hsize_t>(count);
  }
  return good && sum == all;
}

bool read_set(hid_t group, ModeSet& m) {
  const h5::Handle time(H5Aopen(group, "time", H5P_DEFAULT), H5Aclose);
  if (!time.valid() || H5Aread(time, H5T_NATIVE_DOUBLE, &m.time) < 0) return false;
  const hsize_t n = length(group, "eigenvalue");
  if (!h5::read_texts(group, "parts", m.parts)) return false;
  const hsize_t parts = m.parts.size();
  const hid_t real = H5T_NATIVE_DOUBLE;
  return read_numbers(group, "number", {n}, H5T_NATIVE_INT, m.numbers) &&
         read_numbers(group, "eigenvalue", {n, 2}, real, m.values) &&
         read_numbers(group, "frequency", {n}, real, m.frequencies) &&
         read_numbers(group, "damping", {n}, real, m.dampings) &&
         read_numbers(group, "pose", {parts, 7}, real, m.poses) &&
         read_numbers(group, "shape", {n, parts, 6, 2}, real, m.shapes) && read_flexible(group, m);
}

std::size_t count_sets(hid_t modes) {
  H5G_info_t info;
  return H5Gget_info(modes, &info) < 0 ? 0 : static_cast<std::size_t>(info.nlinks);
}

h5::Handle open_modes(hid_t file, bool make) {
  const bool there = H5Lexists(file, kModes, H5P_DEFAULT) > 0;
  if (there) return {H5Gopen2(file, kModes, H5P_DEFAULT), H5Gclose};
  if (!make) return {};
  return {H5Gcreate2(file, kModes, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
}

}  // namespace

bool add_modes(const std::string& store, const std::vector<ModeSet>& sets, std::string& error) {
  h5::be_quiet();
  const h5::Handle file(H5Fopen(store.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
  const h5::Handle modes = file.valid() ? open_modes(file, true) : h5::Handle();
  bool good = modes.valid();
  std::size_t number = good ? count_sets(modes) : 0;
  for (const ModeSet& set : sets) good = good && write_set(modes, ++number, set);
  if (!good) error = "cannot add the mode shapes to " + store + ": " + h5::last_error();
  return good;
}

bool read_modes(const std::string& store, std::vector<ModeSet>& sets, std::string& error) {
  h5::be_quiet();
  sets.clear();
  const h5::Handle file(H5Fopen(store.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file.valid()) {
    error = store + ": " + h5::last_error();
    return false;
  }
  const h5::Handle modes = open_modes(file, false);
  const std::size_t count = modes.valid() ? count_sets(modes) : 0;
  for (std::size_t k = 1; k <= count; ++k) {
    const h5::Handle group(H5Gopen2(modes, std::to_string(k).c_str(), H5P_DEFAULT), H5Gclose);
    ModeSet set;
    if (!group.valid() || !read_set(group, set)) {
      error = store + ": /modes/" + std::to_string(k) + " is not as it should be";
      return false;
    }
    sets.push_back(std::move(set));
  }
  return true;
}

}  // namespace trunnion::results
