#include "model/define.hpp"
#include "model/schema/chapters.hpp"

namespace trunnion::model {

Schema graphics_schema();  // schema/graphics.cpp

namespace {

std::vector<Spelling<Quantity>> quantities() {
  return {{"DISPLACEMENT", "D", Quantity::displacement, "x, y, z and the angles of I seen from J"},
          {"VELOCITY", "V", Quantity::velocity, "velocity of I minus that of J"},
          {"ACCELERATION", "A", Quantity::acceleration, "acceleration of I minus that of J"},
          {"FORCE", "F", Quantity::force, "force and torque on I by elements between I and J"}};
}

Schema request() {
  return Define<Request>("REQUEST", "R", "Up to eight numbers written at every output step.")
      .acted_on()
      .group("Output")
      .choice<&Request::quantity>("quantity", "a standard set of components of I relative to J", quantities())
      .arg<&Request::i>("I", "I", "marker measured")
      .arg<&Request::j>("J", "J", "marker it is measured from")
      .default_help("the global origin")
      .arg<&Request::rm>("RM", "", "marker along whose axes components are taken")
      .default_help("global axes")
      .arg<&Request::f1>("F1", "", "first component")
      .default_help("magnitude of F2, F3, F4")
      .arg<&Request::f2>("F2", "", "second component")
      .default_help("0")
      .arg<&Request::f3>("F3", "", "third component")
      .default_help("0")
      .arg<&Request::f4>("F4", "", "fourth component")
      .default_help("0")
      .arg<&Request::f5>("F5", "", "fifth component")
      .default_help("magnitude of F6, F7, F8")
      .arg<&Request::f6>("F6", "", "sixth component")
      .default_help("0")
      .arg<&Request::f7>("F7", "", "seventh component")
      .default_help("0")
      .arg<&Request::f8>("F8", "", "eighth component")
      .default_help("0")
      .arg<&Request::function>("FUNCTION", "FU", "USER(...): all eight components from a subroutine")
      .arg<&Request::routine>("ROUTINE", "", "library::name of the user subroutine")
      .default_help("REQSUB")
      .arg<&Request::variables>("VARIABLES", "", "variables whose values are the components")
      .arg<&Request::comment>("COMMENT", "C", "text for the output files")
      .alias("COMMENTS")
      .arg<&Request::title>("TITLE", "T", "column headings c1:c2:...:c8")
      .arg<&Request::cnames>("CNAMES", "", "names of the components; an empty name drops one")
      .arg<&Request::cunits>(
          "CUNITS", "",
          "dimensions or units of the functions: \"length\", \"angle\", \"no_units\"; they label the columns")
      .arg<&Request::clabels>(
          "CLABELS", "", "plot labels of the components; not used, plots are labelled by CNAMES and CUNITS")
      .arg<&Request::results_name>("RESULTS_NAME", "", "name of the result set in the results file")
      .default_help("the name of the request")
      .at_least_one({"DISPLACEMENT", "VELOCITY", "ACCELERATION", "FORCE", "F1", "F2", "F3", "F4", "F5", "F6",
                     "F7", "F8", "FUNCTION", "VARIABLES"})
      .at_most_one({"DISPLACEMENT", "VELOCITY", "ACCELERATION", "FORCE", "FUNCTION", "VARIABLES"})
      .needs({"DISPLACEMENT", "I"})
      .needs({"VELOCITY", "I"})
      .needs({"ACCELERATION", "I"})
      .needs({"FORCE", "I"});
}

Schema mrequest() {
  return Define<Mrequest>("MREQUEST", "MR", "One request for each of many parts, joints or forces.")
      .acted_on()
      .group("Output")
      .dataset_only()
      .choice<&Mrequest::quantity>("quantity", "what is written", quantities())
      .required()
      .arg<&Mrequest::parts>("PARTS", "", "ids of parts, or ALL: CM marker against ground")
      .arg<&Mrequest::joints>("JOINTS", "", "ids of joints, or ALL: marker I against J")
      .arg<&Mrequest::jprims>("JPRIMS", "", "ids of joint primitives, or ALL: marker I against J")
      .arg<&Mrequest::appfors>("APPFORS", "", "ids of applied forces of any type, or ALL")
      .arg<&Mrequest::rm>("RM", "", "marker along whose axes components are taken")
      .default_help("global axes")
      .arg<&Mrequest::comment>("COMMENT", "C", "text for the output files")
      .exactly_one({"PARTS", "JOINTS", "JPRIMS", "APPFORS"});
}

Schema results() {
  return Define<Results>("RESULTS", "RES", "Asks for the results file and says what to leave out.")
      .group("Output")
      .no_id()
      .acted_on()
      .dataset_only()
      .arg<&Results::formatted>("FORMATTED", "FORM", "plain text instead of binary")
      .unused("XRF decides whether a .res is written; the .csv is plain text")
      .arg<&Results::xrf>("XRF", "", "XML results file; wins over FORMATTED")
      .arg<&Results::decimalplaces>("DECIMALPLACES", "", "digits after the decimal point, with XRF")
      .range({1})
      .defaults({17})
      .arg<&Results::comment>("COMMENT", "COM", "title of the results file")
      .arg<&Results::noaccelerations>("NOACCELERATIONS", "NOACC", "leave out accelerations of parts")
      .arg<&Results::noappliedforces>("NOAPPLIEDFORCES", "NOAPP", "leave out applied forces")
      .arg<&Results::nocontacts>("NOCONTACTS", "NOCON", "leave out contacts")
      .arg<&Results::nodatastructures>("NODATASTRUCTURES", "NODAT",
                                       "leave out arrays, splines and other data")
      .arg<&Results::nodisplacements>("NODISPLACEMENTS", "NODIS", "leave out positions of parts")
      .arg<&Results::nofeparts>("NOFEPARTS", "NOFEP", "leave out FE_PARTs")
      .arg<&Results::noflexbodies>("NOFLEXBODIES", "NOFLE", "leave out flexible bodies")
      .arg<&Results::nofloatingmarkers>("NOFLOATINGMARKERS", "NOFLO", "leave out floating markers")
      .arg<&Results::nolinear>("NOLINEAR", "NOLIN", "leave out eigenvalues and modes")
      .arg<&Results::noreactionforces>("NOREACTIONFORCES", "NOREA",
                                       "leave out reactions of joints and motions")
      .arg<&Results::norequests>("NOREQUESTS", "NOREQ", "leave out requests")
      .arg<&Results::nosystemelements>("NOSYSTEMELEMENTS", "NOSYS",
                                       "leave out variables, DIFFs and state equations")
      .arg<&Results::notires>("NOTIRES", "NOTIR", "leave out tires")
      .arg<&Results::novelocities>("NOVELOCITIES", "NOVEL", "leave out velocities of parts");
}

// What is said of settings of files that are not written.
constexpr std::string_view kNoTables = "no tables (.out) are written; histories are in the .h5 and the .csv";
constexpr std::string_view kNoSuchFile = "no such file is written; histories are in the .h5 and the .csv";

Schema output() {
  using S = Switch;
  using F = Output::Format;
  const std::vector<Spelling<F>> formats = {
      {"ABAQUS", "", F::abaqus},   {"ANSYS", "", F::ansys},     {"CSV", "", F::csv},     {"DAC", "", F::dac},
      {"GENERIC", "", F::generic}, {"NASTRAN", "", F::nastran}, {"PUNCH", "", F::punch}, {"RPC", "", F::rpc}};
  return Define<Output>("OUTPUT", "OUT", "Which output files are written, and how.")
      .group("Output")
      .no_id()
      .acted_on()
      .choice<&Output::reqsave>("request file", "whether the request file (.req) is written",
                                {{"REQSAVE", "REQ", S::on}, {"NOREQSAVE", "", S::off}})
      .defaults(S::off)
      .choice<&Output::grsave>("graphics file", "whether the graphics file (.gra) is written",
                               {{"GRSAVE", "GRS", S::on}, {"NOGRSAVE", "", S::off}})
      .defaults(S::off)
      .choice<&Output::gr521sav>("old graphics file", "whether the graphics file of release 5.2.1 is written",
                                 {{"GR521SAV", "", S::on}, {"NOGR521SAV", "", S::off}})
      .defaults(S::off)
      .unused(kNoSuchFile)
      .choice<&Output::dacsave>("DAC files", "whether requests are also written in DAC format",
                                {{"DACSAVE", "", S::on}, {"NODACSAVE", "", S::off}})
      .defaults(S::off)
      .unused(kNoSuchFile)
      .choice<&Output::rpcsave>("RPC files", "whether requests are also written in RPC III format",
                                {{"RPCSAVE", "", S::on}, {"NORPCSAVE", "", S::off}})
      .defaults(S::off)
      .unused(kNoSuchFile)
      .choice<&Output::matsave>("MAT files", "whether requests are also written in MATLAB format",
                                {{"MATSAVE", "", S::on}, {"NOMATSAVE", "", S::off}})
      .defaults(S::off)
      .unused(kNoSuchFile)
      .choice<&Output::print>("tables", "whether the tabular file (.out) is written",
                              {{"PRINT", "", S::on}, {"NOPRINT", "NOP", S::off}})
      .defaults(S::on)
      .choice<&Output::separator>("separators",
                                  "whether blocks of later analyses are set apart in .req and .gra",
                                  {{"SEPARATOR", "", S::on}, {"NOSEPARATOR", "NOS", S::off}})
      .defaults(S::on)
      .choice<&Output::osformat>("portable files", "whether .req and .gra are text that any system can read",
                                 {{"OSFORMAT", "OS", S::on}, {"NOOSFORMAT", "", S::off}})
      .defaults(S::off)
      .choice<&Output::ypr>("angles", "yaw, pitch, roll in requests instead of psi, theta, phi",
                            {{"YPR", "", S::on}, {"NOYPR", "", S::off}})
      .defaults(S::off)
      .choice<&Output::teletype>("width", "80-column tables",
                                 {{"TELETYPE", "TE", S::on}, {"NOTELETYPE", "", S::off}})
      .defaults(S::off)
      .unused(kNoTables)
      .choice<&Output::fixed>("notation", "fixed-point numbers in tables instead of scientific ones",
                              {{"FIXED", "FI", S::on}, {"NOFIXED", "", S::off}})
      .defaults(S::off)
      .unused(kNoTables)
      .choice<&Output::chart>("charts", "charts of the requests printed into .out",
                              {{"CHART", "", S::on}, {"NOCHART", "", S::off}})
      .defaults(S::off)
      .unused(kNoTables)
      .choice<&Output::plot>("plots", "plots of the requests printed into .out",
                             {{"PLOT", "", S::on}, {"NOPLOT", "", S::off}})
      .defaults(S::off)
      .unused(kNoTables)
      .arg<&Output::dscale>("DSCALE", "DS", "factors on displacements in tables: translation, rotation")
      .count(1, 2)
      .defaults({1, 1})
      .unused(kNoTables)
      .arg<&Output::vscale>("VSCALE", "VS", "factors on velocities in tables: translation, rotation")
      .count(1, 2)
      .defaults({1, 1})
      .unused(kNoTables)
      .arg<&Output::ascale>("ASCALE", "AS", "factors on accelerations in tables: translation, rotation")
      .count(1, 2)
      .defaults({1, 1})
      .unused(kNoTables)
      .arg<&Output::fscale>("FSCALE", "FS", "factors in tables: forces, torques")
      .count(1, 2)
      .defaults({1, 1})
      .unused(kNoTables)
      .arg<&Output::dzero>("DZERO", "", "smaller displacements are printed as 0")
      .range(kPositive)
      .default_help("1e-7, with FIXED 1e-3")
      .unused(kNoTables)
      .arg<&Output::vzero>("VZERO", "", "smaller velocities are printed as 0")
      .range(kPositive)
      .default_help("1e-7, with FIXED 1e-3")
      .unused(kNoTables)
      .arg<&Output::azero>("AZERO", "", "smaller accelerations are printed as 0")
      .range(kPositive)
      .default_help("1e-7, with FIXED 1e-3")
      .unused(kNoTables)
      .arg<&Output::fzero>("FZERO", "", "smaller forces are printed as 0")
      .range(kPositive)
      .default_help("1e-7, with FIXED 1e-3")
      .unused(kNoTables)
      .word<&Output::loads>("LOADS", "", "format of load files for finite-element programs", formats)
      .unused(kNoSuchFile)
      .word<&Output::modal_deformation>("MODAL_DEFORMATION", "", "format of modal coordinate files", formats)
      .unused(kNoSuchFile)
      .word<&Output::nodal_deformation>("NODAL_DEFORMATION", "", "format of nodal deformation files", formats)
      .unused(kNoSuchFile)
      .word<&Output::strain>("STRAIN", "", "format of strain files", formats)
      .unused(kNoSuchFile)
      .word<&Output::stress>("STRESS", "", "format of stress files", formats)
      .unused(kNoSuchFile);
}

}  // namespace

std::vector<Schema> output_schemas() {
  return {graphics_schema(), request(), mrequest(), results(), output()};
}

}  // namespace trunnion::model
