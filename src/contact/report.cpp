#include "contact/report.h"

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
    case Ledger::kNumStages:
      break;
  }
  return "";
}

}  // namespace tenpin::contact
