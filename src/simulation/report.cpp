// Converts reports of methods to those of the public headers.
#include "simulation/impl.h"
// The line above must come first.
#include <algorithm>

namespace tenpin {

namespace {

Ledger to_public(const contact::Ledger& of) {
  using Stage = contact::Ledger;
  return {.kinetic = of.kinetic,
          .potential = of.potential,
          .free_flight = of.work[Stage::kFreeFlight],
          .applied = of.work[Stage::kApplied],
          .scheme = of.work[Stage::kScheme],
          .normal = of.work[Stage::kNormal],
          .friction = of.work[Stage::kFriction],
          .constraint = of.work[Stage::kConstraint],
          .projection = of.work[Stage::kProjection],
          .prescribed = of.work[Stage::kPrescribed],
          .closure = of.closure};
}

Certificate to_public(const contact::Certificate& of) {
  return {.residual = of.residual,
          .penetration = of.penetration,
          .cone_violation = of.cone_violation,
          .dissipation_gap = of.dissipation_gap,
          .excess_work = of.excess_work,
          .forces_unique = of.forces_unique,
          .passed = of.passed};
}

}  // namespace

Status to_public(methods::AdvanceStatus status) {
  switch (status) {
    case methods::AdvanceStatus::kReachedEnd:
      return Status::kDone;
    case methods::AdvanceStatus::kSolverFailed:
      return Status::kSolverFailed;
    case methods::AdvanceStatus::kCertificateFailed:
      return Status::kCertificateFailed;
    case methods::AdvanceStatus::kNonfinite:
      return Status::kNonfinite;
    case methods::AdvanceStatus::kStopped:
      return Status::kStopped;
  }
  return Status::kDone;
}

std::string_view to_string(Status status) {
  switch (status) {
    case Status::kDone:
      return "done";
    case Status::kSolverFailed:
      return "solver failed";
    case Status::kCertificateFailed:
      return "certificate failed";
    case Status::kNonfinite:
      return "not finite";
    case Status::kStopped:
      return "stopped";
  }
  return "";
}

std::string_view to_string(ContactMode mode) {
  return contact::to_string(static_cast<contact::Mode>(mode));
}

Contact to_public(const contact::ContactRecord& r, double duration) {
  return {.body_a = {r.body_a},
          .body_b = {r.body_b},
          .position = r.position,
          .normal = r.normal,
          .gap = r.gap,
          .impulse = r.impulse,
          .force = duration > 0.0 ? Vec3(r.impulse / duration) : Vec3(Vec3::Zero()),
          .normal_impulse = r.normal_impulse,
          .spin_impulse = r.spin_impulse,
          .slip = r.slip,
          .normal_velocity = r.normal_velocity,
          .mode = static_cast<ContactMode>(r.mode),
          .residual = r.residual,
          .normal_work = r.normal_work,
          .friction_work = r.friction_work,
          .force_unique = r.force_unique};
}

Reaction to_public(const simulation::JointReaction& r, double duration) {
  const double per_second = duration > 0.0 ? 1.0 / duration : 0.0;
  return {.kind = static_cast<Reaction::Kind>(r.kind),
          .index = r.index,
          .position = r.position,
          .impulse = r.impulse,
          .moment = r.moment,
          .force = per_second * r.impulse,
          .torque = per_second * r.moment,
          .drive = per_second * r.drive,
          .stop = per_second * r.stop};
}

StepReport to_public(const methods::StepReport& step, double duration) {
  return {.step = step.step,
          .time = step.t,
          .duration = duration,
          .status = to_public(step.status),
          .certificate = to_public(step.certificate),
          .ledger = to_public(step.ledger),
          .num_contacts = step.num_contacts,
          .num_asleep = step.asleep,
          .message = step.message};
}

void add_step(const methods::StepReport& step, Totals* totals) {
  const Ledger more = to_public(step.ledger);
  Ledger& sum = totals->ledger;
  sum.kinetic = more.kinetic;
  sum.potential = more.potential;
  sum.free_flight += more.free_flight;
  sum.applied += more.applied;
  sum.scheme += more.scheme;
  sum.normal += more.normal;
  sum.friction += more.friction;
  sum.constraint += more.constraint;
  sum.projection += more.projection;
  sum.prescribed += more.prescribed;
  sum.closure += more.closure;
  Certificate& worst = totals->certificate;
  const Certificate one = to_public(step.certificate);
  worst.residual = std::max(worst.residual, one.residual);
  worst.penetration = std::max(worst.penetration, one.penetration);
  worst.cone_violation = std::max(worst.cone_violation, one.cone_violation);
  worst.dissipation_gap = std::max(worst.dissipation_gap, one.dissipation_gap);
  worst.excess_work = std::max(worst.excess_work, one.excess_work);
  worst.forces_unique = worst.forces_unique && one.forces_unique;
  worst.passed = worst.passed && one.passed;
  ++totals->num_steps;
}

}  // namespace tenpin
