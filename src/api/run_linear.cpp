#include <fstream>

#include <fmt/format.h>

#include "analysis/accelerations.hpp"
#include "analysis/linear.hpp"
#include "api/run_statics.hpp"

namespace trunnion::api {

namespace {

using Rows = std::vector<std::string>;

bool write_file(const AnalysisContext& c, const std::string& path, const Rows& rows) {
  std::ofstream file(path);
  for (const std::string& row : rows) file << row << '\n';
  if (file.flush()) return true;
  c.say(fmt::format("error: {} cannot be written", path));
  return false;
}

std::string quoted(std::string text) {
  for (std::size_t k = text.find('"'); k != std::string::npos; k = text.find('"', k + 2))
    text.insert(k, 1, '"');
  return '"' + text + '"';
}

// What an analysis has to say; after a failure also where the statements stand that it names.
bool report(const AnalysisContext& c, bool ok, const Rows& messages) {
  for (const std::string& line : messages) c.say((ok ? "" : "error: ") + line);
  if (!ok) c.say_places(messages);
  return ok;
}

// The eigenvalue table, said and written.
bool write_eigenvalues(const AnalysisContext& c, const analysis::ModesResult& found, double frequency) {
  Rows rows{"number,undamped_frequency_hz,damping_ratio,real,imaginary"};
  c.say("  number  frequency [Hz]   damping ratio            real       imaginary");
  constexpr std::size_t kSaid = 60;
  for (std::size_t k = 0; k < found.modes.size(); ++k) {
    const analysis::Mode& m = found.modes[k];
    const double hz = m.frequency() * frequency;
    rows.push_back(fmt::format("{},{:.15g},{:.15g},{:.15g},{:.15g}", k + 1, hz, m.damping(), m.value.real(),
                               m.value.imag()));
    if (k < kSaid)
      c.say(fmt::format("  {:6}  {:14.7g}  {:14.6g}  {:14.6g}  {:14.6g}", k + 1, hz, m.damping(),
                        m.value.real(), m.value.imag()));
  }
  if (found.modes.size() > kSaid)
    c.say(fmt::format("  and {} more, see {}.eig.csv", found.modes.size() - kSaid, c.prefix));
  return write_file(c, c.prefix + ".eig.csv", rows);
}

// One row per coordinate, magnitude and phase of each mode.
bool write_shapes(const AnalysisContext& c, const analysis::ModesResult& found, std::size_t first,
                  std::size_t last) {
  std::string head = "coordinate";
  for (std::size_t k = first; k < last; ++k) head += fmt::format(",mode_{0}_real,mode_{0}_imaginary", k + 1);
  Rows rows{head};
  const assembly::Layout& layout = c.system.layout();
  for (int i = 0; i < layout.size(); ++i) {
    std::string row = quoted(layout.column_name(i));
    for (std::size_t k = first; k < last; ++k)
      row += fmt::format(",{:.9g},{:.9g}", found.modes[k].shape[i].real(), found.modes[k].shape[i].imag());
    rows.push_back(std::move(row));
  }
  return write_file(c, c.prefix + ".modes.csv", rows);
}

bool write_kinetic(const AnalysisContext& c, const analysis::ModesResult& found, std::size_t first,
                   std::size_t last) {
  std::string head = "mode";
  for (const auto& body : c.system.bodies()) {
    if (body.block.valid()) head += "," + quoted(body.label);
  }
  Rows rows{head};
  for (std::size_t k = first; k < last; ++k) {
    const std::vector<double> shares = analysis::kinetic_shares(c.system, found.modes[k]);
    std::string row = fmt::format("{}", k + 1);
    for (std::size_t b = 0; b < shares.size(); ++b) {
      if (c.system.bodies()[b].block.valid()) row += fmt::format(",{:.6g}", shares[b]);
    }
    rows.push_back(std::move(row));
  }
  return write_file(c, c.prefix + ".kinetic.csv", rows);
}

// Displacement and rotation of a part in ground axes, from its tangent entries.
results::ModeSet::PartShape part_shape(const assembly::Layout& layout, const assembly::Block& block,
                                       const math::Mat3& R_GB, const Eigen::VectorXcd& shape) {
  using Complex3 = Eigen::Vector3cd;
  const auto d = shape.segment(block.offset, block.size);
  Complex3 x = d.head<3>(), turn = Complex3::Zero();
  if (block.kind == assembly::BlockKind::rigid) turn = R_GB.cast<std::complex<double>>() * d.tail<3>();
  if (block.kind == assembly::BlockKind::planar) {
    const assembly::Plane& plane = layout.plane(block);
    x = plane.axes.cast<std::complex<double>>() * d.head<2>();
    turn = (R_GB * plane.normal_B).cast<std::complex<double>>() * d[2];
  }
  return {x[0], x[1], x[2], turn[0], turn[1], turn[2]};
}

// The modes first … last − 1 as the results store keeps them.
results::ModeSet mode_set(const AnalysisContext& c, const analysis::ModesResult& found, std::size_t first,
                          std::size_t last) {
  results::ModeSet out;
  out.time = c.assembled.state.t;
  system::System::Workspace work(c.system);
  work.kinematics.update(c.assembled.state, assembly::Level::q);
  for (const system::BodyInfo& body : c.system.bodies()) {
    if (!body.block.valid()) continue;
    const assembly::MarkerMotion& cm = work.kinematics.marker(body.cm);
    const math::Quat turn(cm.R);
    out.parts.push_back(body.channel);
    out.poses.push_back({cm.p.x(), cm.p.y(), cm.p.z(), turn.x(), turn.y(), turn.z(), turn.w()});
  }
  const assembly::Layout& layout = c.system.layout();
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
  }
  return out;
}

// What the coordinates are: axes of RM, or the VARIABLEs of PSTATE.
struct Coordinates {
  analysis::LinearFrame frame;
  std::vector<assembly::BlockId> pstate;
};

bool eigensol(const AnalysisContext& c, const model::Linear& command, const Coordinates& in) {
  analysis::ModesOptions options;
  options.frame = in.frame;
  options.coordinates = in.pstate;
  options.damping = !command.nodampin;
  options.vectors = !command.novector || command.kinetic;
  const std::size_t last_asked = command.coords.empty() ? 0 : static_cast<std::size_t>(command.coords.back());
  options.count = static_cast<int>(last_asked);
  const auto found = analysis::modes(c.system, c.assembled, options);
  if (!report(c, found.ok, found.messages)) return false;
  c.say(fmt::format("t = {:.6g}: {} eigenvalues{}", c.assembled.state.t, found.modes.size(),
                    options.damping ? "" : ", damping left out"));
  const double per_second = 1 / c.system.units().time_si;
  const std::size_t first = command.coords.size() > 1 ? static_cast<std::size_t>(command.coords[0]) - 1 : 0;
  const std::size_t last = last_asked > 0 ? std::min(last_asked, found.modes.size()) : found.modes.size();
  if (options.vectors && first < last) c.keep_modes(mode_set(c, found, first, last));
  return write_eigenvalues(c, found, per_second) &&
         (command.novector || first >= last || write_shapes(c, found, first, last)) &&
         (!command.kinetic || first >= last || write_kinetic(c, found, first, last));
}

Rows matrix_market(const Eigen::MatrixXd& m) {
  Rows rows{"%%MatrixMarket matrix array real general", fmt::format("{} {}", m.rows(), m.cols())};
  for (Eigen::Index j = 0; j < m.cols(); ++j) {
    for (Eigen::Index i = 0; i < m.rows(); ++i) rows.push_back(fmt::format("{:.17g}", m(i, j)));
  }
  return rows;
}

void append_matlab(Rows& rows, const char* name, const Eigen::MatrixXd& m) {
  rows.push_back(fmt::format("{} = zeros({}, {});", name, m.rows(), m.cols()));
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    std::string row = fmt::format("{}({}, :) = [", name, i + 1);
    for (Eigen::Index j = 0; j < m.cols(); ++j) row += fmt::format(" {:.17g}", m(i, j));
    if (m.cols() > 0) rows.push_back(row + " ];");
  }
}

