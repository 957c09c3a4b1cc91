// Plots and drawings as self-contained SVG text for light and dark pages.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenpin::lab {

// Okabe and Ito's colours, which colour-blind readers can distinguish. The page may redefine the
// CSS variables --c0 ... --c6 of the colours. kInk is the page's text colour, kPaper its
// background.
enum class Colour { kBlue, kVermilion, kGreen, kPurple, kOrange, kSky, kYellow, kInk, kPaper };

struct PlotPoint {
  double x = 0.0;
  double y = 0.0;
};

// A curve with an entry in the legend (none if the name is empty).
struct Series {
  enum class Style { kLine, kDots, kLineAndDots };

  std::string name;
  std::vector<PlotPoint> points;  // a point that is not finite interrupts the line
  Colour colour = Colour::kBlue;
  Style style = Style::kLine;
  bool dashed = false;
};

// Elements drawn to the scale of the axes.
struct Outline {
  std::vector<PlotPoint> points;
  Colour colour = Colour::kInk;
  bool closed = true;
  bool dashed = false;
  double fill = 0.0;   // -    opacity of the area, 0 ... 1
  double width = 1.2;  // px
};
struct Arrow {
  PlotPoint from, to;
  Colour colour = Colour::kVermilion;
};
struct Label {
  PlotPoint at;
  std::string text;
  double dx = 0.0, dy = 0.0;  // px   from `at`, y downwards
  enum class Anchor { kStart, kMiddle, kEnd } anchor = Anchor::kMiddle;
  Colour colour = Colour::kInk;
};

struct Range {
  double low = 0.0;
  double high = 1.0;
};

struct Plot {
  std::string x_label, y_label;           // with units
  std::optional<Range> x_range, y_range;  // default: everything that is drawn, with a small margin
  bool log_x = false, log_y = false;      // positive values only
  bool equal_scale = false;               // same scale along x and y; determines the height
  bool axes = true;                       // false: a drawing without frame and ticks
  double width = 720.0;                   // px
  double height = 400.0;                  // px
  std::string description;                // for readers who cannot see it
  std::vector<Series> series;
  std::vector<Outline> outlines;
  std::vector<Arrow> arrows;
  std::vector<Label> labels;
};

// Returns a complete <svg> element. The same plot gives the same bytes.
[[nodiscard]] std::string draw_svg(const Plot& plot);

// Ticks at steps of 1, 2 or 5 times a power of ten, about `target` of them.
[[nodiscard]] std::vector<double> calc_ticks(Range range, int target);

// Escapes text for XML and HTML, including text within quotes.
[[nodiscard]] std::string escape_xml(std::string_view text);

// Makes outlines.
[[nodiscard]] std::vector<PlotPoint> make_circle(PlotPoint center, double radius);
[[nodiscard]] std::vector<PlotPoint> make_capsule(PlotPoint center, double angle,
                                                  double half_length, double radius);

}  // namespace tenpin::lab
