#include "results/read/plot.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace trunnion::results {

namespace {

struct Range {
  double low = HUGE_VAL, high = -HUGE_VAL;
  void take(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  // A line that does not move, or nothing at all, still gets a scale.
  void widen() {
    if (!(low <= high)) low = high = 0;
    if (high - low > 1e-12 * std::max(std::abs(low), std::abs(high))) return;
    const double by = low == 0 ? 1 : 0.1 * std::abs(low);
    low -= by;
    high += by;
  }
};

std::string tick_text(double value, double step) {
  if (std::abs(value) < 1e-9 * step) value = 0;
  return fmt::format("{:.6g}", value);
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') out += "&lt;";
    else if (c == '&') out += "&amp;";
    else out += c;
  }
  return out;
}

constexpr double kPlotWidth = 800, kLeft = 76, kRight = 24, kPanel = 220, kGap = 28, kTop = 44, kBottom = 48,
                 kLine = 16;
constexpr int kColours = 8;

// Same hues in both settings; chosen to stay apart for colour-blind readers.
constexpr const char* kStyle =
    "<style>"
    ".bg{fill:#fff}.grid{stroke:#e3e6ea}.axis{stroke:#8a9099}text{fill:#2b2f36;font:12px "
    "system-ui,sans-serif}"
    ".title{font-size:14px;font-weight:600}.c{fill:none;stroke-width:1.6;stroke-linejoin:round}"
    ".s0{stroke:#2f6fde}.s1{stroke:#e07b00}.s2{stroke:#1c9a6c}.s3{stroke:#c8377f}.s4{stroke:#7a52cc}.s5{"
    "stroke:#9a7b13}"
    ".s6{stroke:#0092b3}.s7{stroke:#6b7280}"
    "@media(prefers-color-scheme:dark){.bg{fill:#15181d}.grid{stroke:#2b3038}.axis{stroke:#6b727d}text{fill:#"
    "d9dde3}}"
    "</style>";

struct LegendPlace {
  double x = 0;
  int line = 0;
};
// As many names to a line as fit, by a width that letters of this size have on the whole.
std::vector<LegendPlace> legend_places(const std::vector<const Curve*>& curves) {
  constexpr double kLetter = 7.2;
  const double begin = std::max(kLeft, 24 + kLetter * static_cast<double>(curves.front()->unit.size()));
  std::vector<LegendPlace> out;
  LegendPlace next{begin, 0};
  for (const Curve* curve : curves) {
    const double width = 40 + kLetter * static_cast<double>(curve->name.size());
    if (next.x > begin && next.x + width > kPlotWidth) next = {begin, next.line + 1};
    out.push_back(next);
    next.x += width;
  }
  return out;
}

class SvgPanel {
 public:
  SvgPanel(double top, Range x, Range y) : top_(top), x_(x), y_(y) {}

  std::string grid(const std::string& unit) const {
    std::string out;
    const std::vector<double> ys = ticks(y_.low, y_.high, 5), xs = ticks(x_.low, x_.high, 8);
    for (const double v : ys) {
      out += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>", kLeft, py(v),
                         kPlotWidth - kRight);
      out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", kLeft - 8,
                         py(v) + 4, tick_text(v, ys.back() - ys.front()));
    }
    for (const double v : xs)
      out += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>", px(v), top_, top_ + kPanel);
    out += fmt::format("<path class=\"axis\" fill=\"none\" d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}\"/>", kLeft, top_,
                       top_ + kPanel, kPlotWidth - kRight);
    return out + fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", 8.0, top_ - 6, escaped(unit));
  }

  std::string x_axis(const std::string& label) const {
    std::string out;
    const std::vector<double> xs = ticks(x_.low, x_.high, 8);
    for (const double v : xs)
      out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", px(v),
                         top_ + kPanel + 16, tick_text(v, xs.back() - xs.front()));
    return out + fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                             (kLeft + kPlotWidth - kRight) / 2, top_ + kPanel + 36, escaped(label));
  }

  // More points than the drawing has columns: the lowest and highest of each column say the same.
  std::string curve(const Curve& c, int colour) const {
    std::string path;
    bool pen = false;
    const auto put = [&](std::size_t k) {
      path += fmt::format("{}{:.1f} {:.1f}", pen ? "L" : "M", px(c.x[k]), py(c.y[k]));
      pen = true;
    };
    for (std::size_t k = 0; k < c.x.size();) {
      if (!std::isfinite(c.y[k])) {
        pen = false;
        ++k;
        continue;
      }
      std::size_t end = k, low = k, high = k;
      while (end < c.x.size() && std::isfinite(c.y[end]) && px(c.x[end]) - px(c.x[k]) < 0.5) {
        if (c.y[end] < c.y[low]) low = end;
        if (c.y[end] > c.y[high]) high = end;
        ++end;
      }
      put(std::min(low, high));
      if (low != high) put(std::max(low, high));
      k = end;
    }
    return fmt::format("<path class=\"c s{}\" d=\"{}\"/>\n", colour % kColours, path);
  }

  // Names above the panel, the last line of them next to it.
  std::string legend(const std::vector<const Curve*>& curves, int first_colour) const {
    const std::vector<LegendPlace> places = legend_places(curves);
    std::string out;
    for (std::size_t k = 0; k < curves.size(); ++k) {
      const int colour = (first_colour + static_cast<int>(k)) % kColours;
      const double x = places[k].x, y = top_ - 6 - kLine * (places.back().line - places[k].line);
      out += fmt::format("<path class=\"c s{}\" d=\"M{:.1f} {:.1f}h18\"/>", colour, x, y - 4);
      out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", x + 23, y, escaped(curves[k]->name));
    }
    return out + "\n";
  }

 private:
  double px(double v) const {
    return kLeft + (v - x_.low) / (x_.high - x_.low) * (kPlotWidth - kLeft - kRight);
  }
  double py(double v) const { return top_ + (y_.high - v) / (y_.high - y_.low) * kPanel; }

  double top_;
  Range x_, y_;
};

}  // namespace