std::string file_base(const AnalysisContext& c, const model::Linear& command) {
  const std::string folder = c.prefix.substr(0, c.prefix.find_last_of('/') + 1);
  return command.file ? folder + *command.file : c.prefix;
}

Rows plain_text(const Eigen::MatrixXd& m) {
  Rows rows;
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    std::string row;
    for (Eigen::Index j = 0; j < m.cols(); ++j) row += fmt::format("{}{:.17g}", j > 0 ? " " : "", m(i, j));
    rows.push_back(std::move(row));
  }
  return rows;
}

// FILE.m for MATLAB, and FILE.A.mtx … in Matrix Market form; with FORMAT=MATLAB also FILE.A.txt …, which its `load` reads.
bool write_matrices(const AnalysisContext& c, const model::Linear& command, const Rows& names,
                    const std::vector<std::pair<const char*, const Eigen::MatrixXd*>>& matrices) {
  const std::string base = file_base(c, command);
  const bool one_each = command.format == model::Linear::Format::matlab;
  if (command.format == model::Linear::Format::matrixx)
    c.say(
        "warning: LINEAR: FORMAT=MATRIXX: that program's file format is not public, no such file is written; "
        "try FORMAT=MATLAB");
  Rows matlab;
  for (std::size_t k = 0; k < names.size(); ++k) matlab.push_back(fmt::format("% {} {}", k + 1, names[k]));
  for (const auto& [name, matrix] : matrices) {
    append_matlab(matlab, name, *matrix);
    if (!write_file(c, fmt::format("{}.{}.mtx", base, name), matrix_market(*matrix))) return false;
    if (one_each && !write_file(c, fmt::format("{}.{}.txt", base, name), plain_text(*matrix))) return false;
  }
  c.say(fmt::format("matrices in {0}.m and {0}.*.mtx{1}", base,
                    one_each ? fmt::format(", {}.*.txt", base) : ""));
  return write_file(c, base + ".m", matlab);
}

