// The page of a study, and its numbers for other programs.
#pragma once

#include <span>
#include <string>

#include "lab/study/study.h"
#include "lab/study/study_curves.h"
#include "lab/study/sweep.h"
#include "lab/study/trial_table.h"

namespace tenpin::lab {

// Draws means as lines, and their 95 % confidence intervals as bands.
[[nodiscard]] std::string draw_curves(const StudyDrawing& drawing,
                                      std::span<const StudyCurve> curves);

// Makes the plots, measures and failures, as part of a page.
[[nodiscard]] std::string make_study_results(const Study& study, std::span<const TrialRow> rows);

[[nodiscard]] std::string make_study_page(const Study& study, std::span<const TrialRow> rows);

// {study, table, trials, rows, failed, fresh, seconds, processes: [...], table_hash, measures:
// {...},
//  drawings: [...], sensitivities: [...]}
[[nodiscard]] std::string make_study_json(const Study& study, std::span<const TrialRow> rows,
                                          const SweepProgress& progress, const std::string& table);

}  // namespace tenpin::lab
