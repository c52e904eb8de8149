#include "flex/load_cases.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "flex/input_error.hpp"
#include "flex/text_lines.hpp"

namespace trunnion::flex {

namespace {

using Eigen::Vector3d;

std::size_t node_of(const TextLines& file, std::string_view word, const ModalBody& body) {
  const int id = file.whole(word);
  const auto at = std::lower_bound(body.nodes.begin(), body.nodes.end(), id,
                                   [](const Node& node, int wanted) { return node.id < wanted; });
  if (at == body.nodes.end() || at->id != id) file.fail(fmt::format("there is no node {}", id));
  return static_cast<std::size_t>(at - body.nodes.begin());
}

}  // namespace

Eigen::MatrixXd read_load_cases(const std::filesystem::path& path, const ModalBody& body) {
  constexpr int kMostCases = 10000;
  TextLines file(path);
  std::vector<Eigen::VectorXd> cases;
  std::vector<char> given;
  while (file.next()) {
    const auto& words = file.words();
    if (words.empty() || words[0].starts_with('#')) continue;
    const bool turned = words.size() == 8;
    if (words.size() != 5 && !turned)
      file.fail("expected 'case node fx fy fz' or 'case node fx fy fz tx ty tz'");
    const int number = file.whole(words[0]);
    if (number < 1 || number > kMostCases)
      file.fail(fmt::format("load cases are numbered from 1 on, to {} at most", kMostCases));
    const std::size_t node = node_of(file, words[1], body);
    const auto three = [&](std::size_t k) {
      return Vector3d(file.real(words[k]), file.real(words[k + 1]), file.real(words[k + 2]));
    };
    const Vector3d f = three(2), t = turned ? three(5) : Vector3d(Vector3d::Zero());
    if (!t.isZero(0) && !body.turns[node])
      file.fail(fmt::format("node {} has no rotations, so that no torque can act on it", body.nodes[node].id),
                "forces on several nodes, or an interface by --rbe2 or --rbe3");
    const auto place = static_cast<std::size_t>(number);
    if (cases.size() < place) {
      cases.resize(place, Eigen::VectorXd::Zero(6 + body.modes()));
      given.resize(place, 0);
    }
    given[place - 1] = 1;
    Eigen::VectorXd& all = cases[place - 1];
    const auto row = static_cast<Eigen::Index>(3 * node);
    all.head<3>() += f;
    all.segment<3>(3) += body.nodes[node].position.cross(f) + t;
    all.tail(body.modes()) += body.translation.middleRows<3>(row).transpose() * f;
    if (body.rotation.size() != 0) all.tail(body.modes()) += body.rotation.middleRows<3>(row).transpose() * t;
  }
  if (cases.empty()) throw InputError(path.string() + ": no loads");
  const auto gap = std::find(given.begin(), given.end(), 0);
  if (gap != given.end())
    throw InputError(fmt::format("{}: load case {} has no loads, but there is a case {}", path.string(),
                                 gap - given.begin() + 1, cases.size()),
                     "number the cases 1, 2, 3 …: CASE_INDEX counts them so");
  Eigen::MatrixXd out(6 + body.modes(), static_cast<Eigen::Index>(cases.size()));
  for (std::size_t k = 0; k < cases.size(); ++k) out.col(static_cast<Eigen::Index>(k)) = cases[k];
  return out;
}

}  // namespace trunnion::flex
