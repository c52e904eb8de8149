#include "model/define.hpp"
#include "model/schema/chapters.hpp"
#include "model/schema/element.hpp"

namespace trunnion::model {

namespace {

Schema simulate() {
  using T = Simulate::Type;
  using L = Simulate::Level;
  return Define<Simulate>("SIMULATE", "SIM", "Runs an analysis from the present time and state.")
      .group("Commands")
      .no_id()
      .command_only()
      .choice<&Simulate::type>(
          "type", "kind of analysis",
          {{"DYNAMICS", "DYN", T::dynamics, "integrate the equations of motion"},
           {"KINEMATICS", "KIN", T::kinematics, "solve the positions of a model without freedoms"},
           {"TRANSIENT", "TRAN", T::transient, "KINEMATICS without freedoms, else DYNAMICS"},
           {"STATICS", "STAT", T::statics, "equilibrium now, or at every step up to END"},
           {"EQUILIBRIUM", "EQU", T::statics, "as STATICS"},
           {"INITIAL_CONDITIONS", "INI", T::initial_conditions, "only assemble the model"},
           {"IC", "", T::initial_conditions, "as INITIAL_CONDITIONS"},
           {"SETTLE", "", T::settle, "let the model come to rest"}})
      .defaults(T::transient)
      .choice<&Simulate::level>("level", "how far INITIAL_CONDITIONS goes",
                                {{"DISPLACEMENT", "", L::displacement, "positions only"},
                                 {"VELOCITY", "", L::velocity, "positions and velocities"},
                                 {"ACCELERATION", "", L::acceleration, "accelerations and reactions too"}})
      .defaults(L::acceleration)
      .arg<&Simulate::end>("END", "E", "time at which the simulation ends")
      .unit("time")
      .arg<&Simulate::duration>("DURATION", "DUR", "length of the simulation from the present time")
      .unit("time")
      .range(kPositive)
      .arg<&Simulate::steps>("STEPS", "ST", "number of output steps")
      .range({1})
      .arg<&Simulate::dtout>("DTOUT", "DT", "output step; the last one may be shorter")
      .unit("time")
      .range(kPositive)
      .at_most_one({"END", "DURATION"})
      .at_most_one({"STEPS", "DTOUT"})
      .needs({"DYNAMICS", "END", "DURATION"})
      .needs({"KINEMATICS", "END", "DURATION"})
      .needs({"TRANSIENT", "END", "DURATION"})
      .needs({"DISPLACEMENT", "INITIAL_CONDITIONS"})
      .needs({"VELOCITY", "INITIAL_CONDITIONS"})
      .needs({"ACCELERATION", "INITIAL_CONDITIONS"});
}

Schema linear() {
  using T = Linear::Type;
  using F = Linear::Format;
  return Define<Linear>("LINEAR", "LIN", "Linearizes the model at the present state.")
      .group("Commands")
      .no_id()
      .command_only()
      .choice<&Linear::type>("type", "what is computed",
                             {{"EIGENSOL", "EIG", T::eigensol, "eigenvalues and mode shapes"},
                              {"EIGENSOLUTION", "", T::eigensol, "as EIGENSOL"},
                              {"STATEMAT", "STA", T::statemat, "state matrices A, B, C, D"},
                              {"MKB", "", T::mkb, "mass, stiffness and damping matrices"},
                              {"NASTRAN_EXPORT", "", T::nastran, "an equivalent Nastran deck"},
                              {"EXPORT", "", T::nastran, "as NASTRAN_EXPORT"}})
      .required()
      .arg<&Linear::novector>("NOVECTOR", "", "eigenvalues without mode shapes")
      .arg<&Linear::nodampin>("NODAMPIN", "NODAMP",
                              "leave out forces that depend on velocities; those of inertia stay")
      .alias("NODAMPING")
      .arg<&Linear::original>("ORIGINAL", "", "reduce the equations by the older method")
      .arg<&Linear::coords>(
          "COORDS", "", "first and last mode whose shape is written; of a large model, how many are found")
      .count(1, 2)
      .range({1})
      .default_help("all")
      .arg<&Linear::kinetic>("KINETIC", "", "table of kinetic energy by mode")
      .arg<&Linear::strain>("STRAIN", "", "table of strain energy by mode")
      .arg<&Linear::dissipative>("DISSIPATIVE", "", "table of dissipated energy by mode")
      .arg<&Linear::rm>("RM", "", "marker relative to which states are taken, for rotating systems")
      .default_help("global axes")
      .arg<&Linear::pstate>("PSTATE", "", "variables to use as states")
      .arg<&Linear::pinput>("PINPUT", "", "inputs of the state matrices")
      .arg<&Linear::poutput>("POUTPUT", "", "outputs of the state matrices")
      .arg<&Linear::file>("FILE", "FIL", "base name of the files, in the folder of the results")
      .default_help("the name of the results, for EIGENSOL")
      .word<&Linear::format>("FORMAT", "", "format of the matrix files",
                             {{"MATRIXX", "", F::matrixx, "not written: its format is not public"},
                              {"MATLAB", "", F::matlab, "also one text file for each matrix"}})
      .default_help("a .m file and Matrix Market files")
      .arg<&Linear::export_type>("TYPE", "", "kind of Nastran deck")
      .at_most_one({"RM", "PSTATE"})
      .needs({"STATEMAT", "FILE"})
      .needs({"MKB", "FILE"});
}

template <class S>
Schema selection(std::string_view keyword, std::string_view minimum, std::string_view help) {
  return Define<S>(keyword, minimum, help)
      .group("Commands")
      .no_id()
      .command_only()
      .template choice<&Selection::element>("element type", "which elements",
                                            {{"PART", "P", element<Part>()},
                                             {"POINT_MASS", "POI", element<PointMass>()},
                                             {"FLEX_BODY", "", element<FlexBody>()},
                                             {"FE_PART", "", element<FePart>()},
                                             {"FE_NODE", "", element<FeNode>()},
                                             {"FE_LOAD", "", element<FeLoad>()},
                                             {"MARKER", "M", element<Marker>()},
                                             {"MATERIAL", "", element<Material>()},
                                             {"SECTION", "", element<Section>()},
                                             {"JOINT", "J", element<Joint>()},
                                             {"JPRIM", "JP", element<Jprim>()},
                                             {"MOTION", "", element<Motion>()},
                                             {"COUPLER", "", element<Coupler>()},
                                             {"GEAR", "", element<Gear>()},
                                             {"GCON", "", element<Gcon>()},
                                             {"UCON", "", element<Ucon>()},
                                             {"PTCV", "", element<Ptcv>()},
                                             {"CVCV", "", element<Cvcv>()},
                                             {"CURVE", "", element<Curve>()},
                                             {"SURFACE", "", element<Surface>()},
                                             {"SFORCE", "SF", element<Sforce>()},
                                             {"VFORCE", "VF", element<Vforce>()},
                                             {"VTORQUE", "VT", element<Vtorque>()},
                                             {"GFORCE", "GF", element<Gforce>()},
                                             {"NFORCE", "", element<Nforce>()},
                                             {"MFORCE", "", element<Mforce>()},
                                             {"SPRINGDAMPER", "SPR", element<SpringDamper>()},
                                             {"BUSHING", "", element<Bushing>()},
                                             {"FIELD", "", element<Field>()},
                                             {"BEAM", "BE", element<Beam>()},
                                             {"FRICTION", "", element<Friction>()},
                                             {"CONTACT", "", element<Contact>()},
                                             {"TIRE", "", element<Tire>()},
                                             {"CLEARANCE", "", element<Clearance>()},
                                             {"VARIABLE", "VAR", element<Variable>()},
                                             {"DIFF", "", element<Diff>()},
                                             {"ARRAY", "AR", element<Array>()},
                                             {"MATRIX", "", element<Matrix>()},
                                             {"SPLINE", "", element<Spline>()},
                                             {"STRING", "", element<String>()},
                                             {"LSE", "", element<Lse>()},
                                             {"GSE", "", element<Gse>()},
                                             {"TFSISO", "", element<Tfsiso>()},
                                             {"PINPUT", "", element<Pinput>()},
                                             {"POUTPUT", "", element<Poutput>()},
                                             {"PSTATE", "", element<Pstate>()},
                                             {"GRAPHICS", "", element<Graphics>()},
                                             {"REQUEST", "R", element<Request>()},
                                             {"MREQUEST", "MR", element<Mrequest>()},
                                             {"SENSOR", "", element<Sensor>()}})
      .required()
      .template arg<&Selection::ids>("ID", "", "ids of the elements")
      .template arg<&Selection::range>("RANGE", "", "first and last id; gaps are allowed")
      .count(2)
      .exactly_one({"ID", "RANGE"});
}

Schema file() {
  return Define<File>("FILE", "FIL", "Reads a model, or runs the commands of a file.")
      .group("Commands")
      .no_id()
      .command_only()
      .arg<&File::model>("MODEL", "MOD", "model file; .adm is added where there is no extension")
      .arg<&File::command>("COMMAND", "COM", "command file; .acf is added where there is no extension")
      .arg<&File::output_prefix>("OUTPUT_PREFIX", "OUT", "base name of the output files")
      .default_help("that of MODEL")
      .exactly_one({"MODEL", "COMMAND"});
}

std::vector<Spelling<Saved>> saved() {
  return {{"SYSTEM", "SYS", Saved::system, "model, time, states and settings, in FILE"},
          {"STATES", "STA", Saved::states, "time and states of the present model"}};
}

Schema save() {
  return Define<Save>("SAVE", "", "Keeps the model or the states, for RELOAD.")
      .group("Commands")
      .no_id()
      .command_only()
      .choice<&Save::content>("content", "what is kept", saved())
      .required()
      .arg<&Save::file>("FILE", "FIL", "file written")
      .arg<&Save::buffer>("BUFFER", "", "name of a place in memory, for this session")
      .arg<&Save::title>("TITLE", "", "title kept with it")
      .needs({"SYSTEM", "FILE"})
      .needs({"STATES", "BUFFER", "FILE"});
}

Schema reload() {
  return Define<Reload>("RELOAD", "REL", "Brings back what SAVE kept.")
      .group("Commands")
      .no_id()
      .command_only()
      .choice<&Reload::content>("content", "what is brought back", saved())
      .required()
      .arg<&Reload::file>("FILE", "FIL", "file written by SAVE")
      .arg<&Reload::buffer>("BUFFER", "", "place in memory filled by SAVE")
      .arg<&Reload::output_prefix>("OUTPUT_PREFIX", "OUT", "new base name of the output files")
      .default_help("go on in the present files")
      .arg<&Reload::title>("TITLE", "", "new title of the model")
      .needs({"SYSTEM", "FILE"})
      .needs({"STATES", "BUFFER", "FILE"});
}

Schema info() {
  return Define<Info>("INFO", "", "Prints one measurement at the present state.")
      .group("Commands")
      .no_id()
      .command_only()
      .choice<&Info::quantity>(
          "quantity", "what is measured",
          {{"DISPLACEMENT", "D", Quantity::displacement, "position and angles of I seen from J"},
           {"VELOCITY", "V", Quantity::velocity, "velocity of I minus that of J"},
           {"ACCELERATION", "A", Quantity::acceleration, "acceleration of I minus that of J"},
           {"FORCE", "F", Quantity::force,
            "force at I from elements between I and J; without J from all at I"}})
      .required()
      .arg<&Info::i>("I", "I", "marker measured")
      .required()
      .arg<&Info::j>("J", "J", "marker it is measured from")
      .default_help("the global origin")
      .arg<&Info::rm>("RM", "", "marker along whose axes components are taken")
      .default_help("global axes");
}

Schema show() {
  using S = Show::Status;
  return Define<Show>("SHOW", "SHO", "Prints the status of the solver and the model.")
      .group("Commands")
      .no_id()
      .command_only()
      .word<&Show::status>("STATUS", "STAT", "what the status is about",
                           {{"SIMULATION", "SIM", S::simulation, "time, steps and iterations so far"},
                            {"MODEL", "", S::model, "number of elements of each type"}})
      .defaults(S::simulation)
      .arg<&Show::dof>("DOF", "", "degrees of freedom")
      .arg<&Show::version>("VERSION", "", "version of the solver")
      .arg<&Show::files>("FILES", "", "files in use");
}

Schema time() {
  return Define<Time>("TIME", "", "Prints the present time of the model and of the computer.")
      .group("Commands")
      .no_id()
      .command_only();
}

Schema control() {
  return Define<Control>("CONTROL", "", "Hands the session to a user subroutine.")
      .group("Commands")
      .no_id()
      .command_only()
      .arg<&Control::function>("FUNCTION", "FU", "USER(...) with the constants passed to the subroutine")
      .arg<&Control::routine>("ROUTINE", "", "library::name of the user subroutine")
      .default_help("CONSUB");
}

Schema help() {
  return Define<Help>("HELP", "", "Prints help on a statement or command.")
      .group("Commands")
      .no_id()
      .command_only()
      .arg<&Help::topic>("TOPIC", "", "name of the statement or command")
      .default_help("a list of all");
}

Schema stop() {
  return Define<Stop>("STOP", "", "Ends the session.").group("Commands").no_id().command_only();
}

}  // namespace

std::vector<Schema> command_schemas() {
  return {simulate(),
          linear(),
          selection<Activate>("ACTIVATE", "", "Switches elements on again, from the next SIMULATE."),
          selection<Deactivate>("DEACTIVATE", "", "Switches elements off, from the next SIMULATE."),
          file(),
          save(),
          reload(),
          info(),
          show(),
          time(),
          control(),
          help(),
          stop()};
}

}  // namespace trunnion::model
