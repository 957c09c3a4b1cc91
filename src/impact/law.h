// The laws of an impact between two surfaces: Coulomb friction and a law of restitution.
#pragma once

#include <optional>
#include <string_view>

namespace tenpin::impact {

// When an impact ends. v_n is the normal velocity (negative when approaching), p_n the normal
// impulse, E_n the work of the normal impulse; compression lasts until v_n = 0.
enum class Law {
  kNewton,          // v_n = -e v_n(0). Can gain energy where there is friction.
  kPoisson,         // p_n = (1 + e) p_n(compression).   [MC95, §Computing collision impulses]
  kEnergetic,       // E_n = (1 - e^2) E_n(compression): Stronge's, the usual meaning of e
  kEnergeticRatio,  // E_n = (1 - e) E_n(compression): as the text says.   [M11, §2.2.3, errata]
};

// The law as text: newton, poisson, energetic, energetic-ratio.
[[nodiscard]] std::string_view to_string(Law law);
[[nodiscard]] std::optional<Law> find_law(std::string_view name);

struct Surface {
  double mu = 0.0;           // -    friction while sliding, >= 0
  double mu_static = 0.0;    // -    friction while sticking, >= mu   [M11, §3]
  double restitution = 0.0;  // -    e of `law`, 0 ... 1
  Law law = Law::kEnergetic;
};

enum class ImpactStatus {
  kSolved,      // the impact was followed to its end
  kSeparating,  // no impact: nothing approaches, no impulse needed
  kUnbounded,   // no finite impulse ends it: the contact cannot separate (singular W)
};

// The status as text: SOLVED, SEPARATING, UNBOUNDED.
[[nodiscard]] std::string_view to_string(ImpactStatus status);

// The mode of a contact along a segment of the impact.
enum class Slip { kSlide, kStick, kReverse };

// The fraction of the energy of compression that is returned.
[[nodiscard]] inline double calc_returned_share(const Surface& surface) {
  const double e = surface.restitution;
  return surface.law == Law::kEnergeticRatio ? e : e * e;
}

}  // namespace tenpin::impact
