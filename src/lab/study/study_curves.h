// The results of a study's rows: means with their confidence bands.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lab/study/study.h"
#include "lab/study/trial_table.h"

namespace tenpin::lab {

// A sample's mean, and half the width of its 95 % confidence interval, by Student's distribution
// for independent samples.
struct Estimate {
  std::int64_t count = 0;
  double mean = 0.0;
  double deviation = 0.0;   // of a sample
  double half_width = 0.0;  // infinite if there is only one sample
  double least = 0.0;
  double largest = 0.0;
};
[[nodiscard]] Estimate calc_estimate(std::span<const double> samples);

// The 97.5 % point of Student's distribution, accurate to 1 %.
[[nodiscard]] double calc_student_point(std::int64_t degrees_of_freedom);

struct CurvePoint {
  double x = 0.0;  // mean of x in the window
  Estimate y;
};
struct StudyCurve {
  std::string name;  // the level of `by`, or ""
  std::vector<CurvePoint> points;
};

// Makes curves from the complete rows, in windows of x. A variable with levels has one window for
// each level.
[[nodiscard]] std::vector<StudyCurve> make_curves(const Study& study, const StudyDrawing& drawing,
                                                  std::span<const TrialRow> rows);

// The drawings that the study requests, or each measure against each variable that is a number.
[[nodiscard]] std::vector<StudyDrawing> list_drawings(const Study& study);

// The estimate for one measure over all complete rows.
[[nodiscard]] Estimate calc_estimate(const Study& study, const std::string& measure,
                                     std::span<const TrialRow> rows);

}  // namespace tenpin::lab
