#include "lab/experiments/order2.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/check.h"
#include "lab/experiment_expected.h"
#include "lab/experiments/convergence_order.h"
#include "lab/experiments/peer_errors.h"
#include "lab/simulation.h"
#include "lab/svg_plot.h"
#include "lab/svg_scale.h"
#include "lab/variant.h"
#include "math/types.h"
#include "scene/build.h"
#include "scene/read.h"

namespace tenpin::lab::experiments {

namespace {

// The body of a scene that is followed, and the numbers of steps per second.
struct Study {
  std::string_view name;
  std::string_view body;  // "": all bodies
  std::vector<int> rates;
  int finest = 0;                   // steps per second of the reference; 0 if none is needed
  std::string_view reference = {};  // or another method, as in `tenpin compare`, or kAtStart

  bool has_limit() const { return finest > 0 || !reference.empty(); }
};

constexpr std::string_view kAtStart = "start";

const Study& find_study(const std::string& folder) {
  static const std::vector<Study> studies = {
      {"platter", "ball", {60, 120, 240, 480}, 1920},
      {"puck", "puck", {60, 120, 240, 480}, 3840},
      {"slide", "ball", {50, 70, 100, 140, 200, 280, 400, 560, 800, 1120}, 12800},
      {"ramp", "block", {60, 120, 240, 480}, 7680},
      {"dish", "ball", {60, 120, 240, 480}, 3840},
      {"hill", "ball", {60, 120, 240, 480}, 3840},
      {"chaplygin", "ball", {60, 120, 240, 480}, 3840},
      {"rocking", "block", {50, 100, 200, 400, 800}, 6400},
      {"bounce", "ball", {60, 120, 240, 480}, 0, "analytic:law=newton"},
      {"bounce-elastic", "ball", {60, 120, 240, 480}, 0, "analytic:law=newton"},
      {"rod", "rod", {25, 50, 100, 200, 400, 800}, 6400},
      {"balls", "", {50, 100, 200, 400, 800}, 0, "analytic"},
      {"pool", "", {60, 120, 240, 480, 960}, 0, "analytic:law=newton"},
      {"stack", "box-3", {60, 120, 240, 480}, 0, kAtStart},
      {"pile", "ball-1", {60, 240}, 0},
  };
  const std::string name = std::filesystem::path(folder).filename().string();
  const auto place = std::find_if(studies.begin(), studies.end(), [&](const Study& study) {
    return study.name == name;
  });
  TENPIN_DEMAND(place != studies.end());
  return *place;
}

// The result of one run.
struct OrderRun {
  int order = 1;
  int rate = 0;                   // 1/s
  VecX q;                         // first three coordinates at the end, of each body of the study
  double drift = 0;               // largest drift of any coordinate, from start to end
  double change = 0;              // J   largest change of energy since the start
  double gain = 0;                // J   largest gain of energy in one step
  std::vector<PlotPoint> energy;  // J   over time, s
  std::vector<double> rebounds;   // J
  Summary summary;
};

// The first three coordinates of the body of that name, or of all bodies.
VecX list_coordinates(const dynamics::Model& model, const VecX& q, std::string_view body) {
  VecX list;
  for (const dynamics::Body& b : model.bodies) {
    if (!b.is_mobile() || (!body.empty() && b.name != body)) continue;
    list.conservativeResize(list.size() + 3);
    list.tail<3>() = q.segment<3>(b.joint.q_begin);
  }
  return list;
}

OrderRun run_changed_scene(const std::string& scene_file, std::string_view body,
                           const std::vector<scene::Override>& changes) {
  const scene::Scene scene = scene::read_scene(scene_file, changes);
  const scene::Built built = scene::build(scene);
  OrderRun run;
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
  run.q = list_coordinates(built.model, end, body);
  return run;
}

OrderRun run_order(const std::string& scene_file, std::string_view body, int order, int rate) {
  const std::vector<scene::Override> changes = {
      {.path = "method.time-stepping.order", .value = std::to_string(order)},
      {.path = "method.time-stepping.step", .value = fmt::format("{:.17g}", 1.0 / rate)}};
  OrderRun run = run_changed_scene(scene_file, body, changes);
  run.order = order;
  run.rate = rate;
  return run;
}

// m   Root mean square over the bodies.
double calc_end_error(const VecX& q, const VecX& limit) {
  constexpr double kLeast = 1e-17;  // for logarithmic axes
  return std::max((q - limit).norm() / std::sqrt(static_cast<double>(q.size()) / 3.0), kLeast);
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
  m["guarded" + at] = static_cast<double>(s.guarded);
  for (std::size_t k = 0; k < run.rebounds.size(); ++k) {
    m[fmt::format("rebound{}/{}", at, k + 1)] = run.rebounds[k];
  }
  if (s.status != methods::AdvanceStatus::kReachedEnd) m["finished"] = 0.0;
  if (run.order == 1) return;
  m["gain" + at] = run.gain / s.largest_energy;
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

Figure draw_orders(const OrderErrors& errors, double slope1, double slope2,
                   std::vector<Series> others) {
  Plot plot{.x_label = "step / s", .y_label = "error at the end / m", .log_x = true, .log_y = true};
  plot.series.push_back({.name = fmt::format("order 1 (slope {:.2f})", slope1),
                         .points = errors.of_order[0],
                         .colour = Colour::kVermilion,
                         .style = Series::Style::kLineAndDots});
  plot.series.push_back({.name = fmt::format("order 2 (slope {:.2f})", slope2),
                         .points = errors.of_order[1],
                         .colour = Colour::kBlue,
                         .style = Series::Style::kLineAndDots});
  for (Series& curve : others) plot.series.push_back(std::move(curve));
  plot.description = "Error against step for both orders, on logarithmic axes";
  return {.caption = "Error against step: how far bodies end from where they end in the limit",
          .svg = draw_svg(plot)};
}

// Energies of the finest steps of both orders.
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
                         "solves per step", "impacts", "divisions", "late", "guarded"}};
  for (const OrderRun& run : runs) {
    const auto error = m.find(fmt::format("error/{}/{}", run.order, run.rate));
    const Summary& s = run.summary;
    table.rows.push_back(
        {std::to_string(run.order), std::to_string(run.rate),
         error == m.end() ? "-" : fmt::format("{:.2e}", error->second),
         fmt::format("{:.2e}", run.change),
         fmt::format("{:.2f}", static_cast<double>(s.solves) / static_cast<double>(s.steps)),
         std::to_string(s.division.impacts), std::to_string(s.division.divisions),
         std::to_string(s.division.late), std::to_string(s.guarded)});
  }
  return table;
}

