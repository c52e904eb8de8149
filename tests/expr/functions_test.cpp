// Every row of the function table: it compiles, and what it computes agrees with a plain formula.

#include "expr/functions.hpp"

#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <set>

#include "helpers.hpp"

namespace trunnion::expr::testing {
namespace {

constexpr double kPi = std::numbers::pi;

// In the texts @ stands for x = VARVAL(1) and $ for y = VARVAL(2).
struct Case {
  const char* function;
  const char* text;
  std::function<double(double, double)> expected;
};

std::string spelled(const char* text) {
  std::string result;
  for (const char* c = text; *c; ++c)
    result += *c == '@' ? "VARVAL(1)" : *c == '$' ? "VARVAL(2)" : std::string(1, *c);
  return result;
}

double ramp3(double u) { return u <= 0 ? 0 : u >= 1 ? 1 : u * u * (3 - 2 * u); }
double ramp5(double u) { return u <= 0 ? 0 : u >= 1 ? 1 : u * u * u * (10 - 15 * u + 6 * u * u); }
double impact(double x, double v, double x1, double k, double e, double c, double d) {
  return x >= x1 ? 0 : std::max(0.0, k * std::pow(x1 - x, e) - c * ramp3((x1 - x) / d) * v);
}

const Case kCases[] = {
    {"ABS", "ABS(@)", [](double x, double) { return std::abs(x); }},
    {"ACOS", "ACOS(@/10)", [](double x, double) { return std::acos(x / 10); }},
    {"AINT", "AINT(@)", [](double x, double) { return std::trunc(x); }},
    {"ANINT", "ANINT(@)", [](double x, double) { return std::round(x); }},
    {"ASIN", "ASIN(@/10)", [](double x, double) { return std::asin(x / 10); }},
    {"ATAN", "ATAN(@)", [](double x, double) { return std::atan(x); }},
    {"ATAN2", "ATAN2(@, $)", [](double x, double y) { return std::atan2(x, y); }},
    {"CEIL", "CEIL(@)", [](double x, double) { return std::ceil(x); }},
    {"COS", "COS(@)", [](double x, double) { return std::cos(x); }},
    {"COSH", "COSH(@)", [](double x, double) { return std::cosh(x); }},
    {"DIM", "DIM(@, $)", [](double x, double y) { return x > y ? x - y : 0; }},
    {"EXP", "EXP(@)", [](double x, double) { return std::exp(x); }},
    {"FLOOR", "FLOOR(@)", [](double x, double) { return std::floor(x); }},
    {"LOG", "LOG(ABS(@)+1)", [](double x, double) { return std::log(std::abs(x) + 1); }},
    {"LOG10", "LOG10(ABS(@)+1)", [](double x, double) { return std::log10(std::abs(x) + 1); }},
    {"MAX", "MAX(@, $, 0.25)",
     [](double x, double y) {
       return std::max({x, y, 0.25});
     }},
    {"MIN", "MIN(@, $)", [](double x, double y) { return std::min(x, y); }},
    {"MOD", "MOD(@, $)", [](double x, double y) { return std::fmod(x, y); }},
    {"SIGN", "SIGN(@, $)", [](double x, double y) { return y >= 0 ? std::abs(x) : -std::abs(x); }},
    {"SIN", "SIN(@)", [](double x, double) { return std::sin(x); }},
    {"SINH", "SINH(@)", [](double x, double) { return std::sinh(x); }},
    {"SQRT", "SQRT(@*@+1)", [](double x, double) { return std::sqrt(x * x + 1); }},
    {"TAN", "TAN(@)", [](double x, double) { return std::tan(x); }},
    {"TANH", "TANH(@)", [](double x, double) { return std::tanh(x); }},
    {"PI", "PI", [](double, double) { return kPi; }},
    {"DTOR", "DTOR", [](double, double) { return kPi / 180; }},
    {"RTOD", "RTOD", [](double, double) { return 180 / kPi; }},
    {"BISTOP", "BISTOP(@,$,-1,1,10,1.5,0.5,0.1)",
     [](double x, double y) {
       return x < -1 ? impact(x, y, -1, 10, 1.5, 0.5, 0.1) : -impact(-x, -y, -1, 10, 1.5, 0.5, 0.1);
     }},
    {"CHEBY", "CHEBY(@,0.5,1,2,3,4)",
     [](double x, double) {
       const double t = x - 0.5;
       return 1 + 2 * t + 3 * (2 * t * t - 1) + 4 * (4 * t * t * t - 3 * t);
     }},
    {"FORCOS", "FORCOS(@,0.5,360D,1,2,3)",
     [](double x, double) {
       return 1 + 2 * std::cos(2 * kPi * (x - 0.5)) + 3 * std::cos(4 * kPi * (x - 0.5));
     }},
    {"FORSIN", "FORSIN(@,0.5,PI,1,2,3)",
     [](double x, double) { return 1 + 2 * std::sin(kPi * (x - 0.5)) + 3 * std::sin(2 * kPi * (x - 0.5)); }},
    {"HAVSIN", "HAVSIN(@,-1,2,1.5,$)",
     [](double x, double y) {
       const double u = (x + 1) / 2.5;
       return u <= 0 ? 2 : u >= 1 ? y : (2 + y) / 2 + (y - 2) / 2 * std::sin(kPi * u - kPi / 2);
     }},
    {"IMPACT", "IMPACT(@,$,1,10,1.5,0.5,0.1)",
     [](double x, double y) { return impact(x, y, 1, 10, 1.5, 0.5, 0.1); }},
    {"POLY", "POLY(@,0.5,1,2,3)",
     [](double x, double) { return 1 + 2 * (x - 0.5) + 3 * (x - 0.5) * (x - 0.5); }},
    {"SHF", "SHF(@,0.5,2,3,0.1,$)", [](double x, double y) { return 2 * std::sin(3 * (x - 0.5) - 0.1) + y; }},
    {"STEP", "STEP(@,-1,2,1.5,$)", [](double x, double y) { return 2 + (y - 2) * ramp3((x + 1) / 2.5); }},
    {"STEP5", "STEP5(@,-1,2,1.5,$)", [](double x, double y) { return 2 + (y - 2) * ramp5((x + 1) / 2.5); }},
    {"SWEEP", "SWEEP(@,$,-1,0.5,2,1.5,0.4)",
     [](double x, double y) {
       const double phase = x < -1 ? 0.5 * x : x < 2 ? 0.5 * x + (x + 1) * (x + 1) / 6 : 1.5 * x - 0.5;
       return ramp5((x + 1) / 0.4) * y * std::sin(2 * kPi * phase);
     }},
    {"IF", "IF(@-$: 1, 2, 3)", [](double x, double y) { return x < y    ? 1
                                                               : x == y ? 2
                                                                        : 3; }},
};

TEST(Functions, ValuesMatchPlainFormulas) {
  const double points[] = {-3.7, -1.2, -0.6, 0.0, 0.3, 0.95, 1.6, 3.2};
  for (const Case& c : kCases) {
    const Program program = compiled(spelled(c.text));
    Workspace work(program);
    for (const double x : points) {
      for (const double y : {-2.3, -0.6, 0.4, 1.6}) {
        std::vector<double> inputs;
        for (const Input& input : program.inputs()) inputs.push_back(input.ids[0] == 1 ? x : y);
        const double expected = c.expected(x, y);
        // A handful of roundings on numbers up to 1e2.
        EXPECT_NEAR(program.value(inputs, work), expected, 1e-12 * (1 + std::abs(expected)))
            << c.text << " " << x << " " << y;
      }
    }
  }
}

// Functions whose values come from outside, with the name of the input they become.
const std::pair<const char*, const char*> kInputs[] = {
    {"TIME", "TIME"},
    {"MODE", "MODE"},
    {"FXFREQ", "FXFREQ"},
    {"FXMODE", "FXMODE"},
    {"DM(1,2)", "DM(1,2)"},
    {"DX(1,2,3)", "DX(1,2,3)"},
    {"DY(1)", "DY(1)"},
    {"DZ(1,0,3)", "DZ(1,0,3)"},
    {"AX(1,2)", "AX(1,2)"},
    {"AY(1,2)", "AY(1,2)"},
    {"AZ(1,2)", "AZ(1,2)"},
    {"PSI(1,2)", "PSI(1,2)"},
    {"THETA(1,2)", "THETA(1,2)"},
    {"PHI(1,2)", "PHI(1,2)"},
    {"YAW(1,2)", "YAW(1,2)"},
    {"PITCH(1,2)", "PITCH(1,2)"},
    {"ROLL(1,2)", "ROLL(1,2)"},
    {"INCANG(1,2,3)", "INCANG(1,2,3)"},
    {"ORIENT(27,4,0201,0101)", "ORIENT(27,4,201,101)"},
    {"VM(1,2,3)", "VM(1,2,3)"},
    {"VR(1,2)", "VR(1,2)"},
    {"VX(1,2,3,4)", "VX(1,2,3,4)"},
    {"VY(1,2,0,0)", "VY(1,2)"},
    {"VZ(1)", "VZ(1)"},
    {"WM(1,2)", "WM(1,2)"},
    {"WX(1,2,3)", "WX(1,2,3)"},
    {"WY(1,,3)", "WY(1,0,3)"},
    {"WZ(1,2)", "WZ(1,2)"},
    {"ACCM(1,2)", "ACCM(1,2)"},
    {"ACCX(1,2,3,4)", "ACCX(1,2,3,4)"},
    {"ACCY(1)", "ACCY(1)"},
    {"ACCZ(1)", "ACCZ(1)"},
    {"WDTM(1)", "WDTM(1)"},
    {"WDTX(1)", "WDTX(1)"},
    {"WDTY(1)", "WDTY(1)"},
    {"WDTZ(1,2,3,4)", "WDTZ(1,2,3,4)"},
    {"FM(1,2)", "FM(1,2)"},
    {"FX(1,2,3)", "FX(1,2,3)"},
    {"FY(1)", "FY(1)"},
    {"FZ(1)", "FZ(1)"},
    {"TM(1)", "TM(1)"},
    {"TX(1)", "TX(1)"},
    {"TY(1)", "TY(1)"},
    {"TZ(1)", "TZ(1)"},
    {"BEAM(1,0,2,3)", "BEAM(1,0,2,3)"},
    {"BUSH(1,0,2,0)", "BUSH(1,0,2)"},
    {"FIELD(1,0,2)", "FIELD(1,0,2)"},
    {"FRICTION(1,2)", "FRICTION(1,2)"},
    {"GFORCE(1,1,8,3)", "GFORCE(1,1,8,3)"},
    {"NFORCE(1,7,2,3)", "NFORCE(1,7,2,3)"},
    {"MFORCE(1,0,2)", "MFORCE(1,0,2)"},
    {"SFORCE(1,0,2)", "SFORCE(1,0,2)"},
    {"SPDP(1,0,2)", "SPDP(1,0,2)"},
    {"VFORCE(1,0,2)", "VFORCE(1,0,2)"},
    {"VTORQ(1,0,6)", "VTORQ(1,0,6)"},
    {"CONTACT(1,0,1)", "CONTACT(1,0,1)"},
    {"CVCV(1,0,2)", "CVCV(1,0,2)"},
    {"JOINT(1,0,2)", "JOINT(1,0,2)"},
    {"JPRIM(1,0,2)", "JPRIM(1,0,2)"},
    {"MOTION(1,0,2)", "MOTION(1,0,2)"},
    {"PTCV(1,0,2)", "PTCV(1,0,2)"},
    {"GEAR(1,0,2)", "GEAR(1,0,2)"},
    {"COUPLER(1,0,2)", "COUPLER(1,0,2)"},
    {"VARVAL(1.7172509E+07)", "VARVAL(17172509)"},
    {"DIF(1)", "DIF(1)"},
    {"DIF1(1)", "DIF1(1)"},
    {"ARYVAL(1,2)", "ARYVAL(1,2)"},
    {"PINVAL(1,2)", "PINVAL(1,2)"},
    {"POUVAL(1,2)", "POUVAL(1,2)"},
    {"SENVAL(1)", "SENVAL(1)"},
};

// The rest: vectors, tables, user code.
const std::pair<const char*, int> kOthers[] = {
    {"DXYZ(1,2,3)", 3},        {"VXYZ(1,2,3,4)", 3},     {"ACCXYZ(1)", 3},
    {"WXYZ(1,2)", 3},          {"WDTXYZ(1,2,3,4)", 3},   {"FXYZ(1,2)", 3},
    {"TXYZ(1,2,3)", 3},        {"AKISPL(TIME,0,1)", 1},  {"CUBSPL(TIME,0,1,2)", 1},
    {"INTERP(TIME,3,1,1)", 1}, {"CURVE(TIME,1,3,1)", 1}, {"INVPSD(TIME,1,0.1,10,20,0,-3)", 1},
    {"USER(1,2)", 1},
};

TEST(Functions, OutsideValuesBecomeInputs) {
  for (const auto& [text, name] : kInputs) {
    const Program program = compiled(text);
    ASSERT_EQ(program.inputs().size(), 1u) << text;
    EXPECT_EQ(program.inputs()[0].name(), name);
    Workspace work(program);
    const double in[] = {2.5};
    double grad[1];
    EXPECT_EQ(program.gradient(in, work, grad), 2.5);
    EXPECT_EQ(grad[0], 1.0);
  }
}

TEST(Functions, EveryRowIsCovered) {
  std::set<std::string> covered;
  const auto name_of = [](std::string text) { return text.substr(0, text.find('(')); };
  for (const Case& c : kCases) covered.insert(c.function);
  for (const auto& [text, name] : kInputs) covered.insert(name_of(text));
  for (const auto& [text, outputs] : kOthers) {
    covered.insert(name_of(text));
    EXPECT_EQ(compiled(text).output_count(), outputs) << text;
  }
  for (const FunctionInfo& row : functions()) EXPECT_TRUE(covered.count(std::string(row.name))) << row.name;
  EXPECT_EQ(covered.size(), functions().size());
}

TEST(Functions, TableIsConsistent) {
  std::set<std::string_view> names;
  for (const FunctionInfo& row : functions()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(&info(row.id), &row);
    EXPECT_EQ(find_function(row.name), &row);
    EXPECT_EQ(row.signature.substr(0, row.name.size()), row.name);
    EXPECT_FALSE(row.help.empty()) << row.name;
    EXPECT_FALSE(category_name(row.category).empty());
    EXPECT_LE(row.min_arguments, row.max_arguments);
    // One code per argument, or a single one that repeats.
    EXPECT_TRUE(row.codes.size() <= 1 || static_cast<int>(row.codes.size()) == row.max_arguments) << row.name;
    for (const char code : row.codes)
      EXPECT_NE(std::string_view("emM#njcokti").find(code), std::string_view::npos);
    const bool names_something = row.codes.find_first_of("#mM") != std::string_view::npos;
    EXPECT_EQ(names_something, !row.statement.empty()) << row.name;
  }
  EXPECT_EQ(find_function("step")->signature, "STEP(x, x0, h0, x1, h1)");
  EXPECT_EQ(find_function("AkISpl")->statement, "SPLINE");
  EXPECT_EQ(find_function(""), nullptr);
  EXPECT_EQ(find_function("NOSUCHFUNCTIONATALLANYWHERE"), nullptr);
  EXPECT_EQ(nearest_function("stepp"), "STEP");
}

// Too few and too many arguments are refused by every function that takes arguments, with its signature.
TEST(Functions, ArgumentCountsAreChecked) {
  for (const FunctionInfo& row : functions()) {
    if (row.category == Category::constant || row.category == Category::control) continue;
    const auto call = [&](int count) {
      std::string text = std::string(row.name) + "(";
      for (int k = 0; k < count; ++k) text += k == 0 ? "1" : ",1";
      return compile(text + ")");
    };
    if (row.min_arguments > 0) {
      const CompileResult result = call(row.min_arguments - 1);
      ASSERT_FALSE(result.errors.empty()) << row.name;
      EXPECT_NE(result.errors[0].message.find("takes"), std::string::npos) << result.errors[0].message;
      EXPECT_EQ(result.errors[0].hint, row.signature);
    }
    EXPECT_FALSE(call(row.max_arguments + 1).program) << row.name;
  }
}

}  // namespace
}  // namespace trunnion::expr::testing
