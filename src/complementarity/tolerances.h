// Thresholds and limits of this module, by the file that uses them: unit, value, what they decide,
// and why where that was measured or derived; the others are chosen.
#pragma once

#include <cstddef>

namespace tenpin::complementarity {

// Of basis_solver.cpp.

// One refinement removes the round-off of a well-conditioned basis. Each further one gains as many
// digits as the factors hold; refinement stops when it gains none.
inline constexpr int kMaxBasisRefinements = 4;

// Of batch_law.h.

// -   Of the friction ratio of a sliding contact, in batches of contacts. One contact alone is
// solved ten times more accurately (kSlideTolerance).
inline constexpr double kBatchSlideTolerance = 1e-13;

// Of body_newton.cpp.

// The factors of a three-dimensional heap fill in far more than it has contacts, so a heap of more
// bodies is not even analysed.
inline constexpr long kFewBodies = 500;
// Walls and rows of bodies fill in less, but their cost grows faster than their size, too: with
// more bodies they are not analysed either.
inline constexpr long kManyBodies = 5000;

// Of cone_solver.cpp.

// -   At this error the interior point has identified the contact modes well enough to try
// Newton's method, whose systems are smaller and fewer from there on.
inline constexpr double kModesIdentified = 1e-3;
// From this many contacts on, linear systems dominate the cost, and making them smaller and fewer
// pays off.
inline constexpr int kManyContacts = 500;
// -   The certificate sums with more digits than the solver. This margin lets what just passes
// here pass there, too.
inline constexpr double kCertificateMargin = 0.98;

// Of interfaces.cpp.

// -   Of the size of the diagonal block: smaller pivots are rounding.
inline constexpr double kInterfaceRank = 1e-12;

// Of interior_point.cpp.

// Iterations of the interior point within which its merit must fall.
inline constexpr std::size_t kInteriorPatience = 15;
// -   First trial of a step length, before the cone shortens it.
inline constexpr double kLongestInteriorStep = 10.0;

// Of least_reactions.cpp.

// -   Missing load that changes no motion.
inline constexpr double kNegligibleLoad = 1e-12;
// At most this many steps of the search for the least reactions: more than needed unless columns
// are nearly dependent.
inline constexpr int kMaxReactionSteps = 60;

// Of local_contact.cpp.

// -   Of the friction ratio of a sliding contact.
inline constexpr double kSlideTolerance = 1e-14;
// -   Of the product of the diagonal: a smaller determinant is rounding.
inline constexpr double kSingularContact = 1e-13;

// Of newton.cpp.

// At most this many halvings of a Newton step of the cone solver.
inline constexpr int kMaxNewtonHalvings = 7;

// Of proximal_point.cpp.

// With one compliance, of the cone solver.
inline constexpr int kMaxProximalPointSteps = 40;

// Of lemke_tableau.cpp.

// Rows from which a pivot takes long enough to look at the clock after each.
inline constexpr int kLargeTableau = 100;

// Of mixed_lcp.cpp.

// -   Rows this close to dependent count as dependent: duplicated constraints differ by their
// rounding.
inline constexpr double kDependentRow = 1e-11;
// At most this many steps of Lemke's algorithm with one compliance.
inline constexpr int kMaxProximalSteps = 100;
// -   Of a row's own diagonal: tried in turn when rounding defeats Lemke's algorithm.
inline constexpr double kProximalCompliances[] = {1e-9, 1e-7, 1e-5, 1e-3};

// Of vanishing.cpp.

// -   Smaller pivots of a least-squares problem are rounding.
inline constexpr double kVanishingRank = 1e-12;

}  // namespace tenpin::complementarity
