#include "api/view/flexible.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "api/stress/hot_spots.hpp"
#include "flex/mesh_file.hpp"
#include "system/compile/flex_reading.hpp"
#include "system/compile/matrix_data.hpp"
#include "system/owner.hpp"

namespace trunnion::api {

namespace fs = std::filesystem;
using Eigen::Index;
using math::Vec3;
using model::kind_of;
using results::DeformingBody;

namespace {

// All nodes of a body with their shapes, before any is left out.
struct Whole {
  std::vector<int> ids;
  Eigen::Matrix3Xd places;
  Eigen::MatrixXd shapes;  // 3n × M
  std::vector<int> triangles, lines;
  std::vector<int> stressed;  // rows of the stress modes, or −1
  std::vector<std::string> notes;

  std::size_t size() const { return ids.size(); }
};

Whole of_matrices(const system::FlexMatrices& m) {
  Whole out;
  std::vector<Index> rows;
  for (std::size_t k = 0; k < m.nodes.size(); ++k) {
    if (m.nodes[k].place && m.T.rows() >= static_cast<Index>(3 * k + 3))
      rows.push_back(static_cast<Index>(k));
  }
  const auto n = static_cast<Index>(rows.size()), M = static_cast<Index>(m.modes.size());
  out.places.resize(3, n);
  out.shapes.setZero(3 * n, M);
  for (Index k = 0; k < n; ++k) {
    const system::FlexNode& node = m.nodes[static_cast<std::size_t>(rows[static_cast<std::size_t>(k)])];
    out.ids.push_back(node.id);
    out.places.col(k) = *node.place;
    if (M > 0) out.shapes.middleRows<3>(3 * k) = m.T.middleRows<3>(3 * rows[static_cast<std::size_t>(k)]);
  }
  return out;
}

// The columns of a mesh's shapes that are this body's modes; none where they are not the same shapes.
std::vector<Index> columns_of(const flex::Mesh& mesh, const system::FlexMatrices& m, const Whole& known) {
  std::vector<Index> columns;
  for (const int number : m.modes) {
    if (number < 1 || number > mesh.translation.cols()) return {};
    columns.push_back(number - 1);
  }
  std::map<int, Index> places;
  for (std::size_t k = 0; k < mesh.ids.size(); ++k) places[mesh.ids[k]] = static_cast<Index>(k);
  constexpr double kSame = 1e-5;  // digits of a file; other modes differ by far more
  const double size = known.shapes.size() > 0 ? known.shapes.cwiseAbs().maxCoeff() : 0.0;
  bool any = false;
  for (std::size_t k = 0; k < known.size(); ++k) {
    const auto found = places.find(known.ids[k]);
    if (found == places.end()) continue;
    any = true;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const Vec3 there = mesh.translation.block<3, 1>(3 * found->second, columns[c]),
                 here = known.shapes.block<3, 1>(static_cast<Index>(3 * k), static_cast<Index>(c));
      if (!((there - here).norm() <= kSame * size)) return {};
    }
  }
  return any ? columns : std::vector<Index>{};
}

// Only the nodes that faces or lines use.
Whole of_mesh(const flex::Mesh& mesh, const std::vector<Index>& columns) {
  Whole out;
  const flex::Surface surface = flex::surface_of(mesh.elements);
  std::vector<int> place(mesh.ids.size(), -1), kept;
  const auto use = [&](const std::vector<int>& from, std::vector<int>& to) {
    for (const int node : from) {
      int& at = place[static_cast<std::size_t>(node)];
      if (at < 0) {
        at = static_cast<int>(kept.size());
        kept.push_back(node);
      }
      to.push_back(at);
    }
  };
  use(surface.triangles, out.triangles);
  use(surface.lines, out.lines);
  if (kept.empty()) {
    for (std::size_t k = 0; k < mesh.ids.size(); ++k) kept.push_back(static_cast<int>(k));
  }
  const auto n = static_cast<Index>(kept.size());
  out.places.resize(3, n);
  out.shapes.resize(3 * n, static_cast<Index>(columns.size()));
  for (Index k = 0; k < n; ++k) {
    const auto from = static_cast<Index>(kept[static_cast<std::size_t>(k)]);
    out.ids.push_back(mesh.ids[static_cast<std::size_t>(from)]);
    out.places.col(k) = mesh.positions.col(from);
    for (std::size_t c = 0; c < columns.size(); ++c)
      out.shapes.block<3, 1>(3 * k, static_cast<Index>(c)) =
          mesh.translation.block<3, 1>(3 * from, columns[c]);
  }
  if (surface.unknown > 0)
    out.notes.push_back(fmt::format("{} elements of kinds that are not drawn", surface.unknown));
  return out;
}

void find_stresses(Whole& body, const system::FlexMatrices& m) {
  std::map<int, int> rows;
  for (std::size_t k = 0; k < m.stress_nodes.size(); ++k) rows[m.stress_nodes[k].id] = static_cast<int>(k);
  for (const int id : body.ids) {
    const auto found = rows.find(id);
    body.stressed.push_back(found == rows.end() ? -1 : found->second);
  }
}

// Cells of a grid that leave at most `most` nodes, one in each: the one nearest to the middle of all that are in it.
std::vector<int> representatives(const Whole& body, std::size_t most) {
  const Vec3 low = body.places.rowwise().minCoeff(), extent = body.places.rowwise().maxCoeff() - low;
  const double largest = std::max(extent.maxCoeff(), 1e-300);
  using Cell = std::array<int, 3>;
  std::map<Cell, std::vector<int>> cells;
  constexpr double kFinest = 2048, kCoarser = 0.88;
  for (double pieces = kFinest; pieces >= 1; pieces *= kCoarser) {
    cells.clear();
    for (std::size_t k = 0; k < body.size() && cells.size() <= most; ++k) {
      const Vec3 at = (body.places.col(static_cast<Index>(k)) - low) * (pieces / largest);
      cells[Cell{static_cast<int>(at.x()), static_cast<int>(at.y()), static_cast<int>(at.z())}].push_back(
          static_cast<int>(k));
    }
    if (cells.size() <= most) break;
  }
  std::vector<int> of(body.size(), 0);
  for (const auto& [cell, nodes] : cells) {
    Vec3 middle = Vec3::Zero();
    for (const int k : nodes) middle += body.places.col(k) / static_cast<double>(nodes.size());
    const int chosen = *std::min_element(nodes.begin(), nodes.end(), [&](int a, int b) {
      return (body.places.col(a) - middle).squaredNorm() < (body.places.col(b) - middle).squaredNorm();
    });
    for (const int k : nodes) of[static_cast<std::size_t>(k)] = chosen;
  }
  return of;
}

// Fewer nodes, with the faces and lines that are left between them.
Whole thinned(const Whole& body, std::size_t most) {
  const std::vector<int> of = representatives(body, most);
  Whole out;
  out.notes = body.notes;
  std::map<int, int> place;
  std::vector<int> kept;
  for (const int k : of) {
    if (place.try_emplace(k, static_cast<int>(kept.size())).second) kept.push_back(k);
  }
  const auto renumber = [&](const std::vector<int>& from, std::size_t width, std::vector<int>& to) {
    std::set<std::vector<int>> seen;
    for (std::size_t k = 0; k + width <= from.size(); k += width) {
      std::vector<int> one, sorted;
      for (std::size_t c = 0; c < width; ++c) one.push_back(place[of[static_cast<std::size_t>(from[k + c])]]);
      sorted = one;
      std::sort(sorted.begin(), sorted.end());
      if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end() || !seen.insert(sorted).second)
        continue;
      to.insert(to.end(), one.begin(), one.end());
    }
  };
  renumber(body.triangles, 3, out.triangles);
  renumber(body.lines, 2, out.lines);
  const auto n = static_cast<Index>(kept.size());
  out.places.resize(3, n);
  out.shapes.resize(3 * n, body.shapes.cols());
  for (Index k = 0; k < n; ++k) {
    const auto from = static_cast<std::size_t>(kept[static_cast<std::size_t>(k)]);
    out.ids.push_back(body.ids[from]);
    out.stressed.push_back(body.stressed[from]);
    out.places.col(k) = body.places.col(static_cast<Index>(from));
    out.shapes.middleRows<3>(3 * k) = body.shapes.middleRows<3>(static_cast<Index>(3 * from));
  }
  out.notes.push_back(fmt::format("{} of {} nodes are drawn, to keep it small; `trunnion stress` sees all",
                                  kept.size(), body.size()));
  return out;
}

