// Shapes from files and curves, as the viewer gets them.

#include "math/shell.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "api/view/base64.hpp"
#include "api/view/scene.hpp"
#include "math/mesh.hpp"
#include "support/reading.hpp"

namespace trunnion::api {
namespace {

namespace fs = std::filesystem;
using math::read_shell;
using math::Shell;
using testing::ElementsAre;
using testing::HasSubstr;

class Shells : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "trunnion-shell-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    std::error_code code;
    fs::remove_all(folder_, code);
  }
  std::string put(const char* name, const std::string& bytes) {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return (folder_ / name).string();
  }
  fs::path folder_;
};

// Two triangles that share an edge: four corners.
constexpr const char* kText =
    "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 2.5 0\nendloop\nendfacet\n"
    "facet normal 0 0 1\nouter loop\nvertex 1 0 0\nvertex 1 2.5 0\nvertex 0 2.5 "
    "0\nendloop\nendfacet\nendsolid s\n";

TEST_F(Shells, TextAndBinaryStlAndObjGiveTheSame) {
  Shell text, binary, obj;
  std::string error;
  ASSERT_TRUE(read_shell(put("a.stl", kText), text, error)) << error;
  EXPECT_THAT(text.faces, ElementsAre(0, 1, 2, 1, 3, 2));
  EXPECT_THAT(text.points, ElementsAre(0, 0, 0, 1, 0, 0, 0, 2.5, 0, 1, 2.5, 0));

  std::string bytes = std::string("solid, although it is binary").append(80, ' ').substr(0, 80);
  const auto add = [&](auto value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes.append(raw, sizeof value);
  };
  add(std::uint32_t{2});
  for (std::size_t t = 0; t < 2; ++t) {
    for (int k = 0; k < 3; ++k) add(0.0F);
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t c = 0; c < 3; ++c) add(text.points[3 * text.faces[3 * t + k] + c]);
    }
    add(std::uint16_t{0});
  }
  ASSERT_TRUE(read_shell(put("b.STL", bytes), binary, error)) << error;
  EXPECT_EQ(binary.points, text.points);
  EXPECT_EQ(binary.faces, text.faces);

  ASSERT_TRUE(
      read_shell(put("c.obj", "v 0 0 0\nv 1 0 0\nv 1 2.5 0\nv 0 2.5 0\nf 1/1 2/2 -2 4//7\n"), obj, error))
      << error;
  EXPECT_THAT(obj.faces, ElementsAre(0, 1, 2, 0, 2, 3));
}

// A cube of quadrangles with a scale, in both versions of the format.
TEST_F(Shells, VendorsShells) {
  const std::string corners = "-1 -1 1\n-1 1 1\n1 1 1\n1 -1 1\n-1 -1 -1\n-1 1 -1\n1 1 -1\n1 -1 -1\n",
                    sides = "4 1 4 3 2\n4 5 6 7 8\n4 1 2 6 5\n4 2 3 7 6\n4 3 4 8 7\n4 4 1 5 8\n";
  for (const std::string& head : {std::string("8 6 2.0\n"), std::string("Version: 2\n8 6 0 2.0\n")}) {
    Shell shell;
    std::string error;
    ASSERT_TRUE(read_shell(put("a.shl", head + corners + sides), shell, error)) << error;
    EXPECT_EQ(shell.points.size(), 24u);
    EXPECT_EQ(shell.points[0], -2);
    const auto mesh = math::mesh_of(shell);
    EXPECT_EQ(mesh->findings().open_edges, 0u);
    EXPECT_DOUBLE_EQ(mesh->findings().volume, 64);
  }
  Shell shell;
  std::string error;
  EXPECT_FALSE(read_shell(put("b.shl", "8 6 2.0\n" + corners + "4 1 2 3 9\n"), shell, error));
  EXPECT_FALSE(read_shell(put("c.shl", "8 7 2.0\n" + corners + sides), shell, error));
  EXPECT_FALSE(read_shell(put("d.shl", "999999999 6 2.0\n" + corners + sides), shell, error));
  EXPECT_THAT(error, HasSubstr("no whole triangles in it"));
}

// Of a polygon that is not convex a fan would be folded over.
TEST_F(Shells, PolygonsThatAreNotConvex) {
  Shell shell;
  std::string error;
  ASSERT_TRUE(read_shell(
      put("l.obj", "v 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nv 0 0 0\nf 1 2 3 4 5 6\n"), shell, error));
  ASSERT_EQ(shell.faces.size(), 12u);
  double area = 0;
  for (std::size_t k = 0; k < 12; k += 3) {
    const auto at = [&](std::size_t j, std::size_t c) {
      return static_cast<double>(shell.points[3 * shell.faces[k + j] + c]);
    };
    const double twice =
        (at(1, 0) - at(0, 0)) * (at(2, 1) - at(0, 1)) - (at(1, 1) - at(0, 1)) * (at(2, 0) - at(0, 0));
    EXPECT_GT(twice, 0);
    area += 0.5 * twice;
  }
  EXPECT_DOUBLE_EQ(area, 3);
}

