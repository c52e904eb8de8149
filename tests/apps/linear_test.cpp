// LINEAR as a user runs it: which files it leaves, and the numbers in them against closed forms.
//
// Two masses in a row on springs with damping in proportion, c = β k. With x₁, x₂ the roots of det(K − x M) = 0 each mode has
// s = −β x / 2 ± i √(x − (β x / 2)²), the undamped frequency √x / 2π and the damping ratio β √x / 2.

#include <array>
#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "api/session/linear_files.hpp"
#include "api/session/project.hpp"
#include "api/session/run.hpp"
#include "apps/program.hpp"
#include "results/write/modes.hpp"

namespace trunnion {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr double kM1 = 2, kM2 = 3, kK1 = 800, kK2 = 500, kBeta = 0.01;
// Files have 15 digits or more; QR on a 4 by 4 matrix of condition 1e3 leaves some 4·2e-16·1e3 of a value.
constexpr double kDigits = 1e-11;

std::array<double, 2> squares() {
  const double a = kM1 * kM2, b = kM1 * kK2 + kM2 * (kK1 + kK2), c = kK1 * kK2;
  const double root = std::sqrt(b * b - 4 * a * c);
  return {(b - root) / (2 * a), (b + root) / (2 * a)};
}

const char* kModel =
    "two masses in a row\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
    "PART/1, GROUND\nMARKER/1, PART=1\n"
    "PART/2, MASS=2, CM=20, IP=1,1,1, QG=0,0,1\nMARKER/20, PART=2\n"
    "PART/3, MASS=3, CM=30, IP=1,1,1, QG=0,0,2\nMARKER/30, PART=3\n"
    "JOINT/1, TRANSLATIONAL, I=20, J=1\nJOINT/2, TRANSLATIONAL, I=30, J=1\n"
    "SPRINGDAMPER/1, TRANSLATION, I=20, J=1, K=800, C=8, LENGTH=1\n"
    "SPRINGDAMPER/2, TRANSLATION, I=30, J=20, K=500, C=5, LENGTH=1\n"
    "VARIABLE/1, FUNCTION=0\nVARIABLE/2, FUNCTION=DZ(30,1)\nPINPUT/1, VARIABLES=1\nPOUTPUT/1, VARIABLES=2\n"
    "SFORCE/1, TRANSLATION, ACTIONONLY, I=20, J=1, FUNCTION=VARVAL(1)\n";

class LinearProgram : public Program {
 protected:
  Ran linear(const std::string& commands, const std::string& more = "", const std::string& options = "") {
    put("p.adm", kModel + more + "END\n");
    put("p.acf", "\n" + commands + "STOP\n");
    return run("run p.adm p.acf " + options);
  }

  bool there(const std::string& name) { return fs::exists(folder_ / name); }

  // Matrix Market, whole and dense.
  std::vector<std::vector<double>> matrix(const std::string& file) {
    std::istringstream text(get(file));
    std::string head;
    std::getline(text, head);
    EXPECT_EQ(head, "%%MatrixMarket matrix array real general") << file;
    std::getline(text, head);
    EXPECT_EQ(head, "% Trunnion: LINEAR") << file;
    std::size_t rows = 0, columns = 0;
    text >> rows >> columns;
    std::vector<std::vector<double>> m(rows, std::vector<double>(columns, NAN));
    for (std::size_t j = 0; j < columns; ++j) {
      for (std::size_t i = 0; i < rows; ++i) text >> m[i][j];
    }
    EXPECT_TRUE(static_cast<bool>(text) || m.empty()) << file << " has too few numbers";
    return m;
  }

  void expect_matrix(const std::string& file, const std::vector<std::vector<double>>& expected) {
    const auto found = matrix(file);
    ASSERT_EQ(found.size(), expected.size()) << file;
    double largest = 0;
    for (const auto& row : expected) {
      for (const double value : row) largest = std::max(largest, std::abs(value));
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_EQ(found[i].size(), expected[i].size()) << file;
      for (std::size_t j = 0; j < found[i].size(); ++j)
        EXPECT_NEAR(found[i][j], expected[i][j], kDigits * largest) << file << " " << i << " " << j;
    }
  }

