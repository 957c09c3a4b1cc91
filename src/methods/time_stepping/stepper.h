// One step of Stewart and Trinkle's scheme.   [ST00]
#pragma once

#include <span>
#include <string>
#include <vector>

#include "contact/certify.h"
#include "contact/energy_law.h"
#include "contact/existence.h"
#include "contact/finder.h"
#include "contact/passage.h"
#include "contact/report.h"
#include "contact/uniqueness.h"
#include "dynamics/flight.h"
#include "dynamics/kinematics.h"
#include "dynamics/mass_matrix.h"
#include "dynamics/state.h"
#include "methods/method.h"
#include "methods/time_stepping/active_set.h"
#include "methods/time_stepping/key_set.h"
#include "methods/time_stepping/sleepers.h"
#include "methods/time_stepping/step_bounds.h"
#include "methods/time_stepping/velocity_problem.h"
#include "methods/time_stepping/velocity_solver.h"
#include "scene/options.h"

namespace tenpin::methods::time_stepping {

// A step is a kick and a drift: impulses act at the configuration q^l, where the mass matrix is
// evaluated, and then the bodies move freely for h seconds. So the kinetic energy gained from each
// impulse is exactly impulse times mean velocity, and the ledger can be kept impulse by impulse.
class Stepper {
 public:
  Stepper(const dynamics::Model& model, const scene::TimeSteppingOptions& options,
          const Workers& workers);

  // Advances *state by h to time t_end, or leaves it alone and says in *report why.
  void step(double h, double t_end, OwnError own_error, dynamics::State* state, StepReport* report);

  // As Method::model_changed().
  void model_changed();

  // Of the last step.
  std::span<const contact::ContactRecord> contacts() const { return records_; }

 private:
  using Options = scene::TimeSteppingOptions;

  // The stages of a step, in their order.
  void begin(const dynamics::State& state);                        // stepper.cpp
  bool solve_contacts(StepReport* report);                         // stepper_solve.cpp
  void finish(StepReport* report);                                 // stepper.cpp
  void write_records();                                            // stepper_report.cpp
  void write_ledger(StepReport* report);                           // stepper_report.cpp
  void write_certificate(OwnError own_error, StepReport* report);  // stepper_report.cpp
  void report_beds(StepReport* report);                            // stepper_sleep.cpp
  void commit(dynamics::State* state);                             // stepper.cpp

  // Within begin() and solve_contacts(), for sleeping bodies.
  void make_beds();
  [[nodiscard]] bool hold_still();
  void rouse(const VecX& v_lin);
  void measure_rest();
  [[nodiscard]] bool is_quiet(int mechanism, const std::vector<dynamics::Twist>& V_WB) const;
  void settle(dynamics::State* state);

  // Within begin().
  void find_start(const dynamics::State& state);
  void measure_reach();
  void take_joint_forces();
  void calc_free_velocity();
  bool limit_motors(const VecX& v);
  void take_forces();

  // Within solve_contacts().
  void find_contacts(const std::vector<Pose>& X_WB, ConstVecRef q,
                     std::vector<contact::Contact>* contacts);
  void displace_articulated(const VecX& v_lin);
  void predict(const VecX& v_lin);
  void add_viscous_contacts();
  [[nodiscard]] bool takes_all() const;
  [[nodiscard]] bool takes_part(const contact::Contact& contact) const;
  void take_candidates();
  void collect_active(const VecX& v_lin);
  void fill_problem(const VecX& v_lin, int num_regular);
  void append_active(const contact::Contact& contact);
  Vec3 inherit_impulse(const contact::Contact& contact);
  double calc_required(int contact, const VecX& v_lin) const;
  double calc_friction(int contact) const;
  Vec3 calc_softness(int contact) const;
  bool is_impact(int contact, const VecX& v_lin) const;
  bool solve_problem(StepReport* report);
  void solve_islands(StepReport* report);
  bool relax();
  bool solve_impulses(const VecX& v_lin, StepReport* report);
  bool solve_phases(const VecX& v_lin, StepReport* report);
  int make_gains_plastic(const VecX& v_lin);
  void restore_law(const VecX& v_lin);
  bool give_back(const VecX& v_lin);
  void clear_checks();
  void check_answer();
  void check_contact(int i, double speed);
  [[nodiscard]] bool is_left_out(const contact::Contact& contact, std::size_t* next) const;
  void find_left_out();
  bool add_violated();
  bool solve_fixed_point(StepReport* report);
  bool solve_linear(StepReport* report);
  bool solve_formulation(StepReport* report);