TEST_F(Shells, SaysWhatCannotBeRead) {
  Shell shell;
  std::string error;
  EXPECT_FALSE(read_shell(put("a.x_t", ""), shell, error));
  EXPECT_THAT(error, HasSubstr("a.x_t: shells are read from .stl, .obj and .shl only"));
  EXPECT_FALSE(read_shell((folder_ / "b.stl").string(), shell, error));
  EXPECT_THAT(error, HasSubstr("b.stl: there is no such file"));
  EXPECT_FALSE(read_shell(put("c.stl", "solid x\nvertex 1 2\n"), shell, error));
  EXPECT_THAT(error, HasSubstr("c.stl: no whole triangles in it"));
  EXPECT_FALSE(read_shell(put("d.obj", "v 0 0 0\nf 1 2 3\n"), shell, error));
}

TEST_F(Shells, AreReadFromTheModelsFolderOnly) {
  put("wheel.stl", kText);
  std::filesystem::create_directories(folder_ / "model");
  std::filesystem::create_symlink(folder_ / "wheel.stl", folder_ / "model" / "link.stl");
  const std::string home = (folder_ / "model").string();
  for (const std::string& file :
       {(folder_ / "wheel.stl").string(), std::string("../wheel.stl"), std::string("link.stl")}) {
    const test::Read read =
        test::read_adm(test::small_model("GRAPHICS/1, EXTERNAL, RM=20, FILE=" + file + "\n"));
    const auto drawn = scene(read.model, home);
    EXPECT_EQ(drawn["graphics"].size(), 0u) << file;
    ASSERT_EQ(drawn["notes"].size(), 1u) << file;
    EXPECT_THAT(drawn["notes"][0].get<std::string>(),
                HasSubstr("lies outside of the model's folder; --allow-outside draws it"));
    EXPECT_EQ(scene(read.model, home, true)["graphics"].size(), 1u) << file;
  }
}

TEST_F(Shells, AreInTheSceneWithCurves) {
  put("wheel.stl", kText);
  const test::Read read = test::read_adm(test::small_model(
      "GRAPHICS/1, EXTERNAL, RM=20, FILE=wheel.stl\nGRAPHICS/2, EXTERNAL, RM=20, FILE=none.stl\n"
      "MATRIX/1, FULL=RORDER, ROWS=3, COLUMNS=3, VALUES=0,0,0, 1,1,0, 2,0,0\n"
      "CURVE/1, OPEN, CURVE_POINTS, MATRIX=1, ORDER=2\nGRAPHICS/3, CURVE, CID=1, CRM=20, SEG=4\n"
      "MARKER/30, PART=1, FLOATING\nPTCV/1, I=21, JFLOAT=30, CURVE=1, RM=10\n"));
  ASSERT_FALSE(read.diagnostics.has_errors()) << read.messages();
  const auto graphics = scene(read.model, folder_.string())["graphics"];
  ASSERT_EQ(graphics.size(), 2u);
  EXPECT_EQ(graphics[0]["type"], "shell");
  const std::uint32_t faces[] = {0, 1, 2, 1, 3, 2};
  EXPECT_EQ(graphics[0]["faces"], base64({reinterpret_cast<const char*>(faces), sizeof faces}));
  EXPECT_EQ(graphics[1]["type"], "polyline");
  // The polyline through three points, cut into four: (0, 0), (½, ½), (1, 1), (3/2, ½), (2, 0).
  ASSERT_EQ(graphics[1]["points"].size(), 5u);
  for (int k = 0; k < 5; ++k) {
    EXPECT_NEAR(graphics[1]["points"][k][0].get<double>(), 0.5 * k, 1e-14);
    EXPECT_NEAR(graphics[1]["points"][k][1].get<double>(), k <= 2 ? 0.5 * k : 2 - 0.5 * k, 1e-14);
  }
}

// What a curve sweeps is drawn as a shell; why one is not is said.
TEST_F(Shells, SweptSolidsAreInTheScene) {
  const test::Read read = test::read_adm(test::small_model(
      "MATRIX/1, FULL=RORDER, ROWS=4, COLUMNS=3, VALUES=0,0,0, 1,0,0, 0,1,0, 0,0,0\n"
      "CURVE/1, CLOSED, CURVE_POINTS, MATRIX=1, ORDER=2\n"
      "GRAPHICS/1, EXTRUSION, CM=20, CID=1, LENGTH=2\nGRAPHICS/2, REVOLUTION, CM=20, CID=1\n"));
  ASSERT_FALSE(read.diagnostics.has_errors()) << read.messages();
  const auto drawn = scene(read.model, folder_.string());
  ASSERT_EQ(drawn["graphics"].size(), 1u);
  EXPECT_EQ(drawn["graphics"][0]["type"], "shell");
  EXPECT_EQ(drawn["graphics"][0]["id"], 1);
  // Six corners, and eight triangles.
  EXPECT_EQ(drawn["graphics"][0]["points"].get<std::string>().size(), (6 * 3 * 4 + 2) / 3 * 4u);
  EXPECT_EQ(drawn["graphics"][0]["faces"].get<std::string>().size(), (8 * 3 * 4 + 2) / 3 * 4u);
  ASSERT_EQ(drawn["notes"].size(), 1u);
  EXPECT_THAT(drawn["notes"][0].get<std::string>(), HasSubstr("does not lie in its plane"));
}

}  // namespace
}  // namespace trunnion::api
