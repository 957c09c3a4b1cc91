#include "lab/experiments/accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "base/check.h"
#include "lab/svg_plot.h"
#include "lab/variant.h"

namespace tenpin::lab::experiments {

namespace {

namespace fs = std::filesystem;

struct AccuracyRun {
  ExpectedRun way;
  Track track;
  Measurements measured;
};

AccuracyRun run_one_way(const AccuracyScene& scene, const std::string& file, ExpectedRun way) {
  const std::string_view method = name_of(scene::read_scene(file).method);
  std::vector<scene::Override> changes = make_overrides(parse_variant(way.method), method);
  changes.insert(changes.end(), way.changes.begin(), way.changes.end());
  Track track = record_track(file, changes);
  Measurements measured = measure_accuracy(scene, track);
  return {std::move(way), std::move(track), std::move(measured)};
}

double relative_closure(const Summary& s) {
  return std::max(s.worst_closure, std::fabs(s.total_closure)) / std::max(s.largest_energy, 1e-300);
}

Measurements collect(const std::vector<AccuracyRun>& runs) {
  Measurements all = {{"ledger", 0.0}, {"residual", 0.0}};
  for (const AccuracyRun& run : runs) {
    const Summary& s = run.track.summary;
    const bool finished = s.status == methods::AdvanceStatus::kReachedEnd;
    all[run.way.key + "/finished"] = finished ? 1.0 : 0.0;
    for (const auto& [key, value] : run.measured) all[run.way.key + "/" + key] = value;
    all["ledger"] = std::max(all["ledger"], relative_closure(s));
    all["residual"] = std::max(all["residual"], s.worst.residual);
  }
  return all;
}

Figure draw_curves(const AccuracyScene& scene, const std::vector<AccuracyRun>& runs) {
  constexpr int kColours = 7;
  constexpr std::size_t kMostPoints = 800;
  Plot plot{.x_label = "t (s)", .y_label = std::string(scene.y_label)};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::vector<TrackSample>& samples = runs[i].track.samples;
    Series series{.name = runs[i].way.key, .colour = static_cast<Colour>(i % kColours)};
    const std::size_t stride = 1 + samples.size() / kMostPoints;
    for (std::size_t k = 0; k < samples.size(); k += stride) {
      series.points.push_back({samples[k].t, scene.curve(runs[i].track, samples[k])});
    }
    plot.series.push_back(std::move(series));
  }
  plot.description = fmt::format("{} over time, one curve per run", scene.y_label);
  return {.caption = fmt::format("{}, all runs", scene.y_label), .svg = draw_svg(plot)};
}

Table tabulate(const std::vector<AccuracyRun>& runs) {
  Table table{
      .caption = "What each run came to, and what it cost on the machine that made this page",
      .header = {"run", "method"}};
  for (const auto& [key, value] : runs.front().measured) table.header.push_back(key);
  table.header.insert(table.header.end(), {"reached (s)", "steps or events", "CPU (s)"});
  for (const AccuracyRun& run : runs) {
    const Summary& s = run.track.summary;
    std::vector<std::string> row = {run.way.key, run.way.method};
    for (const auto& [key, value] : run.measured) row.push_back(fmt::format("{:.9g}", value));
    row.push_back(fmt::format("{:.4g}", s.t));
    row.push_back(fmt::format("{}", s.steps));
    row.push_back(fmt::format("{:.3g}", s.cpu));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

ExperimentResult run_accuracy(const ExperimentOptions& options) {
  const fs::path folder = fs::path(options.folder + "/.").lexically_normal().parent_path();
  const std::string name = folder.filename().string();
  const AccuracyScene* scene = find_accuracy_scene(name);
  TENPIN_REQUIRE(scene != nullptr, name + ": no accuracy scene has this name");
  const std::string expected = (folder / "expected.json").string();
  std::vector<AccuracyRun> runs;
  for (ExpectedRun& way : read_runs(expected)) {
    if (options.on_progress) options.on_progress(way.key);
    runs.push_back(run_one_way(*scene, (folder / "scene.yaml").string(), std::move(way)));
  }
  ExperimentResult result{.findings = judge("accuracy/" + name, expected, collect(runs)),
                          .notes = read_notes(expected)};
  if (!options.with_figures) return result;
  result.figures.push_back(draw_curves(*scene, runs));
  result.tables.push_back(tabulate(runs));
  return result;
}

}  // namespace tenpin::lab::experiments
