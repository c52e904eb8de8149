// trunnion flex as a user runs it: from matrices, without CalculiX; from a deck, where it is installed.

#include <cmath>
#include <cstdlib>
#include <numbers>

#include <Eigen/Dense>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "apps/program.hpp"
#include "flex/block.hpp"

namespace trunnion::flex {
namespace {

using testing::HasSubstr;

std::string market(const SparseMatrix& A) {
  std::string out;
  int count = 0;
  for (int c = 0; c < A.outerSize(); ++c) {
    for (SparseMatrix::InnerIterator e(A, c); e; ++e) {
      if (e.row() < c) continue;
      out += fmt::format("{} {} {:.17g}\n", e.row() + 1, c + 1, e.value());
      ++count;
    }
  }
  return fmt::format("%%MatrixMarket matrix coordinate real symmetric\n{} {} {}\n", A.rows(), A.cols(),
                     count) +
         out;
}

std::string deck_of(const Block& b, const FeModel& model) {
  std::string out = "*NODE, NSET=ALL\n";
  for (const Node& n : model.nodes)
    out +=
        fmt::format("{}, {:.17g}, {:.17g}, {:.17g}\n", n.id, n.position.x(), n.position.y(), n.position.z());
  out += "*ELEMENT, TYPE=C3D8, ELSET=E\n";
  for (const Element& e : model.elements) {
    out += std::to_string(e.id);
    for (const int n : e.nodes) out += ", " + std::to_string(model.nodes[static_cast<std::size_t>(n)].id);
    out += "\n";
  }
  for (const auto& [name, ids] : model.sets) {
    out += "*NSET, NSET=" + name + "\n";
    for (const int id : ids) out += std::to_string(id) + ",\n";
  }
  return out +
         fmt::format(
             "*MATERIAL, NAME=M\n*ELASTIC\n{:.17g}, {}\n*DENSITY\n{}\n*SOLID SECTION, ELSET=E, MATERIAL=M\n",
             b.E, b.nu, b.rho);
}

class FlexCommand : public Program {
 protected:
  void put_matrices(const FeModel& model) {
    put("K.mtx", market(model.K));
    put("M.mtx", market(model.M));
    std::string nodes = "# number x y z\n";
    for (const Node& n : model.nodes)
      nodes +=
          fmt::format("{} {:.17g} {:.17g} {:.17g}\n", n.id, n.position.x(), n.position.y(), n.position.z());
    put("nodes.txt", nodes);
  }
  // The numbers of a matrix in a file that was written.
  std::vector<double> matrix(const std::string& file, const std::string& name) {
    std::istringstream text(get(file));
    std::vector<double> out;
    for (std::string line; std::getline(text, line);) {
      if (!line.starts_with(name + " FULL")) continue;
      std::istringstream head(line);
      std::string word;
      std::size_t count = 0;
      head >> word >> word >> word >> count >> count >> count;
      double value = 0;
      while (out.size() < count && text >> value) out.push_back(value);
    }
    return out;
  }
  static bool has_calculix() { return std::system("command -v ccx >/dev/null 2>&1") == 0; }
};

const char* const kFrom = "flex --mass M.mtx --stiffness K.mtx --nodes nodes.txt ";

TEST_F(FlexCommand, FromMatricesToStatements) {
  const Block b;
  const FeModel model = make_block(b);
  put_matrices(model);
  const Ran ran = run(std::string(kFrom) + "--rbe2 1+6+11+16@901,5+10+15+20@902 --modes 8 --id 3 -o arm");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("22 nodes, 60 degrees of freedom"));
  EXPECT_THAT(ran.out, HasSubstr("14 modes: 12 of constraint, 8 fixed-interface, less 6 rigid motions"));
  EXPECT_THAT(ran.out, HasSubstr("verdict: good enough for motion up to"));
  EXPECT_THAT(get("arm.flex.adm"), HasSubstr("FLEX_BODY/3, MATRICES=3\n"));
  EXPECT_THAT(get("arm.flex.adm"), HasSubstr("MARKER/301, FLEX_BODY=3, NODE_ID=901, QP="));
  const double m = b.rho * b.lx * b.ly * b.lz;
  EXPECT_NEAR(matrix("arm.mtx", "INVAR1").at(0), m, 1e-12 * m);
  EXPECT_EQ(matrix("arm.mtx", "INVAR9").size(), 9U * 14 * 14);
  EXPECT_EQ(matrix("arm.mtx", "T_MODE").size(), 6U * 14);
  const auto selected = matrix("arm.mtx", "SELMOD"), stiffness = matrix("arm.mtx", "GENSTIFF");
  ASSERT_EQ(selected.size(), 28U);
  EXPECT_NEAR(std::pow(2 * std::numbers::pi * selected[1], 2), stiffness[0], 1e-12 * stiffness[0]);

