// FLEX_BODY: its matrices become a modal body, its nodes carry markers. docs/theory/flexible.md

#include <cmath>
#include <numbers>
#include <set>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "assembly/carriers/modal.hpp"
#include "core/text.hpp"
#include "system/compile/compiler.hpp"
#include "system/compile/flex_reading.hpp"
#include "system/compile/flex_source.hpp"

namespace trunnion::system {

using Eigen::Index;
using Eigen::MatrixXd;
using math::Mat3;
using math::Vec3;
using model::kind_of;

namespace {

constexpr const char* kHowToGetMatrices =
    "write the matrices from it (Altair's flexprep turns body.mnf into body.h3d and that into body.mtx; the "
    "commercial tool keeps a "
    ".mtx beside a model of its FORTRAN solver), or make them from the finite-element model with 'trunnion "
    "flex', and give "
    "MATRICES";

// Only the frame of a flexible body starts as a part does.
model::Part as_part(const model::FlexBody& f) {
  model::Part part;
  part.id = f.id;
  part.exact = f.exact;
  part.vm = f.vm;
  part.wm = f.wm;
  part.vx = f.vx;
  part.vy = f.vy;
  part.vz = f.vz;
  part.wx = f.wx;
  part.wy = f.wy;
  part.wz = f.wz;
  return part;
}

double extent_of(const std::vector<FlexNode>& nodes) {
  Eigen::AlignedBox3d box;
  for (const FlexNode& node : nodes) {
    if (node.place) box.extend(*node.place);
  }
  return box.isEmpty() ? 0.0 : box.diagonal().norm();
}

// K N = I6 N Λ, NᵀI6 N = 1.
struct FreeModes {
  Eigen::VectorXd omega;
  MatrixXd N;
};
FreeModes free_modes(const elements::ModalInvariants& I) {
  const Index M = I.K.rows();
  FreeModes modes{Eigen::VectorXd::Zero(M), MatrixXd::Identity(M, M)};
  const auto diagonal = [](const MatrixXd& A) {
    return (A - MatrixXd(A.diagonal().asDiagonal())).cwiseAbs().maxCoeff() <= 1e-9 * A.cwiseAbs().maxCoeff();
  };
  if (M == 0) return modes;
  if (diagonal(I.K) && diagonal(I.I6)) {
    modes.omega = (I.K.diagonal().array() / I.I6.diagonal().array()).max(0.0).sqrt();
    modes.N.diagonal() = I.I6.diagonal().cwiseSqrt().cwiseInverse();
    return modes;
  }
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(I.K, I.I6);
  modes.omega = solver.eigenvalues().cwiseMax(0.0).cwiseSqrt();
  modes.N = solver.eigenvectors();
  return modes;
}

// Orthonormal modes make diagonal matrices: what rounding left beside the diagonal would only make them cost M² instead of M.
void drop_rounding(MatrixXd& A) {
  constexpr double kRounding =
      1e-9;  // of the geometric mean of the two diagonals; frequencies change by less
  const Eigen::VectorXd size = A.diagonal().cwiseAbs().cwiseSqrt();
  for (Index j = 0; j < A.cols(); ++j) {
    for (Index i = 0; i < A.rows(); ++i) {
      if (i != j && std::abs(A(i, j)) <= kRounding * size[i] * size[j]) A(i, j) = 0;
    }
  }
}

// Whether frequencies are those of the file.
bool said_to_be(const std::vector<double>& said, const Eigen::VectorXd& hertz) {
  constexpr double kSame = 1e-2;
  if (said.empty()) return false;
  return (Eigen::Map<const Eigen::VectorXd>(said.data(), hertz.size()) - hertz).cwiseAbs().maxCoeff() <=
         kSame * hertz.maxCoeff();
}

// The language's default: 1 % below 100 Hz, 10 % below 1 kHz, critical above.
double usual_ratio(double hertz) { return hertz < 100 ? 0.01 : hertz < 1000 ? 0.1 : 1.0; }

}  // namespace

void Compiler::flex_bodies() {
  for (const model::FlexBody& f : model_.all<model::FlexBody>()) flex_body(f);
}

std::optional<FlexMatrices> Compiler::flex_data(const model::FlexBody& f) {
  const core::Words owner = name(f);
  if (f.matrices.ids.empty()) {
    const std::optional<std::string> file = f.mnf_file ? f.mnf_file : f.db_file ? f.db_file : f.bdf_file;
    if (file)
      error(f.span, owner,
            fmt::format("{} is not read: no description of its binary format is public", *file),
            kHowToGetMatrices);
    else
      error(f.span, owner, "has no MATRICES, which describe it",
            "see 'trunnion help FLEX_BODY' and 'trunnion flex'");
    return std::nullopt;
  }
  std::vector<std::string> troubles, notes;
  auto body = libraries_.user().for_drawing
                  ? std::optional(rigid_stand_in(f))
                  : read_flex_matrices(model_, f, libraries_.user().folder, troubles, notes);
  const core::Span span = argument_span(f, "MATRICES");
  for (const std::string& text : notes) diagnostics_.warning(span, owner, text);
  for (const std::string& text : troubles) error(span, owner, text);
  return body;
}

// For a model that is only drawn: the files of matrices need not be there. Without modes; a node for each marker, of which no
// place is known.
FlexMatrices Compiler::rigid_stand_in(const model::FlexBody& f) {
  FlexMatrices body;
  body.invariants.I1 = 1;
  body.invariants.I7.setIdentity();
  std::set<int> ids;
  for (const model::Marker& m : model_.all<model::Marker>()) {
    if (m.node_id && frames_.owners().of(m) == Owner{kind_of<model::FlexBody>(), f.id})
      ids.insert(*m.node_id);
  }
  for (const int id : ids) body.nodes.push_back({id, std::nullopt});
  return body;
}

// The pattern of INVARIANTS. Without the sixth, the modes' own mass, the body is rigid; so it is as the statement says.
void Compiler::flex_pattern(const model::FlexBody& f, FlexMatrices& body) {
  bool on[9] = {true, true, true, true, false, true, true, true, false};
  for (std::size_t k = 0; k < std::min<std::size_t>(9, f.invariants.indices.size()); ++k)
    on[k] = f.invariants.indices[k] == static_cast<int>(model::Switch::on);
  elements::ModalInvariants& I = body.invariants;
  if (!on[0] || !on[6])
    error(argument_span(f, "INVARIANTS"), name(f),
          "without its first or seventh invariant it has no mass or no inertia", "leave both true");
  const bool rigid =
      f.representation.given() && f.representation.value() == model::FlexBody::Representation::rigid;
  if (rigid || !on[5]) {
    std::vector<std::string> none;
    select_modes(body, {}, none);
  }
  if (!on[1]) I.I2.setZero();
  if (!on[2]) I.I3.setZero();
  if (!on[3]) I.I4.setZero();
  if (!on[4]) I.I5.resize(0, 0);
  if (!on[7]) I.I8.resize(0, 0);
  if (!on[8]) I.I9.resize(0, 0);
}

// What the statement says and this version does not do.
bool Compiler::flex_supported(const model::FlexBody& f) {
  using R = model::FlexBody::Representation;
  const core::Words owner = name(f);
  const std::size_t before = diagnostics_.error_count();
  const auto refuse = [&](const char* argument, const std::string& why, const char* hint = "") {
    error(argument_span(f, argument), owner, why, hint);
  };
  if (f.representation.given() && f.representation.value() != R::rigid &&
      f.representation.value() != R::modal)
    refuse("REPRESENTATION", "only REPRESENTATION = MODAL and RIGID are simulated");
  if (f.dynamic_limit)
    refuse("DYNAMIC_LIMIT", "DYNAMIC_LIMIT, modes without inertia, is not simulated",
           "leave it out: modes above 1 kHz are critically damped by default");
  if (f.w4.value_or(0) > 0)
    refuse("W4", "element damping (GEFACT, W4) is not simulated", "use ALPHA1, ALPHA2 or CRATIO");
  return diagnostics_.error_count() == before;
}

// Whether CRATIO is more than a function of the mode: what is computed anew in every evaluation.
bool Compiler::damping_changes(const model::FlexBody& f) const {
  if (!f.cratio.given()) return false;
  const expr::CompileResult result = expr::compile(f.cratio.text);
  if (!result.program) return false;
  const auto& inputs = result.program->inputs();
  return result.program->is_user() || std::any_of(inputs.begin(), inputs.end(), [](const expr::Input& input) {
           return input.kind != expr::InputKind::flex_frequency && input.kind != expr::InputKind::flex_mode;
         });
}

// ζ of each free mode, where it stays.
std::optional<Eigen::VectorXd> Compiler::flex_ratios(const model::FlexBody& f,
                                                     const std::vector<int>& numbers,
                                                     const Eigen::VectorXd& hertz) {
  Eigen::VectorXd ratios(hertz.size());
  for (Index k = 0; k < hertz.size(); ++k) ratios[k] = usual_ratio(hertz[k]);
  if (!f.cratio.given()) return ratios;
  const core::Span span = argument_span(f, "CRATIO");
  const auto function = program(f.cratio, name(f), span);
  if (!function) return std::nullopt;
  expr::Workspace work(*function);
  std::vector<double> in(function->inputs().size());
  for (Index k = 0; k < hertz.size(); ++k) {
    for (std::size_t i = 0; i < in.size(); ++i) {
      const bool mode = function->inputs()[i].kind == expr::InputKind::flex_mode;
      in[i] = mode ? numbers[static_cast<std::size_t>(k)] : hertz[k];
    }
    ratios[k] = function->value(in, work);
    if (ratios[k] >= 0 && std::isfinite(ratios[k])) continue;
    error(span, name(f),
          fmt::format("CRATIO of mode {} ({:.6g} Hz) is {:g}", numbers[static_cast<std::size_t>(k)], hertz[k],
                      ratios[k]),
          "a share of critical damping, 0 or more, is expected");
    return std::nullopt;
  }
  Index worst = 0;
  if (ratios.size() > 0 && ratios.maxCoeff(&worst) > 1)
    diagnostics_.warning(span, name(f),
                         fmt::format("CRATIO of mode {} ({:.6g} Hz) is {:g}: more than critical, its "
                                     "deformation only creeps back",
                                     numbers[static_cast<std::size_t>(worst)], hertz[worst], ratios[worst]),
                         "CRATIO is a share of critical damping: 2 % is 0.02");
  return ratios;
}

// Stiffness in consistent units, damping, and a check of both against what the file says of frequencies.
bool Compiler::flex_stiffness(const model::FlexBody& f, FlexSource& source, FlexInfo& info) {
  FlexMatrices& body = source.matrices;
  elements::ModalInvariants& I = body.invariants;
  const double ucf = system_->units_.ucf;
  if (I.K.size() == 0) return true;
  I.K *= ucf;
  drop_rounding(I.K);
  drop_rounding(I.I6);
  FreeModes modes = free_modes(I);
  Eigen::VectorXd hertz = modes.omega / (2 * std::numbers::pi * system_->units_.time_si);
  // A stiffness in mass and time, without the unit of force: the frequencies tell.
  if (const double lower = 1 / std::sqrt(ucf); ucf != 1 && said_to_be(body.frequencies, lower * hertz)) {
    I.K /= ucf;
    hertz *= lower;
    modes.omega *= lower;
  }
  for (Index k = 0; !body.frequencies.empty() && k < hertz.size(); ++k) {
    const double said = body.frequencies[static_cast<std::size_t>(k)];
    constexpr double kSame = 1e-2;
    if (!(said > 0) || std::abs(hertz[k] - said) <= kSame * said) continue;
    diagnostics_.warning(
        argument_span(f, "MATRICES"), name(f),
        fmt::format(
            "mode {} has {:.6g} Hz by GENSTIFF and INVAR6 in the model's units, but SELMOD says {:.6g} Hz",
            body.modes[static_cast<std::size_t>(k)], hertz[k], said),
        "are the matrices in the units of the model?");
    break;
  }
  const MatrixXd left = I.I6 * modes.N;
  info.hertz.assign(hertz.data(), hertz.data() + hertz.size());
  if (damping_changes(f)) {
    elements::ModalDamping changing{2.0 * modes.omega, left};
    // Orthonormal modes, to rounding.
    if (left.isDiagonal(1e-12)) {
      changing.rates = changing.rates.cwiseProduct(left.diagonal().cwiseAbs2());
      changing.shapes.resize(0, 0);
    }
    source.damping = std::move(changing);
    I.D.setZero(I.K.rows(), I.K.cols());
  } else {
    const auto ratios = flex_ratios(f, body.modes, hertz);
    if (!ratios) return false;
    const Eigen::VectorXd rates = 2.0 * ratios->cwiseProduct(modes.omega);
    I.D = left * rates.asDiagonal() * left.transpose();
    // Orthonormal modes have a diagonal of it, to rounding.
    if (I.D.isDiagonal(1e-12)) I.D = MatrixXd(I.D.diagonal().asDiagonal());
    info.ratios.assign(ratios->data(), ratios->data() + ratios->size());
  }
  I.D += f.alpha1.value_or(0) * I.I6 + f.alpha2.value_or(0) * I.K;
  if (f.w3.value_or(0) > 0) I.D += f.g.value_or(0) / *f.w3 * I.K;
  const bool stored =
      f.generalized_damping.given() && f.generalized_damping.value() != model::FlexBody::Damping::off;
  if (stored && body.damping.size() == 0) {
    error(argument_span(f, "GENERALIZED_DAMPING"), name(f),
          "its matrices have no GENDAMP, the damping matrix");
    return false;
  }
  if (stored) I.D += ucf * body.damping;
  return true;
}

// One number for each active mode, or for all of the file's by their number.
std::optional<Eigen::VectorXd> Compiler::flex_start(const model::FlexBody& f,
                                                    const std::vector<double>& given, const char* argument,
                                                    const std::vector<int>& numbers) {
  const auto M = static_cast<Index>(numbers.size());
  Eigen::VectorXd start = Eigen::VectorXd::Zero(M);
  if (given.empty()) return start;
  const bool by_number = given.size() != numbers.size();
  for (Index k = 0; k < M; ++k) {
    const auto at = static_cast<std::size_t>(by_number ? numbers[static_cast<std::size_t>(k)] - 1 : k);
    if (at >= given.size()) {
      if (given.size() == 1) return start;  // the default, 0
      error(argument_span(f, argument), name(f),
            fmt::format("{} has {} values for {} modes", argument, given.size(), M));
      return std::nullopt;
    }
    start[k] = given[at];
  }
  return start;
}

void Compiler::flex_body(const model::FlexBody& f) {
  const core::Words owner = name(f);
  if (!flex_supported(f)) return;
  auto data = flex_data(f);
  if (!data) return;
  auto source = std::make_shared<FlexSource>();
  source->matrices = std::move(*data);
  FlexMatrices* const body = &source->matrices;
  if (const auto mode = rigid_mode(*body)) {
    error(argument_span(f, "MATRICES"), owner,
          fmt::format("mode {} moves the body as its frame already does (nothing is left of its generalised "
                      "mass), which would count "
                      "the mass twice",
                      *mode),
          "take rigid-body modes out with MODES, or when the matrices are made");
    return;
  }
  flex_pattern(f, *body);
  FlexInfo info;
  if (!flex_stiffness(f, *source, info)) return;
  const auto displaced = flex_start(f, f.dmode, "DMODE", body->modes);
  const auto moving = flex_start(f, f.vmode, "VMODE", body->modes);
  if (!displaced || !moving) return;

  assembly::Layout& layout = system_->layout_;
  const Frame X_GB = frames_.body({kind_of<model::FlexBody>(), f.id});
  elements::ModalBody element;
  element.frame = layout.add_rigid(owner);
  poses_.emplace_back(element.frame, assembly::Pose{X_GB.p, math::Quat(X_GB.R).normalized()});
  const model::Part start = as_part(f);
  exact(start, element.frame, X_GB, X_GB.p);
  velocities(start, element.frame, X_GB);
  if (!body->modes.empty()) {
    std::vector<assembly::Layout::Variable> names;
    for (const int number : body->modes) names.push_back({fmt::format("mode {}", number), "1"});
    element.modes = layout.add_scalars(assembly::Dynamics::second_order, owner + " modes", names);
    scalars_.push_back({element.modes, *displaced, *moving});
    keep_modes(f, element.modes, body->modes);
  }
  if (const model::Accgrav* g = model_.single<model::Accgrav>())
    element.gravity = {g->igrav.value_or(0), g->jgrav.value_or(0), g->kgrav.value_or(0)};
  element.data = std::make_shared<const elements::ModalData>(elements::make_modal_data(body->invariants));

  info.label = owner;
  info.channel = fmt::format("FLEX_BODY/{}", f.id);
  info.frame = element.frame;
  info.modes = element.modes;
  info.numbers = body->modes;
  for (const FlexNode& node : body->stress_nodes)
    info.stress_nodes.push_back({node.id, node.place.value_or(Vec3::Zero())});
  info.stress = body->stress;
  info.shapes = body->T;
  info.size = f.char_len.value_or(extent_of(body->nodes));
  blocks_[{kind_of<model::FlexBody>().index, f.id}] = element.frame;
  system_->body_info_.push_back({owner, info.channel, element.frame, {}, Mat3::Identity()});
  const elements::ModalInvariants& I = body->invariants;
  system_->elements_->outlines.push_back({element.frame, I.I1, I.I7, element.gravity});
  source->hertz = info.hertz;
  system_->flex_info_.push_back(std::move(info));
  source->frame = element.frame;
  source->modes = element.modes;
  source->size = extent_of(body->nodes);
  flex_sources_[f.id] = std::move(source);
  system_->elements_->modal_bodies.push_back(std::move(element));
  for (const model::Marker& m : model_.all<model::Marker>()) {
    if (m.floating || !(frames_.owners().of(m) == Owner{kind_of<model::FlexBody>(), f.id})) continue;
    place_on_node(m, X_GB);
  }
}

// MEXACT: coordinates that the assembly leaves alone.
void Compiler::keep_modes(const model::FlexBody& f, assembly::BlockId block,
                          const std::vector<int>& numbers) {
  for (const int wanted : f.mexact) {
    const auto at = std::find(numbers.begin(), numbers.end(), wanted);
    if (at == numbers.end()) {
      error(argument_span(f, "MEXACT"), name(f),
            fmt::format("MEXACT names mode {}, which is not active", wanted));
      continue;
    }
    Weight w;
    w.offset = system_->layout_.block(block).offset + static_cast<int>(at - numbers.begin());
    w.size = 1;
    w.c[0] = 1;
    system_->exact_coordinates_.push_back(w);
  }
}

namespace {

const FlexNode* find_node(const FlexMatrices& body, int id) {
  for (const FlexNode& node : body.nodes) {
    if (node.id == id) return &node;
  }
  return nullptr;
}

}  // namespace

// A marker that gives no QP stands on its node.
void Compiler::place_on_node(const model::Marker& m, const Frame& X_GB) {
  const FlexSource& source = *flex_sources_.at(frames_.owners().of(m).id);
  if (!m.node_id || !m.qp.empty() || m.rm.given()) return;
  const FlexNode* node = find_node(source.matrices, *m.node_id);
  if (node == nullptr || !node->place) return;
  Frame X_BM = frames_.marker_on_body(m.id);
  X_BM.p = *node->place;
  frames_.put(m.id, X_GB * X_BM);
}

void Compiler::flex_marker(const model::Marker& m, int body, assembly::MarkerDef& def) {
  const FlexSource& source = *flex_sources_.at(body);
  if (m.node_label && !libraries_.user().for_drawing)
    error(argument_span(m, "NODE_LABEL"), name(m),
          fmt::format("NODE_LABEL names a node of an FE_PART; it is on {}",
                      label(model_, kind_of<model::FlexBody>(), body)),
          fmt::format("NODE_ID = {}", *m.node_label));
  if (!m.node_id) return;
  const FlexNode* node = find_node(source.matrices, *m.node_id);
  if (node == nullptr) {
    std::vector<int> some;
    for (std::size_t k = 0; k < std::min<std::size_t>(10, source.matrices.nodes.size()); ++k)
      some.push_back(source.matrices.nodes[k].id);
    error(argument_span(m, "NODE_ID"), name(m),
          fmt::format("{} has no node {} in its SELNOD; it has {}{}",
                      label(model_, kind_of<model::FlexBody>(), body), *m.node_id, fmt::join(some, ", "),
                      source.matrices.nodes.size() > some.size() ? ", …" : ""));
    return;
  }
  if (!source.modes.valid()) return;
  assembly::NodeShape shape;
  shape.s = node->place.value_or(def.p_BM);
  const double off = (shape.s - def.p_BM).norm();
  constexpr double kRoundedInFile = 1e-3;
  if (off > kRoundedInFile * source.size)
    diagnostics_.warning(
        m.span, name(m),
        fmt::format("its QP is {:.4g} from node {} of {}; it is carried by the node as on a rigid arm", off,
                    *m.node_id, label(model_, kind_of<model::FlexBody>(), body)));
  // On its node but for the digits that people and files write: an arm, however small, would couple the modes in every joint
  // (elements/joint_modal.hpp).
  constexpr double kDigits = 1e-6;
  if (off <= kDigits * source.size) def.p_BM = shape.s;
  const Index at = 3 * static_cast<Index>(node - source.matrices.nodes.data());
  shape.modes.setZero(6, source.matrices.T.cols());
  shape.modes.topRows<3>() = source.matrices.T.middleRows<3>(at);
  if (source.matrices.R.size() != 0) shape.modes.bottomRows<3>() = source.matrices.R.middleRows<3>(at);
  def.carrier = assembly::modal_carrier(source.frame, source.modes, std::move(shape));
}

}  // namespace trunnion::system
