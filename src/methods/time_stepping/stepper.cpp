#include "methods/time_stepping/stepper.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "contact/joint_contacts.h"
#include "dynamics/forces.h"
#include "dynamics/joint_forces.h"
#include "shapes/bounds.h"

namespace tenpin::methods::time_stepping {

using dynamics::JointType;

namespace {

// What falls asleep rests on its impulses for long.
scene::TimeSteppingOptions tighten(scene::TimeSteppingOptions options) {
  *options.tolerance *= 1e-2;
  return options;
}

bool has_applied_forces(const dynamics::Model& model) {
  return std::any_of(model.bodies.begin(), model.bodies.end(), [](const dynamics::Body& body) {
    const dynamics::AppliedForce& a = body.applied;
    return !a.force.isZero(0.0) || !a.torque.isZero(0.0) || a.viscous != 0.0 || a.drag != 0.0 ||
           a.viscous_spin != 0.0;
  });
}

bool have_same_bits(const VecX& a, const VecX& b) {
  const auto size = static_cast<std::size_t>(a.size()) * sizeof(double);
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), size) == 0;
}

void copy(const VecX& from, const Workers& workers, VecX* to) {
  to->resize(from.size());
  workers.split(static_cast<int>(from.size()), [&](int begin, int end) {
    std::copy(from.begin() + begin, from.begin() + end, to->begin() + begin);
  });
}

}  // namespace

Stepper::Stepper(const dynamics::Model& model, const Options& options, const Workers& workers)
    : model_(&model),
      options_(options),
      by_cone_(options.solver == Options::Solver::kCone),
      cone_(by_cone_ ? contact::FrictionCone::round()
                     : contact::FrictionCone(*options.directions, options.direction_phase)),
      workers_(&workers),
      finder_(model, &workers),
      passages_(model, &finder_, &workers),
      passage_check_(model, finder_, &workers),
      overlap_check_(model, &finder_, passage_check_),
      solver_(model, cone_, options, workers),
      apart_solver_(model, cone_, options, workers),
      rest_solver_(model, cone_, tighten(options), workers),
      sleepers_(model),
      flight_(model, &workers),
      nobody_(model.mechanisms.size()),
      flies_(model.mechanisms.size()),
      is_pushed_(has_applied_forces(model)),
      zero_(VecX::Zero(model.nv)) {
  problem_.J.set_workers(&workers);
  M_.set_workers(&workers);
  for (const int i : model.jointed) {
    if (!std::isinf(model.bodies[i].joint.forces.motor.limit)) limited_motors_.push_back(i);
  }
  for (const dynamics::Body& body : model.bodies) {
    double radius = 0.0;
    for (int i = body.parts_begin; body.is_mobile() && i < body.parts_end; ++i) {
      const shapes::PlacedShape& part = model.parts[i].placed;
      const Vec3 center = part.X_BS.inverse() * Vec3(Vec3::Zero());
      radius = std::max(radius, shapes::calc_bounding_radius(part.shape, center));
    }
    radius_.push_back(radius);
    is_driven_ = is_driven_ || (body.is_mobile() && body.joint.type == JointType::kPrescribed);
  }
  for (const dynamics::Surface& surface : model.surfaces) {
    has_viscous_ = has_viscous_ || surface.viscous > 0.0;
    const bool has_law = *options.restitution != Options::Restitution::kNone;
    bounces_ = bounces_ || (has_law && surface.restitution > 0.0);
  }
  for (const dynamics::Mechanism& m : model.mechanisms) {
    articulated_.push_back(!m.is_loose);
    has_loops_ = has_loops_ || !m.loops.empty();
    for (const int i : m.bases) {
      is_driven_ = is_driven_ || model.bodies[i].joint.type == JointType::kPrescribed;
    }
  }
}

// The energy that is known of the last step's end is that of the old gravity, and so are the
// impulses that hold sleepers.
void Stepper::model_changed() {
  is_pushed_ = has_applied_forces(*model_);
  is_at_end_ = false;
  sleepers_.forget_beds();
}

