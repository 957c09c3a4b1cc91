// Trials of a study, one after another.
#pragma once

#include <cstdint>
#include <functional>

#include "lab/study/design.h"
#include "lab/study/study.h"
#include "lab/study/trial_table.h"
#include "scene/scene_source.h"

namespace tenpin::lab {

// Keeps what trials share from one to the next: the parsed scene and its meshes. For one thread.
// The study must outlive it.
class TrialRunner {
 public:
  explicit TrialRunner(const Study& study);

  // One trial from its start to its end: a function of the study and the number, unless the trial
  // takes more than the study's limit of time; then its row says so. `go_on` is asked a few times
  // per second; false stops the trial.
  [[nodiscard]] TrialRow run(std::int64_t trial, const std::function<bool()>& go_on);

 private:
  void simulate_trial(const Trial& trial, const std::function<bool()>& go_on, TrialRow* row);

  const Study& study_;
  scene::SceneSource source_;
};

}  // namespace tenpin::lab
