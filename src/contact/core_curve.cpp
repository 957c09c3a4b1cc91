#include "contact/core_curve.h"

#include <cmath>

#include "contact/tolerances.h"
#include "contact/track.h"

namespace tenpin::contact {

namespace {

Vec3 part_across(const Vec3& x, const Vec3& unit) {
  return x - unit * unit.dot(x);
}

// The vector x in the plane across n with x . d = p and x . e = q.
Vec3 solve_in_plane(const Vec3& n, const Vec3& d, const Vec3& e, double p, double q) {
  const double det = d.cross(e).dot(n);
  return (p * e.cross(n) + q * n.cross(d)) / det;
}

// Second derivatives of the distance by the positions on both curves, for points `apart` from each
// other. A curve that is a point contributes none.
Mat2 calc_hessian(const CoreCurve& first, const CoreCurve& second, const Vec3& apart) {
  Mat2 H;
  const double c = first.tangent.dot(second.tangent);
  H << 1.0 - apart.dot(first.bend), -c, -c, 1.0 + apart.dot(second.bend);
  return H;
}

Vec2 solve_two_by_two(const Mat2& H, const Vec2& x) {
  const double det = H(0, 0) * H(1, 1) - H(0, 1) * H(1, 0);
  return Vec2(H(1, 1) * x[0] - H(0, 1) * x[1], H(0, 0) * x[1] - H(1, 0) * x[0]) / det;
}

}  // namespace

void CoreCurve::move_by(double s) {
  if (axis == Vec3::Zero()) {
    p += s * tangent;
    return;
  }
  const Vec3 out = part_across(p - centre + s * tangent, axis).normalized();
  p = centre + radius * out;
  tangent = axis.cross(out);
  bend = -out / radius;
}

CoreCurve make_core_curve(const TrackedFeature& feature, const Pose& X_WB, const Vec3& near) {
  CoreCurve core{.p = X_WB * feature.p};
  if (feature.kind == TrackedFeature::Kind::kLine) {
    core.tangent = X_WB.R * feature.axis;
    core.move_by(core.tangent.dot(near - core.p));
  } else if (feature.kind == TrackedFeature::Kind::kRim) {
    core.centre = core.p;
    core.axis = X_WB.R * feature.axis;
    core.radius = feature.rim;
    core.p = near;
    core.move_by(0.0);
  }
  return core;
}

void find_closest(CoreCurve* first, CoreCurve* second) {
  for (int round = 0; round < kMaxCurveRounds; ++round) {
    const Vec3 apart = second->p - first->p;
    const Vec2 slopes(-apart.dot(first->tangent), apart.dot(second->tangent));
    const Vec2 moves = solve_two_by_two(calc_hessian(*first, *second, apart), -slopes);
    if (!moves.allFinite()) return;
    const double size = first->p.lpNorm<1>() + second->p.lpNorm<1>();
    first->move_by(moves[0]);
    second->move_by(moves[1]);
    if (moves.cwiseAbs().maxCoeff() <= kCurveRounding * size) return;
  }
}

Vec3 calc_normal(const CoreCurve& first, const CoreCurve& second, bool is_sharp,
                 const Vec3& n_old) {
  const Vec3 across = is_sharp ? Vec3(first.tangent.cross(second.tangent)) : second.p - first.p;
  const Vec3 n = across.normalized();
  return n.dot(n_old) < 0.0 ? Vec3(-n) : n;  // the cores of rounded bodies may overlap, too
}

double calc_distinctness(const CoreCurve& first, const CoreCurve& second) {
  return std::fabs(calc_hessian(first, second, second.p - first.p).determinant());
}

CoreWandering calc_wandering(const CoreCurve& first, const CoreCurve& second, const Vec3& n,
                             bool is_sharp, const CoreMotion& motion) {
  const Vec3 u = motion.v_second - motion.v_first;
  const Vec3 apart = second.p - first.p;
  const Vec3 d_turns = motion.w_first.cross(first.tangent);
  const Vec3 e_turns = motion.w_second.cross(second.tangent);
  const Vec2 slopes(-u.dot(first.tangent) - apart.dot(d_turns),
                    u.dot(second.tangent) + apart.dot(e_turns));
  const Vec2 slips = solve_two_by_two(calc_hessian(first, second, apart), -slopes);
  CoreWandering r{.n_dot = Vec3::Zero(),
                  .slip_first = slips[0] * first.tangent,
                  .slip_second = slips[1] * second.tangent};
  if (is_sharp) {
    r.n_dot =
        solve_in_plane(n, first.tangent, second.tangent, -n.dot(d_turns + slips[0] * first.bend),
                       -n.dot(e_turns + slips[1] * second.bend));
  } else {
    r.n_dot = part_across(u + r.slip_second - r.slip_first, n) / n.dot(apart);
  }
  return r;
}

}  // namespace tenpin::contact
