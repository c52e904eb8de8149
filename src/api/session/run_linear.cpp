#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/initial/accelerations.hpp"
#include "analysis/linear/linear.hpp"
#include "api/session/run_statics.hpp"
#include "assembly/chart.hpp"

namespace trunnion::api {

namespace {

// Says where a file could not be written.
bool told(const AnalysisContext& c, const std::string& path, bool written) {
  if (!written) c.error(fmt::format("{} cannot be written", path));
  return written;
}

bool write_file(const AnalysisContext& c, const std::string& path, const TextRows& rows) {
  return told(c, path, write_rows(path, rows));
}

// What an analysis has to say; after a failure also where the statements stand that it names.
bool report(const AnalysisContext& c, bool ok, const std::vector<core::Words>& messages) {
  for (const std::string& line : messages) {
    if (ok) c.say(line);
    else c.error(line);
  }
  if (!ok) c.voice.say_places(messages);
  return ok;
}

std::string counted(std::ptrdiff_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// A pair of eigenvalues is one mode.
std::string count_of(const analysis::ModesResult& found) {
  const auto pairs = std::count_if(found.modes.begin(), found.modes.end(),
                                   [](const analysis::Mode& m) { return m.value.imag() > 0; });
  const auto modes = std::ssize(found.modes);
  return fmt::format("{} of {}{}", counted(modes, "mode"), counted(modes + pairs, "eigenvalue"),
                     pairs > 0 ? ", a pair being one mode" : "");
}

void say_eigenvalues(const AnalysisContext& c, const analysis::ModesResult& found, double per_second) {
  c.say("  number  frequency [Hz]   damping ratio            real       imaginary");
  constexpr std::size_t kSaid = 60;
  for (std::size_t k = 0; k < std::min(kSaid, found.modes.size()); ++k) {
    const analysis::Mode& m = found.modes[k];
    c.say(fmt::format("  {:6}  {:14.7g}  {:14.6g}  {:14.6g}  {:14.6g}", k + 1, m.frequency() * per_second,
                      m.damping(), m.value.real(), m.value.imag()));
  }
  if (found.modes.size() > kSaid) c.say(fmt::format("  and {} more", found.modes.size() - kSaid));
}

// Displacement and rotation of a part in ground axes, from its tangent entries.
results::ModeSet::PartShape part_shape(const assembly::Layout& layout, const assembly::Block& block,
                                       const math::Mat3& R_GB, const Eigen::VectorXcd& shape) {
  using Complex3 = Eigen::Vector3cd;
  const assembly::TwistMap S = assembly::twist_map(layout, block);
  const Eigen::Matrix<std::complex<double>, 6, 1> twist =
      S.cast<std::complex<double>>() * shape.segment(block.offset, block.size);
  const Complex3 x = twist.head<3>(), turn = R_GB.cast<std::complex<double>>() * twist.tail<3>();
  return {x[0], x[1], x[2], turn[0], turn[1], turn[2]};
}

// The modes first … last − 1 as the results store keeps them.
results::ModeSet mode_set(const AnalysisContext& c, const analysis::ModesResult& found, std::size_t first,
                          std::size_t last) {
  results::ModeSet out;
  out.time = c.assembled.state.t;
  system::System::Workspace work(c.system, assembly::AnalysisMode::linear);
  work.kinematics.update(c.assembled.state, assembly::Level::q);
  for (const system::BodyInfo& body : c.system.bodies()) {
    if (!body.block.valid()) continue;
    const assembly::MarkerMotion& cm = work.kinematics.marker(body.cm);
    const math::Quat turn(cm.R);
    out.parts.push_back(body.channel);
    out.poses.push_back({cm.p.x(), cm.p.y(), cm.p.z(), turn.x(), turn.y(), turn.z(), turn.w()});
  }
  const assembly::Layout& layout = c.system.layout();
  for (const system::FlexInfo& flex : c.system.flexible()) {
    if (!flex.modes.valid()) continue;
    const assembly::Block& block = layout.block(flex.modes);
    out.flexible.push_back(flex.channel);
    out.coordinates.push_back(block.size);
    for (int k = 0; k < block.size; ++k)
      out.deformation.push_back(c.assembled.state.q[block.pose_offset + k]);
  }
  for (std::size_t k = first; k < last; ++k) {
    const analysis::Mode& mode = found.modes[k];
    out.numbers.push_back(static_cast<int>(k) + 1);
    out.values.push_back(mode.value);
    out.frequencies.push_back(mode.frequency() / c.system.units().time_si);
    out.dampings.push_back(mode.damping());
    for (const system::BodyInfo& body : c.system.bodies()) {
      if (!body.block.valid()) continue;
      out.shapes.push_back(
          part_shape(layout, layout.block(body.block), work.kinematics.body(body.block).R, mode.shape));
    }
    for (const system::FlexInfo& flex : c.system.flexible()) {
      if (!flex.modes.valid()) continue;
      const assembly::Block& block = layout.block(flex.modes);
      for (int i = 0; i < block.size; ++i) out.modal.push_back(mode.shape[block.offset + i]);
    }
  }
  return out;
}

// What the coordinates are: axes of RM, or the VARIABLEs of PSTATE.
struct Coordinates {
  analysis::LinearFrame frame;
  std::vector<assembly::BlockId> pstate;
};

// Rounding is no damping: a real part within what is known of a value, or that is nothing beside it.
void clear_rounding(std::vector<analysis::Mode>& modes) {
  constexpr double kRounding = 1e-12;
  for (analysis::Mode& m : modes) {
    if (std::abs(m.value.real()) <= std::max(m.doubt, kRounding * std::abs(m.value))) m.value.real(0);
  }
}

// Places of the modes that COORDS asks for: first … last − 1. Says where it asks for more than there are.
struct Wanted {
  std::size_t first = 0, last = 0;
  bool any() const { return first < last; }
};

Wanted wanted_modes(const AnalysisContext& c, const std::vector<int>& coords, std::size_t count) {
  if (coords.empty()) return {0, count};
  const auto end = static_cast<std::size_t>(coords.back());
  const Wanted wanted{coords.size() > 1 ? static_cast<std::size_t>(coords[0]) - 1 : 0, std::min(end, count)};
  if (end > count) {
    const std::string line = fmt::format("LINEAR: COORDS={}: there {} {} mode{}{}", fmt::join(coords, ","),
                                         count == 1 ? "is" : "are", count, count == 1 ? "" : "s",
                                         wanted.any() ? "" : "; no shape is written");
    if (wanted.any()) c.say(line);
    else c.warn(line);
  }
  return wanted;
}

// RESULTS/NOLINEAR.
bool kept_out_of_results(const model::Model& model) {
  for (const model::Results& r : model.all<model::Results>()) {
    if (r.nolinear) return true;
  }
  return false;
}

bool write_modes(const AnalysisContext& c, const model::Linear& command, const analysis::ModesResult& found,
                 const Wanted& wanted, const LinearName& name) {
  const std::string values = name.path("eig", "csv"), shapes = name.path("modes", "csv"),
                    kinetic = name.path("kinetic", "csv");
  const double per_second = 1 / c.system.units().time_si;
  if (!write_file(c, values, eigenvalue_rows(found.modes, per_second))) return false;
  std::string said = "eigenvalues in " + values;
  if (!command.novector && wanted.any()) {
    if (!write_file(c, shapes, shape_rows(c.system, found.modes, wanted.first, wanted.last))) return false;
    said += ", shapes in " + shapes;
  }
  if (command.kinetic && wanted.any()) {
    if (!write_file(c, kinetic,
                    kinetic_rows(c.system, c.assembled.state, found.modes, wanted.first, wanted.last)))
      return false;
    said += ", kinetic energies in " + kinetic;
  }
  c.say(said);
  return true;
}

bool eigensol(const AnalysisContext& c, const model::Linear& command, const Coordinates& in,
              LinearNames& names) {
  analysis::ModesOptions options;
  options.frame = in.frame;
  options.coordinates = in.pstate;
  options.damping = !command.nodampin;
  options.vectors = !command.novector || command.kinetic;
  options.count = command.coords.empty() ? 0 : command.coords.back();
  auto found = analysis::modes(c.system, c.assembled, options);
  if (!report(c, found.ok, found.messages)) return false;
  if (!found.all && command.coords.empty()) c.say("  try: COORDS=1,n for the n slowest");
  clear_rounding(found.modes);
  c.say(fmt::format("t = {:.6g}: {}{}", c.assembled.state.t, count_of(found),
                    options.damping ? "" : "; damping left out"));
  say_eigenvalues(c, found, 1 / c.system.units().time_si);
  const Wanted wanted = wanted_modes(c, command.coords, found.modes.size());
  if (options.vectors && wanted.any() && !kept_out_of_results(c.model))
    c.keep_modes(mode_set(c, found, wanted.first, wanted.last));
  return write_modes(c, command, found, wanted, names.next(LinearFamily::modes, command.file));
}

// FILE.m for MATLAB, and FILE.A.mtx … in Matrix Market form; with FORMAT=MATLAB also FILE.A.txt …, which its `load` reads.
bool write_matrices(const AnalysisContext& c, const model::Linear& command, const LinearName& name,
                    const TextRows& coordinates, const std::vector<NamedMatrix>& matrices) {
  const bool one_each = command.format == model::Linear::Format::matlab;
  if (command.format == model::Linear::Format::matrixx)
    c.warn(
        "LINEAR: FORMAT=MATRIXX: that program's file format is not public, no such file is written; "
        "try FORMAT=MATLAB");
  for (const NamedMatrix& m : matrices) {
    const std::string market = name.path(m.name, "mtx"), plain = name.path(m.name, "txt");
    if (!told(c, market, write_matrix_market(market, m.values))) return false;
    if (one_each && !told(c, plain, write_plain(plain, m.values))) return false;
  }
  c.say(fmt::format("matrices in {} and {}{}", name.script(), name.path("*", "mtx"),
                    one_each ? ", " + name.path("*", "txt") : ""));
  return told(c, name.script(), write_matlab(name.script(), coordinates, matrices));
}

// The VARIABLEs that PINPUT, POUTPUT or PSTATE lists; none where it is not given.
template <class List>
bool find_variables(const AnalysisContext& c, const model::Ref<List>& given, const char* keyword,
                    std::vector<assembly::BlockId>& blocks) {
  if (!given.given()) return true;
  const List* list = c.model.find(given);
  if (!list) {
    c.error(fmt::format("LINEAR: {}/{} is not in the model", keyword, given.id));
    return false;
  }
  for (const int id : list->variables.ids) {
    const system::StateInfo* info = c.system.find_states(model::kind_of<model::Variable>(), id);
    if (!info) {
      c.error(fmt::format("LINEAR: VARIABLE/{} of {}/{} is not part of the system", id, keyword, given.id));
      return false;
    }
    blocks.push_back(info->states);
  }
  return true;
}

bool statemat(const AnalysisContext& c, const model::Linear& command, const Coordinates& in,
              LinearNames& names) {
  analysis::LinearOptions options;
  options.frame = in.frame;
  options.coordinates = in.pstate;
  options.damping = !command.nodampin;
  if (!find_variables(c, command.pinput, "PINPUT", options.inputs) ||
      !find_variables(c, command.poutput, "POUTPUT", options.outputs))
    return false;
  const auto found = analysis::linearise(c.system, c.assembled, options);
  if (!report(c, found.ok, found.messages)) return false;
  c.say(fmt::format("t = {:.6g}: state matrices: {}, {}, {}", c.assembled.state.t,
                    counted(found.A.rows(), "state"), counted(found.B.cols(), "input"),
                    counted(found.C.rows(), "output")));
  return write_matrices(c, command, names.next(LinearFamily::matrices, command.file),
                        TextRows(found.names.begin(), found.names.end()),
                        {{"A", found.A}, {"B", found.B}, {"C", found.C}, {"D", found.D}});
}

bool mkb(const AnalysisContext& c, const model::Linear& command, const Coordinates& in, LinearNames& names) {
  const auto found =
      analysis::structural_matrices(c.system, c.assembled, in.frame, in.pstate, !command.nodampin);
  if (!report(c, found.ok, found.messages)) return false;
  c.say(fmt::format("t = {:.6g}: M, K, B of {}{}", c.assembled.state.t, counted(found.M.rows(), "coordinate"),
                    command.nodampin ? "; damping left out" : ""));
  return write_matrices(c, command, names.next(LinearFamily::matrices, command.file),
                        TextRows(found.names.begin(), found.names.end()),
                        {{"M", found.M}, {"K", found.K}, {"B", found.B}});
}

// RM, as the axes of the coordinates.
bool find_frame(const AnalysisContext& c, const model::Linear& command, analysis::LinearFrame& frame) {
  if (!command.rm.given()) return true;
  const auto marker = c.system.find_marker(command.rm.id);
  frame.name = label(c.model, model::kind_of<model::Marker>(), command.rm.id);
  if (marker) frame.rm = *marker;
  else c.error(fmt::format("LINEAR: RM: {} is not part of the system", frame.name));
  return marker.has_value();
}

// Accelerations and reactions of a motion as the equations have them, not as an integrator left them.
void reconcile(const system::System& system, analysis::AssemblyResult& at) {
  if (at.state.v.isZero(0) && at.state.a.isZero(0)) return;
  system::System::Workspace work(system, assembly::AnalysisMode::linear);
  core::Words message;
  assembly::State state = at.state;
  if (analysis::solve_accelerations(system, at.active, state, work, message)) at.state = std::move(state);
}

}  // namespace

bool run_linear(const AnalysisContext& given, const model::Linear& command, LinearNames& names) {
  analysis::AssemblyResult about = given.assembled;
  reconcile(given.system, about);
  const AnalysisContext c{given.system, given.model, about,           given.mode,
                          given.voice,  given.write, given.keep_modes};
  if (command.strain || command.dissipative)
    c.warn("LINEAR: tables of STRAIN and DISSIPATIVE energy are not in this version; KINETIC is");
  if (command.original)
    c.warn(
        "LINEAR: ORIGINAL is the vendor's older reduction, which is not documented; equations are "
        "reduced as without it");
  Coordinates about_what;
  if (!find_frame(c, command, about_what.frame) ||
      !find_variables(c, command.pstate, "PSTATE", about_what.pstate))
    return false;
  using T = model::Linear::Type;
  switch (command.type.value_or(T::eigensol)) {
    case T::eigensol: return eigensol(c, command, about_what, names);
    case T::statemat: return statemat(c, command, about_what, names);
    case T::mkb: return mkb(c, command, about_what, names);
    case T::nastran: break;
  }
  c.error("LINEAR/NASTRAN_EXPORT is not in this version");
  return false;
}

}  // namespace trunnion::api
