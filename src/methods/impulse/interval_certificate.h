// Certifies a whole interval from the states at its two ends.
#pragma once

#include <string>
#include <vector>

#include "contact/report.h"
#include "methods/impulse/flying_bodies.h"
#include "methods/impulse/interval.h"
#include "methods/impulse/journal.h"
#include "methods/impulse/lift_account.h"

namespace tenpin::methods::impulse {

// Poses and twists at the end, by body.
struct IntervalEnd {
  std::vector<Pose> X_WB;
  std::vector<dynamics::Twist> V_WB;
};

// Adds the work of the flights to the ledger, and closes it.
void close_ledger(const Interval& interval, const FlyingBodies& bodies, contact::Ledger* ledger);

// Check momentum and energy of all flights, and the energy that lifts have given. They write their
// numbers to the certificate and return what is wrong, or "".
[[nodiscard]] std::string certify_flights(const Interval& interval, const FlyingBodies& bodies,
                                          const IntervalEnd& end, const contact::Ledger& ledger,
                                          double tolerance, contact::Certificate* certificate);
[[nodiscard]] std::string certify_lifts(const Interval& interval, const FlyingBodies& bodies,
                                        const IntervalEnd& end, double tolerance,
                                        LiftAccount* lifts, Journal* journal);

}  // namespace tenpin::methods::impulse
