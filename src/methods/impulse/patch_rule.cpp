#include "methods/impulse/patch_rule.h"

#include <algorithm>
#include <cmath>

#include "math/pivoted_cholesky.h"
#include "methods/impulse/tolerances.h"

namespace tenpin::methods::impulse {

namespace {

// Solves a symmetric 2 x 2 system; false if it is singular.
bool solve_symmetric(const Mat2& A, const Vec2& b, Vec2* x) {
  const double det = A(0, 0) * A(1, 1) - A(0, 1) * A(1, 0);
  if (!(det > 1e-9 * A(0, 0) * A(1, 1))) return false;
  *x = Vec2(A(1, 1) * b[0] - A(0, 1) * b[1], A(0, 0) * b[1] - A(1, 0) * b[0]) / det;
  return true;
}

// J   Twice the work of the tangential impulse and the spin, for the sum of the velocities before
// and after. Friction that reduces the slip may do positive work where W couples it to the normal.
double calc_friction_work(const Vec6& velocities, const Vec6& wrench) {
  return wrench.head<2>().dot(velocities.head<2>()) + wrench[5] * velocities[5];
}

}  // namespace

bool is_face(std::span<const contact::Contact> contacts) {
  if (contacts.size() < 3) return false;
  const Vec3 origin = contacts[0].p_b;
  Vec3 longest = Vec3::Zero();
  for (const contact::Contact& c : contacts) {
    if ((c.p_b - origin).squaredNorm() > longest.squaredNorm()) longest = c.p_b - origin;
  }
  return std::any_of(contacts.begin(), contacts.end(), [&](const contact::Contact& c) {
    return longest.cross(c.p_b - origin).norm() > kSliver * longest.squaredNorm();
  });
}

// Distributes the normal impulse as n_i = (1/k + beta . r_i) F_z with the right moments. The mean
// of the points is the middle.
bool PatchRule::spread_normal(const PatchProblem& problem, const Vec6& wrench) {
  const double F_z = wrench[2];
  if (!(F_z > 0.0)) return false;
  Mat2 second = Mat2::Zero();
  for (const Vec2& r : problem.points) second += r * r.transpose();
  // Torque of n_i at r_i: (y n, -x n).
  Vec2 slope;
  if (!solve_symmetric(second, Vec2(-wrench[4], wrench[3]), &slope)) return false;
  const double share = F_z / static_cast<double>(problem.points.size());
  for (std::size_t i = 0; i < problem.points.size(); ++i) {
    impulses_[i].z() = share + slope.dot(problem.points[i]);
    if (!(impulses_[i].z() > 0.0)) return false;
  }
  return true;
}

bool PatchRule::spread_friction(const PatchProblem& problem, const Vec6& wrench) {
  const double F_z = wrench[2];
  Vec2 center = Vec2::Zero();  // m   of pressure
  for (std::size_t i = 0; i < problem.points.size(); ++i) {
    center += impulses_[i].z() / F_z * problem.points[i];
  }
  double spread = 0.0;
  for (std::size_t i = 0; i < problem.points.size(); ++i) {
    spread += impulses_[i].z() * (problem.points[i] - center).squaredNorm();
  }
  const double spin = wrench[5] - (center.x() * wrench[1] - center.y() * wrench[0]);
  for (std::size_t i = 0; i < problem.points.size(); ++i) {
    const double n = impulses_[i].z();
    const Vec2 r = problem.points[i] - center;
    const Vec2 f = n * (wrench.head<2>() / F_z + spin / spread * Vec2(-r.y(), r.x()));
    if (f.norm() > problem.mu * n) return false;
    impulses_[i].head<2>() = f;
  }
  return true;
}

// Slip and spin reach a fraction of their goals. Friction does positive work only in a lift.
bool PatchRule::stick(const PatchProblem& problem, double share) {
  after_ << share * problem.slip[0], share * problem.slip[1], problem.wanted,
      share * problem.slip[2];
  const Vec6 wrench = invert_spd(problem.W) * (after_ - problem.v);
  if (calc_friction_work(problem.v + after_, wrench) > problem.work_speed * wrench[2]) return false;
  return spread_normal(problem, wrench) && spread_friction(problem, wrench);
}

// The friction of each point is mu n_i against the slip direction e of the middle. With the normal
// impulse F and its moments T_x, T_y, the friction is -mu F e and its moment about the normal is
// mu (e . T).
bool PatchRule::slide(const PatchProblem& problem) {
  const double slip = problem.v.head<2>().norm();
  if (!(slip > 0.0)) return false;
  const Vec2 rub = -problem.mu / slip * problem.v.head<2>();
  Eigen::Matrix<double, 6, 3> spread = Eigen::Matrix<double, 6, 3>::Zero();
  spread.col(0) << rub.x(), rub.y(), 1.0, 0.0, 0.0, 0.0;
  spread.col(1) << 0.0, 0.0, 0.0, 1.0, 0.0, -rub.x();
  spread.col(2) << 0.0, 0.0, 0.0, 0.0, 1.0, -rub.y();
  const Mat3 A = problem.W.middleRows<3>(2) * spread;
  const Vec3 change = problem.wanted - problem.v.segment<3>(2);
  const Vec3 c0 = A.col(1).cross(A.col(2));
  const double det = A.col(0).dot(c0);
  if (!(det > 0.0)) return false;  // friction would drive the bodies into each other
  const Vec3 x(c0.dot(change), A.col(2).cross(A.col(0)).dot(change),
               A.col(0).cross(A.col(1)).dot(change));
  const Vec6 wrench = spread * x / det;
  after_ = problem.v + problem.W * wrench;
  if (!(after_.head<2>().dot(problem.v.head<2>()) > 0.0)) return false;  // slip would turn round
  if (calc_friction_work(problem.v + after_, wrench) > 0.0) return false;
  if (!spread_normal(problem, wrench)) return false;
  for (Vec3& p : impulses_) p.head<2>() = rub * p.z();
  return true;
}

PatchMode PatchRule::solve(const PatchProblem& problem) {
  impulses_.resize(problem.points.size());
  if (stick(problem, 1.0)) return PatchMode::kReversed;
  if (slide(problem)) return PatchMode::kSliding;
  if (!stick(problem, 0.0)) return PatchMode::kNone;
  double held = 0.0;
  double part = 1.0;
  for (int k = 0; k < kPatchHalvings; ++k) {
    part *= 0.5;
    if (stick(problem, held + part)) held += part;
  }
  (void)stick(problem, held);
  return PatchMode::kHeld;
}

}  // namespace tenpin::methods::impulse
