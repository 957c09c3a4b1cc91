#include "lab/experiments/st00_balls_figures.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"
#include "lab/experiments/st00_balls_motion.h"
#include "lab/svg_plot.h"
#include "math/trig.h"

namespace tenpin::lab::experiments {

namespace {

using contact::ContactRecord;

constexpr std::array<Colour, kNumBalls> kColourOfBall = {Colour::kVermilion, Colour::kBlue,
                                                         Colour::kGreen, Colour::kPurple};
constexpr std::array<const char*, kNumBalls> kNameOfBall = {"thrown", "first", "second", "third"};

// A point of a cone with its apex at the origin, seen slightly from above.
PlotPoint project(double x, double y, double z) {
  return {.x = x + 0.05 * y, .y = z + 0.28 * y};
}

struct ConeStyle {
  int num_corners = 8;
  int num_edges = 8;   // edges drawn from the apex
  double shift = 0.0;  // along x
  Colour colour = Colour::kBlue;
};

// Adds a cone, cut at height 1, where its radius is mu.
void add_cone(const ConeStyle& style, double mu, Plot* plot) {
  Outline rim{.colour = style.colour, .fill = 0.12};
  const auto corner = [&](int i, int count) {
    const SinCos s = sin_cos(2.0 * kPi * i / count);
    PlotPoint p = project(mu * s.cos, mu * s.sin, 1.0);
    p.x += style.shift;
    return p;
  };
  for (int i = 0; i < style.num_corners; ++i) rim.points.push_back(corner(i, style.num_corners));
  for (int i = 0; i < style.num_edges; ++i) {
    plot->outlines.push_back({.points = {{style.shift, 0.0}, corner(i, style.num_edges)},
                              .colour = style.colour,
                              .closed = false,
                              .dashed = 2 * i > 0 && 2 * i < style.num_edges});
  }
  plot->outlines.push_back(std::move(rim));
  plot->arrows.push_back({{style.shift, 0.0}, {style.shift, 1.45}, Colour::kInk});
  plot->labels.push_back({.at = {style.shift, 1.45}, .text = "n", .dx = 10.0, .dy = 6.0});
}

Figure draw_cones() {
  constexpr double kMu = 0.62;  // -   larger than the balls' 0.4, to be visible
  Plot plot{.x_range = Range{-1.1, 2.9},
            .y_range = Range{-0.18, 1.55},
            .equal_scale = true,
            .axes = false,
            .width = 600.0};
  plot.description = "Circular friction cone and its polyhedral approximation";
  add_cone({.num_corners = 96, .num_edges = 2, .shift = 0.0}, kMu, &plot);
  add_cone({.shift = 1.8, .colour = Colour::kVermilion}, kMu, &plot);
  plot.labels.push_back({.at = {0.0, 0.0}, .text = "circular cone", .dy = 18.0});
  plot.labels.push_back({.at = {1.8, 0.0}, .text = "polyhedral cone, 8 directions", .dy = 18.0});
  return {"Fig. 1: friction cone and its polyhedral approximation by n and d₁ … d₈.",
          draw_svg(plot)};
}

void add_floor(Range x, double z, Plot* plot) {
  plot->outlines.push_back({.points = {{x.low, z}, {x.high, z}}, .closed = false, .width = 2.0});
}

// Adds an impulse on one ball, as its normal part and its friction part, drawn slightly inside the
// ball.
void add_impulse(const ContactRecord& c, int body, const Vec3& center, double metres_per_impulse,
                 Plot* plot) {
  const double sign = c.body_b == body ? 1.0 : -1.0;
  const Vec3 normal = sign * c.normal_impulse * c.normal;
  const Vec3 friction = sign * c.impulse - normal;
  const Vec3 inside = c.position + 0.12 * (center - c.position);
  const auto add = [&](const Vec3& from, const Vec3& impulse, Colour colour) {
    const Vec3 to = from + metres_per_impulse * impulse;
    plot->arrows.push_back({{from.x(), from.z()}, {to.x(), to.z()}, colour});
  };
  // Impulses to the right and to the left are drawn side by side.
  const double aside = normal.x() > 1e-9 ? 0.015 : normal.x() < -1e-9 ? -0.015 : 0.0;
  add(c.position + Vec3(0.0, 0.0, aside), normal, Colour::kBlue);
  add(inside, friction, Colour::kVermilion);
}

Figure draw_impulses(const Recording& run) {
  const RecordedStep& step = *find_push(run, kThrown, kFirst);
  double largest = 0.0;
  for (const ContactRecord& c : step.contacts) largest = std::max(largest, c.impulse.norm());
  Plot plot{.x_label = "x (m)", .y_label = "z (m)", .equal_scale = true};
  plot.description = "Impulses on the balls in the step of the collision";
  add_floor({0.6, 1.6}, 0.0, &plot);
  for (int ball = 0; ball < kNumBalls; ++ball) {
    const Vec3 center = step.q.segment<3>(7 * ball);
    plot.outlines.push_back(
        {.points = make_circle({center.x(), center.z()}, kBallRadius), .fill = 0.05});
    plot.labels.push_back(
        {.at = {center.x(), 2.0 * kBallRadius}, .text = kNameOfBall[ball], .dy = -10.0});
    for (const ContactRecord& c : step.contacts) {
      const bool is_its = c.body_a == ball + 1 || c.body_b == ball + 1;
      if (is_its) add_impulse(c, ball + 1, center, 0.16 / largest, &plot);
    }
  }
  plot.x_range = Range{step.q[0] - 0.16, step.q[7 * 3] + 0.16};
  plot.y_range = Range{-0.03, 0.36};
  plot.series.push_back({.name = "normal impulse", .colour = Colour::kBlue});
  plot.series.push_back({.name = "friction impulse", .colour = Colour::kVermilion});
  return {
      fmt::format("Fig. 6: impulses on the balls at the collision, all in the step that ends at "
                  "t = {:.4g} s (h = 0.0025 s), seen from the side. The longest is {:.3f} N s.",
                  step.t, largest),
      draw_svg(plot)};
}

// Draws the paths of the centres; axis 1 is the plan, axis 2 the elevation.
Figure draw_paths(const Recording& run, int axis, const std::string& caption) {
  Plot plot{.x_label = "x (m)", .y_label = axis == 1 ? "y (m)" : "z (m)", .equal_scale = true};
  plot.description = caption;
  if (axis == 2) add_floor({-0.15, 1.65}, 0.0, &plot);
  if (axis == 1) plot.y_range = Range{-0.18, 0.48};
  for (int ball = 0; ball < kNumBalls; ++ball) {
    const auto place = [&](const VecX& q) {
      return PlotPoint{q[7 * ball], q[7 * ball + axis]};
    };
    Series path{.name = kNameOfBall[ball], .points = {place(run.q)}, .colour = kColourOfBall[ball]};
    for (const RecordedStep& step : run.steps) path.points.push_back(place(step.q));
    plot.outlines.push_back({.points = make_circle(path.points.front(), kBallRadius),
                             .colour = kColourOfBall[ball],
                             .dashed = true});
    plot.outlines.push_back({.points = make_circle(path.points.back(), kBallRadius),
                             .colour = kColourOfBall[ball],
                             .fill = 0.15});
    plot.series.push_back(std::move(path));
  }
  return {caption, draw_svg(plot)};
}

Figure draw_convergence(const Measurements& measurements) {
  Plot plot{.x_label = "h (s)", .y_label = "error (m, rad)", .log_x = true, .log_y = true};
  plot.description = "Errors of Table 1 against the step";
  constexpr std::array<Colour, 3> kColours = {Colour::kBlue, Colour::kVermilion, Colour::kGreen};
  for (std::size_t i = 0; i < kBallFormulations.size(); ++i) {
    for (const char* measure : {"vel_error", "pos_error"}) {
      Series series{.name = fmt::format("{}, {}", measure[0] == 'v' ? "velocity" : "position",
                                        kBallFormulations[i]),
                    .colour = kColours[i],
                    .style = Series::Style::kLineAndDots,
                    .dashed = measure[0] == 'p'};
      for (std::size_t k = 0; k + 1 < kBallSteps.size(); ++k) {
        const std::string key =
            fmt::format("{}/{}/{}", kBallFormulations[i], kBallSteps[k], measure);
        series.points.push_back({parse_double(kBallSteps[k]).value(), measurements.at(key)});
      }
      plot.series.push_back(std::move(series));
    }
  }
  return {"Errors of Table 1 against h, for each formulation (solid: velocity, dashed: position).",
          draw_svg(plot)};
}

// Prints the paper's number for a measurement, from the findings.
std::string print_paper(const ExperimentResult& result, const std::string& quantity) {
  for (const Finding& f : result.findings) {
    if (f.source == "paper" && f.quantity == quantity) return fmt::format("{:.4f}", f.paper);
  }
  return "–";
}

Table make_table_1(const Measurements& measurements, const ExperimentResult& result) {
  Table table{.caption = "Table 1: errors and variations of the numerical solutions",
              .header = {"h (s)"}};
  struct Column {
    const char* key;
    const char* title;
  };
  constexpr std::array<Column, 3> kColumns = {{{"vel_error", "velocity error"},
                                               {"pos_error", "position error"},
                                               {"variation", "velocity variation"}}};
  for (const Column& column : kColumns) {
    table.header.push_back(fmt::format("{}: paper", column.title));
    for (const char* formulation : kBallFormulations) table.header.emplace_back(formulation);
  }
  for (const char* step : kBallSteps) {
    std::vector<std::string> row = {step};
    for (const Column& column : kColumns) {
      row.push_back(
          print_paper(result, fmt::format("Table 1, {}, position, h = {}", column.title, step)));
      for (const char* formulation : kBallFormulations) {
        const double ours = measurements.at(fmt::format("{}/{}/{}", formulation, step, column.key));
        row.push_back(ours == 0.0 ? "–" : fmt::format("{:.4f}", ours));
      }
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

void draw_ball_figures(const BallRecordings& recordings, const Measurements& measurements,
                       ExperimentResult* result) {
  const Recording& run = recordings.at("position/0.0025");
  result->figures = {
      draw_cones(),
      draw_impulses(run),
      draw_paths(run, 2, "Fig. 7: elevation of the balls' paths; dashed: start, filled: t = 1 s"),
      draw_paths(run, 1, "Fig. 8: plan of the balls' paths; dashed: start, filled: t = 1 s"),
      draw_convergence(measurements),
  };
  result->tables.push_back(make_table_1(measurements, *result));
}

}  // namespace tenpin::lab::experiments
