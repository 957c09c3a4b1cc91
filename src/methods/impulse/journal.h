// What happened in an interval: impacts, their work, counts, and the earliest failure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "contact/contact.h"
#include "contact/report.h"
#include "methods/impulse/impact_rule.h"
#include "methods/method.h"

namespace tenpin::methods::impulse {

// Why an interval ends early.
struct Failure {
  double t = 0.0;  // s
  int index = 0;   // of the heap's item that was examined
  AdvanceStatus status = AdvanceStatus::kReachedEnd;
  complementarity::SolveStatus solver = complementarity::SolveStatus::kSolved;
  std::string message;
  bool is_lost = false;  // a mechanism moved farther than estimated: shorter looks may help
};

// The part that a record adds to the ledger, and when.
struct Booking {
  double t = 0.0;                                             // s
  std::array<double, contact::Ledger::kNumStages> work = {};  // J
};

struct Journal {
  std::vector<contact::ContactRecord> records;
  std::vector<Booking> bookings;  // by record
  contact::Certificate certificate;
  EventCounts counts;
  int guarded = 0;
  std::int64_t num_impact_records = 0;  // contact points of impacts, without rest
  Failure failure;                      // the earliest; kReachedEnd if there is none

  [[nodiscard]] bool has_failed() const { return failure.status != AdvanceStatus::kReachedEnd; }
};

// The impact of one contact point. Vectors are along its tangents and its normal.
struct PointImpact {
  Vec3 before = Vec3::Zero();  // m/s
  Vec3 after = Vec3::Zero();   // m/s
  Vec3 drive = Vec3::Zero();   // m/s   the part that prescribed motion has in them
  Vec3 p = Vec3::Zero();       // N s
  ImpactKind kind = ImpactKind::kLaw;
  std::optional<double> friction_work;  // J   along its path, if it has one
  bool is_unique = true;                // do no other impulses give the same motion?
  double residual = 0.0;
  double cone_violation = 0.0;  // N s
};

// Adds a record at time t, whose work is booked separately.
void add(const contact::ContactRecord& record, double t, Journal* journal);
// Books work of the last record.
void book(contact::Ledger::Stage stage, double work, Journal* journal);
// Adds the record of an impact at time t, with its work and its part of the certificate. Work
// beyond the law counts as rounding up to `tolerance` of impulse times speed.
void add_impact(const contact::Contact& contact, const PointImpact& impact, double t,
                double tolerance, Journal* journal);
void count(ImpactKind kind, EventCounts* counts);
// Keeps the earliest failure, because later events did not happen.
void note(const Failure& failure, Journal* journal);

// Appends what happened to other groups.
void append(const Journal& other, Journal* journal);
// Sorts records by time and pair, which does not depend on the threads that ran the groups, and
// returns the sum of all bookings in this order.
[[nodiscard]] contact::Ledger settle_records(Journal* journal);

}  // namespace tenpin::methods::impulse
