// The page of a study, and its numbers for other programs.
#pragma once

#include <span>
#include <string>

#include "lab/study/study.h"
#include "lab/study/study_curves.h"
#include "lab/study/sweep.h"
#include "lab/study/trial_table.h"

namespace tenpin::lab {

// Of a drawing, with units; "" = the name of the variable or measure.
struct AxisTitles {
  std::string x, y;
};

// Means as lines, the intervals that hold the true ones with 95 % as bands about them.
[[nodiscard]] std::string draw_curves(const StudyDrawing& drawing,
                                      std::span<const StudyCurve> curves,
                                      const AxisTitles& titles = {});

// Makes the plots, measures and failures, as part of a page.
[[nodiscard]] std::string make_study_results(const Study& study, std::span<const TrialRow> rows);

[[nodiscard]] std::string make_study_page(const Study& study, std::span<const TrialRow> rows);

// {study, table, trials, rows, failed, fresh, seconds, processes: [...], table_hash, measures:
// {...},
//  drawings: [...], sensitivities: [...]}
[[nodiscard]] std::string make_study_json(const Study& study, std::span<const TrialRow> rows,
                                          const SweepProgress& progress, const std::string& table);

}  // namespace tenpin::lab
