// Advances from event to event: one call takes one integrator step, or resolves one collision.
// [B89]
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "contact/energy_law.h"
#include "contact/existence.h"
#include "contact/finder.h"
#include "contact/uniqueness.h"
#include "dynamics/flight_certificate.h"
#include "methods/analytic/approach.h"
#include "methods/analytic/collision.h"
#include "methods/analytic/events.h"
#include "methods/analytic/forces.h"
#include "methods/analytic/integrator.h"
#include "methods/analytic/memory.h"
#include "methods/analytic/motion.h"
#include "methods/analytic/row_solver.h"
#include "methods/analytic/shown_forces.h"
#include "methods/method.h"
#include "scene/options.h"

namespace tenpin::methods::analytic {

inline constexpr double kLeastStep = 1e-7;  // s   so that time advances despite rounding

// The cost of a run and the events in it.
struct Statistics {
  long steps = 0;            // of the integrator
  long rejected = 0;         // attempted steps
  long evaluations = 0;      // of the equations of motion by it
  long collisions = 0;       // instants
  long defiances = 0;        // instants without a finite force (Painlevé)
  long events = 0;           // that ended a step early
  long root_iterations = 0;  // in the search for their times
  long distances = 0;        // computed between separate bodies

  Statistics& operator+=(const Statistics& more);
};

class Simulator {
 public:
  Simulator(const dynamics::Model& model, const scene::AnalyticOptions& options);

  // Takes *state to its next event, at most to t_limit, or leaves it unchanged and says in *report
  // why; also if events come so fast that time does not advance.
  void step(double t_limit, dynamics::State* state, StepReport* report);

  // Same as Method::model_changed(). A step reads the model when it starts.
  void model_changed() { num_short_ = 0; }

  // Of the last step.
  std::span<const contact::ContactRecord> contacts() const { return records_; }
  [[nodiscard]] Statistics statistics() const;

 private:
  using Options = scene::AnalyticOptions;

  // simulator_contacts.cpp
  void find_points(std::vector<contact::Contact>* contacts);
  void find_contacts();
  [[nodiscard]] std::optional<contact::Contact> find_sinking_rim(const contact::Contact& mark);
  bool append_sinking_rims();
  [[nodiscard]] Touch make_touch(const contact::Contact& contact,
                                 contact::NormalOf normal_of) const;
  [[nodiscard]] contact::NormalOf find_whose_normal(double near,
                                                    std::span<contact::Contact> pair) const;
  [[nodiscard]] double calc_slack(const contact::Contact& contact) const;
  void set_scale();

  // simulator.cpp
  void begin(const dynamics::State& state, double t_limit);
  bool is_colliding() const;
  bool is_overlapping(StepReport* report) const;
  bool is_stalled(StepReport* report) const;
  void find_forces();
  bool solve_forces(StepReport* report);
  void test_existence();
  void remember();
  void commit(dynamics::State* state);

  // simulator_step.cpp
  void advance_piece(StepReport* report);
  [[nodiscard]] StepRange make_range(double h) const;
  bool integrate();
  void impact_without_collision(StepReport* report);
  bool has_left_reach() const;
  [[nodiscard]] double find_event();
  [[nodiscard]] double find_change(double until);
  bool has_changed(double theta);
  bool has_moved_support(std::span<const contact::Contact> now) const;
  bool integrate_until(double part);
  void finish_step(double theta);

  // simulator_divide.cpp
  struct Division;
  struct Span {
    double longest = 0.0;   // s   tried first
    double shortest = 0.0;  // s   not worthwhile below
  };
  bool divide_at_events(double first, StepReport* report);
  bool divide_at_short_steps(StepReport* report);
  bool divide(const Span& span, const std::vector<double>& ends, StepReport* report);
  [[nodiscard]] std::vector<double> find_ends();
  [[nodiscard]] std::vector<double> calc_speeds(double t, const VecX& q, const VecX& v) const;
  void set_reach(double h);
  [[nodiscard]] std::vector<std::vector<int>> make_groups(double h,
                                                          const std::vector<double>& ends);
  bool follow(const std::vector<int>& mechanisms, Division* division) const;

  // simulator_impact.cpp
  void collide(StepReport* report);
  void resolve_painleve(int touch, StepReport* report);
  [[nodiscard]] std::vector<bool> find_island(int touch) const;
  void close(double push, const std::vector<bool>& pushed);
  bool give_impulses(StepReport* report);
  void fail_without_impulses(StepReport* report) const;
  void settle();
  bool solve_settled(const ForceScale& scale);
  void list_settled();
  bool rest_rows();
  void project();
  bool close_gaps();
  bool close_velocities();
  bool rest_sticking();
  void stop_slips();
  [[nodiscard]] std::vector<int> find_ending_slips() const;
  bool stop_at_once(const std::vector<int>& ending, std::vector<Vec3>* impulses);
  void enter_rest_impulse(int touch, const Vec3& impulse);
  void enter_rest_impulses(const std::vector<Vec3>& impulses);
  void enter_row_impulses();

