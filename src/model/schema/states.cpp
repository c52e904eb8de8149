#include "model/define.hpp"
#include "model/schema/chapters.hpp"

namespace trunnion::model {

namespace {

constexpr std::size_t kAnyCount = std::numeric_limits<std::size_t>::max();

Schema variable() {
  return Define<Variable>("VARIABLE", "VAR",
                          "An algebraic scalar given by an expression, read by VARVAL(id).")
      .acted_on()
      .group("States and control")
      .arg<&Variable::function>("FUNCTION", "FU", "value of the variable; USER(...) calls VARSUB")
      .required()
      .arg<&Variable::ic>("IC", "", "first guess where the expression refers to the variable itself")
      .defaults({0})
      .arg<&Variable::routine>("ROUTINE", "", "library::name of the user subroutine")
      .default_help("VARSUB");
}

Schema diff() {
  return Define<Diff>("DIFF", "", "One differential equation; DIF(id) is its state, DIF1(id) the rate.")
      .acted_on()
      .group("States and control")
      .arg<&Diff::function>("FUNCTION", "FU",
                            "rate of the state, or residual with IMPLICIT; USER(...) calls DIFSUB")
      .required()
      .arg<&Diff::ic>("IC", "", "state at the start, and a first guess of its rate")
      .at_start()
      .count(1, 2)
      .defaults({0, 0})
      .arg<&Diff::implicit>("IMPLICIT", "", "the equation is FUNCTION = 0")
      .arg<&Diff::static_hold>("STATIC_HOLD", "STA",
                               "keep the state during statics instead of solving rate = 0")
      .arg<&Diff::dynamic_hold>("DYNAMIC_HOLD", "", "keep the state during dynamics")
      .arg<&Diff::routine>("ROUTINE", "", "library::name of the user subroutine")
      .default_help("DIFSUB");
}

Schema array() {
  using T = Array::Type;
  return Define<Array>("ARRAY", "AR",
                       "A list of numbers, or the inputs, states or outputs of a system element.")
      .acted_on()
      .group("States and control")
      .choice<&Array::type>("type", "what the array holds",
                            {{"IC", "I", T::ic, "constant numbers"},
                             {"U", "U", T::u, "inputs: values of VARIABLEs"},
                             {"X", "X", T::x, "states of one LSE, GSE or TFSISO"},
                             {"Y", "Y", T::y, "outputs of one LSE, GSE or TFSISO"}})
      .defaults(T::ic)
      .arg<&Array::size>("SIZE", "S", "number of entries")
      .range({1})
      .default_help("counted, or taken from the element that owns the array")
      .arg<&Array::numbers>("NUMBERS", "", "values of an IC array")
      .arg<&Array::variables>("VARIABLES", "", "variables that feed a U array, in order")
      .needs({"IC", "NUMBERS"})
      .needs({"U", "VARIABLES"});
}

Schema matrix() {
  using O = Matrix::Order;
  return Define<Matrix>("MATRIX", "", "A rectangular table of numbers for LSE, CURVE, NFORCE and others.")
      .acted_on()
      .group("States and control")
      .word<&Matrix::full>(
          "FULL", "", "all entries are listed, in this order",
          {{"RORDER", "", O::rows, "row by row"}, {"CORDER", "", O::columns, "column by column"}})
      .arg<&Matrix::sparse>("SPARSE", "", "only entries named by I and J are listed, others are zero")
      .arg<&Matrix::rows>("ROWS", "", "number of rows")
      .range({1})
      .arg<&Matrix::columns>("COLUMNS", "", "number of columns")
      .range({1})
      .arg<&Matrix::i>("I", "I", "row of each value of a SPARSE matrix, from 1")
      .arg<&Matrix::j>("J", "J", "column of each value of a SPARSE matrix, from 1")
      .arg<&Matrix::values>("VALUES", "", "the numbers")
      .arg<&Matrix::file>("FILE", "", "file that holds the matrix")
      .arg<&Matrix::matrix_name>("NAME", "", "name of the matrix inside FILE")
      .default_help("the first one")
      .arg<&Matrix::format>("FORMAT", "", "format of FILE")
      .default_help("recognised from the file")
      .arg<&Matrix::units>("UNITS", "", "units of the values; for information")
      .exactly_one({"FULL", "SPARSE", "FILE"})
      .needs({"FULL", "ROWS"})
      .needs({"FULL", "COLUMNS"})
      .needs({"FULL", "VALUES"})
      .needs({"SPARSE", "ROWS"})
      .needs({"SPARSE", "COLUMNS"})
      .needs({"SPARSE", "VALUES"})
      .needs({"SPARSE", "I"})
      .needs({"SPARSE", "J"});
}

Schema spline() {
  return Define<Spline>("SPLINE", "", "A curve y(x) or a family y(x, z) through given points.")
      .acted_on()
      .group("States and control")
      .arg<&Spline::x>("X", "X", "x values, strictly increasing, at least four")
      .count(4, kAnyCount)
      .arg<&Spline::y>("Y", "Y", "y values; for a family repeat Y with z first")
      .arg<&Spline::file>("FILE", "", "file with the points or a time history")
      .arg<&Spline::block>("BLOCK", "", "block inside FILE")
      .arg<&Spline::channel>("CHANNEL", "", "channel of an RPC III file")
      .range({1})
      .arg<&Spline::linear_extrapolate>("LINEAR_EXTRAPOLATE", "", "go on by the tangent outside the points")
      .default_help("the cubic of the end piece goes on")
      .arg<&Spline::routine>("ROUTINE", "", "library::name of the subroutine that reads FILE")
      .default_help("SPLINE_READ")
      .exactly_one({"X", "FILE"})
      .all_or_none({"X", "Y"});
}

Schema string() {
  return Define<String>("STRING", "", "A text for user subroutines.")
      .acted_on()
      .group("States and control")
      .arg<&String::string>("STRING", "", "the text, without quotes, up to the end of the statement")
      .required();
}

Schema lse() {
  return Define<Lse>("LSE", "", "Linear state equations: X' = A*X+B*U, Y = C*X+D*U.")
      .acted_on()
      .group("States and control")
      .arg<&Lse::x>("X", "X", "array of the states")
      .required()
      .arg<&Lse::u>("U", "U", "array of the inputs")
      .arg<&Lse::y>("Y", "Y", "array of the outputs")
      .arg<&Lse::ic>("IC", "IC", "array of the states at the start")
      .at_start()
      .default_help("all zero")
      .arg<&Lse::a>("A", "A", "matrix states to rates, square")
      .required()
      .arg<&Lse::b>("B", "B", "matrix inputs to rates")
      .default_help("zero")
      .arg<&Lse::c>("C", "C", "matrix states to outputs")
      .default_help("zero")
      .arg<&Lse::d>("D", "D", "matrix inputs to outputs")
      .default_help("zero")
      .arg<&Lse::static_hold>("STATIC_HOLD", "STA",
                              "keep the states during statics instead of solving rates = 0")
      .needs({"U", "B", "D"})
      .needs({"Y", "C", "D"})
      .needs({"B", "U"})
      .needs({"C", "Y"})
      .needs({"D", "U"});
}

Schema gse() {
  using P = Gse::Partial;
  constexpr std::string_view kHandedBack =
      "partials are those the routine of the equations hands back (trunnion_partial), else differences";
  const std::vector<Spelling<P>> partials = {{"USER", "", P::user, "from a subroutine"},
                                             {"ZERO", "", P::zero, "all zero"},
                                             {"NONZERO", "", P::nonzero, "by differences"},
                                             {"CONSTANT", "", P::constant, "computed once"},
                                             {"UNKNOWN", "", P::unknown, "by differences"}};
  return Define<Gse>("GSE", "", "State equations of a user subroutine: continuous, sampled or both.")
      .acted_on()
      .group("States and control")
      .arg<&Gse::ns>("NS", "", "number of continuous states")
      .range(kNotNegative)
      .defaults({0})
      .arg<&Gse::nd>("ND", "", "number of discrete (sampled) states")
      .range(kNotNegative)
      .defaults({0})
      .arg<&Gse::no>("NO", "", "number of outputs")
      .range(kNotNegative)
      .defaults({0})
      .arg<&Gse::x>("X", "X", "array of the continuous states")
      .arg<&Gse::xd>("XD", "", "array of the discrete states")
      .arg<&Gse::u>("U", "U", "array of the inputs")
      .arg<&Gse::y>("Y", "Y", "array of the outputs")
      .arg<&Gse::ic>("IC", "IC", "array of the continuous states at the start")
      .at_start()
      .default_help("all zero")
      .arg<&Gse::icd>("ICD", "", "array of the discrete states at the start")
      .default_help("all zero")
      .arg<&Gse::function>("FUNCTION", "FU", "USER(...) with the constants passed to the subroutines")
      .required()
      .arg<&Gse::sample_period>("SAMPLE_PERIOD", "", "interval between updates of the discrete states")
      .unit("time")
      .arg<&Gse::sample_offset>("SAMPLE_OFFSET", "", "time of the first update")
      .unit("time")
      .defaults({0})
      .arg<&Gse::implicit>("IMPLICIT", "", "the subroutine returns residuals instead of rates")
      .arg<&Gse::static_hold>("STATIC_HOLD", "STA", "keep the states during statics")
      .word<&Gse::xxflag>("XXFLAG", "", "how derivatives of the rates by the states are found", partials)
      .defaults(P::unknown)
      .unused(kHandedBack)
      .word<&Gse::xuflag>("XUFLAG", "", "how derivatives of the rates by the inputs are found", partials)
      .defaults(P::unknown)
      .unused(kHandedBack)
      .word<&Gse::yxflag>("YXFLAG", "", "how derivatives of the outputs by the states are found", partials)
      .defaults(P::unknown)
      .unused(kHandedBack)
      .word<&Gse::yuflag>("YUFLAG", "", "how derivatives of the outputs by the inputs are found", partials)
      .defaults(P::unknown)
      .unused(kHandedBack)
      .arg<&Gse::routine>("ROUTINE", "", "library::name of the equations and of the four derivatives")
      .count(1, 5)
      .default_help("GSESUB, GSEXX, GSEXU, GSEYX, GSEYU")
      .arg<&Gse::interface>("INTERFACE", "", "library::name for rates, outputs, updates and sample time")
      .count(1, 4)
      .default_help("GSE_DERIV, GSE_OUTPUT, GSE_UPDATE, GSE_SAMP")
      .at_most_one({"ROUTINE", "INTERFACE"});
}

Schema tfsiso() {
  return Define<Tfsiso>("TFSISO", "", "A transfer function from one input to one output.")
      .acted_on()
      .group("States and control")
      .arg<&Tfsiso::x>("X", "X", "array of the states; as many as the order of DENOMINATOR")
      .required()
      .arg<&Tfsiso::u>("U", "U", "array with the input")
      .required()
      .arg<&Tfsiso::y>("Y", "Y", "array with the output")
      .required()
      .arg<&Tfsiso::numerator>("NUMERATOR", "NUM", "coefficients b0,b1,... of 1, s, s**2, ...")
      .count(1, 30)
      .required()
      .arg<&Tfsiso::denominator>("DENOMINATOR", "DEN", "coefficients a0,a1,... of 1, s, s**2, ...")
      .count(1, 30)
      .required()
      .arg<&Tfsiso::static_hold>("STATIC_HOLD", "STA", "keep the states during statics");
}

Schema pinput() {
  return Define<Pinput>("PINPUT", "", "Variables that are inputs of the mechanism seen as a plant.")
      .acted_on()
      .group("States and control")
      .arg<&Pinput::variables>("VARIABLES", "", "the inputs in order; PINVAL(id,k) reads the k-th")
      .required();
}

Schema poutput() {
  return Define<Poutput>("POUTPUT", "", "Variables that are outputs of the mechanism seen as a plant.")
      .acted_on()
      .group("States and control")
      .arg<&Poutput::variables>("VARIABLES", "", "the outputs in order; POUVAL(id,k) reads the k-th")
      .required();
}

Schema pstate() {
  return Define<Pstate>("PSTATE", "", "Displacement-type variables to be used as states by LINEAR.")
      .group("States and control")
      .acted_on()
      .arg<&Pstate::variables>("VARIABLES", "",
                               "the wanted states; missing ones are added, dependent ones dropped")
      .required();
}

}  // namespace

std::vector<Schema> state_schemas() {
  return {variable(), diff(), array(),  matrix(), spline(),  string(),
          lse(),      gse(),  tfsiso(), pinput(), poutput(), pstate()};
}

}  // namespace trunnion::model
