#include "impact/law.h"

#include <array>

namespace tenpin::impact {

std::string_view to_string(Law law) {
  constexpr std::array<std::string_view, 4> kNames = {"newton", "poisson", "energetic",
                                                      "energetic-ratio"};
  return kNames[static_cast<std::size_t>(law)];
}

std::optional<Law> find_law(std::string_view name) {
  for (const Law law : {Law::kNewton, Law::kPoisson, Law::kEnergetic, Law::kEnergeticRatio}) {
    if (name == to_string(law)) return law;
  }
  return std::nullopt;
}

std::string_view to_string(ImpactStatus status) {
  constexpr std::array<std::string_view, 3> kNames = {"SOLVED", "SEPARATING", "UNBOUNDED"};
  return kNames[static_cast<std::size_t>(status)];
}

}  // namespace tenpin::impact
