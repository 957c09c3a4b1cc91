// Thresholds and limits of this module, by the file that uses them: unit, value, what they decide,
// and why where that was measured or derived; the others are chosen.
#pragma once

namespace tenpin::methods::analytic {

// Of approach.cpp.

// -   On the estimated accelerations of a body within a step.
inline constexpr double kAccelerationMargin = 2.0;
// -   Between a plane's normal and a direction of separation.
inline constexpr double kSameDirection = 1e-14;
// -   Fraction of a step: no event in it.
inline constexpr double kNoEvent = 2.0;

// Of collision.cpp.

// -   Of the energies of an impact: a smaller gain is rounding. Paths in space have errors of
// 1e-12.
inline constexpr double kImpactGain = 1e-10;
// Impulses of a propagated collision with friction.
inline constexpr int kMaxCollisionRounds = 1000;

// Of collisions.cpp.

// At most this many collisions at one instant, to which sinking points of rims are added.
inline constexpr int kMaxRimRounds = 50;
// -   Of a velocity: the first impulse tried against Painlevé's paradox, above rounding.
inline constexpr double kLeastPush = 1e-12;
// -   And the last, which still changes a velocity by only 1 %.
inline constexpr double kMostPush = 1e-2;
// -   Change of a slip by an impulse that counts as an answer to Painlevé's paradox.
inline constexpr double kChangedSlip = 0.1;

// Of contact_search.cpp.

// -   Of the radii of two bodies: the error of a finder's gap.
inline constexpr double kGapShare = 4e-9;

// Of division.cpp.

// With fewer mechanisms, following groups separately saves no time.
inline constexpr int kManyMechanisms = 16;
// At most this many attempts to divide a step, each for half the time.
inline constexpr int kMaxDivisionTries = 5;

// Of events.cpp.

// Places in a step at which conditions are evaluated.
inline constexpr int kEventSamples = 4;
// Halvings of a step in the quick look for the ends of contacts.
inline constexpr int kEventHalvings = 5;

// Of forces.cpp.

// -   Of forces whose accelerations cancel.
inline constexpr double kForceRounding = 1e-14;
// -   Of the scale of accelerations: smaller parts of a solution are zero.
inline constexpr double kZeroForce = 1e-14;
// -   Residual of the cone solver at which its forces obey the law.
inline constexpr double kExactForces = 1e-11;
// -   Residual of the cone solver below which the certificate of the step decides. Without a
// solution the residual is much larger.
inline constexpr double kNearSolution = 1e-4;

// Of grip_system.cpp.

// -   Of a row's own diagonal: smaller pivots are rounding.
inline constexpr double kRowRank = 1e-10;
// -   Of the size at the start: largest accepted error of the forces of given modes.
inline constexpr double kAcceptedError = 1e-11;
// -   Of the size at the start: no further system is solved below this error.
inline constexpr double kGoodError = 1e-13;
// At most this many corrections of these forces by a nearby system; each must halve the error.
inline constexpr int kMaxCorrections = 40;

// Of integrator.cpp.

// -   On the step length that the error allows.
inline constexpr double kStepMargin = 0.9;
// -   Of the step length, from one step to the next.
inline constexpr double kMostGrowth = 5.0;
// At most this many attempts at one step, each shorter than the one before.
inline constexpr int kMaxStepTries = 60;

// Of motion.cpp.

// m/s, rad/s   A mechanism that is slower stands.
inline constexpr double kStandingSpeed = 1e-14;
// -   Of the sum of all that cancels in an acceleration.
inline constexpr double kCancelling = 1e-14;

// Of open_forces.cpp.

// Rounds of sharing forces between redundant contacts that the present progress may still ask for.
inline constexpr double kMostSharingRounds = 100.0;
// -   Of the scale: largest violation after contacts at the edges of their cones have been let go.
inline constexpr double kLawOfShares = 1e-10;
// -   Of the scale of accelerations: smaller forces neither pull nor push.
inline constexpr double kLeastForce = 1e-13;
// -   Of the forces: smallest change for which another round is made.
inline constexpr double kLeastChange = 1e-4;
// At most this many exchanges of contacts between modes.
inline constexpr int kMaxExchanges = 30;
// -   Of the scale: no better answer to the law is sought.
inline constexpr double kLawSatisfied = 1e-12;

// Of piece_integrator.cpp.

// s   To which the time of a change of supports is found.
inline constexpr double kChangeWidth = 1e-10;

// Of reporter.cpp.

// -   Of impulse times speed.
inline constexpr double kWorkRounding = 1e-9;
// -   Of the energy of all bodies: less work is rounding.
inline constexpr double kEnergyRounding = 1e-15;

// Of root.h.

// At most this many rounds of the search for a root.
inline constexpr int kMaxRootRounds = 200;

// Of simulator.cpp.

// 1/s   Times the event tolerance this is a speed; slower slip counts as zero. The direction of an
// incipient slip turns within the time in which friction would stop it, and the integrator would
// have to resolve that time.
inline constexpr double kSlipRate = 100.0;
// In which contacts that stick come to rest and modes are decided again.
inline constexpr int kMaxRestRounds = 4;

// Of slip_directions.cpp.

// At most this many rounds of Newton's method for the directions of starting slips.
inline constexpr int kMaxTurnRounds = 10;
// -   Of the scale: accelerations across starting slips that end Newton's method.
inline constexpr double kSettledTurn = 1e-13;
// At most this many halvings of such a step.
inline constexpr int kMaxTurnHalvings = 4;
// rad   Of one slip in a step of that method.
inline constexpr double kMostTurn = 0.5;
// At most this many rounds of single turns, where Newton's method fails.
inline constexpr int kMaxSlipRounds = 500;
// Such rounds without improvement.
inline constexpr int kSlipPatience = 100;
// rad   A round that turns all slips by less ends the search.
inline constexpr double kSettledSlipDirection = 1e-12;

}  // namespace tenpin::methods::analytic
