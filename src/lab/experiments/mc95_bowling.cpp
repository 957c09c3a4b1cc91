#include "lab/experiments/mc95_bowling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "base/check.h"
#include "lab/experiment_expected.h"
#include "lab/experiments/mc95.h"
#include "lab/study/study_curves.h"
#include "lab/study/study_page.h"
#include "lab/study/trial_csv.h"
#include "lab/study/trial_runner.h"
#include "lab/svg_plot.h"

namespace tenpin::lab::experiments {

namespace {

std::vector<TrialRow> read_throws(const Study& study, const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  TENPIN_REQUIRE(static_cast<bool>(stream), file + ": cannot be read");
  return parse_trial_csv(study, text.str());
}

// Estimates the number of felled pins for throws of one kind that met the pin line within these
// bounds (m).
Estimate estimate_felled(const std::vector<TrialRow>& rows, const std::string& kind, double low,
                         double high) {
  std::vector<double> felled;
  for (const TrialRow& row : rows) {
    const Cell& count = row.cells[2];
    const Cell& line = row.cells[3];
    if (row.cells[1].text != kind || !count.number || !line.number) continue;
    if (*line.number >= low && *line.number < high) felled.push_back(*count.number);
  }
  return calc_estimate(felled);
}

std::int64_t count_throws(const std::vector<TrialRow>& rows, const std::string& kind) {
  return std::count_if(rows.begin(), rows.end(), [&kind](const TrialRow& row) {
    return row.cells[1].text == kind;
  });
}

// True if a is less than b even with both error bounds.
bool is_clearly_less(const Estimate& a, const Estimate& b) {
  return a.mean + a.half_width < b.mean - b.half_width;
}

// The paper's claim over the whole pin line: a hook is "slightly better at most positions".
struct Positions {
  int windows = 0;
  int better = 0;          // windows in which the hook's mean is above that of the straight ball
  int clearly_better = 0;  // windows in which it is above by more than both bands
  int clearly_worse = 0;
  double mean = 0.0;  // pins   advantage of the hook, averaged over the windows
  Table table;
};

Positions compare_positions(const std::vector<StudyCurve>& curves) {
  const auto curve = [&curves](const char* name) -> const StudyCurve& {
    const auto found = std::find_if(curves.begin(), curves.end(), [name](const StudyCurve& c) {
      return c.name == name;
    });
    TENPIN_DEMAND(found != curves.end());
    return *found;
  };
  Positions result;
  result.table = {.caption = "The hook against the straight ball in every window of Fig. 11",
                  .header = {"pin line (cm)", "straight: pins", "±", "hook: pins", "±", "hook is"},
                  .rows = {}};
  constexpr double kNear = 0.01;  // m   half a window: both means must be in the same window
  for (const CurvePoint& straight : curve("straight").points) {
    for (const CurvePoint& hook : curve("hook").points) {
      if (std::fabs(hook.x - straight.x) > kNear) continue;
      const bool above = is_clearly_less(straight.y, hook.y);
      const bool below = is_clearly_less(hook.y, straight.y);
      const bool better = hook.y.mean > straight.y.mean;
      ++result.windows;
      result.better += better ? 1 : 0;
      result.clearly_better += above ? 1 : 0;
      result.clearly_worse += below ? 1 : 0;
      result.mean += hook.y.mean - straight.y.mean;
      const auto text = [](double x) {
        return fmt::format("{:.2f}", x);
      };
      result.table.rows.push_back(
          {fmt::format("{:.1f}", 100.0 * straight.x), text(straight.y.mean),
           text(straight.y.half_width), text(hook.y.mean), text(hook.y.half_width),
           fmt::format("{}{}", above || below ? "clearly " : "", better ? "better" : "worse")});
    }
  }
  result.mean /= std::max(result.windows, 1);
  return result;
}

// m/s   Mean velocity to the right with which throws of one kind meet the pin line.
double calc_sideways(const std::vector<TrialRow>& rows, const std::string& kind) {
  std::vector<double> sideways;
  for (const TrialRow& row : rows) {
    if (row.cells[1].text == kind && row.cells[4].number) sideways.push_back(*row.cells[4].number);
  }
  return calc_estimate(sideways).mean;
}

// Draws [MC95, Fig. 10]: the pins from above, the pin line, and how the two kinds of throw meet it.
Figure draw_setup(const std::vector<TrialRow>& rows) {
  constexpr double kPinRadius = 0.0605;   // m   at the belly
  constexpr double kBallRadius = 0.1085;  // m
  constexpr double kPinLine = 18.1;       // m
  constexpr double kHeadPin = 18.288;     // m
  constexpr double kSpacing = 0.3048;     // m
  constexpr double kRowDepth = 0.263965;  // m   spacing times the sine of 60 degrees
  constexpr double kLaneHalf = 0.52705;   // m
  constexpr double kWindow = 0.16;        // m   half the window of the starts
  constexpr double kArrow = 0.06;         // s
  constexpr double kSpeed = 8.0;          // m/s
  Plot plot{.x_label = "x (m)",
            .y_label = "y (m)",
            .x_range = Range{-0.7, 0.7},
            .y_range = Range{17.2, 19.4},
            .equal_scale = true,
            .width = 520.0};
  for (const double side : {-kLaneHalf, kLaneHalf}) {
    plot.outlines.push_back(
        {.points = {{side, 17.0}, {side, 19.6}}, .closed = false, .width = 2.0});
  }
  int number = 1;
  for (int row = 0; row < 4; ++row) {
    for (int k = 0; k <= row; ++k) {
      const PlotPoint at{(k - 0.5 * row) * kSpacing, kHeadPin + row * kRowDepth};
      plot.outlines.push_back({.points = make_circle(at, kPinRadius), .fill = 0.15});
      plot.labels.push_back({.at = at, .text = fmt::format("{}", number++), .dy = 4.0});
    }
  }
  plot.outlines.push_back(
      {.points = {{-kLaneHalf, kPinLine}, {kLaneHalf, kPinLine}}, .closed = false, .dashed = true});
  plot.labels.push_back({.at = {kLaneHalf, kPinLine},
                         .text = "pin line",
                         .dx = 4.0,
                         .dy = 4.0,
                         .anchor = Label::Anchor::kStart});
  const double start = 17.5;
  plot.outlines.push_back({.points = {{-kWindow, start - 0.1}, {kWindow, start - 0.1}},
                           .colour = Colour::kGreen,
                           .closed = false,
                           .width = 3.0});
  plot.labels.push_back({.at = {0.0, start - 0.1},
                         .text = "starts, 17.5 m before",
                         .dy = 18.0,
                         .colour = Colour::kGreen});
  struct Throw {
    const char* name;
    double x;
    Colour colour;
  };
  for (const Throw& thrown :
       {Throw{"straight", -0.2, Colour::kBlue}, Throw{"hook", 0.25, Colour::kVermilion}}) {
    const double sideways = calc_sideways(rows, thrown.name);
    const PlotPoint ball{thrown.x, start + 0.1};
    plot.outlines.push_back(
        {.points = make_circle(ball, kBallRadius), .colour = thrown.colour, .fill = 0.2});
    plot.arrows.push_back(
        {ball, {ball.x + kArrow * sideways, ball.y + kArrow * kSpeed}, thrown.colour});
    plot.labels.push_back({.at = ball, .text = thrown.name, .dy = 52.0, .colour = thrown.colour});
  }
  plot.description = "The ten pins from above, the pin line and the two kinds of throws";
  return {
      fmt::format("Fig. 10: set-up of the measurement, from above. Arrows are 0.06 s of the mean "
                  "velocity at the pin line: the hook moves to the left at {:.2f} m/s",
                  -calc_sideways(rows, "hook")),
      draw_svg(plot)};
}

// Repeats a few throws, spread over all, and counts those that differ from the file by any bit.
int count_changed(const Study& study, const std::vector<TrialRow>& rows) {
  constexpr std::size_t kRepeated = 3;
  int changed = 0;
  TrialRunner runner(study);
  for (std::size_t k = 0; k < kRepeated; ++k) {
    const TrialRow& row = rows[(2 * k + 1) * rows.size() / (2 * kRepeated)];
    const TrialRow again = runner.run(row.trial, [] {
      return true;
    });
    changed += again == row ? 0 : 1;
  }
  return changed;
}

}  // namespace

ExperimentResult run_mc95_bowling(const ExperimentOptions& options) {
  ExperimentResult result = run_mc95(options);
  if (options.on_progress) options.on_progress("study.yaml, three throws of it");
  const Study study = read_study(options.folder + "/study.yaml");
  const std::vector<TrialRow> rows = read_throws(study, options.folder + "/throws.csv");
  TENPIN_REQUIRE(rows.size() >= 8, options.folder + "/throws.csv: too few throws");
  const auto share_of_done = static_cast<double>(std::count_if(rows.begin(), rows.end(),
                                                               [](const TrialRow& row) {
                                                                 return row.is_done();
                                                               })) /
                             static_cast<double>(rows.size());
  constexpr double kCentre = 0.01;    // m
  constexpr double kSecond = 0.1524;  // m   the second row's right pin
  const Estimate dead = estimate_felled(rows, "straight", -kCentre, kCentre);
  const Estimate pocket = estimate_felled(rows, "straight", kSecond / 3.0, 2.0 * kSecond / 3.0);
  const Estimate straight = estimate_felled(rows, "straight", 0.5 * kSecond, kSecond);
  const Estimate hook = estimate_felled(rows, "hook", 0.5 * kSecond, kSecond);
  Measurements m;
  m["changed"] = count_changed(study, rows);
  m["done"] = share_of_done;
  m["throws"] =
      static_cast<double>(std::min(count_throws(rows, "straight"), count_throws(rows, "hook")));
  m["dip"] = is_clearly_less(dead, pocket) ? 1.0 : 0.0;
  m["hook"] = is_clearly_less(straight, hook) ? 1.0 : 0.0;
  const StudyDrawing& drawing = study.drawings.front();
  const std::vector<StudyCurve> curves = make_curves(study, drawing, rows);
  const Positions positions = compare_positions(curves);
  m["most_positions"] = 2 * positions.better > positions.windows ? 1.0 : 0.0;
  m["windows"] = positions.windows;
  m["slightly"] = positions.mean;
  const std::vector<Finding> more =
      judge("MC95/bowling", options.folder + "/expected-study.json", m);
  result.findings.insert(result.findings.end(), more.begin(), more.end());
  for (const std::string& note : read_notes(options.folder + "/expected-study.json")) {
    result.notes.push_back(note);
  }
  result.notes.push_back(
      fmt::format("Fig. 11 has {} windows: the hook is better in {}, clearly (beyond both 95 % "
                  "bands) in {}, and clearly worse in {}; on average by {:.2f} pins.",
                  positions.windows, positions.better, positions.clearly_better,
                  positions.clearly_worse, positions.mean));
  if (!options.with_figures) return result;
  result.tables.insert(result.tables.begin(), positions.table);
  const Figure figure = {
      fmt::format("Fig. 11: felled pins against where the ball meets the pin line (m from its "
                  "middle), means over 2 cm with 95 % bands; {} straight balls, {} hooks",
                  count_throws(rows, "straight"), count_throws(rows, "hook")),
      draw_curves(drawing, curves)};
  result.figures.insert(result.figures.begin(), {draw_setup(rows), figure});
  return result;
}

}  // namespace tenpin::lab::experiments
