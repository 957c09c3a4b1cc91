#include "methods/analytic/shown_forces.h"

#include <algorithm>
#include <cmath>

namespace tenpin::methods::analytic {

using contact::ContactRecord;
using contact::ContactVector;
using contact::Freedom;
using contact::Mode;

namespace {

constexpr int kMaxSystems = 30;
constexpr double kNoFriction = 1e-9;  // -   of the load

// A contact that rests or slides without force, because others carry the load, may carry its share.
// Joints with dry friction keep their forces.
Freedom find_freedom(const ShownForces::Step& step, int i) {
  const Touch& touch = step.touches[i];
  if (is_dry_joint(touch)) return Freedom::kNone;
  switch (touch.grip) {
    case Grip::kPress:
    case Grip::kStick:
      return Freedom::kHeld;
    case Grip::kSlide:
      return Freedom::kSliding;
    case Grip::kIdle: {
      const double none = kNoise * step.scale.acceleration;
      const Vec3 a = step.motion.acceleration(i);
      if (!touch.is_touching || std::fabs(a[0]) > none) return Freedom::kNone;
      if (slips(step.motion, i, step.scale)) return Freedom::kSliding;
      return a.norm() <= none ? Freedom::kHeld : Freedom::kNone;
    }
    case Grip::kApart:
    case Grip::kGiven:
      break;
  }
  return Freedom::kNone;
}

}  // namespace

// When a contact turns during a step, its impulse lies slightly outside the cone at the end of the
// step, and a frictionless contact has a tangential part. Both are left out while impulses are
// chosen; the record keeps them.
ContactVector ShownForces::find_given(const Step& step, int i) const {
  const double none =
      kNoise * step.scale.acceleration * step.duration / calc_mobility(step.motion, i);
  ContactVector p = before_[i];
  if (freedom_[i] == Freedom::kNone) return p;
  if (p[0] <= (freedom_[i] == Freedom::kSliding ? none : 0.0)) return ContactVector::Zero();
  if (mu_[i] == 0.0) p.tail<3>().setZero();
  if (freedom_[i] == Freedom::kSliding) return p;  // the choice keeps its direction
  const double friction = cone_.calc_gauge(contacts_[i], p.tail<3>());
  if (friction > mu_[i] * p[0]) p.tail<3>() *= mu_[i] * p[0] / friction;
  return p;
}

void ShownForces::collect(const Step& step, const std::vector<ContactRecord>& records) {
  const std::size_t n = step.touches.size();
  contacts_ = step.motion.contacts();
  freedom_.assign(n, Freedom::kNone);
  before_.assign(n, ContactVector::Zero());
  mu_.resize(n);
  loads_.assign(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    contact::Contact& c = contacts_[i];
    mu_[i] = c.mu = c.mu_across = c.mu_static = step.touches[i].mu;
  }
  for (std::size_t k = 0; k < records.size(); ++k) {
    const int i = step.of[k];
    const contact::Contact& c = contacts_[i];
    const Vec3& p = records[k].impulse;
    const bool is_dry = is_dry_joint(step.touches[i]);
    const bool is_stop = c.kind == contact::ContactKind::kJointLimit;
    before_[i] = is_dry    ? ContactVector(0.0, records[k].spin_impulse, 0.0, 0.0)
                 : is_stop ? ContactVector(records[k].normal_impulse, 0.0, 0.0, 0.0)
                           : ContactVector(c.normal.dot(p), c.t1.dot(p), c.t2.dot(p), 0.0);
    if (!records[k].force_unique) freedom_[i] = find_freedom(step, i);
  }
  given_.resize(n);
  for (std::size_t i = 0; i < n; ++i) given_[i] = find_given(step, static_cast<int>(i));
}

bool ShownForces::shorten(const Step& step) {
  bool found = true;
  for (int k = 0; k < islands_.size(); ++k) {
    const std::span<const int> island = islands_.contacts(k);
    island_freedom_.clear();
    island_slips_.clear();
    for (const int i : island) {
      const Vec3 u = step.motion.velocity(i);
      island_freedom_.push_back(freedom_[i]);
      island_slips_.emplace_back(u.y(), u.z(), 0.0);
    }
    const contact::LeastImpulses::Problem problem = {.J = step.motion.jacobian(),
                                                     .contacts = contacts_,
                                                     .cone = cone_,
                                                     .island = island,
                                                     .freedom = island_freedom_,
                                                     .slips = island_slips_,
                                                     .mu = mu_,
                                                     .loads = loads_};
    found = least_.solve(problem, kMaxSystems, impulses_) !=
                contact::LeastImpulses::Outcome::kNotFound &&
            found;
  }
  return found;
}

// N s   Friction beyond that of the contact over the step, or pull.
double ShownForces::calc_excess(const Step& step, int i) const {
  const ContactVector& had = before_[i];
  const ContactVector has = had + impulses_[i] - given_[i];
  const double friction = cone_.calc_gauge(contacts_[i], had.tail<3>());
  double mu = mu_[i];
  if (freedom_[i] == Freedom::kSliding && given_[i][0] > 0.0) {
    mu = std::max(mu, friction / had[0]);  // the effect of turning grows with the load
  }
  const double before = std::max({0.0, -had[0], friction - mu * had[0]});
  const double after =
      std::max(-has[0], cone_.calc_gauge(contacts_[i], has.tail<3>()) - mu * has[0]);
  return std::max(0.0, after - before) * calc_mobility(step.motion, i);
}

// -   How much larger the error of the law is: changed accelerations, and friction beyond the cone.
double ShownForces::calc_change(const Step& step, std::span<const int> island) const {
  double worst = 0.0;
  for (const int i : island) {
    if (freedom_[i] == Freedom::kNone) continue;
    const double u = step.motion.jacobian().velocity_of_bodies(i, change_).head<3>().norm();
    worst = std::max({worst, u, calc_excess(step, i)});
  }
  return worst / (step.scale.acceleration * step.duration);
}

// Islands whose certificate would fail with the chosen impulses keep their own.
bool ShownForces::keep_certified(const Step& step, contact::Certificate* certificate) {
  bool passed = true;
  change_.setZero(step.model.nv);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (freedom_[i] == Freedom::kNone) continue;
    step.motion.jacobian().add_velocity_change(static_cast<int>(i), impulses_[i] - given_[i],
                                               change_);
  }
  for (int k = 0; k < islands_.size(); ++k) {
    const std::span<const int> island = islands_.contacts(k);
    const double change = calc_change(step, island);
    if (change <= step.tolerance) {
      certificate->residual = std::max(certificate->residual, change);
      continue;
    }
    passed = false;
    for (const int i : island) freedom_[i] = Freedom::kNone;
  }
  return passed;
}

