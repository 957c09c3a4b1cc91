// Impulses at the instant of a collision.   [B89, §8]
// Without friction all contacts collide at once or one after the other, with Newton's law at each.
// With friction, ours: a single contact follows the impact laws of M11 and MC95; several at once
// satisfy complementarity with friction as in Stewart and Trinkle, over the round cone, by Newton's
// law or, for the other laws, by Poisson's.
#pragma once

#include <vector>

#include "complementarity/lemke.h"
#include "contact/islands.h"
#include "impact/law.h"
#include "methods/analytic/cone_forces.h"
#include "methods/analytic/friction_lcp.h"
#include "methods/analytic/motion.h"
#include "methods/analytic/touch.h"
#include "scene/options.h"

namespace tenpin::methods::analytic {

struct CollisionReport {
  complementarity::SolveStatus status = complementarity::SolveStatus::kSolved;
  int failed_touch = -1;
  double residual = 0.0;  // -   certified
  int largest = 0;        // rows
  int solves = 0;
  int pivots = 0;
  int rounds = 0;   // impulses of propagation
  int guarded = 0;  // impacts solved again because their law would have gained energy
};

// A closed contact. If it admits no finite force (Painlevé), it needs an impulse although it does
// not approach: it is treated as approaching, at the smallest speed that works.   [ST00, §1]
struct Closed {
  int touch = 0;
  double push = 0.0;  // -   that approach, relative to its velocity; 0: a force exists
};

class CollisionSolver {
 public:
  CollisionSolver(const dynamics::Model& model, const scene::AnalyticOptions& options);

  // The impulses along normal, t1, t2 of the closed contacts in every island with a collision, at
  // the state of the motion's last update; zero elsewhere.
  void solve(const Motion& motion, const std::vector<Touch>& touches,
             const std::vector<Closed>& closed, CollisionReport* report);
  const std::vector<Vec3>& impulses() const { return impulses_; }  // N s
  // J   Work of normal impulse and friction, by touch: along the path if a single contact follows
  // an impact law, otherwise along the straight segments of the phases.
  const std::vector<Vec2>& works() const { return works_; }

 private:
  bool solve_island(const Motion& motion, const std::vector<Touch>& touches,
                    CollisionReport* report);
  bool solve_smooth(const Motion& motion, const std::vector<Touch>& touches,
                    CollisionReport* report);
  bool solve_smooth_by_cone(const Motion& motion, const std::vector<Touch>& touches,
                            CollisionReport* report);
  bool solve_by_cone(const Motion& motion, const std::vector<Vec3>& guess, CollisionReport* report);
  bool solve_by_directions(const Motion& motion, CollisionReport* report);
  bool solve_rough(const Motion& motion, const std::vector<Touch>& touches,
                   CollisionReport* report);
  bool solve_one(const Motion& motion, const Touch& touch, int k, CollisionReport* report);
  bool propagate(const Motion& motion, const std::vector<Touch>& touches, CollisionReport* report);
  bool solve_at_once(const Motion& motion, const std::vector<Touch>& touches, bool bounces,
                     CollisionReport* report);
  bool solve_planar_impact(const Motion& motion, const Mat3& W, int k,
                           const impact::Surface& surface, CollisionReport* report);
  bool solve_spatial_impact(const Motion& motion, const Mat3& W, int k,
                            const impact::Surface& surface, CollisionReport* report);
  bool solve_phase(const Motion& motion, const std::vector<Touch>& touches, const VecX& required,
                   const std::vector<Vec3>& before, CollisionReport* report);
  void add_impulse(const Motion& motion, int k, const Vec3& impulse);
  void add_impulses(const Motion& motion, const std::vector<Vec3>& impulses);
  void add_work(int k, const Vec3& impulse, const Vec3& before, const Vec3& after);
  [[nodiscard]] scene::AnalyticOptions::Law choose_law(const Touch& touch) const;
  [[nodiscard]] impact::Surface make_surface(const Touch& touch) const;

  const dynamics::Model* model_;
  scene::AnalyticOptions options_;
  contact::Islands islands_;
  std::vector<contact::Contact> contacts_;
  std::vector<int> island_;          // touches that take part
  std::vector<Vec3> velocities_;     // m/s   of these, updated with each impulse
  std::vector<Vec3> impulses_;       // by touch
  std::vector<Vec2> works_;          // J   by touch
  std::vector<Vec3> before_;         // m/s   of the island, before a set of impulses
  std::vector<Vec3> given_;          // N s   of the island, in one phase
  std::vector<std::size_t> places_;  // in the island, of contacts that do not separate
  VecX change_;                      // m/s   of all velocities
  FrictionLcp problem_;
  complementarity::Lemke lemke_;
  ConeForces cone_;
  complementarity::LcpSolution solution_;
};

}  // namespace tenpin::methods::analytic
