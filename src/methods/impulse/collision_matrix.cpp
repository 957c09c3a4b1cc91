#include "methods/impulse/collision_matrix.h"

#include "methods/impulse/mobility.h"

namespace tenpin::methods::impulse {

using contact::Contact;

// Rows that map the velocities of the mechanism to the velocity of the contact, one per axis of the
// contact's frame.
void CollisionMatrix::add_rows(const Contact& contact, int body, double sign, Side* side) {
  const Mat3 R = frame(contact);
  for (int k = 0; k < 3; ++k) {
    const dynamics::PointDirection along{.p_W = point(contact), .linear = sign * R.col(k)};
    add_jacobian_row(*bodies_->model, bodies_->X_WB, body, along, side->J.col(k).data());
  }
}

void CollisionMatrix::update_side(const Contact& contact, Side* side) {
  const dynamics::Model& model = *bodies_->model;
  const dynamics::Mechanism& mechanism = model.mechanisms[side->mechanism];
  side->J.setZero(mechanism.nv, 3);
  side->L.resize(mechanism.nv, 3);
  for (const auto& [body, sign] :
       {std::pair(contact.body_a, -1.0), std::pair(contact.body_b, 1.0)}) {
    if (model.bodies[body].mechanism == side->mechanism) add_rows(contact, body, sign, side);
  }
  zero_.setZero(model.nv);
  inverse_.update(model, mechanism, bodies_->X_WB, bodies_->q, zero_);
  for (int k = 0; k < 3; ++k) inverse_.solve(side->J.col(k).data(), side->L.col(k).data());
  W_ += side->J.transpose() * side->L;
}

void CollisionMatrix::update(const Contact& contact) {
  Mat3 W_W = Mat3::Zero();
  add_mobility(*bodies_, contact.body_a, point(contact), &W_W);
  add_mobility(*bodies_, contact.body_b, point(contact), &W_W);
  const Mat3 R = frame(contact);
  W_ = R.transpose() * W_W * R;
  num_sides_ = 0;
  for (const int body : {contact.body_a, contact.body_b}) {
    if (!bodies_->is_articulated(body)) continue;
    const int mechanism = bodies_->model->bodies[body].mechanism;
    if (num_sides_ == 1 && sides_[0].mechanism == mechanism) continue;
    Side* side = &sides_[num_sides_++];
    side->mechanism = mechanism;
    update_side(contact, side);
  }
  W_ = 0.5 * (W_ + W_.transpose()).eval();
}

Vec3 CollisionMatrix::velocity(const Contact& c) const {
  const Vec3 p = point(c);
  const Vec3 v_a = bodies_->twist(c.body_a).at(p - bodies_->pose(c.body_a).p);
  const Vec3 v_b = bodies_->twist(c.body_b).at(p - bodies_->pose(c.body_b).p);
  return frame(c).transpose() * (v_b - v_a);
}

Vec3 CollisionMatrix::drive(const Contact& c) const {
  const Vec3 p = point(c);
  const Vec3 v_a = calc_drive(*bodies_, c.body_a).at(p - bodies_->pose(c.body_a).p);
  const Vec3 v_b = calc_drive(*bodies_, c.body_b).at(p - bodies_->pose(c.body_b).p);
  return frame(c).transpose() * (v_b - v_a);
}

void CollisionMatrix::apply(const Contact& contact, const Vec3& impulse) {
  const Vec3 impulse_W = frame(contact) * impulse;
  impulse::apply(contact.body_a, point(contact), -impulse_W, bodies_);
  impulse::apply(contact.body_b, point(contact), impulse_W, bodies_);
  for (int i = 0; i < num_sides_; ++i) {
    const Side& side = sides_[i];
    add_velocities(bodies_->model->mechanisms[side.mechanism], side.L * impulse, bodies_);
  }
}

}  // namespace tenpin::methods::impulse
