#include "simulation/frozen_step.h"

#include <algorithm>
#include <cmath>

#include "contact/joint_contacts.h"
#include "dynamics/forces.h"
#include "math/pivoted_cholesky.h"
#include "shapes/bounds.h"

namespace tenpin::simulation {

using contact::Contact;
using contact::ContactKind;
using contact::ContactRecord;
using contact::ContactVector;
using contact::kNormalRow;
using methods::time_stepping::align_tangents;
using methods::time_stepping::calc_middle;
using methods::time_stepping::carry;

namespace {

// The Jacobian at the middle is computed from the end, which depends on it. Each pass divides the
// error by about the size of a body over h times the change of velocity, some thousands: four
// passes reach rounding.
constexpr int kPasses = 4;

Vec2 find_direction(FrozenLaw law, const Vec2& before, const Vec2& after) {
  if (law == FrozenLaw::kSlides) return after.normalized();
  return (before.normalized() + after.normalized()).normalized();
}

}  // namespace

FrozenStep::FrozenStep(const dynamics::Model& model, const Interval& interval)
    : model_(model),
      interval_(interval),
      finder_(model_),
      flight_(model_),
      zero_(VecX::Zero(model.nv)) {
  motion_.V_zero.resize(model.bodies.size());
  for (const dynamics::Body& body : model_.bodies) {
    applied_.push_back(body.applied);
    joint_applied_.push_back(body.joint.forces.applied);
  }
}

void FrozenStep::place(const VecX& q, const VecX& v, double t,
                       methods::time_stepping::BodyMotion* motion) const {
  update_poses(model_, q, t, &motion->X);
  update_twists(model_, motion->X, v, t, &motion->V);
}

// Sets a reach that covers what a contact opens within the step.
void FrozenStep::update_reach() {
  const double g = model_.gravity.norm();
  const double h = interval_.h;
  reach_.assign(model_.bodies.size(), 0.0);
  for (int i = 0; i < model_.num_bodies(); ++i) {
    const dynamics::Body& body = model_.bodies[i];
    double radius = 0.0;
    for (int k = body.parts_begin; body.is_mobile() && k < body.parts_end; ++k) {
      const shapes::PlacedShape& part = model_.parts[k].placed;
      const Vec3 center = part.X_BS.inverse() * Vec3(Vec3::Zero());
      radius = std::max(radius, shapes::calc_bounding_radius(part.shape, center));
    }
    const dynamics::Twist& V = motion_.start.V[i];
    reach_[i] = 2e-3 * radius + 2.0 * g * h * h + 0.25 * h * (V.v.norm() + V.w.norm() * radius);
  }
}

void FrozenStep::find(const methods::time_stepping::BodyMotion& motion, const VecX& q,
                      std::vector<Contact>* contacts) {
  contacts->clear();
  append_joint_limits(model_, q, motion_.v_start, interval_.h, contacts);
  finder_.find_pairs(pairs_, motion.X, reach_, contacts);
}

std::string FrozenStep::hold(const Solved& step) {
  place(step.q0, step.v0, interval_.t, &motion_.start);
  place(step.q1, step.v1, interval_.t + interval_.h, &motion_.end);
  motion_.v_start = step.v0;
  q_solved_ = step.q1;
  v_solved_ = step.v1;
  update_reach();
  pairs_.clear();
  for (const ContactRecord& r : step.records) {
    const collide::Pair pair{.first = r.key.part_a, .second = r.key.part_b};
    if (!contact::is_loaded(r.mode) || r.key.part_a < 0) continue;
    if (pairs_.empty() || pairs_.back() != pair) pairs_.push_back(pair);
  }
  std::vector<Contact> ends;
  find(motion_.start, step.q0, &contacts_.found);
  find(motion_.end, step.q1, &ends);
  held_.clear();
  impulses_.resize(0);
  for (const ContactRecord& r : step.records) {
    if (!contact::is_loaded(r.mode)) continue;
    const Contact* c = contact::find_contact(contacts_.found, r.key);
    if (c == nullptr) return "a contact begins within the step";
    std::string problem = hold_one(r, *c, contact::find_contact(ends, r.key));
    if (!problem.empty()) return problem;
  }
  Point at{.q = step.q0, .v = step.v0, .u = zero_, .p = impulses_};
  End end;
  if (!evaluate(at, &end)) return "the features of a contact change within the step";
  for (std::size_t i = 0; i < held_.size(); ++i) choose_direction(i, step.v0, end.v);
  return "";
}

std::string FrozenStep::hold_one(const ContactRecord& r, const Contact& c, const Contact* at_end) {
  if (c.limit != nullptr) return "friction has a limit surface of its own";
  if (c.mu != c.mu_across) return "friction differs along and across";
  if (c.torsion > 0.0) return "friction resists spin";
  if (c.rolling > 0.0) return "friction resists rolling";
  Held held{.at_start = c, .at_end = c, .row = static_cast<int>(impulses_.size())};
  if (c.kind == ContactKind::kSurface && c.mu > 0.0) {
    const bool slides = r.mode == contact::Mode::kSliding;
    held.law = slides ? FrozenLaw::kSlides : FrozenLaw::kSticks;
    held.size = c.is_planar ? 2 : 3;
  }
  const Contact end = at_end != nullptr ? *at_end : carry(c, motion_.start.X, motion_.end.X);
  const methods::time_stepping::TwoTimes times{
      .first = c, .X_first = motion_.start.X, .second = end, .X_second = motion_.end.X};
  held.is_found = at_end != nullptr && is_same_place(model_, times);
  held.at_end = end;
  const Contact middle = calc_middle(times, motion_.start.X);  // for its axes
  const Vec3 p(held.size == 1 ? r.normal_impulse : middle.normal.dot(r.impulse),
               middle.t1.dot(r.impulse), middle.t2.dot(r.impulse));
  impulses_.conservativeResize(held.row + held.size);
  impulses_.tail(held.size) = p.head(held.size);
  held_.push_back(held);
  return "";
}

// Chooses between the two directions of the step's friction: it is the bisector if slip is faster
// than what friction can reverse within the step (calc_turn in order2/substep_solver.h).
void FrozenStep::choose_direction(std::size_t i, const VecX& v0, const VecX& v1) {
  constexpr double kFirm = 0.9;  // the same two values as in calc_turn
  constexpr double kFast = 4.0;
  Held& one = held_[i];
  if (one.law != FrozenLaw::kSlides || one.size < 3) return;
  const Vec2 before =
      calc_contact_velocity(model_, contacts_.start[i], motion_.start, v0).segment<2>(1);
  const Vec2 after = calc_contact_velocity(model_, contacts_.end[i], motion_.end, v1).segment<2>(1);
  const Friction friction = calc_friction(i);
  const double slow = kFast * friction.mu * friction.mobility * impulses_[one.row];
  if (before.norm() > slow && after.norm() > slow &&
      before.dot(after) > kFirm * before.norm() * after.norm()) {
    one.law = FrozenLaw::kSlidesTurned;
  }
}

// Writes the forces as set_joint_force() does; on loose bodies they act in the kick.
void FrozenStep::write_forces(const VecX& u) {
  for (int i = 0; i < model_.num_bodies(); ++i) {
    dynamics::Body& body = model_.bodies[i];
    dynamics::Joint& joint = body.joint;
    if (!body.is_mobile() || model_.mechanisms[body.mechanism].is_loose) continue;
    const int nv = num_velocities(joint.type);
    if (joint.type == dynamics::JointType::kFree) {
      body.applied.force = applied_[i].force + u.segment<3>(joint.v_begin);
      body.applied.torque = applied_[i].torque + u.segment<3>(joint.v_begin + 3);
    } else {
      joint.forces.applied.head(nv) = joint_applied_[i].head(nv) + u.segment(joint.v_begin, nv);
    }
  }
}

// Half a step: loose bodies move without forces, trees under their forces.
bool FrozenStep::drift(const VecX& q, const VecX& v, double t, VecX* q_end, VecX* v_end) {
  const dynamics::Flight::Start start{.q = q, .v = v, .t = t};
  dynamics::Flight::Work unused;
  bool done = true;
  for (int m = 0; m < model_.num_mechanisms(); ++m) {
    const double half = 0.5 * interval_.h;
    done = (model_.mechanisms[m].is_loose ? flight_.drift(m, start, half, q_end, v_end)
                                          : flight_.fly(m, start, half, q_end, v_end, &unused)) &&
           done;
  }
  return done;
}

const Contact* FrozenStep::find_same(const Contact& wanted) const {
  constexpr double kSameNormal = 1e-3;  // rad   differences rotate normals by about 1e-6
  const Contact* nearest = contact::find_contact(contacts_.found, wanted.key);
  if (nearest != nullptr || wanted.kind != ContactKind::kSurface) return nearest;
  double least = 0.1 * (reach_[wanted.body_a] + reach_[wanted.body_b]);  // m
  for (const Contact& c : contacts_.found) {
    if (c.key.part_a != wanted.key.part_a || c.key.part_b != wanted.key.part_b) continue;
    const double distance = (c.p_a - wanted.p_a).norm();
    if (distance > least || (c.normal - wanted.normal).norm() > kSameNormal) continue;
    least = distance;
    nearest = &c;
  }
  return nearest;
}

// Collects the contacts at the start of this point, with tangents that do not jump.
bool FrozenStep::collect_start(const Point& at) {
  find(motion_.start, at.q, &contacts_.found);
  contacts_.start.clear();
  for (const Held& one : held_) {
    const Contact* c = find_same(one.at_start);
    if (c == nullptr) return false;
    contacts_.start.push_back(*c);
    align_tangents(one.at_start, &contacts_.start.back());
  }
  return true;
}

// Collects the contacts at the end, at coordinates q, and the contacts halfway.
bool FrozenStep::collect_end(const VecX& q) {
  find(motion_.end, q, &contacts_.found);
  contacts_.end.clear();
  contacts_.middle.clear();
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const Contact* c = held_[i].is_found ? find_same(held_[i].at_end) : nullptr;
    if (held_[i].is_found && c == nullptr) return false;
    contacts_.end.push_back(
        c != nullptr ? *c : carry(contacts_.start[i], motion_.start.X, motion_.end.X));
    contacts_.middle.push_back(calc_middle({.first = contacts_.start[i],
                                            .X_first = motion_.start.X,
                                            .second = contacts_.end[i],
                                            .X_second = motion_.end.X},
                                           motion_.mid.X));
    align_tangents(contacts_.middle.back(), &contacts_.end.back());
  }
  return true;
}

