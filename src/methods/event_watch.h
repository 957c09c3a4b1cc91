// The conditions of a scene's events, and the model values that events set.
#pragma once

#include <span>
#include <vector>

#include "collide/narrow_phase.h"
#include "contact/report.h"
#include "dynamics/kinematics.h"
#include "dynamics/model.h"
#include "dynamics/state.h"

namespace tenpin::methods {

// Evaluates the conditions of events at given states.
class EventWatch {
 public:
  explicit EventWatch(const dynamics::Model& model) : model_(&model) {}

  void look_at(const dynamics::State& state);
  // The margin of a condition on a quantity, in the quantity's unit: >= 0 if the condition holds, <
  // 0 if it does not.
  [[nodiscard]] double calc_margin(const dynamics::Event& event);
  [[nodiscard]] double calc_measure(const dynamics::Measure& measure);

 private:
  [[nodiscard]] double calc_distance(int body_a, int body_b);

  const dynamics::Model* model_;
  const dynamics::State* state_ = nullptr;
  bool has_poses_ = false;
  std::vector<Pose> X_WB_;
  std::vector<dynamics::Twist> V_WB_;
  collide::NarrowPhase narrow_phase_;
};

// True if the contacts of a step satisfy the condition of the event.
[[nodiscard]] bool is_contact_made(const dynamics::Event& event,
                                   std::span<const contact::ContactRecord> contacts);

// The values of a model that events may change, as they were when this was made.
class EventValues {
 public:
  explicit EventValues(const dynamics::Model& model);
  // Writes the stored values back to the model.
  void restore(dynamics::Model* model) const;

 private:
  struct BodyValues {
    double target = 0.0;
    dynamics::TimeCurve curve;
    dynamics::PrescribedMotion motion;
    Pose X_PJ;
  };
  Vec3 gravity_;
  std::vector<dynamics::Surface> surfaces_;
  std::vector<BodyValues> bodies_;
};

// Writes the gravity, targets, motions and surfaces that an event sets at time t.
void apply_settings(const dynamics::Event& event, double t, dynamics::Model* model);

// Sets loops, motors and pushes to the state in which all events so far leave them.
void apply_releases(std::span<const dynamics::FiredEvent> fired, dynamics::Model* model);

}  // namespace tenpin::methods
