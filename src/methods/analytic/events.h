// Finds the events within one step at which a contact changes its mode.
//   mode      continues while
//   kApart    the gap is positive
//   kIdle     the gap does not accelerate inwards, or has opened
//   kPress    the normal force pushes
//   kSlide    and the slip has not stopped or, while it starts, is slow
//   kStick    and friction stays inside its cone
#pragma once

#include <vector>

#include "methods/analytic/approach.h"
#include "methods/analytic/forces.h"
#include "methods/analytic/motion.h"

namespace tenpin::methods::analytic {

class EventFinder {
 public:
  EventFinder(const dynamics::Model& model, const scene::AnalyticOptions& options);

  // The first event of the tracked contacts, as a fraction of the step; 2 if there is none. Leaves
  // the motion somewhere within the step.
  [[nodiscard]] double find_first(const StepView& step, const ForceScale& scale, Motion* motion,
                                  std::vector<Touch>* touches);

  // For each tracked contact, a fraction of the step, up to one half, by which it has reached an
  // event, if evaluating a few points shows this; 2 if not. Call after find_first().
  [[nodiscard]] std::vector<double> find_ends(const StepView& step, Motion* motion,
                                              const std::vector<Touch>& touches);

  // The same before an event that was found otherwise: a force may vanish and return between the
  // evaluated points, for example where a slip reverses.
  [[nodiscard]] double find_earlier(const StepView& step, double event, Motion* motion,
                                    const std::vector<Touch>& touches);

  long num_iterations() const { return num_iterations_; }

 private:
  // One function of one contact that must not fall below zero.
  enum class Kind { kGap, kAcceleration, kForce, kSlip, kSpeed, kCone };
  struct Watch {
    int touch;
    Kind kind;
    double offset;        // how far below zero it may be without being an event
    double aim;           // where within that the step should end, relative to the offset
    double precision;     // of that end
    double start = 0.0;   // at the start of the step
    double value = 0.0;   // at the later end
    double before = 0.0;  // at the earlier end
    double rate = 0.0, rate_before = 0.0;  // m/s   of gaps
  };
  void list_watches(const ForceScale& scale, const std::vector<Touch>& touches);
  void move_to(const StepView& step, double theta, Motion* motion);
  [[nodiscard]] double evaluate(const Watch& watch, const Motion& motion,
                                const std::vector<Touch>& touches) const;
  void sample(const Motion& motion, const std::vector<Touch>& touches);
  static void allow_start(Watch* watch);
  [[nodiscard]] static double calc_aim(const Watch& watch);
  [[nodiscard]] double locate(const StepView& step, const Watch& watch, const Bracket& between,
                              Motion* motion, const std::vector<Touch>& touches);
  [[nodiscard]] double find_between(const StepView& step, double from, double to, Motion* motion,
                                    const std::vector<Touch>& touches);
  [[nodiscard]] double find_dip(const StepView& step, const Watch& watch, double from, double to,
                                Motion* motion, const std::vector<Touch>& touches);

  const dynamics::Model* model_;
  scene::AnalyticOptions options_;
  ForceScale scale_;
  std::vector<Watch> watches_;
  VecX y_;
  long num_iterations_ = 0;
};

}  // namespace tenpin::methods::analytic