// Computes v+ = v- + M^-1 (h k + Jm'p), with k for loose bodies alone.
void FrozenStep::kick(const Point& at, const VecX& v_minus, VecX* v_plus) {
  const double h = interval_.h;
  VecX impulse = zero_;
  for (const dynamics::Mechanism& m : model_.mechanisms) {
    if (!m.is_loose) continue;
    const dynamics::Body& body = model_.bodies[m.bodies.front()];
    dynamics::add_wrench(body, h * (body.mass * model_.gravity + body.applied.force + body.pushed),
                         h * (body.applied.torque + body.twisted), impulse);
    impulse.segment(m.v_begin, m.nv) += h * at.u.segment(m.v_begin, m.nv);
  }
  VecX change(model_.nv);
  M_.solve(model_, impulse, change);
  *v_plus = v_minus + change;
  J_.update(model_, contacts_.middle, motion_.mid.X, motion_.V_zero, M_,
            contact::FrictionPoint::kSurface);
  for (std::size_t i = 0; i < held_.size(); ++i) {
    ContactVector p = ContactVector::Zero();
    p.head(held_[i].size) = at.p.segment(held_[i].row, held_[i].size);
    J_.add_velocity_change(static_cast<int>(i), p, *v_plus);
  }
}

bool FrozenStep::evaluate(const Point& at, End* end) {
  const double t_mid = interval_.t + 0.5 * interval_.h;
  const double t_end = interval_.t + interval_.h;
  write_forces(at.u);
  place(at.q, at.v, interval_.t, &motion_.start);
  motion_.q_mid = at.q;
  v_minus_ = at.v;
  if (!collect_start(at)) return false;
  if (!drift(at.q, at.v, interval_.t, &motion_.q_mid, &v_minus_)) return false;
  place(motion_.q_mid, v_minus_, t_mid, &motion_.mid);
  M_.update(model_, motion_.mid.X, motion_.q_mid, zero_);
  end->q = q_solved_;
  end->v = v_solved_;
  VecX v_plus;
  for (int pass = 0; pass < (held_.empty() ? 1 : kPasses); ++pass) {
    place(end->q, end->v, t_end, &motion_.end);
    if (!collect_end(end->q)) return false;
    kick(at, v_minus_, &v_plus);
    if (!drift(motion_.q_mid, v_plus, t_mid, &end->q, &end->v)) return false;
  }
  place(end->q, end->v, t_end, &motion_.end);
  if (!collect_end(end->q)) return false;
  write_law(at, end);
  return true;
}

