// The program: trunnion check | fmt | run | help.

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>

#include <CLI/CLI.hpp>

#include "apps/commands.hpp"
#include "apps/terminal.hpp"
#include "core/text.hpp"

namespace {

using namespace trunnion;

constexpr const char* kFooter =
    "\nExamples:\n"
    "  trunnion check model.adm            what is in a model, or what is wrong with it\n"
    "  trunnion check model.adm run.acf    the commands too\n"
    "  trunnion run model.adm run.acf      carry the commands out; histories go to a .csv\n"
    "  trunnion fmt model.adm -o clean.adm the model written back cleanly\n"
    "  trunnion flex part.inp --rbe2 A,B   a flexible body from a finite-element deck\n"
    "  trunnion help JOINT                 a statement, a command or a function\n";

void add_user_options(CLI::App& command, std::vector<std::string>& libraries, bool& ignore,
                      bool& model_code) {
  command
      .add_option("--user-library", libraries, "shared library with routines for USER(...); may be repeated")
      ->expected(1)
      ->take_all();
  command.add_flag("--ignore-user", ignore,
                   "leave out, and list, statements whose routine for USER(...) is not there");
  command.add_flag(
      "--allow-model-code", model_code,
      "load the libraries that the model names too (ROUTINE=, PREFERENCES/LIBPATH): their code runs "
      "with your rights. check only looks for their routines");
}

// For a misspelt command.
void suggest_command(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const std::vector<std::string> words = app.remaining(true);
  const auto near = words.empty() ? std::nullopt : core::nearest(words.front(), candidates);
  if (near) apps::print(stderr, words.front() + " is not a command; did you mean " + *near + "?\n");
}

// For a misspelt option of the command that was given.
void suggest_options(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands()) {
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
  }
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  if (app.get_subcommands().empty()) suggest_command(app);
  for (const std::string& word : app.remaining(true)) {
    if (!word.starts_with("--")) continue;
    const auto near = core::nearest(word.substr(0, word.find('=')), candidates);
    if (near) apps::print(stderr, word.substr(0, word.find('=')) + ": did you mean " + *near + "?\n");
  }
}

