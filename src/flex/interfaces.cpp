#include "flex/interfaces.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>

#include <Eigen/QR>
#include <fmt/format.h>

#include "core/text.hpp"
#include "flex/input_error.hpp"
#include "flex/text_lines.hpp"

namespace trunnion::flex {

namespace {

constexpr int kNone = -1;

int number_in(std::string_view text) {
  int value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size() ? value : kNone;
}

const char* option_of(Link link) {
  if (link == Link::rigid) return "--rbe2";
  return link == Link::average ? "--rbe3" : "--interface";
}

// Requests against a model, with everything that is wrong gathered.
class Resolver {
 public:
  explicit Resolver(FeModel& model) : model_(model) {
    for (const Dof& dof : model.dofs) connected_.insert(model.nodes[static_cast<std::size_t>(dof.node)].id);
  }

  void take(const InterfaceRequest& request) {
    if (request.link == Link::node) return take_nodes(request);
    const std::size_t at = request.text.find('@');
    Found found{request.link, kNone, ids_of(request, request.text.substr(0, at))};
    if (found.group.empty()) return;
    if (at != std::string::npos) {
      found.reference = number_in(std::string_view(request.text).substr(at + 1));
      if (found.reference < 1) return wrong(request, "what stands behind @ is not a node's number");
    }
    found_.push_back(std::move(found));
  }

  std::vector<Interface> finish() {
    for (Found& found : found_) {
      if (found.link != Link::node) place(found);
    }
    check_overlaps();
    if (!problems_.empty()) throw InputError(fmt::format("{}", fmt::join(problems_, "\n")));
    std::vector<Interface> out;
    for (const Found& found : found_) {
      Interface one{found.link, model_.find(found.reference), {}};
      for (const int id : found.group) one.group.push_back(model_.find(id));
      out.push_back(std::move(one));
    }
    return out;
  }

 private:
  struct Found {
    Link link;
    int reference;
    std::vector<int> group;
  };

  void wrong(const InterfaceRequest& request, const std::string& why) {
    problems_.push_back(fmt::format("{} {}: {}", option_of(request.link), request.text, why));
  }

  // Of a set's name, or of numbers with + between them.
  std::vector<int> ids_of(const InterfaceRequest& request, const std::string& text) {
    std::vector<int> ids;
    if (const auto set = model_.sets.find(core::to_upper(text)); set != model_.sets.end()) {
      ids = set->second;
    } else if (!text.empty() && core::is_digit(text.front())) {
      for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find('+', at), text.size());
        ids.push_back(number_in(std::string_view(text).substr(at, end - at)));
        at = end + 1;
      }
    } else {
      unknown_set(request, text);
      return {};
    }
    std::vector<std::string> missing;
    for (const int id : ids) {
      if (!connected_.contains(id)) missing.push_back(std::to_string(id));
    }
    if (ids.empty()) wrong(request, "the set is empty");
    if (!missing.empty()) {
      if (missing.size() > 5) missing.resize(5), missing.push_back("others");
      wrong(request, fmt::format("node {} is in no element, or is not there", core::join_and(missing)));
      return {};
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
  }

  void unknown_set(const InterfaceRequest& request, const std::string& text) {
    std::vector<std::string_view> names;
    for (const auto& [name, ids] : model_.sets) names.push_back(name);
    const auto near = core::nearest(core::to_upper(text), names);
    std::string known = near ? fmt::format("; did you mean {}?", *near) : "";
    if (!near && !names.empty()) known = fmt::format("; there are {}", fmt::join(names, ", "));
    if (names.empty()) known = "; the model has no node sets: write node numbers, 11+12+13";
    wrong(request, "there is no such node set" + known);
  }

  void take_nodes(const InterfaceRequest& request) {
    for (const int id : ids_of(request, request.text)) found_.push_back({Link::node, id, {}});
  }

