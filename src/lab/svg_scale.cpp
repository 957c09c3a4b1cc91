#include "lab/svg_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenpin::lab {

namespace {

constexpr double kLn10 = 2.30258509299404568402;
constexpr double kLn2 = 0.69314718055994530942;
constexpr double kMargin = 0.04;     // -   free space around the contents
constexpr double kRounding = 1e-12;  // -   smaller relative differences count as equal

// Powers of ten by multiplication: exact up to 10^22, and the same on every machine.
double power_of_ten(int exponent) {
  double power = 1.0;
  for (int i = 0; i < std::abs(exponent); ++i) power *= 10.0;
  return exponent < 0 ? 1.0 / power : power;
}

struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

Range widen(Extent extent, bool is_log) {
  if (!(extent.low <= extent.high)) return {.low = is_log ? 1.0 : 0.0, .high = is_log ? 10.0 : 1.0};
  if (is_log) return {.low = extent.low / 1.5, .high = extent.high * 1.5};
  const double span = extent.high - extent.low;
  const bool is_flat = span <= kRounding * std::max(std::fabs(extent.low), std::fabs(extent.high));
  const double margin = is_flat ? std::max(1e-3, std::fabs(extent.low)) : kMargin * span;
  return {.low = extent.low - margin, .high = extent.high + margin};
}

template <typename Coordinate>
Range find_range(const Plot& plot, bool is_log, Coordinate coordinate) {
  Extent extent;
  for (const Series& series : plot.series)
    for (const PlotPoint& p : series.points) extent.add(coordinate(p));
  for (const Outline& outline : plot.outlines)
    for (const PlotPoint& p : outline.points) extent.add(coordinate(p));
  for (const Arrow& arrow : plot.arrows) {
    extent.add(coordinate(arrow.from));
    extent.add(coordinate(arrow.to));
  }
  return widen(extent, is_log);
}

}  // namespace

double calc_log10(double number) {
  int exponent = 0;
  const double mantissa = std::frexp(number, &exponent);  // 0.5 ... 1
  // ln m = 2 artanh((m - 1)/(m + 1)); |argument| <= 1/3, so 18 terms leave 1e-18.
  const double s = (mantissa - 1.0) / (mantissa + 1.0);
  double sum = 0.0;
  for (int k = 35; k >= 1; k -= 2) sum = sum * s * s + 1.0 / k;
  return (2.0 * s * sum + exponent * kLn2) / kLn10;
}

std::vector<double> calc_ticks(Range range, int target) {
  const double raw = (range.high - range.low) / std::max(1, target);
  // Steps smaller than rounding would never reach the end.
  const double least = 1e-3 * kRounding * std::max(std::fabs(range.low), std::fabs(range.high));
  if (!(raw > least) || !std::isfinite(raw)) return {};
  const int exponent = static_cast<int>(std::floor(calc_log10(raw)));
  const double power = power_of_ten(exponent);
  double step = 10.0 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= raw * (1.0 - 1e-9)) {
      step = factor * power;
      break;
    }
  }
  std::vector<double> ticks;
  const double first = std::ceil(range.low / step - 1e-9);
  for (double k = first; k * step <= range.high + 1e-9 * step; k += 1.0) ticks.push_back(k * step);
  return ticks;
}

Axis::Axis(Range range, bool is_log, double pixel_low, double pixel_high)
    : range_(range),
      is_log_(is_log),
      pixel_low_(pixel_low),
      per_unit_((pixel_high - pixel_low) / (position(range.high) - position(range.low))) {}

double Axis::pixel(double value) const {
  return pixel_low_ + (position(value) - position(range_.low)) * per_unit_;
}

std::vector<Tick> Axis::calc_labelled_ticks(int target) const {
  std::vector<Tick> ticks;
  if (!is_log_) {
    for (const double value : calc_ticks(range_, target)) {
      // Rounding may leave 1e-17 instead of zero.
      const double shown = std::fabs(value) < 1e-9 * (range_.high - range_.low) ? 0.0 : value;
      ticks.push_back({.value = shown, .text = fmt::format("{:.6g}", shown)});
    }
    return ticks;
  }
  const int first = static_cast<int>(std::floor(position(range_.low)));
  const int last = static_cast<int>(std::ceil(position(range_.high)));
  // For many decades, labels at some or all decades are enough.
  const int stride = std::max(1, (last - first + target - 1) / std::max(1, target));
  const bool is_wide = last - first > 4;
  for (int decade = first; decade <= last; decade += stride) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (is_wide && factor > 1.0) continue;
      const double value = factor * power_of_ten(decade);
      if (value < range_.low || value > range_.high) continue;
      ticks.push_back({.value = value, .text = fmt::format("{:.6g}", value)});
    }
  }
  return ticks;
}

namespace {

// px   From the edge to the axis: room for the label and for the longest number.
double calc_left(const Plot& plot, Range y_range) {
  constexpr double kLeast = 64.0;
  constexpr double kLabel = 34.0;
  constexpr double kDigit = 7.6;
  constexpr int kTicks = 8;
  std::size_t longest = 0;
  for (const Tick& tick : Axis(y_range, plot.log_y, 1.0, 0.0).calc_labelled_ticks(kTicks)) {
    longest = std::max(longest, tick.text.size());
  }
  return std::max(kLeast, kLabel + kDigit * static_cast<double>(longest));
}

}  // namespace

PlotFrame make_frame(const Plot& plot, double above) {
  const Range x_range = plot.x_range.value_or(find_range(plot, plot.log_x, [](const PlotPoint& p) {
    return p.x;
  }));
  const Range y_range = plot.y_range.value_or(find_range(plot, plot.log_y, [](const PlotPoint& p) {
    return p.y;
  }));
  const double left = plot.axes ? calc_left(plot, y_range) : 8.0;
  const double right = plot.width - 14.0;
  const double top = 12.0 + above;
  const double under = plot.axes ? 46.0 : 8.0;
  double bottom = plot.height - under;
  if (plot.equal_scale) {
    bottom = top + (right - left) * (y_range.high - y_range.low) / (x_range.high - x_range.low);
  }
  return {.left = left,
          .right = right,
          .top = top,
          .bottom = bottom,
          .height = bottom + under,
          .x = Axis(x_range, plot.log_x, left, right),
          .y = Axis(y_range, plot.log_y, bottom, top)};
}

}  // namespace tenpin::lab
