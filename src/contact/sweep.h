// The motion of bodies during a step, and the pairs that move so far that their poses at start and
// end do not show whether they met in between.
#pragma once

#include <span>
#include <vector>

#include "base/workers.h"
#include "collide/broad_phase.h"
#include "collide/time_of_impact.h"
#include "contact/finder.h"
#include "dynamics/joint_motion.h"
#include "dynamics/model.h"
#include "math/pose.h"

namespace tenpin::contact {

// A pose on a body's path after which its motion changes.
struct Kink {
  int body = 0;
  double s = 0.0;  // -   of the step, 0 ... 1
  Pose X_WB;
  Vec3 w = Vec3::Zero();  // rad/s   angular velocity from there on
};

// The motion of all bodies in one step. Holds references to its arguments.
struct Sweep {
  const std::vector<Pose>& X_begin;    // by body
  const std::vector<Pose>& X_end;      // by body, at the end of the step
  std::span<const dynamics::Twist> V;  // by body: at X_begin; tells how many turns a body made
  double h = 0.0;                      // s   of the whole step
  std::span<const double> begin = {};  // -   by body: time of X_begin; empty: 0
  std::span<const Kink> kinks = {};    // sorted by body and time; the first is the start
};

// A smooth segment of a body's path. Loose bodies move along a line and rotate about their centre
// of mass; others rotate about a fixed axis, which is exact for a hinge.
class Leg {
 public:
  // The motion from one pose to another in the interval [begin, end] of the step. `spin` (rad)
  // estimates the rotation in between to within half a turn.
  struct Ends {
    const Pose& X_first;
    const Pose& X_last;
    double begin;
    double end;
    const Vec3& spin;
  };
  Leg(const Ends& ends, bool is_loose);

  [[nodiscard]] Pose at(double s) const;
  // The motion at s, per unit of s, as the time-of-impact bound needs it.
  [[nodiscard]] collide::BallisticMotion motion(double s) const;
  // m   Upper bound of the motion per unit of s, for a point at distance `radius` from the centre
  // of mass.
  [[nodiscard]] double calc_speed(double radius) const;
  // m   Largest distance from the pivot, for points at distance `radius` from the centre of mass.
  [[nodiscard]] double calc_radius(double radius) const { return arm_.norm() + radius; }
  [[nodiscard]] double begin() const { return begin_; }
  [[nodiscard]] double end() const { return end_; }

 private:
  double begin_;              // -
  double end_;                // -
  Mat3 R_begin_;              // -
  Vec3 pivot_;                // m     at begin_
  Vec3 arm_ = Vec3::Zero();   // m     from the pivot to the centre of mass, at begin_
  Vec3 shift_;                // m     of the pivot, per unit of s
  Vec3 turn_ = Vec3::Zero();  // rad   per unit of s
};

// The pairs of parts that move past each other by more than a fraction of their thickness in a
// step. All other pairs keep their sides: the normal of their overlap at the end still points back.
// Reuses its buffers between calls; costs one test per body if nothing is fast.
class SweptPairs {
 public:
  // `finder` decides which parts may touch.
  SweptPairs(const dynamics::Model& model, const ContactFinder& finder, const Workers* workers);

  // Finds the pairs; sorted, and valid until the next call.
  std::span<const collide::Pair> find(const Sweep& sweep);

  // m   Half the overlap, along the worst direction, beyond which the parts change sides: the sum
  // of the radii of the largest balls inside them. Infinite for half spaces.
  [[nodiscard]] double calc_thickness(const collide::Pair& pair) const {
    return thickness_[pair.first] + thickness_[pair.second];
  }
  [[nodiscard]] double thickness(int part) const { return thickness_[part]; }
  // m   Farthest point of a part from its own origin. Infinite for half spaces.
  [[nodiscard]] double extent(int part) const { return extent_[part]; }
  // m   Farthest point of a part's core from the centre of mass.
  [[nodiscard]] double core_radius(int part) const { return core_radius_[part]; }
  // Writes the segments of a body's path in the order of time.
  void find_legs(const Sweep& sweep, int body, std::vector<Leg>* legs) const;

 private:
  void measure_way(const Sweep& sweep, int body);
  void add_kinks(const Sweep& sweep);
  void find_fast();
  void make_boxes(const Sweep& sweep);
  void add_pairs(const Sweep& sweep, int body_a, int body_b);
  [[nodiscard]] bool is_loose(int body) const;

  const dynamics::Model* model_;
  const ContactFinder* finder_;
  const Workers* workers_;
  collide::BroadPhase broad_phase_;
  std::vector<double> thickness_, core_radius_, extent_;  // m   by part
  std::vector<double> least_thickness_;                   // m   by body: least of its parts
  std::vector<double> bounding_radius_, turn_radius_;     // m   by body: of surfaces, and of cores
  std::vector<double> way_;    // m     by body: motion of its centre of mass in the step
  std::vector<double> turn_;   // rad   by body
  std::vector<char> is_fast_;  // by body
  std::vector<char> is_bent_;  // by body: 1 if its path is an arc, 2 if it has kinks
  std::vector<int> fast_;
  std::vector<shapes::Aabb> boxes_;  // by body: bounds of its motion in the step
  std::vector<Leg> legs_;
  std::vector<collide::Pair> pairs_;
};

}  // namespace tenpin::contact
