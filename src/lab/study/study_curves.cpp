#include "lab/study/study_curves.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/check.h"

namespace tenpin::lab {

namespace {

// number of windows if the study does not give their width
constexpr int kWindows = 24;
constexpr std::size_t kMostDrawings = 12;  // number of drawings if the study does not request any

struct Sample {
  double x = 0.0;
  double y = 0.0;
};

// One point per window, in the order of x.
std::vector<CurvePoint> average(const std::vector<Sample>& samples, double window) {
  std::map<std::int64_t, std::vector<Sample>> windows;
  for (const Sample& s : samples) {
    windows[static_cast<std::int64_t>(std::floor(s.x / window))].push_back(s);
  }
  std::vector<CurvePoint> points;
  for (const auto& [index, inside] : windows) {
    double x = 0.0;
    std::vector<double> y;
    for (const Sample& s : inside) {
      x += s.x / static_cast<double>(inside.size());
      y.push_back(s.y);
    }
    points.push_back({.x = x, .y = calc_estimate(y)});
  }
  return points;
}

// A width such that this many windows cover all samples, or small enough to separate all levels.
double choose_window(const Study& study, const StudyDrawing& drawing,
                     const std::vector<Sample>& samples) {
  if (drawing.window > 0.0) return drawing.window;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const Sample& s : samples) {
    low = std::min(low, s.x);
    high = std::max(high, s.x);
  }
  const std::size_t column = find_column(study, drawing.x);
  const bool has_levels = column < study.variables.size() && !study.variables[column].is_range();
  const double width = high > low ? high - low : 1.0;
  if (!has_levels) return width / kWindows;
  double nearest = width;
  for (const Level& a : study.variables[column].levels) {
    for (const Level& b : study.variables[column].levels) {
      const double apart = std::fabs(a.number.value_or(0.0) - b.number.value_or(0.0));
      if (apart > 0.0) nearest = std::min(nearest, apart);
    }
  }
  return 0.5 * nearest;
}

}  // namespace

double calc_student_point(std::int64_t degrees_of_freedom) {
  constexpr double kNormal = 1.959963984540054;
  if (degrees_of_freedom < 1) return std::numeric_limits<double>::infinity();
  if (degrees_of_freedom == 1) return 12.706;
  if (degrees_of_freedom == 2) return 4.303;
  // Fisher's expansion about the normal distribution.
  const auto n = static_cast<double>(degrees_of_freedom);
  const double z = kNormal;
  const double z3 = z * z * z;
  const double z5 = z3 * z * z;
  const double z7 = z5 * z * z;
  return z + (z3 + z) / (4.0 * n) + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * n * n) +
         (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * n * n * n);
}

Estimate calc_estimate(std::span<const double> samples) {
  Estimate e = {.count = std::ssize(samples)};
  if (samples.empty()) return e;
  const auto n = static_cast<double>(e.count);
  e.least = *std::min_element(samples.begin(), samples.end());
  e.largest = *std::max_element(samples.begin(), samples.end());
  for (const double s : samples) e.mean += s / n;
  double squares = 0.0;
  for (const double s : samples) squares += (s - e.mean) * (s - e.mean);
  e.deviation = e.count > 1 ? std::sqrt(squares / (n - 1.0)) : 0.0;
  e.half_width = e.count > 1 ? calc_student_point(e.count - 1) * e.deviation / std::sqrt(n)
                             : std::numeric_limits<double>::infinity();
  return e;
}

Estimate calc_estimate(const Study& study, const std::string& measure,
                       std::span<const TrialRow> rows) {
  const std::size_t column = find_column(study, measure);
  std::vector<double> samples;
  for (const TrialRow& row : rows) {
    if (row.is_done() && row.cells[column].number) samples.push_back(*row.cells[column].number);
  }
  return calc_estimate(samples);
}

std::vector<StudyCurve> make_curves(const Study& study, const StudyDrawing& drawing,
                                    std::span<const TrialRow> rows) {
  const std::size_t x = find_column(study, drawing.x);
  const std::size_t y = find_column(study, drawing.y);
  const Variable* by =
      drawing.by.empty() ? nullptr : &study.variables[find_column(study, drawing.by)];
  const std::size_t num_curves = by == nullptr ? 1 : by->levels.size();
  std::vector<std::vector<Sample>> samples(num_curves);
  std::vector<Sample> all;
  for (const TrialRow& row : rows) {
    if (!row.is_done() || !row.cells[x].number || !row.cells[y].number) continue;
    const Sample sample = {*row.cells[x].number, *row.cells[y].number};
    for (std::size_t k = 0; k < num_curves; ++k) {
      if (by != nullptr) {
        const Cell& cell = row.cells[find_column(study, drawing.by)];
        const Level& level = by->levels[k];
        if (cell.number != level.number || (!level.number && cell.text != level.label)) continue;
      }
      samples[k].push_back(sample);
    }
    all.push_back(sample);
  }
  const double window = choose_window(study, drawing, all);
  std::vector<StudyCurve> curves;
  for (std::size_t k = 0; k < num_curves; ++k) {
    curves.push_back(
        {.name = by == nullptr ? "" : by->levels[k].label, .points = average(samples[k], window)});
  }
  return curves;
}

std::vector<StudyDrawing> list_drawings(const Study& study) {
  if (!study.drawings.empty()) return study.drawings;
  std::vector<StudyDrawing> drawings;
  for (const Measure& measure : study.measures) {
    for (const Variable& variable : study.variables) {
      const bool is_number =
          std::all_of(variable.levels.begin(), variable.levels.end(), [](const Level& level) {
            return level.number.has_value();
          });
      if (is_number && drawings.size() < kMostDrawings) {
        drawings.push_back({.x = variable.name, .y = measure.name});
      }
    }
  }
  return drawings;
}

}  // namespace tenpin::lab
