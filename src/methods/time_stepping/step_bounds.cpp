#include "methods/time_stepping/step_bounds.h"

#include <algorithm>
#include <cmath>

#include "base/rounded.h"
#include "contact/joint_contacts.h"
#include "dynamics/joint_forces.h"
#include "math/rotation.h"
#include "methods/time_stepping/tolerances.h"

namespace tenpin::methods::time_stepping {

using contact::Contact;

namespace {

// -   of the size of the smaller of two overlapping bodies; also rad. Chosen: hardly visible.
// Linearised positions leave (w h)^2 / 2 of an arm, a tenth of this at 10 rad/s and 1/240 s.
constexpr double kMostOverlap = 0.01;

}  // namespace

double calc_kinetic_energy(const dynamics::Model& model, const dynamics::Mechanism& mechanism,
                           const std::vector<Pose>& X_WB, const std::vector<dynamics::Twist>& V_WB,
                           ConstVecRef v) {
  double twice = 0.0;
  for (const int i : mechanism.bodies) {
    const dynamics::Body& body = model.bodies[i];
    const dynamics::Joint& joint = body.joint;
    if (mechanism.is_loose && joint.type == dynamics::JointType::kPlanar) {
      const Vec3 axis = joint.X_MB.R.transpose().col(2);
      const double rate = v[joint.v_begin + 2];
      return 0.5 * (body.mass * v.segment<2>(joint.v_begin).squaredNorm() +
                    axis.dot(body.inertia * axis) * rate * rate);
    }
    const Vec3 w_P = (X_WB[i].R * to_matrix(body.q_BP)).transpose() * V_WB[i].w;
    twice += body.mass * V_WB[i].v.squaredNorm() + w_P.dot(body.moments.cwiseProduct(w_P));
    if (joint.forces.armature > 0.0) {
      const int nv = num_velocities(joint.type);
      twice += joint.forces.armature * v.segment(joint.v_begin, nv).squaredNorm();
    }
  }
  return 0.5 * twice;
}

double calc_spring_energy(const dynamics::Model& model, const dynamics::Mechanism& mechanism,
                          ConstVecRef q, ConstVecRef v) {
  double energy = 0.0;
  for (const int i : mechanism.bodies) {
    const dynamics::Joint& joint = model.bodies[i].joint;
    const double stiffness = joint.forces.stiffness;
    for (int k = 0; k < num_velocities(joint.type) && stiffness > 0.0; ++k) {
      const double force = calc_joint_load(joint, k, q, v, 0.0).spring;
      energy += 0.5 * force * force / stiffness;
    }
  }
  return energy;
}

double allow_gain(const EnergyScale& scale, double share, OwnError own_error) {
  // Chosen: an error of this size in a step is hidden by friction and impacts. With a value ten
  // times larger, a coin on its rim gains energy visibly; with one ten times smaller, every rolling
  // coin is solved in many parts.
  constexpr double kHop = 2e-6;  // -   of a body's size: smaller lifts are not noticed
  // Chosen: even a tenth of this is rare. A larger gain cannot be the error of a scheme.
  constexpr double kMostGain = 0.05;
  constexpr double kMostHop = kMostOverlap;  // an allowed overlap may be undone
  if (own_error == OwnError::kAccepted) {
    return kMostGain * scale.kinetic + kMostHop * scale.weight + scale.rounding;
  }
  return std::sqrt(share) * kMostEnergyGain * scale.kinetic + kHop * scale.weight + scale.rounding;
}

double GainBudget::calc_excess(std::span<const int> mechanisms, double gain,
                               const EnergyScale& scale) {
  const double most = allow_gain(scale, 1.0, OwnError::kAccepted) - scale.rounding;
  const double share = most > 0.0 ? std::max(gain - scale.rounding, 0.0) / most : 0.0;
  double spent = 0.0;
  for (const int m : mechanisms) {
    if (m < static_cast<int>(spent_.size())) spent = std::max(spent, spent_[m]);
    if (share > 0.0) proposed_.emplace_back(m, share);
  }
  return gain - std::max(1.0 - spent, 0.0) * most - scale.rounding;
}

void GainBudget::accept() {
  for (const auto& [m, share] : proposed_) {
    if (m >= static_cast<int>(spent_.size())) spent_.resize(m + 1, 0.0);
    spent_[m] += share;
  }
  proposed_.clear();
}

// m   The extent of a body's shapes or, where it has none, its radius of gyration.
double OverlapCheck::calc_size(const dynamics::Body& body) const {
  // Chosen: a stop between massless links is met to 1e-11 m, which rounding never exceeds.
  constexpr double kLeast = 1e-9;  // m
  double size = 0.0;
  for (int part = body.parts_begin; part < body.parts_end; ++part) {
    size = std::max(size, sizes_->calc_extent(part));
  }
  return std::max(size > 0.0 ? size : calc_gyration_radius(body), kLeast);
}

// m, rad
double OverlapCheck::calc_bound(const Contact& c) const {
  if (c.kind == contact::ContactKind::kSurface)
    return kMostOverlap * sizes_->calc_least_size(c.key);
  const dynamics::Body& body = model_->bodies[c.body_b];
  if (body.joint.type != dynamics::JointType::kSlider) return kMostOverlap;
  return kMostOverlap * calc_size(body);
}

// m, rad   Overlap of the same two parts, or of the same stop, at the start.
double OverlapCheck::calc_depth_at_start(const Contact& c) const {
  const bool is_surface = c.kind == contact::ContactKind::kSurface;
  double depth = 0.0;
  for (const Contact& before : at_start_) {
    const bool is_pair = before.key.part_a == c.key.part_a && before.key.part_b == c.key.part_b;
    if (is_surface ? is_pair : before.key == c.key) depth = std::max(depth, -before.gap);
  }
  return depth;
}

std::optional<Overlap> OverlapCheck::find_worst(std::span<const Contact> at_end,
                                                const Start& start) {
  // -   of an overlap at the start of the step: allows for rounding
  constexpr double kGrowth = 1.01;
  deep_.clear();
  for (const Contact& c : at_end) {
    if (c.gap < 0.0 && -c.gap > calc_bound(c)) deep_.push_back(c);
  }
  if (deep_.empty()) return std::nullopt;
  pairs_.clear();
  for (const Contact& c : deep_) {
    if (c.kind != contact::ContactKind::kSurface) continue;
    const collide::Pair pair{.first = c.key.part_a, .second = c.key.part_b};
    if (pairs_.empty() || pairs_.back() != pair) pairs_.push_back(pair);
  }
  at_start_.clear();
  append_joint_limits(*model_, start.q, VecX::Zero(model_->nv), 0.0, &at_start_);
  update_poses(*model_, start.q, start.t, &X_start_);
  finder_->find_pairs(pairs_, X_start_, start.reach, &at_start_);
  std::optional<Overlap> worst;
  for (const Contact& c : deep_) {
    const double allowed = std::max(calc_bound(c), kGrowth * calc_depth_at_start(c));
    if (-c.gap <= allowed) continue;
    if (!worst || c.gap / allowed < worst->contact.gap / worst->allowed) {
      worst = Overlap{.contact = c, .allowed = allowed};
    }
  }
  return worst;
}

std::string tell_overlap(const Overlap& overlap, const dynamics::Model& model) {
  const Contact& c = overlap.contact;
  const bool is_surface = c.kind == contact::ContactKind::kSurface;
  const std::string& b = model.bodies[c.body_b].name;
  const std::string what = is_surface ? model.bodies[c.body_a].name + " and " + b + " overlap by "
                                      : "the joint of " + b + " is beyond its stop by ";
  return what + to_rounded(-c.gap) + " at the end of the step, allowed is " +
         to_rounded(overlap.allowed);
}

}  // namespace tenpin::methods::time_stepping