void FrozenStep::write_law(const Point& at, End* end) const {
  end->law.resize(at.p.size());
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const Held& one = held_[i];
    const ContactVector u1 = calc_contact_velocity(model_, contacts_.end[i], motion_.end, end->v);
    auto rows = end->law.segment(one.row, one.size);
    rows = u1.head(one.size);
    if (one.law != FrozenLaw::kSlides && one.law != FrozenLaw::kSlidesTurned) continue;
    Vec2 before =
        calc_contact_velocity(model_, contacts_.start[i], motion_.start, at.v).segment<2>(1);
    Vec2 after = u1.segment<2>(1);
    if (one.size == 2) before[1] = after[1] = 0.0;
    const Vec2 s = find_direction(one.law, before, after);
    const double w = J_.own_delassus(static_cast<int>(i))(kNormalRow, kNormalRow);
    const double load = contacts_.end[i].mu * at.p[one.row];
    rows.tail(one.size - 1) =
        w * (at.p.segment(one.row + 1, one.size - 1) + load * s.head(one.size - 1));
  }
}

VecX FrozenStep::calc_mobilities() const {
  // -   of the largest mobility: bodies on rails do not move across them
  constexpr double kImmobile = 1e-3;
  VecX w(impulses_.size());
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const contact::ContactBlock& W = J_.own_delassus(static_cast<int>(i));
    const double largest = W.diagonal().head(held_[i].size).maxCoeff();
    for (int k = 0; k < held_[i].size; ++k) {
      w[held_[i].row + k] = std::max(W(k, k), kImmobile * largest);
    }
  }
  return w;
}

