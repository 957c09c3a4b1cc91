#include "lab/experiments/order2.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/check.h"
#include "lab/experiment_expected.h"
#include "lab/experiments/convergence_order.h"
#include "lab/simulation.h"
#include "lab/svg_plot.h"
#include "math/types.h"
#include "scene/build.h"
#include "scene/read.h"

namespace tenpin::lab::experiments {

namespace {

// Which body of a scene is followed, and with how many steps per second.
struct Study {
  std::string_view name;
  std::string_view body;
  std::vector<int> rates;
  int finest = 0;  // of the reference; 0: none is needed
};

const Study& find_study(const std::string& folder) {
  static const std::vector<Study> studies = {
      {"platter", "ball", {60, 120, 240, 480}, 1920},
      {"puck", "puck", {60, 120, 240, 480}, 3840},
      {"slide", "ball", {50, 70, 100, 140, 200, 280, 400, 560, 800, 1120}, 12800},
      {"ramp", "block", {60, 120, 240, 480}, 7680},
      {"hill", "ball", {60, 120, 240, 480}, 3840},
      {"chaplygin", "ball", {60, 120, 240, 480}, 3840},
      {"rocking", "block", {50, 100, 200, 400, 800}, 6400},
      {"bounce", "ball", {60, 240}, 0},
      {"bounce-elastic", "ball", {60, 240}, 0},
      {"rod", "rod", {25, 50, 100, 200, 400, 800}, 6400},
      {"balls", "thrown", {50, 100, 200, 400, 800}, 3200},
      {"stack", "box-3", {60, 240}, 0},
      {"pile", "ball-1", {60, 240}, 0},
  };
  const std::string name = std::filesystem::path(folder).filename().string();
  const auto place = std::find_if(studies.begin(), studies.end(), [&](const Study& study) {
    return study.name == name;
  });
  TENPIN_DEMAND(place != studies.end());
  return *place;
}

// What one run came to.
struct OrderRun {
  int order = 1;
  int rate = 0;                   // 1/s
  Vec3 q;                         // first coordinates of the study's body at the end
  double drift = 0;               // of any coordinate, from start to end
  double change = 0;              // J   largest, of the energy from the start
  double gain = 0;                // J   largest, of one step
  std::vector<PlotPoint> energy;  // J   over time, s
  std::vector<double> rebounds;   // J
  Summary summary;
};

OrderRun run_order(const std::string& scene_file, std::string_view body, int order, int rate) {
  const std::vector<scene::Override> changes = {
      {.path = "method.time-stepping.order", .value = std::to_string(order)},
      {.path = "method.time-stepping.step", .value = fmt::format("{:.17g}", 1.0 / rate)}};
  const scene::Scene scene = scene::read_scene(scene_file, changes);
  const scene::Built built = scene::build(scene);
  OrderRun run{.order = order, .rate = rate};
  double start = 0.0;
  double before = 0.0;
  bool is_first = true;
  SimulationOptions options;
  options.on_step = [&](const methods::StepReport& report, auto /*contacts*/,
                        const auto& /*state*/) {
    const double energy = report.ledger.total();
    if (is_first) {
      double sum = 0.0;
      for (const double work : report.ledger.work) sum += work;
      start = before = energy - sum;
      is_first = false;
    }
    run.change = std::max(run.change, std::fabs(energy - start));
    run.gain = std::max(run.gain, energy - before);
    before = energy;
    run.energy.push_back({report.t, energy});
    if (report.division.impacts > 0) run.rebounds.push_back(energy);
  };
  run.summary = simulate(scene, options);
  const VecX& end = run.summary.state.q;
  run.drift = (end - built.state.q).lpNorm<Eigen::Infinity>();
  for (const dynamics::Body& b : built.model.bodies) {
    if (b.name == body) run.q = end.segment<3>(b.joint.q_begin);
  }
  return run;
}

struct OrderErrors {
  std::vector<PlotPoint> of_order[2];  // (h, error), by order - 1
};

void measure_order_run(const OrderRun& run, Measurements* measured) {
  Measurements& m = *measured;
  const Summary& s = run.summary;
  const std::string at = fmt::format("/{}/{}", run.order, run.rate);
  for (int k = 0; k < 3; ++k) m[fmt::format("q{}{}", k, at)] = run.q[k];
  m["energy" + at] = run.change;
  m["drift" + at] = run.drift;
  m["speed" + at] = s.state.v.lpNorm<Eigen::Infinity>();
  m["solves" + at] = static_cast<double>(s.solves) / static_cast<double>(s.steps);
  m["impacts" + at] = static_cast<double>(s.division.impacts);
  m["late" + at] = static_cast<double>(s.division.late);
  m["guarded" + at] = static_cast<double>(s.division.guarded);
  for (std::size_t k = 0; k < run.rebounds.size(); ++k) {
    m[fmt::format("rebound{}/{}", at, k + 1)] = run.rebounds[k];
  }
  if (s.status != methods::AdvanceStatus::kReachedEnd) m["finished"] = 0.0;
  if (run.order == 1) return;
  m["gain"] = std::max(m["gain"], run.gain / s.largest_energy);
  m["closure"] = std::max(m["closure"],
                          std::max(s.worst_closure, std::fabs(s.total_closure)) / s.largest_energy);
  m["residual"] = std::max(m["residual"], s.worst.residual);
  m["penetration"] = std::max(m["penetration"], s.worst.penetration);
}

void measure_order_errors(const OrderErrors& errors, Measurements* measured) {
  Measurements& m = *measured;
  m["better"] = 1.0;
  for (int o = 0; o < 2; ++o) {
    m[fmt::format("order/{}", o + 1)] = calc_convergence_order(errors.of_order[o]);
    for (std::size_t k = 0; k < errors.of_order[o].size(); ++k) {
      const PlotPoint& p = errors.of_order[o][k];
      m[fmt::format("error/{}/{}", o + 1, std::lround(1.0 / p.x))] = p.y;
      if (p.y < errors.of_order[1][k].y) m["better"] = 0.0;
    }
  }
}

Figure draw_orders(const OrderErrors& errors, double slope1, double slope2) {
  Plot plot{.x_label = "step / s", .y_label = "error at the end / m", .log_x = true, .log_y = true};
  plot.series.push_back({.name = fmt::format("order 1 (slope {:.2f})", slope1),
                         .points = errors.of_order[0],
                         .colour = Colour::kVermilion,
                         .style = Series::Style::kLineAndDots});
  plot.series.push_back({.name = fmt::format("order 2 (slope {:.2f})", slope2),
                         .points = errors.of_order[1],
                         .colour = Colour::kBlue,
                         .style = Series::Style::kLineAndDots});
  plot.description = "Error against step for both orders, on logarithmic axes";
  return {.caption = "Error against step: how far the body ends from its end at a much finer step",
          .svg = draw_svg(plot)};
}

// Of the finest steps of both orders.
Figure draw_energies(const std::vector<OrderRun>& runs) {
  Plot plot{.x_label = "t / s", .y_label = "energy / J"};
  for (const int order : {1, 2}) {
    const auto last = std::find_if(runs.rbegin(), runs.rend(), [&](const OrderRun& run) {
      return run.order == order;
    });
    plot.series.push_back({.name = fmt::format("order {}, {} steps per second", order, last->rate),
                           .points = last->energy,
                           .colour = order == 1 ? Colour::kVermilion : Colour::kBlue,
                           .dashed = order == 2});
  }
  plot.description = "Kinetic and potential energy over time, for both orders";
  return {.caption = "Energy over time", .svg = draw_svg(plot)};
}

Table make_order_table(const std::vector<OrderRun>& runs, const Measurements& m) {
  Table table{.caption = "All runs",
              .header = {"order", "steps per second", "error", "largest change of energy / J",
                         "solves per step", "impacts", "late", "guarded"}};
  for (const OrderRun& run : runs) {
    const auto error = m.find(fmt::format("error/{}/{}", run.order, run.rate));
    const Summary& s = run.summary;
    table.rows.push_back(
        {std::to_string(run.order), std::to_string(run.rate),
         error == m.end() ? "-" : fmt::format("{:.2e}", error->second),
         fmt::format("{:.2e}", run.change),
         fmt::format("{:.2f}", static_cast<double>(s.solves) / static_cast<double>(s.steps)),
         std::to_string(s.division.impacts), std::to_string(s.division.late),
         std::to_string(s.division.guarded)});
  }
  return table;
}

}  // namespace

ExperimentResult run_order2(const ExperimentOptions& options) {
  const Study& study = find_study(options.folder);
  const std::string scene_file = options.folder + "/scene.yaml";
  const auto progress = [&](int order, int rate) {
    if (options.on_progress) {
      options.on_progress(fmt::format("order {}, {} steps per second", order, rate));
    }
  };
  Measurements measured = {{"finished", 1.0}};
  Vec3 limit = Vec3::Zero();
  if (study.finest > 0) {
    progress(2, study.finest);
    limit = run_order(scene_file, study.body, 2, study.finest).q;
  }
  std::vector<OrderRun> runs;
  OrderErrors errors;
  for (const int order : {1, 2}) {
    for (const int rate : study.rates) {
      progress(order, rate);
      runs.push_back(run_order(scene_file, study.body, order, rate));
      measure_order_run(runs.back(), &measured);
      errors.of_order[order - 1].push_back({1.0 / rate, (runs.back().q - limit).norm()});
    }
  }
  if (study.finest > 0) measure_order_errors(errors, &measured);

  const std::string expected = options.folder + "/expected.json";
  ExperimentResult result;
  result.findings = judge(fmt::format("order2/{}", study.name), expected, measured);
  result.notes = read_notes(expected);
  if (!options.with_figures) return result;
  if (study.finest > 0) {
    result.figures.push_back(draw_orders(errors, measured["order/1"], measured["order/2"]));
  }
  result.figures.push_back(draw_energies(runs));
  result.tables.push_back(make_order_table(runs, measured));
  return result;
}

}  // namespace tenpin::lab::experiments