  // Within finish() and write_records().
  void move();
  void fly_untouched();
  void enter_flights();
  double calc_loop_work();
  [[nodiscard]] Vec2 calc_kick_work(const dynamics::Mechanism& mechanism) const;
  void project();
  [[nodiscard]] double calc_required_without_bounce(int contact, const VecX& v_lin) const;
  void find_moved();
  void find_contacts_at_end();
  void calc_free_accelerations();
  void write_verdict(int i);
  [[nodiscard]] contact::WorkSample make_work_sample(int i, double slack) const;
  double calc_prescribed_work();
  void mark_unique_forces();
  void certify_energy(StepReport* report);
  [[nodiscard]] std::optional<Overlap> find_overlap(OwnError own_error);
  [[nodiscard]] double calc_gain(const dynamics::Mechanism& mechanism) const;
  [[nodiscard]] double calc_weight(const dynamics::Mechanism& mechanism) const;
  double calc_island_gain(int island, OwnError own_error);
  double calc_scheme_gain(OwnError own_error);
  [[nodiscard]] std::string find_worst_place() const;
  void find_overlooked();
  // The velocity formulation as printed: contacts that free flight does not violate take no part,
  // and their overlap remains; the certificate measures it but does not judge it.  [ST00, §3.3]
  [[nodiscard]] bool keeps_overlaps() const {
    return options_.formulation == Options::Formulation::kVelocity && !options_.projection;
  }
  [[nodiscard]] std::string find_greediest_place() const;
  [[nodiscard]] std::string tell_place(int i) const;
  [[nodiscard]] int find_sunk() const;
  [[nodiscard]] std::string explain_failure(const contact::Certificate& certificate,
                                            int sunk) const;
  contact::ContactRecord make_record(int i, std::size_t* next) const;
  void remember_active();
  void place_joint_record(int contact, contact::ContactRecord* record) const;

  const dynamics::Model* model_;
  Options options_;
  bool by_cone_;  // the round cone, not the polyhedral one
  contact::FrictionCone cone_;
  const Workers* workers_;
  contact::ContactFinder finder_;
  contact::PassageFinder passages_;
  contact::PassageCheck passage_check_;
  OverlapCheck overlap_check_;
  VelocitySolver solver_;
  VelocitySolver apart_solver_;  // of the projection, which has different islands
  VelocitySolver rest_solver_;   // for bodies that fall asleep, more accurate
  Sleepers sleepers_;
  contact::ExistenceTest existence_;
  contact::UniquenessTest uniqueness_;
  dynamics::Flight flight_;
  std::vector<double> radius_;  // m   bounding radius of each mobile body about its centre of mass

