// What other programs write: read back, and damaged.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "flex/block.hpp"
#include "flex/body_file.hpp"
#include "flex/deck.hpp"
#include "flex/input_error.hpp"
#include "flex/matrix_files.hpp"
#include "flex/mbdyn_fem.hpp"
#include "flex/text_lines.hpp"

namespace trunnion::flex {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "trunnion-flex-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    std::error_code code;
    fs::remove_all(folder_, code);
  }
  fs::path put(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  // What is said of a file of this text, without its folder.
  std::string said(const std::string& name, const std::string& text,
                   const std::function<void(const fs::path&)>& read) {
    try {
      read(put(name, text));
    } catch (const InputError& error) {
      std::string what = error.what();
      const std::string folder = folder_.string() + "/";
      for (std::size_t at = what.find(folder); at != std::string::npos; at = what.find(folder))
        what.erase(at, folder.size());
      return what;
    }
    return "nothing";
  }
  fs::path folder_;
};

const auto kMatrix = [](const fs::path& path) { read_matrix(path); };
const auto kDeck = [](const fs::path& path) { read_deck(path); };
const auto kFem = [](const fs::path& path) {
  std::vector<std::string> notes;
  read_mbdyn(path, notes);
};

Eigen::MatrixXd sample() {
  Eigen::MatrixXd A(3, 3);
  A << 4, -1, 0, -1, 5, 0.25, 0, 0.25, 6;
  return A;
}

constexpr const char* kMarket =
    "%%MatrixMarket matrix coordinate real symmetric\n% a comment\n3 3 5\n1 1 4\n2 1 -1.0\n2 2 5\n3 2 "
    "2.5D-1\n3 3 6\n";
constexpr const char* kAbaqus =
    "1,1, 1,1, 4\n1,1, 1,2, -1\n1,2, 1,1, -1\n1,2, 1,2, 5.\n1,2, 2,1, 0.25\n2,1, 2,1, 6\n";
// Fields that touch, full columns; then strings in the small form; then in the large one.
constexpr const char* kFull =
    "       3       3       6       2KAA     1P,3E16.9\n       1       1       2\n "
    "4.000000000E+00-1.000000000E+00\n"
    "       2       1       3\n-1.000000000E+00 5.000000000E+00 2.500000000E-01\n       3       2       2\n"
    " 2.500000000E-01 6.000000000E+00\n       4       1       1\n 1.000000000E+00\n";
constexpr const char* kStrings =
    "       3       3       6       2KAA     1P,3E16.9\n       1       0       5\n  327681\n "
    "4.000000000E+00-1.000000000E+00\n"
    "       2       0       4\n  196609\n-1.000000000E+00\n  327682\n 5.000000000E+00 2.500000000E-01\n      "
    " 3       0       5\n"
    "  327682\n 2.500000000E-01 6.000000000E+00\n       4       1       1\n 1.000000000E+00\n";
constexpr const char* kLarge =
    "       3      -3       6       2KAA     1P,3E16.9\n       1       0       6\n       5       1\n"
    " 4.000000000E+00-1.000000000E+00\n       2       0       8\n       3       1\n-1.000000000E+00\n       "
    "5       2\n"
    " 5.000000000E+00 2.500000000E-01\n       3       0       6\n       5       2\n 2.500000000E-01 "
    "6.000000000E+00\n"
    "       4       1       1\n 1.000000000E+00\n";

TEST_F(Files, MatricesInEveryForm) {
  for (const char* text : {kMarket, kAbaqus, kFull, kStrings, kLarge}) {
    const LabelledMatrix found = read_matrix(put("a.mtx", text));
    EXPECT_EQ(Eigen::MatrixXd(found.values), sample()) << text;
  }
  const LabelledMatrix labelled = read_matrix(put("a.mtx", kAbaqus));
  EXPECT_EQ(labelled.labels, (std::vector<std::pair<int, int>>{{1, 0}, {1, 1}, {2, 0}}));
  std::string second = kFull;
  for (std::size_t at = second.find("KAA"); at != std::string::npos; at = second.find("KAA"))
    second.replace(at, 3, "MAA");
  second.replace(second.find(" 4.0000"), 7, " 7.0000");
  EXPECT_EQ(read_matrix(put("two.op4", kStrings + second), "MAA").values.coeff(0, 0), 7.0);
}

