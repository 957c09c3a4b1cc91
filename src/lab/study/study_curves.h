// What the rows of a study come to: means with the bands that they may err by.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lab/study/study.h"
#include "lab/study/trial_table.h"

namespace tenpin::lab {

// A sample's mean, and half the width of the interval that holds the true one in 95 of 100 cases
// if the samples are independent: Student's.
struct Estimate {
  std::int64_t count = 0;
  double mean = 0.0;
  double deviation = 0.0;   // of a sample
  double half_width = 0.0;  // infinite for a single sample
  double least = 0.0;
  double largest = 0.0;
};
[[nodiscard]] Estimate calc_estimate(std::span<const double> samples);

// The 97.5 % point of Student's distribution, to 1 %.
[[nodiscard]] double calc_student_point(std::int64_t degrees_of_freedom);

struct CurvePoint {
  double x = 0.0;  // mean of the window's
  Estimate y;
};
struct StudyCurve {
  std::string name;  // the level of `by`, or ""
  std::vector<CurvePoint> points;
};

// The rows that are done, in windows of x. A variable with levels has one window for each.
[[nodiscard]] std::vector<StudyCurve> make_curves(const Study& study, const StudyDrawing& drawing,
                                                  std::span<const TrialRow> rows);

// Those of the study, or each measure against each variable that is a number.
[[nodiscard]] std::vector<StudyDrawing> list_drawings(const Study& study);

// Of one measure over all rows that are done.
[[nodiscard]] Estimate calc_estimate(const Study& study, const std::string& measure,
                                     std::span<const TrialRow> rows);

}  // namespace tenpin::lab
