#pragma once
// Curves over time as a drawing: SVG for documents, braille for a terminal.

#include <string>
#include <vector>

namespace trunnion::results {

struct Curve {
  std::string name, unit;
  std::vector<double> x, y;
};

// One panel per unit, one above the other, with the time axis in common. Follows the reader's light or dark setting.
std::string svg(const std::vector<Curve>& curves, const std::string& x_label, const std::string& title);

// Drawings of svg(), one above the other.
std::string stacked(const std::vector<std::string>& drawings);

// `width` by `height` letters for each curve.
std::string sketch(const Curve& curve, int width, int height);

// Round numbers that cover [low, high], about `count` of them.
std::vector<double> ticks(double low, double high, int count);

}  // namespace trunnion::results