void Stepper::step(double h, double t_end, OwnError own_error, dynamics::State* state,
                   StepReport* report) {
  h_ = h;
  t_ended_ = t_end_;
  t_end_ = t_end;
  *report = {.step = state->step + 1, .t = t_end};
  begin(*state);
  if (!solve_contacts(report)) return;
  finish(report);
  write_records();
  write_ledger(report);
  write_certificate(own_error, report);
  report_beds(report);
  if (report->status == AdvanceStatus::kReachedEnd) commit(state);
}

// Where everything is, what pulls, and how far contacts may come from.
void Stepper::begin(const dynamics::State& state) {
  t0_ = state.t;
  const std::span<const std::uint64_t> memory = state.memory;
  active_.load(options_.sleeping ? sleepers_.load(memory) : memory, workers_);
  find_start(state);
  projection_work_ = projection_kinetic_ = 0.0;
  too_fast_ = false;

  gravity_.resize(model_->nv);
  applied_.resize(model_->nv);
  dynamics::calc_gravity(*model_, X_start_, &wrenches_, gravity_, workers_);
  gravity_ *= h_;
  applied_.setZero();
  if (is_pushed_) {
    dynamics::calc_applied(*model_, X_start_, V_start_, h_, &wrenches_, applied_);
    applied_ *= h_;
  }
  outside_ = applied_;
  motor_push_.assign(model_->bodies.size(), 0.0);
  take_forces();
  measure_reach();
  make_beds();
}

// Mostly where the step before ended, and then nothing has to be computed again.
void Stepper::find_start(const dynamics::State& state) {
  if (is_at_end_ && t0_ == t_ended_ && have_same_bits(state.q, q_end_) &&
      have_same_bits(state.v, v_end_)) {
    q0_.swap(q_end_);
    v0_.swap(v_end_);
    X_start_.swap(X_end_);
    V_start_.swap(V_end_);
    energy_start_ = energy_end_;
  } else {
    q0_ = state.q;
    v0_ = state.v;
    update_poses(*model_, q0_, t0_, &X_start_, workers_);
    update_twists(*model_, X_start_, v0_, t0_, &V_start_, workers_);
    energy_start_ = calc_kinetic_energy(*model_, X_start_, V_start_, v0_, workers_) +
                    calc_potential_energy(*model_, X_start_, q0_, workers_);
  }
  is_at_end_ = false;
}

// A contact that takes part must be found although free flight may lift it a little. Where the law
// is met at the end of the step, it must be found there after a bounce: the bodies may have come
// all the way and gone back as far.
void Stepper::measure_reach() {
  reach_.resize(model_->bodies.size());
  body_speeds_.resize(model_->bodies.size());
  const double fall = model_->gravity.norm() * h_ * h_;
  const bool looks_back = bounces_ && options_.formulation == Options::Formulation::kNonlinear;
  const double share = looks_back ? 2.0 : 0.25;
  workers_->split(model_->num_bodies(), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      body_speeds_[i] = V_start_[i].v.norm() + V_start_[i].w.norm() * radius_[i];
      reach_[i] = 2e-3 * radius_[i] + 2.0 * fall + share * h_ * body_speeds_[i];
    }
  });
  body_speed_ =
      find_largest(workers_, model_->num_bodies(), model_->gravity.norm() * h_, [this](int i) {
        return body_speeds_[i];
      });
}

// Springs, damping and servos act at the velocity after the step: what that takes back for each
// change of velocity acts like mass on the joint's own diagonal.
void Stepper::take_joint_forces() {
  joint_spring_.setZero(model_->nv);
  slope_spring_.setZero(model_->nv);
  slope_.setZero(model_->nv);
  for (const int i : model_->jointed) {
    const dynamics::Joint& joint = model_->bodies[i].joint;
    if (!has_joint_forces(joint)) continue;
    for (int k = 0; k < num_velocities(joint.type); ++k) {
      const int iv = joint.v_begin + k;
      const bool is_limited = motor_push_[i] != 0.0;
      const dynamics::ImplicitLoad load =
          is_limited ? calc_passive_load(joint, k, q0_, v0_, h_)
                     : calc_implicit_load(joint, k, q0_, v0_, {.t = t0_, .h = h_});
      joint_spring_[iv] = h_ * load.at_start.spring;
      applied_[iv] += h_ * (load.at_start.spring + load.at_start.other);
      slope_spring_[iv] = h_ * load.slope.spring;
      slope_[iv] = h_ * (load.slope.spring + load.slope.other);
      applied_[iv] += h_ * motor_push_[i];
    }
  }
}

