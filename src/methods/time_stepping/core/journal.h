// Journal of the contacts of a step: entries become records, ledger, certificate and message.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "contact/certify.h"
#include "contact/energy_law.h"
#include "contact/existence.h"
#include "contact/passage.h"
#include "contact/report.h"
#include "contact/uniqueness.h"
#include "dynamics/flight_certificate.h"
#include "methods/method.h"
#include "methods/time_stepping/core/contact_problem.h"
#include "methods/time_stepping/core/step_setup.h"

namespace tenpin::methods::time_stepping {

// -   An impulse or a slip below this fraction of the step's velocities is a rounding error if the
// law was solved by pivoting.   [ST00, §3.1]
inline constexpr double kRoundoff = 1e-10;

// m/s   Velocities up to this count as zero if the velocities around have the size `speed`.
[[nodiscard]] inline double calc_small_speed(const StepSetup& setup, double speed) {
  return (setup.by_cone ? setup.tolerance() : kRoundoff) * speed;
}

// The result of one solve at one contact.
struct JournalEntry {
  contact::Contact contact;        // where its law was evaluated
  contact::ContactVector impulse;  // N s
  contact::ContactVector before;   // m/s   contact velocity at the start
  contact::ContactVector after;    // m/s   and at the end, according to the law
  contact::LawCheck check;
  double rigid_residual = 0.0;     // -     error of a compliant impulse in the law of rigid contact
  Vec2 turn = Vec2::Zero();        // m/s   slip at the end minus the slip that friction opposes
  double mobility = 0.0;           // 1/kg  mean over all directions
  double normal_mobility = 0.0;    // 1/kg
  double speed = 0.0;              // m/s   scale of the velocities around it
  double normal_work = 0.0;        // J     of the normal impulse
  double friction_work = 0.0;      // J     of friction
  double scheme_work = 0.0;        // J     work of the impulse minus that computed at its contact
  double allowed_gain = 0.0;       // J     that the scheme may gain at the contact
  double drive_work = 0.0;         // J     that prescribed motion did through the contact
  double painleve = 0.0;           // 1/kg
  double free_acceleration = 0.0;  // m/s^2
  double excess_work = 0.0;        // J     of its island, if this contact contributed most
  double begin = 0.0;              // s     start of the solve, from the start of the step
  double share = 1.0;              // -     fraction of the step covered by the solve
  bool no_acceleration_solution = false;
  bool is_unique = true;  // true if no other impulses give the same motion
  bool is_least = true;   // true if the impulse is the least where others give the same motion
  bool is_final = false;  // true if its substep is accepted
  bool is_smooth = true;  // true if it is not part of an impact
};

// The end of the step, from which records are made.
struct RecordPlace {
  const std::vector<Pose>& X_WB;                   // of joints
  std::span<const contact::Contact> end_contacts;  // sorted by key
  double h = 0.0;                                  // s
};

// Splits the work of an impulse between its normal part and friction along a straight path from
// `before` to `after`, on which only the sum is exact. Friction never does positive work, so any
// surplus counts as normal work.
void split_work(JournalEntry* entry);

// Writes one record per contact from all entries of the step, which are sorted by contact and time.
void write_records(const StepSetup& setup, std::span<const JournalEntry> entries,
                   const RecordPlace& place, std::vector<contact::ContactRecord>* records);

// The mode of a contact with an impulse. Slip and friction (impulse times mobility) up to `small`
// (m/s) count as zero.
[[nodiscard]] contact::Mode classify_loaded(double slip, double friction, double small);

// The certificate of the law, over all entries.
[[nodiscard]] contact::Certificate certify_entries(const StepSetup& setup,
                                                   std::span<const JournalEntry> entries);
// The certificate of the overlaps that are left.
[[nodiscard]] contact::Certificate certify_gaps(const StepSetup& setup,
                                                std::span<const contact::Contact> end_contacts);

// Sets the final energy of the ledger, and its closure.
void close_ledger(double kinetic, double potential, double energy_start, contact::Ledger* ledger);

// Returns " at the contact of a and b", or " at the joint of b".
[[nodiscard]] std::string tell_place(const dynamics::Model& model, const contact::Contact& contact);
// The same for the contact with the largest residual, and for the contact with the largest energy
// gain; empty if there is none.
[[nodiscard]] std::string tell_worst_place(const dynamics::Model& model,
                                           std::span<const JournalEntry> entries);
[[nodiscard]] std::string tell_greediest_place(const dynamics::Model& model,
                                               std::span<const JournalEntry> entries);

// For example "certified residual 3e-5 at the contact of a and b is above the tolerance 1e-8".
[[nodiscard]] std::string tell_residual(double residual, const std::string& place,
                                        double tolerance);

// Other values that may make a step fail, in addition to its residual.
struct Findings {
  bool too_fast = false;  // the motion of a mechanism could not be integrated
  bool is_finite = true;  // coordinates and velocities
  std::optional<contact::Passage> passage;
  std::optional<Overlap> overlap;
  dynamics::FlightResidual flight;  // of bodies that nothing touches
  std::string residual_text;        // why the certificate did not pass; empty if it did
};
// Marks the report as failed if there is a reason, and states the reason. The certificate must be
// complete.
void judge(const StepSetup& setup, const Findings& findings, std::span<const JournalEntry> entries,
           StepReport* report);

// The state from which find_unique() judges contact i: its impulse, and its velocity after the
// impulse, according to the law. Compliance determines impulses, so only rigid contacts can have
// others. `speed` (m/s) is the scale of the velocities.
[[nodiscard]] contact::ForceState make_force_state(const StepSetup& setup,
                                                   const ContactProblem& problem, int i,
                                                   const contact::ContactVector& impulse,
                                                   const contact::ContactVector& u, double speed);

// What theory says about a problem. Reuses its buffers between calls.
class Verdicts {
 public:
  // Tests whether theory guarantees that the islands have a solution, and that Lemke's algorithm
  // finds it.
  [[nodiscard]] contact::Existence test_existence(const StepSetup& setup,
                                                  const ContactProblem& problem,
                                                  const contact::Islands& islands);
  // By contact: 1 if no other impulses give the same motion, else 0.
  std::span<const char> find_unique(const StepSetup& setup, const ContactProblem& problem,
                                    std::span<const contact::ForceState> forces);

 private:
  contact::ExistenceTest existence_;
  contact::UniquenessTest uniqueness_;
  std::vector<char> is_unique_;  // by contact
};

}  // namespace tenpin::methods::time_stepping
