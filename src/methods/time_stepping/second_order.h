// Second-order time stepping: drift, kick, drift, with steps divided at impacts.
// docs/second-order.md has the derivation.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/union_find.h"
#include "contact/certify.h"
#include "contact/energy_law.h"
#include "contact/existence.h"
#include "contact/finder.h"
#include "contact/passage.h"
#include "contact/report.h"
#include "contact/uniqueness.h"
#include "dynamics/flight.h"
#include "dynamics/mass_matrix.h"
#include "dynamics/state.h"
#include "methods/method.h"
#include "methods/time_stepping/active_set.h"
#include "methods/time_stepping/contact_motion.h"
#include "methods/time_stepping/sleepers.h"
#include "methods/time_stepping/step_bounds.h"
#include "methods/time_stepping/velocity_problem.h"
#include "methods/time_stepping/velocity_solver.h"
#include "scene/options.h"

namespace tenpin::methods::time_stepping {

// A smooth substep is half a drift, one kick in the middle and another half drift. Contacts that
// touch at its start are active: their impulses act along the Jacobian of the midpoint, and the
// velocity at the end satisfies the law. If a contact that was open overlaps at the end, the step
// of all bodies that contacts connect with it is divided at the time of that impact: a substep
// before, an impact of zero duration, a substep after. So every mechanism has its own substep, from
// begin_ to end_; groups of mechanisms share theirs.
class SecondOrderStepper {
 public:
  SecondOrderStepper(const dynamics::Model& model, const scene::TimeSteppingOptions& options,
                     const Workers& workers);

  // Advances *state by h to time t_end, or leaves it unchanged and says in *report why.
  void step(double h, double t_end, dynamics::State* state, StepReport* report);

  // Same as Method::model_changed().
  void model_changed();

  // Of the last step.
  std::span<const contact::ContactRecord> contacts() const { return records_; }

 private:
  using Options = scene::TimeSteppingOptions;

  // The result of one solve at one contact.
  struct Entry {
    contact::Contact contact;
    contact::ContactVector impulse;  // N s
    contact::ContactVector before;  // m/s   contact velocity before, and after according to the law
    contact::ContactVector after;
    contact::LawCheck check;
    Vec2 turn = Vec2::Zero();        // m/s   slip at the end minus the slip that friction opposes
    double mobility = 0.0;           // 1/kg
    double normal_mobility = 0.0;    // 1/kg
    double speed = 0.0;              // m/s   scale of the velocities around it
    double scheme_work = 0.0;        // J   of the impulse, beyond what its contact saw
    double allowed_gain = 0.0;       // J   that the scheme may gain at the contact
    double drive_work = 0.0;         // J   that prescribed motion did through it
    double painleve = 0.0;           // 1/kg
    double free_acceleration = 0.0;  // m/s^2
    double begin = 0.0;              // s   when, from the start of the step
    double share = 1.0;              // -   fraction of the step covered by the solve
    double excess_work = 0.0;        // J   of its island, if this contact did most of it
    bool no_acceleration_solution = false;
    bool is_unique = true;  // no other impulses give the same motion
    bool is_final = false;  // its substep is accepted
    bool is_smooth = true;  // not of an impact
  };
  // Other work on one mechanism during a substep.   J
  struct Works {
    double applied = 0.0;
    double scheme = 0.0;
    double flight = 0.0;
    double projection = 0.0;
    double prescribed = 0.0;

    Works& operator+=(const Works& more) {
      applied += more.applied;
      scheme += more.scheme;
      flight += more.flight;
      projection += more.projection;
      prescribed += more.prescribed;
      return *this;
    }
  };
  // A contact that overlaps at the end of a substep although it was not active.
  struct Violation {
    contact::Contact at_end;
    contact::Contact at_begin;
    Crossing crossing;
    int node = 0;
    bool is_slow = false;     // closes like an active contact: no division needed
    Vec3 p_a = Vec3::Zero();  // m   at_end's points, in the frames of their bodies
    Vec3 p_b = Vec3::Zero();
  };

