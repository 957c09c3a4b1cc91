// Maps the numbers of a plot to pixels.
#pragma once

#include <vector>

#include "lab/svg_plot.h"

namespace tenpin::lab {

// Decimal logarithm of a positive number, with bits that do not depend on the C library.
[[nodiscard]] double calc_log10(double number);

struct Tick {
  double value = 0.0;  // in the units of the axis
  std::string text;
};

// One axis: linear or logarithmic.
class Axis {
 public:
  Axis(Range range, bool is_log, double pixel_low, double pixel_high);

  [[nodiscard]] double pixel(double value) const;
  [[nodiscard]] std::vector<Tick> calc_labelled_ticks(int target) const;
  const Range& range() const { return range_; }

 private:
  double position(double value) const { return is_log_ ? calc_log10(value) : value; }

  Range range_;
  bool is_log_;
  double pixel_low_;  // px   where range.low is drawn
  double per_unit_;   // px   per unit, or per decade
};

// The frame of a plot: its ranges and its place in the picture.
struct PlotFrame {
  double left = 0.0, right = 0.0, top = 0.0, bottom = 0.0;  // px
  double height = 0.0;                                      // px   of the whole picture
  Axis x, y;
};

// `above` (px) stays free over the frame, for a legend; the frame gives way.
[[nodiscard]] PlotFrame make_frame(const Plot& plot, double above = 0.0);

}  // namespace tenpin::lab
