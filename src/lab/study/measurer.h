// Measures of a trial, taken while it runs: nothing of it is stored.
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
  // At the start of the run. Measures that fit no such scene come to nothing.
  Measurer(std::span<const Measure> measures, const scene::Scene& scene,
           const dynamics::Model& model, const dynamics::State& start);

  void on_step(const methods::StepReport& report, const dynamics::State& state);
  // A state within the step that ends next.
  void on_frame_within(const dynamics::State& state);

  // One per measure, nothing for what did not happen.
  [[nodiscard]] std::vector<std::optional<double>> finish(const dynamics::State& end);

 private:
  using Source = QuantityComponent;  // one number of the run at a time

  struct Watch {
    const Measure* measure = nullptr;
    std::optional<Source> source, value;
    std::optional<double> result;
    std::optional<double> last;  // of the source
    double last_value = 0.0;     // of `value`, or the time
  };

  double read(const Source& source);
  enum class Looked { kAtEnd, kWithin };  // of a step
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

// "" if the measure can be taken of such a scene, or what is wrong: "no such quantity, got ...".
[[nodiscard]] std::string find_measure_problem(const Measure& measure, const scene::Scene& scene,
                                               const dynamics::Model& model);

// Whether a name is one of those that the pattern stands for; * is anything, also nothing.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view name);

}  // namespace tenpin::lab
