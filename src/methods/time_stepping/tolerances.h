// Thresholds and limits of this module, by the file that uses them: unit, value, what they decide,
// and why where that was measured or derived; the others are chosen.
#pragma once

#include <limits>

namespace tenpin::methods::time_stepping {

// Of contact_motion.cpp.

// A turn of the contact in one step, of its arm or its normal, that is still a turn: chord of half
// a radian. The mean of two arms is then 3 % too short. Larger, and jumps of a rim by a third of
// its circle pass; ten times smaller, and wheels lose the second order at 3 rad/s and 1/60 s.
inline constexpr double kMostTurnOfContact = 0.5;

// Of contact_solver.cpp.

// At most this many solves of one island with a trace of compliance.
inline constexpr int kMaxCompliantSolves = 12;
// At most this many rounds of finding the loaded contacts of an island, after it was solved with
// compliance.
inline constexpr int kMaxLoadedRounds = 8;
// At most this many refinements of the impulses that stop the loaded contacts.
inline constexpr int kMaxImpulseRefinements = 3;
// -   Smaller pivots of the loaded rows are rounding.
inline constexpr double kLoadedRank = 1e-10;
// -   Of the velocities of the island.
inline constexpr double kIslandRounding = 1e-13;
// Over all islands of loose bodies.
inline constexpr int kMaxIslandSweeps = 4000;

// Of kick_solver.cpp.

// -   Of the places of a contact and its bodies: the rounding of a gap.
inline constexpr double kPlaceRounding = 8.0 * std::numeric_limits<double>::epsilon();

// Of law.cpp.

// -   Of the smaller body's size: a renamed contact this close takes the previous impulse.
inline constexpr double kRenamedDistance = 0.02;

// Of mover.cpp.

// -   Of a body's size, with compliant contacts: a body that ends this close to its prediction
// carries its contacts along.
inline constexpr double kCarriedDistance = 1e-7;

// Of stepper.cpp.

// Rounds of removing overlaps after a step.
inline constexpr int kMaxOverlapRemovals = 5;

// Of booking.cpp.

// -   On the error of a substep. Measured: rolling over a hill takes 1.2, a rocking block 0.5.
inline constexpr double kErrorMargin = 2.0;

// Of finisher.cpp.

// -   Of the bodies' velocities: a contact that a pass changes by less is done.
inline constexpr double kSameVelocity = 1e-7;

// Of impact.cpp.

// -   Of the step's velocities.
inline constexpr double kImpulseRounding = 1e-13;
// -   Of impulse times speed: a smaller gain of energy is rounding.
inline constexpr double kImpactEnergyRounding = 1e-12;

// Of law_solver.cpp.

// m/s   Where nothing moves at all.
inline constexpr double kLeastSpeed = 1e-300;

// Of substep.cpp.

// rad   Chosen: far more than two solves leave, less than a turn.
inline constexpr double kMidpointAim = 0.01;

// Of substep_solver.cpp.

// -   Of the step's velocities: a slower approach is no impact.
inline constexpr double kSubstepRounding = 1e-9;

// Of refined_impulses.cpp.

// Rounds that refine the impulses of an island.
inline constexpr int kMostRefinements = 6;
// -   Rows whose remainder is below this depend on others. Scaled rows have entries of 1, and mass
// ratios of 1e9 leave 1e-9.
inline constexpr double kRefinedRank = 1e-13;
// -   Of the friction limit: a contact this close to it is at the edge of its cone.
inline constexpr double kConeEdge = 1e-6;

// Of resting_guess.cpp.

// -   Of the largest velocity without impulses: a guess that leaves less holds the island at rest.
inline constexpr double kGuessAtRest = 1e-11;

// Of step_bounds.cpp.

// -   Of the kinetic energy. Chosen: a step's error is not seen beside friction and impacts. Ten
// times more, and a coin on its rim gains visibly; ten times less, and every rolling coin is taken
// in many parts.
inline constexpr double kMostEnergyGain = 2e-3;

// Of time_stepping.cpp.

// -   Of a time: a step that ends just before a jump must not reach it by its length
// (time_curve.h).
inline constexpr double kTimeRounding = 4.0 * std::numeric_limits<double>::epsilon();

}  // namespace tenpin::methods::time_stepping