  const Ran check = run("flex --check arm.flex.h5 --band 1e5");
  EXPECT_EQ(check.code, 1);
  EXPECT_THAT(check.out, HasSubstr("verdict: not good enough for 1e+05 Hz"));
  EXPECT_EQ(run("flex --check arm.flex.h5").code, 0);

  // The same bits again.
  const std::string first = get("arm.mtx");
  EXPECT_EQ(run(std::string(kFrom) + "--rbe2 1+6+11+16@901,5+10+15+20@902 --modes 8 --id 3 -o arm").code, 0);
  EXPECT_EQ(first, get("arm.mtx"));
}

TEST_F(FlexCommand, UnitsOfTheModel) {
  put_matrices(make_block({}));
  const std::string common = std::string(kFrom) + "--rbe2 1+6+11+16,5+10+15+20 --modes 4 ";
  ASSERT_EQ(run(common + "-o si").code, 0);
  ASSERT_EQ(run(common + "-o mm --deck-units kg,m,N --units kg,mm,N").code, 0);
  EXPECT_NEAR(matrix("mm.mtx", "INVAR1")[0], matrix("si.mtx", "INVAR1")[0], 1e-12);
  EXPECT_NEAR(matrix("mm.mtx", "INVAR7")[0], 1e6 * matrix("si.mtx", "INVAR7")[0], 1e-3);
  EXPECT_NEAR(matrix("mm.mtx", "T_MODE")[0], 1e3 * matrix("si.mtx", "T_MODE")[0], 1e-9);
  // ω² = K/M in kg, mm, N: force is 1000 kg mm/s².
  EXPECT_NEAR(1e3 * matrix("mm.mtx", "GENSTIFF")[0] / matrix("mm.mtx", "INVAR6")[0],
              matrix("si.mtx", "GENSTIFF")[0], 1e-9 * matrix("si.mtx", "GENSTIFF")[0]);
  EXPECT_THAT(run(common + "--deck-units kg,mm,N --units kg,mm,N").err,
              HasSubstr("force is not mass · length / s²"));
  EXPECT_THAT(run(common + "--deck-units kg,m,N --units kg,yard,N").err,
              HasSubstr("'yard' is no unit of length; there are m, mm"));
}

// MODLOAD by the virtual work of the loads on the nodes, and in a model: a case on an interface bends as the force itself does.
TEST_F(FlexCommand, LoadCases) {
  put_matrices(make_block({}));
  put("loads.txt", "# case node fx fy fz\n1 901  1 2 -3  0.1 0.2 0.3\n2 7, 0, 5, 0\n2 8 0 0 1\n");
  const std::string common = std::string(kFrom) + "--rbe2 1+6+11+16@901,5+10+15+20@902 --modes 4 ";
  const Ran made = run(common + "--loads loads.txt --markers 7,8 -o arm");
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("2 load cases for MFORCE"));
  EXPECT_THAT(get("arm.flex.adm"),
              HasSubstr("! 2 load cases:  MFORCE/1, FLEX_BODY=1, CASE_INDEX=1, SCALE=1"));
  const auto loads = matrix("arm.mtx", "MODLOAD"), T = matrix("arm.mtx", "T_MODE"),
             R = matrix("arm.mtx", "R_MODE"), nodes = matrix("arm.mtx", "SELNOD");
  const std::size_t modes = 10;
  ASSERT_EQ(loads.size(), (6 + modes) * 2);
  std::map<int, std::size_t> row;
  for (std::size_t k = 0; 4 * k < nodes.size(); ++k) row[static_cast<int>(nodes[4 * k])] = k;
  struct Force {
    int node;
    Eigen::Vector3d f, t;
  };
  const std::vector<Force> cases[2] = {{{901, {1, 2, -3}, {0.1, 0.2, 0.3}}},
                                       {{7, {0, 5, 0}, {0, 0, 0}}, {8, {0, 0, 1}, {0, 0, 0}}}};
  for (std::size_t c = 0; c < 2; ++c) {
    Eigen::VectorXd expected = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(6 + modes));
    for (const Force& one : cases[c]) {
      const std::size_t k = row.at(one.node);
      const Eigen::Vector3d s(nodes[4 * k + 1], nodes[4 * k + 2], nodes[4 * k + 3]);
      expected.head<3>() += one.f;
      expected.segment<3>(3) += s.cross(one.f) + one.t;
      for (std::size_t m = 0; m < modes; ++m) {
        for (std::size_t a = 0; a < 3; ++a)
          expected[static_cast<Eigen::Index>(6 + m)] +=
              T[(3 * k + a) * modes + m] * one.f[static_cast<Eigen::Index>(a)] +
              R[(3 * k + a) * modes + m] * one.t[static_cast<Eigen::Index>(a)];
      }
    }
    for (std::size_t k = 0; k < 6 + modes; ++k) {
      const double wanted = expected[static_cast<Eigen::Index>(k)];
      EXPECT_NEAR(loads[2 * k + c], wanted, 1e-12 * (1 + std::abs(wanted))) << c << " " << k;
    }
  }
  // In millimetres torques and loads of modes have the unit N mm.
  ASSERT_EQ(run(common + "--loads loads.txt -o mm --deck-units kg,m,N --units kg,mm,N").code, 0);
  const auto scaled = matrix("mm.mtx", "MODLOAD");
  EXPECT_NEAR(scaled[0], 1, 1e-12);
  EXPECT_NEAR(scaled[2 * 3], 1e3 * loads[2 * 3], 1e-9 * std::abs(loads[2 * 3]) * 1e3);
  EXPECT_NEAR(scaled[2 * 6], 1e3 * loads[2 * 6], 1e-9 * std::abs(loads[2 * 6]) * 1e3);

  const std::string start =
      "held\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\n" +
      get("arm.flex.adm") +
      "MARKER/1, PART=1, QP=" + fmt::format("{:.17g},{:.17g},{:.17g}", nodes[5], nodes[6], nodes[7]) +
      "\nMARKER/2, PART=1, FLOATING\nJOINT/1, FIXED, I=102, J=1\nREQUEST/1, "
      "F2=DX(101,1)\\F3=DY(101,1)\\F4=DZ(101,1)\n";
  put("a.adm", start + "MFORCE/1, FLEX_BODY=1, CASE_INDEX=1, SCALE=0.01\nEND\n");
  put("b.adm",
      start +
          "GFORCE/1, I=101, JFLOAT=2, RM=1, FX=0.01\\FY=0.02\\FZ=-0.03\\TX=0.001\\TY=0.002\\TZ=0.003\nEND\n");
  std::map<std::string, double> moved[2];
  for (const char* which : {"a", "b"}) {
    put(std::string(which) + ".acf", std::string(which) + "\nSIMULATE/STATICS\nSTOP\n");
    const Ran ran = run(fmt::format("run {}.adm {}.acf --csv {}.csv", which, which, which));
    ASSERT_EQ(ran.code, 0) << ran.err;
    for (const char* channel : {"REQUEST/1.F2", "REQUEST/1.F3", "REQUEST/1.F4"})
      moved[which[0] - 'a'][channel] = column(std::string(which) + ".csv", channel).back();
  }
  EXPECT_EQ(run("view a.h5 -o a.html").code, 0);  // drawn without its matrices
  // Turns of 1e-8: the arms of the force do not move.
  const double size = std::abs(moved[1]["REQUEST/1.F4"]);
  EXPECT_GT(size, 0);
  for (const auto& [channel, wanted] : moved[1])
    EXPECT_NEAR(moved[0][channel], wanted, 1e-6 * size) << channel;

  put("bad.txt", "1 901 1 2\n");
  EXPECT_THAT(run(common + "--loads bad.txt -o no").err,
              HasSubstr("bad.txt:1: expected 'case node fx fy fz'"));
  put("bad.txt", "1 4711 1 2 3\n");
  EXPECT_THAT(run(common + "--loads bad.txt -o no").err, HasSubstr("bad.txt:1: there is no node 4711"));
  put("bad.txt", "1 7 1 2 3 0 0 1\n");
  EXPECT_THAT(run(common + "--loads bad.txt -o no").err, HasSubstr("node 7 has no rotations"));
  put("bad.txt", "2 7 1 2 3\n");
  EXPECT_THAT(run(common + "--loads bad.txt -o no").err,
              HasSubstr("load case 1 has no loads, but there is a case 2"));
}

