#include "flex/body_file.hpp"

#include <cmath>
#include <numbers>

#include <hdf5.h>

#include "flex/input_error.hpp"
#include "results/write/hdf5.hpp"

namespace trunnion::flex {

namespace {

namespace h5 = results::h5;
constexpr const char* kFormat = "trunnion flexible body 1";

class BodyFile {
 public:
  explicit BodyFile(const std::filesystem::path& path) : path_(path.string()) {
    h5::be_quiet();
    file_ = {H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose};
    if (!file_.valid()) fail();
    for (const char* group : {"nodes", "elements", "modes", "check"}) make_group(group);
    if (!h5::write_attribute(file_, "format", {kFormat})) fail();
  }
  void make_group(const char* name) {
    const h5::Handle group(H5Gcreate2(file_, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    if (!group.valid()) fail();
  }

  void reals(const char* name, const double* data, std::vector<hsize_t> size) {
    write(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, data, size);
  }
  void reals(const char* name, const Eigen::VectorXd& values) {
    reals(name, values.data(), {static_cast<hsize_t>(values.size())});
  }
  void wholes(const char* name, const std::vector<int>& values) {
    write(name, H5T_STD_I32LE, H5T_NATIVE_INT, values.data(), {values.size()});
  }
  void texts(const char* name, const std::vector<std::string>& values) {
    if (!h5::write_texts(file_, name, values)) fail();
  }
  void text(const char* name, const std::string& value) {
    if (!h5::write_text(file_, name, value)) fail();
  }
  void close() {
    if (!file_.reset()) fail();
  }

 private:
  void write(const char* name, hid_t stored, hid_t given, const void* data,
             const std::vector<hsize_t>& size) {
    const h5::Handle space(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose);
    const h5::Handle set(H5Dcreate2(file_, name, stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                         H5Dclose);
    hsize_t count = 1;
    for (const hsize_t s : size) count *= s;
    if (!set.valid() || (count > 0 && H5Dwrite(set, given, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)) fail();
  }
  [[noreturn]] void fail() const { throw InputError("cannot write " + path_ + ": " + h5::last_error()); }

  std::string path_;
  h5::Handle file_;
};

class BodyReader {
 public:
  explicit BodyReader(const std::filesystem::path& path) : path_(path.string()) {
    std::error_code code;
    if (!std::filesystem::is_regular_file(path, code)) throw InputError(path_ + ": there is no such file");
    h5::be_quiet();
    file_ = {H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose};
    std::vector<std::string> format;
    if (!file_.valid() || !h5::read_attribute(file_, "format", format) ||
        format != std::vector<std::string>{kFormat})
      throw InputError(path_ + ": this is no flexible body of trunnion flex",
                       "trunnion flex DECK.inp … -o NAME writes NAME.flex.h5, which --check reads");
  }

  std::vector<double> reals(const char* name) const {
    constexpr hssize_t kMost = 1'000'000;
    std::vector<double> out;
    if (!h5::read_whole(file_, name, H5T_NATIVE_DOUBLE, kMost, out)) fail(name);
    for (const double value : out) {
      if (std::isinf(value)) fail(name);
    }
    return out;
  }
  Eigen::VectorXd vector(const char* name, Eigen::Index size = -1) const {
    const std::vector<double> all = reals(name);
    if (size >= 0 && static_cast<Eigen::Index>(all.size()) != size) fail(name);
    return Eigen::Map<const Eigen::VectorXd>(all.data(), static_cast<Eigen::Index>(all.size()));
  }
  std::string text(const char* name) const {
    std::string out;
    if (!h5::read_text(file_, name, out)) fail(name);
    return out;
  }
  [[noreturn]] void fail(const char* name) const {
    throw InputError(path_ + ": " + name + " is missing or damaged", "make the body anew with trunnion flex");
  }

 private:
  std::string path_;
  h5::Handle file_;
};

void write_mesh(BodyFile& file, const ModalBody& body) {
  std::vector<int> ids, turns(body.turns.begin(), body.turns.end());
  std::vector<double> places;
  for (const Node& node : body.nodes) {
    ids.push_back(node.id);
    places.insert(places.end(), node.position.data(), node.position.data() + 3);
  }
  file.wholes("nodes/id", ids);
  file.reals("nodes/position", places.data(), {ids.size(), 3});
  file.wholes("nodes/turns", turns);
  std::vector<int> numbers, start{0}, nodes;
  std::vector<std::string> types;
  for (const Element& element : body.elements) {
    numbers.push_back(element.id);
    types.push_back(element.type);
    for (const int n : element.nodes) nodes.push_back(body.nodes[static_cast<std::size_t>(n)].id);
    start.push_back(static_cast<int>(nodes.size()));
  }
  file.wholes("elements/id", numbers);
  file.texts("elements/type", types);
  file.wholes("elements/start", start);
  file.wholes("elements/nodes", nodes);
  file.wholes("interfaces", body.interfaces);
}

void write_check(BodyFile& file, const SetOfModes& set) {
  file.wholes("check/nodes", set.nodes);
  file.wholes("check/directions", set.directions);
  file.reals("check/stiffness", set.stiffness);
  file.reals("check/mass", set.mass);
  file.reals("check/coupled", set.coupled);
  file.reals("check/coupled_total", set.coupled_total);
  file.reals("check/fixed", set.fixed);
  file.reals("check/ahead", set.ahead);
  file.reals("check/weight", set.weight);
  file.reals("check/weight_total", set.weight_total);
  file.reals("check/moved", set.moved);
  file.reals("check/moved_total", set.moved_total);
  file.reals("check/richer", set.richer);
  file.reals("check/static_error", Eigen::VectorXd::Constant(1, set.static_error));
}

}  // namespace

void write_body(const ModalBody& body, const std::filesystem::path& path) {
  BodyFile file(path);
  file.text("origin", body.origin);
  write_mesh(file, body);
  const auto modes = static_cast<hsize_t>(body.modes()), n = static_cast<hsize_t>(body.nodes.size());
  const Eigen::VectorXd hertz = body.eigenvalues.cwiseMax(0.0).cwiseSqrt() / (2 * std::numbers::pi);
  file.reals("modes/frequency", hertz);
  // Columns of a column-major matrix, 3 · nodes each, are rows of modes × nodes × 3.
  file.reals("modes/translation", body.translation.data(), {modes, n, 3});
  file.reals("modes/rotation", body.rotation.data(), {modes, n, 3});
  if (!body.stress.nodes.empty()) {
    file.make_group("stress");
    file.wholes("stress/nodes", body.stress.nodes);
    file.reals("stress/values", body.stress.values.data(), {modes, body.stress.nodes.size(), 6});
  }
  file.reals("check/eigenvalues", body.eigenvalues);
  write_check(file, body.check);
  file.close();
}

CheckData read_check(const std::filesystem::path& path) {
  const BodyReader file(path);
  CheckData out;
  out.origin = file.text("origin");
  out.eigenvalues = file.vector("check/eigenvalues");
  SetOfModes& set = out.set;
  for (const double v : file.reals("check/nodes")) set.nodes.push_back(static_cast<int>(v));
  for (const double v : file.reals("check/directions")) {
    if (!(v >= 0 && v <= 5)) file.fail("check/directions");
    set.directions.push_back(static_cast<int>(v));
  }
  const auto nb = static_cast<Eigen::Index>(set.nodes.size());
  if (set.directions.size() != set.nodes.size()) file.fail("check/directions");
  set.stiffness = file.vector("check/stiffness", nb);
  set.mass = file.vector("check/mass", nb);
  set.coupled = file.vector("check/coupled", nb);
  set.coupled_total = file.vector("check/coupled_total", nb);
  set.fixed = file.vector("check/fixed");
  set.ahead = file.vector("check/ahead");
  set.weight = file.vector("check/weight", 3);
  set.weight_total = file.vector("check/weight_total", 3);
  set.moved = file.vector("check/moved", 3);
  set.moved_total = file.vector("check/moved_total", 3);
  set.richer = file.vector("check/richer");
  set.static_error = file.vector("check/static_error", 1)[0];
  return out;
}

}  // namespace trunnion::flex
