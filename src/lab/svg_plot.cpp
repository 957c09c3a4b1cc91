#include "lab/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "lab/svg_scale.h"
#include "math/trig.h"

namespace tenpin::lab {

namespace {

constexpr std::array<std::string_view, 9> kColours = {
    "var(--c0,#0072b2)", "var(--c1,#d55e00)", "var(--c2,#009e73)",
    "var(--c3,#cc79a7)", "var(--c4,#e69f00)", "var(--c5,#56b4e9)",
    "var(--c6,#f0e442)", "currentColor",      "var(--paper,#fff)"};

std::string_view css(Colour colour) {
  return kColours[static_cast<std::size_t>(colour)];
}

struct LegendEntry {
  const Series* series = nullptr;
  double x = 0.0, y = 0.0;  // px   from the legend's corner
};

struct Legend {
  std::vector<LegendEntry> entries;
  PlotPoint corner;                  // px
  double width = 0.0, height = 0.0;  // px
  bool is_above = false;             // the frame
};

constexpr double kLegendRow = 19.0;  // px

double calc_entry_width(const Series& series) {
  return 44.0 + 7.0 * static_cast<double>(series.name.size());
}

Legend list_in_column(const Plot& plot) {
  Legend legend;
  for (const Series& series : plot.series) {
    if (series.name.empty()) continue;
    legend.entries.push_back(
        {&series, 0.0, 14.5 + kLegendRow * static_cast<double>(legend.entries.size())});
    legend.width = std::max(legend.width, calc_entry_width(series));
  }
  legend.height = 10.0 + kLegendRow * static_cast<double>(legend.entries.size());
  return legend;
}

Legend list_in_rows(const Plot& plot, double width) {
  Legend legend = {.width = width, .is_above = true};
  PlotPoint at = {.x = 0.0, .y = 14.5};
  for (const Series& series : plot.series) {
    if (series.name.empty()) continue;
    if (at.x > 0.0 && at.x + calc_entry_width(series) > width) {
      at = {.x = 0.0, .y = at.y + kLegendRow};
    }
    legend.entries.push_back({&series, at.x, at.y});
    at.x += calc_entry_width(series);
  }
  legend.height = at.y + 2.0;
  return legend;
}

// Draws one picture, part by part.
class Drawing {
 public:
  explicit Drawing(const Plot& plot) : plot_(plot), frame_(make_frame(plot)) { place_legend(); }

  std::string draw() {
    open();
    if (plot_.axes) draw_axes();
    open_clip();
    for (const Outline& outline : plot_.outlines) draw_outline(outline);
    for (const Series& series : plot_.series) draw_series(series);
    for (const Arrow& arrow : plot_.arrows) draw_arrow(arrow);
    add("</g>\n");
    for (const Label& label : plot_.labels) draw_label(label);
    draw_legend();
    add("</svg>\n");
    return std::move(text_);
  }

 private:
  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }

  double x(double value) const { return frame_.x.pixel(value); }
  double y(double value) const { return frame_.y.pixel(value); }

