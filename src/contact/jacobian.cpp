#include "contact/jacobian.h"

#include <algorithm>

namespace tenpin::contact {

namespace {

// One row of a body's Jacobian: the velocity along `direction` of the point at `arm`, or, when
// `is_spin`, the angular velocity along it.
void fill_row(const dynamics::Body& body, const Vec3& direction, const Vec3& arm, bool is_spin,
              double* row) {
  const Vec3 linear = is_spin ? Vec3(Vec3::Zero()) : direction;
  const Vec3 angular = is_spin ? direction : Vec3(arm.cross(direction));
  if (body.joint.type == dynamics::JointType::kPlanar) {
    const Mat3& R_WJ = body.joint.X_WJ.R;
    row[0] = R_WJ.col(0).dot(linear);
    row[1] = R_WJ.col(1).dot(linear);
    row[2] = R_WJ.col(2).dot(angular);
  } else {
    Eigen::Map<Vec3>{row} = linear;
    Eigen::Map<Vec3>{row + 3} = angular;
  }
}

double dot(const double* a, const double* b, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

void ContactJacobian::append_side(const dynamics::Model& model, int body, const Pose& X_WB,
                                  const std::array<Vec3, 4>& directions,
                                  const std::array<Vec3, 3>& arms, const dynamics::MassMatrix& M) {
  const dynamics::Body& b = model.bodies[body];
  const Side side{.v_begin = b.joint.v_begin,
                  .nv = dynamics::num_velocities(b.joint.type),
                  .offset = static_cast<int>(J_.size())};
  J_.resize(J_.size() + kNumRows * side.nv);
  L_.resize(J_.size());
  if (side.nv > 0) {
    for (int r = 0; r < kNumRows; ++r) {
      const Vec3 arm = arms[std::min(r, 2)] - X_WB.p;
      double* row = J_.data() + side.offset + r * side.nv;
      fill_row(b, directions[r], arm, r == kSpinRow, row);
      M.solve_block(b, body, row, L_.data() + side.offset + r * side.nv);
    }
  }
  sides_.push_back(side);
}

void ContactJacobian::update(const dynamics::Model& model, std::span<const Contact> contacts,
                             const std::vector<Pose>& X_WB,
                             const std::vector<dynamics::Twist>& V_WB,
                             const dynamics::MassMatrix& M, FrictionPoint friction_point) {
  sides_.clear();
  drives_.clear();
  J_.clear();
  L_.clear();
  const double at_core = friction_point == FrictionPoint::kCore ? 1.0 : 0.0;
  for (const Contact& c : contacts) {
    const std::array<Vec3, 4> along = {c.normal, c.t1, c.t2, c.normal};
    const Vec3 grip_a = c.p_a - at_core * c.radius_a * c.normal;
    const Vec3 grip_b = c.p_b + at_core * c.radius_b * c.normal;
    const std::array<Vec3, 4> against = {-c.normal, -c.t1, -c.t2, -c.normal};
    append_side(model, c.body_a, X_WB[c.body_a], against, {c.p_a, grip_a, grip_a}, M);
    append_side(model, c.body_b, X_WB[c.body_b], along, {c.p_b, grip_b, grip_b}, M);

    dynamics::Twist a;
    dynamics::Twist b;
    if (!model.bodies[c.body_a].is_mobile()) a = V_WB[c.body_a];
    if (!model.bodies[c.body_b].is_mobile()) b = V_WB[c.body_b];
    const Vec3 u = b.at(grip_b - X_WB[c.body_b].p) - a.at(grip_a - X_WB[c.body_a].p);
    drives_.emplace_back(c.normal.dot(u), c.t1.dot(u), c.t2.dot(u), c.normal.dot(b.w - a.w));
  }
}

ContactVector ContactJacobian::velocity_of_bodies(int contact, ConstVecRef v) const {
  ContactVector u = ContactVector::Zero();
  for (int which = 0; which < 2; ++which) {
    const Side& s = side(contact, which);
    for (int r = 0; r < kNumRows; ++r) u[r] += dot(row(s, r), v.data() + s.v_begin, s.nv);
  }
  return u;
}

ContactVector ContactJacobian::velocity(int contact, ConstVecRef v) const {
  return velocity_of_bodies(contact, v) + drives_[contact];
}

void ContactJacobian::add_impulse(int contact, const ContactVector& impulse, VecRef f) const {
  for (int which = 0; which < 2; ++which) {
    const Side& s = side(contact, which);
    for (int r = 0; r < kNumRows; ++r) {
      for (int i = 0; i < s.nv; ++i) f[s.v_begin + i] += row(s, r)[i] * impulse[r];
    }
  }
}

void ContactJacobian::add_velocity_change(int contact, const ContactVector& impulse,
                                          VecRef v) const {
  for (int which = 0; which < 2; ++which) {
    const Side& s = side(contact, which);
    for (int r = 0; r < kNumRows; ++r) {
      const double* l = L_.data() + s.offset + r * s.nv;
      for (int i = 0; i < s.nv; ++i) v[s.v_begin + i] += l[i] * impulse[r];
    }
  }
}

void ContactJacobian::add_side_product(const Side& si, const Side& sj, ContactBlock* W) const {
  for (int r = 0; r < kNumRows; ++r) {
    for (int c = 0; c < kNumRows; ++c) {
      (*W)(r, c) += dot(row(si, r), L_.data() + sj.offset + c * sj.nv, si.nv);
    }
  }
}

void ContactJacobian::add_delassus(int i, int j, ContactBlock* W) const {
  for (int a = 0; a < 2; ++a) {
    for (int b = 0; b < 2; ++b) {
      const Side& si = side(i, a);
      const Side& sj = side(j, b);
      if (si.nv > 0 && sj.nv > 0 && si.v_begin == sj.v_begin) add_side_product(si, sj, W);
    }
  }
}

}  // namespace tenpin::contact
