#include "contact/painleve.h"

#include <cmath>

#include "collide/features.h"

namespace tenpin::contact {

using collide::FeatureKind;

Painleve calc_painleve(double mu, const ContactBlock& W, const ContactVector& u,
                       double free_gap_acceleration, double slow) {
  const double slip = u.segment<2>(kT1Row).norm();
  double A = W(kNormalRow, kNormalRow);
  if (slip > slow) {
    const Vec2 W_nt(W(kNormalRow, kT1Row), W(kNormalRow, kT2Row));
    A -= mu * W_nt.dot(u.segment<2>(kT1Row)) / slip;
  }
  return {
      .A = A, .b = free_gap_acceleration, .no_solution = A < 0.0 && free_gap_acceleration < 0.0};
}

FreeAcceleration calc_free_acceleration(const Contact& contact, const FreeBody& a,
                                        const FreeBody& b) {
  const auto acceleration = [](const FreeBody& body, const Vec3& r) -> Vec3 {
    return body.A.at(r) + body.V.w.cross(body.V.w.cross(r));
  };
  const Vec3 r_a = contact.p_a - contact.radius_a * contact.normal - a.X.p;
  const Vec3 r_b = contact.p_b + contact.radius_b * contact.normal - b.X.p;
  const Vec3 relative = acceleration(b, r_b) - acceleration(a, r_a);
  FreeAcceleration result{.gap = contact.normal.dot(relative), .size = relative.norm()};
  const bool is_hollow = contact.radius_a < 0.0 || contact.radius_b < 0.0;
  // The faces of a rounded box are flat.
  const bool has_face = collide::feature_kind(contact.key.feature_a) == FeatureKind::kFace ||
                        collide::feature_kind(contact.key.feature_b) == FeatureKind::kFace;
  if (is_hollow || (contact.radius_a > 0.0 && contact.radius_b > 0.0 && !has_face)) {
    const Vec3 u = b.V.at(r_b) - a.V.at(r_a);
    const double u_n = contact.normal.dot(u);
    const double bend = (u.squaredNorm() - u_n * u_n) / (contact.radius_a + contact.radius_b);
    result.gap += bend;
    result.size += std::fabs(bend);
  }
  return result;
}

}  // namespace tenpin::contact
