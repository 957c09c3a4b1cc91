#include "methods/impulse/interval_certificate.h"

#include <algorithm>
#include <cmath>

#include "base/rounded.h"
#include "dynamics/flight_certificate.h"

namespace tenpin::methods::impulse {

using contact::Ledger;

void close_ledger(const Interval& interval, const FlyingBodies& bodies, Ledger* ledger) {
  const FlightWork flown = calc_work(bodies);
  ledger->work[Ledger::kFreeFlight] = flown.rotation;
  ledger->work[Ledger::kApplied] += flown.applied;
  ledger->work[Ledger::kPrescribed] += flown.prescribed;
  double sum = 0.0;
  for (const double work : ledger->work) sum += work;
  ledger->closure = sum - (ledger->total() - interval.kinetic - interval.potential);
}

std::string certify_flights(const Interval& interval, const FlyingBodies& bodies,
                            const IntervalEnd& end, const Ledger& ledger, double tolerance,
                            contact::Certificate* certificate) {
  const dynamics::Model& model = *bodies.model;
  const dynamics::MotionView at_end{.X_WB = end.X_WB, .V_WB = end.V_WB};
  const dynamics::FlightResidual momentum = calc_momentum_residual(
      model, {.X_WB = interval.X_WB, .V_WB = interval.V_WB, .t = interval.t_start}, at_end,
      bodies.impulses, interval.t_end - interval.t_start);
  dynamics::EnergyBalance balance{.t_start = interval.t_start,
                                  .kinetic_start = interval.kinetic,
                                  .kinetic_end = ledger.kinetic,
                                  .potential_start = interval.potential,
                                  .potential_end = ledger.potential,
                                  .closure = ledger.closure};
  for (const double work : ledger.work) balance.moved += std::fabs(work);
  const double energy = calc_energy_residual(model, at_end, balance);
  const double rotation = calc_rotation_error(bodies);
  certificate->scheme_gain = std::max(0.0, calc_work(bodies).rotation);
  for (const double residual : {momentum.worst, energy, rotation}) {
    certificate->residual = std::max(certificate->residual, residual);
  }
  std::string what;
  if (!(momentum.worst <= tolerance)) {
    what = "the momentum of " + model.bodies[momentum.body].name + " changed by " +
           to_rounded(momentum.worst);
  } else if (!(rotation <= tolerance)) {
    what = "the energy of a free rotation changed by " + to_rounded(rotation);
  } else if (!(energy <= tolerance)) {
    what = "the energy changed by " + to_rounded(energy);
  }
  if (what.empty()) return "";
  return what + " of itself without a cause before t = " + to_rounded_time(interval.t_end) + " s";
}

std::string certify_lifts(const Interval& interval, const FlyingBodies& bodies,
                          const IntervalEnd& end, double tolerance, LiftAccount* lifts,
                          Journal* journal) {
  const dynamics::Model& model = *bodies.model;
  std::vector<double> applied;
  applied.reserve(model.mechanisms.size());
  for (const dynamics::Mechanism& m : model.mechanisms) {
    applied.push_back(calc_applied_work(bodies, m));
  }
  const LiftAccount::Excess excess =
      lifts->add(model, {.records = journal->records,
                         .V_start = interval.V_WB,
                         .V_end = end.V_WB,
                         .applied = applied,
                         .lift = interval.thresholds.fall * interval.thresholds.envelope,
                         .tolerance = tolerance});
  if (excess.body < 0) return "";
  double& excess_work = journal->certificate.excess_work;
  excess_work = std::max(excess_work, excess.gained - excess.allowed);
  return "contacts gave " + model.bodies[excess.body].name + " and the bodies that touch it " +
         to_rounded(excess.gained) + " J until t = " + to_rounded_time(interval.t_end) +
         " s, more than the " + to_rounded(excess.allowed) + " J that keep them apart";
}

}  // namespace tenpin::methods::impulse
