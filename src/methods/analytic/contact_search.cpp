#include "methods/analytic/contact_search.h"

#include <algorithm>
#include <cmath>

#include "collide/features.h"
#include "contact/cap_contacts.h"
#include "contact/chosen_normal.h"
#include "contact/flat_faces.h"
#include "contact/joint_contacts.h"
#include "math/rotation.h"
#include "methods/analytic/tolerances.h"
#include "shapes/bounds.h"

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

double calc_body_radius(const dynamics::Model& model, const dynamics::Body& body) {
  double radius = 0.0;
  for (int i = body.parts_begin; i < body.parts_end; ++i) {
    const shapes::PlacedShape& part = model.parts[i].placed;
    if (shapes::is_boundless(part.shape)) continue;
    const Vec3 center = part.X_BS.inverse() * Vec3(Vec3::Zero());
    radius = std::max(radius, shapes::calc_bounding_radius(part.shape, center));
  }
  return radius;
}

}  // namespace

ContactSearch::ContactSearch(const dynamics::Model& model, const scene::AnalyticOptions& options)
    : model_(&model), options_(options), finder_(model) {
  for (const dynamics::Body& body : model.bodies) {
    body_radius_.push_back(calc_body_radius(model, body));
  }
}

// m   Error of the finder's gaps: it may measure them along the normal of a face that is only
// nearly the direction of the shortest distance.
double ContactSearch::calc_slack(const Contact& contact) const {
  return kGapShare * (body_radius_[contact.body_a] + body_radius_[contact.body_b]);
}

Touch ContactSearch::make_touch(const Contact& contact, contact::NormalOf normal_of,
                                const std::vector<Pose>& X_WB, const Memory& memory) const {
  Touch touch = memory.recall(contact.key);
  touch.contact = contact;
  touch.gap_start = contact.gap;
  touch.normal_of = normal_of;
  touch.track = make_track(*model_, X_WB, contact, normal_of);
  if (is_dry_joint(touch)) {
    touch.dry = contact::calc_joint_friction(*model_, contact, 1.0);
    touch.contact.t1 = Vec3::UnitX();  // its slip counts along its own axis
  } else if (options_.friction == scene::AnalyticOptions::Friction::kCoulomb) {
    touch.mu = contact.mu;
  }
  return touch;
}

void ContactSearch::find_points(const std::vector<Pose>& X_WB, std::span<const double> reach,
                                std::vector<Contact>* contacts) {
  finder_.find(X_WB, reach, contacts);
  choose_cap_points(*model_, X_WB, options_.event_tolerance, contacts);
}

void ContactSearch::find_surfaces(const std::vector<Pose>& X_WB, std::span<const double> reach,
                                  std::vector<Contact>* contacts) {
  finder_.find(X_WB, reach, contacts);
}

contact::NormalOf ContactSearch::find_whose_normal(double near, const std::vector<Pose>& X_WB,
                                                   std::span<Contact> pair) const {
  if (choose_normal(*model_, X_WB, near, pair)) return contact::NormalOf::kChoice;
  const bool is_flat = lie_flat(*model_, X_WB, options_.event_tolerance, pair.front());
  return is_flat ? contact::NormalOf::kFaces : contact::NormalOf::kFeatures;
}

// The point of a flat cap's rim that sinks fastest, which is the lowest point after a small
// rotation in the direction of its spin. `c` is at one of the fixed points.
std::optional<Contact> ContactSearch::find_sinking_rim(const StepStart& start,
                                                       const std::vector<dynamics::Twist>& V,
                                                       const Surroundings& around,
                                                       const Contact& c) {
  const Vec3 w = V[c.body_b].w - V[c.body_a].w;
  const double tilt = w.cross(c.normal).norm();  // rad/s
  if (tilt == 0.0) return {};
  const double angle = 10.0 * options_.event_tolerance / calc_rim_radius(*model_, c.key);
  const Pose& here = start.X_WB[c.body_b];
  std::vector<Pose> X_WB = start.X_WB;
  Pose& moved = X_WB[c.body_b];
  moved.R = to_matrix(exp_map(angle / tilt * w)) * here.R;
  std::vector<Contact> lowest;
  const collide::Pair parts{.first = c.key.part_a, .second = c.key.part_b};
  finder_.find_pairs({&parts, 1}, X_WB, around.reach, &lowest);
  choose_cap_points(*model_, X_WB, options_.event_tolerance, &lowest);
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
        V[c.body_b].at(rim.p_b - here.p) - V[c.body_a].at(rim.p_a - start.X_WB[c.body_a].p);
    if (u.dot(c.normal) >= -options_.event_tolerance) continue;
    (is_b ? rim.key.feature_b : rim.key.feature_a) = collide::make_feature(
        FeatureKind::kRimMark, 2 * collide::kNumRimMarks + static_cast<int>(around.touches.size()));
    return rim;
  }
  return {};
}

