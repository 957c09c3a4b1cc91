// Which points of bodies touch at the start of a step, and which bodies may come to.
#include <algorithm>
#include <cmath>

#include "contact/cap_contacts.h"
#include "contact/chosen_normal.h"
#include "contact/flat_faces.h"
#include "contact/joint_contacts.h"
#include "methods/analytic/simulator.h"

namespace tenpin::methods::analytic {

using contact::Contact;

// m   by which the finder's gaps may be wrong: it may measure them along the normal of a face that
// is only nearly the best direction.
double Simulator::calc_slack(const Contact& contact) const {
  constexpr double kShare = 4e-9;
  return kShare * (body_radius_[contact.body_a] + body_radius_[contact.body_b]);
}

Touch Simulator::make_touch(const Contact& contact, contact::NormalOf normal_of) const {
  Touch touch = memory_.recall(contact.key);
  touch.contact = contact;
  touch.gap_start = contact.gap;
  touch.normal_of = normal_of;
  touch.track = make_track(*model_, X_, contact, normal_of);
  if (is_dry_joint(touch)) {
    touch.dry = contact::calc_joint_friction(*model_, contact, 1.0);
    touch.contact.t1 = Vec3::UnitX();  // its slip counts along its own axis
  } else if (options_.friction == Options::Friction::kCoulomb) {
    touch.mu = contact.mu;
  }
  return touch;
}

// Those of surfaces, at most their reach apart.
void Simulator::find_points(std::vector<Contact>* contacts) {
  finder_.find(X_, reach_, contacts);
  choose_cap_points(*model_, X_, options_.event_tolerance, contacts);
}

contact::NormalOf Simulator::find_whose_normal(double near, std::span<Contact> pair) const {
  if (choose_normal(*model_, X_, near, pair)) return contact::NormalOf::kChoice;
  const bool is_flat = lie_flat(*model_, X_, options_.event_tolerance, pair.front());
  return is_flat ? contact::NormalOf::kFaces : contact::NormalOf::kFeatures;
}

// All points of pairs that touch, and the pairs that may come to touch within the step.
void Simulator::find_contacts() {
  const double g = model_->gravity.norm();
  reach_.assign(model_->bodies.size(), options_.event_tolerance);
  for (int i = 0; i < model_->num_bodies(); ++i) {
    const double speed = V_[i].v.norm() + V_[i].w.norm() * body_radius_[i];
    const bool moves = model_->bodies[i].is_mobile();
    reach_[i] += reach_factor_ * h_planned_ * (1.2 * speed + (moves ? 2.0 * g * h_planned_ : 0.0));
  }
  found_.clear();
  append_joint_limits(*model_, q0_, v0_, h_planned_, &found_);
  if (options_.friction == Options::Friction::kCoulomb) append_joint_friction(*model_, &found_);
  find_points(&found_);
  touches_.clear();
  apart_.clear();
  for (std::span<Contact> rest = found_; !rest.empty();) {
    const std::span<Contact> pair = contact::first_pair(rest);
    rest = rest.subspan(pair.size());
    const bool is_joint = pair.front().kind != contact::ContactKind::kSurface;
    const double near = 10.0 * options_.event_tolerance + calc_slack(pair.front());
    const bool touches =
        is_joint || std::any_of(pair.begin(), pair.end(), [near](const Contact& c) {
          return c.gap <= near;
        });
    if (!touches) {
      const Contact& c = pair.front();
      apart_.push_back({.part_a = c.key.part_a,
                        .part_b = c.key.part_b,
                        .start = {.gap = c.gap, .p_A = c.p_a, .p_B = c.p_b, .normal = c.normal}});
      continue;
    }
    const contact::NormalOf normal_of =
        is_joint ? contact::NormalOf::kFeatures : find_whose_normal(near, pair);
    for (const Contact& c : pair) touches_.push_back(make_touch(c, normal_of));
  }
}

void Simulator::set_scale() {
  const double rest = options_.event_tolerance;  // m/s, counting a second
  scale_ = {.acceleration = model_->gravity.norm(), .slip = motion_.slow()};
  for (int i = 0; i < static_cast<int>(touches_.size()); ++i) {
    Touch& touch = touches_[i];
    touch.is_touching =
        touch.contact.gap <= options_.event_tolerance && std::fabs(motion_.velocity(i)[0]) <= rest;
    if (touch.is_touching) {
      scale_.acceleration =
          std::max(scale_.acceleration, std::fabs(motion_.free_acceleration(i)[0]));
    }
    if (slips(motion_, i, scale_)) touch.slip_dir.setZero();  // its velocity tells
  }
  if (scale_.acceleration == 0.0) scale_.acceleration = 1.0;
}

}  // namespace tenpin::methods::analytic
