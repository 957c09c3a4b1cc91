#include "lab/experiments/st00_rod_figures.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "lab/experiments/st00_rod_motion.h"
#include "lab/svg_plot.h"
#include "math/trig.h"

namespace tenpin::lab::experiments {

namespace {

constexpr std::array<Colour, 3> kColourOfStep = {Colour::kOrange, Colour::kGreen, Colour::kBlue};
constexpr std::array<const char*, 3> kSteps = {"0.04", "0.01", "0.0025"};

const RecordedStep& step_at(const Recording& run, double t) {
  const auto index = static_cast<std::size_t>(std::lround(t / run.h));
  return run.steps[std::min(index, run.steps.size()) - 1];
}

// Draws Fig. 2. Not all of the paper's times are legible; these times show every phase.
Figure draw_strobe(const Recording& run) {
  Plot plot{.x_label = "x (m)", .y_label = "y (m)", .equal_scale = true, .width = 620.0};
  plot.description = "Stroboscopic picture of the falling rod";
  plot.outlines.push_back({.points = {{-0.75, 0.0}, {0.55, 0.0}}, .closed = false, .width = 2.0});
  plot.x_range = Range{-0.72, 0.52};
  plot.y_range = Range{-0.06, 1.24};
  const auto add = [&plot](double t, const VecX& q, Colour colour) {
    const double tip = RodShape::kHalfLength + RodShape::kRadius;
    const SinCos s = sin_cos(q[2]);
    plot.outlines.push_back(
        {.points = make_capsule({q[0], q[1]}, q[2], RodShape::kHalfLength, RodShape::kRadius),
         .colour = colour,
         .fill = 0.07});
    plot.labels.push_back({.at = {q[0] + tip * s.cos, q[1] + tip * s.sin},
                           .text = fmt::format("{:.4g}", t),
                           .dx = 16.0 * s.cos,
                           .dy = 4.0 - 10.0 * s.sin,
                           .colour = colour});
  };
  add(0.0, run.q, Colour::kInk);
  for (const double t : {0.1, 0.2, 0.3}) add(t, step_at(run, t).q, Colour::kInk);
  const RodEvents events = find_events(run);
  add(events.impact, step_at(run, events.impact).q, Colour::kVermilion);
  for (const double t : {0.45, 0.5}) add(t, step_at(run, t).q, Colour::kBlue);
  add(events.slap, step_at(run, events.slap).q, Colour::kVermilion);
  return {
      "Fig. 2: falling and spinning rod, h = 0.0025 s; the time in seconds is at one end. Red: "
      "the impact and the slap-down.",
      draw_svg(plot)};
}

Figure draw_velocity(const RodRecordings& recordings, int component, const std::string& y_label,
                     const std::string& caption) {
  Plot plot{.x_label = "t (s)", .y_label = y_label};
  plot.description = caption;
  plot.x_range = Range{0.25, 0.75};
  for (std::size_t i = 0; i < kSteps.size(); ++i) {
    const Recording& run = recordings.at(key_of({"position", "full", kSteps[i]}));
    Series series{.name = fmt::format("h = {} s", kSteps[i]), .colour = kColourOfStep[i]};
    for (const RecordedStep& step : run.steps) {
      if (step.t > 0.25 - run.h && step.t < 0.75 + run.h) {
        series.points.push_back({step.t, step.v[component]});
      }
    }
    plot.series.push_back(std::move(series));
  }
  return {caption, draw_svg(plot)};
}

Figure draw_rod_energy(const Recording& run) {
  using contact::Ledger;
  struct Curve {
    Ledger::Stage stage;
    Colour colour;
  };
  constexpr std::array<Curve, 3> kCurves = {{{Ledger::kNormal, Colour::kVermilion},
                                             {Ledger::kFriction, Colour::kGreen},
                                             {Ledger::kScheme, Colour::kPurple}}};
  Plot plot{.x_label = "t (s)", .y_label = "energy (J)"};
  plot.description = "Energy ledger of the rod";
  Series total{.name = "kinetic + potential", .colour = Colour::kInk};
  for (const RecordedStep& step : run.steps) total.points.push_back({step.t, step.ledger.total()});
  plot.series.push_back(std::move(total));
  for (const Curve& curve : kCurves) {
    Series series{.name = fmt::format("{}, summed", to_string(curve.stage)),
                  .colour = curve.colour};
    double sum = 0.0;
    for (const RecordedStep& step : run.steps) {
      sum += step.ledger.work[curve.stage];
      series.points.push_back({step.t, sum});
    }
    plot.series.push_back(std::move(series));
  }
  return {fmt::format("Energy ledger, position formulation, h = 0.0025 s. It closes to {:.1e} of "
                      "the largest energy.",
                      calc_closure(run)),
          draw_svg(plot)};
}

Figure draw_painleve(const RodRecordings& recordings) {
  constexpr double kDegrees = 180.0 / kPi;
  Plot plot{.x_label = "θ (degrees)", .y_label = "A (1/kg)"};
  plot.description = "Normal acceleration per unit of normal force against the rod's angle";
  plot.x_range = Range{80.0, 180.0};
  plot.y_range = Range{-5.0, 20.0};
  for (const bool full : {true, false}) {
    Series series{.name = full ? "full lever" : "printed lever",
                  .colour = full ? Colour::kBlue : Colour::kOrange,
                  .dashed = !full};
    for (double degrees = 80.0; degrees <= 180.0; degrees += 0.5) {
      series.points.push_back({degrees, calc_painleve_rod(degrees / kDegrees, full)});
    }
    plot.series.push_back(std::move(series));
  }
  plot.outlines.push_back({.points = {{80.0, 0.0}, {180.0, 0.0}}, .closed = false});
  for (const char* lever : {"full", "printed"}) {
    const Recording& run = recordings.at(key_of({"position", lever, "0.00015625"}));
    const contact::ContactRecord* first = find_first_push(run);
    if (first == nullptr) continue;
    const double angle = step_at(run, find_events(run).impact).q[2];
    plot.series.push_back({.name = fmt::format("impact, {} lever", lever),
                           .points = {{angle * kDegrees, first->painleve}},
                           .colour = lever[0] == 'f' ? Colour::kBlue : Colour::kOrange,
                           .style = Series::Style::kDots});
  }
  return {
      "Where no finite force can hold the sliding tip: A(θ) < 0. Dots: what the simulation "
      "reports at the impact.",
      draw_svg(plot)};
}

// The limit itself is unknown, so differences from the finest run are shown.
Figure draw_convergence(const RodRecordings& recordings) {
  Plot plot{.x_label = "h (s)", .y_label = "|x(h) − x(finest)| (m)", .log_x = true, .log_y = true};
  plot.description = "Convergence of the rod's final place";
  const std::array<std::pair<const char*, Colour>, 2> formulations = {
      {{"position", Colour::kBlue}, {"nonlinear", Colour::kVermilion}}};
  for (const auto& [formulation, colour] : formulations) {
    const double x = recordings.at(key_of({formulation, "full", "0.00015625"})).summary.state.q[0];
    Series series{.name = formulation, .colour = colour, .style = Series::Style::kLineAndDots};
    for (const char* step : {"0.01", "0.0025", "0.000625"}) {
      const Recording& run = recordings.at(key_of({formulation, "full", step}));
      series.points.push_back({run.h, std::fabs(run.summary.state.q[0] - x)});
    }
    plot.series.push_back(std::move(series));
  }
  plot.series.push_back({.name = "order 1",
                         .points = {{0.000625, 0.0005}, {0.01, 0.008}},
                         .colour = Colour::kInk,
                         .dashed = true});
  return {"Convergence of the final place of the rod, compared with h = 0.00015625 s.",
          draw_svg(plot)};
}

Table make_event_table(const RodRecordings& recordings) {
  Table table{.caption = "Events (ends of steps) and final place of every run",
              .header = {"formulation", "lever", "h (s)", "impact (s)", "slap-down (s)", "rest (s)",
                         "final x (m)", "deepest overlap (m)", "A at the impact (1/kg)"}};
  for (const auto& [key, run] : recordings) {
    const RodEvents events = find_events(run);
    const contact::ContactRecord* first = find_first_push(run);
    const std::size_t slash = key.find('/');
    const std::size_t second = key.find('/', slash + 1);
    table.rows.push_back({key.substr(0, slash), key.substr(slash + 1, second - slash - 1),
                          key.substr(second + 1), fmt::format("{:.6g}", events.impact),
                          fmt::format("{:.6g}", events.slap), fmt::format("{:.6g}", events.rest),
                          fmt::format("{:.6f}", run.summary.state.q[0]),
                          fmt::format("{:.1e}", run.summary.worst.penetration),
                          fmt::format("{:.3f}", first == nullptr ? 0.0 : first->painleve)});
  }
  return table;
}

}  // namespace

void draw_rod_figures(const RodRecordings& recordings, ExperimentResult* result) {
  const Recording& run = recordings.at("position/full/0.0025");
  result->figures = {
      draw_strobe(run),
      draw_velocity(recordings, 1, "vertical velocity (m/s)",
                    "Fig. 3: vertical velocity of the rod for several h"),
      draw_velocity(recordings, 2, "angular velocity (rad/s)",
                    "Fig. 4: angular velocity of the rod for several h. The spike at the first "
                    "contact belongs to the position formulation: the first step ends with the tip "
                    "on the table, the next one makes its velocity tangential."),
      draw_velocity(recordings, 0, "horizontal velocity (m/s)",
                    "Fig. 5: horizontal velocity of the rod for several h"),
      draw_rod_energy(run),
      draw_painleve(recordings),
      draw_convergence(recordings),
  };
  result->tables.push_back(make_event_table(recordings));
}

}  // namespace tenpin::lab::experiments