  void expect_eigenvalues(const std::string& file, double beta) {
    const auto hz = column(file, "undamped_frequency_hz"), damping = column(file, "damping_ratio"),
               real = column(file, "real"), imaginary = column(file, "imaginary");
    ASSERT_EQ(hz.size(), 2u) << file;
    for (std::size_t k = 0; k < 2; ++k) {
      const double x = squares()[k], omega = std::sqrt(x), decay = beta * x / 2;
      EXPECT_NEAR(hz[k], omega / (2 * M_PI), kDigits * omega) << file;
      EXPECT_NEAR(damping[k], beta * omega / 2, kDigits) << file;
      EXPECT_NEAR(real[k], -decay, kDigits * omega) << file;
      EXPECT_NEAR(imaginary[k], std::sqrt(x - decay * decay), kDigits * omega) << file;
    }
  }

  const std::vector<std::vector<double>> mass_{{kM1, 0}, {0, kM2}},
      stiffness_{{kK1 + kK2, -kK2}, {-kK2, kK2}},
      damping_{{kBeta * (kK1 + kK2), -kBeta*kK2}, {-kBeta * kK2, kBeta*kK2}};
};

TEST_F(LinearProgram, FilesOfModesHaveTheNumbersOfTheClosedForm) {
  const Ran ran = linear("LINEAR/EIGENSOL, KINETIC\n");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("t = 0: 2 modes of 4 eigenvalues, a pair being one mode\n"));
  EXPECT_THAT(
      ran.err,
      HasSubstr("eigenvalues in p.eig.csv, shapes in p.modes.csv, kinetic energies in p.kinetic.csv\n"));
  expect_eigenvalues("p.eig.csv", kBeta);
  // The second mass moves r times as far as the first.
  std::map<std::string, std::vector<double>> shapes;
  std::istringstream text(get("p.modes.csv"));
  std::string line;
  std::getline(text, line);
  EXPECT_EQ(line, "coordinate,mode_1_real,mode_1_imaginary,mode_2_real,mode_2_imaginary");
  while (std::getline(text, line)) {
    const std::size_t end = line.find("\",");
    std::istringstream numbers(line.substr(end + 2));
    for (std::string cell; std::getline(numbers, cell, ',');)
      shapes[line.substr(1, end - 1)].push_back(std::stod(cell));
  }
  const auto& first = shapes.at("PART/2 translation along z");
  const auto& second = shapes.at("PART/3 translation along z");
  const auto one = column("p.kinetic.csv", "\"PART/2\""), other = column("p.kinetic.csv", "\"PART/3\"");
  ASSERT_EQ(one.size(), 2u);
  for (std::size_t k = 0; k < 2; ++k) {
    const double r = (kK1 + kK2 - kM1 * squares()[k]) / kK2;
    EXPECT_NEAR(second[2 * k] / first[2 * k], r, 1e-8);  // of nine digits each
    EXPECT_NEAR(one[k], kM1 / (kM1 + kM2 * r * r), 1e-6);
    EXPECT_NEAR(other[k], kM2 * r * r / (kM1 + kM2 * r * r), 1e-6);
  }
}

TEST_F(LinearProgram, ASecondAnalysisLeavesTheFilesOfTheFirst) {
  put("p.eig-3.csv", "number,undamped_frequency_hz,damping_ratio,real,imaginary\nof an earlier run\n");
  put("p.eig-x.csv", "not ours\n");
  put("p-2.eig.csv", "of another run\n");
  const Ran ran = linear("LINEAR/EIGENSOL, KINETIC\nLINEAR/EIGENSOL, NODAMPIN, NOVECTOR\n");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("eigenvalues in p.eig-2.csv\n"));
  EXPECT_THAT(ran.err, HasSubstr("2 modes of 4 eigenvalues, a pair being one mode; damping left out"));
  expect_eigenvalues("p.eig.csv", kBeta);
  expect_eigenvalues("p.eig-2.csv", 0);
  EXPECT_TRUE(there("p.modes.csv") && there("p.kinetic.csv"));
  EXPECT_FALSE(there("p.modes-2.csv") || there("p.kinetic-2.csv") || there("p.eig-3.csv"));
  EXPECT_TRUE(there("p.eig-x.csv") && there("p-2.eig.csv"));
  // A later run leaves none of them standing beside its own.
  ASSERT_EQ(linear("LINEAR/EIGENSOL, NOVECTOR\n").code, 0);
  EXPECT_TRUE(there("p.eig.csv"));
  EXPECT_FALSE(there("p.eig-2.csv") || there("p.modes.csv") || there("p.kinetic.csv"));
}

