// Finds the points that touch at the start of a step, and the bodies that may meet in it.
#include <algorithm>
#include <cmath>

#include "collide/features.h"
#include "contact/cap_contacts.h"
#include "contact/chosen_normal.h"
#include "contact/flat_faces.h"
#include "contact/joint_contacts.h"
#include "math/rotation.h"
#include "methods/analytic/simulator.h"

namespace tenpin::methods::analytic {

using collide::FeatureKind;
using contact::Contact;

namespace {

bool is_of(FeatureKind kind, std::uint32_t feature) {
  return collide::feature_kind(feature) == kind;
}

bool lies_on_mark(const Contact& c) {
  return c.kind == contact::ContactKind::kSurface &&
         (is_of(FeatureKind::kRimMark, c.key.feature_a) ||
          is_of(FeatureKind::kRimMark, c.key.feature_b));
}

// m   Smaller rim radius of the two parts; 0 if neither has a rim.
double calc_rim_radius(const dynamics::Model& model, const contact::ContactKey& key) {
  double radius = 0.0;
  for (const int part : {key.part_a, key.part_b}) {
    const shapes::Rims rims = shapes::find_rims(model.parts[part].placed.shape);
    if (rims.count == 0) continue;
    radius = radius > 0.0 ? std::min(radius, rims.radius) : rims.radius;
  }
  return radius;
}

}  // namespace

// m   Error of the finder's gaps: it may measure them along the normal of a face that is only
// nearly the direction of the shortest distance.
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

// Finds the contacts of surfaces that are at most their reach apart.
void Simulator::find_points(std::vector<Contact>* contacts) {
  finder_.find(X_, reach_, contacts);
  choose_cap_points(*model_, X_, options_.event_tolerance, contacts);
}

contact::NormalOf Simulator::find_whose_normal(double near, std::span<Contact> pair) const {
  if (choose_normal(*model_, X_, near, pair)) return contact::NormalOf::kChoice;
  const bool is_flat = lie_flat(*model_, X_, options_.event_tolerance, pair.front());
  return is_flat ? contact::NormalOf::kFaces : contact::NormalOf::kFeatures;
}

// The point of a flat cap's rim that sinks fastest, which is the lowest point after a small
// rotation in the direction of its spin. `c` is at one of the fixed points.
std::optional<Contact> Simulator::find_sinking_rim(const Contact& c) {
  const Vec3 w = V_[c.body_b].w - V_[c.body_a].w;
  const double tilt = w.cross(c.normal).norm();  // rad/s
  if (tilt == 0.0) return {};
  const double angle = 10.0 * options_.event_tolerance / calc_rim_radius(*model_, c.key);
  Pose& X = X_[c.body_b];
  const Pose here = X;
  X.R = to_matrix(exp_map(angle / tilt * w)) * here.R;
  const Pose moved = X;
  std::vector<Contact> lowest;
  const collide::Pair parts{.first = c.key.part_a, .second = c.key.part_b};
  finder_.find_pairs({&parts, 1}, X_, reach_, &lowest);
  choose_cap_points(*model_, X_, options_.event_tolerance, &lowest);
  X = here;
  for (const Contact& found : lowest) {
    const bool is_b = is_of(FeatureKind::kRim, found.key.feature_b);
    if (!is_b && !is_of(FeatureKind::kRim, found.key.feature_a)) continue;
    Contact rim = c;
    const Vec3 shift =
        is_b ? Vec3(here * (moved.inverse() * found.p_b) - c.p_b) : Vec3(found.p_a - c.p_a);
    const Vec3 aside = shift - c.normal * c.normal.dot(shift);
    rim.p_a += aside;
    rim.p_b += aside;
    const Vec3 u =
        V_[c.body_b].at(rim.p_b - X_[c.body_b].p) - V_[c.body_a].at(rim.p_a - X_[c.body_a].p);
    if (u.dot(c.normal) >= -options_.event_tolerance) continue;
    (is_b ? rim.key.feature_b : rim.key.feature_a) = collide::make_feature(
        FeatureKind::kRimMark, 2 * collide::kNumRimMarks + static_cast<int>(touches_.size()));
    return rim;
  }
  return {};
}

// A cap that lies flat rests on fixed points of its rim. If it tips between two of them, the rim
// between them would sink in at once, so that point touches, too. True if such a point was added.
bool Simulator::append_sinking_rims() {
  std::vector<Touch> all;
  for (auto touch = touches_.cbegin(); touch != touches_.cend();) {
    const auto end = std::find_if(touch, touches_.cend(), [&](const Touch& other) {
      return other.contact.key.part_a != touch->contact.key.part_a ||
             other.contact.key.part_b != touch->contact.key.part_b;
    });
    const auto mark = std::find_if(touch, end, [](const Touch& t) {
      return lies_on_mark(t.contact);
    });
    all.insert(all.end(), touch, end);
    touch = end;
    if (mark == end) continue;
    const std::optional<Contact> rim = find_sinking_rim(mark->contact);
    if (rim.has_value()) all.push_back(make_touch(*rim, mark->normal_of));
  }
  const bool is_any = all.size() > touches_.size();
  touches_.swap(all);
  return is_any;
}

// Finds all points of touching pairs, and the pairs that may touch within the step.
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
  append_sinking_rims();
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
    if (slips(motion_, i, scale_)) touch.slip_dir.setZero();  // the velocity determines it
  }
  if (scale_.acceleration == 0.0) scale_.acceleration = 1.0;
}

}  // namespace tenpin::methods::analytic