void ShownForces::write(const Step& step, std::vector<ContactRecord>* records) const {
  for (std::size_t k = 0; k < records->size(); ++k) {
    const int i = step.of[k];
    if (freedom_[i] == Freedom::kNone) continue;
    const contact::Contact& c = contacts_[i];
    const ContactVector& p = impulses_[i];
    const ContactVector change = p - given_[i];
    ContactRecord& r = (*records)[k];
    r.impulse += c.normal * change[0] + c.t1 * change[1] + c.t2 * change[2];
    r.normal_impulse += change[0];
    if (freedom_[i] == Freedom::kSliding) {
      if (given_[i][0] > 0.0) {
        r.friction_work *= p[0] / given_[i][0];
      } else if (p[0] > 0.0) {
        r.mode = Mode::kSliding;
        r.friction_work += change.segment<2>(1).dot(step.motion.velocity(i).tail<2>());
      }
    } else if (p[0] > 0.0 && r.mode != Mode::kSliding) {
      r.mode = p.tail<3>().norm() > kNoFriction * p[0] ? Mode::kSticking : Mode::kResting;
    }
  }
}

void ShownForces::make_least(const Step& step, std::vector<ContactRecord>* records,
                             contact::Certificate* certificate) {
  const bool is_open = std::any_of(records->begin(), records->end(), [](const ContactRecord& r) {
    return !r.force_unique;
  });
  if (!is_open || !(step.duration > 0.0)) return;
  collect(step, *records);
  impulses_ = given_;
  islands_.update(step.model, contacts_);
  const bool found = shorten(step);
  certificate->forces_least = keep_certified(step, certificate) && found;
  write(step, records);
}

}  // namespace tenpin::methods::analytic