  // simulator_report.cpp
  void write_records(contact::Certificate* certificate);
  void write_collision_records();
  [[nodiscard]] contact::ContactRecord make_record(int touch) const;
  [[nodiscard]] contact::Mode find_mode_without_force(const contact::ContactRecord& r) const;
  void enter_impulse(int touch, int at, contact::ContactRecord* record) const;
  void add_rest_impulses();
  void mark_unique_forces(std::span<const Vec3> forces, std::span<const char> slips);
  [[nodiscard]] double calc_excess_friction_work(const contact::ContactRecord& record) const;
  void certify_energy(double energy, contact::Certificate* certificate);
  void certify_collision_energy();
  [[nodiscard]] double calc_prescribed_impact_work();
  void write_ledger(StepReport* report);
  dynamics::FlightResidual find_worst_flight();
  void write_certificate(StepReport* report);
  void fail(StepReport* report, AdvanceStatus status, const std::string& message) const;
  [[nodiscard]] std::string name_of(int touch) const;
  [[nodiscard]] double calc_energy(double t, const VecX& q, const VecX& v);

  // What took a velocity from a contact that it does not have: it rests, or the slip has ended.
  struct RestImpulse {
    contact::ContactKey key;
    Vec3 impulse = Vec3::Zero();  // N s   on b, world axes
    double normal = 0.0;          // N s   along the normal, or against a joint's stop
    double dry = 0.0;             // N s, N m s   of a joint's dry friction
  };

  const dynamics::Model* model_;
  Options options_;
  contact::ContactFinder finder_;
  contact::ExistenceTest existence_test_;
  contact::UniquenessTest uniqueness_test_;
  contact::Existence existence_;                   // of the contacts that touched last
  std::vector<contact::ContactKey> existence_of_;  // the keys of these contacts
  Motion motion_;
  ForceSolver force_solver_;
  CollisionSolver collision_solver_;
  EventFinder event_finder_;
  Approach approach_;
  std::unique_ptr<Integrator> integrator_;
  std::vector<double> body_radius_;  // m   about the centre of mass, planes left out
  bool is_driven_ = false;           // is a mechanism attached to, or part of, a prescribed motion?
  bool can_divide_ = false;          // there are many mechanisms, all loose
  Statistics statistics_;
  Statistics followed_;  // of groups that were simulated separately

  // The step in progress.
  Memory memory_;
  double t0_ = 0.0, t1_ = 0.0;  // s
  double t_limit_ = 0.0;        // s
  double h_planned_ = 0.0;      // s
  double h_next_ = 0.0;         // s
  double reach_factor_ = 1.0;   // -
  int num_short_ = 0;           // consecutive steps that were too short to make progress
  VecX v_given_;                // v0_ may change when slips stop
  VecX q0_, v0_, q1_, v1_;
  VecX y_, y_start_;
  double energy0_ = 0.0;          // J
  double potential0_ = 0.0;       // J   at the start
  double potential1_ = 0.0;       // J   before rounding is taken out
  double projection_work_ = 0.0;  // J
  double loop_error_ = 0.0;       // m, rad   after loops were closed again
  ForceScale scale_;
  ForceReport forces_report_;
  CollisionReport collision_report_;
  bool is_collision_ = false;
  bool is_divided_ = false;              // have groups been simulated separately?
  bool has_event_ = false;               // did an event end the step?
  std::vector<contact::Contact> found_;  // at the start
  std::vector<contact::Contact> found_end_;
  std::vector<Touch> touches_;
  std::vector<PartPair> apart_;  // near, not touching
  std::vector<ForceCheck> checks_;
  std::vector<Closed> closed_;
  std::vector<Vec3> impulses_;  // N s   world, by touch
  std::vector<Vec3> kicks_;     // m/s   change of the contacts' velocities by the impulses
  std::vector<Vec3> v_before_;  // m/s   of contacts, before a collision
  std::vector<RestImpulse> rest_impulses_;  // of the step
  std::vector<contact::ContactRecord> records_;
  std::vector<contact::ForceState> force_states_;  // by touch
  std::vector<char> is_unique_, slips_;            // by touch
  std::vector<int> record_touches_;                // touch of each record
  ShownForces shown_;
  std::vector<double> reach_;
  std::vector<Pose> X_;
  std::vector<dynamics::Twist> V_;

  std::vector<ContactRowValue> rows_;  // rows whose velocity or gap is set to zero
  RowSolver row_solver_;
};

}  // namespace tenpin::methods::analytic