  // A contact that is only near, in a group over the impact budget.
  struct Near {
    contact::ContactKey key;
    double required = 0.0;  // m/s   normal velocity at which it just touches at the end
    bool operator<(const Near& other) const { return key < other.key; }
  };

  // The step.   second_order.cpp
  void begin(double h, double t_end, const dynamics::State& state);
  bool advance(StepReport* report);
  void commit(dynamics::State* state);
  double calc_body_speed(int body, const std::vector<dynamics::Twist>& V_WB) const;
  void update_reach(const std::vector<dynamics::Twist>& V_WB);
  void find_contacts(const BodyMotion& motion, const VecX& q,
                     std::vector<contact::Contact>* contacts);
  void find_end_contacts_again();
  void restore_met();
  void find_known(const BodyMotion& motion, const VecX& q, std::span<const double> reach);
  contact::ContactVector calc_velocity(const contact::Contact& contact, const BodyMotion& motion,
                                       const VecX& v) const {
    return calc_contact_velocity(*model_, contact, motion, v);
  }
  bool is_loose(int node) const { return model_->mechanisms[node].is_loose; }
  int node_of(const contact::Contact& contact) const;
  void join(const contact::Contact& contact);
  void make_groups();
  // Selects the nodes of the next substep.
  template <class Predicate>
  void move_where(Predicate is_wanted) {
    moving_.clear();
    for (int node = 0; node <= driven_node_; ++node) {
      is_moving_[node] = is_wanted(node) ? 1 : 0;
      if (is_moving_[node] != 0) moving_.push_back(node);
    }
  }
  double time(int node, double part) const;
  double length(int node) const { return end_[node] - begin_[node]; }
  void place(const VecX& q, const VecX& v, double part, BodyMotion* motion);
  void begin_anew();

  // Sleeping bodies.   second_order_sleep.cpp
  bool takes_part(int node) const;
  bool rouse(std::vector<contact::Contact>* contacts);
  void hold_others();
  bool holds_by_guess();
  void make_beds(double h, double t_end, const dynamics::State& state);
  void mark_restless(bool is_done, const dynamics::State& state);
  void measure_rest();
  bool is_quiet(int mechanism) const;
  void settle(dynamics::State* state);

  // The predicted end of a substep, its velocities, and the velocities at the midpoint that lead
  // there.
  struct Ahead {
    const BodyMotion& motion;
    const VecX& v;
    const VecX& v_mid;
  };

  // A smooth substep of all moving nodes.   second_order_piece.cpp
  bool move(StepReport* report);
  void drift_freely();
  void mark_flying();
  bool go(int mechanism, const dynamics::Flight::Start& start, VecX* q, VecX* v,
          dynamics::Flight::Work* work);
  bool fly(int m, const dynamics::Flight::Start& start, double h, VecX* q, VecX* v,
           dynamics::Flight::Work* work);
  void take_forces(bool is_first);
  void apply_forces(int mechanism);
  void find_held(const BodyMotion& motion, const VecX& q);
  const contact::Contact* find_shown(const contact::Contact& held, const BodyMotion& motion) const;
  void collect_held(const Ahead& ahead);
  void set_law(int i, const Ahead& ahead);
  double calc_required(const contact::ContactKey& key) const;
  bool mark_approaching();
  void turn_slip(const VecX& v_plus);
  Vec2 calc_turn(const contact::Contact& contact, const Vec2& before, const Vec2& after,
                 double change) const;
  bool solve_piece(StepReport* report);
  void drift_on();

  // Accepted substeps.   second_order_finish.cpp
  bool finish(StepReport* report);
  bool mark_unsettled(int pass);
  bool is_unsettled(const Entry& entry, int pass) const;
  int count_passes(const contact::Contact& contact) const;
  bool refine(StepReport* report);

  // Solves.   second_order_solve.cpp
  void resize_problem();
  bool solve(StepReport* report);
  double calc_speed(const contact::Contact& contact) const;
  void measure_law_speeds();
  double calc_astray(int i) const;
  void check_law();
  void test_existence(StepReport* report);