// Without a mesh: what joins each node to its nearest, as few lines as hold all together.
void join_nearest(Whole& body) {
  constexpr std::size_t kMost = 3000;  // costs its square
  const std::size_t n = body.size();
  if (n < 2 || n > kMost) return;
  std::vector<double> distance(n, std::numeric_limits<double>::infinity());
  std::vector<int> nearest(n, 0);
  std::vector<bool> in(n, false);
  std::size_t last = 0;
  for (std::size_t count = 1; count < n; ++count) {
    in[last] = true;
    std::size_t next = n;
    for (std::size_t k = 0; k < n; ++k) {
      if (in[k]) continue;
      const double d =
          (body.places.col(static_cast<Index>(k)) - body.places.col(static_cast<Index>(last))).norm();
      if (d < distance[k]) {
        distance[k] = d;
        nearest[k] = static_cast<int>(last);
      }
      if (next == n || distance[k] < distance[next]) next = k;
    }
    body.lines.insert(body.lines.end(), {nearest[next], static_cast<int>(next)});
    last = next;
  }
  body.notes.push_back(
      fmt::format("no mesh of it is known: its {} nodes are drawn, joined to their nearest", n));
}

void put(std::vector<float>& out, const Eigen::Ref<const Eigen::VectorXd>& values) {
  for (const double v : values) out.push_back(static_cast<float>(v));
}

