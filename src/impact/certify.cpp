#include "impact/certify.h"

#include <algorithm>
#include <cmath>

namespace tenpin::impact {

namespace {

double part(double error, double scale) {
  return scale > 0.0 ? std::fabs(error) / scale : std::fabs(error);
}

void raise(double candidate, double* worst) {
  if (!(candidate <= *worst)) *worst = candidate;  // keeps a NaN
}

// What a law demands in the normal direction.
struct Ending {
  double v_before = 0.0;
  double p_compression = 0.0, E_compression = 0.0, v_compression = 0.0;
  double p_end = 0.0, E_end = 0.0, v_end = 0.0;
};

double calc_law_error(const Surface& surface, const Ending& x) {
  const double e = surface.restitution;
  switch (surface.law) {
    case Law::kNewton:
      return part(x.v_end + e * x.v_before, std::fabs(x.v_before) + std::fabs(x.v_end));
    case Law::kPoisson:
      return part(x.p_end - x.p_compression - e * x.p_compression, x.p_end);
    case Law::kEnergetic:
      return part(x.E_end - x.E_compression + e * e * x.E_compression, -x.E_compression);
    case Law::kEnergeticRatio:
      return part(x.E_end - x.E_compression + e * x.E_compression, -x.E_compression);
  }
  return 1.0;
}

// Checks the mechanics along a path in three dimensions, with z along the normal. A planar path has
// y = 0.
class PathCheck {
 public:
  PathCheck(const Mat3& W, const Vec3& v0, const Surface& surface)
      : W_(W), v0_(v0), surface_(surface) {}

  ImpactCertificate check(std::span<const SpatialPoint> path, const Ending& ending) {
    for (const SpatialPoint& point : path) {
      speed_ = std::max(speed_, point.v.cwiseAbs().maxCoeff());
      energy_ = std::max(energy_, std::fabs(point.E_n) + std::fabs(point.E_f));
    }
    for (std::size_t i = 0; i < path.size(); ++i) {
      check_point(path[i]);
      if (i > 0) check_piece(path[i - 1], path[i], path.back().p[2]);
    }
    const SpatialPoint& end = path.back();
    const double change = 0.5 * end.p.dot(v0_ + end.v);
    certificate_.gain = part(std::max(change, 0.0), energy_);
    raise(calc_law_error(surface_, ending), &certificate_.restitution);
    raise(part(ending.v_compression, speed_), &certificate_.restitution);
    raise(part(std::max(-end.v[2], 0.0), speed_), &certificate_.restitution);
    return certificate_;
  }

 private:
  void check_point(const SpatialPoint& point) {
    const Vec3 miss = point.v - v0_ - W_ * point.p;
    raise(part(miss.cwiseAbs().maxCoeff(), speed_), &certificate_.momentum);
    const double change = 0.5 * point.p.dot(v0_ + point.v);
    raise(part(change - point.E_n - point.E_f, energy_), &certificate_.energy);
  }

  // Between two points the normal impulse grows, friction stays in its cone, and friction does no
  // positive work.
  void check_piece(const SpatialPoint& a, const SpatialPoint& b, double p_total) {
    const Vec3 p = b.p - a.p;
    const double beyond = p.head<2>().norm() - surface_.mu_static * p[2];
    raise(part(std::max(beyond, 0.0), p_total), &certificate_.friction);
    raise(part(std::max(-p[2], 0.0), p_total), &certificate_.friction);
    raise(part(std::max(b.E_f - a.E_f, 0.0), energy_), &certificate_.friction);
  }

