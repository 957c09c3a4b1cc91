// Thresholds and limits of this module, by the file that uses them: unit, value, what they decide,
// and why where that was measured or derived; the others are chosen.
#pragma once

#include <limits>

namespace tenpin::impact {

// Of double_pendulum.cpp.

// -   Of the sum whose parts cancel in a sliding velocity: less is no slip.
inline constexpr double kVelocityRounding = 4.0 * std::numeric_limits<double>::epsilon();

// Of multiple.cpp.

// Impulses of a propagated collision, before it counts as endless.
inline constexpr int kMaxPropagations = 100'000;

// Of restitution.h.

// -   Of W_nn: if v_n rises by less than this per impulse, the rise is rounding and W is singular.
inline constexpr double kSingularImpact = 1e-13;

// Of slip_field.cpp.

// -   Of the scale of the field: below it, slip is straight to twelve digits over an impact.
inline constexpr double kStraightSlip = 1e-12;

// Of slip_series.cpp.

// -   Of the field's time scale: longer steps are never needed.
inline constexpr double kLongestSeries = 8.0;
// 2^(1/4): of the radius in which a series is tried.
inline constexpr double kSeriesGrowth = 1.1892071150027210667;

// Of spatial.cpp.

// -   Of the field's scale. Some rays attract, including all outward ones; slip that turns by less
// has settled on one.
inline constexpr double kSettledSlip = 1e-14;

}  // namespace tenpin::impact
