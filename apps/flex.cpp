// flex: from a finite-element model to a FLEX_BODY, and whether its set of modes is good enough.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include <fmt/format.h>

#include "apps/opening.hpp"
#include "core/text.hpp"
#include "flex/body_file.hpp"
#include "flex/input_error.hpp"
#include "flex/make_body.hpp"
#include "flex/matrix_text.hpp"
#include "flex/quality.hpp"

namespace trunnion::apps {

namespace {

namespace fs = std::filesystem;

double radians(double hertz) { return 2 * std::numbers::pi * hertz; }

std::vector<std::string> by_commas(const std::vector<std::string>& texts) {
  std::vector<std::string> out;
  for (const std::string& text : texts) {
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find(',', at), text.size());
      const std::string_view word = core::trim(std::string_view(text).substr(at, end - at));
      if (!word.empty()) out.emplace_back(word);
      at = end + 1;
    }
  }
  return out;
}

flex::BodyRequest request_of(const FlexOptions& options) {
  flex::BodyRequest request;
  if (!options.file.empty()) request.source = options.file;
  request.matrices = {options.mass, options.stiffness, options.nodes,
                      options.dofs, options.mass_name, options.stiffness_name};
  for (const std::string& text : by_commas(options.interfaces))
    request.interfaces.push_back({flex::Link::node, text});
  for (const std::string& text : by_commas(options.rigid))
    request.interfaces.push_back({flex::Link::rigid, text});
  for (const std::string& text : by_commas(options.average))
    request.interfaces.push_back({flex::Link::average, text});
  request.reduction.modes = options.modes;
  request.reduction.highest = radians(options.up_to);
  request.strains = options.strain;
  request.loads = options.loads;
  request.mass = options.lumped ? flex::MassKind::lumped : flex::MassKind::consistent;
  request.stresses = options.stress;
  request.calculix.program = options.calculix;
  request.calculix.keep = options.keep;
  return request;
}

// What is asked for against what is given.
std::string wrong_with(const FlexOptions& options) {
  const bool matrices = !options.mass.empty() || !options.stiffness.empty() || !options.nodes.empty();
  if (options.file.empty() && !matrices)
    return "flex needs a deck (part.inp), an MBDyn file (part.fem), or --mass, --stiffness and --nodes";
  if (!options.file.empty() && matrices)
    return "flex takes a file, or --mass, --stiffness and --nodes, not both";
  if (matrices && (options.mass.empty() || options.stiffness.empty() || options.nodes.empty()))
    return "--mass, --stiffness and --nodes belong together";
  if (options.file.ends_with(".mnf"))
    return options.file +
           ": modal neutral files are binary and have no public description; let the program that made it "
           "write its matrices "
           "(.mtx), which MATRIX/…, FILE= reads as they are";
  if (options.strain && !options.stress) return "--strain goes with --stress";
  if (options.deck_units.empty() != options.units.empty()) return "--deck-units and --units belong together";
  return {};
}

std::string output_stem(const FlexOptions& options) {
  if (!options.output.empty()) {
    const std::string& name = options.output;
    return name.ends_with(".flex.h5") ? name.substr(0, name.size() - 8) : name;
  }
  const fs::path from = options.file.empty() ? options.stiffness : options.file;
  return (from.parent_path() / from.stem()).string();
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  if (!(file << text).flush()) throw flex::InputError("cannot write " + path);
}

std::string told(const flex::MadeBody& made) {
  const flex::ModalBody& body = made.body;
  const Eigen::Vector3d& c = made.rigid.centre;
  std::string out;
  if (made.degrees_of_freedom > 0)
    out += fmt::format("{} nodes, {} degrees of freedom\n", body.nodes.size(), made.degrees_of_freedom);
  else out += fmt::format("{} nodes, reduced already\n", body.nodes.size());
  out += fmt::format("mass {:.8g}, centre ({:.6g}, {:.6g}, {:.6g})\n", made.rigid.mass, c.x(), c.y(), c.z());
  if (body.constraint_modes > 0)
    out += fmt::format("{} modes: {} of constraint, {} fixed-interface, less 6 rigid motions\n", body.modes(),
                       body.constraint_modes, body.fixed_modes);
  else out += fmt::format("{} modes\n", body.modes());
  if (body.modes() > 0) {
    const auto hertz = [&](Eigen::Index k) {
      return std::sqrt(std::max(0.0, body.eigenvalues[k])) / radians(1);
    };
    out += fmt::format("free frequencies {:.6g} … {:.6g} Hz\n", hertz(0), hertz(body.modes() - 1));
  }
  if (const Eigen::Index cases = body.loads.cols(); cases > 0)
    out += fmt::format("{} load case{} for MFORCE\n", cases, cases == 1 ? "" : "s");
  return out;
}