TEST_F(Files, DamagedMatricesAreToldWithTheirLine) {
  EXPECT_EQ(said("a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 1 4\n4 1 2\n", kMatrix),
            "a.mtx:4: row or column 4 of a matrix of size 3");
  EXPECT_EQ(said("a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 1 4\n", kMatrix),
            "a.mtx:3: the file ends after 1 of 2 entries");
  EXPECT_EQ(said("a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 1 4x\n", kMatrix),
            "a.mtx:3: '4x' is not a number");
  EXPECT_EQ(said("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 4\n2 1 4\n", kMatrix),
            "a.mtx: the matrix is not symmetric; mass and stiffness are");
  EXPECT_EQ(
      said("a.mtx", "%%MatrixMarket matrix coordinate real general\n999999999 999999999 1\n1 1 4\n", kMatrix),
      "a.mtx:2: 1 entries are too few for 999999999 rows");
  EXPECT_EQ(said("a.mtx", "1,7, 1,1, 4\n", kMatrix), "a.mtx:1: directions are 1 to 6");
  EXPECT_THAT(said("a.mtx", "ADAMSMAT2\n", kMatrix), HasSubstr("a file of matrices of a flexible body"));
  EXPECT_THAT(said("a.mtx", "hello\n", kMatrix), HasSubstr("a.mtx:1: neither Matrix Market"));
  EXPECT_EQ(said("a.mtx", "", kMatrix), "a.mtx: the file is empty");
  std::string complex = kFull;
  complex[31] = '4';
  EXPECT_EQ(said("a.op4", complex, kMatrix), "a.op4:1: KAA has type 4; mass and stiffness are real (1 or 2)");
  EXPECT_EQ(said("a.op4", std::string(kFull).substr(0, std::string(kFull).find("       2       1")), kMatrix),
            "a.op4:3: the file ends inside of matrix KAA");
}

constexpr const char* kSmallDeck =
    "** a comment\n*Heading\n text\n*NODE, NSET=All\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 0., 1., 0.\n4, 0., 0., "
    "1.\n*ELEMENT, TYPE=C3D4, ELSET=E\n"
    "1, 1, 2,\n3, 4\n*NSET, NSET=TWO, GENERATE\n1, 3, 2\n*NSET, NSET=more\nTWO, 4\n*BOUNDARY\n1, 1, "
    "3\n*MATERIAL, NAME=M\n*ELASTIC\n1., 0.3\n"
    "*STEP\n*STATIC\n*CLOAD\n1, 1, 5.\n*END STEP\n*DENSITY\n1.\n";