TEST_F(LinearProgram, FilesOfTheUserStay) {
  const std::map<std::string, std::string> own{
      {"p.modes-7.csv", "coordinate,value\n"},
      {"p.eig-7.csv", "number,value\n"},
      {"p.kinetic.csv", "mode,share\n"},
      {"s.A.mtx", "%%MatrixMarket matrix array real general\n1 1\n5\n"},
      {"s.M-3.mtx", ""},
      {"s.K.txt", "1 2\n"},
      {"s_9.m", "x = 1;\n"},
  };
  for (const auto& [name, text] : own) put(name, text);
  // Twice: the second run removes what the first left, and nothing else.
  for (int k = 0; k < 2; ++k)
    ASSERT_EQ(linear("LINEAR/EIGENSOL\nLINEAR/MKB, FILE=s\nLINEAR/MKB, FILE=s\n").code, 0);
  for (const auto& [name, text] : own) {
    EXPECT_TRUE(there(name)) << name;
    EXPECT_EQ(get(name), text) << name;
  }
  ASSERT_EQ(linear("LINEAR/MKB, FORMAT=MATLAB, FILE=t\nLINEAR/EIGENSOL, KINETIC, FILE=t\n").code, 0);
  EXPECT_TRUE(there("t.M.txt") && there("t.M.mtx") && there("t.m"));
  EXPECT_TRUE(there("t.eig.csv") && there("t.modes.csv") && there("t.kinetic.csv"));
  ASSERT_EQ(linear("LINEAR/STATEMAT, FILE=t\nLINEAR/EIGENSOL, NOVECTOR, FILE=t\n").code, 0);
  EXPECT_FALSE(there("t.M.txt") || there("t.M.mtx") || there("t.modes.csv") || there("t.kinetic.csv"));
}

TEST_F(LinearProgram, FileNamesTheFilesOfModesToo) {
  const Ran ran =
      linear("LINEAR/EIGENSOL, FILE=first\nLINEAR/EIGENSOL, FILE=first, NODAMPIN\n", "", "--out o");
  ASSERT_EQ(ran.code, 0) << ran.err;
  expect_eigenvalues("o/first.eig.csv", kBeta);
  expect_eigenvalues("o/first.eig-2.csv", 0);
  EXPECT_TRUE(there("o/first.modes-2.csv"));
  EXPECT_FALSE(there("o/p.eig.csv"));
}

TEST_F(LinearProgram, StructuralMatricesAreThoseOfTheSprings) {
  const Ran ran = linear("LINEAR/MKB, FILE=s\nLINEAR/MKB, NODAMPIN, FILE=bare\n");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("M, K, B of 2 coordinates\n"));
  EXPECT_THAT(ran.err, HasSubstr("M, K, B of 2 coordinates; damping left out\n"));
  for (const char* base : {"s", "bare"}) {
    expect_matrix(std::string(base) + ".M.mtx", mass_);
    expect_matrix(std::string(base) + ".K.mtx", stiffness_);
  }
  expect_matrix("s.B.mtx", damping_);
  expect_matrix("bare.B.mtx", {{0, 0}, {0, 0}});
}

TEST_F(LinearProgram, StateMatricesInEveryForm) {
  const std::string file = (folder_ / "far" / "plant").string();
  fs::create_directories(folder_ / "far");
  const Ran ran = linear("LINEAR/STATEMAT, PINPUT=1, POUTPUT=1, FORMAT=MATLAB, FILE=" + file + "\n", "",
                         "--out o --allow-outside");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("matrices in " + file + ".m and " + file + ".*.mtx, " + file + ".*.txt\n"));
  std::vector<std::vector<double>> A{{0, 0, 1, 0}, {0, 0, 0, 1}};
  for (std::size_t i = 0; i < 2; ++i) {
    const double m = mass_[i][i];
    A.push_back({-stiffness_[i][0] / m, -stiffness_[i][1] / m, -damping_[i][0] / m, -damping_[i][1] / m});
  }
  expect_matrix("far/plant.A.mtx", A);
  expect_matrix("far/plant.B.mtx", {{0}, {0}, {1 / kM1}, {0}});
  expect_matrix("far/plant.C.mtx", {{0, 1, 0, 0}});
  expect_matrix("far/plant.D.mtx", {{0}});
  // What MATLAB's `load` takes: a row on a line.
  std::istringstream text(get("far/plant.A.txt"));
  std::string line;
  std::getline(text, line);
  EXPECT_EQ(line, "% Trunnion: LINEAR");
  for (const auto& row : A) {
    ASSERT_TRUE(std::getline(text, line));
    std::istringstream numbers(line);
    for (const double expected : row) {
      double found = NAN;
      numbers >> found;
      EXPECT_NEAR(found, expected, kDigits * 650);
    }
  }
  EXPECT_THAT(get("far/plant.m"), HasSubstr("% 1 PART/2 translation along z\n"));
  EXPECT_THAT(get("far/plant.m"), HasSubstr("C = zeros(1, 4);\nC(1, :) = [ 0 1 0 0 ];\n"));
}

