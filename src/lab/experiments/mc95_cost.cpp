#include "lab/experiments/mc95_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "lab/experiment_expected.h"
#include "lab/simulation.h"
#include "lab/svg_plot.h"
#include "scene/read.h"

namespace tenpin::lab::experiments {

namespace {

// --- Table 1 -------------------------------------------------------------------------------------

struct PaperRow {
  const char* title;  // as printed
  const char* name;   // of the experiment
};
constexpr std::array<PaperRow, 10> kRows = {{{"pool break", "pool"},
                                             {"dec. down ramp", "ramp-decelerating"},
                                             {"acc. down ramp", "ramp-accelerating"},
                                             {"bowling a strike", "bowling"},
                                             {"ball on platter", "platter"},
                                             {"block drop", "block-drop"},
                                             {"dominos", "dominoes"},
                                             {"chain of balls", "chain"},
                                             {"coins", "coins"},
                                             {"balls in dish", "dish"}}};

struct Tally {
  int num_runs = 0;
  int num_finished = 0;
  double ledger = 0.0;  // -   worst error of a run's energy ledger, relative to its largest energy

  Summary run(const scene::Scene& scene) {
    Summary summary = simulate(scene, {});
    ++num_runs;
    num_finished += summary.status == methods::AdvanceStatus::kReachedEnd ? 1 : 0;
    const double closure = std::max(summary.worst_closure, std::fabs(summary.total_closure));
    ledger = std::max(ledger, closure / summary.largest_energy);
    return summary;
  }
};

// Times depend on the machine, so they are shown but not judged.
Table time_paper_scenes(const ExperimentOptions& options, Tally* tally) {
  Table table = {.caption =
                     "Table 1: simulation times. The paper's digits are lost; these are of the "
                     "machine that made this page, one core",
                 .header = {"simulation", "virtual time (s)", "real time (s)", "slowdown"},
                 .rows = {}};
  for (const PaperRow& row : kRows) {
    if (options.on_progress) options.on_progress(row.title);
    const std::filesystem::path folder = std::filesystem::path(options.folder).parent_path();
    const Summary s = tally->run(scene::read_scene((folder / row.name / "scene.yaml").string()));
    table.rows.push_back({row.title, fmt::format("{:.3g}", s.t), fmt::format("{:.2g}", s.cpu),
                          fmt::format("{:.2g}", s.cpu / s.t)});
  }
  return table;
}

// --- number of bodies ----------------------------------------------------------------------------

// Counts per ball and simulated second.
struct Counted {
  int balls = 0;
  double events = 0.0, heap = 0.0, hash = 0.0, queries = 0.0;
  double naive = 0.0;  // distances if there were no hash and no heap
};
constexpr std::array<int, 3> kRowsOfColumns = {1, 10, 100};  // of ten columns of ten balls

Counted count_falling(const std::string& file, int rows, Tally* tally) {
  const scene::Override wider[] = {{"bodies.ball.repeat.grid", fmt::format("[{}, 10, 10]", rows)}};
  const Summary s = tally->run(scene::read_scene(file, wider));
  const int balls = 100 * rows;
  const auto per_ball = [&](std::int64_t n) {
    return static_cast<double>(n) / (s.t * balls);
  };
  return {.balls = balls,
          .events = per_ball(s.events.events),
          .heap = per_ball(s.events.heap_operations),
          .hash = per_ball(s.events.hash_looks),
          .queries = per_ball(s.events.distance_queries + s.events.plane_checks),
          .naive = per_ball(s.events.naive_queries)};
}

std::vector<Counted> count_by_number(const ExperimentOptions& options, Tally* tally) {
  std::vector<Counted> list;
  for (const int rows : kRowsOfColumns) {
    if (options.on_progress) options.on_progress("falling balls");
    list.push_back(count_falling(options.folder + "/falling.yaml", rows, tally));
  }
  return list;
}

Table make_number_table(const std::vector<Counted>& list) {
  Table table = {
      .caption = "Heap and hash by the number of bodies: counts per ball and second",
      .header = {"balls", "events", "operations on the heap", "boxes compared in the hash",
                 "distances", "distances without hash and heap"},
      .rows = {}};
  for (const Counted& c : list) {
    const auto text = [](double x) {
      return fmt::format("{:.4g}", x);
    };
    table.rows.push_back({fmt::format("{}", c.balls), text(c.events), text(c.heap), text(c.hash),
                          text(c.queries), text(c.naive)});
  }
  return table;
}

// The largest growth of a count per ball, from the fewest balls to the most.
double calc_growth(const std::vector<Counted>& list) {
  const Counted& few = list.front();
  const Counted& many = list.back();
  return std::max({many.events / few.events, many.heap / few.heap, many.hash / few.hash,
                   many.queries / few.queries});
}

// --- rest ----------------------------------------------------------------------------------------

struct Family {
  const char* name;
  const char* method;  // YAML
  bool is_tower;
  int most;  // largest number of boxes
  Colour colour;
};
constexpr const char* kImpulse = "{impulse: {}}";
constexpr const char* kStepping = "{time-stepping: {step: 0.01, solver: cone}}";
constexpr std::array<Family, 4> kFamilies = {{
    {"impulses, side by side", kImpulse, false, 64, Colour::kBlue},
    {"time-stepping, side by side", kStepping, false, 64, Colour::kVermilion},
    {"impulses, tower", kImpulse, true, 8, Colour::kSky},
    {"time-stepping, tower", kStepping, true, 8, Colour::kOrange},
}};
constexpr int kContactsPerBox = 4;

struct Cost {
  int contacts = 0;
  double cpu = 0.0;    // s   per simulated second
  double looks = 0.0;  // 1/s   pairs examined, per contact
};

Cost measure_rest(const std::string& file, const Family& family, int boxes, Tally* tally) {
  const std::string repeat = family.is_tower
                                 ? fmt::format("{{stack: {}, spacing: 0.2}}", boxes)
                                 : fmt::format("{{grid: [{}, 1, 1], spacing: 0.5}}", boxes);
  const scene::Override changes[] = {{"method", family.method}, {"bodies.box.repeat", repeat}};
  const Summary s = tally->run(scene::read_scene(file, changes));
  const int contacts = kContactsPerBox * boxes;
  return {.contacts = contacts,
          .cpu = s.cpu / s.t,
          .looks = static_cast<double>(s.events.events) / (s.t * contacts)};
}

std::vector<std::vector<Cost>> measure_families(const ExperimentOptions& options, Tally* tally) {
  std::vector<std::vector<Cost>> costs;
  for (const Family& family : kFamilies) {
    if (options.on_progress) options.on_progress(family.name);
    costs.emplace_back();
    for (int boxes = 1; boxes <= family.most; boxes *= 2) {
      costs.back().push_back(measure_rest(options.folder + "/scene.yaml", family, boxes, tally));
    }
  }
  return costs;
}

Figure draw_costs(const std::vector<std::vector<Cost>>& costs) {
  Plot plot{.x_label = "contacts at rest",
            .y_label = "processor time per simulated time",
            .log_x = true,
            .log_y = true};
  for (std::size_t k = 0; k < kFamilies.size(); ++k) {
    Series series{.name = kFamilies[k].name,
                  .colour = kFamilies[k].colour,
                  .style = Series::Style::kLineAndDots,
                  .dashed = kFamilies[k].is_tower};
    for (const Cost& cost : costs[k]) {
      series.points.push_back({static_cast<double>(cost.contacts), cost.cpu});
    }
    plot.series.push_back(std::move(series));
  }
  const std::string caption = "What contacts at rest cost, by impulses and by time-stepping";
  plot.description = caption;
  return {caption, draw_svg(plot)};
}

}  // namespace

ExperimentResult run_mc95_cost(const ExperimentOptions& options) {
  Tally tally;
  Measurements m;
  const std::vector<std::vector<Cost>> costs = measure_families(options, &tally);
  m["growth_apart"] = costs[0].back().looks / costs[0].front().looks;
  const std::vector<Counted> counted = count_by_number(options, &tally);
  m["growth_number"] = calc_growth(counted);
  ExperimentResult result;
  if (options.with_figures) result.tables.push_back(time_paper_scenes(options, &tally));
  m["ledger"] = tally.ledger;
  m["finished"] = static_cast<double>(tally.num_finished) / tally.num_runs;
  result.findings = judge("MC95/cost", options.folder + "/expected.json", m);
  result.notes = read_notes(options.folder + "/expected.json");
  if (!options.with_figures) return result;
  result.tables.push_back(make_number_table(counted));
  result.figures.push_back(draw_costs(costs));
  return result;
}

}  // namespace tenpin::lab::experiments