  // The step in progress.
  double h_ = 0.0;                // s
  double t_end_ = 0.0;            // s
  double t_ended_ = 0.0;          // s   t_end_ of the previous step
  double energy_start_ = 0.0;     // J
  double energy_end_ = 0.0;       // J
  bool is_at_end_ = false;        // is the end of the last step known: X_end_, V_end_, energy_end_?
  double kinetic_kicked_ = 0.0;   // J   after the kick, before the drift
  double projection_work_ = 0.0;  // J
  double unsettled_ = 0.0;        // m   last change of the fixed point, if it did not converge
  contact::Contact
      overlooked_;  // deepest overlap of a contact that took no part; its gap is 0 if none
  double projection_kinetic_ = 0.0;  // J   of it, the kinetic energy gained by trees
  double body_speed_ = 0.0;          // m/s of the fastest point of a body, and of one step's fall
  double speed_ = 0.0;               // m/s scale of the step's velocities, for residuals
  double t0_ = 0.0;                  // s
  VecX q0_, v0_;                     // state at the start
  VecX q_hat_;                       // coordinates where contacts are linearised
  VecX gravity_, applied_;           // impulses over the step, N s; joint forces are in applied_
  VecX joint_spring_;                // of those, the part of springs
  VecX slope_spring_, slope_;  // impulses lost per change of velocity, of springs and of all, N s
  VecX outside_;               // of those, external forces on bodies
  std::vector<int> limited_motors_;  // bodies whose motors have a limit
  std::vector<double> motor_push_;   // N m, N   by body: force of its motor at its limit, else 0
  std::vector<bool> nobody_,
      articulated_;               // by mechanism: all false; true for all that are not loose
  std::vector<bool> flies_;       // by mechanism: untouched, so it moves by its smooth forces alone
  dynamics::Flight::Work flown_;  // J   of those
  double drift_potential_ = 0.0;  // J   that trees lost in the drift
  double drift_prescribed_ = 0.0;  // J   that prescribed motion did on them in it
  VecX v_free_;                    // velocity without contact impulses
  bool has_moved_ = false;         // do q_end_ and v_end_ belong to v_kicked_?
  bool has_loops_ = false;
  bool has_viscous_ = false;  // of a surface
  bool bounces_ = false;      // a surface has restitution, and a law of restitution acts
  bool is_pushed_ = false;    // a body has external forces
  bool is_driven_ = false;    // a mechanism is attached to a prescribed motion
  bool too_fast_ = false;     // a mechanism moved too fast to be integrated
  VecX v_kicked_;             // velocity after all impulses
  VecX guess_;                // of v_kicked_, in the fixed point
  VecX q_end_, v_end_, scratch_, scratch2_, loop_rates_;
  std::vector<Pose> X_start_, X_hat_, X_end_;
  std::vector<dynamics::Twist> V_start_, V_kicked_, V_end_;
  std::vector<dynamics::Twist> V_drive_;  // of prescribed motion alone, at the end
  std::vector<dynamics::Twist> A_free_;   // accelerations without contact
  std::vector<dynamics::Wrench> wrenches_;
  VecX zero_, impulse_;
  dynamics::MassMatrix M_;                      // at q0_
  std::vector<double> reach_;                   // m   by body
  std::vector<contact::Contact> candidates_;    // at q_hat_
  std::vector<contact::Contact> end_contacts_;  // at q_end_
  std::vector<contact::Contact> limits_;        // joints at their stops
  std::vector<char> moved_;                     // by body: significantly, from X_hat_ to X_end_
  std::vector<contact::Contact> extra_;         // found only at q_end_, moved back to q_hat_
  std::vector<double> extra_required_;          // m/s
  ActiveSet active_;                            // from the previous step, or violated in this one
  KeySet in_problem_;
  VelocityProblem problem_;
  VelocityAnswer answer_;
  VelocityProblem apart_;  // of the projection
  VelocityAnswer apart_answer_;
  contact::ContactJacobian extra_jacobian_;
  std::vector<contact::ContactVector> u0_;        // m/s   at the start of the step, by contact
  std::vector<contact::ContactVector> u_kicked_;  // m/s   with the impulses
  std::vector<double> speeds_;                    // m/s   without impulses, by contact
  std::vector<double> body_speeds_;               // m/s   of each body's fastest point
  std::vector<char> is_known_;           // by contact: known to the previous step, or to the next
  std::vector<int> kept_;                // contacts of the next step; < 0: supports
  std::vector<char> is_left_out_;        // by contact at the end
  std::vector<double> rigid_residuals_;  // of the compliant impulses as rigid ones
  std::vector<contact::ContactVector> impulses_;     // N s   total of the step, by contact
  std::vector<contact::ContactVector> compression_;  // N s   of those, until maximum compression
  std::vector<contact::LawCheck> checks_;            // worst of the step, by contact
  std::vector<contact::WorkSample> works_;           // for the energy's certificate, by contact
  std::vector<contact::ForceState> forces_;          // for the test of uniqueness, by contact
  std::vector<char> is_unique_;                      // by contact
  std::vector<int> last_island_;  // by mechanism: scratch, whether it was counted
  int num_regular_ = 0;           // contacts of the problem that were found at q_hat
  std::vector<contact::ContactRecord> records_;
  std::vector<char> restless_, quiet_;  // by mechanism
  std::vector<Bed> new_beds_;
  double bed_rigid_residual_ = 0.0;  // -
};

}  // namespace tenpin::methods::time_stepping
