#include "contact/jacobian.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tenpin::contact {

namespace {

// One row of a body's Jacobian: the velocity along `direction` of the point at `arm`, or, when
// `is_spin`, the angular velocity along it.
void fill_row(const dynamics::Body& body, const Vec3& direction, const Vec3& arm, bool is_spin,
              double* row) {
  const Vec3 linear = is_spin ? Vec3(Vec3::Zero()) : direction;
  const Vec3 angular = is_spin ? direction : Vec3(arm.cross(direction));
  if (body.joint.type == dynamics::JointType::kPlanar) {
    const Mat3& R_WJ = body.joint.X_PJ.R;
    row[0] = R_WJ.col(0).dot(linear);
    row[1] = R_WJ.col(1).dot(linear);
    row[2] = R_WJ.col(2).dot(angular);
  } else {
    Eigen::Map<Vec3>{row} = linear;
    Eigen::Map<Vec3>{row + 3} = angular;
  }
}

}  // namespace

void ContactJacobian::append_side(int mechanism, const dynamics::Model& model) {
  Side side{.v_begin = 0, .nv = 0, .offset = static_cast<int>(J_.size()), .mechanism = mechanism};
  if (mechanism >= 0) {
    side.v_begin = model.mechanisms[mechanism].v_begin;
    side.nv = model.mechanisms[mechanism].nv;
  }
  J_.resize(J_.size() + kNumRows * side.nv, 0.0);
  sides_.push_back(side);
}

// Adds a body's part to the side appended last.
void ContactJacobian::add_rows(const dynamics::Model& model, const std::vector<Pose>& X_WB,
                               const Rows& rows) {
  const Side& side = sides_.back();
  if (side.nv == 0 || !model.bodies[rows.body].is_mobile()) return;
  const dynamics::Body& body = model.bodies[rows.body];
  const bool is_loose = model.mechanisms[body.mechanism].is_loose;
  for (int r = 0; r < kNumRows; ++r) {
    double* row = J_.data() + side.offset + r * side.nv;
    const bool is_spin = r == kSpinRow;
    const Vec3& point = rows.points[std::min(r, 2)];
    if (is_loose) {
      fill_row(body, rows.directions[r], point - X_WB[rows.body].p, is_spin, row);
    } else {
      const Vec3 zero = Vec3::Zero();
      add_jacobian_row(model, X_WB, rows.body,
                       {.p_W = point,
                        .linear = is_spin ? zero : rows.directions[r],
                        .angular = is_spin ? rows.directions[r] : zero},
                       row);
    }
  }
}

// One side for each body, or one for both if they belong together.
void ContactJacobian::append_surface(const dynamics::Model& model, const std::vector<Pose>& X_WB,
                                     const Rows& a, const Rows& b) {
  const int m_a = model.bodies[a.body].mechanism;
  const int m_b = model.bodies[b.body].mechanism;
  const bool together = m_a >= 0 && m_a == m_b;
  append_side(together ? -1 : m_a, model);
  add_rows(model, X_WB, a);
  append_side(m_b, model);
  if (together) add_rows(model, X_WB, a);
  add_rows(model, X_WB, b);
}

void ContactJacobian::append_joint(const dynamics::Model& model, const Contact& contact) {
  append_side(-1, model);
  const dynamics::Body& body = model.bodies[contact.body_b];
  append_side(body.mechanism, model);
  const Side& side = sides_.back();
  const int row = contact.kind == ContactKind::kJointLimit ? kNormalRow : kT1Row;
  double* first = J_.data() + side.offset + row * side.nv + body.joint.v_begin - side.v_begin;
  for (int k = 0; k < std::min(3, num_velocities(body.joint.type)); ++k) {
    first[k] = contact.direction[k];
  }
}

