// What the page is told to draw for forces, and what it leaves out where there is too much.

#include "api/view/scene.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "api/present/notices.hpp"
#include "api/stress/hot_spots.hpp"
#include "api/view/beams.hpp"
#include "api/view/flexible.hpp"
#include "api/view/symbols.hpp"
#include "lang/writer.hpp"
#include "results/write/store.hpp"
#include "support/flex_beam.hpp"
#include "support/reading.hpp"
#include "system/compile/compile.hpp"

namespace trunnion::api {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

model::Beam beam(double area, double iyy, double izz) {
  model::Beam b;
  b.area = area;
  b.iyy = iyy;
  b.izz = izz;
  return b;
}

// Width b along y, height h along z: Iyy = ∫z² dA = b h³/12.
TEST(Sections, OfARectangleADiscATubeAndASquare) {
  const double b = 0.2, h = 0.05;
  auto s = section_of(beam(b * h, b * h * h * h / 12, h * b * b * b / 12));
  ASSERT_TRUE(s);
  EXPECT_FALSE(s->round);
  EXPECT_NEAR(s->y, b, 1e-12);
  EXPECT_NEAR(s->z, h, 1e-12);
  const double R = 30, r = 28;
  for (const double inner : {0.0, r}) {
    const double I = M_PI / 4 * (std::pow(R, 4) - std::pow(inner, 4));
    s = section_of(beam(M_PI * (R * R - inner * inner), I, I));
    ASSERT_TRUE(s && s->round);
    EXPECT_NEAR(s->y, 2 * R, 1e-9);
    EXPECT_EQ(s->z, s->y);
  }
  s = section_of(beam(16, 256.0 / 12, 256.0 / 12));
  ASSERT_TRUE(s && !s->round);
  EXPECT_NEAR(s->y, 4, 1e-12);
  EXPECT_TRUE(section_of(beam(1, 0, 0))->round);
  EXPECT_FALSE(section_of(model::Beam()));
}

TEST(Symbols, OfForcesThatTheModelDoesNotDraw) {
  const test::Read read =
      test::read_adm(test::small_model("MARKER/31, PART=1, QP=3,0,0\nMARKER/32, PART=1, QP=4,0,0\n"
                                       "SPRINGDAMPER/1, TRANSLATION, I=21, J=32, K=5, C=1, L=1\n"
                                       "SPRINGDAMPER/2, ROTATION, I=21, J=10, KT=5\n"
                                       "SPRINGDAMPER/3, TRANSLATION, I=20, J=31, K=5\n"
                                       "BEAM/4, I=20, J=32, LENGTH=1, AREA=4, IXX=2, IYY=1.3333333333, "
                                       "IZZ=1.3333333333, EMODULUS=1, GMODULUS=1\n"
                                       "BUSHING/5, I=20, J=32, K=1,1,1, KT=1,1,1\n"
                                       "SFORCE/6, TRANSLATION, I=20, J=10, FUNCTION=1\n"
                                       "SFORCE/7, TRANSLATION, ACTIONONLY, I=20, J=10, FUNCTION=1\n"
                                       "GRAPHICS/8, SPDP, I=31, J=20, COILS=100000\n"
                                       "GRAPHICS/9, OUTLINE=20,10,31\n"));
  ASSERT_FALSE(read.diagnostics.has_errors()) << read.messages();
  const auto drawn = scene(read.model);
  std::vector<std::string> names;
  for (const auto& symbol : drawn["symbols"])
    names.push_back(symbol["type"].get<std::string>() + " " + symbol["name"].get<std::string>());
  // SPRINGDAMPER/3 and SFORCE/6 have GRAPHICS between their markers.
  EXPECT_THAT(names, ElementsAre("spring SPRINGDAMPER/1", "torsion SPRINGDAMPER/2", "beam BEAM/4",
                                 "bushing BUSHING/5"));
  EXPECT_EQ(drawn["symbols"][0]["damper"], true);
  EXPECT_EQ(drawn["markers"][drawn["symbols"][0]["i"].get<std::size_t>()]["id"], 21);
  EXPECT_NEAR(drawn["symbols"][2]["section"]["y"].get<double>(), 2, 1e-9);
  EXPECT_EQ(drawn["graphics"][0]["coils"], 40);
  EXPECT_THAT(drawn["notes"], ElementsAre("GRAPHICS/8: 40 of its 100000 coils are drawn"));
}

// Numbers that need no file.
class Made final : public results::History {
 public:
  Made(std::size_t rows, std::size_t parts) {
    rows_ = rows;
    channels_.push_back({"time", "second"});
    for (std::size_t k = 0; k < parts; ++k) {
      for (const char* component : {"X", "Y", "Z", "PSI", "THETA", "PHI", "VX", "VY"})
        channels_.push_back({"PART/" + std::to_string(k + 2) + "." + component, "meter"});
    }
  }
  std::vector<std::vector<double>> columns(const std::vector<std::size_t>& places) override {
    std::vector<std::vector<double>> out(places.size(), std::vector<double>(rows_));
    for (auto& column : out) {
      for (std::size_t k = 0; k < rows_; ++k) column[k] = static_cast<double>(k);
    }
    return out;
  }
  std::string text(const char* what) override {
    return what == std::string("model") ? test::small_model() : std::string();
  }
};

Page page_of(results::History& run, std::size_t most_bytes, std::size_t frames = 4000) {
  PageOptions options;
  options.frames = frames;
  options.most_bytes = most_bytes;
  std::string error;
  Page made = page("<!--DATA-->", run, "run.h5", nullptr, "", options, error);
  EXPECT_EQ(error, "");
  return made;
}

TEST(Pages, LeaveOutRowsThenChannelsAndSaySo) {
  Made run(2000, 100);  // 800 channels
  const Page whole = page_of(run, 100 << 20);
  EXPECT_THAT(whole.notes, ElementsAre());
  EXPECT_GT(whole.html.size(), 2000u * 801 * 4);
  // Rows, as long as there are some hundreds.
  constexpr std::size_t kHalf = 4'400'000;  // 1000 × 801 × 4 bytes in base 64
  const Page fewer = page_of(run, kHalf);
  EXPECT_LT(fewer.html.size(), kHalf + (1 << 16));
  EXPECT_THAT(fewer.notes,
              ElementsAre("1000 of 2000 rows are in the page, one in 2, to keep it small: fewer --channels "
                          "leave room for more"));
  EXPECT_TRUE(fewer.html.find("1000 of 2000 rows are in the page") != std::string::npos);
  // Then channels, but not those that move the bodies.
  constexpr std::size_t kLittle = 1800000;
  const Page little = page_of(run, kLittle);
  EXPECT_LT(little.html.size(), kLittle + (1 << 16));
  ASSERT_EQ(little.notes.size(), 2u);
  EXPECT_THAT(little.notes[0],
              HasSubstr("of 800 channels are in the page, to keep it below 1 MB: --channels"));
  EXPECT_TRUE(little.html.find("PART/101.PHI") != std::string::npos);
  EXPECT_TRUE(little.html.find("PART/101.VY") == std::string::npos);
  // And if even these are too many, fewer rows.
  const Page least = page_of(run, 300000);
  EXPECT_LT(least.html.size(), 300000u + (1 << 16));
  EXPECT_TRUE(least.html.find("PART/101.PHI") != std::string::npos);
  EXPECT_THAT(page_of(run, 100 << 20, 500).notes,
              ElementsAre("500 of 2000 rows are in the page, one in 4: --frames keeps more"));
}

// A beam from node to node, each a body of the scene; two elements between nodes 1 and 2, whose section gets thinner.
TEST(Beams, AreNodesAndSections) {
  const test::Read read =
      test::read_adm(test::small_model("MATERIAL/1, YOUNGS_MODULUS=2E11, POISSONS_RATIO=0.3, DENSITY=7800\n"
                                       "FE_PART/3, TYPE=3DBEAM, MATERIAL=1, NODE_LABELS=1,2, SUBDIVIDE=2\n"
                                       ", COORDINATES=1, 0,0,0, 0,0,0, 2, 0,2,0, 90D,0,0\n"
                                       ", SECTION=1, 8E-4, 2.6666666667E-8, 1.0666666667E-7, 0, 7.3E-8\n"
                                       ",         2, 8E-4, 2.6666666667E-8, 1.0666666667E-7, 0, 7.3E-8\n"));
  ASSERT_FALSE(read.diagnostics.has_errors()) << read.messages();
  const auto drawn = scene(read.model);
  ASSERT_EQ(drawn["beams"].size(), 1u);
  const auto& beam = drawn["beams"][0];
  EXPECT_EQ(beam["channel"], "FE_PART/3");
  EXPECT_THAT(beam["names"], ElementsAre("1", "1_1", "2"));
  ASSERT_EQ(beam["nodes"].size(), 3u);
  EXPECT_EQ(drawn["bodies"][beam["nodes"][1].get<std::size_t>()]["channel"], "FE_PART/3.1_1");
  // 40 along y, 20 along z: Iyy = ∫z² dA = 0.04 · 0.02³/12.
  ASSERT_EQ(beam["sections"].size(), 1u);
  EXPECT_EQ(beam["sections"][0][0], 0);
  EXPECT_NEAR(beam["sections"][0][1].get<double>(), 0.04, 1e-8);
  EXPECT_NEAR(beam["sections"][0][2].get<double>(), 0.02, 1e-8);
  // Node 1 looks along x of ground, the axis goes along y and turns to meet it: the direction is not x of the nodes.
  ASSERT_EQ(beam["directions"].size(), 2u);
  EXPECT_GT(beam["directions"][0][1].get<double>(), 0.1);
}

// An element of three nodes takes two segments; the nodes that follow are those of another beam, or of none.
TEST(Beams, OfThreeNodesAnElementAreDrawnByTheirOwnNodes) {
  const auto part = [](int id, int from) {
    return fmt::format(
        "FE_PART/{0}, TYPE=3DBEAM3, MATERIAL=1, NODE_LABELS=1,2, SUBDIVIDE=2\n"
        ", COORDINATES=1, {1},0,0, 0,0,0, 2, {2},0,0, 0,0,0\n"
        ", SECTION=1, 8E-4, 2.6666666667E-8, 1.0666666667E-7, 0, 7.3E-8\n"
        ",         2, 8E-4, 2.6666666667E-8, 1.0666666667E-7, 0, 7.3E-8\n",
        id, from, from + 2);
  };
  const test::Read read = test::read_adm(test::small_model(
      "MATERIAL/1, YOUNGS_MODULUS=2E11, POISSONS_RATIO=0.3, DENSITY=7800\n" + part(3, 0) + part(4, 5)));
  ASSERT_FALSE(read.diagnostics.has_errors()) << read.messages();
  const auto drawn = scene(read.model);
  ASSERT_EQ(drawn["beams"].size(), 2u);
  for (const auto& beam : drawn["beams"]) {
    const auto& names = beam["names"];
    ASSERT_EQ(beam["nodes"].size(), names.size());
    for (std::size_t k = 0; k < names.size(); ++k)
      EXPECT_EQ(drawn["bodies"][beam["nodes"][k].get<std::size_t>()]["channel"],
                beam["channel"].get<std::string>() + "." + names[k].get<std::string>());
    EXPECT_TRUE(beam["directions"].empty() || beam["directions"].size() + 1 == names.size());
  }
}

// The files that its sections come from are read where the user lets them be, and not needed.
TEST(Beams, WithoutTheFilesOfTheirSectionsAreDrawnPlainly) {
  namespace fs = std::filesystem;
  const fs::path top = fs::temp_directory_path() / "trunnion_scene_sections", home = top / "model";
  fs::create_directories(home);
  const char* const kText =
      "ADAMSMAT\n2\nSTIFF MASS\nSTIFF SPARSE 6 6 6 (*)\n1 1 1E7\n2 2 4E6\n3 3 4E6\n4 4 100\n5 5 300\n6 6 "
      "300\n"
      "MASS SPARSE 6 6 6 (*)\n1 1 3\n2 2 3\n3 3 3\n4 4 2E-4\n5 5 1E-4\n6 6 1E-4\n";
  std::ofstream(top / "outside.mat") << kText;
  std::ofstream(home / "inside.mat") << kText;
  fs::remove(home / "endless.mat");
  fs::create_symlink("/dev/zero", home / "endless.mat");
  fs::remove(home / "link.mat");
  fs::create_symlink(top / "outside.mat", home / "link.mat");
  const auto drawn = [&](const std::string& file, bool allow_outside) {
    const test::Read read = test::read_adm(test::small_model(
        "MATRIX/1, FILE=" + file + ", NAME=STIFF\nMATRIX/2, FILE=" + file +
        ", NAME=MASS\nFE_PART/3, TYPE=3DBEAM, NODE_LABELS=1,2, SUBDIVIDE=2\n"
        ", COORDINATES=1, 0,0,0, 0,0,0, 2, 2,0,0, 0,0,0, SECTION_STIFFNESS=1, SECTION_INERTIA=2\n"));
    EXPECT_FALSE(read.diagnostics.has_errors()) << read.messages();
    core::Diagnostics why;
    system::compile(without_files(read.model, {home.string(), allow_outside}), {}, why);
    EXPECT_FALSE(why.has_errors()) << why.all().front().message;
    return scene(read.model, home.string(), allow_outside);
  };
  const auto inside = drawn("inside.mat", false);
  ASSERT_FALSE(inside.is_null());
  EXPECT_TRUE(inside["notes"].empty()) << inside["notes"];
  ASSERT_EQ(inside["beams"][0]["sections"].size(), 1u);
  const std::string outside = (top / "outside.mat").string();
  EXPECT_EQ(drawn(outside, true)["beams"][0]["sections"], inside["beams"][0]["sections"]);
  struct Case {
    std::string file, note;
    bool allow_outside;
  };
  for (const Case& c : {Case{outside, "outside of the model's folder; --allow-outside", false},
                        {"link.mat", "outside of the model's folder; --allow-outside", false},
                        {"gone.mat", "gone.mat is not there", false},
                        {"endless.mat", "outside of the model's folder; --allow-outside", false},
                        {"endless.mat", "is not a file with text", true}}) {
    const auto plain = drawn(c.file, c.allow_outside);
    ASSERT_FALSE(plain.is_null()) << c.file;
    EXPECT_EQ(plain["beams"][0]["nodes"].size(), 3u);
    EXPECT_TRUE(plain["beams"][0]["sections"].empty());
    ASSERT_EQ(plain["notes"].size(), 1u) << c.file;
    EXPECT_THAT(plain["notes"][0].get<std::string>(), HasSubstr(c.note));
  }
  fs::remove_all(top);
}

// A picture needs no matrix of an LSE or NFORCE and no shell that only touches: none is opened, wherever it lies. The points of a curve
// are drawn, and read only inside the model's folder.
TEST(Scene, ReadsNoFileThatItDoesNotDraw) {
  namespace fs = std::filesystem;
  const fs::path top = fs::temp_directory_path() / "trunnion_scene_files", home = top / "model";
  fs::create_directories(home);
  std::ofstream(top / "points.mat")
      << "ADAMSMAT\n1\nP\nP FULL RORDER 4 3 12 (*)\n0 0 0\n1 1 0\n2 0 0\n3 1 0\n";
  // A pipe that nobody writes to holds up whoever opens it; the shell would be refused for its kind only after that.
  const fs::path pipe = top / "never.mat";
  fs::remove(pipe);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  fs::remove(top / "never.stl");
  ASSERT_EQ(mkfifo((top / "never.stl").c_str(), 0600), 0);
  const test::Read read = test::read_adm(test::small_model(
      "MATRIX/1, FILE=" + pipe.string() + ", NAME=A\nARRAY/1, X, SIZE=2\nARRAY/2, U, VARIABLES=1\n" +
      "VARIABLE/1, FUNCTION=TIME\nLSE/1, X=1, U=2, A=1, B=1\n" +
      "GRAPHICS/1, EXTERNAL, RM=20, FILE=" + (top / "never.stl").string() + "\nGRAPHICS/2, PLANE, RM=10\n" +
      "CONTACT/1, IGEOM=1, JGEOM=2, IMPACT, STIFFNESS=1, DAMPING=1, EXPONENT=1.5, DMAX=1\n" +
      "MATRIX/2, FILE=" + (top / "points.mat").string() +
      ", NAME=P\nCURVE/1, OPEN, CURVE_POINTS, MATRIX=2\n" +
      "GRAPHICS/3, CURVE, CID=1, CRM=20, SEG=4\nMARKER/30, PART=1, FLOATING\n" +
      "PTCV/1, I=21, JFLOAT=30, CURVE=1, RM=10\n"));
  ASSERT_FALSE(read.diagnostics.has_errors()) << read.messages();
  const auto drawn = scene(read.model, home.string());
  ASSERT_FALSE(drawn.is_null());
  EXPECT_EQ(drawn["contacts"].size(), 1u);
  std::string notes;
  for (const auto& note : drawn["notes"]) notes += note.get<std::string>() + "\n";
  EXPECT_THAT(notes, HasSubstr("GRAPHICS/3 is not drawn: " + (top / "points.mat").string() +
                               " lies outside of the model's folder; --allow-outside reads it"));
  EXPECT_THAT(notes, HasSubstr("never.stl is not drawn: it lies outside of the model's folder"));
  for (const auto& g : drawn["graphics"]) EXPECT_NE(g["id"], 3);
  fs::remove_all(top);
}

// A matrix has no area: radii of gyration make a disc or a rectangle; an axis off the centroid does not make it larger.
TEST(Beams, HaveSectionsOfStiffnesses) {
  elements::BeamCrossSection section;
  const double d = 0.03, A = M_PI * d * d / 4, I = M_PI * std::pow(d, 4) / 64, E = 7e10, G = 2.6e10;
  section.K.diagonal() << E * A, G * A, G * A, 2 * G * I, E * I, E * I;
  auto s = section_of(section, 0.0);
  ASSERT_TRUE(s && s->round);
  EXPECT_NEAR(s->y, d, 1e-12);
  const double b = 0.05, h = 0.01, off = 0.2;
  section.K.diagonal() << E * b * h, G * b * h, G * b * h, 1, E * b * h * h * h / 12,
      E * h * b * b * b / 12 + E * b * h * off * off;
  section.K(0, 5) = section.K(5, 0) = -E * b * h * off;
  for (const double youngs : {0.0, E}) {
    s = section_of(section, youngs);
    ASSERT_TRUE(s && !s->round);
    EXPECT_NEAR(s->y, b, 1e-9);
    EXPECT_NEAR(s->z, h, 1e-9);
  }
  EXPECT_FALSE(section_of(elements::BeamCrossSection(), 0.0));
}

// A model in a folder of its own with the matrices of a beam on two modes.
struct FlexModel {
  test::FlexBeam beam;
  Eigen::MatrixXd modes;
  test::MatrixText matrices;
  test::Read read;

