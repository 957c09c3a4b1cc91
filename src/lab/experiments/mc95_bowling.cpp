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
#include "lab/study/sweep.h"
#include "lab/study/trial_csv.h"

namespace tenpin::lab::experiments {

namespace {

std::vector<TrialRow> read_throws(const Study& study, const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  TENPIN_REQUIRE(static_cast<bool>(stream), file + ": cannot be read");
  return parse_trial_csv(study, text.str());
}

// Throws of one kind that met the pin line within these bounds, m.
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

// Beyond what both may err by.
bool is_clearly_less(const Estimate& a, const Estimate& b) {
  return a.mean + a.half_width < b.mean - b.half_width;
}

// How many of a few throws, spread over all, differ from the file by a single bit.
int count_changed(const Study& study, const std::vector<TrialRow>& rows) {
  constexpr std::size_t kRepeated = 3;
  int changed = 0;
  for (std::size_t k = 0; k < kRepeated; ++k) {
    const TrialRow& row = rows[(2 * k + 1) * rows.size() / (2 * kRepeated)];
    const TrialRow again = run_trial(study, row.trial, [] {
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
  const std::vector<Finding> more =
      judge("MC95/bowling", options.folder + "/expected-study.json", m);
  result.findings.insert(result.findings.end(), more.begin(), more.end());
  for (const std::string& note : read_notes(options.folder + "/expected-study.json")) {
    result.notes.push_back(note);
  }
  if (!options.with_figures) return result;
  const StudyDrawing& drawing = study.drawings.front();
  const Figure figure = {
      fmt::format("Fig. 11: felled pins against where the ball meets the pin line (m from its "
                  "middle), means over 2 cm with 95 % bands; {} straight balls, {} hooks",
                  count_throws(rows, "straight"), count_throws(rows, "hook")),
      draw_curves(drawing, make_curves(study, drawing, rows))};
  result.figures.insert(result.figures.begin(), figure);
  return result;
}

}  // namespace tenpin::lab::experiments
