// Takes the measures of a trial while it runs, without storing the run.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dynamics/model.h"
#include "dynamics/state.h"
#include "lab/motions.h"
#include "lab/quantities.h"
#include "lab/study/study.h"
#include "methods/method.h"
#include "scene/scene.h"

namespace tenpin::lab {

class Measurer {
 public:
  // Call at the start of the run. Measures that do not fit the scene have no value.
  Measurer(std::span<const Measure> measures, const scene::Scene& scene,
           const dynamics::Model& model, const dynamics::State& start);

  void on_step(const methods::StepReport& report, const dynamics::State& state);
  // Call with a state within a step, before on_step() of that step.
  void on_frame_within(const dynamics::State& state);

  // Returns one value per measure; empty if the event did not happen.
  [[nodiscard]] std::vector<std::optional<double>> finish(const dynamics::State& end);

 private:
  using Source = QuantityComponent;  // one number of the run at a time

  struct Watch {
    const Measure* measure = nullptr;
    std::optional<Source> source, value;
    std::optional<double> result;
    std::optional<double> last;  // last value of `source`
    double last_value = 0.0;     // last value of `value`, or the time
  };

  double read(const Source& source);
  enum class Looked { kAtEnd, kWithin };  // position within a step
  void look(const dynamics::State& state, Looked looked = Looked::kAtEnd);
  void look_for_crossing(double number, Watch* watch);
  double count_fallen(const Measure& measure) const;
  double calc_digest(const Measure& measure) const;

  std::vector<record::HeaderBody> bodies_;
  MotionReader motions_;
  Vec3 up_;                       // -
  std::vector<Vec3> up_in_body_;  // -   by body, at the start
  std::vector<Watch> watches_;
  bool looks_at_steps_ = false;
  bool has_step_ = false;
  record::StepRow row_ = {};
  record::RunFrame frame_;
  std::vector<double> values_;
};

// Returns "" if the measure can be taken for such a scene, or the problem: "no such quantity, got
// ...".
[[nodiscard]] std::string find_measure_problem(const Measure& measure, const scene::Scene& scene,
                                               const dynamics::Model& model);

// True if the name matches the pattern, in which * stands for any text, including none.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view name);

}  // namespace tenpin::lab
