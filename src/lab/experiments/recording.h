// A whole run in memory, step by step, for measurements and figures.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "contact/report.h"
#include "lab/simulation.h"
#include "math/types.h"
#include "scene/read.h"

namespace tenpin::lab::experiments {

struct RecordedStep {
  double t = 0.0;  // s   end of the step
  VecX q, v;       // after the step
  contact::Ledger ledger;
  std::vector<contact::ContactRecord> contacts;
};

struct Recording {
  VecX q, v;       // at t = 0
  double h = 0.0;  // s
  std::vector<RecordedStep> steps;
  Summary summary;

  bool finished() const { return summary.status == methods::AdvanceStatus::kReachedEnd; }
};

// Runs a scene file with changes, as `tenpin run --set` does.
[[nodiscard]] Recording record_run(const std::string& scene_file,
                                   std::span<const scene::Override> changes);

// -   The largest error of the energy ledger, for single steps or for their sum, relative to the
// run's largest energy.
[[nodiscard]] double calc_closure(const Recording& recording);

}  // namespace tenpin::lab::experiments
