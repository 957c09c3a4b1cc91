// When bodies that are apart touch first: conservative advancement along a step's motion.
#pragma once

#include <vector>

#include "collide/narrow_phase.h"
#include "dynamics/kinematics.h"
#include "dynamics/model.h"
#include "methods/analytic/integrator.h"
#include "methods/analytic/root.h"

namespace tenpin::methods::analytic {

struct PartPair {
  int part_a = 0;
  int part_b = 0;
  auto operator<=>(const PartPair&) const = default;
};

// Of the step whose events are sought.
struct StepView {
  const Integrator& integrator;
  double t = 0.0;  // s   its start
};

class Approach {
 public:
  Approach(const dynamics::Model& model, const scene::AnalyticOptions& options);

  // The first time, as a part of the step from 0 to `until`, at which a pair of the list touches; 2
  // if none does. No pair overlaps before by more than the event tolerance: the step is walked
  // through in strides that bounds on speeds and accelerations show to be safe, or that are too
  // short for a deeper dip.
  [[nodiscard]] double find_first(const StepView& step, const std::vector<PartPair>& pairs,
                                  double until);

  long num_queries() const { return num_queries_; }        // distances computed
  long num_iterations() const { return num_iterations_; }  // of the search for roots

  // m   of the part's points from its body's centre of mass, without the rounding of a shape
  double radius(int part) const { return radius_[part]; }

 private:
  // How a body moves within the step, at most.
  struct Bound {
    double w = 0.0;      // rad/s
    double a = 0.0;      // m/s^2   of its centre of mass
    double alpha = 0.0;  // rad/s^2
  };
  // How a gap closes, at worst.
  struct Closing {
    double gap = 0.0;           // m
    double rate = 0.0;          // m/s
    double acceleration = 0.0;  // m/s^2
  };
  // Where all bodies are at a part of the step, and how they move.
  struct Placement {
    double theta = -1.0;  // < 0: nothing is known
    std::vector<Pose> X_WB;
    std::vector<dynamics::Twist> V_WB;
  };
  void update_bounds(const StepView& step);
  const Placement& place_at(const StepView& step, double theta);
  [[nodiscard]] collide::Distance calc_distance(const PartPair& pair, const Placement& placement);
  [[nodiscard]] double find_contact(const StepView& step, const PartPair& pair, double until);
  // s   that cannot close the distance; bounds of both bodies are in place
  [[nodiscard]] double calc_stride(const PartPair& pair, const Placement& placement,
                                   const collide::Distance& distance) const;
  [[nodiscard]] double calc_stride_in_bowl(const Placement& placement, int bowl, int part,
                                           double gap) const;
  [[nodiscard]] double calc_safe_time(const Closing& closing) const;

  const dynamics::Model* model_;
  RootGoal goal_;
  double tolerance_;  // m
  std::vector<double> radius_;
  collide::NarrowPhase narrow_phase_;
  VecX y_;
  Placement start_, end_, between_;  // most pairs are looked at at both ends alone
  std::vector<Bound> bounds_;
  long num_queries_ = 0;
  long num_iterations_ = 0;
};

}  // namespace tenpin::methods::analytic
