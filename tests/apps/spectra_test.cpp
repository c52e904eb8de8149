// spectra as a user runs it.

#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/program.hpp"

namespace trunnion {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST_F(Program, SpectraOfFormulas) {
  const Ran table = run("spectra BATHE:0.6 esdirk34");
  EXPECT_EQ(table.code, 0);
  EXPECT_EQ(table.err, "");
  EXPECT_THAT(table.out, HasSubstr("\nBATHE                  0.6    0.0024    0.1740"));
  EXPECT_THAT(table.out, HasSubstr("\nESDIRK34                 0    0.1306    0.0292"));
  EXPECT_EQ(run("spectra BATHE -o s.csv").code, 0);
  EXPECT_THAT(get("s.csv"),
              StartsWith("formula,rho_inf,x,decay_percent,elongation_percent,radius\nBATHE,0,0.005,"));
  EXPECT_THAT(get("s.csv"), HasSubstr("\nBATHE,0,0.3,"));  // no rounding of sums shows
  EXPECT_EQ(run("spectra TRAPEZOIDAL -o s.csv").code, 0);
  EXPECT_THAT(get("s.csv"), Not(HasSubstr(",-0,")));
  EXPECT_EQ(run("spectra BATHE -o s.svg").code, 0);
  EXPECT_THAT(get("s.svg"), StartsWith("<svg "));
  EXPECT_EQ(run("spectra BATHE -o s.html").code, 0);
  EXPECT_THAT(get("s.html"), StartsWith("<!doctype html>"));
}

// Explicit formulas leave the range of numbers at long steps: there they have no spectrum, and no column runs into the next.
TEST_F(Program, SpectraOfExplicitFormulasEndWhereTheyOverflow) {
  const Ran ran = run("spectra DOP853 RKF45");
  EXPECT_EQ(ran.code, 0) << ran.err;
  std::istringstream lines(ran.out);
  std::string line;
  std::getline(lines, line);
  std::getline(lines, line);
  for (const char* name : {"DOP853", "RKF45"}) {
    std::getline(lines, line);
    std::istringstream cells(line);
    const std::vector<std::string> words{std::istream_iterator<std::string>(cells), {}};
    ASSERT_EQ(words.size(), 11u) << line;
    EXPECT_EQ(words[0], name);
    EXPECT_EQ(words[1], "inf");
  }
  EXPECT_EQ(run("spectra DOP853 -o s.csv").code, 0);
  EXPECT_THAT(get("s.csv"), Not(HasSubstr("nan")));
}

TEST_F(Program, SpectraSaysWhatItCannotDo) {
  Ran ran = run("spectra BATE");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("did you mean BATHE?"));
  ran = run("spectra GSTIFF");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("GSTIFF changes its order as it goes and has no one spectrum"));
  ran = run("spectra ESDIRK34:0.5");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("ESDIRK34 takes no RHO"));
  ran = run("spectra BATHE -o s.txt");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("must end in .html, .svg or .csv"));
}

}  // namespace
}  // namespace trunnion