  void open() {
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.6g} {:.6g}\" role=\"img\" "
        "font-family=\"system-ui,sans-serif\" font-size=\"13\" fill=\"currentColor\">\n",
        plot_.width, frame_.height);
    if (!plot_.description.empty()) add("<title>{}</title>\n", escape_xml(plot_.description));
  }

  // Clip names are global in a page, so they are derived from the frame's position.
  void open_clip() {
    const double width = frame_.right - frame_.left;
    const double height = frame_.bottom - frame_.top;
    const std::string name =
        fmt::format("clip-{:.0f}-{:.0f}-{:.0f}", frame_.left, width, 100.0 * height);
    add("<clipPath id=\"{}\"><rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" "
        "height=\"{:.2f}\"/></clipPath>\n<g clip-path=\"url(#{})\">\n",
        name, frame_.left, frame_.top, width, height, name);
  }

  void draw_axes() {
    const double middle = 0.5 * (frame_.top + frame_.bottom);
    for (const Tick& tick : frame_.x.calc_labelled_ticks(8)) {
      const double px = x(tick.value);
      add("<path d=\"M{:.2f} {:.2f}V{:.2f}\" stroke=\"currentColor\" stroke-opacity=\".13\"/>"
          "<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\">{}</text>\n",
          px, frame_.top, frame_.bottom, px, frame_.bottom + 18.0, tick.text);
    }
    const int num_ticks = std::clamp(static_cast<int>((frame_.bottom - frame_.top) / 45.0), 2, 8);
    for (const Tick& tick : frame_.y.calc_labelled_ticks(num_ticks)) {
      const double py = y(tick.value);
      add("<path d=\"M{:.2f} {:.2f}H{:.2f}\" stroke=\"currentColor\" stroke-opacity=\".13\"/>"
          "<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"end\">{}</text>\n",
          frame_.left, py, frame_.right, frame_.left - 7.0, py + 4.5, tick.text);
    }
    add("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"none\" "
        "stroke=\"currentColor\" stroke-opacity=\".55\"/>\n",
        frame_.left, frame_.top, frame_.right - frame_.left, frame_.bottom - frame_.top);
    add("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\">{}</text>\n",
        0.5 * (frame_.left + frame_.right), frame_.bottom + 38.0, escape_xml(plot_.x_label));
    add("<text transform=\"translate(16 {:.2f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
        middle, escape_xml(plot_.y_label));
  }

  std::string path(const std::vector<PlotPoint>& points) const {
    std::string d;
    bool is_down = false;
    for (const PlotPoint& p : points) {
      const double px = x(p.x);
      const double py = y(p.y);
      if (!std::isfinite(px) || !std::isfinite(py)) {
        is_down = false;
        continue;
      }
      fmt::format_to(std::back_inserter(d), "{}{:.2f} {:.2f}", is_down ? "L" : "M", px, py);
      is_down = true;
    }
    return d;
  }

  void draw_outline(const Outline& outline) {
    const std::string_view colour = css(outline.colour);
    add("<path d=\"{}{}\" style=\"stroke:{};stroke-width:{:.3g};stroke-linejoin:round;fill:{};"
        "fill-opacity:{:.3g}{}\"/>\n",
        path(outline.points), outline.closed ? "Z" : "", colour, outline.width,
        outline.fill > 0.0 ? colour : "none", outline.fill,
        outline.dashed ? ";stroke-dasharray:5 4" : "");
  }

  void draw_series(const Series& series) {
    if (series.style != Series::Style::kDots) {
      add("<path d=\"{}\" "
          "style=\"stroke:{};stroke-width:1.8;stroke-linejoin:round;fill:none{}\"/>\n",
          path(series.points), css(series.colour), dashes(series));
    }
    if (series.style == Series::Style::kLine) return;
    for (const PlotPoint& p : series.points) {
      const double px = x(p.x);
      const double py = y(p.y);
      if (!std::isfinite(px) || !std::isfinite(py)) continue;
      add("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"3.6\" style=\"fill:{}\"/>\n", px, py,
          css(series.colour));
    }
  }

  static std::string_view dashes(const Series& series) {
    return series.dashed ? ";stroke-dasharray:6 4" : "";
  }

  void draw_arrow(const Arrow& arrow) {
    constexpr double kHead = 8.0;  // px   length; half as wide
    const double x0 = x(arrow.from.x);
    const double y0 = y(arrow.from.y);
    const double dx = x(arrow.to.x) - x0;
    const double dy = y(arrow.to.y) - y0;
    const double length = std::sqrt(dx * dx + dy * dy);
    if (!(length > 0.5)) return;
    const double ux = dx / length;
    const double uy = dy / length;
    const double head = std::min(kHead, length);
    const double bx = x0 + dx - head * ux;
    const double by = y0 + dy - head * uy;
    add("<path d=\"M{:.2f} {:.2f}L{:.2f} {:.2f}\" style=\"stroke:{};stroke-width:2.2\"/>"
        "<path d=\"M{:.2f} {:.2f}L{:.2f} {:.2f}L{:.2f} {:.2f}Z\" style=\"fill:{}\"/>\n",
        x0, y0, bx, by, css(arrow.colour), x0 + dx, y0 + dy, bx - 0.45 * head * uy,
        by + 0.45 * head * ux, bx + 0.45 * head * uy, by - 0.45 * head * ux, css(arrow.colour));
  }

  void draw_label(const Label& label) {
    constexpr std::array<std::string_view, 3> kAnchors = {"start", "middle", "end"};
    add("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\" font-size=\"12\" "
        "style=\"fill:{}\">{}</text>\n",
        x(label.at.x) + label.dx, y(label.at.y) + label.dy,
        kAnchors[static_cast<std::size_t>(label.anchor)], css(label.colour),
        escape_xml(label.text));
  }

  // One entry after the other above the frame, or one below the other in a free corner of it.
  void draw_legend() {
    if (legend_.entries.empty()) return;
    if (!legend_.is_above) {
      add("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" rx=\"4\" "
          "style=\"fill:var(--paper,#fff);fill-opacity:.82\"/>\n",
          legend_.corner.x, legend_.corner.y, legend_.width, legend_.height);
    }
    for (const LegendEntry& entry : legend_.entries) draw_entry(entry);
  }

  void draw_entry(const LegendEntry& entry) {
    const Series& series = *entry.series;
    const double px = legend_.corner.x + entry.x;
    const double py = legend_.corner.y + entry.y;
    if (series.style != Series::Style::kDots) {
      add("<path d=\"M{:.2f} {:.2f}h24\" style=\"stroke:{};stroke-width:2{}\"/>", px + 6.0, py,
          css(series.colour), dashes(series));
    }
    if (series.style != Series::Style::kLine) {
      add("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"3.6\" style=\"fill:{}\"/>", px + 18.0, py,
          css(series.colour));
    }
    add("<text x=\"{:.2f}\" y=\"{:.2f}\">{}</text>\n", px + 36.0, py + 4.5,
        escape_xml(series.name));
  }

  // A corner of the frame that no curve crosses, else the space above the frame.
  void place_legend() {
    legend_ = list_in_column(plot_);
    if (legend_.entries.empty()) return;
    int fewest = -1;
    for (const double px : {frame_.right - legend_.width - 8.0, frame_.left + 8.0}) {
      for (const double py : {frame_.top + 8.0, frame_.bottom - legend_.height - 8.0}) {
        const int count = count_drawn({.low = px, .high = px + legend_.width},
                                      {.low = py, .high = py + legend_.height});
        if (fewest >= 0 && count >= fewest) continue;
        fewest = count;
        legend_.corner = {.x = px, .y = py};
      }
    }
    if (fewest == 0 || !plot_.axes) return;
    legend_ = list_in_rows(plot_, frame_.right - frame_.left);
    legend_.corner = {.x = frame_.left - 6.0, .y = 0.0};
    frame_ = make_frame(plot_, legend_.height);
  }

  // How much is drawn in a rectangle: points of curves, taken every few pixels, and labels.
  int count_drawn(Range px, Range py) const {
    constexpr double kApart = 6.0;  // px
    int count = 0;
    const auto count_point = [&](double at_x, double at_y) {
      count += px.low <= at_x && at_x <= px.high && py.low <= at_y && at_y <= py.high ? 1 : 0;
    };
    const auto count_line = [&](const std::vector<PlotPoint>& points, bool is_line) {
      for (std::size_t i = 0; i < points.size(); ++i) {
        const PlotPoint b = {.x = x(points[i].x), .y = y(points[i].y)};
        count_point(b.x, b.y);
        if (!is_line || i == 0) continue;
        const PlotPoint a = {.x = x(points[i - 1].x), .y = y(points[i - 1].y)};
        const double length = std::max(std::fabs(b.x - a.x), std::fabs(b.y - a.y));
        if (!(length < 10.0 * plot_.width)) continue;  // not finite, or far outside
        for (double s = kApart; s < length; s += kApart) {
          count_point(a.x + (b.x - a.x) * s / length, a.y + (b.y - a.y) * s / length);
        }
      }
    };
    for (const Series& series : plot_.series) {
      count_line(series.points, series.style != Series::Style::kDots);
    }
    for (const Outline& outline : plot_.outlines) count_line(outline.points, true);
    for (const Label& label : plot_.labels) count_line({label.at}, false);
    return count;
  }

  const Plot& plot_;
  PlotFrame frame_;
  Legend legend_;
  std::string text_;
};