// A cap that lies flat rests on fixed points of its rim. If it tips between two of them, the rim
// between them would sink in at once, so that point touches, too.
bool ContactSearch::append_sinking_rims(const StepStart& start,
                                        const std::vector<dynamics::Twist>& V_WB,
                                        const Memory& memory, Surroundings* around) {
  std::vector<Touch>& touches = around->touches;
  std::vector<Touch> all;
  for (auto touch = touches.cbegin(); touch != touches.cend();) {
    const auto end = std::find_if(touch, touches.cend(), [&](const Touch& other) {
      return other.contact.key.part_a != touch->contact.key.part_a ||
             other.contact.key.part_b != touch->contact.key.part_b;
    });
    const auto mark = std::find_if(touch, end, [](const Touch& t) {
      return lies_on_mark(t.contact);
    });
    all.insert(all.end(), touch, end);
    touch = end;
    if (mark == end) continue;
    const std::optional<Contact> rim = find_sinking_rim(start, V_WB, *around, mark->contact);
    if (rim.has_value()) all.push_back(make_touch(*rim, mark->normal_of, start.X_WB, memory));
  }
  const bool is_any = all.size() > touches.size();
  touches.swap(all);
  return is_any;
}

void ContactSearch::find(const StepStart& start, const VecX& v, const Horizon& horizon,
                         const Memory& memory, Surroundings* around) {
  std::vector<dynamics::Twist> V_WB;
  update_twists(*model_, start.X_WB, v, start.t, &V_WB);
  const double g = model_->gravity.norm();
  const double h = horizon.h;
  around->reach.assign(model_->bodies.size(), options_.event_tolerance);
  for (int i = 0; i < model_->num_bodies(); ++i) {
    const double speed = V_WB[i].v.norm() + V_WB[i].w.norm() * body_radius_[i];
    const bool moves = model_->bodies[i].is_mobile();
    around->reach[i] += horizon.factor * h * (1.2 * speed + (moves ? 2.0 * g * h : 0.0));
  }
  around->found.clear();
  append_joint_limits(*model_, start.q, v, h, &around->found);
  if (options_.friction == scene::AnalyticOptions::Friction::kCoulomb) {
    append_joint_friction(*model_, &around->found);
  }
  find_points(start.X_WB, around->reach, &around->found);
  around->touches.clear();
  around->apart.clear();
  for (std::span<Contact> rest = around->found; !rest.empty();) {
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
      around->apart.push_back(
          {.part_a = c.key.part_a,
           .part_b = c.key.part_b,
           .start = {.gap = c.gap, .p_A = c.p_a, .p_B = c.p_b, .normal = c.normal}});
      continue;
    }
    const contact::NormalOf normal_of =
        is_joint ? contact::NormalOf::kFeatures : find_whose_normal(near, start.X_WB, pair);
    for (const Contact& c : pair) {
      around->touches.push_back(make_touch(c, normal_of, start.X_WB, memory));
    }
  }
  append_sinking_rims(start, V_WB, memory, around);
}

std::vector<double> ContactSearch::calc_speeds(double t, const VecX& q, const VecX& v) const {
  std::vector<Pose> X;
  std::vector<dynamics::Twist> V;
  update_poses(*model_, q, t, &X);
  update_twists(*model_, X, v, t, &V);
  std::vector<double> speeds(V.size());
  for (std::size_t i = 0; i < V.size(); ++i) {
    speeds[i] = V[i].v.norm() + V[i].w.norm() * body_radius_[i];
  }
  return speeds;
}

bool ContactSearch::has_left_reach(const StepStart& start, const VecX& v, double h, const VecX& y,
                                   const std::vector<double>& reach) const {
  std::vector<Pose> X;
  std::vector<dynamics::Twist> V, V_start;
  update_twists(*model_, start.X_WB, v, start.t, &V_start);
  update_poses(*model_, y.head(model_->nq), start.t + h, &X);
  update_twists(*model_, X, y.segment(model_->nq, model_->nv), start.t + h, &V);
  for (int i = 0; i < model_->num_bodies(); ++i) {
    const double w = std::max(V_start[i].w.norm(), V[i].w.norm());
    const double speed = std::max(V_start[i].v.norm(), V[i].v.norm()) + w * body_radius_[i];
    if (speed * h > reach[i] && model_->bodies[i].is_mobile()) return true;
  }
  return false;
}

ForceScale find_scale(const dynamics::Model& model, double event_tolerance, const Motion& motion,
                      std::vector<Touch>* touches) {
  const double rest = event_tolerance;  // m/s, counting a second
  ForceScale scale{.acceleration = model.gravity.norm(), .slip = motion.slow()};
  for (int i = 0; i < static_cast<int>(touches->size()); ++i) {
    Touch& touch = (*touches)[i];
    touch.is_touching =
        touch.contact.gap <= event_tolerance && std::fabs(motion.velocity(i)[0]) <= rest;
    if (touch.is_touching) {
      scale.acceleration = std::max(scale.acceleration, std::fabs(motion.free_acceleration(i)[0]));
    }
    if (slips(motion, i, scale)) touch.slip_dir.setZero();  // the velocity determines it
  }
  if (scale.acceleration == 0.0) scale.acceleration = 1.0;
  return scale;
}

}  // namespace tenpin::methods::analytic