// The VARIABLEs that PINPUT, POUTPUT or PSTATE lists; none where it is not given.
template <class List>
bool find_variables(const AnalysisContext& c, const model::Ref<List>& given, const char* keyword,
                    std::vector<assembly::BlockId>& blocks) {
  if (!given.given()) return true;
  const List* list = c.model.find(given);
  if (!list) {
    c.say(fmt::format("error: LINEAR: {}/{} is not in the model", keyword, given.id));
    return false;
  }
  for (const int id : list->variables.ids) {
    const system::StateInfo* info = c.system.find_states(model::kind_of<model::Variable>(), id);
    if (!info) {
      c.say(fmt::format("error: LINEAR: VARIABLE/{} of {}/{} is not part of the system", id, keyword,
                        given.id));
      return false;
    }
    blocks.push_back(info->states);
  }
  return true;
}

bool statemat(const AnalysisContext& c, const model::Linear& command, const Coordinates& in) {
  analysis::LinearOptions options;
  options.frame = in.frame;
  options.coordinates = in.pstate;
  options.damping = !command.nodampin;
  if (!find_variables(c, command.pinput, "PINPUT", options.inputs) ||
      !find_variables(c, command.poutput, "POUTPUT", options.outputs))
    return false;
  const auto found = analysis::linearise(c.system, c.assembled, options);
  if (!report(c, found.ok, found.messages)) return false;
  c.say(fmt::format("t = {:.6g}: state matrices: {} states, {} inputs, {} outputs", c.assembled.state.t,
                    found.A.rows(), found.B.cols(), found.C.rows()));
  return write_matrices(c, command, found.names,
                        {{"A", &found.A}, {"B", &found.B}, {"C", &found.C}, {"D", &found.D}});
}

bool mkb(const AnalysisContext& c, const model::Linear& command, const Coordinates& in) {
  const auto found = analysis::structural_matrices(c.system, c.assembled, in.frame, in.pstate);
  if (!report(c, found.ok, found.messages)) return false;
  c.say(fmt::format("t = {:.6g}: M, K, B of {} coordinates", c.assembled.state.t, found.M.rows()));
  return write_matrices(c, command, found.names, {{"M", &found.M}, {"K", &found.K}, {"B", &found.B}});
}

// RM, as the axes of the coordinates.
bool find_frame(const AnalysisContext& c, const model::Linear& command, analysis::LinearFrame& frame) {
  if (!command.rm.given()) return true;
  const auto marker = c.system.find_marker(command.rm.id);
  frame.name = label(c.model, model::kind_of<model::Marker>(), command.rm.id);
  if (marker) frame.rm = *marker;
  else c.say(fmt::format("error: LINEAR: RM: {} is not part of the system", frame.name));
  return marker.has_value();
}

// Accelerations and reactions of a motion as the equations have them, not as an integrator left them.
void reconcile(const system::System& system, analysis::AssemblyResult& at) {
  if (at.state.v.isZero(0) && at.state.a.isZero(0)) return;
  system::System::Workspace work(system);
  std::string message;
  assembly::State state = at.state;
  if (analysis::solve_accelerations(system, at.active, state, work, message)) at.state = std::move(state);
}

}  // namespace

bool run_linear(const AnalysisContext& given, const model::Linear& command) {
  analysis::AssemblyResult about = given.assembled;
  reconcile(given.system, about);
  const AnalysisContext c{given.system,     given.model, about,        given.say,
                          given.say_places, given.write, given.prefix, given.keep_modes};
  if (command.strain || command.dissipative)
    c.say("warning: LINEAR: tables of STRAIN and DISSIPATIVE energy are not in this version; KINETIC is");
  if (command.original)
    c.say(
        "warning: LINEAR: ORIGINAL is the vendor's older reduction, which is not documented; equations are "
        "reduced as without it");
  Coordinates about_what;
  if (!find_frame(c, command, about_what.frame) ||
      !find_variables(c, command.pstate, "PSTATE", about_what.pstate))
    return false;
  using T = model::Linear::Type;
  switch (command.type.value_or(T::eigensol)) {
    case T::eigensol: return eigensol(c, command, about_what);
    case T::statemat: return statemat(c, command, about_what);
    case T::mkb: return mkb(c, command, about_what);
    case T::nastran: break;
  }
  c.say("error: LINEAR/NASTRAN_EXPORT is not in this version");
  return false;
}

}  // namespace trunnion::api
