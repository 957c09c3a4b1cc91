// Which contacts carry force at an instant, and how much: the conditions on accelerations.
//   paper   here               meaning
//   f       Motion::forces     magnitudes of the contact forces
//   A       J M^-1 J'          accelerations per force
//   -b      free_acceleration  accelerations without contact forces
//   chi''   acceleration       of the gap
// With friction, the direction of friction is known for contacts that slip; for the others,
// sticking and the start of slip are decided by the same complementarity.   [B89, §5], ours for
// friction
#pragma once

#include <span>
#include <vector>

#include "complementarity/lemke.h"
#include "contact/islands.h"
#include "methods/analytic/cone_forces.h"
#include "methods/analytic/friction_lcp.h"
#include "methods/analytic/motion.h"
#include "methods/analytic/touch.h"
#include "methods/method.h"
#include "scene/options.h"

namespace tenpin::methods::analytic {

// Thresholds below which a force or an acceleration counts as zero.
struct ForceScale {
  double acceleration = 0.0;  // m/s^2   typical at this instant
  double slip = 0.0;          // m/s     slower slip counts as none
};

inline constexpr double kNoise =
    1e-10;  // -   relative to the scale: smaller forces and accelerations count as zero

// Do the contact's points slip along each other?
[[nodiscard]] bool slips(const Motion& motion, int touch, const ForceScale& scale);
// Friction on b along t1 and t2 per unit of normal force while it slips.
[[nodiscard]] Vec2 calc_rubbing(const Motion& motion, const Touch& touch, int index);

struct ForceReport {
  complementarity::SolveStatus status = complementarity::SolveStatus::kSolved;
  int failed_touch = -1;  // first of the island without a solution
  int largest = 0;        // rows of the largest problem
  int solves = 0;
  int pivots = 0;
  ForceBranches branches;  // of `forces: lp`
};

// How far the forces of an instant are from correct, from forces and accelerations alone:
// conditions (1) to (3) of [B89, §5], and Coulomb's law. Relative to scale.acceleration. Condition
// (3) is not checked for given forces; the energy that these add is recorded.
struct ForceCheck {
  double residual = 0.0;
  double cone_violation = 0.0;  // N   friction beyond mu f_n
};
enum class Moment { kStart, kEnd };  // of a smooth segment of motion
[[nodiscard]] ForceCheck certify_forces(const Motion& motion, const std::vector<Touch>& touches,
                                        const ForceScale& scale, int touch, Moment moment);
// -   The largest violation of the law by the forces of these contacts at the start of a segment.
[[nodiscard]] double calc_worst(const ForceScale& scale, const Motion& motion,
                                const std::vector<Touch>& touches, std::span<const int> which);

class ForceSolver {
 public:
  ForceSolver(const dynamics::Model& model, const scene::AnalyticOptions& options);

  // Decides the mode of every closed contact at the state of the motion's last update, and leaves
  // the motion with the resulting forces. Existing modes are kept if they still satisfy the law. If
  // there are none, sticking without separation is tried first.
  void solve(const ForceScale& scale, Motion* motion, std::vector<Touch>* touches,
             ForceReport* report);

 private:
  static void begin_dry_joint(const Motion& motion, const ForceScale& scale, int i, Touch* touch);
  void find_islands(std::size_t num_touches);
  bool keep_grips(const ForceScale& scale, Motion* motion, std::vector<Touch>* touches);
  bool solve_island(std::span<const int> island, const ForceScale& scale, Motion* motion,
                    std::vector<Touch>* touches, ForceReport* report);
  bool may_hold(std::span<const int> island, const ForceScale& scale, const Motion& motion,
                const std::vector<Touch>& touches) const;
  void guess_that_islands_hold(const ForceScale& scale, Motion* motion,
                               std::vector<Touch>* touches);
  bool begins_to_slip(const std::vector<Touch>& touches) const;
  bool solve_by_cone(double enough, const Motion& motion, std::vector<Touch>* touches,
                     ForceReport* report);
  void choose_grips_by_cone(std::vector<Touch>* touches, const Motion& motion);
  bool solve_complementarity(ForceReport* report);
  bool solve_island_by_programs(const ForceScale& scale, const Motion& motion,
                                std::vector<Touch>* touches, ForceReport* report) const;
  void choose_grips(const ForceScale& scale, const Motion& motion, std::vector<Touch>* touches);
  bool decide(const ForceScale& scale, Motion* motion, std::vector<Touch>* touches,
              ForceReport* report);
  void settle(const ForceScale& scale, Motion* motion, std::vector<Touch>* touches);
  [[nodiscard]] std::vector<bool> find_slipping_islands(const ForceScale& scale,
                                                        const Motion& motion,
                                                        const std::vector<Touch>& touches) const;

  const dynamics::Model* model_;
  bool by_programs_;  // forces: lp
  bool is_any_large_ =
      false;  // are the islands of the last solve too redundant for Lemke's algorithm?
  bool is_second_try_ = false;  // starts from the forces that the motion has
  FrictionLcp problem_;
  ConeForces cone_forces_;
  contact::Islands islands_;
  complementarity::Lemke lemke_;
  complementarity::LcpSolution solution_;
  std::vector<contact::Contact> contacts_;
  std::vector<int> touching_;  // index of each of contacts_
  std::vector<bool> holds_;    // by island
  std::vector<double> share_;  // -   by contact: one over the number of contacts in its island
};

}  // namespace tenpin::methods::analytic