TEST_F(LinearProgram, AFileThatCannotBeWrittenIsTold) {
  const Ran ran = linear("LINEAR/MKB, FORMAT=MATLAB, FILE=nowhere/s\n");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("LINEAR: FILE: there is no folder "));
  EXPECT_THAT(ran.err, HasSubstr("nowhere to write s.eig.csv into; make it first"));
  EXPECT_THAT(ran.err, Not(HasSubstr("assembled"))) << "refused before anything is computed";
  // What is in the way is not written over: the next number is free.
  for (const char* name : {"s.K.mtx", "s.K.txt", "s.m"}) {
    fs::create_directories(folder_ / name);
    EXPECT_THAT(linear("LINEAR/MKB, FORMAT=MATLAB, FILE=s\n").err,
                HasSubstr("matrices in s_2.m and s.*-2.mtx"));
    fs::remove(folder_ / name);
  }
}

// A number held as text is a string and its heap, eight times the number.
TEST_F(LinearProgram, MatricesAreWrittenWithoutHoldingTheirText) {
  constexpr Eigen::Index kSize = 1000;  // 8 MB of numbers, 64 MB as strings
  const Eigen::MatrixXd m = Eigen::MatrixXd::Random(kSize, kSize);
  const auto peak_kb = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  const long before = peak_kb();
  ASSERT_TRUE(api::write_matrix_market((folder_ / "m.mtx").string(), m));
  ASSERT_TRUE(api::write_plain((folder_ / "m.txt").string(), m));
  ASSERT_TRUE(api::write_matlab((folder_ / "m.m").string(), {}, {{"m", m}}));
  EXPECT_LT(peak_kb() - before, 4000);
  EXPECT_GT(fs::file_size(folder_ / "m.mtx"), 18u * kSize * kSize);
}

TEST_F(LinearProgram, OneFileForTwoKindsOfMatrices) {
  put("s_3.m", "% Trunnion: LINEAR, of an earlier run\n");
  put("s_4.m", "x = 1; % the user's own\n");
  put("s.A-5.mtx", "%%MatrixMarket matrix array real general\n% Trunnion: LINEAR\n0 0\n");
  const Ran ran = linear("LINEAR/STATEMAT, FILE=s\nLINEAR/MKB, FILE=s\n");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("matrices in s_2.m and s.*-2.mtx\n"));
  EXPECT_EQ(matrix("s.B.mtx").size(), 4u);  // of states: no inputs
  expect_matrix("s.B-2.mtx", damping_);
  EXPECT_FALSE(there("s_3.m") || there("s.A-5.mtx"));
  EXPECT_TRUE(there("s_4.m"));
}

// The second of FILE=a and the first of FILE=a_2 would both be a_2.m, in either order and however the folder is spelt.
TEST_F(LinearProgram, NoAnalysisWritesOverTheFilesOfAnother) {
  const std::string again = (folder_ / "a_2").string();
  const Ran ran = linear("LINEAR/MKB, FILE=a\nLINEAR/STATEMAT, FILE=a\nLINEAR/MKB, FILE=" + again + "\n");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(get("a.m"), HasSubstr("K = "));
  EXPECT_THAT(get("a_2.m"), HasSubstr("A = "));
  EXPECT_THAT(get("a_2_2.m"), HasSubstr("K = "));
  expect_matrix("a_2.K-2.mtx", stiffness_);
  ASSERT_EQ(linear("LINEAR/MKB, FILE=b_2\nLINEAR/MKB, FILE=b\nLINEAR/STATEMAT, FILE=b\n").code, 0);
  EXPECT_THAT(get("b_2.m"), HasSubstr("K = "));
  EXPECT_THAT(get("b_3.m"), HasSubstr("A = "));
}

TEST_F(LinearProgram, NumbersPassOverFilesOfTheUser) {
  put("s_2.m", "x = 1;\n");
  put("p.eig-2.csv", "mine\n");
  const Ran ran =
      linear("LINEAR/MKB, FILE=s\nLINEAR/MKB, FILE=s\nLINEAR/EIGENSOL\nLINEAR/EIGENSOL, NODAMPIN\n");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(get("s_2.m"), "x = 1;\n");
  EXPECT_EQ(get("p.eig-2.csv"), "mine\n");
  expect_matrix("s.K-3.mtx", stiffness_);
  expect_eigenvalues("p.eig-3.csv", 0);
}