TEST_F(Files, ADeckKeepsWhatMakesTheMatrices) {
  const Deck deck = read_deck(put("part.inp", kSmallDeck));
  EXPECT_EQ(deck.model.nodes.size(), 4U);
  ASSERT_EQ(deck.model.elements.size(), 1U);
  EXPECT_EQ(deck.model.elements[0].nodes, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(deck.model.sets.at("MORE"), (std::vector<int>{1, 3, 4}));
  EXPECT_EQ(deck.left_out, (std::vector<std::string>{"*BOUNDARY", "*STEP and all inside"}));
  EXPECT_THAT(deck.text, HasSubstr("*DENSITY\n1.\n"));
  EXPECT_THAT(deck.text, testing::Not(HasSubstr("CLOAD")));
  EXPECT_THAT(deck.text, testing::Not(HasSubstr("BOUNDARY")));
}

TEST_F(Files, IncludesArePutInPlace) {
  put("nodes.inc", "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n");
  const Deck deck =
      read_deck(put("part.inp", "*INCLUDE, INPUT=nodes.inc\n*ELEMENT, TYPE=SPRINGA, ELSET=S\n1, 1, 2\n"));
  EXPECT_EQ(deck.model.nodes.size(), 2U);
  EXPECT_THAT(deck.text, HasSubstr("2, 1, 0, 0\n*ELEMENT"));
  EXPECT_EQ(said("round.inp", "*INCLUDE, INPUT=round.inp\n", kDeck), "round.inp: *INCLUDE goes in circles");
  EXPECT_EQ(said("a.inp", "*INCLUDE, INPUT=none.inc\n", kDeck),
            "a.inp:1: *INCLUDE: there is no file none.inc");
}

TEST_F(Files, DecksThatCannotBeUsedAreToldWithTheirLine) {
  EXPECT_EQ(said("a.inp", "*NODE\n1, 0, zero, 0\n", kDeck), "a.inp:2: 'zero' is not a number");
  EXPECT_EQ(
      said("a.inp", "*NODE\n1, 0, 0, 0\n*ELEMENT, TYPE=C3D4\n7, 1, 2, 3, 4\n", kDeck),
      "a.inp:4: element 7 has node 2, which is not there\na.inp:4: element 7 has node 3, which is not there\n"
      "a.inp:4: element 7 has node 4, which is not there");
  EXPECT_THAT(said("a.inp", "*ELEMENT, TYPE=S4R\n", kDeck), HasSubstr("a.inp:1: elements of type S4R"));
  EXPECT_THAT(said("a.inp", "*TRANSFORM\n", kDeck), HasSubstr("*TRANSFORM"));
  EXPECT_EQ(said("a.inp", "*NSET, NSET=A\nB\n", kDeck), "a.inp:2: there is no node set B yet");
  EXPECT_EQ(said("a.inp", "*NODE\n1, 0, 0, 0\n", kDeck), "a.inp: there are no elements (*ELEMENT)");
}

// Two masses on a line: one mode of the spring between them, and a rigid one that must go.
std::string small_fem() {
  return "** MBDyn MODAL DATA FILE\n** RECORD GROUP 1, HEADER\n**   REVISION, NODE, NORMAL, ATTACHMENT, "
         "CONSTRAINT, REJECTED\n"
         "  REV0 2 2 0 0 0\n** RECORD GROUP 2, FINITE ELEMENT NODE LIST\n 9 4\n** RECORD GROUP 5, NODAL X "
         "COORDINATES\n1.\n-1.\n"
         "** RECORD GROUP 6, NODAL Y COORDINATES\n0.\n1.\n** RECORD GROUP 7, NODAL Z COORDINATES\n0.\n0.\n"
         "** RECORD GROUP 8, NON-ORTHOGONALIZED MODE SHAPES\n**    NORMAL MODE SHAPE #  1\n1 0 0 0 0 0\n1 0 "
         "0 0 0 0\n"
         "**    NORMAL MODE SHAPE #  2\n1 0 0 0 0 0\n-1 0 0 0 0 0\n"
         "** RECORD GROUP 9, MODAL MASS MATRIX\n4 0\n0 4\n** RECORD GROUP 10, MODAL STIFFNESS MATRIX\n0 0\n0 "
         "400\n"
         "** RECORD GROUP 11, DIAGONAL OF LUMPED MASS MATRIX\n2 2 2 0.1 0.1 0.1\n2 2 2 0.1 0.1 0.1\n";
}

TEST_F(Files, MbdynsModesLoseTheirRigidOnes) {
  std::vector<std::string> notes;
  const ModalBody body = read_mbdyn(put("two.fem", small_fem()), notes);
  ASSERT_EQ(body.modes(), 1);
  EXPECT_NEAR(body.eigenvalues[0], 100, 1e-12);
  EXPECT_EQ(body.nodes[0].id, 4);  // ascending
  EXPECT_NEAR(body.inertia.I1, 4, 1e-14);
  EXPECT_LT((body.inertia.I2 - Eigen::Vector3d(0, 2, 0)).norm(), 1e-14);
  EXPECT_NEAR(body.inertia.I7(2, 2), 2 * 2 + 2 * 1 + 0.2, 1e-13);
  EXPECT_NEAR(body.inertia.I3.norm(), 0, 1e-14);
  EXPECT_NEAR(std::abs(body.translation(0, 0)), 0.5, 1e-14);
  EXPECT_THAT(notes, testing::Contains(HasSubstr("1 rigid motions were taken out")));
  std::string without = small_fem();
  without.erase(without.find("** RECORD GROUP 11"));
  EXPECT_THAT(said("a.fem", without, kFem), HasSubstr("neither nodal masses (RECORD GROUP 11)"));
  EXPECT_EQ(said("a.fem", small_fem() + "7\n", kFem),
            "a.fem: RECORD GROUP 11 has 13 numbers; 2 nodes and 2 modes need 12");
  EXPECT_THAT(said("a.fem", "nothing\n", kFem), HasSubstr("no sizes (RECORD GROUP 1)"));
}

// Bytes changed, cut and doubled: a complaint or a matrix, nothing else.
TEST_F(Files, DamageIsToldOrHarmless) {
  std::uint64_t seed = 20;
  const auto draw = [&](std::size_t below) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::size_t>((seed >> 33) % below);
  };
  const std::string letters = "0123456789 ,.-+*E\n%DxN=";
  const std::vector<std::pair<std::string, std::function<void(const fs::path&)>>> all{
      {kMarket, kMatrix},
      {kAbaqus, kMatrix},
      {kFull, kMatrix},
      {kStrings, kMatrix},
      {kLarge, kMatrix},
      {kSmallDeck, kDeck},
      {small_fem(), kFem},
      {"1 0 0 0\n2 1. 0 0\n", [](const fs::path& p) { read_nodes(p); }},
      {"1.1\n1.2\n2.3\n", [](const fs::path& p) { read_dofs(p); }}};
  int refused = 0, taken = 0;
  for (const auto& [text, read] : all) {
    for (int k = 0; k < 150; ++k) {
      std::string damaged = text;
      for (std::size_t n = 1 + draw(3); n > 0; --n) {
        const std::size_t at = draw(damaged.size());
        if (const std::size_t kind = draw(4); kind == 0) damaged.resize(at + 1);
        else if (kind == 1) damaged.insert(at, damaged.substr(at, draw(20)));
        else damaged[at] = letters[draw(letters.size())];
      }
      try {
        read(put("damaged", damaged));
        ++taken;
      } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("damaged")) << damaged;
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 300);
  EXPECT_GT(taken, 50);
}

TEST_F(Files, ADamagedBodyFileIsRefused) {
  EXPECT_THAT(said("a.flex.h5", "no HDF5", [](const fs::path& p) { read_check(p); }),
              HasSubstr("this is no flexible body of trunnion flex"));
}

}  // namespace
}  // namespace trunnion::flex
