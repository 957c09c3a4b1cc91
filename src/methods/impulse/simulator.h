// One interval of the impulse-based method: from event to event, then all bodies at the same time.
// Several of them share an interval (shared_interval.h): each runs other groups of bodies.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/union_find.h"
#include "collide/closest_features.h"
#include "collide/spatial_hash.h"
#include "contact/finder.h"
#include "contact/report.h"
#include "methods/impulse/collision_heap.h"
#include "methods/impulse/collision_matrix.h"
#include "methods/impulse/flying_bodies.h"
#include "methods/impulse/impact_rule.h"
#include "methods/impulse/joint_stops.h"
#include "methods/impulse/lift_account.h"
#include "methods/impulse/mobility.h"
#include "methods/impulse/mover.h"
#include "methods/impulse/patch_rule.h"
#include "methods/impulse/resting.h"
#include "methods/impulse/thresholds.h"
#include "methods/method.h"
#include "scene/options.h"

namespace tenpin::methods::impulse {

class Simulator {
 public:
  Simulator(const dynamics::Model& model, const scene::ImpulseOptions& options);

  // Mechanisms that may meet each other and no others, with the indices of their pairs and stops.
  struct Group {
    std::vector<int> mechanisms;
    std::vector<int> pairs;
    std::vector<int> stops;
  };
  // How far bodies whose motion is only estimated are looked ahead.
  struct Looks {
    double slice = 0.0;  // s   at most
    double reach = 1.0;  // -   safety factor on estimated motions
  };
  // Why an interval ends early.
  struct Failure {
    double t = 0.0;  // s
    int index = 0;   // of the heap's item that was examined
    AdvanceStatus status = AdvanceStatus::kReachedEnd;
    complementarity::SolveStatus solver = complementarity::SolveStatus::kSolved;
    std::string message;
    bool is_lost = false;  // a mechanism moved farther than estimated: shorter looks may help
  };

  // The stages of an interval. Which pairs and groups exist depends on the state alone.
  // 1. Loads the state and finds the pairs that may meet and the bodies that rest.
  void begin(const dynamics::State& state, double t_end, const Looks& looks);
  // 2. Joins the mechanisms of each pair.
  void join_pairs(UnionFind* mechanisms) const;
  // Appends pairs and stops to the groups; `group_of` is by mechanism.
  void list_work(std::span<const int> group_of, std::vector<Group>* groups) const;
  // Is the motion of the mechanism integrated, and bounded by estimates only?
  bool is_integrated(int mechanism) const;
  // 3. Takes the bodies of one group to the end of the interval. `patience` says when to stop.
  struct Patience {
    StepObserver* observer = nullptr;  // is asked by the thread that owns it
    std::atomic<bool>* is_stopped = nullptr;
  };
  void run_group(const Group& group, int number, std::span<const int> group_of,
                 const Patience& patience);
  // Mechanisms of different groups that came within reach of each other: no result is valid.
  const std::vector<std::pair<int, int>>& conflicts() const { return conflicts_; }
  // Parts that may have left the box of stage 1, with the box of all their ways.
  const std::vector<std::pair<int, shapes::Aabb>>& refiled() const { return refiled_; }
  bool may_touch(int part_a, int part_b) const { return finder_.may_touch(part_a, part_b); }
  // 4. Takes over what another simulator did with a group, or with all of its groups.
  void take_bodies(const Group& group, const Simulator& other);
  void take_results(const Simulator& other);
  // 5. Certifies the whole interval.
  void finish(const dynamics::State& state, StepReport* report);
  // Writes the state at the end of an interval that did not fail.
  void commit(dynamics::State* state);
  // The earliest failure; kReachedEnd if there is none.
  const Failure& failure() const { return failure_; }

  // Same as Method::model_changed().
  void model_changed();

  // Impacts of the last interval, by time.
  std::span<const contact::ContactRecord> contacts() const { return records_; }