  explicit FlexModel(const char* name, const std::string& more = {})
      : modes(beam.cantilever_modes(2)),
        matrices(name, beam.matrices(modes, false, true)),
        read(test::read_adm(test::small_model("MATRIX/1, FILE=" + matrices.path() +
                                              "\nFLEX_BODY/3, MATRICES=1, QG=0,0,5\n"
                                              "MARKER/31, FLEX_BODY=3, NODE_ID=11, REULER=90D,0,0\n"
                                              "MARKER/32, FLEX_BODY=3\n" +
                                              more))) {}
};

TEST(FlexibleBodies, AreNodesShapesAndStresses) {
  const FlexModel m("scene_flex");
  ASSERT_FALSE(m.read.diagnostics.has_errors()) << m.read.messages();
  const auto bodies = flexible_bodies(m.read.model, {});
  ASSERT_EQ(bodies.size(), 1u);
  const results::DeformingBody& body = bodies[0];
  ASSERT_TRUE(body.whole());
  EXPECT_EQ(body.channel, "FLEX_BODY/3");
  EXPECT_THAT(body.numbers, ElementsAre(1, 2));
  ASSERT_EQ(body.nodes.size(), 11u);
  EXPECT_NEAR(body.places[3 * 4], 4 * m.beam.h(), 1e-6);
  // The second mode at node 5.
  for (Eigen::Index c = 0; c < 3; ++c) {
    const double shape = m.modes(test::FlexBeam::kDof * 4 + c, 1);
    EXPECT_NEAR(body.shapes[static_cast<std::size_t>(3 * (11 + 4) + c)], shape, 1e-6 * (1 + std::abs(shape)));
  }
  // No mesh: along the axis from node to node.
  EXPECT_TRUE(body.triangles.empty());
  EXPECT_EQ(body.lines.size(), 20u);
  EXPECT_THAT(body.notes,
              ElementsAre("no mesh of it is known: its 11 nodes are drawn, joined to their nearest"));
  EXPECT_EQ(body.stressed.size(), 11u);
  EXPECT_THAT(body.markers, ElementsAre(31));  // 32 is on no node
  EXPECT_NEAR(body.stands[0], m.beam.L, 1e-6);
  // The page gets it with the marker, which has no QP, where its node is.
  const auto drawn = scene(m.read.model, {}, false, bodies);
  ASSERT_EQ(drawn["flexible"].size(), 1u);
  const auto marker = std::find_if(drawn["markers"].begin(), drawn["markers"].end(),
                                   [](const auto& one) { return one["id"] == 31; });
  ASSERT_NE(marker, drawn["markers"].end());
  EXPECT_NEAR((*marker)["p"][0].template get<double>(), m.beam.L, 1e-6);
  EXPECT_EQ((*marker)["flexible"], 0);
  EXPECT_THAT(drawn["notes"], ElementsAre(HasSubstr("FLEX_BODY/3: no mesh of it is known")));
}

// What the store has is enough: the files of the matrices are gone.
TEST(FlexibleBodies, AreDrawnFromTheStoreAlone) {
  std::vector<results::DeformingBody> kept, back;
  test::Read read;
  {
    const FlexModel m("scene_flex_store", "MARKER/33, FLEX_BODY=3, NODE_ID=2\n");
    read = test::read_adm(lang::write_model(m.read.model));
    kept = flexible_bodies(m.read.model, {});
  }
  EXPECT_TRUE(flexible_bodies(read.model, {}).empty());
  const std::string path = testing::TempDir() + "scene_flex_" + std::to_string(getpid()) + ".h5";
  results::StoreTexts texts;
  texts.flexible = kept;
  results::StoreWriter store(texts);
  ASSERT_TRUE(store.open(path, {{"time", "second"}})) << store.error();
  std::string error;
  EXPECT_TRUE(results::read_shapes(path, back, error)) << error;  // of a run that goes on
  ASSERT_EQ(back.size(), 1u);
  ASSERT_TRUE(store.close());
  EXPECT_TRUE(results::read_shapes(path, back, error)) << error;
  std::filesystem::remove(path);
  ASSERT_EQ(back.size(), 1u);
  EXPECT_EQ(back[0].shapes, kept[0].shapes);
  EXPECT_EQ(back[0].stresses, kept[0].stresses);
  EXPECT_EQ(back[0].lines, kept[0].lines);
  EXPECT_EQ(back[0].turns, kept[0].turns);
  EXPECT_EQ(back[0].notes, kept[0].notes);
  const auto drawn = scene(read.model, {}, false, back);
  EXPECT_EQ(drawn["flexible"].size(), 1u);
  // Of a store without them the body is there all the same.
  const auto without = scene(read.model);
  EXPECT_EQ(without["flexible"].size(), 0u);
  EXPECT_EQ(without["bodies"].size(), 3u);
}

TEST(FlexibleBodies, AreThinnedWhereTheyAreLarge) {
  const FlexModel m("scene_flex_thin");
  // Two modes of nine numbers a node: room for eight.
  const auto bodies = flexible_bodies(m.read.model, {}, false, 8 * 2 * 9);
  ASSERT_EQ(bodies.size(), 1u);
  EXPECT_TRUE(bodies[0].whole());
  EXPECT_LE(bodies[0].nodes.size(), 8u);
  EXPECT_GE(bodies[0].nodes.size(), 4u);
  EXPECT_EQ(bodies[0].lines.size(), 2 * (bodies[0].nodes.size() - 1));  // still in one piece
  EXPECT_THAT(bodies[0].notes.back(), HasSubstr("of 11 nodes are drawn, to keep it small"));
}

TEST(FlexibleBodies, HottestIsThatOfAllRows) {
  const FlexModel m("scene_flex_hot");
  const test::MatrixText table(
      "scene_flex_rows",
      "time [second],FLEX_BODY/3.Q1,FLEX_BODY/3.Q2\n0,0,0\n0.25,1,0\n0.5,0,-2\n0.75,-0.5,0\n");
  const std::string csv = table.path() + ".csv";
  std::filesystem::copy_file(table.path(), csv, std::filesystem::copy_options::overwrite_existing);
  std::string error, why;
  const auto history = results::open_history(csv, error);
  std::filesystem::remove(csv);
  ASSERT_NE(history, nullptr) << error;
  const auto bodies = flexible_bodies(m.read.model, {});
  ASSERT_EQ(bodies.size(), 1u);
  const auto here = hottest(bodies[0], *history);
  core::Diagnostics diagnostics;
  const auto system = system::compile(m.read.model, {}, diagnostics);
  ASSERT_NE(system, nullptr);
  const auto stressed = recoveries(*system, m.read.model, {}, Tensor::stress, why);
  ASSERT_TRUE(stressed) << why;
  const auto table_of_all = hot_spots(*stressed, Tensor::stress, *history, 1, why);
  ASSERT_TRUE(here && table_of_all) << why;
  EXPECT_EQ(here->node, table_of_all->front().node);
  EXPECT_EQ(here->t, table_of_all->front().t);
  EXPECT_NEAR(here->value, table_of_all->front().von_mises, 1e-5 * here->value);  // single precision
}

TEST(Contacts, AreArrowsOnTheSolidsOfIgeom) {
  const test::Read read = test::read_adm(test::small_model(
      "GRAPHICS/1, PLANE, RM=10, XMIN=-1, XMAX=1, YMIN=-1, YMAX=1\n"
      "GRAPHICS/7, ELLIPSOID, CM=20, XSCALE=1, YSCALE=1, ZSCALE=1\n"
      "CONTACT/4, IGEOM=7, JGEOM=1, IMPACT, STIFFNESS=1, DAMPING=1, EXPONENT=1.5, DMAX=1\n"));
  ASSERT_FALSE(read.diagnostics.has_errors()) << read.messages();
  const auto drawn = scene(read.model);
  ASSERT_EQ(drawn["contacts"].size(), 1u);
  EXPECT_EQ(drawn["contacts"][0]["channel"], "CONTACT/4");
  EXPECT_EQ(drawn["markers"][drawn["contacts"][0]["i"].get<std::size_t>()]["id"], 20);
  ASSERT_EQ(drawn["contacts"][0]["solids"].size(), 1u);
  EXPECT_EQ(drawn["graphics"][drawn["contacts"][0]["solids"][0].get<std::size_t>()]["id"], 7);
}

// Of a beam that touches with two nodes each arrow ends at the solid of its own.
TEST(Contacts, OfABeamAreArrowsOnItsNodes) {
  const test::Read read = test::read_adm(test::small_model(
      "MATERIAL/1, YOUNGS_MODULUS=2E11, POISSONS_RATIO=0.3, DENSITY=7800\n"
      "FE_PART/3, TYPE=3DBEAM, MATERIAL=1, NODE_LABELS=1,2, SUBDIVIDE=2\n"
      ", COORDINATES=1, 0,0,0, 0,0,0, 2, 2,0,0, 0,0,0\n"
      ", SECTION=1, 8E-4, 2.6666666667E-8, 1.0666666667E-7, 0, 7.3E-8\n"
      ",         2, 8E-4, 2.6666666667E-8, 1.0666666667E-7, 0, 7.3E-8\n"
      "MARKER/31, FE_PART=3, NODE_LABEL=1\nMARKER/32, FE_PART=3, NODE_LABEL=2, QP=2,0,0\n"
      "GRAPHICS/1, PLANE, RM=10, XMIN=-1, XMAX=1, YMIN=-1, YMAX=1\n"
      "GRAPHICS/7, ELLIPSOID, CM=31, XSCALE=0.1, YSCALE=0.1, ZSCALE=0.1\n"
      "GRAPHICS/8, ELLIPSOID, CM=32, XSCALE=0.1, YSCALE=0.1, ZSCALE=0.1\n"
      "CONTACT/4, IGEOM=7,8, JGEOM=1, IMPACT, STIFFNESS=1, DAMPING=1, EXPONENT=1.5, DMAX=1\n"));
  ASSERT_FALSE(read.diagnostics.has_errors()) << read.messages();
  const auto drawn = scene(read.model);
  ASSERT_EQ(drawn["contacts"].size(), 2u);
  for (std::size_t k = 0; k < 2; ++k) {
    const auto& contact = drawn["contacts"][k];
    EXPECT_EQ(contact["channel"], k == 0 ? "CONTACT/4.1" : "CONTACT/4.2");
    ASSERT_EQ(contact["solids"].size(), 1u);
    EXPECT_EQ(drawn["graphics"][contact["solids"][0].get<std::size_t>()]["id"], 7 + k);
  }
}

TEST(Notices, AreWhatARunWarnsOf) {
  using core::Severity;
  Notices notices;
  notices.take(Severity::note, "t = 0: assembled");
  notices.take(Severity::note, "  redundant: JOINT/1");
  notices.take(Severity::warning, "CONTACT (2) is not simulated");
  notices.take(Severity::note, "  try: nothing");
  notices.take(Severity::warning, "m.adm:12: HMAX is small");
  notices.take(Severity::error, "it fails");
  notices.take(Severity::note, "  at t = 1");
  notices.take(Severity::note, "said of a warning: nothing");
  EXPECT_THAT(notices.warnings(),
              ElementsAre("CONTACT (2) is not simulated\n  try: nothing", "m.adm:12: HMAX is small"));
  EXPECT_THAT(notices.errors(), ElementsAre("it fails\n  at t = 1"));
}

}  // namespace
}  // namespace trunnion::api