  // The reference of a group: a node that is there, or a new one.
  void place(Found& found) {
    int index = found.reference == kNone ? kNone : model_.find(found.reference);
    if (index == kNone) {
      Eigen::Vector3d middle = Eigen::Vector3d::Zero();
      for (const int id : found.group)
        middle += model_.nodes[static_cast<std::size_t>(model_.find(id))].position;
      if (found.reference == kNone) found.reference = model_.nodes.back().id + 1;
      insert({found.reference, middle / static_cast<double>(found.group.size())});
      return;
    }
    if (!connected_.contains(found.reference)) return;
    // A node of the mesh as reference moves with its group; as a mean of others it would have to be in two places.
    const bool member = std::binary_search(found.group.begin(), found.group.end(), found.reference);
    if (found.link == Link::average)
      problems_.push_back(
          fmt::format("--rbe3: the reference {} is a node of the mesh; leave out @{} for a node in the "
                      "middle of the group",
                      found.reference, found.reference));
    else if (!member)
      found.group.insert(std::lower_bound(found.group.begin(), found.group.end(), found.reference),
                         found.reference);
  }

  void insert(const Node& node) {
    const auto at = std::lower_bound(model_.nodes.begin(), model_.nodes.end(), node.id,
                                     [](const Node& n, int id) { return n.id < id; });
    const int index = static_cast<int>(at - model_.nodes.begin());
    model_.nodes.insert(at, node);
    for (Dof& dof : model_.dofs) dof.node += dof.node >= index;
    for (Element& element : model_.elements) {
      for (int& n : element.nodes) n += n >= index;
    }
  }

  void check_overlaps() {
    std::map<int, const Found*> owner;
    for (const Found& found : found_) {
      std::set<int> ids(found.group.begin(), found.group.end());
      ids.insert(found.reference);
      for (const int id : ids) {
        const auto [at, fresh] = owner.emplace(id, &found);
        if (!fresh)
          problems_.push_back(fmt::format("node {} belongs to two interfaces ({} and {})", id,
                                          option_of(at->second->link), option_of(found.link)));
        if (problems_.size() > 20) return;
      }
    }
  }

  FeModel& model_;
  std::set<int> connected_;
  std::vector<Found> found_;
  std::vector<std::string> problems_;
};

// T by its entries, and the coordinates as they are made.
class CouplingBuilder {
 public:
  explicit CouplingBuilder(const FeModel& model) : model_(model), map_(model.dofs.size(), kNone) {
    for (std::size_t k = 0; k < model.dofs.size(); ++k)
      rows_[{model.dofs[k].node, model.dofs[k].direction}] = static_cast<int>(k);
  }

  Coupling build(const std::vector<Interface>& interfaces) {
    std::set<int> rigid;
    for (const Interface& one : interfaces) {
      if (one.link == Link::rigid) rigid.insert(one.group.begin(), one.group.end());
      if (one.link == Link::average) choose_dependent(one);
    }
    for (std::size_t k = 0; k < model_.dofs.size(); ++k) {
      if (!rigid.contains(model_.dofs[k].node) && !dependent_.contains(static_cast<int>(k)))
        entries_.emplace_back(static_cast<int>(k), map_[k] = add(model_.dofs[k]), 1.0);
    }
    std::size_t average = 0;
    for (const Interface& one : interfaces) {
      if (one.link == Link::node) at_node(one);
      else if (one.link == Link::rigid) at_rigid(one);
      else at_average(one, averages_[average++]);
    }
    out_.T.resize(model_.size(), static_cast<Eigen::Index>(out_.coordinates.size()));
    out_.T.setFromTriplets(entries_.begin(), entries_.end());
    return std::move(out_);
  }

 private:
  // q_ref = A u over the group's translations; six of them are solved for.
  struct Average {
    Eigen::MatrixXd A;
    std::vector<int> rows, dependent;  // degrees of freedom of A's columns; places among them
  };

  int add(const Dof& dof) {
    out_.coordinates.push_back(dof);
    return static_cast<int>(out_.coordinates.size()) - 1;
  }

  // Six new coordinates at a reference.
  std::array<int, 6> add_reference(int node) {
    std::array<int, 6> made{};
    for (int k = 0; k < 6; ++k) {
      made[static_cast<std::size_t>(k)] = add({node, k});
      out_.boundary.push_back(made[static_cast<std::size_t>(k)]);
    }
    return made;
  }

  const Eigen::Vector3d& place(int node) const {
    return model_.nodes[static_cast<std::size_t>(node)].position;
  }

  void at_node(const Interface& one) {
    for (int k = 0; k < 6; ++k) {
      const auto row = rows_.find({one.node, k});
      if (row != rows_.end()) out_.boundary.push_back(map_[static_cast<std::size_t>(row->second)]);
    }
  }

