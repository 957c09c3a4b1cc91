#include <algorithm>
#include <array>

#include "base/check.h"
#include "methods/analytic/analytic.h"
#include "methods/impulse/impulse.h"
#include "methods/method.h"
#include "methods/penalty/penalty.h"
#include "methods/time_stepping/time_stepping.h"

namespace tenpin::methods {

namespace {

// clang-format off
constexpr std::array kMethods = {
    MethodEntry{scene::TimeSteppingOptions::kName, "ST00", time_stepping::make},
    MethodEntry{scene::AnalyticOptions::kName, "B89", analytic::make},
    MethodEntry{scene::ImpulseOptions::kName, "MC95", impulse::make},
    MethodEntry{scene::PenaltyOptions::kName, "B89", penalty::make},
};
// clang-format on

}  // namespace

std::span<const MethodEntry> all_methods() {
  return kMethods;
}

std::unique_ptr<Method> make_method(const dynamics::Model& model,
                                    const scene::MethodOptions& options, int threads) {
  const auto* entry = std::find_if(kMethods.begin(), kMethods.end(), [&](const MethodEntry& e) {
    return e.name == name_of(options);
  });
  TENPIN_DEMAND(entry != kMethods.end());
  return entry->make(model, options, threads);
}

std::string_view to_string(AdvanceStatus status) {
  switch (status) {
    case AdvanceStatus::kReachedEnd:
      return "reached the end";
    case AdvanceStatus::kSolverFailed:
      return "solver failed";
    case AdvanceStatus::kCertificateFailed:
      return "certificate failed";
    case AdvanceStatus::kNonfinite:
      return "not finite";
    case AdvanceStatus::kStopped:
      return "stopped";
  }
  return "";
}

}  // namespace tenpin::methods