TEST_F(FlexCommand, SaysWhatIsMissing) {
  EXPECT_THAT(run("flex").err, HasSubstr("flex needs a deck (part.inp)"));
  EXPECT_THAT(run("flex --mass a.mtx").err, HasSubstr("--mass, --stiffness and --nodes belong together"));
  EXPECT_THAT(run("flex part.mnf").err, HasSubstr("part.mnf: modal neutral files are binary"));
  EXPECT_THAT(run("flex none.inp").err, HasSubstr("none.inp: there is no such file"));
  EXPECT_EQ(run("flex none.inp").code, 2);
  put("part.inp",
      "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n*ELEMENT, TYPE=C3D4, ELSET=E\n1, 1, 2, 3, 4\n");
  EXPECT_THAT(run("flex part.inp --ccx /no/such/ccx --interface 1,2,3").err,
              HasSubstr("CalculiX ('/no/such/ccx') cannot be started\n  try: install it"));
}

// Frequencies against CalculiX' own, free and held, of its own mesh.
TEST_F(FlexCommand, WithCalculixTheFrequenciesAreItsOwn) {
  if (!has_calculix()) GTEST_SKIP() << "CalculiX (ccx) is not installed";
  Block b;
  b.nx = 6;
  b.ny = 2;
  b.nz = 2;
  const std::string deck = deck_of(b, make_block(b));
  put("free.inp", deck + "*STEP\n*FREQUENCY\n12\n*END STEP\n");
  put("held.inp", deck + "*BOUNDARY\nLEFT, 1, 3\n*STEP\n*FREQUENCY\n6\n*END STEP\n");
  const auto calculix = [&](const std::string& job) {
    EXPECT_EQ(std::system(("cd '" + folder_.string() + "' && ccx " + job + " >/dev/null 2>&1").c_str()), 0);
    std::istringstream text(get(job + ".dat"));
    std::vector<double> hertz;
    for (std::string line; std::getline(text, line);) {
      if (line.find("P A R T I C") != std::string::npos) break;
      std::istringstream words(line);
      double number = 0, eigenvalue = 0, omega = 0, f = 0;
      if (words >> number >> eigenvalue >> omega >> f) hertz.push_back(f);
    }
    return hertz;
  };
  const std::vector<double> free = calculix("free"), held = calculix("held");
  ASSERT_EQ(free.size(), 12U);
  ASSERT_EQ(held.size(), 6U);
  const Ran ran = run("flex held.inp --modes 6 -o whole");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("left out of the deck: *BOUNDARY and *STEP and all inside"));
  const std::vector<double> found = matrix("whole.mtx", "SELMOD");
  // CalculiX prints seven digits.
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(found[2 * k + 1], free[k + 6], 2e-6 * free[k + 6]) << k;

  const Ran with = run("flex held.inp --interface LEFT --modes 6 --stress -o arm");
  ASSERT_EQ(with.code, 0) << with.err;
  EXPECT_THAT(with.out, HasSubstr(fmt::format("highest fixed-interface mode kept  {:.5g} Hz", held[5])));
  EXPECT_THAT(get("arm.flex.adm"), HasSubstr("MATRIX/2, FILE=arm.stress.mtx\nFLEX_BODY/1, MATRICES=1, 2"));
}

