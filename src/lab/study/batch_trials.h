// Trials of a study as worlds of a batch: converts their numbers to start states, and final states
// to rows.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "batch/batch_scene.h"
#include "lab/study/design.h"
#include "lab/study/measurer.h"
#include "lab/study/study.h"
#include "lab/study/trial_table.h"
#include "scene/build.h"

namespace tenpin::lab {

// Data that the trials of one combination of levels share. Made without values of the ranges, so
// that they depend on no trial.
struct BatchCombination {
  scene::Scene scene;
  scene::Built built;
  batch::BatchScene batch;
};

// One trial, ready to run. If a range changes more than positions and velocities, the trial has a
// model of its own.
struct BatchTrial {
  std::vector<Cell> values;  // values of the variables
  dynamics::State start;
  std::shared_ptr<const BatchCombination> own;  // null: the trial uses the model of its combination
};

class BatchTrials {
 public:
  // Throws SceneError that names what a batch cannot do, in the scene or in the measures.
  explicit BatchTrials(const Study& study);

  // Throws the same exceptions as parse_scene().
  [[nodiscard]] BatchTrial make(std::int64_t trial) const;
  [[nodiscard]] const batch::BatchScene& batch_scene(std::int64_t trial,
                                                     const BatchTrial& from) const;
  // True if all trials of a combination share its model.
  [[nodiscard]] bool shares_models() const { return shares_models_; }
  [[nodiscard]] const std::vector<BatchCombination>& combinations() const { return combinations_; }
  // The number of steps, equal for all trials.
  [[nodiscard]] std::int64_t num_steps() const { return combinations_.front().batch.num_steps; }
  [[nodiscard]] std::size_t combination_of(std::int64_t trial) const {
    return static_cast<std::size_t>(trial % static_cast<std::int64_t>(combinations_.size()));
  }

  // Reads final states into rows; one per thread.
  class Reader {
   public:
    Reader(const Study& study, const BatchTrials& trials);
    template <class Real, int kContacts>
    [[nodiscard]] TrialRow read(std::int64_t trial, const BatchTrial& from,
                                const batch::Stored<Real, kContacts>& world);

   private:
    const Study& study_;
    const BatchTrials& trials_;
    std::vector<Measure> final_measures_;               // measures that need only the final state
    std::vector<std::unique_ptr<Measurer>> measurers_;  // by combination
    dynamics::State end_;
  };

 private:
  // A component of a start state that a range sets directly.
  struct Target {
    enum class Kind { kPosition, kVelocity, kSpin } kind = Kind::kPosition;
    std::string body;
    int component = 0;
  };
  static std::optional<Target> parse_target(const std::string& path);
  [[nodiscard]] BatchCombination make_combination(const Trial& trial, bool with_ranges,
                                                  const Vec3* origin) const;
  void add_watches(batch::BatchScene* scene, const dynamics::Model& model) const;

  const Study& study_;
  std::vector<std::optional<Target>> targets_;  // by variable; empty unless it is a range
  bool shares_models_ = true;
  std::vector<BatchCombination> combinations_;
};

}  // namespace tenpin::lab
