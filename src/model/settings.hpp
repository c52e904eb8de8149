#pragma once
// Statements that set units, numerical methods and their tolerances, and events.

#include "model/statement.hpp"
#include "model/values.hpp"

namespace trunnion::model {

// force * UCF = mass * length / time²
struct Units : Statement {
  // clang-format off
  enum class Force {
    newton, dyne, kilogram_force, knewton, pound_force, kpound_force, ounce_force, poundal,
    centinewton, meganewton, micronewton, millinewton, nanonewton
  };
  enum class Mass {
    kilogram, gram, pound_mass, kpound_mass, ounce_mass, slug, slinch, tonne, us_ton,
    milligram, microgram, nanogram
  };
  enum class Length {
    meter, millimeter, centimeter, kilometer, inch, foot, yard, mile, mils,
    microinch, micrometer, nanometer, angstrom
  };
  // clang-format on
  enum class Time { second, millisecond, microsecond, nanosecond, minute, hour, day };
  enum class System { cgs, fps, ips, mks, none };
  Choice<Force> force;
  Choice<Mass> mass;
  Choice<Length> length;
  Choice<Time> time;
  Choice<System> system;
  std::optional<double> ucf;
};

struct Integrator : Statement {
  enum class Method : int {};  // a row of the catalogue (formulas/catalogue.hpp)
  enum class Predictor { usual, constant, cubic, quintic };
  enum class Formulation { i3, si2, si1 };
  enum class Corrector { original, modified, orig_constant };
  enum class Order { fourth, third, trapezoidal };
  Choice<Method> method;
  Choice<Formulation> formulation;
  bool defaults = false;  // DEFAULT: back to the standard values first
  std::optional<double> error;
  std::optional<double> hinit, hmax, hmin;  // time
  std::optional<int> kmax;
  Choice<Order> order;  // TLISMNI
  std::optional<int> maxit;
  ChoiceList<Switch> pattern;
  Choice<Switch> interpolate;
  Choice<Corrector> corrector;
  std::optional<double> adaptivity;   // time
  std::optional<double> alpha;        // HHT
  std::optional<double> beta, gamma;  // NEWMARK
  std::optional<double> rho;          // spectral radius at infinity
  std::optional<double> rho_states;   // HHT, NEWMARK, GALPHA, WBZ: of first-order states
  std::optional<double> h;            // time: a fixed step
  Choice<Predictor> predictor;
  Choice<Switch> augmented;
  std::optional<int> fixit;
  std::optional<int> hratio;     // CONSTANT_BDF
  std::optional<double> maxerr;  // CONSTANT_BDF
  std::vector<double> scale;
};

struct Equilibrium : Statement {
  enum class Type { statics, dynamic };
  enum class Method { original, advanced, aggressive, all };
  Choice<Type> type;
  Choice<Method> method;
  bool defaults = false;
  std::optional<double> alimit;  // angle
  std::optional<double> tlimit;  // length
  std::optional<double> error;
  std::optional<double> imbalance;  // force
  std::optional<int> maxit;
  ChoiceList<Switch> pattern;
  std::optional<double> stability;
  std::optional<double> atol, rtol;
  std::optional<int> maxitl;
  std::optional<double> eta, etamax;
  std::optional<double> acceleration_error;    // DYNAMIC, length/time²
  std::optional<double> kinetic_energy_error;  // DYNAMIC, force*length
  std::optional<double> global_damping;        // DYNAMIC, 1/time
  std::optional<double> settling_time;         // DYNAMIC, time
  bool leave_unstable = false;
};

// The statement IC.
struct InitialConditions : Statement {
  bool defaults = false;
  std::optional<double> error;  // length, angle
  std::optional<int> maxit;
  ChoiceList<Switch> pattern;
  std::optional<double> tlimit;  // length
  std::optional<double> alimit;  // angle
  std::optional<double> verror;  // length/time
  std::optional<double> aerror;  // length/time²
  std::optional<int> amaxit;
  ChoiceList<Switch> apattern;
};

struct Kinematics : Statement {
  bool defaults = false;
  std::optional<double> error;  // length, angle
  std::optional<int> maxit;
  ChoiceList<Switch> pattern;
  std::optional<double> tlimit;  // length
  std::optional<double> alimit;  // angle
  std::optional<double> hmax;    // time
  std::optional<double> aerror;  // length/time²
  std::optional<int> amaxit;
  ChoiceList<Switch> apattern;
};

struct Lsolver : Statement {
  enum class Method { automatic, calahan, umf, harwell };
  Choice<Method> method;
  std::optional<double> stability;
};

struct Preferences : Statement {
  enum class GeometryLibrary { rapid, parasolids, default_library };
  enum class Failure { nostopcf, stopcf };
  enum class LimitCheck { none, skin, selnod };
  enum class LimitAction { return_, halt, message_only };
  std::optional<double> contact_faceting_tolerance;
  Choice<GeometryLibrary> contact_geometry_library;
  std::optional<int> nthreads;
  std::optional<std::string> libpath;
  Choice<Failure> simfail;
  Choice<Switch> status_message;
  Choice<LimitCheck> flex_limit_check;
  Choice<LimitAction> flex_limit_check_action;
  std::optional<int> flex_limit_check_frequency;
  std::optional<double> flex_limit_tolerance;
  Choice<Switch> echo;
};

// Each switch is given by a word or by NO and the word.
struct Debug : Statement {
  Choice<Switch> eprint, dump, jmdump, rhsdump, reqdump, dof, topology, subroutine_calls, verbose;
  bool matlab = false;
};

// Watches an expression and acts when it meets a value.
struct Sensor : Statement {
  enum class Comparison { eq, ge, le };
  Expression function;
  std::optional<double> value, error;
  bool angle = false;  // the expression is an angle: compare modulo 2π
  Choice<Comparison> comparison;
  bool halt = false, return_ = false, print = false, restart = false, codgen = false, yydump = false;
  std::optional<double> dt, stepsize;  // time
  Expression evaluate;
  bool bisection = false;
  std::vector<std::string> routine;
};

struct Environment : Statement {
  std::optional<std::string> variable;  // NAME
  std::optional<std::string> value;
};

}  // namespace trunnion::model