// Stresses by CalculiX against Hooke's law: a mode's strain energy by them, in a bar that is stretched.
TEST_F(FlexCommand, StressesFollowHooke) {
  if (!has_calculix()) GTEST_SKIP() << "CalculiX (ccx) is not installed";
  Block b;
  b.nx = 4;
  b.nu = 0;
  b.corner.setZero();
  const FeModel model = make_block(b);
  put("bar.inp", deck_of(b, model));
  const Ran ran = run("flex bar.inp --rbe2 LEFT,RIGHT --modes 0 --stress --strain --markers ALL -o bar");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto stress = matrix("bar.stress.mtx", "S_MODE"), strain = matrix("bar.stress.mtx", "E_MODE"),
             shape = matrix("bar.mtx", "T_MODE"), nodes = matrix("bar.mtx", "SELNOD");
  const std::size_t modes = 6;
  ASSERT_EQ(stress.size(), 6 * model.nodes.size() * modes);
  ASSERT_EQ(strain.size(), stress.size());
  // Without fixed-interface modes the stretching mode is a uniform strain: σxx = E Δu/L, the same at each node, ν being zero.
  std::map<int, std::size_t> row;
  for (std::size_t k = 0; 4 * k < nodes.size(); ++k) row[static_cast<int>(nodes[4 * k])] = k;
  int stretched = 0;
  for (std::size_t m = 0; m < modes; ++m) {
    const double left = shape[3 * row[1] * modes + m], right = shape[3 * row[5] * modes + m];
    const double other = shape[3 * row[16] * modes + m];  // the left end's opposite corner
    if (std::abs(right - left) < 1e-6 * std::abs(left) + 1e-9 ||
        std::abs(other - left) > 1e-6 * std::abs(left))
      continue;
    ++stretched;
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
      EXPECT_NEAR(stress[6 * n * modes + m], b.E * (right - left) / b.lx,
                  1e-4 * std::abs(b.E * (right - left) / b.lx))
          << n;
      EXPECT_NEAR(strain[6 * n * modes + m], (right - left) / b.lx, 1e-4 * std::abs((right - left) / b.lx))
          << n;
    }
  }
  EXPECT_EQ(stretched, 1);
  // Of shear the components of both are related by 2G = E, ν being zero.
  for (std::size_t k = 0; k < stress.size(); ++k) {
    const double size = *std::max_element(stress.begin(), stress.end());
    EXPECT_NEAR(stress[k], b.E * strain[k], 1e-4 * size) << k;
  }
}

