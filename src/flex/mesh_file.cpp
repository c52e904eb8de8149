#include "flex/mesh_file.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <hdf5.h>

#include "results/write/hdf5.hpp"

namespace trunnion::flex {

namespace {

namespace h5 = results::h5;

template <class Number> bool read(hid_t file, const char* name, hid_t type, std::vector<Number>& out) {
  constexpr hssize_t kMost = 100'000'000;  // 0.8 GB: larger ones are not for a picture
  return h5::read_whole(file, name, type, kMost, out);
}

bool put_elements(Mesh& mesh, const std::vector<std::string>& types, const std::vector<int>& start,
                  const std::vector<int>& nodes) {
  if (start.size() != types.size() + 1) return false;
  std::map<int, int> place;
  for (std::size_t k = 0; k < mesh.ids.size(); ++k) place[mesh.ids[k]] = static_cast<int>(k);
  for (std::size_t e = 0; e < types.size(); ++e) {
    Mesh::Element element{types[e], {}};
    for (int k = start[e]; k < start[e + 1]; ++k) {
      if (k < 0 || static_cast<std::size_t>(k) >= nodes.size()) return false;
      const auto found = place.find(nodes[static_cast<std::size_t>(k)]);
      if (found == place.end()) return false;
      element.nodes.push_back(found->second);
    }
    mesh.elements.push_back(std::move(element));
  }
  return true;
}

using Face = std::vector<int>;  // corners around it, then the nodes between them in the same order

// Places of a solid's nodes, corners first, then mid-side nodes, as Abaqus and CalculiX number them.
const std::vector<Face>& faces_of_solid(std::size_t nodes) {
  static const std::map<std::size_t, std::vector<Face>> all{
      {4, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}},
      {6, {{0, 2, 1}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}}},
      {8, {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}},
      {10, {{0, 2, 1, 6, 5, 4}, {0, 1, 3, 4, 8, 7}, {1, 2, 3, 5, 9, 8}, {2, 0, 3, 6, 7, 9}}},
      {15,
       {{0, 2, 1, 8, 7, 6},
        {3, 4, 5, 9, 10, 11},
        {0, 1, 4, 3, 6, 13, 9, 12},
        {1, 2, 5, 4, 7, 14, 10, 13},
        {2, 0, 3, 5, 8, 12, 11, 14}}},
      {20,
       {{0, 3, 2, 1, 11, 10, 9, 8},
        {4, 5, 6, 7, 12, 13, 14, 15},
        {0, 1, 5, 4, 8, 17, 12, 16},
        {1, 2, 6, 5, 9, 18, 13, 17},
        {2, 3, 7, 6, 10, 19, 14, 18},
        {3, 0, 4, 7, 11, 16, 15, 19}}}};
  static const std::vector<Face> none;
  const auto found = all.find(nodes);
  return found == all.end() ? none : found->second;
}

// Three or four corners, and as many nodes between them or none: as triangles over all of them.
void add_triangles(const Face& f, std::vector<int>& out) {
  const auto add = [&](std::size_t a, std::size_t b, std::size_t c) {
    out.insert(out.end(), {f[a], f[b], f[c]});
  };
  switch (f.size()) {
    case 3: return add(0, 1, 2);
    case 4: add(0, 1, 2); return add(0, 2, 3);
    case 6:
      add(0, 3, 5);
      add(3, 1, 4);
      add(5, 4, 2);
      return add(3, 4, 5);
    case 8:
      for (std::size_t k = 0; k < 4; ++k) add(k, 4 + k, 4 + (k + 3) % 4);
      add(4, 5, 6);
      return add(4, 6, 7);
    default: return;
  }
}

std::size_t corners(std::size_t nodes) { return nodes == 6 ? 3 : nodes == 8 ? 4 : nodes; }

bool starts(const std::string& text, std::initializer_list<const char*> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](const char* b) { return text.starts_with(b); });
}

}  // namespace

std::optional<Mesh> read_mesh(const std::filesystem::path& path, std::string& why) {
  h5::be_quiet();
  const h5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  std::vector<std::string> format, types;
  Mesh mesh;
  std::vector<double> places, shapes;
  std::vector<int> start, nodes;
  const bool good = file.valid() && h5::read_attribute(file, "format", format) && !format.empty() &&
                    format.front().starts_with("trunnion flexible body") &&
                    read(file, "nodes/id", H5T_NATIVE_INT, mesh.ids) &&
                    read(file, "nodes/position", H5T_NATIVE_DOUBLE, places) &&
                    read(file, "modes/translation", H5T_NATIVE_DOUBLE, shapes) &&
                    h5::read_texts(file, "elements/type", types) &&
                    read(file, "elements/start", H5T_NATIVE_INT, start) &&
                    read(file, "elements/nodes", H5T_NATIVE_INT, nodes);
  const std::size_t n = mesh.ids.size();
  if (!good || n == 0 || places.size() != 3 * n || shapes.size() % (3 * n) != 0 ||
      !put_elements(mesh, types, start, nodes)) {
    why = path.string() + " is no flexible body of trunnion flex, is damaged, or too large for a picture";
    return std::nullopt;
  }
  mesh.positions = Eigen::Map<const Eigen::Matrix3Xd>(places.data(), 3, static_cast<Eigen::Index>(n));
  mesh.translation = Eigen::Map<const Eigen::MatrixXd>(shapes.data(), static_cast<Eigen::Index>(3 * n),
                                                       static_cast<Eigen::Index>(shapes.size() / (3 * n)));
  return mesh;
}

Surface surface_of(const std::vector<Mesh::Element>& elements) {
  Surface out;
  std::map<std::array<int, 4>, std::pair<int, Face>> faces;  // by their corners: how many solids have it
  for (const Mesh::Element& element : elements) {
    const std::vector<int>& nodes = element.nodes;
    if (starts(element.type, {"C3D", "F3D", "DC3D"}) && !faces_of_solid(nodes.size()).empty()) {
      for (const Face& face : faces_of_solid(nodes.size())) {
        Face here;
        for (const int k : face) here.push_back(nodes[static_cast<std::size_t>(k)]);
        std::array<int, 4> key{-1, -1, -1, -1};
        std::copy_n(here.begin(), corners(here.size()), key.begin());
        std::sort(key.begin(), key.end());
        auto& [count, kept] = faces[key];
        if (++count == 1) kept = std::move(here);
      }
    } else if (starts(element.type, {"S", "CPS", "CPE", "M3D"}) && nodes.size() >= 3 && nodes.size() <= 8) {
      add_triangles(nodes, out.triangles);
    } else if (nodes.size() == 2 || nodes.size() == 3) {
      for (std::size_t k = 1; k < nodes.size(); ++k)
        out.lines.insert(out.lines.end(), {nodes[k - 1], nodes[k]});
    } else {
      ++out.unknown;
    }
  }
  for (const auto& [key, face] : faces) {
    if (face.first == 1) add_triangles(face.second, out.triangles);
  }
  return out;
}

}  // namespace trunnion::flex
