#include <array>
#include <string>

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
    MethodEntry{"time-stepping", "ST00", time_stepping::make},
    MethodEntry{"analytic", "B89", analytic::make},
    MethodEntry{"impulse", "MC95", impulse::make},
    MethodEntry{"penalty", "B89", penalty::make},
};
// clang-format on

}  // namespace

std::span<const MethodEntry> all_methods() {
  return kMethods;
}

std::unique_ptr<Method> make_method(const dynamics::Model& model,
                                    const scene::MethodOptions& options, int threads) {
  std::string known;
  for (const MethodEntry& entry : kMethods) {
    if (entry.name == options.name) return entry.make(model, options, threads);
    known.append(known.empty() ? "" : ", ").append(entry.name);
  }
  TENPIN_REQUIRE(false, "no contact method '" + options.name + "'; there are: " + known);
  return nullptr;
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