std::vector<double> ticks(double low, double high, int count) {
  const double rough = (high - low) / std::max(count, 1);
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough * (1 - 1e-9)) {
      step = factor * power;
      break;
    }
  }
  std::vector<double> out;
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) out.push_back(k * step);
  return out;
}

std::string svg(const std::vector<Curve>& curves, const std::string& x_label, const std::string& title) {
  std::vector<std::string> units;
  Range x;
  for (const Curve& c : curves) {
    if (std::find(units.begin(), units.end(), c.unit) == units.end()) units.push_back(c.unit);
    for (const double v : c.x) x.take(v);
  }
  x.widen();
  double top = kTop;
  int colour = 0;
  std::string panels;
  for (const std::string& unit : units) {
    Range y;
    std::vector<const Curve*> here;
    for (const Curve& c : curves) {
      if (c.unit != unit) continue;
      here.push_back(&c);
      for (const double v : c.y) y.take(v);
    }
    y.widen();
    top += kLine * legend_places(here).back().line;
    const SvgPanel panel(top, x, y);
    panels += panel.grid(unit) + panel.legend(here, colour);
    for (const Curve* c : here) panels += panel.curve(*c, colour++);
    if (&unit == &units.back()) panels += panel.x_axis(x_label);
    top += kPanel + kGap;
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\">\n{2}\n"
      "<rect class=\"bg\" width=\"{0}\" height=\"{1}\"/>\n<text class=\"title\" x=\"{3}\" "
      "y=\"18\">{4}</text>\n{5}</svg>\n",
      kPlotWidth, top - kGap + kBottom + 12, kStyle, kLeft, escaped(title), panels);
}

std::string stacked(const std::vector<std::string>& drawings) {
  double height = 0;
  std::string inside;
  for (const std::string& drawing : drawings) {
    constexpr std::string_view kHeight = " height=\"";
    inside += fmt::format("<g transform=\"translate(0 {})\">\n{}</g>\n", height, drawing);
    height += std::stod(drawing.substr(drawing.find(kHeight) + kHeight.size()));
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\">\n{2}</svg>\n",
      kPlotWidth, height, inside);
}

std::string sketch(const Curve& curve, int width, int height) {
  Range x, y;
  for (const double v : curve.x) x.take(v);
  for (const double v : curve.y) y.take(v);
  const Range true_y = y;
  x.widen();
  y.widen();
  // A braille letter is 2 by 4 dots.
  const int dots_x = 2 * width, dots_y = 4 * height;
  std::vector<unsigned> cells(static_cast<std::size_t>(width * height));
  constexpr unsigned kDot[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
  const auto set = [&](int dx, int dy) {
    cells[static_cast<std::size_t>((dy / 4) * width + dx / 2)] |= kDot[dy % 4][dx % 2];
  };
  int last_x = -1, last_y = -1;
  for (std::size_t k = 0; k < curve.x.size(); ++k) {
    if (!std::isfinite(curve.y[k])) {
      last_x = -1;
      continue;
    }
    const int dx = static_cast<int>(std::lround((curve.x[k] - x.low) / (x.high - x.low) * (dots_x - 1)));
    const int dy = static_cast<int>(std::lround((y.high - curve.y[k]) / (y.high - y.low) * (dots_y - 1)));
    const int count = last_x < 0 ? 1 : std::max({std::abs(dx - last_x), std::abs(dy - last_y), 1});
    for (int s = 1; s <= count; ++s) {
      const int from_x = last_x < 0 ? dx : last_x, from_y = last_x < 0 ? dy : last_y;
      set(from_x + (dx - from_x) * s / count, from_y + (dy - from_y) * s / count);
    }
    last_x = dx;
    last_y = dy;
  }
  std::string out =
      fmt::format("{} [{}]  {:.6g} … {:.6g}\n", curve.name, curve.unit, true_y.low, true_y.high);
  for (int r = 0; r < height; ++r) {
    out += fmt::format("{:>11} ┤", r == 0            ? fmt::format("{:.4g}", y.high)
                                   : r == height - 1 ? fmt::format("{:.4g}", y.low)
                                                     : "");
    for (int c = 0; c < width; ++c) {
      const unsigned code = 0x2800 + cells[static_cast<std::size_t>(r * width + c)];
      for (const unsigned byte : {0xE0 | code >> 12, 0x80 | (code >> 6 & 0x3F), 0x80 | (code & 0x3F)})
        out += static_cast<char>(byte);
    }
    out += '\n';
  }
  const std::string left = fmt::format("{:.4g}", x.low), right = fmt::format("{:.4g}", x.high);
  const int blank = std::max(1, width - static_cast<int>(left.size() + right.size()));
  return out + std::string(13, ' ') + left + std::string(static_cast<std::size_t>(blank), ' ') + right + "\n";
}

}  // namespace trunnion::results