// examples/all-terrain from its generator to a motion: a vehicle on a frame with 134 modes.
TEST_F(FlexCommand, AllTerrainVehicle) {
#ifndef NDEBUG
  GTEST_SKIP() << "too long without optimisation: 5904 degrees of freedom";
#endif
  if (!has_calculix()) GTEST_SKIP() << "CalculiX (ccx) is not installed";
  const std::string there = "cd '" + folder_.string() + "' && ";
  const auto shell = [&](const std::string& command) { return std::system((there + command).c_str()); };
  if (shell("python3 -c pass 2>/dev/null") != 0) GTEST_SKIP() << "python3 is not installed";
  ASSERT_EQ(shell("python3 '" TRUNNION_SOURCE_DIR "/examples/all-terrain/make_all_terrain.py' . >/dev/null"),
            0);
  // The command of frame.sh without stresses, which take most of its time.
  const std::string script = get("frame.sh");
  const std::size_t begin = script.find("flex frame.inp"), stress = script.find(" --stress");
  ASSERT_NE(stress, std::string::npos);
  const Ran made = run(script.substr(begin, stress - begin));
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("134 modes: 120 of constraint, 20 fixed-interface, less 6 rigid motions"));
  std::string model = get("all_terrain.adm");
  const std::string second = "MATRIX/2, FILE=frame.stress.mtx\n", both = "MATRICES=1,2";
  model.erase(model.find(second), second.size());
  model.replace(model.find(both), both.size(), "MATRICES=1");
  put("all_terrain.adm", model);
  const Ran checked = run("check all_terrain.adm");
  EXPECT_THAT(checked.out, HasSubstr("146 true degrees of freedom, 0 redundant equations"));
  EXPECT_THAT(checked.out, HasSubstr("FLEX_BODY/1: mass 27.3132, 134 modes, 74.94, "));
  put("short.acf", "all_terrain\nSIMULATE/DYNAMIC, END=0.01, STEPS=2\nSTOP\n");
  const Ran ran = run("run all_terrain.adm short.acf");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(get("all_terrain.report.json"), HasSubstr("\"name\": \"block elimination\""));
}

}  // namespace
}  // namespace trunnion::flex
