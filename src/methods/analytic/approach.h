// Finds when separate bodies first touch. A direction that separates them at both ends of a stride
// separates them throughout, up to the sag of their points in between.
#pragma once

#include <memory>
#include <vector>

#include "collide/core.h"
#include "collide/narrow_phase.h"
#include "dynamics/kinematics.h"
#include "dynamics/model.h"
#include "methods/analytic/integrator.h"
#include "methods/analytic/root.h"

namespace tenpin::methods::analytic {

struct PartPair {
  int part_a = 0;
  int part_b = 0;
  collide::Distance start;  // at the start of the step; only its separating normal is used
};

// The step whose events are sought.
struct StepView {
  const Integrator& integrator;
  double t = 0.0;  // s   its start
};

class Approach {
 public:
  Approach(const dynamics::Model& model, const scene::AnalyticOptions& options);

  // The first time, as a fraction of the step from 0 to `until`, at which a pair of the list
  // touches; 2 if none does. The step is traversed in strides that are proven not to overlap any
  // pair by more than a quarter of the event tolerance.
  [[nodiscard]] double find_first(const StepView& step, const std::vector<PartPair>& pairs,
                                  double until);

  // The same for each pair, up to half of the step.
  [[nodiscard]] std::vector<double> find_each(const StepView& step,
                                              const std::vector<PartPair>& pairs);

  long num_queries() const { return num_queries_; }        // distances computed
  long num_iterations() const { return num_iterations_; }  // of the root search

 private:
  // Bounds on the motion of a body within the step.
  struct Bound {
    double w = 0.0;      // rad/s
    double a = 0.0;      // m/s^2   of its centre of mass
    double alpha = 0.0;  // rad/s^2
  };
  // The fastest possible closing of a gap.
  struct Closing {
    double gap = 0.0;           // m
    double rate = 0.0;          // m/s
    double acceleration = 0.0;  // m/s^2
  };
  // Poses and velocities of all bodies at a fraction of the step.
  struct Placement {
    double theta = -1.0;  // < 0: unknown
    std::vector<Pose> X_WB;
    std::vector<dynamics::Twist> V_WB;
  };
  // A stride in which nothing touches, except perhaps at its end.
  struct Stride {
    double end = 0.0;         // -   fraction of the step
    double separation = 0.0;  // m   lower bound there; < 0: unknown
  };
  void update_bounds(const StepView& step);
  const Placement& place_at(const StepView& step, double theta);
  [[nodiscard]] collide::Distance calc_distance(const PartPair& pair, const Placement& placement);
  [[nodiscard]] double calc_extent(int part, const Placement& placement, const Vec3& n) const;
  [[nodiscard]] double calc_separation(const PartPair& pair, const Placement& placement,
                                       const Vec3& n) const;
  [[nodiscard]] double find_contact(const StepView& step, const PartPair& pair, double until);
  [[nodiscard]] Stride find_stride(const StepView& step, const PartPair& pair, double from,
                                   double until, const collide::Distance& distance);
  [[nodiscard]] Closing calc_closing(const PartPair& pair, const Placement& placement,
                                     const collide::Distance& distance) const;
  [[nodiscard]] Closing calc_closing_in_bowl(const Placement& placement, int bowl, int part,
                                             double gap) const;
  [[nodiscard]] double calc_safe_time(const Closing& closing) const;
  [[nodiscard]] bool is_bowl(int part) const;

  const dynamics::Model* model_;
  RootGoal goal_;
  double allowed_;  // m   permitted overlap between the ends of a stride
  // m   radius of the part's points about its body's centre of mass, without the rounding of its
  // shape
  std::vector<double> radius_;
  std::vector<std::unique_ptr<const collide::Core>> cores_;  // by part; planes and bowls have none
  collide::NarrowPhase narrow_phase_;
  VecX y_;
  Placement start_, end_, between_;  // most pairs need only the two ends
  std::vector<Bound> bounds_;
  long num_queries_ = 0;
  long num_iterations_ = 0;
};

}  // namespace tenpin::methods::analytic