  const Mat3& W_;
  const Vec3& v0_;
  const Surface& surface_;
  double speed_ = 0.0;   // m/s
  double energy_ = 0.0;  // J
  ImpactCertificate certificate_;
};

// On a sliding segment of a planar path, friction has its full size and opposes the slip; on a
// sticking segment there is no slip.
double calc_coulomb_error(const Surface& surface, const PlanarImpact& impact) {
  double worst = 0.0;
  for (std::size_t i = 0; i + 1 < static_cast<std::size_t>(impact.num_points); ++i) {
    const PlanarPoint& a = impact.points[i];
    const PlanarPoint& b = impact.points[i + 1];
    const double slip = 0.5 * (a.v_t + b.v_t);
    if (impact.slips[i] == Slip::kStick) {
      raise(slip == 0.0 ? 0.0 : 1.0, &worst);
    } else {
      const double want = (slip > 0.0 ? -surface.mu : surface.mu) * (b.p_n - a.p_n);
      raise(part(b.p_t - a.p_t - want, impact.end().p_n), &worst);
    }
  }
  return worst;
}

// The checks of all contacts together; [B89] has no friction.
ImpactCertificate certify_common(const Collision& collision, const CollisionSolution& solution) {
  ImpactCertificate certificate;
  if (collision.v.size() == 0) return certificate;
  const VecX miss = solution.v_after - collision.v - collision.W * solution.impulse;
  const double speed =
      std::max(collision.v.cwiseAbs().maxCoeff(), solution.v_after.cwiseAbs().maxCoeff());
  certificate.momentum = part(miss.cwiseAbs().maxCoeff(), speed);
  const double change = 0.5 * solution.impulse.dot(collision.v + solution.v_after);
  const double scale =
      0.5 * solution.impulse.cwiseAbs().dot(collision.v.cwiseAbs() + solution.v_after.cwiseAbs());
  certificate.gain = part(std::max(change, 0.0), scale);
  // If every restitution is one, no energy is lost.   [B89, §8]
  if (collision.restitution.minCoeff() == 1.0) certificate.energy = part(change, scale);
  raise(part(std::max(-solution.impulse.minCoeff(), 0.0), solution.impulse.cwiseAbs().maxCoeff()),
        &certificate.friction);
  raise(part(std::max(-solution.v_after.minCoeff(), 0.0), speed), &certificate.restitution);
  return certificate;
}

}  // namespace

bool ImpactCertificate::passes(double tolerance, bool may_gain) const {
  return momentum <= tolerance && energy <= tolerance && friction <= tolerance &&
         restitution <= tolerance && (may_gain || gain <= tolerance);
}

ImpactCertificate certify(const PlanarContact& contact, const Surface& surface,
                          const PlanarImpact& impact) {
  if (impact.status == ImpactStatus::kSeparating) return {};
  Mat3 W = Mat3::Zero();
  W(0, 0) = contact.W_tt;
  W(0, 2) = W(2, 0) = contact.W_tn;
  W(2, 2) = contact.W_nn;
  std::array<SpatialPoint, 4> path;
  for (std::size_t i = 0; i < static_cast<std::size_t>(impact.num_points); ++i) {
    const PlanarPoint& point = impact.points[i];
    path[i] = {Vec3(point.p_t, 0.0, point.p_n), Vec3(point.v_t, 0.0, point.v_n), point.E_n,
               point.E_f};
  }
  const PlanarPoint& c = impact.compression();
  const PlanarPoint& end = impact.end();
  const Vec3 v0(contact.v_t, 0.0, contact.v_n);
  ImpactCertificate certificate =
      PathCheck(W, v0, surface)
          .check(std::span(path).first(static_cast<std::size_t>(impact.num_points)),
                 {contact.v_n, c.p_n, c.E_n, c.v_n, end.p_n, end.E_n, end.v_n});
  raise(calc_coulomb_error(surface, impact), &certificate.friction);
  return certificate;
}

ImpactCertificate certify(const SpatialContact& contact, const Surface& surface,
                          const SpatialImpact& impact, std::span<const SpatialPoint> trace) {
  if (impact.status == ImpactStatus::kSeparating || trace.empty()) return {};
  const SpatialPoint& c = impact.compression;
  const SpatialPoint& end = impact.end;
  return PathCheck(contact.W, contact.v, surface)
      .check(trace, {contact.v[2], c.p[2], c.E_n, c.v[2], end.p[2], end.E_n, end.v[2]});
}

ImpactCertificate certify_simultaneous(const Collision& collision,
                                       const CollisionSolution& solution) {
  ImpactCertificate certificate = certify_common(collision, solution);
  if (solution.num_rounds != 1) return certificate;
  double worst = 0.0;
  double speed = 0.0;
  for (int i = 0; i < collision.v.size(); ++i) {
    speed = std::max({speed, std::fabs(collision.v[i]), std::fabs(solution.v_after[i])});
    if (collision.v[i] > 0.0) continue;
    const double excess = solution.v_after[i] + collision.restitution[i] * collision.v[i];
    raise(std::fabs(std::min(excess, solution.impulse[i] * collision.W(i, i))), &worst);
  }
  raise(part(worst, speed), &certificate.restitution);
  return certificate;
}

ImpactCertificate certify_propagation(const Collision& collision,
                                      const CollisionSolution& solution) {
  return certify_common(collision, solution);
}

}  // namespace tenpin::impact
