// Finds the points that touch at the start of a step, and the bodies that may meet in it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "contact/finder.h"
#include "contact/track.h"
#include "dynamics/kinematics.h"
#include "methods/analytic/memory.h"
#include "methods/analytic/step_values.h"
#include "scene/options.h"

namespace tenpin::methods::analytic {

class ContactSearch {
 public:
  ContactSearch(const dynamics::Model& model, const scene::AnalyticOptions& options);

  // How far bodies may move in the step.
  struct Horizon {
    double h = 0.0;       // s
    double factor = 1.0;  // -   on the estimated ways of the bodies
  };
  // Finds all points of touching pairs, and the pairs that may touch within the step, for bodies at
  // the start with velocities v. Touches have the modes that `memory` recalls.
  void find(const StepStart& start, const VecX& v, const Horizon& horizon, const Memory& memory,
            Surroundings* around);
  // Adds points between those on which a cap rests flat, where the cap tips over the rim between
  // two of them: it would sink in at once. V_WB are the twists of the bodies. False if there is
  // none.
  bool append_sinking_rims(const StepStart& start, const std::vector<dynamics::Twist>& V_WB,
                           const Memory& memory, Surroundings* around);

  // Appends the contacts of surfaces that are at most their reach (m, by body) apart; with fixed
  // points on flat caps, and without.
  void find_points(const std::vector<Pose>& X_WB, std::span<const double> reach,
                   std::vector<contact::Contact>* contacts);
  void find_surfaces(const std::vector<Pose>& X_WB, std::span<const double> reach,
                     std::vector<contact::Contact>* contacts);

  // m   Error of the gaps that the finder measures.
  [[nodiscard]] double calc_slack(const contact::Contact& contact) const;
  // m/s   Upper bound of the speed of any point, by body.
  [[nodiscard]] std::vector<double> calc_speeds(double t, const VecX& q, const VecX& v) const;
  // Has a body moved farther than its reach by (y, t + h)?
  [[nodiscard]] bool has_left_reach(const StepStart& start, const VecX& v, double h, const VecX& y,
                                    const std::vector<double>& reach) const;

 private:
  [[nodiscard]] Touch make_touch(const contact::Contact& contact, contact::NormalOf normal_of,
                                 const std::vector<Pose>& X_WB, const Memory& memory) const;
  [[nodiscard]] contact::NormalOf find_whose_normal(double near, const std::vector<Pose>& X_WB,
                                                    std::span<contact::Contact> pair) const;
  [[nodiscard]] std::optional<contact::Contact> find_sinking_rim(
      const StepStart& start, const std::vector<dynamics::Twist>& V_WB, const Surroundings& around,
      const contact::Contact& mark);

  const dynamics::Model* model_;
  scene::AnalyticOptions options_;
  contact::ContactFinder finder_;
  std::vector<double> body_radius_;  // m   about the centre of mass, planes left out
};

// Marks the touches that are at rest along their normals, and returns the thresholds of the
// instant.
[[nodiscard]] ForceScale find_scale(const dynamics::Model& model, double event_tolerance,
                                    const Motion& motion, std::vector<Touch>* touches);

}  // namespace tenpin::methods::analytic
