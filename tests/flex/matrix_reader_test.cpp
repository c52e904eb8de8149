// The text of matrices as FORTRAN programs write it, and texts that were spoiled on the way.

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "system/compile/matrix_data.hpp"

namespace trunnion::system {
namespace {

using ::testing::StartsWith;

Eigen::MatrixXd read_one(const std::string& head, const std::string& lines) {
  std::string trouble;
  const auto all = matrix_text("ADAMSMAT2\n1\nA\nA " + head + "\n" + lines, "text", trouble);
  EXPECT_TRUE(all.has_value()) << head << ": " << trouble;
  return all ? all->front().values : Eigen::MatrixXd();
}

Eigen::MatrixXd two_by_three() {
  Eigen::MatrixXd A(2, 3);
  A << 1.5, -2.25, 300, 0, -0.5, 1e-104;
  return A;
}

// The same six numbers, as each edit descriptor puts them.
TEST(MatrixReader, EveryFormatOfNumbers) {
  const Eigen::MatrixXd A = two_by_three();
  const std::string full = "FULL RORDER 2 3 6 ";
  // Fields that touch one another, D exponents, exponents of three digits without a letter.
  EXPECT_EQ(read_one(full + "(3D12.4)",
                     "  1.5000D+00 -2.2500D+00  3.0000D+02\n  0.0000D+00 -5.0000D-01  1.0000-104\n"),
            A);
  EXPECT_EQ(
      read_one(full + "(6E11.4)", " 1.5000E+00-2.2500E+00 3.0000E+02 0.0000E+00-5.0000E-01 1.0000-104\n"), A);
  EXPECT_EQ(read_one(full + "( 1P, 2E12.4 )",
                     " 1.5000E+00 -2.2500E+00\n  3.0000E+02  0.0000E+00\n -5.0000E-01  1.000E-104\n"),
            A);
  EXPECT_EQ(read_one(full + "(2(1X,E12.4),1X,G12.4)",
                     "   1.5000E+00  -2.2500E+00   3.0000E+02\n   0.0000E+00  -5.0000E-01   1.0000-104\n"),
            A);
  // A blank field is zero; numbers go on over lines as the format has it; a line may be longer than its fields.
  EXPECT_EQ(read_one(full + "(2F10.3,E12.4)",
                     "     1.500    -2.250  3.0000E+02  rest\n              -0.500  1.0000-104\n"),
            A);
  // A number without a point has one before its last digits.
  EXPECT_EQ(read_one("FULL CORDER 2 1 2 (2F6.2)", "   150  -225\n"),
            (Eigen::MatrixXd(2, 1) << 1.5, -2.25).finished());
  // Free form, commas, both ends of a line.
  EXPECT_EQ(read_one(full + "(*)", "1.5, -2.25\n300 0\n\n-0.5 , 1d-104\n"), A);
  EXPECT_EQ(read_one("FULL CORDER 2 3 6", "1.5 0 -2.25 -0.5 300 1e-104\r\n"), A);
}

TEST(MatrixReader, SparseByEntriesOrByLists) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2, 3);
  A(0, 1) = 7;
  A(1, 2) = -8;
  EXPECT_EQ(read_one("SPARSE 2 3 2 (2I4,D12.4)", "   1   2  7.0000D+00\n   2   3 -8.0000D+00\n"), A);
  EXPECT_EQ(read_one("SPARSE RORDER 2 3 2 ( 2(2I4,E12.4) )", "   1   2  7.0000E+00   2   3 -8.0000E+00\n"),
            A);
}

// Whatever was done to a file, it is read or refused with its name and line; nothing crashes, hangs or takes memory for what is not there.
TEST(MatrixReader, SpoiledTextsAreReadOrRefused) {
  const std::string good =
      "ADAMSMAT2 a body\n  4\nINVAR1 INVAR2\nSELNOD T_MODE\n"
      "INVAR1 FULL RORDER 1 1 1 (5E24.16)\n  0.1200000000000000E+02\n"
      "INVAR2 FULL CORDER 3 1 3 (3D12.4)\n  1.5000D+00 -2.2500D+00  3.0000D+02\n"
      "SELNOD FULL RORDER 2 4 8 ( 1I8, 3E14.6 )\n"
      "       1  0.000000E+00  0.000000E+00  0.100000E+01\n       7  0.000000E+00  0.200000E+00  "
      "0.100000E+01\n"
      "T_MODE SPARSE 6 2 3 (2I8,E24.16)\n       1       1  0.1000000000000000E+01\n       4       2 "
      "-0.1000000000000000E+01\n"
      "       6       1  0.5000000000000000E+00\n";
  std::string trouble;
  ASSERT_TRUE(matrix_text(good, "good", trouble)) << trouble;
  std::mt19937 random(7);
  const std::string letters = "0123456789 -+.,()EDIXFP*\n\t\rA\xff";
  int refused = 0;
  constexpr int kTexts = 3000;
  for (int k = 0; k < kTexts; ++k) {
    std::string text = good;
    const auto any = [&](std::size_t below) { return static_cast<std::size_t>(random()) % below; };
    for (std::size_t edits = 1 + any(4); edits > 0 && !text.empty(); --edits) {
      const std::size_t at = any(text.size());
      switch (any(5)) {
        case 0: text[at] = letters[any(letters.size())]; break;
        case 1: text.insert(at, 1 + any(12), letters[any(letters.size())]); break;
        case 2: text.erase(at, 1 + any(40)); break;
        case 3: text.resize(at); break;
        default: text.insert(at, text.substr(any(text.size()), 1 + any(60)));
      }
    }
    SCOPED_TRACE(text);
    trouble.clear();
    const auto all = matrix_text(text, "spoiled", trouble);
    if (all) {
      for (const NamedMatrix& m : *all) EXPECT_TRUE(m.values.allFinite());
      continue;
    }
    ++refused;
    EXPECT_THAT(trouble, StartsWith("spoiled:"));
    EXPECT_GT(std::atoi(trouble.c_str() + std::string("spoiled:").size()), 0) << trouble;
  }
  EXPECT_GT(refused, kTexts / 2);  // most of them are spoiled indeed
}

}  // namespace
}  // namespace trunnion::system
