// The text and position of every message.

#include "helpers.hpp"

namespace trunnion::expr::testing {
namespace {

TEST(Errors, Messages) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "0+0 the expression is empty\n"},
      {"  ", "0+2 the expression is empty\n"},
      {"STEPP(TIME,1,2)", "0+5 unknown function STEPP [did you mean STEP?]\n"},
      {"2*TIMEE", "2+5 unknown name TIMEE [did you mean TIME?]\n"},
      {"1+qwertyuiop", "2+10 unknown name qwertyuiop\n"},
      {"STEP(TIME,0,0,1)", "0+4 STEP takes 5 arguments, 4 given [STEP(x, x0, h0, x1, h1)]\n"},
      {"SIN()", "0+3 SIN takes 1 argument, 0 given [SIN(a)]\n"},
      {"MAX(1)", "0+3 MAX takes 2 or more arguments, 1 given [MAX(a, b, ...)]\n"},
      {"DX(1,2,3,4)", "0+2 DX takes 1 to 3 arguments, 4 given [DX(i[, j[, k]])]\n"},
      {"SIN+1", "0+3 SIN needs its arguments in parentheses [SIN(a)]\n"},
      {"TIME(3)", "4+1 TIME takes no arguments\n"},
      {"(1+2", "0+1 '(' is never closed [add the missing ')']\n"},
      {"SIN(1+2", "3+1 '(' is never closed [add the missing ')']\n"},
      {"[1,2,3", "0+1 '[' is never closed [add the missing ']']\n"},
      {"1+2)", "3+1 ')' closes nothing [remove it, or add the opening one before]\n"},
      {"(1,2)", "2+1 ')' is expected here, not ',' [it closes the '(' at column 1]\n"},
      {"2 TIME", "2+4 operator missing before 'TIME' [write + - * / or ** between two operands]\n"},
      {"2*", "2+0 a number, a function or '(' is expected here, not the end of the expression\n"},
      {"*2", "0+1 operand missing before '*'\n"},
      {"1+*2", "2+1 operand missing before '*'\n"},
      {"()", "1+1 a number, a function or '(' is expected here, not ')'\n"},
      {"DX(-1)", "3+2 argument 1 of DX must be a marker id: a positive whole number [DX(i[, j[, k]])]\n"},
      {"DX(0,2)", "3+1 argument 1 of DX must be a marker id: a positive whole number [DX(i[, j[, k]])]\n"},
      {"DX(1,2.5)",
       "5+3 argument 2 of DX must be a marker id: a positive whole number, or 0 for ground [DX(i[, j[, "
       "k]])]\n"},
      {"DX(1+1)", "3+3 argument 1 of DX must be a marker id: a positive whole number [DX(i[, j[, k]])]\n"},
      {"DX(90D)", "3+3 argument 1 of DX must be a marker id: a positive whole number [DX(i[, j[, k]])]\n"},
      {"DX(1E30)", "3+4 argument 1 of DX must be a marker id: a positive whole number [DX(i[, j[, k]])]\n"},
      {"VARVAL(TIME)",
       "7+4 argument 1 of VARVAL must be the id of a VARIABLE: a positive whole number [VARVAL(id)]\n"},
      {"JOINT(1,2,1)", "8+1 argument 2 of JOINT must be 0 or 1 [JOINT(id, jflag, comp[, rm])]\n"},
      {"JOINT(1,0,9)",
       "10+1 argument 3 of JOINT must be a whole number from 1 to 8 [JOINT(id, jflag, comp[, rm])]\n"},
      {"ARYVAL(1,0)", "9+1 argument 2 of ARYVAL must be a positive whole number [ARYVAL(id, comp)]\n"},
      {"INTERP(TIME,2,1)", "12+1 argument 2 of INTERP must be 1 or 3 [INTERP(x, method, id[, iord])]\n"},
      {"INVPSD(TIME,1,TIME,2,3,0,1)",
       "14+4 argument 3 of INVPSD must be a number or an expression of numbers "
       "[INVPSD(x, id, f0, f1, nf, linlog, seed)]\n"},
      {"STEP(TIME,,1,2,3)", "10+1 argument 2 of STEP is missing [STEP(x, x0, h0, x1, h1)]\n"},
      {"STEP(TIME,1,0,1,5)", "0+18 x0 and x1 of STEP are equal [STEP(x, x0, h0, x1, h1)]\n"},
      {"SIN(1:2)",
       "0+3 SIN takes 1 argument, 2 given [SIN(a)]\n5+1 ':' is used in IF only [separate arguments with "
       "',']\n"},
      {"IF(TIME,1,2,3)", "7+1 IF needs ':' after its test, not ',' [IF(test: below, equal, above)]\n"},
      {"IF(TIME)", "7+1 IF needs ':' after its test, not ')' [IF(test: below, equal, above)]\n"},
      {"IF(TIME:1,2)", "0+2 IF takes 3 expressions after ':', 2 given [IF(test: below, equal, above)]\n"},
      {"IF(TIME:1,2,[1,2,3])", "0+2 the three expressions of IF must be all scalars or all vectors\n"},
      {"1:2", "1+1 unexpected ':'\n"},
      {"1,2", "1+1 unexpected ',' outside of parentheses\n"},
      {"2D0", "0+3 malformed number '2D0' [D after a number means degrees; an exponent is written with E]\n"},
      {"1.2.3", "0+5 malformed number '1.2.3'\n"},
      {"1E+", "0+3 malformed number '1E+'\n"},
      {"3x", "0+2 malformed number '3x'\n"},
      {"1E999", "0+5 number '1E999' is too large\n"},
      {"20 D",
       "3+1 operator missing before 'D' [write + - * / or ** between two operands]\n3+1 unknown name D\n"},
      {"2^3", "1+1 unknown character '^' [write a power as a**b]\n"},
      {"2 $ 3", "2+1 unknown character '$'\n"},
      {"1\xC3\xA9",
       "1+2 byte 0xC3 cannot appear in an expression [expressions are written in plain ASCII]\n"},
      {"1+USER(2)", "2+4 USER must be the whole expression [compute with its result in a VARIABLE]\n"},
      {"USER(2)+1", "0+4 USER must be the whole expression [compute with its result in a VARIABLE]\n"},
      {"USER(TIME)",
       "5+4 argument 1 of USER must be a number or an expression of numbers [USER(p1[, p2, ...])]\n"},
      {"1+DXYZ(1)", "1+1 '+' cannot join a scalar and a vector\n"},
      {"1/DXYZ(1)", "1+1 cannot divide by a vector\n"},
      {"7%3",
       "1+1 '%' is the cross product and needs vectors on both sides [the remainder of a/b is MOD(a, b)]\n"},
      {"DXYZ(1)**2", "7+2 ** needs scalars on both sides [the square of a vector's length is v*v]\n"},
      {"SIN(DXYZ(1))", "4+7 argument 1 of SIN must be a scalar [SIN(a)]\n"},
      {"[1,2]", "0+5 a vector has 3 components, 2 given [[x, y, z]]\n"},
      {"[1,2,DXYZ(1)]", "5+7 a component of a vector must be a scalar\n"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(errors_of(text), expected) << text;
}

TEST(Errors, NulByteIsReported) {
  EXPECT_EQ(errors_of(std::string_view("1\0", 2)),
            "1+1 byte 0x00 cannot appear in an expression [expressions are written in plain ASCII]\n");
}

TEST(Errors, AllAreCollected) {
  const std::string text = "STEPP(TIME) + DX(-1,2) + 2D0 + SIN(1,2) + (3";
  const CompileResult result = compile(text);
  ASSERT_EQ(result.errors.size(), 5u);
  for (std::size_t k = 1; k < 5; ++k) EXPECT_LE(result.errors[k - 1].offset, result.errors[k].offset);
  EXPECT_FALSE(result.program);
}

TEST(Errors, AreLimitedInNumber) {
  std::string text = "1";
  for (int k = 0; k < 1000; ++k) text += "+nope";
  EXPECT_EQ(compile(text).errors.size(), kMaxErrors);
}

TEST(Errors, DepthIsLimited) {
  const auto nested = [](int depth, const char* open, const char* close) {
    std::string text;
    for (int k = 0; k < depth; ++k) text += open;
    text += "1";
    for (int k = 0; k < depth; ++k) text += close;
    return text;
  };
  EXPECT_TRUE(compile(nested(kMaxNesting - 1, "(", ")")).program);
  const CompileResult deep = compile(nested(kMaxNesting + 1, "(", ")"));
  ASSERT_EQ(deep.errors.size(), 1u);
  EXPECT_EQ(deep.errors[0].message, "nested more than 200 levels deep");
  for (const char* open : {"(", "SIN(", "IF(1:", "[", "2**", "DX(", "-(", "MAX(1,"}) {
    EXPECT_FALSE(compile(nested(100000, open, "")).program) << open;
  }
  EXPECT_TRUE(compile(nested(100000, "-", "")).program);  // signs do not nest
}

TEST(Errors, LengthIsLimited) {
  std::string text(kMaxTextLength, ' ');
  text.back() = '1';
  EXPECT_TRUE(compile(text).program);
  text.push_back(' ');
  EXPECT_EQ(errors_of(text), "0+0 the expression is longer than 1048576 bytes\n");
}

TEST(Errors, VectorWhereScalarIsWanted) {
  CompileOptions scalar_only, vector_only;
  scalar_only.vector_allowed = false;
  vector_only.vector_required = true;
  EXPECT_EQ(errors_of("2*DXYZ(1)", scalar_only),
            "0+9 a scalar is expected here, but this is a vector [use one component, or the dot product of "
            "two vectors]\n");
  EXPECT_EQ(errors_of("2", vector_only), "0+1 a vector is expected here, but this is a scalar [[x, y, z]]\n");
}

}  // namespace
}  // namespace trunnion::expr::testing