void put_nodes(const Whole& body, const system::FlexMatrices& m, DeformingBody& out) {
  out.nodes = body.ids;
  out.triangles = body.triangles;
  out.lines = body.lines;
  for (Index k = 0; k < body.places.cols(); ++k) put(out.places, body.places.col(k));
  for (Index c = 0; c < body.shapes.cols(); ++c) put(out.shapes, body.shapes.col(c));
  for (std::size_t k = 0; k < body.size(); ++k) {
    if (body.stressed[k] >= 0) out.stressed.push_back(static_cast<int>(k));
  }
  for (Index c = 0; c < m.stress.cols(); ++c) {
    for (const int k : out.stressed)
      put(out.stresses, m.stress.block<6, 1>(6 * body.stressed[static_cast<std::size_t>(k)], c));
  }
  out.notes.insert(out.notes.end(), body.notes.begin(), body.notes.end());
}

void put_markers(const model::Model& model, const system::Owners& owners, int id,
                 const system::FlexMatrices& m, DeformingBody& out) {
  for (const model::Marker& marker : model.all<model::Marker>()) {
    if (!marker.node_id || !(owners.of(marker) == system::Owner{kind_of<model::FlexBody>(), id})) continue;
    const auto node = std::find_if(m.nodes.begin(), m.nodes.end(),
                                   [&](const system::FlexNode& one) { return one.id == *marker.node_id; });
    if (node == m.nodes.end() || !node->place) continue;
    out.markers.push_back(marker.id);
    put(out.stands, *node->place);
    const Index at = 3 * (node - m.nodes.begin());
    for (Index c = 0; c < m.T.cols(); ++c) {
      put(out.turns, m.T.block<3, 1>(at, c));
      put(out.turns, m.R.size() > 0 ? Eigen::VectorXd(m.R.block<3, 1>(at, c)) : Eigen::VectorXd::Zero(3));
    }
  }
}

class Gatherer {
 public:
  Gatherer(const model::Model& model, const std::string& folder, bool only_inside, std::size_t most)
      : model_(model), folder_(folder), only_inside_(only_inside), owners_(model), most_(most) {}

  std::vector<DeformingBody> run() {
    std::vector<DeformingBody> out;
    const std::size_t count = model_.all<model::FlexBody>().size();
    for (const model::FlexBody& body : model_.all<model::FlexBody>()) {
      if (auto one = gather(body, most_ / count)) out.push_back(std::move(*one));
    }
    return out;
  }

 private:
  std::optional<DeformingBody> gather(const model::FlexBody& f, std::size_t most) const {
    const std::vector<fs::path> files = files_of(f);
    for (const fs::path& file : files) {
      if (only_inside_ && !inside_folder(file.string(), folder_)) return std::nullopt;
    }
    std::vector<std::string> troubles, said_before;
    const auto m = system::read_flex_matrices(model_, f, folder_, troubles, said_before);
    if (!m) return std::nullopt;
    DeformingBody out;
    out.channel = fmt::format("FLEX_BODY/{}", f.id);
    Whole body = of_matrices(*m);
    find_mesh(files, *m, body);
    find_stresses(body, *m);
    if (body.triangles.empty() && body.lines.empty()) join_nearest(body);
    if (!rigid(f)) out.numbers = m->modes;
    const bool stresses =
        std::any_of(body.stressed.begin(), body.stressed.end(), [](int row) { return row >= 0; });
    if (!m->stress_nodes.empty() && !stresses)
      body.notes.push_back(
          "its stresses are not drawn: no shape of a node with stresses is known; `trunnion flex` leaves a "
          ".flex.h5 "
          "beside the matrices, SELNOD and T_MODE may have more nodes");
    const std::size_t each = std::max<std::size_t>(m->modes.size(), 1) * (stresses ? 9 : 3);
    if (body.size() * each > most) body = thinned(body, std::max<std::size_t>(most / each, 8));
    system::FlexMatrices shown = *m;
    if (rigid(f)) {
      std::vector<std::string> none;
      select_modes(shown, {}, none);
      body.shapes.resize(body.shapes.rows(), 0);
    }
    put_nodes(body, shown, out);
    put_markers(model_, owners_, f.id, shown, out);
    return out;
  }

