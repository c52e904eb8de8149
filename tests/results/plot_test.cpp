// Drawings: what must be in them, and inside their frame.

#include "results/read/plot.hpp"

#include <map>
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace trunnion::results {
namespace {

// Names that do not fit beside each other go to further lines, above the panel and inside the drawing.
TEST(Plot, LegendsStayInsideTheDrawing) {
  std::vector<Curve> curves;
  for (int k = 1; k <= 24; ++k)
    curves.push_back(
        {"REQUEST/1.COMPONENT_" + std::to_string(k), k <= 12 ? "newton" : "meter", {0, 1}, {0, 1.0 * k}});
  const std::string drawing = svg(curves, "time", "title");
  std::smatch size;
  ASSERT_TRUE(std::regex_search(drawing, size, std::regex("viewBox=\"0 0 ([0-9.]+) ([0-9.]+)\"")));
  const double width = std::stod(size[1]), height = std::stod(size[2]);
  const std::regex text("<text x=\"([0-9.]+)\" y=\"([0-9.]+)\">(REQUEST[^<]*)</text>");
  std::map<std::pair<double, double>, std::string> places;
  double last = 0;
  for (std::sregex_iterator at(drawing.begin(), drawing.end(), text), end; at != end; ++at) {
    const double x = std::stod((*at)[1]), y = std::stod((*at)[2]);
    EXPECT_LT(x + 7.2 * static_cast<double>((*at)[3].length()), width) << (*at)[3];
    EXPECT_GT(y, 18) << "below the title";
    EXPECT_LT(y, height);
    EXPECT_GE(y, last);
    last = y;
    EXPECT_TRUE(places.emplace(std::pair(x, y), (*at)[3]).second) << "two names at one place";
  }
  EXPECT_EQ(places.size(), 24u);
}

}  // namespace
}  // namespace trunnion::results
