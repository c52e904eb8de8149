#include "api/stress/hot_spots.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace trunnion::api {
namespace {

using Vec6 = Eigen::Matrix<double, 6, 1>;
constexpr const char* kComponents[] = {"XX", "YY", "ZZ", "XY", "YZ", "ZX"};

// The modal coordinates of a body, a column for each row of the results; empty where they are not there.
Eigen::MatrixXd modal_coordinates(const system::FlexInfo& flex, results::History& history, std::string& why) {
  std::vector<std::size_t> places;
  for (const int number : flex.numbers) {
    const std::string name = fmt::format("{}.Q{}", flex.channel, number);
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

void find_peaks(const system::FlexInfo& flex, const Eigen::MatrixXd& Q, const std::vector<double>& time,
                std::vector<HotSpot>& spots) {
  constexpr Eigen::Index kRowsAtOnce = 64;
  std::vector<HotSpot> of_node(flex.stress_nodes.size());
  for (Eigen::Index first = 0; first < Q.cols(); first += kRowsAtOnce) {
    const Eigen::Index count = std::min(kRowsAtOnce, Q.cols() - first);
    const Eigen::MatrixXd stress = flex.stress * Q.middleCols(first, count);
    for (Eigen::Index row = 0; row < count; ++row) {
      for (std::size_t node = 0; node < of_node.size(); ++node) {
        const Vec6 here = stress.col(row).segment<6>(6 * static_cast<Eigen::Index>(node));
        const double size = von_mises(here);
        if (!(size > of_node[node].von_mises)) continue;
        of_node[node].von_mises = size;
        of_node[node].stress = here;
        of_node[node].t = time[static_cast<std::size_t>(first + row)];
      }
    }
  }
  for (std::size_t node = 0; node < of_node.size(); ++node) {
    of_node[node].body = flex.channel;
    of_node[node].node = flex.stress_nodes[node].id;
    of_node[node].place = flex.stress_nodes[node].place;
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

std::optional<std::vector<HotSpot>> hot_spots(const system::System& system, results::History& history,
                                              std::size_t top, std::string& why) {
  std::vector<HotSpot> spots;
  bool any = false;
  const std::vector<double> time = history.column(0);
  for (const system::FlexInfo& flex : system.flexible()) {
    if (flex.stress_nodes.empty()) continue;
    any = true;
    const Eigen::MatrixXd Q = modal_coordinates(flex, history, why);
    if (!why.empty()) return std::nullopt;
    find_peaks(flex, Q, time, spots);
  }
  if (!any) {
    why = system.flexible().empty()
              ? "the model has no FLEX_BODY"
              : "no FLEX_BODY of the model has stress modes (matrices S_NODE and S_MODE)";
    return std::nullopt;
  }
  std::stable_sort(spots.begin(), spots.end(),
                   [](const HotSpot& a, const HotSpot& b) { return a.von_mises > b.von_mises; });
  spots.resize(std::min(spots.size(), top));
  return spots;
}

std::string hot_spot_table(const std::vector<HotSpot>& spots, const std::string& stress_unit,
                           const std::string& time_unit) {
  std::string out = fmt::format("{:>4}  {:<14}{:>10}  {:>12}  {:>16}  {:>9}  {}\n", "", "body", "node",
                                "time [" + time_unit + "]", "von Mises", "largest", "of it");
  for (std::size_t k = 0; k < spots.size(); ++k) {
    const HotSpot& s = spots[k];
    const int c = largest_component(s.stress);
    out += fmt::format("{:>4}  {:<14}{:>10}  {:>12.6g}  {:>16.8g}  {:>9}  {:.8g}\n", k + 1, s.body, s.node,
                       s.t, s.von_mises, kComponents[c], s.stress[c]);
  }
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

}  // namespace trunnion::api