// Node sets and numbers, or ALL, that markers may stand on besides the interfaces.
std::vector<int> marker_nodes(const FlexOptions& options, const flex::MadeBody& made) {
  std::vector<int> out;
  const bool reduced =
      made.degrees_of_freedom == 0 && options.markers.empty() && made.body.interfaces.empty();
  for (const std::string& word : by_commas(options.markers)) {
    if (core::equals_nocase(word, "ALL")) {
      for (const flex::Node& node : made.body.nodes) out.push_back(node.id);
      continue;
    }
    const bool number =
        !word.empty() && std::all_of(word.begin(), word.end(), core::is_digit) && word.size() < 10;
    const int id = number ? std::stoi(word) : 0;
    const bool there = std::any_of(made.body.nodes.begin(), made.body.nodes.end(),
                                   [&](const flex::Node& node) { return node.id == id; });
    if (!there)
      throw flex::InputError(fmt::format("--markers {}: there is no such node", word),
                             "numbers of nodes, or ALL");
    out.push_back(id);
  }
  if (reduced) {
    for (const flex::Node& node : made.body.nodes) out.push_back(node.id);
  }
  return out;
}

void write_all(const FlexOptions& options, flex::MadeBody& made) {
  const std::string stem = output_stem(options);
  if (!options.units.empty()) flex::scale(made.body, flex::unit_scale(options.deck_units, options.units));
  const flex::StatementOptions statements{options.id, marker_nodes(options, made)};
  const std::string stresses = flex::stress_text(made.body);
  const std::string matrices_file = stem + ".mtx", stress_file = stresses.empty() ? "" : stem + ".stress.mtx";
  write_text(matrices_file, flex::matrices_text(made.body, statements));
  if (!stresses.empty()) write_text(stress_file, stresses);
  write_text(stem + ".flex.adm",
             flex::statements_text(made.body, statements, fs::path(matrices_file).filename().string(),
                                   fs::path(stress_file).filename().string()));
  flex::write_body(made.body, stem + ".flex.h5");
  print(stdout,
        fmt::format(
            "wrote {}.mtx (matrices), {}.flex.adm (statements to paste), {}.flex.h5 (mesh and shapes){}\n",
            stem, stem, stem, stresses.empty() ? "" : ", " + stress_file + " (stresses)"));
}

int check_body(const FlexOptions& options) {
  const flex::CheckData data = flex::read_check(options.check);
  const double band = radians(options.band);
  const flex::Quality quality = flex::judge(data.set, data.eigenvalues, band);
  print(stdout, fmt::format("{}: {} modes, from {}\n", options.check, data.eigenvalues.size(), data.origin) +
                    flex::quality_text(quality, band));
  return band > quality.good_to && quality.first_left_out > 0 ? kWarnings : kOk;
}

int make(const FlexOptions& options) {
  if (const std::string wrong = wrong_with(options); !wrong.empty()) return complain(wrong);
  if (!options.units.empty()) flex::unit_scale(options.deck_units, options.units);  // before the work
  flex::MadeBody made = flex::make_body(request_of(options));
  for (const std::string& note : made.notes) print(stderr, "note: " + note + "\n");
  print(stdout, told(made));
  if (made.body.check.fixed.size() + made.body.check.ahead.size() > 0)
    print(stdout,
          flex::quality_text(flex::judge(made.body.check, made.body.eigenvalues, radians(options.band)),
                             radians(options.band)));
  write_all(options, made);
  return kOk;
}

}  // namespace

int flex_body(const FlexOptions& options) {
  try {
    return options.check.empty() ? make(options) : check_body(options);
  } catch (const flex::InputError& error) {
    std::string text = error.what();
    if (!error.hint().empty()) text += "\n  try: " + error.hint();
    return complain(text);
  }
}

}  // namespace trunnion::apps