int run_program(int argc, char** argv) {
  CLI::App app("Trunnion reads ADAMS/Solver models (.adm, .acf) and analyses mechanisms.", "trunnion");
  app.footer(kFooter);
  app.set_version_flag("--version", "trunnion " TRUNNION_VERSION);
  app.require_subcommand(1);
  int code = apps::kOk;

  apps::CheckOptions check;
  CLI::App* check_command = app.add_subcommand("check", "Tell what is in a model, or what is wrong with it");
  check_command->add_option("files", check.files, "model.adm, or script.acf, or both")
      ->required()
      ->expected(1, 2);
  check_command->add_flag("--json", check.json, "the same as JSON, for other programs");
  check_command->add_flag("--strict", check.strict, "exit code 1 where there are warnings");
  check_command->add_flag("--all", check.all, "list every redundant equation, not only their pattern");
  add_user_options(*check_command, check.user_libraries, check.ignore_user, check.allow_model_code);
  check_command->callback([&] { code = apps::check(check); });

  apps::FormatOptions format;
  CLI::App* format_command = app.add_subcommand("fmt", "Write a model or script back cleanly");
  format_command->add_option("file", format.file, "model.adm or script.acf")->required();
  auto* output =
      format_command->add_option("-o,--output", format.output, "write here instead of to the terminal");
  format_command->add_flag("-i,--in-place", format.in_place, "replace the file")->excludes(output);
  format_command->callback([&] { code = apps::format(format); });

  apps::RunCommandOptions run;
  CLI::App* run_command = app.add_subcommand("run", "Check a model and carry out its commands");
  run_command->add_option("files", run.files, "model.adm, or script.acf, or both")
      ->required()
      ->expected(1, 2);
  run_command->add_option("--out", run.folder, "folder for the results");
  run_command->add_option("--prefix", run.prefix, "base name of the results");
  run_command->add_option("--csv", run.csv, "file for the histories");
  run_command->add_option("--integrator", run.integrator,
                          "settings of INTEGRATOR on top of the model's: 'GALPHA, RHO=0.6, ERROR=1E-6'");
  run_command->add_option("--channels", run.channels,
                          "what to keep: patterns such as 'JOINT/*.F*,PART/2.*'; everything unless given. In "
                          ".res and .req: the statements that have one of them");
  run_command->add_option(
      "--files", run.kinds,
      "which files to write, of h5, csv, res, req, gra; unless given h5, csv and what RESULTS/XRF, "
      "OUTPUT/REQSAVE and GRSAVE ask for");
  run_command->add_flag("--no-csv", run.no_csv, "no CSV, only the results store PREFIX.h5");
  run_command->add_flag("--no-store", run.no_store, "no results store, only the CSV");
  run_command->add_flag("--view", run.view, "open the results in the browser at the end");
  run_command->add_flag(
      "--strict", run.strict,
      "exit code 6 where statements are left out (TIRE is parsed but not simulated), 1 where "
      "there are other warnings: of the model's text, its meaning or the run");
  run_command->add_flag("--verbose", run.verbose, "list every redundant equation, not only their pattern");
  run_command->add_flag("--report", run.report, "tell how the solver fared (always in PREFIX.report.json)");
  add_user_options(*run_command, run.user_libraries, run.ignore_user, run.allow_model_code);
  run_command->add_flag("--allow-outside", run.allow_outside,
                        "let the script write outside of the results' folder (OUTPUT_PREFIX, SAVE, LINEAR)");
  run_command->callback([&] { code = apps::run(run); });

  apps::ViewOptions view;
  CLI::App* view_command =
      app.add_subcommand("view", "Make a page that shows the results: motion, plots, report");
  view_command->add_option("result", view.file, "PREFIX.h5, or PREFIX.res with its model")->required();
  view_command->add_option("--model", view.model, "the model of a .res; PREFIX.adm beside it unless given");
  view_command->add_option("-o,--output", view.output, "the page; PREFIX.html unless given");
  view_command->add_option("--overlay", view.overlay, "a second result, drawn dashed in the plots");
  view_command->add_option("--channels", view.channels,
                           "what to plot: patterns; everything unless given. In .res and .req: the "
                           "statements that have one of them");
  view_command->add_option("--frames", view.frames, "rows kept at most")->check(CLI::Range(2, 1000000));
  view_command->add_flag("--open", view.open, "open it in the browser");
  view_command->add_flag("--allow-outside", view.allow_outside,
                         "draw shapes, curves and sections from files outside of the model's folder, too");
  view_command->callback([&] { code = apps::view(view); });

  apps::InfoOptions info;
  CLI::App* info_command = app.add_subcommand("info", "Tell what is in results");
  info_command->add_option("result", info.file, "PREFIX.h5, .csv, .res, .req or .gra")->required();
  info_command->add_flag("--channels", info.channels, "list every channel with its unit");
  info_command->callback([&] { code = apps::info(info); });

  apps::PlotOptions plot;
  CLI::App* plot_command = app.add_subcommand("plot", "Draw channels over time");
  plot_command->add_option("result", plot.file, "PREFIX.h5, .csv, .res, .req or .gra")->required();
  plot_command->add_option("channels,--channels", plot.channels, "names or patterns: PART/2.X 'JOINT/1.F*'")
      ->required();
  plot_command->add_option("-o,--output", plot.output,
                           "file.svg or file.png; a sketch on the terminal unless given");
  plot_command->add_flag(
      "--wrapped", plot.wrapped,
      "angles as they are stored, between -pi and pi; without it they go on over full turns");
  plot_command->callback([&] { code = apps::plot(plot); });

  apps::CompareOptions compare;
  CLI::App* compare_command =
      app.add_subcommand("compare", "Compare two results channel by channel; exit code 1 where they differ");
  compare_command->add_option("a", compare.a, "PREFIX.h5, .csv, .res, .req or .gra")->required();
  compare_command->add_option("b", compare.b, "the other")->required();
  compare_command
      ->add_option("--tolerance", compare.tolerance, "difference allowed, as a part of the channel's scale")
      ->capture_default_str();
  compare_command->add_flag("--all", compare.all, "show every channel");
  compare_command->add_option("--model", compare.model,
                              "model of a .res; unless given the one in the store, or PREFIX.adm beside it");
  compare_command->callback([&] { code = apps::compare(compare); });

  apps::FormulasOptions formulas;
  CLI::App* formulas_command = app.add_subcommand(
      "formulas", "List the formulas of INTEGRATOR: order, stages, damping, what each is good for");
  formulas_command->add_option("name", formulas.name,
                               "NAME or NAME:RHO; shows its numbers and what proves them");
  formulas_command->add_flag("--json", formulas.json, "the same as JSON, for other programs");
  formulas_command->callback([&] { code = apps::formulas(formulas); });

  apps::StudyCommandOptions study;
  CLI::App* study_command = app.add_subcommand(
      "study", "Compare formulas on one motion: error, order, energy, work; or validate a run");
  study_command->add_option("files", study.files, "model.adm, or script.acf, or both")
      ->required()
      ->expected(1, 2);
  study_command->add_option("--formulas", study.formulas, "A,B:RHO,C:SI2: which ones")->capture_default_str();
  auto* steps = study_command->add_option("--steps", study.steps, "fixed steps, 1e-2,1e-3,…")->delimiter(',');
  study_command->add_option("--errors", study.errors, "ERRORs, 1e-3,1e-4,…; steps as they come")
      ->delimiter(',')
      ->excludes(steps);
  study_command->add_option("--reference", study.reference,
                            "formula to hold them against; ESDIRK46:SI2 unless given");
  const auto above_zero = [](const std::string& text) {
    return std::atof(text.c_str()) > 0 ? std::string() : "a number above zero was expected, not " + text;
  };
  study_command->add_option("--end", study.end, "of the motion; the script's SIMULATE unless given")
      ->check(above_zero);
  study_command->add_option("--rows", study.rows, "at how many times they are compared")->check(above_zero);
  study_command->add_option("-o,--output", study.output, "file.csv or file.html");
  study_command->add_flag("--validate", study.validate,
                          "may this run be trusted? Tightens ERROR, HMAX, SI2 and gives a verdict");
  study_command->callback([&] { code = apps::study(study); });

  apps::SpectraOptions spectra;
  CLI::App* spectra_command = app.add_subcommand(
      "spectra",
      "Tell what formulas make of an undamped vibration: decay, period elongation, spectral radius");
  spectra_command
      ->add_option("formulas", spectra.formulas, "NAME or NAME:RHO of INTEGRATOR's formulas, several")
      ->required();
  spectra_command->add_option("-o,--output", spectra.output,
                              "page.html, file.svg or file.csv; a table on the terminal unless given");
  spectra_command->callback([&] { code = apps::spectra(spectra); });

  apps::StressOptions stress;
  CLI::App* stress_command = app.add_subcommand(
      "stress", "Tell where flexible bodies were stressed most: node, time, von Mises, largest component");
  stress_command->add_option("results", stress.results, "PREFIX.h5 or .csv of a run")->required();
  stress_command->add_option("--top", stress.top, "how many nodes")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  stress_command
      ->add_option("--nodes", stress.nodes, "the histories of these nodes instead, as a table over time")
      ->delimiter(',');
  stress_command->add_flag("--strain", stress.strain, "strains in place of stresses (needs E_MODE)");
  stress_command->add_option("--model", stress.model,
                             "model.adm, beside which the matrices are; the one in the results unless given");
  stress_command->add_option("-o,--output", stress.output, "file.csv; a table on the terminal unless given");
  stress_command->callback([&] { code = apps::stress(stress); });

  apps::FlexOptions flex;
  CLI::App* flex_command = app.add_subcommand(
      "flex", "Make a FLEX_BODY of a finite-element model, or tell whether its set of modes is good enough");
  flex_command->add_option(
      "file", flex.file,
      "part.inp (Abaqus or CalculiX deck; needs ccx), or part.fem (MBDyn, reduced already)");
  flex_command->add_option("--mass", flex.mass,
                           "mass matrix instead: .mtx (Matrix Market, Abaqus) or .op4 as text");
  flex_command->add_option("--stiffness", flex.stiffness, "stiffness matrix, alike");
  flex_command->add_option("--nodes", flex.nodes, "node list of these: lines 'number x y z'");
  flex_command->add_option(
      "--dofs", flex.dofs,
      "which row is which: lines 'node.direction', 1 to 6; three or six a node unless given");
  flex_command->add_option("--mass-name", flex.mass_name, "of the matrix in an .op4; the first unless given");
  flex_command->add_option("--stiffness-name", flex.stiffness_name, "alike");
  flex_command->add_option("--interface", flex.interfaces,
                           "nodes, or node sets, where the body is joined: 12,34,HOLES");
  flex_command->add_option(
      "--rbe2", flex.rigid,
      "SET or 11+12+13: a group made rigid, with a new node in its middle; SET@900 names the node");
  flex_command->add_option("--rbe3", flex.average,
                           "the same, not stiffened: the new node follows the group's mean motion");
  flex_command->add_option("--modes", flex.modes, "fixed-interface modes to keep")
      ->capture_default_str()
      ->check(CLI::Range(0, 5000));
  flex_command->add_option("--to", flex.up_to, "keep all up to this frequency in Hz, however many")
      ->check(CLI::PositiveNumber)
      ->excludes("--modes");
  flex_command
      ->add_option("--band", flex.band,
                   "highest frequency of the motion to come, in Hz; the verdict is about it")
      ->check(CLI::PositiveNumber);
  flex_command->add_flag("--lumped", flex.lumped,
                         "invariants from nodal masses instead of the consistent mass matrix");
  flex_command->add_flag("--stress", flex.stress,
                         "stress of each node by each mode, too (of a deck, by ccx)");
  flex_command->add_flag("--strain", flex.strain, "strain of each node by each mode, too; with --stress");
  flex_command->add_option("--loads", flex.loads,
                           "load cases for MFORCE: lines 'case node fx fy fz', and 'tx ty tz' behind them");
  flex_command->add_option("--markers", flex.markers,
                           "further nodes that markers may stand on: numbers, or ALL");
  flex_command->add_option("--deck-units", flex.deck_units, "mass, length and force of the deck: tonne,mm,N");
  flex_command->add_option("--units", flex.units, "those of the model it goes into: kg,mm,N");
  flex_command->add_option("--id", flex.id, "of FLEX_BODY and its MATRIX")
      ->capture_default_str()
      ->check(CLI::Range(1, 999999));
  flex_command->add_option("-o,--output", flex.output, "stem of the files; that of the deck unless given");
  flex_command->add_option("--ccx", flex.calculix, "CalculiX' program")->capture_default_str();
  flex_command->add_option("--keep", flex.keep, "folder to leave CalculiX' files in");
  flex_command->add_option("--check", flex.check,
                           "NAME.flex.h5: is its set of modes good enough? Makes nothing");
  flex_command->callback([&] { code = apps::flex_body(flex); });

  std::string topic;
  bool markdown = false;
  CLI::App* help_command =
      app.add_subcommand("help", "Explain a statement, command or function of the language");
  help_command->add_option("topic", topic, "JOINT, SIMULATE, STEP, …; nothing lists them all");
  help_command->add_flag("--markdown", markdown, "the whole manual of the language as Markdown");
  help_command->callback([&] { code = apps::help(topic, markdown); });

  try {
    // trunnion FILE means trunnion run FILE.
    std::vector<std::string> arguments(argv + 1, argv + argc);
    const auto is_file = [](const std::string& a) { return a.ends_with(".adm") || a.ends_with(".acf"); };
    if (!arguments.empty() && is_file(arguments.front())) arguments.insert(arguments.begin(), "run");
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 takes them
    app.parse(arguments);
  } catch (const CLI::ParseError& e) {
    const int result = app.exit(e);
    if (result != 0) suggest_options(app);
    return result == 0 ? apps::kOk : apps::kErrors;
  }
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_program(argc, argv);
  } catch (const std::bad_alloc&) {
    std::string words;
    for (int k = 1; k < argc; ++k) words += std::string(" ") + argv[k];
    apps::print(stderr, "trunnion: there is not enough memory for:" + words + "\n");
    return apps::kErrors;
  } catch (const std::exception& e) {
    apps::print(stderr, std::string("trunnion: internal error: ") + e.what() + "\n");
    return apps::kErrors;
  }
}
