// The report of a step of first order: contacts, ledger, certificate, verdicts.
#pragma once

#include <span>
#include <vector>

#include "methods/time_stepping/core/flight_check.h"
#include "methods/time_stepping/core/journal.h"
#include "methods/time_stepping/order1/kick_solver.h"

namespace tenpin::methods::time_stepping::order1 {

// Writes the report of a step. Reuses its buffers between calls.
class Reporter {
 public:
  explicit Reporter(const StepSetup& setup) : setup_(&setup) {}

  // Writes one entry and one record for each contact of the problem, in its order. A_free are the
  // accelerations of the bodies at the start, without contact.
  void write_contacts(const StepView& step, const std::vector<dynamics::Twist>& A_free,
                      std::vector<JournalEntry>* entries,
                      std::vector<contact::ContactRecord>* records);

  // Enters the excess work of islands, at the contact that gained most. Call this after
  // write_contacts().
  void mark_gains(const StepView& step, const contact::Islands& islands,
                  std::vector<JournalEntry>* entries,
                  std::vector<contact::ContactRecord>* records) const;

  // Every stage is measured independently; none is computed as the remainder of an energy
  // difference.
  [[nodiscard]] contact::Ledger calc_ledger(const StepView& step,
                                            std::span<const JournalEntry> entries);

  struct Contacts {
    const contact::Islands& islands;
    std::span<const JournalEntry> entries;
    std::span<const contact::ContactRecord> records;
    std::span<const char> asleep;  // by body; empty if none sleeps
  };
  // Completes the certificate, and marks the report as failed if there is a reason.
  void certify(const StepView& step, const Contacts& contacts, OwnError own_error,
               ContactSearch* search, StepReport* report);

  // The energy gains of the shortest parts of a step, which are accepted up to a total.
  GainBudget& budget() { return budget_; }

 private:
  [[nodiscard]] JournalEntry make_entry(const StepView& step, int i) const;
  [[nodiscard]] contact::ContactRecord make_record(const StepView& step, const JournalEntry& entry,
                                                   int i, std::size_t* next) const;
  void add_verdict(const StepView& step, const std::vector<dynamics::Twist>& A_free, int i,
                   JournalEntry* entry);
  [[nodiscard]] Vec2 calc_kick_work(const StepView& step,
                                    const dynamics::Mechanism& mechanism) const;
  [[nodiscard]] double calc_loop_work(const StepView& step);
  [[nodiscard]] double calc_prescribed_work(const StepView& step);
  [[nodiscard]] double calc_gain(const StepView& step, const dynamics::Mechanism& mechanism) const;
  [[nodiscard]] double calc_island_gain(const StepView& step, std::span<const int> contacts,
                                        int island, OwnError own_error);
  [[nodiscard]] double calc_scheme_gain(const StepView& step, const contact::Islands& islands,
                                        OwnError own_error);
  [[nodiscard]] int find_sunk(const StepView& step, std::span<const contact::ContactRecord> records,
                              const contact::PassageCheck& sizes) const;
  [[nodiscard]] std::string explain_residual(const StepView& step, const Contacts& contacts,
                                             double residual, int sunk) const;

  const StepSetup* setup_;
  Verdicts verdicts_;
  std::vector<contact::WorkSample> works_;   // by contact, of write_contacts()
  std::vector<contact::ForceState> forces_;  // scratch, by contact
  std::vector<char> is_least_;               // scratch, by contact
  // scratch, by mechanism: the last island that counted it
  std::vector<int> last_island_;
  std::vector<int> members_;  // scratch: mechanisms of one island
  GainBudget budget_;
  std::vector<dynamics::Twist> V_drive_;  // scratch, by body
  VecX f_, loop_rates_;                   // scratch
  FlightCheck flights_;
};

}  // namespace tenpin::methods::time_stepping::order1