 private:
  // Two parts that may meet before the interval ends.
  struct Pair {
    int part_a = 0;
    int part_b = 0;
    collide::FeaturePair features;
    Vec3 normal = Vec3::Zero();              // -   between them at the last look; zero: not yet
    double t = -1.0;                         // s   time of the last look
    double gap = 0.0;                        // m   at that time
    std::vector<contact::Contact> contacts;  // at that time, if within the envelope
    bool is_face = false;                    // do the contacts span a face?
  };
  struct PartState {
    double radius = 0.0;     // m   farthest point of the core from the body's centre
    std::vector<int> pairs;  // that contain it
  };

  // The target of a face impact.
  struct PatchGoal {
    bool lifts = false;
    bool is_limited = false;  // approached faster than it may leave
    double drift = 0.0;       // -     slope along which lifted bodies are thrown
  };

  // The part that a record adds to the ledger, and when.
  struct Booking {
    double t = 0.0;                                             // s
    std::array<double, contact::Ledger::kNumStages> work = {};  // J
  };

  // Stages of run_group() and finish().
  void run_events(const Group& group, const Patience& patience);
  bool may_go_on(const Patience& patience);
  void end_group(const Group& group);
  bool is_in_group(int body) const;
  void look_at_near_pairs(const Group& group);
  void look_at_mechanisms(const Group& group);
  void look_at_parts(const dynamics::Body& body);
  void note_failure(const Failure& failure);
  void sort_records();
  std::int64_t calc_most_events() const;
  void fail_events();
  void fail_impacts();
  void certify_interval(const dynamics::State& state, StepReport* report);
  void certify_flights();
  void certify_lifts(const dynamics::State& state);

  // Pairs (simulator_pairs.cpp).
  void find_pairs();
  void add_pair(int part_a, int part_b);
  bool has_pair(int part_a, int part_b) const;
  shapes::Aabb calc_swept_box(int part) const;
  void refile(int body);
  Pose part_pose(int part) const;
  void move_pair(const Pair& pair);
  // The next time to look at a pair; now_ if it collides now.
  double calc_next_time(int pair);
  void look(Pair* pair);
  double calc_separation(const Pair& pair) const;
  double calc_bound(const Pair& pair, const collide::SeparatingPlane& plane) const;
  void find_contacts(const collide::Distance& distance, Pair* pair);
  // The colliding contact of a pair that approaches fastest; null if none collides.
  const contact::Contact* find_next_contact(const Pair& pair) const;
  double calc_fall(const contact::Contact& contact) const;
  Vec3 calc_relative_fall(const contact::Contact& contact) const;
  double calc_goal(double gap) const;
  // When to look again after a time that is certainly uneventful.
  double calc_heap_time(double bound, double horizon) const;
  // Bodies may come slightly too close and are then lifted. Beyond the envelope the method has
  // failed, or the scene started so. `name` names the bodies.
  template <typename Name>
  void note_overlap(double gap, const Name& name) {
    if (!(gap < 0.0)) return;
    certificate_.penetration = std::max(certificate_.penetration, -gap);
    if (gap < -thresholds_.envelope) fail_overlap(-gap, name());
  }
  void fail_overlap(double overlap, const std::string& what);
  // Its place in the heap, after all stops.
  int heap_index(int pair) const { return stops_.size() + pair; }

  // Stops of joints (simulator_stops.cpp).
  double calc_next_stop_time(int stop);
  void hit_stop(int stop);

  // Rest (simulator_rest.cpp).
  void find_rest();
  std::vector<int> find_resting_pairs(std::vector<bool>* candidates);
  void wake_neighbours(const std::vector<int>& touching, std::vector<bool>* candidates) const;
  std::vector<contact::Contact> list_resting_contacts(const std::vector<int>& touching,
                                                      const std::vector<bool>& may_rest) const;
  void find_resting_groups(const std::vector<bool>& may_rest,
                           std::vector<contact::Contact> contacts);
  void wake(int body);
  void end_rest(const RestingGroup& group, double t);