void ContactJacobian::solve_sides(const dynamics::Model& model, int contact,
                                  const dynamics::MassMatrix& M) {
  L_.resize(J_.size());
  for (int which = 0; which < 2; ++which) {
    const Side& s = side(contact, which);
    for (int r = 0; r < kNumRows && s.nv > 0; ++r) {
      const int place = s.offset + r * s.nv;
      M.solve_block(model, s.mechanism, J_.data() + place, L_.data() + place);
    }
  }
}

void ContactJacobian::update(const dynamics::Model& model, std::span<const Contact> contacts,
                             const std::vector<Pose>& X_WB,
                             const std::vector<dynamics::Twist>& V_drive,
                             const dynamics::MassMatrix& M, FrictionPoint friction_point) {
  sides_.clear();
  drives_.clear();
  J_.clear();
  L_.clear();
  const double at_core = friction_point == FrictionPoint::kCore ? 1.0 : 0.0;
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    const Contact& c = contacts[i];
    if (c.kind != ContactKind::kSurface) {
      append_joint(model, c);
      solve_sides(model, i, M);
      drives_.emplace_back(ContactVector::Zero());
      continue;
    }
    const Vec3 grip_a = c.p_a - at_core * c.radius_a * c.normal;
    const Vec3 grip_b = c.p_b + at_core * c.radius_b * c.normal;
    append_surface(model, X_WB,
                   {.body = c.body_a,
                    .directions = {-c.normal, -c.t1, -c.t2, -c.normal},
                    .points = {c.p_a, grip_a, grip_a}},
                   {.body = c.body_b,
                    .directions = {c.normal, c.t1, c.t2, c.normal},
                    .points = {c.p_b, grip_b, grip_b}});
    solve_sides(model, i, M);
    const dynamics::Twist& a = V_drive[c.body_a];
    const dynamics::Twist& b = V_drive[c.body_b];
    const Vec3 u = b.at(grip_b - X_WB[c.body_b].p) - a.at(grip_a - X_WB[c.body_a].p);
    drives_.emplace_back(c.normal.dot(u), c.t1.dot(u), c.t2.dot(u), c.normal.dot(b.w - a.w));
  }
  own_.assign(contacts.size(), ContactBlock::Zero());
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) add_delassus(i, i, &own_[i]);
}

ContactVector ContactJacobian::velocity_of_bodies(int contact, ConstVecRef v) const {
  ContactVector u = ContactVector::Zero();
  for (int which = 0; which < 2; ++which) {
    const Side& s = side(contact, which);
    for (int r = 0; r < kNumRows; ++r)
      u[r] += std::inner_product(row(s, r), row(s, r) + s.nv, v.data() + s.v_begin, 0.0);
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

void ContactJacobian::add_velocity_change_sizes(int contact, const ContactVector& impulse,
                                                VecRef v) const {
  for (int which = 0; which < 2; ++which) {
    const Side& s = side(contact, which);
    for (int r = 0; r < kNumRows; ++r) {
      const double* l = L_.data() + s.offset + r * s.nv;
      for (int i = 0; i < s.nv; ++i) v[s.v_begin + i] += std::fabs(l[i] * impulse[r]);
    }
  }
}

void ContactJacobian::add_side_product(const Side& si, const Side& sj, ContactBlock* W) const {
  for (int r = 0; r < kNumRows; ++r) {
    for (int c = 0; c < kNumRows; ++c) {
      (*W)(r, c) += std::inner_product(row(si, r), row(si, r) + si.nv,
                                       L_.data() + sj.offset + c * sj.nv, 0.0);
    }
  }
}

void ContactJacobian::add_delassus(int i, int j, ContactBlock* W) const {
  for (int a = 0; a < 2; ++a) {
    for (int b = 0; b < 2; ++b) {
      const Side& si = side(i, a);
      const Side& sj = side(j, b);
      if (si.nv > 0 && sj.nv > 0 && si.mechanism == sj.mechanism) add_side_product(si, sj, W);
    }
  }
}

}  // namespace tenpin::contact
