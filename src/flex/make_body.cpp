#include "flex/make_body.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/text.hpp"
#include "flex/input_error.hpp"
#include "flex/load_cases.hpp"
#include "flex/mbdyn_fem.hpp"

namespace trunnion::flex {

namespace {

// A file of MBDyn: its nodes are all that there is to choose.
MadeBody from_mbdyn(const BodyRequest& request) {
  MadeBody made;
  made.body = read_mbdyn(request.source, made.notes);
  FeModel nodes;
  nodes.nodes = made.body.nodes;
  for (std::size_t k = 0; k < nodes.nodes.size(); ++k) nodes.dofs.push_back({static_cast<int>(k), 0});
  for (const InterfaceRequest& one : request.interfaces) {
    if (one.link != Link::node)
      throw InputError("--rbe2 and --rbe3 need mass and stiffness of the mesh; a .fem is reduced already");
  }
  for (const Interface& one : resolve(request.interfaces, nodes))
    made.body.interfaces.push_back(nodes.nodes[static_cast<std::size_t>(one.node)].id);
  const Invariants& I = made.body.inertia;
  made.rigid.mass = I.I1;
  made.rigid.centre = I.I2 / I.I1;
  const Eigen::Vector3d& c = made.rigid.centre;
  made.rigid.inertia = I.I7 - I.I1 * (c.squaredNorm() * Eigen::Matrix3d::Identity() - c * c.transpose());
  made.body.origin = fmt::format("{} (reduced by another program)", request.source.filename().string());
  if (!request.loads.empty()) made.body.loads = read_load_cases(request.loads, made.body);
  return made;
}

void note_deck(const Deck& deck, std::vector<std::string>& notes) {
  if (!deck.left_out.empty())
    notes.push_back(
        fmt::format("left out of the deck: {}; a flexible body is held by the joints of its model",
                    core::join_and(deck.left_out)));
  if (!deck.constraints.empty())
    notes.push_back(fmt::format(
        "{} take degrees of freedom out of the mass matrix: INVAR5, 8 and 9 take the nodes that are "
        "left for all of the mass",
        core::join_and(deck.constraints)));
}

}  // namespace

MadeBody make_body(const BodyRequest& request) {
  if (request.source.extension() == ".fem") return from_mbdyn(request);
  MadeBody made;
  Deck deck;
  FeModel model;
  if (!request.source.empty()) {
    deck = read_deck(request.source);
    note_deck(deck, made.notes);
    model = with_matrices(deck, request.calculix);
  } else {
    model = read_matrices(request.matrices);
    if (request.stresses)
      throw InputError(
          "--stress needs elements and materials: give a deck instead of --mass and --stiffness");
  }
  made.rigid = check(model);
  made.degrees_of_freedom = model.size();
  const std::vector<Interface> interfaces = resolve(request.interfaces, model);
  const Coupling coupling = couple(model, interfaces);
  const Reduction reduction = reduce(model, coupling, request.reduction);
  made.body = modal_body(model, coupling, interfaces, reduction, request.mass);
  const std::filesystem::path& from = request.source.empty() ? request.matrices.stiffness : request.source;
  made.body.origin = fmt::format("{}, {} mass", from.filename().string(),
                                 request.mass == MassKind::consistent ? "consistent" : "lumped");
  if (made.body.inertia.second_from_lumps)
    made.notes.emplace_back(
        "INVAR5, 8 and 9 come from nodal lumps: the mass matrix does not treat x, y, z alike");
  for (const int id : made.body.interfaces) {
    const int node = model.find(id);
    if (!made.body.turns[static_cast<std::size_t>(node)])
      made.notes.push_back(
          fmt::format("node {} has no rotations: a marker on it moves with the body but does not turn with "
                      "its deformation; --rbe2 or "
                      "--rbe3 make a node that does",
                      id));
  }
  if (!request.loads.empty()) made.body.loads = read_load_cases(request.loads, made.body);
  if (request.stresses)
    made.body.stress = stresses_of(deck, model, reduction.shapes, request.strains, request.calculix);
  return made;
}

}  // namespace trunnion::flex
