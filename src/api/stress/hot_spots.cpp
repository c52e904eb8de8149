#include "api/stress/hot_spots.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "system/compile/flex_reading.hpp"

namespace trunnion::api {
namespace {

using Vec6 = Eigen::Matrix<double, 6, 1>;
constexpr const char* kComponents[] = {"XX", "YY", "ZZ", "XY", "YZ", "ZX"};

// The modal coordinates of a body, a column for each row of the results; empty where they are not there.
Eigen::MatrixXd modal_coordinates(const Recovery& body, results::History& history, std::string& why) {
  std::vector<std::size_t> places;
  for (const int number : body.numbers) {
    const std::string name = fmt::format("{}.Q{}", body.body, number);
    const auto place = history.find(name);
    if (!place) {
      why = fmt::format("the results have no channel {}", name);
      return {};
    }
    places.push_back(*place);
  }
  const auto columns = history.columns(places);
  if (columns.size() != places.size()) {
    why = "the results cannot be read";
    return {};
  }
  Eigen::MatrixXd Q(static_cast<Eigen::Index>(places.size()), static_cast<Eigen::Index>(history.rows()));
  for (std::size_t k = 0; k < columns.size(); ++k)
    Q.row(static_cast<Eigen::Index>(k)) = Eigen::Map<const Eigen::RowVectorXd>(columns[k].data(), Q.cols());
  return Q;
}

void find_peaks(const Recovery& body, Tensor tensor, const Eigen::MatrixXd& Q,
                const std::vector<double>& time, std::vector<HotSpot>& spots) {
  constexpr Eigen::Index kRowsAtOnce = 64;
  std::vector<HotSpot> of_node(body.nodes.size());
  for (Eigen::Index first = 0; first < Q.cols(); first += kRowsAtOnce) {
    const Eigen::Index count = std::min(kRowsAtOnce, Q.cols() - first);
    const Eigen::MatrixXd stress = body.modes * Q.middleCols(first, count);
    for (Eigen::Index row = 0; row < count; ++row) {
      for (std::size_t node = 0; node < of_node.size(); ++node) {
        const Vec6 here = stress.col(row).segment<6>(6 * static_cast<Eigen::Index>(node));
        const double size = equivalent(here, tensor);
        if (!(size > of_node[node].von_mises)) continue;
        of_node[node].von_mises = size;
        of_node[node].stress = here;
        of_node[node].t = time[static_cast<std::size_t>(first + row)];
      }
    }
  }
  for (std::size_t node = 0; node < of_node.size(); ++node) {
    of_node[node].body = body.body;
    of_node[node].node = body.nodes[node].id;
    of_node[node].place = body.nodes[node].place;
    spots.push_back(of_node[node]);
  }
}

int largest_component(const Vec6& stress) {
  Eigen::Index at = 0;
  stress.cwiseAbs().maxCoeff(&at);
  return static_cast<int>(at);
}

}  // namespace

double von_mises(const Vec6& s) {
  const double xy = s[0] - s[1], yz = s[1] - s[2], zx = s[2] - s[0];
  return std::sqrt(0.5 * (xy * xy + yz * yz + zx * zx) + 3.0 * s.tail<3>().squaredNorm());
}

double equivalent(const Vec6& components, Tensor tensor) {
  return von_mises(components) * (tensor == Tensor::strain ? 2.0 / 3.0 : 1.0);
}

namespace {

// E_MODE is read anew: a run does not need it.
bool find_strains(const model::Model& model, const std::string& folder, Recovery& body, int id,
                  std::string& why) {
  const auto* statement = model.find<model::FlexBody>(id);
  std::vector<std::string> troubles, notes;
  const auto m =
      statement ? system::read_flex_matrices(model, *statement, folder, troubles, notes) : std::nullopt;
  if (!m) {
    why = troubles.empty() ? body.body + " is not in the model" : troubles.front();
    return false;
  }
  body.modes = m->strain;
  return true;
}

}  // namespace

std::optional<std::vector<Recovery>> recoveries(const system::System& system, const model::Model& model,
                                                const std::string& folder, Tensor tensor, std::string& why) {
  std::vector<Recovery> all;
  for (const system::FlexInfo& flex : system.flexible()) {
    if (flex.stress_nodes.empty()) continue;
    Recovery body{flex.channel, flex.numbers, flex.stress_nodes, flex.stress};
    if (tensor == Tensor::strain && !find_strains(model, folder, body, flex.label.subject().id, why))
      return std::nullopt;
    if (body.modes.size() != 0) all.push_back(std::move(body));
  }
  if (!all.empty()) return all;
  why = system.flexible().empty()  ? "the model has no FLEX_BODY"
        : tensor == Tensor::stress ? "no FLEX_BODY of the model has stress modes (matrices S_NODE and S_MODE)"
                                   : "no FLEX_BODY of the model has strain modes (matrices S_NODE, S_MODE "
                                     "and E_MODE; 'trunnion flex --strain')";
  return std::nullopt;
}

std::optional<std::vector<HotSpot>> hot_spots(const std::vector<Recovery>& bodies, Tensor tensor,
                                              results::History& history, std::size_t top, std::string& why) {
  std::vector<HotSpot> spots;
  const std::vector<double> time = history.column(0);
  for (const Recovery& body : bodies) {
    const Eigen::MatrixXd Q = modal_coordinates(body, history, why);
    if (!why.empty()) return std::nullopt;
    find_peaks(body, tensor, Q, time, spots);
  }
  std::stable_sort(spots.begin(), spots.end(),
                   [](const HotSpot& a, const HotSpot& b) { return a.von_mises > b.von_mises; });
  spots.resize(std::min(spots.size(), top));
  return spots;
}

std::optional<std::vector<NodeHistory>> node_histories(const std::vector<Recovery>& bodies,
                                                       results::History& history,
                                                       const std::vector<int>& nodes, std::string& why) {
  std::vector<NodeHistory> all;
  std::vector<int> missing = nodes;
  for (const Recovery& body : bodies) {
    const Eigen::MatrixXd Q = modal_coordinates(body, history, why);
    if (!why.empty()) return std::nullopt;
    for (const int wanted : nodes) {
      for (std::size_t k = 0; k < body.nodes.size(); ++k) {
        if (body.nodes[k].id != wanted) continue;
        all.push_back({body.body, wanted, body.modes.middleRows(6 * static_cast<Eigen::Index>(k), 6) * Q});
        std::erase(missing, wanted);
      }
    }
  }
  if (missing.empty()) return all;
  why = fmt::format("no stress modes are there for node {} (S_NODE has the nodes that have some)",
                    fmt::join(missing, ", "));
  return std::nullopt;
}

std::string hot_spot_table(const std::vector<HotSpot>& spots, Tensor tensor, const std::string& stress_unit,
                           const std::string& time_unit) {
  std::string out = fmt::format("{:>4}  {:<14}{:>10}  {:>12}  {:>16}  {:>9}  {}\n", "", "body", "node",
                                "time [" + time_unit + "]", "von Mises", "largest", "of it");
  for (std::size_t k = 0; k < spots.size(); ++k) {
    const HotSpot& s = spots[k];
    const int c = largest_component(s.stress);
    out += fmt::format("{:>4}  {:<14}{:>10}  {:>12.6g}  {:>16.8g}  {:>9}  {:.8g}\n", k + 1, s.body, s.node,
                       s.t, s.von_mises, kComponents[c], s.stress[c]);
  }
  if (tensor == Tensor::strain)
    return out + "strains, components in axes of the body, XY and so on half of the angle\n";
  return out + fmt::format("stresses in {}, components in axes of the body\n", stress_unit);
}

std::string hot_spot_csv(const std::vector<HotSpot>& spots) {
  std::string out = "body,node,x,y,z,time,von_mises,xx,yy,zz,xy,yz,zx\n";
  for (const HotSpot& s : spots) {
    out += fmt::format("{},{},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g}", s.body, s.node, s.place.x(), s.place.y(),
                       s.place.z(), s.t, s.von_mises);
    for (const double c : s.stress) out += fmt::format(",{:.9g}", c);
    out += "\n";
  }
  return out;
}

std::string node_csv(const std::vector<NodeHistory>& nodes, Tensor tensor, const std::vector<double>& time,
                     const std::string& stress_unit, const std::string& time_unit) {
  const std::string unit = tensor == Tensor::stress ? stress_unit : "1";
  std::string out = "time [" + time_unit + "]";
  for (const NodeHistory& n : nodes) {
    out += fmt::format(",{}.{}.VON_MISES [{}]", n.body, n.node, unit);
    for (const char* component : kComponents)
      out += fmt::format(",{}.{}.{} [{}]", n.body, n.node, component, unit);
  }
  out += "\n";
  for (std::size_t row = 0; row < time.size(); ++row) {
    out += fmt::format("{:.9g}", time[row]);
    for (const NodeHistory& n : nodes) {
      const Vec6 here = n.components.col(static_cast<Eigen::Index>(row));
      out += fmt::format(",{:.9g}", equivalent(here, tensor));
      for (const double c : here) out += fmt::format(",{:.9g}", c);
    }
    out += "\n";
  }
  return out;
}

}  // namespace trunnion::api
