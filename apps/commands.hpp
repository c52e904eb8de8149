#pragma once
// The commands of the program. Each returns its exit code.

#include <string>
#include <vector>

namespace trunnion::apps {

// kErrors: of the model, the script or the files, told alike by check and run; kFailed: the model is fine, an analysis failed; kIncomplete: it asks for one that this version does not have;
// kInterrupted: by the user.
enum ExitCode {
  kOk = 0,
  kWarnings = 1,
  kDifferent = 1,
  kErrors = 2,
  kFailed = 3,
  kIncomplete = 4,
  kInterrupted = 5,
  kLeftOut = 6  // run --strict: done, but the model has statements that this version does not simulate
};

struct CheckOptions {
  std::vector<std::string> files;
  bool json = false;
  bool strict = false;  // warnings count
  bool all = false;     // every redundant equation in a line of its own
  std::vector<std::string> user_libraries;
  bool ignore_user = false, allow_model_code = false;
};
int check(const CheckOptions& options);

struct FormatOptions {
  std::string file;
  std::string output;  // empty: standard output
  bool in_place = false;
};
int format(const FormatOptions& options);

int help(const std::string& topic, bool markdown);

struct FormulasOptions {
  std::string name;  // NAME or NAME:RHO; empty: all
  bool json = false;
};
int formulas(const FormulasOptions& options);

struct StudyCommandOptions {
  std::vector<std::string> files;
  std::string formulas = "GSTIFF,HHT,GALPHA";
  std::string reference;
  std::vector<double> steps, errors;
  std::string output;  // .csv or .html; empty: a table on the terminal
  double end = 0;
  int rows = 0;
  bool validate = false;
};
int study(const StudyCommandOptions& options);

struct RunCommandOptions {
  std::vector<std::string> files;
  std::string folder, prefix, csv;
  std::string integrator;  // settings on top of the model's and the script's
  std::string channels;    // patterns
  std::string kinds;       // of files: "h5,csv,res,req,gra"; empty: store, CSV and what the model asks for
  bool no_csv = false, no_store = false;
  bool report = false;
  bool strict = false;   // statements that are not simulated, and warnings, count
  bool verbose = false;  // every redundant equation in a line of its own
  std::vector<std::string> user_libraries;
  bool ignore_user = false, allow_model_code = false, allow_outside = false;
  bool view = false;  // open the page of the results at the end
};
int run(const RunCommandOptions& options);

struct InfoOptions {
  std::string file;
  bool channels = false;  // list them all
};
int info(const InfoOptions& options);

struct PlotOptions {
  std::string file, output;
  std::vector<std::string> channels;
  bool wrapped = false;  // angles with their jumps by a full turn
};
int plot(const PlotOptions& options);

struct CompareOptions {
  std::string a, b;
  double tolerance = 1e-6;  // of the channel's scale
  bool all = false;
  std::string
      model;  // leads from a .res to the store's names; empty: the one in a store, or PREFIX.adm beside a .res
};
int compare(const CompareOptions& options);

struct SpectraOptions {
  std::vector<std::string> formulas;  // NAME, NAME:RHO, …
  std::string output;                 // .html, .svg or .csv; empty: a table on the terminal
};
int spectra(const SpectraOptions& options);

struct StressOptions {
  std::string results;
  int top = 10;
  std::string model;       // of results that have none inside, or whose matrices lie beside it
  std::string output;      // .csv; empty: a table on the terminal
  std::vector<int> nodes;  // whose histories are wanted; none: the hottest
  bool strain = false;     // in place of stresses
};
int stress(const StressOptions& options);

struct FlexOptions {
  std::string file;                                     // .inp or .fem; empty: matrices
  std::string mass, stiffness, nodes, dofs;             // .mtx, .op4; node list; rows
  std::string mass_name, stiffness_name;                // of matrices in an .op4
  std::vector<std::string> interfaces, rigid, average;  // nodes or sets, separated by commas
  int modes = 20;
  double up_to = 0, band = 0;  // Hz
  bool lumped = false, stress = false, strain = false;
  std::vector<std::string> markers;
  std::string loads;  // load cases
  std::string deck_units, units;
  int id = 1;
  std::string output, check;
  std::string calculix = "ccx", keep;
};
int flex_body(const FlexOptions& options);

struct ViewOptions {
  std::string file, overlay, output, channels;
  std::string model;  // of results that have none inside; empty: PREFIX.adm beside them
  bool open = false;
  bool allow_outside = false;  // shapes from elsewhere than the model's folder
  int frames = 4000;           // at most; more rows are thinned
};
int view(const ViewOptions& options);

}  // namespace trunnion::apps