void append_arc(PlotPoint center, double radius, Range angle, std::vector<PlotPoint>* points) {
  constexpr int kPieces = 24;
  for (int i = 0; i <= kPieces; ++i) {
    const SinCos s = sin_cos(angle.low + (angle.high - angle.low) * i / kPieces);
    points->push_back({.x = center.x + radius * s.cos, .y = center.y + radius * s.sin});
  }
}

}  // namespace

std::string draw_svg(const Plot& plot) {
  return Drawing(plot).draw();
}

std::string escape_xml(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::vector<PlotPoint> make_circle(PlotPoint center, double radius) {
  std::vector<PlotPoint> points;
  append_arc(center, radius, {.low = 0.0, .high = kPi}, &points);
  append_arc(center, radius, {.low = kPi, .high = 2.0 * kPi}, &points);
  return points;
}

std::vector<PlotPoint> make_capsule(PlotPoint center, double angle, double half_length,
                                    double radius) {
  const SinCos s = sin_cos(angle);
  const PlotPoint tip = {.x = half_length * s.cos, .y = half_length * s.sin};
  std::vector<PlotPoint> points;
  append_arc({.x = center.x + tip.x, .y = center.y + tip.y}, radius,
             {.low = angle - 0.5 * kPi, .high = angle + 0.5 * kPi}, &points);
  append_arc({.x = center.x - tip.x, .y = center.y - tip.y}, radius,
             {.low = angle + 0.5 * kPi, .high = angle + 1.5 * kPi}, &points);
  return points;
}

}  // namespace tenpin::lab