void FrozenStep::project(MatX* dq) const {
  constexpr double kDependent =
      1e-9;  // -   of a row's own mobility; rounding is about 1e-15, real angles are larger
  const int n = static_cast<int>(held_.size());
  if (n == 0) return;
  contact::ContactJacobian J;
  J.update(model_, contacts_.end, motion_.end.X, motion_.V_zero, M_,
           contact::FrictionPoint::kSurface);
  MatX N = MatX::Zero(n, model_.nv);
  MatX L = MatX::Zero(model_.nv, n);  // M^-1 N'
  for (int i = 0; i < n; ++i) {
    for (const int which : {0, 1}) {
      const contact::ContactJacobian::Side& side = J.side(i, which);
      if (side.nv == 0) continue;
      N.row(i).segment(side.v_begin, side.nv) += J.rows(side).row(kNormalRow);
      L.col(i).segment(side.v_begin, side.nv) += J.answers(side).col(kNormalRow);
    }
  }
  PivotedCholesky factor;
  factor.factor(N * L, kDependent);
  for (Eigen::Index k = 0; k < dq->cols(); ++k) {
    VecX gaps = N * dq->col(k);
    factor.solve(gaps);
    dq->col(k) -= L * gaps;
  }
}

}  // namespace tenpin::simulation
