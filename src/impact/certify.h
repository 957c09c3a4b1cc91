// Checks impacts, using their data and results alone, with code that the impact laws do not share.
#pragma once

#include <span>

#include "impact/multiple.h"
#include "impact/planar.h"
#include "impact/spatial.h"

namespace tenpin::impact {

// How far a result is from satisfying mechanics and its law. Pure numbers, zero if exact.
struct ImpactCertificate {
  double momentum =
      0.0;              // v = v0 + W p at every point of the path, relative to the largest velocity
  double energy = 0.0;  // E_n + E_f = p . (v0 + v) / 2 at every point, relative to the energies
  double friction =
      0.0;  // impulse outside Coulomb's cone, or along the slip; relative to the impulse
  double restitution =
      // the law's own equation, relative to its terms; includes remaining approach at the end
      0.0;
  double gain = 0.0;  // energy gained, relative to the energies; only Newton's law may gain

  // False if any number is not finite.
  bool passes(double tolerance, bool may_gain) const;
};

[[nodiscard]] ImpactCertificate certify(const PlanarContact& contact, const Surface& surface,
                                        const PlanarImpact& impact);
// Certifies an impact. `trace` is the trace of the solve.
[[nodiscard]] ImpactCertificate certify(const SpatialContact& contact, const Surface& surface,
                                        const SpatialImpact& impact,
                                        std::span<const SpatialPoint> trace);
// The certificates of both models: `restitution` is the remaining approach velocity and, for one
// round of the simultaneous model, the residual of [B89, eq. (29)].
[[nodiscard]] ImpactCertificate certify_simultaneous(const Collision& collision,
                                                     const CollisionSolution& solution);
[[nodiscard]] ImpactCertificate certify_propagation(const Collision& collision,
                                                    const CollisionSolution& solution);

}  // namespace tenpin::impact