  // Impacts.   second_order_impact.cpp
  bool find_violated();
  bool resolve_violated(StepReport* report);
  void group_violated();
  void make_clusters();
  void choose_late();
  void guard_late();
  bool meet(StepReport* report);
  void find_stops();
  void classify(Violation* violation);
  const contact::Contact* find_like(const contact::Contact& contact) const;
  void hold_hit_elsewhere();
  bool divide(StepReport* report);
  void hold_touching();
  bool collide(StepReport* report);
  void set_rebounds();
  double calc_rebound(int i) const;
  bool rebound_by_poisson(StepReport* report);
  void forget_rounding(int i);
  bool guard_energy(StepReport* report);
  bool mark_gains(StepReport* report);

  // Positions.   second_order_project.cpp
  bool project();
  double calc_place_tolerance() const;
  bool is_out_of_place(int i, double tolerance) const;
  double collect_apart(double tolerance);
  void displace_bodies(const VecX& by);
  double calc_energy_at_end(int node);

  // The report of the step.   second_order_report.cpp
  double calc_allowed_gain(int i) const;
  double calc_scheme_gain();
  double calc_gain_beyond_scale(std::span<const double> gain);
  Entry make_entry(int i, const contact::ContactVector& drive, bool is_impact) const;
  contact::ContactVector calc_drive(const contact::Contact& contact, const BodyMotion& motion,
                                    double part);
  double calc_kinetic(int mechanism, double t, const std::vector<Pose>& X_WB, const VecX& v);
  double calc_prescribed_work(int mechanism, double t, const std::vector<Pose>& X_WB,
                              const VecX& before, const VecX& after);
  void mark_unique_forces();
  [[nodiscard]] static Vec2 calc_works(const Entry& entry);
  void place_joint_record(const contact::Contact& contact, contact::ContactRecord* record) const;
  void rest_start(int i);
  void book_piece();
  void book_impact();
  void write_records();
  void write_ledger(StepReport* report);
  std::optional<contact::Passage> find_passage();
  void write_certificate(const dynamics::State& start, StepReport* report);

  const dynamics::Model* model_;
  Options options_;
  bool by_cone_;
  contact::FrictionCone cone_;
  const Workers* workers_;
  contact::ContactFinder finder_;
  contact::PassageFinder passages_;
  contact::PassageCheck passage_check_;
  OverlapCheck overlap_check_;
  VelocitySolver solver_;
  VelocitySolver apart_solver_;
  contact::ExistenceTest existence_;
  contact::UniquenessTest uniqueness_;
  Sleepers sleepers_;
  dynamics::Flight flight_;
  std::vector<double> radius_;  // m   bounding radius of each mobile body about its centre of mass
  std::vector<int> driven_;     // bodies with prescribed motion; one node for all of them
  int driven_node_ = 0;
  bool resists_ = false;    // some applied force on a loose body depends on velocity
  bool is_driven_ = false;  // is a mechanism attached to a prescribed motion?

