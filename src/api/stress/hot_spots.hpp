#pragma once
// `trunnion stress`: where a flexible body was stressed or strained most in a run, and what became of single nodes. Stresses are sums of
// stress modes (S_MODE), strains of strain modes (E_MODE), with the modal coordinates that the results hold: nothing is simulated again.

#include <optional>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "results/read/history.hpp"
#include "system/system.hpp"

namespace trunnion::api {

enum class Tensor : std::uint8_t { stress, strain };

// What gives six components xx, yy, zz, xy, yz, zx at nodes of one body from its modal coordinates.
struct Recovery {
  std::string body;          // "FLEX_BODY/2"
  std::vector<int> numbers;  // of its modes
  std::vector<system::FlexInfo::Node> nodes;
  Eigen::MatrixXd modes;  // 6n × modes
};
// Of all bodies that have such modes; strains are read from the matrices in the model's folder. Nothing, with `why`, where there are none.
std::optional<std::vector<Recovery>> recoveries(const system::System& system, const model::Model& model,
                                                const std::string& folder, Tensor tensor, std::string& why);

// The row at which the von Mises value of one node was largest.
struct HotSpot {
  std::string body;  // "FLEX_BODY/2"
  int node = 0;
  math::Vec3 place = math::Vec3::Zero();  // undeformed, in the body's frame
  double t = 0;
  double von_mises = 0;
  Eigen::Matrix<double, 6, 1> stress = Eigen::Matrix<double, 6, 1>::Zero();  // xx, yy, zz, xy, yz, zx
};

// √(½[(xx − yy)² + (yy − zz)² + (zz − xx)²] + 3(xy² + yz² + zx²)); of strains two thirds of that, so that a bar that keeps its volume has
// its stretch.
double von_mises(const Eigen::Matrix<double, 6, 1>& stress);
double equivalent(const Eigen::Matrix<double, 6, 1>& components, Tensor tensor);

// The `top` hottest nodes of all bodies, hottest first. Nothing, with `why`, where the results do not hold their modal coordinates.
std::optional<std::vector<HotSpot>> hot_spots(const std::vector<Recovery>& bodies, Tensor tensor,
                                              results::History& history, std::size_t top, std::string& why);

// One node over all rows.
struct NodeHistory {
  std::string body;
  int node = 0;
  Eigen::MatrixXd components;  // 6 × rows
};
// Of these nodes, of whichever body has them. Nothing, with `why`, where none has one of them.
std::optional<std::vector<NodeHistory>> node_histories(const std::vector<Recovery>& bodies,
                                                       results::History& history,
                                                       const std::vector<int>& nodes, std::string& why);

// A table, and the same for other programs.
std::string hot_spot_table(const std::vector<HotSpot>& spots, Tensor tensor, const std::string& stress_unit,
                           const std::string& time_unit);
std::string hot_spot_csv(const std::vector<HotSpot>& spots);
// A row for each time: of each node its von Mises value and six components.
std::string node_csv(const std::vector<NodeHistory>& nodes, Tensor tensor, const std::vector<double>& time,
                     const std::string& stress_unit, const std::string& time_unit);

}  // namespace trunnion::api
