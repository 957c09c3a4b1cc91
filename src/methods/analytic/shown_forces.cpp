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

// What rests without force, because others hold it, may bear its share. Joints with dry friction
// keep what they have.
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
      const bool rests = touch.is_touching && !slips(step.motion, i, step.scale) &&
                         step.motion.acceleration(i).norm() <= none;
      return rests ? Freedom::kHeld : Freedom::kNone;
    }
    case Grip::kApart:
    case Grip::kGiven:
      break;
  }
  return Freedom::kNone;
}

}  // namespace

void ShownForces::collect(const Step& step, const std::vector<ContactRecord>& records) {
  const std::size_t n = step.touches.size();
  contacts_ = step.motion.contacts();
  freedom_.assign(n, Freedom::kNone);
  impulses_.assign(n, ContactVector::Zero());
  mu_.resize(n);
  loads_.assign(n, 0.0);
  is_unique_.assign(n, 1);
  for (std::size_t i = 0; i < n; ++i) {
    contact::Contact& c = contacts_[i];
    mu_[i] = c.mu = c.mu_across = c.mu_static = step.touches[i].mu;
  }
  for (std::size_t k = 0; k < records.size(); ++k) {
    const int i = step.of[k];
    const contact::Contact& c = contacts_[i];
    const Vec3& p = records[k].impulse;
    const bool is_dry = is_dry_joint(step.touches[i]);
    impulses_[i] = is_dry ? ContactVector(0.0, records[k].spin_impulse, 0.0, 0.0)
                          : ContactVector(c.normal.dot(p), c.t1.dot(p), c.t2.dot(p), 0.0);
    freedom_[i] = find_freedom(step, i);
    is_unique_[i] = records[k].force_unique ? 1 : 0;
  }
}

bool ShownForces::shorten(const Step& step) {
  bool found = true;
  islands_.update(step.model, contacts_);
  for (int k = 0; k < islands_.size(); ++k) {
    const std::span<const int> island = islands_.contacts(k);
    const bool is_unique = std::all_of(island.begin(), island.end(), [this](int i) {
      return is_unique_[i] != 0;
    });
    if (is_unique) continue;
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

// -   By how much the law is less well obeyed: other accelerations, and friction beyond its cone.
double ShownForces::calc_change(const Step& step) {
  double worst = 0.0;
  change_.setZero(step.model.nv);
  const contact::ContactJacobian& J = step.motion.jacobian();
  const int n = static_cast<int>(contacts_.size());
  for (int i = 0; i < n; ++i) J.add_velocity_change(i, impulses_[i] - before_[i], change_);
  for (int i = 0; i < n; ++i) {
    if (freedom_[i] == Freedom::kNone) continue;
    const ContactVector& p = impulses_[i];
    const double beyond =
        std::max(-p[0], cone_.calc_gauge(contacts_[i], p.tail<3>()) - mu_[i] * p[0]);
    const double u = J.velocity_of_bodies(i, change_).head<3>().norm();
    worst = std::max({worst, u, beyond * calc_mobility(step.motion, i)});
  }
  return worst / (step.scale.acceleration * step.duration);
}

void ShownForces::write(const Step& step, std::vector<ContactRecord>* records) const {
  for (std::size_t k = 0; k < records->size(); ++k) {
    const int i = step.of[k];
    if (freedom_[i] == Freedom::kNone || is_unique_[i] != 0) continue;
    const contact::Contact& c = contacts_[i];
    const ContactVector& p = impulses_[i];
    ContactRecord& r = (*records)[k];
    r.impulse = c.normal * p[0] + c.t1 * p[1] + c.t2 * p[2];
    r.normal_impulse = p[0];
    if (freedom_[i] == Freedom::kSliding) {
      if (before_[i][0] > 0.0) r.friction_work *= p[0] / before_[i][0];
    } else if (p[0] > 0.0) {
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
  before_ = impulses_;
  certificate->forces_least = shorten(step);
  certificate->residual = std::max(certificate->residual, calc_change(step));
  write(step, records);
}

}  // namespace tenpin::methods::analytic
