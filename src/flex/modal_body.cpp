#include "flex/modal_body.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/text.hpp"
#include "flex/input_error.hpp"

namespace trunnion::flex {

namespace {

struct NamedUnit {
  const char* name;
  double si;
};
constexpr std::array kMasses{NamedUnit{"kg", 1},
                             NamedUnit{"tonne", 1e3},
                             NamedUnit{"t", 1e3},
                             NamedUnit{"g", 1e-3},
                             NamedUnit{"lbm", 0.45359237},
                             NamedUnit{"slug", 14.593902937206364},
                             NamedUnit{"slinch", 175.12683524647637}};
constexpr std::array kLengths{NamedUnit{"m", 1}, NamedUnit{"mm", 1e-3}, NamedUnit{"cm", 1e-2},
                              NamedUnit{"in", 0.0254}, NamedUnit{"ft", 0.3048}};
constexpr std::array kForces{NamedUnit{"N", 1},
                             NamedUnit{"kN", 1e3},
                             NamedUnit{"mN", 1e-3},
                             NamedUnit{"MN", 1e6},
                             NamedUnit{"lbf", 4.4482216152605},
                             NamedUnit{"kgf", 9.80665}};

template <std::size_t N>
double in_si(const std::string& name, const std::array<NamedUnit, N>& known, const char* what) {
  std::vector<std::string> names;
  for (const NamedUnit& unit : known) {
    if (name == unit.name) return unit.si;
    names.emplace_back(unit.name);
  }
  throw InputError(fmt::format("'{}' is no unit of {}; there are {}", name, what, core::join_and(names)));
}

std::array<double, 3> units_in(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    words.emplace_back(core::trim(std::string_view(text).substr(at, end - at)));
    at = end + 1;
  }
  if (words.size() != 3)
    throw InputError(fmt::format("'{}': expected units of mass, length and force: tonne,mm,N", text));
  return {in_si(words[0], kMasses, "mass"), in_si(words[1], kLengths, "length"),
          in_si(words[2], kForces, "force")};
}

// Shapes of all nodes, references of groups too.
void take_shapes(const FeModel& model, const Coupling& coupling, const Reduction& reduction,
                 ModalBody& body) {
  const auto rows = static_cast<Eigen::Index>(3 * model.nodes.size());
  body.translation = Eigen::MatrixXd::Zero(rows, reduction.shapes.cols());
  body.rotation = body.translation;
  body.turns.assign(model.nodes.size(), 0);
  const auto put = [&](const Dof& dof, const Eigen::MatrixXd& from, Eigen::Index row) {
    auto& to = dof.direction < 3 ? body.translation : body.rotation;
    to.row(3 * dof.node + dof.direction % 3) = from.row(row);
    if (dof.direction > 2) body.turns[static_cast<std::size_t>(dof.node)] = 1;
  };
  for (std::size_t k = 0; k < model.dofs.size(); ++k)
    put(model.dofs[k], reduction.shapes, static_cast<Eigen::Index>(k));
  for (std::size_t k = 0; k < coupling.coordinates.size(); ++k)
    put(coupling.coordinates[k], reduction.coordinates, static_cast<Eigen::Index>(k));
}

}  // namespace

ModalBody modal_body(const FeModel& model, const Coupling& coupling, const std::vector<Interface>& interfaces,
                     const Reduction& reduction, MassKind mass) {
  ModalBody body;
  body.inertia = invariants(model, reduction.shapes, mass);
  body.eigenvalues = reduction.eigenvalues;
  body.stiffness = reduction.eigenvalues.asDiagonal();
  body.nodes = model.nodes;
  body.elements = model.elements;
  take_shapes(model, coupling, reduction, body);
  for (const Interface& one : interfaces)
    body.interfaces.push_back(model.nodes[static_cast<std::size_t>(one.node)].id);
  body.check = reduction.check;
  body.constraint_modes = reduction.constraint_modes;
  body.fixed_modes = reduction.fixed_modes;
  return body;
}

UnitScale unit_scale(const std::string& from, const std::string& to) {
  const auto deck = units_in(from), model = units_in(to);
  // A finite-element program knows no units: force must be mass times length over seconds squared, or frequencies are not in Hz.
  constexpr double kSame = 1e-6;
  if (std::abs(deck[2] - deck[0] * deck[1]) > kSame * deck[2])
    throw InputError(
        fmt::format(
            "--deck-units {}: force is not mass · length / s², so the deck's frequencies are not in Hz",
            from),
        "kg,m,N  tonne,mm,N  kg,mm,mN  slinch,in,lbf fit together");
  return {deck[0] / model[0], deck[1] / model[1], deck[2] / model[2]};
}

void scale(ModalBody& body, const UnitScale& u) {
  const double first = u.mass * u.length, second = first * u.length;
  body.inertia.I1 *= u.mass;
  body.inertia.I2 *= first;
  body.inertia.I3 *= first;
  for (Eigen::MatrixXd* I :
       {&body.inertia.I4, &body.inertia.I5, &body.inertia.I6, &body.inertia.I8, &body.inertia.I9})
    *I *= second;
  body.inertia.I7 *= second;
  body.stiffness *= u.force * u.length;
  if (body.loads.size() != 0) {
    body.loads.topRows<3>() *= u.force;
    body.loads.bottomRows(body.loads.rows() - 3) *= u.force * u.length;
  }
  for (Node& node : body.nodes) node.position *= u.length;
  body.translation *= u.length;
  body.stress.values *= u.force / (u.length * u.length);
}

}  // namespace trunnion::flex
