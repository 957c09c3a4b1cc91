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

// -   An impulse or a slip below this fraction of the step's velocities is rounding, if the law was
// solved by pivoting.   [ST00, §3.1]
inline constexpr double kRoundoff = 1e-10;

// m/s   Velocities that count as zero among velocities of the size `speed`.
[[nodiscard]] inline double calc_small_speed(const StepSetup& setup, double speed) {
  return (setup.by_cone ? setup.tolerance() : kRoundoff) * speed;
}

// The result of one solve at one contact.
struct JournalEntry {
  contact::Contact contact;        // where its law was evaluated
  contact::ContactVector impulse;  // N s
  contact::ContactVector before;   // m/s   contact velocity at the start
  contact::ContactVector after;    // m/s   and at the end, by the law
  contact::LawCheck check;
  double rigid_residual = 0.0;     // -     of a compliant impulse as a rigid one
  Vec2 turn = Vec2::Zero();        // m/s   slip at the end minus the slip that friction opposes
  double mobility = 0.0;           // 1/kg  mean over all directions
  double normal_mobility = 0.0;    // 1/kg
  double speed = 0.0;              // m/s   scale of the velocities around it
  double normal_work = 0.0;        // J     of the normal impulse
  double friction_work = 0.0;      // J     of friction
  double scheme_work = 0.0;        // J     of the impulse, beyond what its contact saw
  double allowed_gain = 0.0;       // J     that the scheme may gain at the contact
  double drive_work = 0.0;         // J     that prescribed motion did through it
  double painleve = 0.0;           // 1/kg
  double free_acceleration = 0.0;  // m/s^2
  double excess_work = 0.0;        // J     of its island, if this contact did most of it
  double begin = 0.0;              // s     when, from the start of the step
  double share = 1.0;              // -     fraction of the step covered by the solve
  bool no_acceleration_solution = false;
  bool is_unique = true;  // no other impulses give the same motion
  bool is_least = true;   // where others do, is this the least?
  bool is_final = false;  // its substep is accepted
  bool is_smooth = true;  // not of an impact
};

// The end of the step, as records see it.
struct RecordPlace {
  const std::vector<Pose>& X_WB;                   // of joints
  std::span<const contact::Contact> end_contacts;  // sorted by key
  double h = 0.0;                                  // s
};

// Splits the work of an impulse between its normal part and friction along a straight path from
// `before` to `after`, on which only the sum is exact. Friction never does positive work, so any
// surplus counts as normal work.
void split_work(JournalEntry* entry);

// One record per contact, from all entries of the step, which are sorted by contact and time.
void write_records(const StepSetup& setup, std::span<const JournalEntry> entries,
                   const RecordPlace& place, std::vector<contact::ContactRecord>* records);

// The mode of a contact that pushes; slip and friction (impulse times mobility) up to `small` are
// none.   m/s
[[nodiscard]] contact::Mode classify_loaded(double slip, double friction, double small);

// The certificate of the law, over all entries.
[[nodiscard]] contact::Certificate certify_entries(const StepSetup& setup,
                                                   std::span<const JournalEntry> entries);
// The certificate of the overlaps that are left.
[[nodiscard]] contact::Certificate certify_gaps(const StepSetup& setup,
                                                std::span<const contact::Contact> end_contacts);

// Sets the energy of the ledger's end, and how far its stages are from explaining it.
void close_ledger(double kinetic, double potential, double energy_start, contact::Ledger* ledger);

// " at the contact of a and b", or " at the joint of b".
[[nodiscard]] std::string tell_place(const dynamics::Model& model, const contact::Contact& contact);
// The same of the contact that fails its law by most, and of the one that gains most energy; empty
// if there is none.
[[nodiscard]] std::string tell_worst_place(const dynamics::Model& model,
                                           std::span<const JournalEntry> entries);
[[nodiscard]] std::string tell_greediest_place(const dynamics::Model& model,
                                               std::span<const JournalEntry> entries);

// "certified residual 3e-5 at the contact of a and b is above the tolerance 1e-8".
[[nodiscard]] std::string tell_residual(double residual, const std::string& place,
                                        double tolerance);

// Other values that may make a step fail, in addition to its residual.
struct Findings {
  bool too_fast = false;  // a mechanism could not be followed
  bool is_finite = true;  // coordinates and velocities
  std::optional<contact::Passage> passage;
  std::optional<Overlap> overlap;
  dynamics::FlightResidual flight;  // of bodies that nothing touches
  std::string residual_text;        // why the certificate did not pass, if it did not
};
// Fails the report if there is a reason to, and says which. The certificate is complete.
void judge(const StepSetup& setup, const Findings& findings, std::span<const JournalEntry> entries,
           StepReport* report);

// The state by which find_unique() judges contact i: its impulse, and its velocity after it, by the
// law. Compliance determines impulses, so only rigid contacts may have others. `speed` is the scale
// of the velocities.   m/s
[[nodiscard]] contact::ForceState make_force_state(const StepSetup& setup,
                                                   const ContactProblem& problem, int i,
                                                   const contact::ContactVector& impulse,
                                                   const contact::ContactVector& u, double speed);

// Verdicts of theory on a problem. Keeps its buffers.
class Verdicts {
 public:
  // Does theory guarantee that the islands have a solution, and that Lemke's algorithm finds it?
  [[nodiscard]] contact::Existence test_existence(const StepSetup& setup,
                                                  const ContactProblem& problem,
                                                  const contact::Islands& islands);
  // By contact: do no other impulses give the same motion?
  std::span<const char> find_unique(const StepSetup& setup, const ContactProblem& problem,
                                    std::span<const contact::ForceState> forces);

 private:
  contact::ExistenceTest existence_;
  contact::UniquenessTest uniqueness_;
  std::vector<char> is_unique_;  // by contact
};

}  // namespace tenpin::methods::time_stepping
