// Advice for a run with rigid contacts that takes long: how long it will take, and how much faster
// and less exact compliant contacts are for the same scene. Both are measured, not guessed.
#pragma once

#include <string>
#include <vector>

#include "lab/simulation.h"
#include "scene/scene.h"

namespace tenpin::lab {

// A run of the same scene with compliant contacts.
struct CompliantTrial {
  bool succeeded = false;  // without failure, as far as it ran
  double t = 0.0;          // s   simulated
  double wall = 0.0;       // s   real time that the trial took
  double overlap = 0.0;    // m   deepest overlap after a step
};

// Runs from the start to `until`, or for about max_wall seconds of real time.
[[nodiscard]] CompliantTrial try_compliant(const scene::Scene& scene, double until, double max_wall,
                                           int threads);

// True if the scene has rigid contacts under time stepping, and none of its options contradicts
// `contact: {compliance: ...}`.
[[nodiscard]] bool could_be_compliant(const scene::Scene& scene);

// Watches the progress of one run.
class SlowRunWatch {
 public:
  struct Limits {
    double patience = 5.0;     // s   real time before the advice
    double least_rest = 30.0;  // s   a run that ends sooner than this needs no advice
    double trial = 2.0;        // s   real time that the trial may take
  };
  SlowRunWatch(const scene::Scene& scene, int threads, const Limits& limits);
  SlowRunWatch(const scene::Scene& scene, int threads) : SlowRunWatch(scene, threads, Limits{}) {}

  // Returns the advice once, when it is due; "" otherwise. The call that returns it runs the trial.
  [[nodiscard]] std::string watch(const Progress& progress);

 private:
  [[nodiscard]] double find_wall_at(double t) const;

  const scene::Scene* scene_;
  int threads_;
  Limits limits_;
  bool is_over_;                  // true if there will be no more advice
  std::vector<Progress> passed_;  // until the advice, in the order of time
};

}  // namespace tenpin::lab
