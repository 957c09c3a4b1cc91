#include "lab/experiments/b89_convergence.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "lab/experiment_expected.h"
#include "lab/experiments/convergence_order.h"
#include "lab/simulation.h"
#include "scene/read.h"

namespace tenpin::lab::experiments {

namespace {

constexpr std::array kSteps = {0.004, 0.002, 0.001, 0.0005, 0.00025};  // s

struct ConvergingScene {
  const char* name;
  const char* file;
  Colour colour;
};
constexpr std::array<ConvergingScene, 3> kScenes = {{
    {"bricks", "scene.yaml", Colour::kBlue},
    {"dominoes", "dominoes.yaml", Colour::kVermilion},
    {"rod", "rod.yaml", Colour::kGreen},
}};

// The worst values over all runs.
struct Worst {
  bool finished = true;
  double closure = 0.0;  // -   relative to the largest energy

  void add(const Summary& run) {
    finished = finished && run.status == methods::AdvanceStatus::kReachedEnd;
    closure = std::max(closure, std::fabs(run.total_closure) / run.largest_energy);
  }
};

// m   Computes the largest difference of the final coordinates for each step size.
std::vector<PlotPoint> calc_errors(scene::Scene scene, Worst* worst) {
  const Summary exact = simulate(scene, {});
  worst->add(exact);
  using Solver = scene::TimeSteppingOptions::Solver;
  std::vector<PlotPoint> errors;
  for (const double h : kSteps) {
    scene.method = scene::TimeSteppingOptions{.step = h, .order = 1, .solver = Solver::kLemke};
    const Summary run = simulate(scene, {});
    worst->add(run);
    errors.push_back({h, (run.state.q - exact.state.q).cwiseAbs().maxCoeff()});
  }
  return errors;
}

Figure draw_errors(const std::array<std::vector<PlotPoint>, kScenes.size()>& errors) {
  Plot plot{.x_label = "step / s", .y_label = "error / m", .log_x = true, .log_y = true};
  Series first{.name = "first order", .colour = Colour::kInk, .dashed = true};
  for (const double h : kSteps) first.points.push_back({h, h});
  for (std::size_t k = 0; k < kScenes.size(); ++k) {
    plot.series.push_back({.name = kScenes[k].name,
                           .points = errors[k],
                           .colour = kScenes[k].colour,
                           .style = Series::Style::kLineAndDots});
  }
  plot.series.push_back(first);
  plot.description = "Errors of time stepping over its step, against the analytical method";
  return {.caption = "Time stepping converges to the motion of the analytical method",
          .svg = draw_svg(plot)};
}

}  // namespace

ExperimentResult run_b89_convergence(const ExperimentOptions& options) {
  const std::string id = "B89/convergence";
  Measurements m;
  Worst worst;
  std::array<std::vector<PlotPoint>, kScenes.size()> errors;
  for (std::size_t k = 0; k < kScenes.size(); ++k) {
    if (options.on_progress) options.on_progress(fmt::format("{}, {}", id, kScenes[k].name));
    errors[k] = calc_errors(scene::read_scene(options.folder + "/" + kScenes[k].file, {}), &worst);
    m[fmt::format("order/{}", kScenes[k].name)] = calc_convergence_order(errors[k]);
    m[fmt::format("error/{}", kScenes[k].name)] = errors[k].back().y;
  }
  m["finished"] = worst.finished ? 1.0 : 0.0;
  m["closure"] = worst.closure;
  const std::string expected = options.folder + "/expected.json";
  ExperimentResult result{.findings = judge(id, expected, m), .notes = read_notes(expected)};
  if (options.with_figures) result.figures.push_back(draw_errors(errors));
  return result;
}

}  // namespace tenpin::lab::experiments