  // The step in progress.
  double h_ = 0.0;                     // s
  double end_contacts_h_ = 0.0;        // s   of the step whose end is known; 0: none is
  double t0_ = 0.0, t1_ = 0.0;         // s   its start and end
  double energy_start_ = 0.0;          // J
  double energy_end_ = 0.0;            // J
  bool too_fast_ = false;              // a mechanism could not be followed
  double start_speed_ = 0.0;           // m/s   of the fastest point of a body when the step began
  double body_speed_ = 0.0;            // m/s   of the fastest one since, and of one step's fall
  double speed_ = 0.0;                 // m/s   scale of a solve's velocities, for residuals
  std::vector<double> kinetic_start_;  // J   by mechanism
  std::vector<double> kinetic_end_;    // J   scratch, by root
  std::vector<EnergyScale> scales_;    // scratch, by root
  std::vector<double> begin_, end_;    // s   from t0, by node: mechanisms, then what is driven
  std::vector<double> start_speeds_;   // m/s   of each body's fastest point when the step began
  std::vector<double> begun_;          // -   by body: begin_ of its node, over h_
  std::vector<contact::Kink> kinks_;   // where bodies were when their step was divided
  std::vector<int> moving_;            // nodes of the piece in work
  std::vector<char> is_moving_;
  std::vector<char> marked_;       // by root
  std::vector<char> is_hit_;       // by node: in a group with an overlap
  std::vector<char> is_moved_;     // by body: of a node with is_hit_
  std::vector<int> divisions_;     // by node: number for the groups whose root it was
  std::vector<int> cluster_size_;  // by root
  std::vector<int> impacts_;       // by root
  std::vector<char> is_waiting_;   // by node: another node of its cluster comes first
  std::vector<char> is_flying_;    // by node: a tree that nothing touches in its substep
  bool has_masses_ = false;        // M_ has been filled
  std::vector<char> is_open_;      // by node: its substep is not finished
  std::vector<char> is_finishing_, is_changed_;
  std::vector<char> is_late_;  // by node: its group is over the impact budget, of first order
  std::vector<double> stop_;   // s   by node: from its start to the first impact of its group
  std::vector<double> first_;  // s   by root of a cluster: time of its first impact
  UnionFind groups_;           // mechanisms that share their times, because contacts connect them
  UnionFind clusters_;         // groups that are close to each other
  VecX q_begin_, v_begin_, q_mid_, v_mid_, q_far_, v_far_, q_end_, v_end_;
  BodyMotion at_begin_, at_mid_, at_far_, at_end_;  // far: the predicted end, without a kick
  std::vector<dynamics::Twist> V_zero_, V_scratch_, V_before_, V_drive_;
  VecX gravity_, applied_;  // N s   over the substep
  VecX impulse_, zero_, scratch_, v_kicked_, kick_, q_scratch_;
  std::vector<dynamics::Wrench> wrenches_;
  dynamics::MassMatrix M_;
  std::vector<double> reach_, wide_reach_;  // m   by body
  ActiveSet active_;                        // impulses of the previous step
  ActiveSet tried_, tried_impacts_;         // impulses of the last substep and impact of this step
  std::vector<contact::Contact>
      held_;  // active contacts by key, where they were at the start of their substep
  std::vector<contact::Contact> found_, far_, shown_, end_contacts_;
  std::vector<collide::Pair> pairs_;
  std::vector<contact::ContactVector> u0_, u1_;  // m/s   by contact of the problem
  std::vector<contact::ContactVector> offset_;   // m/s   of the law: velocity at the end for v = 0
  std::vector<Vec2> turn_;    // m/s   slip at the end minus the slip that friction opposes
  std::vector<double> fall_;  // m/s   normal velocity gained without contact
  std::vector<double> gain_;  // J   by root
  VelocityProblem problem_, apart_;
  VelocityAnswer answer_, apart_answer_;
  std::vector<contact::ContactVector> impulses_;
  std::vector<contact::LawCheck> checks_;
  UnionFind law_groups_;            // mechanisms connected by the contacts of a problem
  std::vector<double> law_speeds_;  // m/s   by contact: scale of the velocities of its group
  std::vector<double> law_moved_, law_pushed_;  // m/s   scratch, by root: of bodies, by impulses
  std::vector<contact::WorkSample> samples_;    // of an impact, by contact
  std::vector<contact::ForceState> forces_;     // by contact of the problem
  std::vector<char> is_unique_;                 // by contact of the problem
  std::vector<contact::ContactVector> compression_;  // N s   by Poisson's law
  std::vector<contact::LawCheck> compression_checks_;
  std::vector<Violation> violated_;
  std::vector<Near> near_;  // by key
  std::vector<Entry> entries_;
  // J   by node: work of smooth forces on trees, in the two halves of the substep
  std::vector<dynamics::Flight::Work> flown_, flown_end_;
  std::vector<Works> works_;       // by node, of the current substep
  Works done_;                     // of accepted substeps
  std::vector<double> projected_;  // J   by node: of those, by projections
  std::vector<contact::ContactRecord> records_;
  bool is_bedding_ =
      false;  // support check: a step of sleeping bodies alone, to see what holds them
  bool is_roused_ = false;              // did a body wake within the step?
  std::vector<char> restless_, quiet_;  // by mechanism
  std::vector<Bed> new_beds_;
};

}  // namespace tenpin::methods::time_stepping
