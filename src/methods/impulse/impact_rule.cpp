#include "methods/impulse/impact_rule.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "impact/planar.h"
#include "impact/sphere.h"
#include "methods/impulse/tolerances.h"

namespace tenpin::methods::impulse {

using impact::ImpactCertificate;
using impact::SpatialPoint;
using impact::Surface;

namespace {

double find_worst(const ImpactCertificate& c) {
  return std::max({c.momentum, c.energy, c.friction, c.restitution});
}

// The impulse that changes the velocity by dv, or nothing if W is singular.
std::optional<Vec3> calc_impulse_for(const ImpactProblem& x, const Vec3& dv) {
  const Mat3& W = x.W;
  if (x.is_ball) return Vec3(dv.cwiseQuotient(W.diagonal()));
  if (x.is_planar) {
    const double det = W(0, 0) * W(2, 2) - W(0, 2) * W(2, 0);
    if (!(det > kSingularMatrix * W(0, 0) * W(2, 2))) return std::nullopt;
    return Vec3((W(2, 2) * dv[0] - W(0, 2) * dv[2]) / det, 0.0,
                (W(0, 0) * dv[2] - W(2, 0) * dv[0]) / det);
  }
  const Vec3 c0 = W.col(1).cross(W.col(2));
  const Vec3 c1 = W.col(2).cross(W.col(0));
  const Vec3 c2 = W.col(0).cross(W.col(1));
  const double det = W.col(0).dot(c0);
  if (!(det > kSingularMatrix * W(0, 0) * W(1, 1) * W(2, 2))) return std::nullopt;
  return Vec3(Vec3(c0.dot(dv), c1.dot(dv), c2.dot(dv)) / det);
}

SpatialPoint make_point(const ImpactProblem& x, const Vec3& p, double E_n, double E_f) {
  return {.p = p, .v = x.v + x.W * p, .E_n = E_n, .E_f = E_f};
}

// Continues along a straight piece of the path, and adds its work.
SpatialPoint go_on(const ImpactProblem& x, const SpatialPoint& from, const Vec3& p) {
  const Vec3 v = x.v + x.W * p;
  const Vec3 step = p - from.p;
  const Vec3 mean = 0.5 * (from.v + v);
  return make_point(x, p, from.E_n + step.z() * mean.z(),
                    from.E_f + step.head<2>().dot(mean.head<2>()));
}

}  // namespace

double ImpactRule::calc_lift_speed(double gap, double fall) const {
  if (gap > thresholds_.floor()) return 0.0;
  return std::sqrt(2.0 * fall * (thresholds_.refuge() - std::max(gap, -thresholds_.envelope)));
}

double ImpactRule::calc_slow_limit(double gap) const {
  return std::sqrt(2.0 * thresholds_.fall * std::max(0.0, thresholds_.envelope - gap));
}

bool ImpactRule::collides(double gap, double v_n, double fall) const {
  if (gap > thresholds_.envelope) return false;
  if (v_n >= 0.0) return v_n < 0.5 * calc_lift_speed(gap, fall);
  return -v_n >= thresholds_.speed || gap <= thresholds_.floor() ||
         v_n * v_n >= 2.0 * thresholds_.fall * gap;
}

// The normal velocity reaches its goal; the slip ends and comes as close to its goal as friction
// allows. False if friction cannot even end the slip.   [MC95, §Static contact and
// microcollisions] reverses all or nothing. A contact that begins without slip could then never
// oscillate about zero slip.
bool ImpactRule::reverse(const ImpactProblem& x, const Vec3& goal, ImpactAnswer* answer) const {
  const double mu = std::max(x.surface.mu, x.surface.mu_static);
  const double v_n_after = goal.z();
  const Vec3 stopped(0.0, 0.0, v_n_after);
  const std::optional<Vec3> p_stop = calc_impulse_for(x, stopped - x.v);
  const auto beyond = [mu](const Vec3& p) {
    return p.head<2>().norm() - mu * p.z();
  };
  if (!p_stop || !(p_stop->z() > 0.0) || beyond(*p_stop) > 0.0) return false;
  const Vec3 p_more = calc_impulse_for(x, Vec3(goal.x(), goal.y(), 0.0)).value_or(Vec3::Zero());
  const auto at = [&](double share) {
    return Vec3(*p_stop + share * p_more);
  };
  double share = 1.0;
  if (beyond(at(1.0)) > 0.0 || !(at(1.0).z() > 0.0)) {
    share = 0.0;  // the cone is convex, so the part inside it is one interval
    double part = 1.0;
    for (int k = 0; k < kConeHalvings; ++k) {
      part *= 0.5;
      if (beyond(at(share + part)) <= 0.0) share += part;
    }
    if (answer->kind == ImpactKind::kMicro) answer->kind = ImpactKind::kSliding;
  }
  answer->p = at(share);
  const Vec3 wanted(share * goal.x(), share * goal.y(), v_n_after);
  // Friction that reduces the slip may still do positive work where W couples it to the normal. In
  // a lift, friction may throw the bodies against their fall.
  const bool lifts = answer->kind == ImpactKind::kLift;
  const double work = answer->p.head<2>().dot(x.v.head<2>() + wanted.head<2>());  // J, twice
  const double allowed = lifts ? mu * x.drift.norm() * v_n_after * answer->p.z() : 0.0;
  if ((share < 1.0 || lifts) && work > allowed) return false;
  const Vec3 miss = x.v + x.W * answer->p - wanted;
  answer->residual =
      miss.cwiseAbs().maxCoeff() / std::max(goal.cwiseAbs().maxCoeff(), x.v.cwiseAbs().maxCoeff());
  return true;
}

// For slow contacts that continue to slide: friction acts against the present slip until the normal
// velocity reaches its goal.
bool ImpactRule::slide(const ImpactProblem& x, double v_n_after, ImpactAnswer* answer) const {
  const double slip = x.v.head<2>().norm();
  if (!(slip > 0.0)) return false;
  const Vec2 rub = -x.surface.mu / slip * x.v.head<2>();
  const Vec3 per_impulse = x.W * Vec3(rub.x(), rub.y(), 1.0);
  if (!(per_impulse.z() > 0.0)) return false;  // friction would drive the bodies into each other
  const double p_n = (v_n_after - x.v.z()) / per_impulse.z();
  const Vec3 after = x.v + p_n * per_impulse;
  if (!(after.head<2>().dot(x.v.head<2>()) > 0.0)) return false;  // the slip would reverse
  answer->p = Vec3(rub.x() * p_n, rub.y() * p_n, p_n);
  answer->residual =
      std::fabs(after.z() - v_n_after) / std::max(v_n_after, x.v.cwiseAbs().maxCoeff());
  return true;
}

// Friction along the path to a given normal velocity. It depends only on the change of that
// velocity, so it is the friction of an impact at half that change.
void ImpactRule::rub(const ImpactProblem& x, double v_n_after, ImpactAnswer* answer) {
  ImpactProblem shifted = x;
  shifted.v.z() = -0.5 * (v_n_after - x.v.z());
  Surface surface = x.surface;
  surface.law = impact::Law::kNewton;
  surface.restitution = 1.0;
  follow_path(shifted, surface, answer);
}

// Solves the impact of a ball in closed form. The path, whose corners are known, is then certified
// like every other.
void ImpactRule::solve_ball(const ImpactProblem& x, const Surface& surface, ImpactAnswer* answer) {
  const impact::SphereContact ball{.W_nn = x.W(2, 2), .W_tt = x.W(0, 0), .v = x.v};
  const Vec3 p = solve_sphere(ball, surface.mu, surface.restitution);
  const double slip = x.v.head<2>().norm();
  const Vec2 rubbing = slip > 0.0 ? Vec2(-surface.mu / slip * x.v.head<2>()) : Vec2(Vec2::Zero());
  // Slip ends where the sliding friction equals the whole tangential impulse.
  const double p_slip_end = slip > 0.0 ? p.head<2>().norm() / surface.mu : 0.0;
  const double p_compression = -x.v.z() / x.W(2, 2);
  const auto at = [&](double p_n) {
    const double rubbed = std::min(p_n, p_slip_end);
    return Vec3(rubbing.x() * rubbed, rubbing.y() * rubbed, p_n);
  };
  const bool has_rubbed = surface.mu > 0.0 && slip > 0.0;
  impact::SpatialImpact result;
  result.start = {.v = x.v};
  trace_.assign(1, result.start);
  const double first = has_rubbed ? std::min(p_slip_end, p_compression) : p_compression;
  const double second = has_rubbed ? std::max(p_slip_end, p_compression) : p_compression;
  for (const double p_n : {first, second}) {
    if (p_n <= trace_.back().p.z() || p_n >= p.z()) continue;
    trace_.push_back(go_on(x, trace_.back(), has_rubbed ? at(p_n) : Vec3(0.0, 0.0, p_n)));
    if (p_n == p_compression) result.compression = trace_.back();
  }
  trace_.push_back(go_on(x, trace_.back(), p));
  if (p_compression >= p.z()) result.compression = trace_.back();
  result.end = trace_.back();
  const impact::SpatialContact contact{.W = x.W, .v = x.v};
  answer->p = p;
  answer->friction_work = result.end.E_f;
  const ImpactCertificate certificate = certify(contact, surface, result, trace_);
  answer->residual = find_worst(certificate);
  answer->gain = certificate.gain;
}

void ImpactRule::solve_in_plane(const ImpactProblem& x, const Surface& surface,
                                ImpactAnswer* answer) {
  const impact::PlanarContact contact{
      .W_tt = x.W(0, 0), .W_tn = x.W(0, 2), .W_nn = x.W(2, 2), .v_t = x.v.x(), .v_n = x.v.z()};
  const impact::PlanarImpact result = solve_planar(contact, surface);
  answer->status = result.status;
  answer->p = Vec3(result.end().p_t, 0.0, result.end().p_n);
  answer->friction_work = result.end().E_f;
  const ImpactCertificate certificate = certify(contact, surface, result);
  answer->residual = find_worst(certificate);
  answer->gain = certificate.gain;
}

void ImpactRule::solve_in_space(const ImpactProblem& x, const Surface& surface,
                                ImpactAnswer* answer) {
  const impact::SpatialContact contact{.W = x.W, .v = x.v};
  trace_.clear();
  const impact::SpatialImpact result =
      solve_spatial(contact, surface, &trace_, impact::TraceDetail::kEnds);
  answer->status = result.status;
  answer->p = result.end.p;
  answer->friction_work = result.end.E_f;
  const ImpactCertificate certificate = certify(contact, surface, result, trace_);
  answer->residual = find_worst(certificate);
  answer->gain = certificate.gain;
}

// Follows the law alone: Newton's law may gain energy where friction reverses the slip.
void ImpactRule::follow_path(const ImpactProblem& x, const Surface& surface, ImpactAnswer* answer) {
  if (x.is_ball) {
    solve_ball(x, surface, answer);
  } else if (x.is_planar) {
    solve_in_plane(x, surface, answer);
  } else {
    solve_in_space(x, surface, answer);
  }
}

// No impact gains energy: where Newton's law would, the energetic law with the same restitution
// replaces it. A remaining gain shows in the residual.
void ImpactRule::follow_law(const ImpactProblem& x, const Surface& surface, ImpactAnswer* answer) {
  follow_path(x, surface, answer);
  if (surface.law == impact::Law::kNewton && answer->gain > kRuleRounding) {
    Surface energetic = surface;
    energetic.law = impact::Law::kEnergetic;
    follow_path(x, energetic, answer);
    answer->is_guarded = true;
  }
  answer->residual = std::max(answer->residual, answer->gain);
}

// Slow contacts are lasting contacts: their result is known, except for their friction.
void ImpactRule::solve_slow(const ImpactProblem& x, ImpactAnswer* answer) {
  const double lift_speed = calc_lift_speed(x.gap, x.v.z() < 0.0 ? thresholds_.fall : x.fall);
  const double speed = std::max(-x.v.z(), 0.0);
  const double kept = speed > 0.0 ? std::min(1.0, calc_slow_limit(x.gap) / speed) : 1.0;
  const double bounce = kept * (x.is_corner ? x.surface.restitution : 1.0);
  const bool lifts = lift_speed > -x.v.z();
  const double v_n_after = lifts ? lift_speed : bounce * speed;
  answer->kind = lifts ? ImpactKind::kLift : ImpactKind::kMicro;
  // A lifted body is thrown against its fall, so that it returns to its place.
  const Vec2 slip = lifts ? Vec2(-lift_speed * x.drift) : Vec2(-kept * x.v.head<2>());
  if (microcollisions_ && reverse(x, Vec3(slip.x(), slip.y(), v_n_after), answer)) {
    if (bounce < 1.0 && !lifts) answer->kind = ImpactKind::kSliding;
    return;
  }
  if (!lifts) answer->kind = ImpactKind::kSliding;
  if (slide(x, v_n_after, answer)) return;
  if (lifts) {
    rub(x, v_n_after, answer);
    return;
  }
  // With restitution 1, the energetic law lets the normal impulse do no work along the path,
  // whatever the friction.
  Surface surface = x.surface;
  surface.law = impact::Law::kEnergetic;
  surface.restitution = bounce;
  follow_law(x, surface, answer);
}

// A stop is a one-dimensional impact: no friction, and restitution only if it is slow.
ImpactAnswer ImpactRule::solve_stop(double W, double gap, double v_n) const {
  ImpactAnswer answer;
  double v_n_after = 0.0;
  if (is_slow(v_n)) {
    const double lift_speed = calc_lift_speed(gap, thresholds_.fall);
    const double limit = calc_slow_limit(gap);
    v_n_after = std::max(lift_speed, std::min(limit, -v_n));
    answer.kind = lift_speed > -v_n ? ImpactKind::kLift
                  : limit < -v_n    ? ImpactKind::kSliding
                                    : ImpactKind::kMicro;
  }
  answer.p.z() = (v_n_after - v_n) / W;
  return answer;
}

ImpactAnswer ImpactRule::solve(const ImpactProblem& x) {
  ImpactAnswer answer;
  if (is_slow(x.v.z())) {
    solve_slow(x, &answer);
  } else {
    follow_law(x, x.surface, &answer);
  }
  const double mu = std::max(x.surface.mu, x.surface.mu_static);
  answer.cone_violation = std::max(0.0, answer.p.head<2>().norm() - mu * answer.p.z());
  return answer;
}

}  // namespace tenpin::methods::impulse
