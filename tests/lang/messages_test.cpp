// The text of the messages, whole: file, line, column, the line itself, the caret and the hint.

#include <algorithm>

#include <gtest/gtest.h>

#include "core/text.hpp"
#include "support/reading.hpp"

namespace trunnion {
namespace {

struct Case {
  const char* what;
  std::string more;  // put into the small model, from line 8 on
  const char* messages;
};

TEST(Messages, OfModels) {
  const Case cases[] = {
      {"unknown statement, near another", "MARKR/3, PART=1\n",
       "model.adm:8:1: error: MARKR is not a statement; did you mean MARKER?\n"
       "    MARKR/3, PART=1\n"
       "    ^~~~~\n"
       "    try: 'trunnion help' lists the statements\n"},
      {"unknown statement", "QWERTYUIOP/3, PART=1\n",
       "model.adm:8:1: error: QWERTYUIOP is not a statement\n"
       "    QWERTYUIOP/3, PART=1\n"
       "    ^~~~~~~~~~\n"
       "    try: 'trunnion help' lists the statements\n"},
      {"no statement at all", "%&(\n",
       "model.adm:8:1: error: expected a statement such as PART/1, found %&(\n"
       "    %&(\n"
       "    ^\n"},
      {"a command in a model", "SIMULATE/STATIC\n",
       "model.adm:8:1: error: SIMULATE is a command, not a statement of a model\n"
       "    SIMULATE/STATIC\n"
       "    ^~~~~~~~\n"
       "    try: put it into a command file (.acf)\n"},
      {"ambiguous statement", "S/1, I=21\n",
       "model.adm:8:1: error: S is short for more than one: SECTION, SURFACE, SFORCE, SPRINGDAMPER, SPLINE, "
       "STRING or SENSOR\n"
       "    S/1, I=21\n"
       "    ^\n"},
      {"unknown argument, with the name of the object",
       "! adams_view_name='hinge'\n"
       "JOINT/6, REVLOUTE, I=21, J=10\n",
       "model.adm:9:10: error: JOINT/6 'hinge': REVLOUTE is not an argument of JOINT; did you mean "
       "REVOLUTE?\n"
       "    JOINT/6, REVLOUTE, I=21, J=10\n"
       "             ^~~~~~~~\n"},
      {"type of another statement", "JOINT/6, INPLANE, I=21, J=10\n",
       "model.adm:8:10: error: JOINT/6: INPLANE is not an argument of JOINT; it is one of JPRIM: did you "
       "mean "
       "JPRIM/…, INPLANE?\n"
       "    JOINT/6, INPLANE, I=21, J=10\n"
       "             ^~~~~~~\n"},
      {"unknown argument", "MARKER/30, PART=1, COLOUR=3\n",
       "model.adm:8:20: error: MARKER/30: COLOUR is not an argument of MARKER\n"
       "    MARKER/30, PART=1, COLOUR=3\n"
       "                       ^~~~~~\n"
       "    try: arguments are PART POINT_MASS FLEX_BODY FE_PART CURVE SURFACE NODE_ID NODE_LABEL FLOATING "
       "RM QP REULER ZP XP USEXP VELOCITY\n"},
      {"ambiguous argument",
       "PART/3, MASS=1, CM=30, I=1,1,1\n"
       "MARKER/30, PART=3\n",
       "model.adm:8:24: error: PART/3: I is short for more than one: IM or IP\n"
       "    PART/3, MASS=1, CM=30, I=1,1,1\n"
       "                           ^\n"},
      {"ambiguous word", "UNITS/FORCE=M, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n",
       "model.adm:8:13: error: UNITS: FORCE: M is short for more than one: MEGANEWTON, MICRONEWTON or "
       "MILLINEWTON\n"
       "    UNITS/FORCE=M, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
       "                ^\n"},
      {"missing argument", "SFORCE/1, TRANSLATIONAL, I=21, J=10\n",
       "model.adm:8:1: error: SFORCE/1: FUNCTION is missing (the force (positive pushes apart) or torque)\n"
       "    SFORCE/1, TRANSLATIONAL, I=21, J=10\n"
       "    ^~~~~~~~\n"},
      {"missing type", "JPRIM/6, I=21, J=10\n",
       "model.adm:8:1: error: JPRIM/6: its type is missing: one of ATPOINT, INLINE, INPLANE, ORIENTATION, "
       "PARALLEL_AXES or PERPENDICULAR\n"
       "    JPRIM/6, I=21, J=10\n"
       "    ^~~~~~~\n"},
      {"missing one of several", "MOTION/1, FUNCTION=TIME\n",
       "model.adm:8:1: error: MOTION/1: one of JOINT or I is missing\n"
       "    MOTION/1, FUNCTION=TIME\n"
       "    ^~~~~~~~\n"},
      {"repeated argument", "MARKER/30, PART=1, QP=1,2,3, QP=4,5,6, REULER=0,0,0\n",
       "model.adm:8:30: error: MARKER/30: QP is given twice\n"
       "    MARKER/30, PART=1, QP=1,2,3, QP=4,5,6, REULER=0,0,0\n"
       "                                 ^~\n"},
      {"repeated type", "JOINT/6, REVOLUTE, FIXED, I=21, J=10\n",
       "model.adm:8:20: error: JOINT/6: FIXED and REVOLUTE are mutually exclusive\n"
       "    JOINT/6, REVOLUTE, FIXED, I=21, J=10\n"
       "                       ^~~~~\n"},
      {"a word for a number",
       "PART/3, MASS=very heavy, CM=30\n"
       "MARKER/30, PART=3\n",
       "model.adm:8:14: error: PART/3: MASS needs a number, found very heavy\n"
       "    PART/3, MASS=very heavy, CM=30\n"
       "                 ^~~~~~~~~~\n"},
      {"a word for an id", "JOINT/6, REVOLUTE, I=hub, J=10\n",
       "model.adm:8:22: error: JOINT/6: I needs an id, found hub\n"
       "    JOINT/6, REVOLUTE, I=hub, J=10\n"
       "                         ^~~\n"},
      {"a fraction for an id", "JOINT/6, REVOLUTE, I=2.5, J=10\n",
       "model.adm:8:22: error: JOINT/6: I needs a whole number, found 2.5\n"
       "    JOINT/6, REVOLUTE, I=2.5, J=10\n"
       "                         ^~~\n"},
      {"a negative id", "JOINT/6, REVOLUTE, I=-21, J=10\n",
       "model.adm:8:22: error: JOINT/6: I needs an id, found -21\n"
       "    JOINT/6, REVOLUTE, I=-21, J=10\n"
       "                         ^~~\n"},
      {"a wrong word", "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METR, TIME=SECOND\n",
       "model.adm:8:43: error: UNITS: LENGTH=METR: not a value of LENGTH; did you mean METER?\n"
       "    UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METR, TIME=SECOND\n"
       "                                              ^~~~\n"
       "    try: LENGTH is one of METER, MILLIMETER, CENTIMETER, KILOMETER, INCH, FOOT, YARD, MILE, MILS, "
       "MICROINCH, MICROMETER, NANOMETER or ANGSTROM\n"},
      {"a wrong word in a list",
       "PART/3, MASS=1, CM=30, EXACT=X:Q\n"
       "MARKER/30, PART=3\n",
       "model.adm:8:32: error: PART/3: EXACT=Q: not a value of EXACT\n"
       "    PART/3, MASS=1, CM=30, EXACT=X:Q\n"
       "                                   ^\n"
       "    try: EXACT is one of X, Y, Z, PSI, THETA or PHI\n"},
      {"a value for a flag", "MARKER/30, PART=1, FLOATING=3\n",
       "model.adm:8:20: error: MARKER/30: FLOATING takes no value\n"
       "    MARKER/30, PART=1, FLOATING=3\n"
       "                       ^~~~~~~~~\n"},
      {"a flag for a value", "MARKER/30, PART\n",
       "model.adm:8:12: error: MARKER/30: PART needs a value: PART=…\n"
       "    MARKER/30, PART\n"
       "               ^~~~\n"},
      {"no value", "MARKER/30, PART=, QP=1,2,3\n",
       "model.adm:8:12: error: MARKER/30: PART has no value after '='\n"
       "    MARKER/30, PART=, QP=1,2,3\n"
       "               ^~~~\n"},
      {"no expression", "VARIABLE/1, FUNCTION=\\, IC=1\n",
       "model.adm:8:13: error: VARIABLE/1: FUNCTION has no value after '='\n"
       "    VARIABLE/1, FUNCTION=\\, IC=1\n"
       "                ^~~~~~~~\n"},
      {"too few values", "MARKER/30, PART=1, QP=1,2\n",
       "model.adm:8:23: error: MARKER/30: QP needs exactly 3 values, found 2\n"
       "    MARKER/30, PART=1, QP=1,2\n"
       "                          ^~~\n"},
      {"two values for one",
       "PART/3, MASS=1,2, CM=30\n"
       "MARKER/30, PART=3\n",
       "model.adm:8:16: error: PART/3: MASS takes one value\n"
       "    PART/3, MASS=1,2, CM=30\n"
       "                   ^\n"
       "    try: decimals are written with a point, not with a comma\n"},
      {"two ids for one", "JOINT/6, REVOLUTE, I=21,22, J=10\n",
       "model.adm:8:25: error: JOINT/6: I takes one value\n"
       "    JOINT/6, REVOLUTE, I=21,22, J=10\n"
       "                            ^\n"},
      {"a Fortran exponent",
       "PART/3, MASS=1.0D-3, CM=30\n"
       "MARKER/30, PART=3\n",
       "model.adm:8:14: error: PART/3: MASS: the number 1.0D-3 has a D, which means degrees here; write the "
       "exponent with E\n"
       "    PART/3, MASS=1.0D-3, CM=30\n"
       "                 ^~~~~~\n"},
      {"a number with a tail",
       "PART/3, MASS=1.5kg, CM=30\n"
       "MARKER/30, PART=3\n",
       "model.adm:8:14: error: PART/3: MASS: the number 1.5kg runs into other characters\n"
       "    PART/3, MASS=1.5kg, CM=30\n"
       "                 ^~~~~\n"
       "    try: numbers carry no unit of their own: UNITS says what all are in\n"},
      {"a letter for a digit",
       "PART/3, MASS=5O, CM=30\n"
       "MARKER/30, PART=3\n",
       "model.adm:8:14: error: PART/3: MASS: the number 5O runs into other characters\n"
       "    PART/3, MASS=5O, CM=30\n"
       "                 ^~\n"
       "    try: a letter O or l stands where a digit 0 or 1 may be meant\n"},
      {"a comment of another language", "// gravity\n",
       "model.adm:8:1: error: expected a statement such as PART/1, found // gravity\n"
       "    // gravity\n"
       "    ^\n"
       "    try: a comment begins with !\n"},
      {"a second line without its comma",
       "MARKER/30, PART=1\n"
       " QP=1,2,3\n",
       "model.adm:9:2: error: QP is not a statement\n"
       "     QP=1,2,3\n"
       "     ^~\n"
       "    try: QP is an argument of MARKER, above: a statement goes on in a line that begins with a "
       "comma\n"},
      {"a type in place of the statement", "SPHERICAL/9, I=21, J=10\n",
       "model.adm:8:1: error: SPHERICAL is not a statement\n"
       "    SPHERICAL/9, I=21, J=10\n"
       "    ^~~~~~~~~\n"
       "    try: it is one of JOINT: JOINT/…, SPHERICAL\n"},
      {"a number too large",
       "PART/3, MASS=1e999, CM=30\n"
       "MARKER/30, PART=3\n",
       "model.adm:8:14: error: PART/3: MASS: the number 1e999 is too large or too small for a number\n"
       "    PART/3, MASS=1e999, CM=30\n"
       "                 ^~~~~\n"},
      {"out of range",
       "PART/3, MASS=-1, CM=30\n"
       "MARKER/30, PART=3\n",
       "model.adm:8:14: error: PART/3: MASS = -1 must be >= 0\n"
       "    PART/3, MASS=-1, CM=30\n"
       "                 ^~\n"},
      {"too few arguments of a function", "VARIABLE/1, FUNCTION=STEP(TIME, 0, 0, 1)\n",
       "model.adm:8:22: error: VARIABLE/1: FUNCTION: STEP takes 5 arguments, 4 given\n"
       "    VARIABLE/1, FUNCTION=STEP(TIME, 0, 0, 1)\n"
       "                         ^~~~\n"
       "    try: STEP(x, x0, h0, x1, h1)\n"},
      {"unknown function", "VARIABLE/1, FUNCTION=2*STP(TIME, 0, 0, 1, 1)\n",
       "model.adm:8:24: error: VARIABLE/1: FUNCTION: unknown function STP\n"
       "    VARIABLE/1, FUNCTION=2*STP(TIME, 0, 0, 1, 1)\n"
       "                           ^~~\n"
       "    try: did you mean STEP?\n"},
      {"parenthesis never closed", "VARIABLE/1, FUNCTION=2*(TIME+1\n",
       "model.adm:8:24: error: VARIABLE/1: FUNCTION: '(' is never closed\n"
       "    VARIABLE/1, FUNCTION=2*(TIME+1\n"
       "                           ^\n"
       "    try: add the missing ')'\n"},
      {"parenthesis never opened, on another line",
       "VARIABLE/1, FUNCTION=STEP(TIME, 0, ! from\n"
       "! a comment\n"
       ", 0, 1, 1))\n",
       "model.adm:10:11: error: VARIABLE/1: FUNCTION: ')' closes nothing\n"
       "    , 0, 1, 1))\n"
       "              ^\n"
       "    try: remove it, or add the opening one before\n"},
      {"unknown id",
       "! adams_view_name='hub'\n"
       "MARKER/2202, PART=2\n"
       "JOINT/6, FIXED, I=2203, J=10\n",
       "model.adm:10:19: error: JOINT/6: I: MARKER/2203 is not in the model; nearest: MARKER/2202 'hub'\n"
       "    JOINT/6, FIXED, I=2203, J=10\n"
       "                      ^~~~\n"},
      {"unknown id in an expression",
       "! adams_view_name='hub'\n"
       "MARKER/2202, PART=2\n"
       "VARIABLE/1, FUNCTION=DZ(2203, 10)\n",
       "model.adm:10:25: error: VARIABLE/1: FUNCTION: MARKER/2203 is not in the model; nearest: MARKER/2202 "
       "'hub'\n"
       "    VARIABLE/1, FUNCTION=DZ(2203, 10)\n"
       "                            ^~~~\n"},
      {"unknown id of a kind that is not there", "VARIABLE/1, FUNCTION=AKISPL(TIME, 0, 4)\n",
       "model.adm:8:38: error: VARIABLE/1: FUNCTION: SPLINE/4 is not in the model; it has no SPLINE\n"
       "    VARIABLE/1, FUNCTION=AKISPL(TIME, 0, 4)\n"
       "                                         ^\n"},
      {"duplicate id",
       "! adams_view_name='first'\n"
       "MARKER/30, PART=1\n"
       "MARKER/30, PART=2\n",
       "model.adm:10:8: error: MARKER/30: duplicate id: MARKER/30 'first' is already defined on line 9\n"
       "    MARKER/30, PART=2\n"
       "           ^~\n"
       "    try: give one of them another id\n"},
      {"marker on the wrong body", "PART/3, MASS=1, CM=20, IP=1,1,1\n",
       "model.adm:8:20: error: PART/3: CM = MARKER/20 is on PART/2; it must be on this part\n"
       "    PART/3, MASS=1, CM=20, IP=1,1,1\n"
       "                       ^~\n"},
      {"both markers on one body", "JOINT/6, FIXED, I=20, J=21\n",
       "model.adm:8:25: error: JOINT/6: I and J are both on PART/2; it must act between two bodies\n"
       "    JOINT/6, FIXED, I=20, J=21\n"
       "                            ^~\n"},
      {"joint on a point mass",
       "! adams_view_name='ball'\n"
       "POINT_MASS/3, MASS=1, CM=30\n"
       "MARKER/30, POINT_MASS=3\n"
       "JOINT/6, REVOLUTE, I=30, J=10\n",
       "model.adm:11:22: error: JOINT/6: I = MARKER/30 is on POINT_MASS/3 'ball', which has no orientation\n"
       "    JOINT/6, REVOLUTE, I=30, J=10\n"
       "                         ^~\n"
       "    try: use SPHERICAL, or make the body a PART\n"},
      {"JFLOAT that does not float",
       "MARKER/30, PART=1\n"
       "VFORCE/1, I=21, JFLOAT=30, RM=10, FX=1\\FY=0\\FZ=0\n",
       "model.adm:9:24: error: VFORCE/1: JFLOAT = MARKER/30 must be a FLOATING marker\n"
       "    VFORCE/1, I=21, JFLOAT=30, RM=10, FX=1\\FY=0\\FZ=0\n"
       "                           ^~\n"
       "    try: write MARKER/30, …, FLOATING: the solver moves it\n"},
      {"J that floats",
       "MARKER/30, PART=1, FLOATING\n"
       "JOINT/6, FIXED, I=21, J=30\n",
       "model.adm:9:25: error: JOINT/6: J = MARKER/30 is a FLOATING marker, which has no fixed position\n"
       "    JOINT/6, FIXED, I=21, J=30\n"
       "                            ^~\n"
       "    try: name a fixed marker\n"},
      {"two grounds", "PART/9, GROUND\n",
       "model.adm:8:9: error: PART/9: there can be only one ground: PART/1 is already GROUND\n"
       "    PART/9, GROUND\n"
       "            ^~~~~~\n"
       "    try: keep one GROUND and give this part a mass\n"},
      {"no slash", "MARKER 30, PART=1\n",
       "model.adm:8:8: error: MARKER: expected '/' after MARKER\n"
       "    MARKER 30, PART=1\n"
       "           ^\n"
       "    try: MARKER/id, …\n"},
      {"no id", "MARKER/, PART=1\n",
       "model.adm:8:1: error: MARKER: expected an id after MARKER/\n"
       "    MARKER/, PART=1\n"
       "    ^~~~~~~~\n"
       "    try: MARKER/1, …\n"},
      {"an id with letters", "MARKER/3x, PART=1\n",
       "model.adm:8:8: error: MARKER: the id must be a whole number\n"
       "    MARKER/3x, PART=1\n"
       "           ^~\n"},
      {"an id too large", "MARKER/99999999999, PART=1\n",
       "model.adm:8:8: error: MARKER: the id is too large; ids go up to 2147483647\n"
       "    MARKER/99999999999, PART=1\n"
       "           ^~~~~~~~~~~\n"},
      {"an id where there is none", "ACCGRAV/1, KGRAV=-9\n",
       "model.adm:8:9: error: ACCGRAV: it takes no id\n"
       "    ACCGRAV/1, KGRAV=-9\n"
       "            ^\n"},
      {"two commas", "MARKER/30,, PART=1\n",
       "model.adm:8:11: error: MARKER/30: two commas with nothing between them\n"
       "    MARKER/30,, PART=1\n"
       "              ^\n"},
      {"no comma", "MARKER/30, PART=1 QP=1,2,3\n",
       "model.adm:8:19: error: MARKER/30: expected a comma before QP=1,2,3\n"
       "    MARKER/30, PART=1 QP=1,2,3\n"
       "                      ^\n"},
      {"quote not closed", "STRING/1, STRING=\"abc\n",
       "model.adm:8:18: error: STRING/1: the quote is not closed\n"
       "    STRING/1, STRING=\"abc\n"
       "                     ^\n"},
      {"a statement given again",
       "ACCGRAV/KGRAV=-9\n"
       "ACCGRAV/KGRAV=-9\n",
       "model.adm:9:1: warning: ACCGRAV: it is given more than once; only the last one counts\n"
       "    ACCGRAV/KGRAV=-9\n"
       "    ^~~~~~~~~~~~~~~~\n"},
      {"tabs", "MARKER/30,\tPART=1,\tPQ=1\n",
       "model.adm:8:20: error: MARKER/30: PQ is not an argument of MARKER; did you mean QP?\n"
       "    MARKER/30, PART=1, PQ=1\n"
       "                       ^~\n"},
      {"a latin-1 byte", "MARKER/30, PART=1, caf\351=1\n",
       "model.adm:8:20: error: MARKER/30: caf is not an argument of MARKER\n"
       "    MARKER/30, PART=1, caf·=1\n"
       "                       ^~~\n"
       "    try: arguments are PART POINT_MASS FLEX_BODY FE_PART CURVE SURFACE NODE_ID NODE_LABEL FLOATING "
       "RM QP REULER ZP XP USEXP VELOCITY\n"},
      {"a NUL byte", std::string("MAR\000KER/30, PART=1\n", 19),
       "model.adm:8:4: error: MARKER: expected '/' after MARKER\n"
       "    MAR·KER/30, PART=1\n"
       "       ^\n"
       "    try: MARKER/id, …\n"},
      {"X of a spline", "SPLINE/1, X=1,2,2,4, Y=1,2,3,4\n",
       "model.adm:8:13: error: SPLINE/1: X must increase: value 3 (2) does not exceed value 2 (2)\n"
       "    SPLINE/1, X=1,2,2,4, Y=1,2,3,4\n"
       "                ^~~~~~~\n"},
      {"size of a matrix", "MATRIX/1, FULL=RORDER, ROWS=2, COLUMNS=2, VALUES=1,2,3\n",
       "model.adm:8:50: error: MATRIX/1: 2 rows and 2 columns need 4 VALUES, found 3\n"
       "    MATRIX/1, FULL=RORDER, ROWS=2, COLUMNS=2, VALUES=1,2,3\n"
       "                                                     ^~~~~\n"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(test::check_adm(test::small_model(c.more)).messages(), c.messages) << c.what;
  }
}

TEST(Messages, OfWholeFiles) {
  const Case cases[] = {
      {"no END",
       "small\n"
       "PART/1, GROUND\n"
       "MARKER/10, PART=1\n"
       "PART/2, MASS=1, CM=20, IP=1,1,1\n"
       "MARKER/20, PART=2\n"
       "MARKER/21, PART=2\n"
       "JOINT/5, REVOLUTE, I=21, J=10\n",
       "model.adm:7:30: error: END is missing at the end of the model\n"
       "    JOINT/5, REVOLUTE, I=21, J=10\n"
       "                                 ^\n"
       "    try: add a line END; if the file was cut short, fetch it again\n"},
      {"no END and no line end",
       "small\n"
       "PART/1, GROUND\n"
       "MARKER/10, PART=1\n"
       "PART/2, MASS=1, CM=20, IP=1,1,1\n"
       "MARKER/20, PART=2\n"
       "MARKER/21, PART=2\n"
       "JOINT/5, REVOLUTE, I=21, J=10",
       "model.adm:7:29: error: END is missing at the end of the model\n"
       "    JOINT/5, REVOLUTE, I=21, J=10\n"
       "                                ^\n"
       "    try: add a line END; if the file was cut short, fetch it again\n"},
      {"no ground",
       "t\n"
       "PART/2, MASS=1, CM=20, IP=1,1,1\n"
       "MARKER/20, PART=2\n"
       "END\n",
       "error: the model has no ground part\n"
       "    try: add PART/1, GROUND, with the markers that stand still\n"},
      {"empty", "", "model.adm:1:1: error: the file is empty\n"},
      {"blank",
       "\n"
       " \n",
       "model.adm:1:1: error: the file is empty\n"},
      {"only a title", "hello\n",
       "model.adm:1:6: error: END is missing at the end of the model\n"
       "    hello\n"
       "         ^\n"
       "    try: add a line END; if the file was cut short, fetch it again\n"},
      {"binary", std::string("\177ELF\002\001\001\000\000\000\000\000", 12),
       "model.adm:1:1: error: the file is binary, not a model or command text\n"
       "    ·ELF········\n"
       "    ^\n"},
      {"UTF-16", std::string("\377\376s\000m\000", 6),
       "model.adm:1:1: error: the file is UTF-16 text\n"
       "    ··s·m·\n"
       "    ^\n"
       "    try: save it as plain text (UTF-8 or Latin-1)\n"},
      {"text after END",
       "small\n"
       "PART/1, GROUND\n"
       "MARKER/10, PART=1\n"
       "PART/2, MASS=1, CM=20, IP=1,1,1\n"
       "MARKER/20, PART=2\n"
       "MARKER/21, PART=2\n"
       "JOINT/5, REVOLUTE, I=21, J=10\n"
       "END\n"
       "PART/7\n",
       "model.adm:9:1: warning: text after END is not read\n"
       "    PART/7\n"
       "    ^~~~~~\n"},
  };
  for (const Case& c : cases) EXPECT_EQ(test::check_adm(c.more).messages(), c.messages) << c.what;
}

TEST(Messages, OfScripts) {
  const Case cases[] = {
      {"unknown command",
       "\n"
       "SIMULAT\n"
       "SIMULATES/STAT\n",
       "run.acf:3:1: error: SIMULATES is not a command; did you mean SIMULATE?\n"
       "    SIMULATES/STAT\n"
       "    ^~~~~~~~~\n"
       "    try: 'trunnion help' lists the commands\n"},
      {"unknown argument",
       "\n"
       "SIMULATE/DYNAMC, END=1\n",
       "run.acf:2:10: error: SIMULATE: DYNAMC is not an argument of SIMULATE; did you mean DYNAMICS?\n"
       "    SIMULATE/DYNAMC, END=1\n"
       "             ^~~~~~\n"},
      {"no id",
       "\n"
       "PART, MASS=1\n",
       "run.acf:2:5: error: PART: expected '/' after PART\n"
       "    PART, MASS=1\n"
       "        ^\n"
       "    try: PART/id, …\n"},
      {"no value",
       "\n"
       "SIMULATE/DYNAMIC, END\n",
       "run.acf:2:19: error: SIMULATE: END needs a value: END=…\n"
       "    SIMULATE/DYNAMIC, END\n"
       "                      ^~~\n"},
      {"empty", "", "run.acf:1:1: error: the file is empty\n"},
      {"binary", std::string("\000\001\002\003", 4),
       "run.acf:1:1: error: the file is binary, not a model or command text\n"
       "    ····\n"
       "    ^\n"},
      {"two kinds",
       "\n"
       "sim/stat, dyn\n",
       "run.acf:2:11: error: SIMULATE: DYN and STATICS are mutually exclusive\n"
       "    sim/stat, dyn\n"
       "              ^~~\n"},
      {"END",
       "\n"
       "sim/stat\n"
       "END\n",
       "run.acf:3:1: error: END is not a command\n"
       "    END\n"
       "    ^~~\n"
       "    try: a command file ends with STOP\n"},
  };
  for (const Case& c : cases) EXPECT_EQ(test::read_acf(c.more).messages(), c.messages) << c.what;
}

TEST(Messages, OfWindowsFilesAreTheSame) {
  const std::string text =
      test::small_model("MARKR/3, PART=1\nVARIABLE/1, FUNCTION=STEP(TIME,\n, 0, 0, 1)\n");
  std::string windows;
  for (const char c : text) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const std::string messages = test::check_adm(text).messages();
  EXPECT_NE(messages, "");
  EXPECT_EQ(test::check_adm(windows).messages(), messages);
}

TEST(Messages, MissingFile) {
  core::SourceSet sources;
  core::Diagnostics diagnostics;
  EXPECT_FALSE(lang::load_file("/no/such/model.adm", sources, diagnostics));
  EXPECT_FALSE(lang::load_file("/tmp", sources, diagnostics));
  EXPECT_EQ(core::render(diagnostics, sources),
            "error: cannot open /no/such/model.adm: No such file or directory\n"
            "error: /tmp is a folder, not a file\n");
}

TEST(Messages, AllErrorsOfAFileComeAtOnceInOrder) {
  const test::Read read = test::check_adm(
      "t\n"
      "PART/1, GROUND\n"
      "MARKER/1, PART=7\n"                // 3: reference
      "MARKR/2\n"                         // 4: syntax
      "VARIABLE/1, FUNCTION=SIN(TIME\n"   // 5: expression
      "PART/2, MASS=-1, CM=1\n"           // 6: range; CM on another body
      "SPLINE/1, X=1,2,3,3, Y=1,2,3,4\n"  // 7: data
      "PART/1, GROND\n"                   // 8: duplicate id, argument
      "END\n");
  std::vector<int> lines;
  for (const core::Diagnostic& d : read.diagnostics.all())
    lines.push_back(read.sources.file(1).position(d.span.begin).line);
  EXPECT_TRUE(std::is_sorted(lines.begin(), lines.end())) << read.messages();
  for (const int line : {3, 4, 5, 6, 7, 8}) {
    EXPECT_TRUE(std::find(lines.begin(), lines.end(), line) != lines.end()) << line << "\n"
                                                                            << read.messages();
  }
}

TEST(Messages, FiftyAtMost) {
  std::string more;
  for (int i = 0; i < 73; ++i) more += "BADLY/1\n";
  const std::string messages = test::check_adm(test::small_model(more)).messages();
  EXPECT_TRUE(messages.ends_with("… and 23 more errors\n")) << messages.substr(messages.size() - 200);
}

TEST(Messages, BytesOfEveryValueNeverCrash) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string c(1, static_cast<char>(byte));
    for (const std::string& more :
         {c, "MARKER/30, PART=1" + c, "MARKER/30" + c + ", PART=1", "MARKER/30, PART=" + c + "1",
          "STRING/1, STRING=a" + c + "b", "VARIABLE/1, FUNCTION=1" + c + "2", c + "MARKER/30, PART=1",
          "MARKER/30, " + c + "PART=1"}) {
      test::check_adm(test::small_model(more + "\n")).messages();
    }
  }
}

}  // namespace
}  // namespace trunnion