  // Impacts (simulator_impacts.cpp).
  void collide(int pair);
  bool resolve(const contact::Contact& contact, bool is_corner);
  void resolve_patch(const std::vector<contact::Contact>& contacts);
  bool make_patch(const std::vector<contact::Contact>& contacts, PatchProblem* patch, Vec3* middle,
                  PatchGoal* goal) const;
  void update_pairs_of(int body);
  ImpactProblem make_problem(const contact::Contact& contact, bool is_corner) const;
  struct Impact {
    Vec3 v = Vec3::Zero();  // m/s   before
    Vec3 p = Vec3::Zero();  // N s
    ImpactKind kind = ImpactKind::kLaw;
    std::optional<double> friction_work;  // J   along its path, if it has one
    bool is_unique = true;                // do no other impulses give the same motion?
    double residual = 0.0;
    double cone_violation = 0.0;  // N s
  };
  void record(const contact::Contact& contact, const Impact& impact);
  void record_stop(const contact::Contact& contact, int stop, const Impact& impact);
  bool accept(const contact::Contact& contact, double residual);
  std::string tell_where(const contact::Contact& contact) const;
  void count(ImpactKind kind);
  void add_record(const contact::ContactRecord& record, double t);
  void book(contact::Ledger::Stage stage, double work) { bookings_.back().work[stage] += work; }
  void fail(AdvanceStatus status, const std::string& message);
  bool has_failed() const { return status_ != AdvanceStatus::kReachedEnd; }
  void write_ledger(StepReport* report);

  const dynamics::Model* model_;
  scene::ImpulseOptions options_;
  Thresholds thresholds_;
  double least_half_width_;        // m
  contact::ContactFinder finder_;  // decides which parts may touch
  FlyingBodies bodies_;
  Mover mover_;
  CollisionMatrix matrix_;
  JointStops stops_;
  ImpactRule rule_;
  PatchRule patch_rule_;
  PatchProblem patch_;
  std::deque<collide::TrackedShape> shapes_;  // by part
  std::vector<PartState> parts_;

  collide::FeatureTracker tracker_;
  collide::NarrowPhase narrow_phase_;
  collide::SpatialHash hash_;
  CollisionHeap heap_;
  RestFinder rest_finder_;
  // The groups at rest at the start of an interval, and the data they were found from: while these
  // are unchanged, so are the groups.
  std::vector<RestingGroup> resting_;
  std::vector<bool> rest_candidates_;
  std::vector<contact::Contact> rest_contacts_;
  std::vector<int> group_of_;  // by body: index into resting_, -1 if it does not rest
  std::deque<Pair> pairs_;     // the first num_pairs_; the others keep their buffers
  int num_pairs_ = 0;

  // The interval in progress.
  double now_ = 0.0;    // s
  double t_end_ = 0.0;  // s
  LiftAccount lifts_;
  double t_start_ = 0.0;                                // s
  double kinetic_start_ = 0.0, potential_start_ = 0.0;  // J
  Looks looks_;
  // The group in progress: its number, and the groups of all mechanisms.
  int group_ = 0;
  std::span<const int> group_numbers_;
  int heap_item_ = 0;  // that is being examined
  AdvanceStatus status_ = AdvanceStatus::kReachedEnd;
  complementarity::SolveStatus solver_ = complementarity::SolveStatus::kSolved;
  bool is_lost_ = false;  // did a mechanism move farther than estimated?
  // Of all groups that this simulator ran.
  Failure failure_;
  std::vector<std::pair<int, int>> conflicts_;
  std::vector<std::pair<int, shapes::Aabb>> refiled_;
  std::vector<std::pair<int, shapes::Aabb>> first_boxes_;  // of parts that the group refiled
  std::int64_t group_events_ = 0;
  int first_added_pair_ = 0;  // by the group
  int num_pairs_at_begin_ = 0;
  int num_pairs_added_ = 0;  // by other simulators whose results were taken
  contact::Certificate certificate_;
  contact::Ledger ledger_;
  EventCounts counts_;
  int guarded_ = 0;
  std::int64_t num_impact_records_ = 0;  // contact points of impacts, without rest
  std::vector<int> found_;
  std::vector<collide::ContactPoint> points_;
  std::vector<contact::Contact> patch_contacts_;
  std::vector<Vec3> patch_velocities_;  // m/s   before
  std::vector<contact::ContactRecord> records_;
  std::vector<Booking> bookings_;  // by record
  dynamics::State end_;
  std::vector<Pose> X_start_, X_end_;
  std::vector<dynamics::Twist> V_start_, V_end_;
};

}  // namespace tenpin::methods::impulse