// A motor that would have to give more than its limit to reach those velocities gives its limit;
// true if one was found.
bool Stepper::limit_motors(const VecX& v) {
  bool any = false;
  for (const int i : limited_motors_) {
    const dynamics::Joint& joint = model_->bodies[i].joint;
    const double limit = joint.forces.motor.limit;
    if (motor_push_[i] != 0.0) continue;
    const double drive = calc_motor_force(joint, q0_, v[joint.v_begin], t0_, h_);
    if (std::fabs(drive) <= limit) continue;
    motor_push_[i] = std::copysign(limit, drive);
    any = true;
  }
  return any;
}

// The forces of the step and what they make of the velocity, motors within their limits.
void Stepper::take_forces() {
  do {
    applied_ = outside_;
    take_joint_forces();
    M_.update(*model_, X_start_, q0_, slope_);
    if (!limited_motors_.empty()) calc_free_velocity();
  } while (limit_motors(v_free_));
}

// What all forces but contact make of the velocity, with loops closed.
void Stepper::calc_free_velocity() {
  v_free_.resize(model_->nv);
  impulse_.resize(model_->nv);
  workers_->split(model_->nv, [this](int begin, int end) {
    for (int k = begin; k < end; ++k) impulse_[k] = gravity_[k] + applied_[k];
  });
  M_.solve(*model_, impulse_, v_free_);
  workers_->split(model_->nv, [this](int begin, int end) {
    for (int k = begin; k < end; ++k) v_free_[k] += v0_[k];
  });
  for (int m = 0; has_loops_ && m < model_->num_mechanisms(); ++m) {
    const dynamics::Mechanism& mechanism = model_->mechanisms[m];
    if (mechanism.loops.empty()) continue;
    M_.inverse(m).loops().calc_rates(V_start_, v0_, &loop_rates_);
    M_.inverse(m).close_rates(loop_rates_, v_free_.segment(mechanism.v_begin, mechanism.nv));
  }
}

// Joints and surfaces, also those that a body passes on its way from the start to X_WB; sorted by
// key, because joints' keys come first.
void Stepper::find_contacts(const std::vector<Pose>& X_WB, ConstVecRef q,
                            std::vector<contact::Contact>* contacts) {
  limits_.clear();
  append_joint_limits(*model_, q, v0_, h_, &limits_);
  if (sleepers_.size() == 0) {
    finder_.find(X_WB, reach_, limits_, contacts);
  } else {  // what sleepers rest on is known
    *contacts = limits_;
    finder_.find_again(X_WB, reach_, sleepers_.awake(), {}, contacts);
  }
  (void)passages_.restore_met({.X_begin = X_start_, .X_end = X_WB, .V = V_start_, .h = h_},
                              contacts);
}

// Who is farther at the end than contacts can be carried along. What so small a share of a body's
// size makes of a gap beyond first order is rounding; but rigid bodies may not overlap by that much
// at features that did not touch before.
void Stepper::find_moved() {
  constexpr double kStill = 1e-7;  // of a body's size
  moved_.resize(model_->bodies.size());
  workers_->split(model_->num_bodies(), [this](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const double way =
          (X_end_[i].p - X_hat_[i].p).norm() + radius_[i] * (X_end_[i].R - X_hat_[i].R).norm();
      const double most = options_.compliance > 0.0 ? kStill * radius_[i] : 0.5 * kViolation;
      moved_[i] = way <= most ? 0 : 1;
    }
  });
}

void Stepper::find_contacts_at_end() {
  update_poses(*model_, q_end_, t_end_, &X_end_, workers_);
  if (sleepers_.size() > 0) {
    find_contacts(X_end_, q_end_, &end_contacts_);
    return;
  }
  find_moved();
  limits_.clear();
  append_joint_limits(*model_, q_end_, v0_, h_, &limits_);
  finder_.find_near(X_end_, reach_, {.X_WB = X_hat_, .contacts = candidates_, .moved = moved_},
                    limits_, &end_contacts_);
  (void)passages_.restore_met({.X_begin = X_start_, .X_end = X_end_, .V = V_start_, .h = h_},
                              &end_contacts_);
}

