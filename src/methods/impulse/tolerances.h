// Thresholds and limits of this module, by the file that uses them: unit, value, what they decide,
// and why where that was measured or derived; the others are chosen.
#pragma once

namespace tenpin::methods::impulse {

// Of group_run.cpp.

// Impacts of one pair at one instant, before other pairs are examined.
inline constexpr int kMaxImpactsOfPair = 200;

// Of impact_rule.cpp.

// -   Of the product of the diagonal of W: with a smaller determinant it has no inverse.
inline constexpr double kSingularMatrix = 1e-9;
// Bisections of the share of an impulse that stays inside the friction cone.
inline constexpr int kConeHalvings = 30;
// -   Of the energies of an impact: a smaller gain is rounding.
inline constexpr double kRuleRounding = 1e-12;

// Of patch_rule.cpp.

// -   Width over length: contacts on a narrower patch lie on a line.
inline constexpr double kSliver = 1e-3;
// Bisections of the share of the slip that friction reverses.
inline constexpr int kPatchHalvings = 12;

// Of resting.cpp.

// -   Of the tolerance: forces at rest are solved a hundred times more accurately than they are
// certified.
inline constexpr double kRestingAccuracy = 1e-2;

// Of thresholds.cpp.

// -   Of the fastest body's speed, which a fall through the least half width reaches without
// gravity.
inline constexpr double kSlowShare = 1e-3;

}  // namespace tenpin::methods::impulse