// The positions at which the bodies end in the limit of small steps: their start, the result of
// another method that does not use such steps, or the result of much finer steps.
VecX find_limit(const Study& study, const std::string& scene_file,
                const ExperimentOptions& options) {
  const auto progress = [&](const std::string& what) {
    if (options.on_progress) options.on_progress(what);
  };
  if (study.reference == kAtStart) {
    const scene::Built built = scene::build(scene::read_scene(scene_file));
    return list_coordinates(built.model, built.state.q, study.body);
  }
  if (!study.reference.empty()) {
    progress(std::string(study.reference));
    const auto changes = make_overrides(parse_variant(study.reference), "time-stepping");
    const OrderRun run = run_changed_scene(scene_file, study.body, changes);
    TENPIN_REQUIRE(run.summary.status == methods::AdvanceStatus::kReachedEnd,
                   "the reference run does not reach its end");
    return run.q;
  }
  if (study.finest == 0) return {};
  progress(fmt::format("order 2, {} steps per second", study.finest));
  return run_order(scene_file, study.body, 2, study.finest).q;
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
  const VecX limit = find_limit(study, scene_file, options);
  std::vector<OrderRun> runs;
  OrderErrors errors;
  for (const int order : {1, 2}) {
    for (const int rate : study.rates) {
      progress(order, rate);
      runs.push_back(run_order(scene_file, study.body, order, rate));
      measure_order_run(runs.back(), &measured);
      if (!study.has_limit()) continue;
      errors.of_order[order - 1].push_back({1.0 / rate, calc_end_error(runs.back().q, limit)});
    }
  }
  if (study.has_limit()) measure_order_errors(errors, &measured);

  const std::string expected = options.folder + "/expected.json";
  ExperimentResult result;
  result.findings = judge(fmt::format("order2/{}", study.name), expected, measured);
  result.notes = read_notes(expected);
  if (!options.with_figures) return result;
  if (study.has_limit()) {
    const std::vector<PeerEnds> peers =
        limit.size() == 3 ? read_peer_ends(options.folder) : std::vector<PeerEnds>();
    result.figures.push_back(draw_orders(errors, measured["order/1"], measured["order/2"],
                                         draw_peer_errors(peers, limit)));
    if (!peers.empty()) result.tables.push_back(make_peer_table(peers, limit));
  }
  result.figures.push_back(draw_energies(runs));
  result.tables.push_back(make_order_table(runs, measured));
  return result;
}

}  // namespace tenpin::lab::experiments
