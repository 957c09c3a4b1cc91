// Runs trials of a study, one after another.
#pragma once

#include <cstdint>
#include <functional>

#include "lab/study/design.h"
#include "lab/study/study.h"
#include "lab/study/trial_table.h"
#include "scene/scene_source.h"

namespace tenpin::lab {

// Stores what trials share: the parsed scene and its meshes. Only one thread may use it. The study
// must outlive it.
class TrialRunner {
 public:
  explicit TrialRunner(const Study& study);

  // Runs one trial. The row is a function of the study and the number, unless the trial exceeds the
  // study's time limit; then the row says so. `go_on` is called a few times per second; if it
  // returns false, the trial stops.
  [[nodiscard]] TrialRow run(std::int64_t trial, const std::function<bool()>& go_on);

 private:
  void simulate_trial(const Trial& trial, const std::function<bool()>& go_on, TrialRow* row);

  const Study& study_;
  scene::SceneSource source_;
};

}  // namespace tenpin::lab