  void at_rigid(const Interface& one) {
    const auto reference = add_reference(one.node);
    for (const int node : one.group) {
      const auto R = rigid_motion_of(place(node) - place(one.node));
      for (int k = 0; k < 6; ++k) {
        const auto row = rows_.find({node, k});
        if (row == rows_.end()) continue;
        for (int c = 0; c < 6; ++c) {
          if (R(k, c) != 0)
            entries_.emplace_back(row->second, reference[static_cast<std::size_t>(c)], R(k, c));
        }
      }
    }
  }

  void choose_dependent(const Interface& one) {
    Average average;
    std::vector<Eigen::Matrix<double, 1, 6>> motion;
    double reach = 0;
    for (const int node : one.group) {
      const auto R = rigid_motion_of(place(node) - place(one.node));
      reach = std::max(reach, (place(node) - place(one.node)).norm());
      for (int k = 0; k < 3; ++k) {
        if (const auto row = rows_.find({node, k}); row != rows_.end()) {
          average.rows.push_back(row->second);
          motion.emplace_back(R.row(k));
        }
      }
    }
    Eigen::MatrixXd R(static_cast<Eigen::Index>(motion.size()), 6);
    for (std::size_t k = 0; k < motion.size(); ++k) R.row(static_cast<Eigen::Index>(k)) = motion[k];
    // Rotations as the translations that they make at the group's edge, so that pivots compare like with like.
    Eigen::Matrix<double, 6, 1> scale;
    const double arm = reach > 0 ? reach : 1;
    scale << 1, 1, 1, 1 / arm, 1 / arm, 1 / arm;
    const Eigen::MatrixXd scaled = R * scale.asDiagonal();
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(scaled);
    if (R.rows() < 6 || qr.rank() < 6)
      throw InputError(
          fmt::format("--rbe3: the group of reference {} has no mean rotation: its nodes are in one line",
                      model_.nodes[static_cast<std::size_t>(one.node)].id),
          "three nodes that are not in a line are the least; a single point is --interface");
    average.A = scale.asDiagonal() * (scaled.transpose() * scaled).ldlt().solve(scaled.transpose());
    const Eigen::MatrixXd weighed = scale.cwiseInverse().asDiagonal() * average.A;
    const auto order = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(weighed).colsPermutation().indices();
    for (int k = 0; k < 6; ++k) {
      average.dependent.push_back(order[k]);
      dependent_.insert(average.rows[static_cast<std::size_t>(order[k])]);
    }
    averages_.push_back(std::move(average));
  }

  // u_d = A_d⁻¹ (q_ref − A_r u_r)
  void at_average(const Interface& one, const Average& average) {
    const auto reference = add_reference(one.node);
    Eigen::Matrix<double, 6, 6> Ad;
    for (int k = 0; k < 6; ++k) Ad.col(k) = average.A.col(average.dependent[static_cast<std::size_t>(k)]);
    const Eigen::Matrix<double, 6, 6> inverse = Ad.inverse();
    const Eigen::MatrixXd others = -inverse * average.A;
    for (int k = 0; k < 6; ++k) {
      const int row = average.rows[static_cast<std::size_t>(average.dependent[static_cast<std::size_t>(k)])];
      for (int c = 0; c < 6; ++c)
        entries_.emplace_back(row, reference[static_cast<std::size_t>(c)], inverse(k, c));
      for (std::size_t c = 0; c < average.rows.size(); ++c) {
        if (!dependent_.contains(average.rows[c]))
          entries_.emplace_back(row, map_[static_cast<std::size_t>(average.rows[c])],
                                others(k, static_cast<Eigen::Index>(c)));
      }
    }
  }

  const FeModel& model_;
  std::map<std::pair<int, int>, int> rows_;  // of a node and direction
  std::vector<int> map_;                     // degree of freedom → coordinate, or kNone
  std::set<int> dependent_;
  std::vector<Average> averages_;
  std::vector<Eigen::Triplet<double>> entries_;
  Coupling out_;
};

}  // namespace

std::vector<Interface> resolve(const std::vector<InterfaceRequest>& requests, FeModel& model) {
  Resolver resolver(model);
  for (const InterfaceRequest& request : requests) resolver.take(request);
  return resolver.finish();
}

Coupling couple(const FeModel& model, const std::vector<Interface>& interfaces) {
  return CouplingBuilder(model).build(interfaces);
}

}  // namespace trunnion::flex