TEST_F(LinearProgram, CoordsAreChecked) {
  const Ran zero = linear("LINEAR/EIGENSOL, COORDS=0\n");
  EXPECT_EQ(zero.code, 2);
  EXPECT_THAT(zero.err, HasSubstr("p.acf:2:25: error: LINEAR: COORDS = 0 must be >= 1"));
  const Ran falling = linear("LINEAR/EIGENSOL, COORDS=3,1\n");
  EXPECT_EQ(falling.code, 2);
  EXPECT_THAT(falling.err,
              HasSubstr("LINEAR: COORDS = 3, 1: the first mode comes after the last; try COORDS = 1, 3"));
  const Ran beyond = linear("LINEAR/EIGENSOL, COORDS=7,9\n");
  EXPECT_EQ(beyond.code, 0);
  EXPECT_THAT(beyond.err, HasSubstr("warning: LINEAR: COORDS=7,9: there are 2 modes; no shape is written"));
  EXPECT_FALSE(there("p.modes.csv"));
  const Ran some = linear("LINEAR/EIGENSOL, COORDS=2,9\n");
  EXPECT_THAT(some.err, HasSubstr("\nLINEAR: COORDS=2,9: there are 2 modes\n"));
  EXPECT_THAT(get("p.modes.csv"), HasSubstr("coordinate,mode_2_real,mode_2_imaginary\n"));
}

TEST_F(LinearProgram, ArgumentsWithoutEffectAreTold) {
  const Ran ran = linear("LINEAR/MKB, PINPUT=1, POUTPUT=1, FILE=s\nLINEAR/EIGENSOL, FORMAT=MATLAB\n");
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.err,
              HasSubstr("p.acf:2:20: warning: LINEAR: PINPUT has no effect with MKB; STATEMAT writes the "
                        "matrices of inputs and outputs"));
  EXPECT_THAT(ran.err, HasSubstr("warning: LINEAR: POUTPUT has no effect with MKB"));
  EXPECT_THAT(ran.err, HasSubstr("p.acf:3:25: warning: LINEAR: FORMAT has no effect with EIGENSOL"));
  EXPECT_THAT(linear("LINEAR/MKB, NODAMPIN, FILE=s\n").err, Not(HasSubstr("warning")));
}

TEST_F(LinearProgram, ModesOfAStoreAreToldAndLeftOut) {
  ASSERT_EQ(linear("LINEAR/EIGENSOL\nLINEAR/EIGENSOL, COORDS=2,2\n").code, 0);
  const Ran info = run("info p.h5");
  EXPECT_THAT(info.out, HasSubstr("rows         0\n"));
  char lines[200];
  const double slow = std::sqrt(squares()[0]) / (2 * M_PI), fast = std::sqrt(squares()[1]) / (2 * M_PI);
  std::snprintf(lines, sizeof lines,
                "modes        set 1 at t = 0: 2 modes, %.6g … %.6g Hz\n"
                "             set 2 at t = 0: 1 mode, %.6g … %.6g Hz\n",
                slow, fast, fast, fast);
  EXPECT_THAT(info.out, HasSubstr(lines));
  ASSERT_EQ(linear("LINEAR/EIGENSOL\n", "RESULTS/XRF, NOLINEAR\n").code, 0);
  std::vector<results::ModeSet> sets;
  std::string error;
  ASSERT_TRUE(results::read_modes((folder_ / "p.h5").string(), sets, error)) << error;
  EXPECT_TRUE(sets.empty());
  EXPECT_THAT(run("info p.h5").out, Not(HasSubstr("modes")));
  expect_eigenvalues("p.eig.csv", kBeta);
}

