// Checks of impacts from their data and results alone, by code that no law shares.
#pragma once

#include <span>

#include "impact/multiple.h"
#include "impact/planar.h"
#include "impact/spatial.h"

namespace tenpin::impact {

// How far a result is from obeying mechanics and its law. Pure numbers, zero when exact.
struct ImpactCertificate {
  double momentum = 0.0;     // v = v0 + W p at every point of the path, over the largest velocity
  double energy = 0.0;       // E_n + E_f = p . (v0 + v) / 2 at every point, over the energies
  double friction = 0.0;     // impulse beyond Coulomb's cone, or along the slip, over the impulse
  double restitution = 0.0;  // the law's own equation, over its terms; approach at the end counts
  double gain = 0.0;         // energy gained, over the energies: only Newton's law may

  // False for any number that is not finite.
  bool passes(double tolerance, bool may_gain) const;
};

[[nodiscard]] ImpactCertificate certify(const PlanarContact& contact, const Surface& surface,
                                        const PlanarImpact& impact);
// `trace` is the one of the solve.
[[nodiscard]] ImpactCertificate certify(const SpatialContact& contact, const Surface& surface,
                                        const SpatialImpact& impact,
                                        std::span<const SpatialPoint> trace);
// Of either model: `restitution` is the approach that is left and, for one round of the
// simultaneous model, the residual of [B89, eq. (29)].
[[nodiscard]] ImpactCertificate certify_simultaneous(const Collision& collision,
                                                     const CollisionSolution& solution);
[[nodiscard]] ImpactCertificate certify_propagation(const Collision& collision,
                                                    const CollisionSolution& solution);

}  // namespace tenpin::impact