// Mechanisms that nothing touches in this step move by their smooth forces alone, which can be
// integrated to rounding: no kick is needed. Loose bodies keep to the paper's scheme.
void Stepper::fly_untouched() {
  flown_ = {};
  if (std::none_of(articulated_.begin(), articulated_.end(), [](bool is) {
        return is;
      }))
    return;
  for (int m = 0; m < model_->num_mechanisms(); ++m) flies_[m] = !model_->mechanisms[m].is_loose;
  for (const contact::Contact& c : problem_.contacts) {
    for (const int body : {c.body_a, c.body_b}) {
      if (model_->bodies[body].is_mobile()) flies_[model_->bodies[body].mechanism] = false;
    }
  }
  for (int m = 0; m < model_->num_mechanisms(); ++m) {
    if (!flies_[m]) continue;
    dynamics::Flight::Work work;
    flies_[m] = flight_.fly(m, {.q = q0_, .v = v0_, .t = t0_}, h_, &q_end_, &v_end_, &work);
    flown_.potential += work.potential;
    flown_.applied += work.applied;
    flown_.prescribed += work.prescribed;
  }
}

// From the velocities after the kick to the end of the step.
void Stepper::move() {
  if (has_moved_) return;
  q_end_.resize(model_->nq);
  v_end_.resize(model_->nv);
  fly_untouched();
  too_fast_ = !flight_.drift({.q = q0_, .v = v_kicked_, .t = t0_}, h_, flies_, &q_end_, &v_end_);
  sleepers_.hold_coordinates(q0_, q_end_);
  sleepers_.hold_velocities(v_end_);
  drift_potential_ = flight_.drift_potential_work();
  drift_prescribed_ = flight_.drift_prescribed_work();
  find_contacts_at_end();
  has_moved_ = true;
}

// Who flew was not kicked: its impulses leave the books.
void Stepper::enter_flights() {
  for (int m = 0; m < model_->num_mechanisms(); ++m) {
    if (!flies_[m]) continue;
    const int begin = model_->mechanisms[m].v_begin;
    const int nv = model_->mechanisms[m].nv;
    v_kicked_.segment(begin, nv) = v0_.segment(begin, nv);
    for (VecX* impulse : {&gravity_, &applied_, &joint_spring_, &slope_spring_, &slope_}) {
      impulse->segment(begin, nv).setZero();
    }
  }
}

void Stepper::finish(StepReport* report) {
  move();
  find_overlooked();
  enter_flights();
  update_twists(*model_, X_start_, v_kicked_, t0_, &V_kicked_, workers_);
  kinetic_kicked_ = calc_kinetic_energy(*model_, X_start_, V_kicked_, v_kicked_, workers_);
  if (options_.formulation == Options::Formulation::kVelocity && options_.projection) project();
  report->num_contacts = static_cast<int>(end_contacts_.size());
  report->num_active = problem_.size();
}

// Moves overlapping bodies apart by the least motion in the mass metric, all contacts at once.
// Velocities are not touched, so loose bodies lose no kinetic energy; what gravity gives or takes
// is entered in the ledger. [ST00, §3.3]
void Stepper::project() {
  constexpr int kMaxRounds = 5;
  constexpr double kOverlap = 1e-13;  // m
  // Trees change their kinetic energy with their configuration.
  const auto calc_kinetic = [this] {
    update_twists(*model_, X_end_, v_end_, t_end_, &V_end_, workers_);
    return calc_kinetic_energy(*model_, X_end_, V_end_, v_end_, workers_);
  };
  const double before = calc_potential_energy(*model_, X_end_, q_end_, workers_);
  const double kinetic_before = calc_kinetic();
  for (int round = 0; round < kMaxRounds; ++round) {
    const bool overlaps =
        std::any_of(end_contacts_.begin(), end_contacts_.end(), [](const auto& c) {
          return c.gap < -kOverlap;
        });
    if (!overlaps) break;
    apart_.contacts = end_contacts_;
    apart_.with_friction = false;
    V_drive_.assign(model_->bodies.size(), {});  // displacements: prescribed bodies stay
    apart_.J.update(*model_, apart_.contacts, X_end_, V_drive_, M_,
                    contact::FrictionPoint::kSurface);
    apart_.M = &M_;
    apart_.v.setZero(model_->nv);
    apart_.mu.assign(apart_.contacts.size(), 0.0);
    apart_.given.assign(apart_.contacts.size(), 0.0);
    apart_.guess.assign(apart_.contacts.size(), Vec3::Zero());
    apart_.memory.assign(apart_.contacts.size(), Vec3::Zero());
    apart_.softness.assign(apart_.contacts.size(), Vec3::Zero());
    apart_.required.resize(apart_.contacts.size());
    for (int i = 0; i < apart_.size(); ++i) apart_.required[i] = -apart_.contacts[i].gap;
    apart_solver_.solve(apart_, &apart_answer_);
    if (apart_answer_.status != complementarity::SolveStatus::kSolved) break;
    scratch_ = q_end_;
    displace(*model_, scratch_, apart_answer_.v, q_end_);
    for (const dynamics::Mechanism& mechanism : model_->mechanisms) {
      if (!mechanism.loops.empty()) (void)close_loops(*model_, mechanism, t_end_, &q_end_);
    }
    find_contacts_at_end();
  }
  projection_kinetic_ = calc_kinetic() - kinetic_before;
  projection_work_ =
      calc_potential_energy(*model_, X_end_, q_end_, workers_) - before + projection_kinetic_;
}

