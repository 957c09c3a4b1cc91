#include "contact/report.h"

#include <algorithm>

namespace tenpin::contact {

std::string_view to_string(Mode mode) {
  switch (mode) {
    case Mode::kSeparating:
      return "separating";
    case Mode::kSliding:
      return "sliding";
    case Mode::kSticking:
      return "sticking";
    case Mode::kResting:
      return "resting";
    case Mode::kTouching:
      return "touching";
  }
  return "";
}

std::string_view to_string(Ledger::Stage stage) {
  switch (stage) {
    case Ledger::kFreeFlight:
      return "free flight";
    case Ledger::kApplied:
      return "applied";
    case Ledger::kScheme:
      return "scheme";
    case Ledger::kNormal:
      return "normal";
    case Ledger::kFriction:
      return "friction";
    case Ledger::kConstraint:
      return "constraint";
    case Ledger::kProjection:
      return "projection";
    case Ledger::kPrescribed:
      return "prescribed";
    case Ledger::kNumStages:
      break;
  }
  return "";
}

Certificate& Certificate::operator+=(const Certificate& other) {
  residual = std::max(residual, other.residual);
  penetration = std::max(penetration, other.penetration);
  cone_violation = std::max(cone_violation, other.cone_violation);
  dissipation_gap = std::max(dissipation_gap, other.dissipation_gap);
  passed = passed && other.passed;
  rigid_residual = std::max(rigid_residual, other.rigid_residual);
  excess_work = std::max(excess_work, other.excess_work);
  scheme_gain = std::max(scheme_gain, other.scheme_gain);
  forces_unique = forces_unique && other.forces_unique;
  forces_least = forces_least && other.forces_least;
  return *this;
}

}  // namespace tenpin::contact