  // As the solver decides it: no modes act.
  static bool rigid(const model::FlexBody& f) {
    const bool sixth =
        f.invariants.indices.size() < 6 || f.invariants.indices[5] == static_cast<int>(model::Switch::on);
    return !sixth ||
           (f.representation.given() && f.representation.value() == model::FlexBody::Representation::rigid);
  }

  std::vector<fs::path> files_of(const model::FlexBody& f) const {
    std::vector<fs::path> out;
    for (const int id : f.matrices.ids) {
      const model::Matrix* m = model_.find<model::Matrix>(id);
      if (m && m->file) out.emplace_back(system::matrix_path(*m->file, folder_));
    }
    return out;
  }

  // NAME.flex.h5 beside NAME.mtx, where its shapes are those of the matrices.
  static void find_mesh(const std::vector<fs::path>& files, const system::FlexMatrices& m, Whole& body) {
    for (fs::path path : files) {
      path.replace_extension(".flex.h5");
      std::error_code code;
      if (!fs::is_regular_file(path, code)) continue;
      std::string why;
      const auto mesh = flex::read_mesh(path, why);
      const std::vector<Index> columns = mesh ? columns_of(*mesh, m, body) : std::vector<Index>{};
      if (!columns.empty()) {
        body = of_mesh(*mesh, columns);
        return;
      }
      if (why.empty() && !m.modes.empty())
        why = path.filename().string() + " has other shapes than the matrices, and is not drawn";
      if (!why.empty()) body.notes.push_back(why);
    }
  }

  const model::Model& model_;
  const std::string& folder_;
  bool only_inside_;
  system::Owners owners_;
  std::size_t most_;
};

}  // namespace

std::vector<DeformingBody> flexible_bodies(const model::Model& model, const std::string& folder,
                                           bool only_inside, std::size_t most_numbers) {
  return Gatherer(model, folder, only_inside, most_numbers).run();
}

std::optional<Hottest> hottest(const DeformingBody& body, results::History& run) {
  const auto modes = static_cast<Index>(body.numbers.size()),
             nodes = static_cast<Index>(body.stressed.size());
  if (modes == 0 || nodes == 0 || run.rows() == 0) return std::nullopt;
  std::vector<std::size_t> places{0};  // the time
  for (const int number : body.numbers) {
    const auto place = run.find(fmt::format("{}.Q{}", body.channel, number));
    if (!place) return std::nullopt;
    places.push_back(*place);
  }
  const auto columns = run.columns(places);
  if (columns.size() != places.size()) return std::nullopt;
  const Eigen::Map<const Eigen::MatrixXf> stress(body.stresses.data(), 6 * nodes, modes);
  Hottest out;
  constexpr Index kRowsAtOnce = 64;
  const auto rows = static_cast<Index>(run.rows());
  for (Index first = 0; first < rows; first += kRowsAtOnce) {
    Eigen::MatrixXf q(modes, std::min(kRowsAtOnce, rows - first));
    for (Index m = 0; m < modes; ++m) {
      for (Index r = 0; r < q.cols(); ++r)
        q(m, r) =
            static_cast<float>(columns[static_cast<std::size_t>(m + 1)][static_cast<std::size_t>(first + r)]);
    }
    const Eigen::MatrixXf here = stress * q;
    for (Index r = 0; r < q.cols(); ++r) {
      for (Index k = 0; k < nodes; ++k) {
        const double size = von_mises(here.block<6, 1>(6 * k, r).cast<double>());
        if (!(size > out.value)) continue;
        const int node = body.nodes[static_cast<std::size_t>(body.stressed[static_cast<std::size_t>(k)])];
        out = {node, columns[0][static_cast<std::size_t>(first + r)], size};
      }
    }
  }
  return out;
}

bool inside_folder(const std::string& file, const std::string& folder) {
  std::error_code code;
  const fs::path home = fs::weakly_canonical(folder.empty() ? fs::path(".") : fs::path(folder), code);
  const fs::path way = fs::weakly_canonical(file, code).lexically_relative(home);
  return !code && !way.empty() && *way.begin() != "..";
}

}  // namespace trunnion::api