// Parts on bushings of their own: more states than a dense matrix is made for, and a real part that is rounding only.
TEST_F(LinearProgram, ALargeModelSaysHowToHaveMoreModes) {
  std::string model =
      "parts\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
      "PART=1\n";
  std::vector<double> omega;
  for (int i = 1; i <= 101; ++i) {
    const std::string id = std::to_string(i + 1);
    std::string stiffness;
    for (int axis = 0; axis < 3; ++axis) {
      const double k = 100 * (i + 0.3 * axis);
      stiffness += (axis > 0 ? "," : "") + std::to_string(k);
      omega.push_back(std::sqrt(k));
    }
    model += "PART/" + id + ", MASS=1, CM=" + id + "0, IP=1,1,1\nMARKER/" + id + "0, PART=" + id +
             "\nBUSHING/" + id + ", I=" + id + "0, J=1, K=" + stiffness + ", KT=1E6,2E6,3E6\n";
  }
  std::sort(omega.begin(), omega.end());
  put("l.adm", model + "END\n");
  put("l.acf", "\nLINEAR/EIGENSOL, NOVECTOR\nLINEAR/EIGENSOL, NOVECTOR, COORDS=1,25\nSTOP\n");
  const Ran ran = run("run l.adm l.acf");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("the 20 slowest modes only\n  try: COORDS=1,n for the n slowest\n"));
  EXPECT_THAT(ran.err, Not(HasSubstr("the 25 slowest modes only\n  try:")));
  const auto hz = column("l.eig-2.csv", "undamped_frequency_hz"), real = column("l.eig-2.csv", "real");
  ASSERT_EQ(hz.size(), 25u);
  // Found to 1e-10 of their distance from the shift, which is no more than a few times the slowest.
  for (std::size_t k = 0; k < hz.size(); ++k) {
    EXPECT_NEAR(hz[k], omega[k] / (2 * M_PI), 1e-8 * omega[k]) << k;
    EXPECT_EQ(real[k], 0) << k;
  }
}

// Six masses in a row without damping: the eigenvalue solver leaves real parts of some 1e-14.
TEST_F(LinearProgram, RoundingIsNoDamping) {
  std::string model =
      "row\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/10, "
      "PART=1\n";
  for (int i = 2; i <= 7; ++i) {
    const std::string id = std::to_string(i), before = std::to_string(i - 1);
    model += "PART/" + id + ", MASS=1." + id + ", CM=" + id + "0, IP=1,1,1, QG=0,0," + before + "\nMARKER/" +
             id + "0, PART=" + id + "\nJOINT/" + id + ", TRANSLATIONAL, I=" + id + "0, J=10\nSPRINGDAMPER/" +
             id + ", TRANSLATION, I=" + id + "0, J=" + before + "0, K=30" + id + ", LENGTH=1\n";
  }
  put("r.adm", model + "END\n");
  put("r.acf", "\nLINEAR/EIGENSOL\nSTOP\n");
  const Ran ran = run("run r.adm r.acf");
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const double real : column("r.eig.csv", "real")) EXPECT_EQ(real, 0);
  EXPECT_THAT(get("r.eig.csv"), Not(HasSubstr("-0")));
  EXPECT_THAT(ran.err, HasSubstr("6 modes of 12 eigenvalues"));
}

// Asked before and after each analysis: the third answer is the one before the second analysis.
TEST_F(LinearProgram, AScriptOfManyIsInterrupted) {
  const std::string model = put("p.adm", std::string(kModel) + "END\n"),
                    script = put("p.acf", "\nLINEAR/EIGENSOL\nLINEAR/EIGENSOL\nLINEAR/EIGENSOL\nSTOP\n");
  const api::Project project = api::load_project({model, script});
  for (const int stop : {1, 2, 3}) {
    api::RunOptions options;
    options.folder = (folder_ / std::to_string(stop)).string();
    int asked = 0;
    options.interrupted = [&] { return ++asked >= stop; };
    std::string said;
    const auto result = api::run(project, options, [&](const std::string& line) { said += line + "\n"; });
    EXPECT_EQ(result.status, api::RunStatus::interrupted) << said;
    EXPECT_THAT(said, Not(HasSubstr("error")));
    EXPECT_EQ(there(std::to_string(stop) + "/p.eig.csv"), stop > 1);
    EXPECT_FALSE(there(std::to_string(stop) + "/p.eig-2.csv"));
  }
}

// The manual's example says what the program says.
TEST_F(LinearProgram, TheExampleOfTheManual) {
  std::ifstream file(TRUNNION_SOURCE_DIR "/docs/manual/linear.md");
  std::vector<std::string> blocks;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) blocks.emplace_back();
    } else if (inside) {
      blocks.back() += line + "\n";
    }
  }
  ASSERT_GE(blocks.size(), 2u);
  put("modes.acf", blocks[0]);
  const Ran ran = run("run " TRUNNION_SOURCE_DIR "/examples/suspension/suspension.adm modes.acf");
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.err, HasSubstr(blocks[1]));
  expect_matrix("quarter.K.mtx", {{20000, -20000}, {-20000, 200000}});
}

}  // namespace
}  // namespace trunnion