// Which contacts the next step starts with: those that touch or carry an impulse. The velocity
// formulation stops bodies short of each other, where an impulse alone must not keep them; with its
// projection, a loaded contact touches if one step's fall would close it.
void Stepper::remember_active() {
  const double short_of = options_.projection ? 2.0 * model_->gravity.norm() * h_ * h_ : 0.0;
  const bool at_velocities = options_.formulation == Options::Formulation::kVelocity;
  is_known_.resize(problem_.contacts.size());
  workers_->split(problem_.size(), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const bool loaded = impulses_[i][contact::kNormalRow] > 0.0 &&
                          (!at_velocities || records_[i].gap <= short_of);
      const bool stays = (loaded || !(records_[i].gap > kTouching)) &&
                         problem_.contacts[i].kind != contact::ContactKind::kJointFriction;
      is_known_[i] = stays ? 1 : 0;
    }
  });
  const std::span<const Bed> beds = sleepers_.beds();
  kept_.clear();
  for (int i = 0; i < problem_.size(); ++i) {
    if (is_known_[i] != 0) kept_.push_back(i);
  }
  for (int i = 0; i < static_cast<int>(beds.size()); ++i) {
    const bool stays = beds[i].impulse.x() > 0.0 || !(beds[i].contact.gap > kTouching);
    if (stays) kept_.push_back(-1 - i);
  }
  if (!extra_.empty() || !beds.empty()) {
    const auto key = [&](int i) -> const contact::ContactKey& {
      return i < 0 ? beds[-1 - i].contact.key : problem_.contacts[i].key;
    };
    std::stable_sort(kept_.begin(), kept_.end(), [&](int i, int j) {
      return key(i) < key(j);
    });
    // What was found at the end of a step may be found at q_hat, too, when that has moved.
    const auto is_same = [&](int i, int j) {
      return key(i) == key(j);
    };
    kept_.erase(std::unique(kept_.begin(), kept_.end(), is_same), kept_.end());
  }
  active_.assign(static_cast<int>(kept_.size()), *workers_, [&](int k) -> ActiveSet::Entry {
    const int i = kept_[k];
    if (i < 0) {
      const Bed& bed = beds[-1 - i];
      return {.key = bed.contact.key, .impulse = bed.impulse, .point = bed.point};
    }
    const contact::Contact& c = problem_.contacts[i];
    return {.key = c.key,
            .impulse = impulses_[i].head<3>(),
            .point = X_hat_[c.body_a].inverse() * c.p_a};
  });
}

void Stepper::commit(dynamics::State* state) {
  remember_active();
  active_.save(&state->memory, workers_);
  copy(q_end_, *workers_, &state->q);
  copy(v_end_, *workers_, &state->v);
  is_at_end_ = true;
  state->t = t_end_;
  ++state->step;
  if (!options_.sleeping) return;
  settle(state);
  sleepers_.save(&state->memory);
}

}  // namespace tenpin::methods::time_stepping
