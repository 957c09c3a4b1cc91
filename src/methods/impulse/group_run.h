// Runs one group of bodies from event to event, to the end of the interval.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "contact/contact.h"
#include "methods/impulse/collision_heap.h"
#include "methods/impulse/impacts.h"
#include "methods/impulse/interval.h"
#include "methods/impulse/joint_stops.h"
#include "methods/impulse/journal.h"
#include "methods/impulse/mover.h"
#include "methods/impulse/pair_search.h"
#include "methods/impulse/resting_groups.h"

namespace tenpin::methods::impulse {

// Looks at pairs and stops ran in one interval beyond which it counts as endless.
[[nodiscard]] std::int64_t calc_most_events(const scene::ImpulseOptions& options);
[[nodiscard]] std::string tell_too_many_events(const scene::ImpulseOptions& options, double t_end);
[[nodiscard]] std::string tell_too_many_impacts(const scene::ImpulseOptions& options, double t_end);

class GroupRun {
 public:
  // What the run changes, owned by the simulator.
  struct World {
    const Interval* interval;
    const PartShapes* shapes;
    FlyingBodies* bodies;
    PairTable* pairs;
    RestingGroups* resting;
    Journal* journal;
  };
  GroupRun(const scene::ImpulseOptions& options, const World& world);

  // Before the groups of an interval.
  void begin();
  // Takes the bodies of one group to the end of the interval, or notes a failure; group_of is by
  // mechanism.
  void run(const Group& group, std::span<const int> group_of, const Patience& patience);

  // Measures a pair at the present time, to which its bodies have moved.
  void look(Pair* pair);
  void move_all_to_end() { mover_.move_all(world_.interval->t_end, world_.bodies); }
  const JointStops& stops() const { return stops_; }

 private:
  void run_events(const Group& group, const Patience& patience);
  bool may_go_on(std::int64_t events, const Patience& patience);
  void end(const Group& group, int first_added_pair);
  void look_at_near_pairs(const Group& group, int first_added_pair);
  void look_at_mechanisms(const Group& group);
  void look_at_parts(const dynamics::Body& body);
  void move_pair(const Pair& pair);
  // The next time to look at a pair or stop; now_ if it collides now.
  double calc_next_time(Pair* pair);
  double calc_next_stop_time(int stop);
  void collide(const Pair& pair);
  bool resolve_face(const std::vector<contact::Contact>& contacts);
  bool resolve(const contact::Contact& contact, bool is_corner);
  void hit_stop(int stop);
  void wake(int body);
  void update_pairs_of(int body);
  bool accept(const contact::Contact& contact, double residual);
  // Bodies may come slightly too close and are then lifted. True beyond the envelope: the method
  // has failed, or the scene started so.
  [[nodiscard]] bool note_overlap(double gap);
  void fail_overlap(double gap, const std::string& what);
  void fail(AdvanceStatus status, const std::string& message,
            complementarity::SolveStatus solver = complementarity::SolveStatus::kSolved);
  void fail_unless_followed();

  scene::ImpulseOptions options_;
  World world_;
  Mover mover_;
  JointStops stops_;
  Impacts impacts_;
  PairSearch search_;
  CollisionHeap heap_;
  FaceImpact face_;
  // The group in progress.
  std::span<const int> group_of_;
  double now_ = 0.0;  // s
  int item_ = 0;      // of the heap that is being examined: stops, then pairs
  bool has_failed_ = false;
  bool is_lost_ = false;  // did a mechanism move farther than estimated?
};

}  // namespace tenpin::methods::impulse
