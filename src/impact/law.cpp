#include "impact/law.h"

#include <array>

namespace tenpin::impact {

std::string_view to_string(Law law) {
  constexpr std::array<std::string_view, 4> kLawNames = {"newton", "poisson", "energetic",
                                                         "energetic-ratio"};
  return kLawNames[static_cast<std::size_t>(law)];
}

std::optional<Law> find_law(std::string_view name) {
  for (const Law law : {Law::kNewton, Law::kPoisson, Law::kEnergetic, Law::kEnergeticRatio}) {
    if (name == to_string(law)) return law;
  }
  return std::nullopt;
}

std::string_view to_string(ImpactStatus status) {
  constexpr std::array<std::string_view, 3> kStatusNames = {"SOLVED", "SEPARATING", "UNBOUNDED"};
  return kStatusNames[static_cast<std::size_t>(status)];
}

}  // namespace tenpin::impact
