// How bodies move from the start of a step to its end, and which pairs move so far that poses at
// the two ends do not tell whether they met in between.
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

// A pose that a body had on its way: it moved otherwise from there on.
struct Kink {
  int body = 0;
  double s = 0.0;  // -   of the step, 0 ... 1
  Pose X_WB;
  Vec3 w = Vec3::Zero();  // rad/s   from there on
};

// The motion of all bodies in one step. Refers to its arguments.
struct Sweep {
  const std::vector<Pose>& X_begin;    // by body
  const std::vector<Pose>& X_end;      // by body, at the end of the step
  std::span<const dynamics::Twist> V;  // by body: at X_begin; tells how often a body turned
  double h = 0.0;                      // s   of the whole step
  std::span<const double> begin = {};  // -   by body: when X_begin is; empty: 0
  std::span<const Kink> kinks = {};    // by body and time; the first is where it began
};

// A smooth part of a body's way. Loose bodies go straight and turn about their centre of mass;
// others, which hang from something, turn about a fixed axis: for a hinge that is how it is.
class Leg {
 public:
  // From one pose to another in the time [begin, end] of the step. `spin` is a guess of the
  // rotation on the way, to the half turn.   rad
  struct Ends {
    const Pose& X_first;
    const Pose& X_last;
    double begin;
    double end;
    const Vec3& spin;
  };
  Leg(const Ends& ends, bool is_loose);

  [[nodiscard]] Pose at(double s) const;
  // What the time-of-impact bound needs, per unit of s, at s.
  [[nodiscard]] collide::BallisticMotion motion(double s) const;
  // m   Most that a point moves per unit of s which is `radius` away from the centre of mass.
  [[nodiscard]] double calc_speed(double radius) const;
  // m   Radius about the pivot, of points that are `radius` away from the centre of mass.
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

// The pairs of parts that move past each other by more than a share of their thickness in a step.
// All others keep their sides: what they overlap by at the end still points back. Keeps its
// buffers; costs one look at each body where nothing is fast.
class SweptPairs {
 public:
  // `finder` says which parts may touch.
  SweptPairs(const dynamics::Model& model, const ContactFinder& finder, const Workers* workers);

  // Sorted; valid until the next call.
  std::span<const collide::Pair> find(const Sweep& sweep);

  // m   Half of what the parts would have to overlap by, along the worst direction, to change
  // sides: the radii of the largest balls in them. Infinite for half spaces.
  [[nodiscard]] double calc_thickness(const collide::Pair& pair) const {
    return thickness_[pair.first] + thickness_[pair.second];
  }
  [[nodiscard]] double thickness(int part) const { return thickness_[part]; }
  // m   Farthest point of a part from its own origin. Infinite for half spaces.
  [[nodiscard]] double extent(int part) const { return extent_[part]; }
  // m   Farthest point of a part's core from the centre of mass.
  [[nodiscard]] double core_radius(int part) const { return core_radius_[part]; }
  // Its legs, in the order of time.
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
  std::vector<double> least_thickness_;                   // m   by body, of its parts
  std::vector<double> bounding_radius_, turn_radius_;     // m   by body, of surfaces and of cores
  std::vector<double> way_;    // m     by body: of its centre of mass in the step
  std::vector<double> turn_;   // rad   by body
  std::vector<char> is_fast_;  // by body
  std::vector<char> is_bent_;  // by body: 1, its way is an arc; 2, it has kinks
  std::vector<int> fast_;
  std::vector<shapes::Aabb> boxes_;  // by body: where it is in the step
  std::vector<Leg> legs_;
  std::vector<collide::Pair> pairs_;
};

}  // namespace tenpin::contact
