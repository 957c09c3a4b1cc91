#include "methods/time_stepping/stepper.h"

#include <algorithm>
#include <cmath>

#include "dynamics/forces.h"
#include "shapes/bounds.h"

namespace tenpin::methods::time_stepping {

Stepper::Stepper(const dynamics::Model& model, const Options& options, int threads)
    : model_(&model),
      options_(options),
      cone_(options.directions, options.direction_phase),
      finder_(model),
      solver_(model, cone_, threads),
      apart_solver_(model, cone_, threads) {
  for (const dynamics::Body& body : model.bodies) {
    double radius = 0.0;
    for (int i = body.parts_begin; body.is_mobile() && i < body.parts_end; ++i) {
      const shapes::PlacedShape& part = model.parts[i].placed;
      const Vec3 center = part.X_BS.inverse() * Vec3(Vec3::Zero());
      radius = std::max(radius, shapes::calc_bounding_radius(part.shape, center));
    }
    radius_.push_back(radius);
  }
}

void Stepper::step(double h, double t_end, dynamics::State* state, StepReport* report) {
  h_ = h;
  t_end_ = t_end;
  *report = {.step = state->step + 1, .t = t_end};
  begin(*state);
  if (!solve_contacts(report)) return;
  finish(report);
  write_records();
  write_ledger(report);
  write_certificate(report);
  if (report->status == AdvanceStatus::kReachedEnd) commit(state);
}

// Where everything is, what pulls, and how far contacts may come from.
void Stepper::begin(const dynamics::State& state) {
  q0_ = state.q;
  v0_ = state.v;
  active_.load(state.memory);
  update_poses(*model_, q0_, state.t, &X_start_);
  update_twists(*model_, v0_, state.t, &V_start_);
  M_.update(*model_, X_start_);
  energy_start_ =
      calc_kinetic_energy(*model_, X_start_, v0_) + calc_potential_energy(*model_, X_start_);
  projection_work_ = 0.0;

  gravity_.resize(model_->nv);
  applied_.resize(model_->nv);
  dynamics::calc_gravity(*model_, gravity_);
  dynamics::calc_applied(*model_, V_start_, h_, applied_);
  gravity_ *= h_;
  applied_ *= h_;

  // A contact that takes part must be found although free flight may lift it a little.
  reach_.resize(model_->bodies.size());
  const double fall = model_->gravity.norm() * h_ * h_;
  body_speed_ = model_->gravity.norm() * h_;
  for (int i = 0; i < model_->num_bodies(); ++i) {
    const double speed = V_start_[i].v.norm() + V_start_[i].w.norm() * radius_[i];
    body_speed_ = std::max(body_speed_, speed);
    reach_[i] = 2e-3 * radius_[i] + 2.0 * fall + 0.25 * h_ * speed;
  }
}

void Stepper::find_contacts_at_end() {
  update_poses(*model_, q_end_, t_end_, &X_end_);
  finder_.find(X_end_, reach_, &end_contacts_);
}

void Stepper::finish(StepReport* report) {
  kinetic_kicked_ = calc_kinetic_energy(*model_, X_start_, v_kicked_);
  drift(*model_, q0_, v_kicked_, h_, &q_end_, &v_end_);
  find_contacts_at_end();
  if (options_.formulation == Options::Formulation::kVelocity && options_.projection) project();
  report->num_contacts = static_cast<int>(end_contacts_.size());
  report->num_active = problem_.size();
}

// Moves overlapping bodies apart by the least motion in the mass metric, all contacts at once.
// Velocities are not touched, so no kinetic energy is lost; what gravity gives or takes is entered
// in the ledger. [ST00, §3.3]
void Stepper::project() {
  constexpr int kMaxRounds = 5;
  constexpr double kOverlap = 1e-13;  // m
  const double before = calc_potential_energy(*model_, X_end_);
  for (int round = 0; round < kMaxRounds; ++round) {
    const bool overlaps =
        std::any_of(end_contacts_.begin(), end_contacts_.end(), [](const auto& c) {
          return c.gap < -kOverlap;
        });
    if (!overlaps) break;
    apart_.contacts = end_contacts_;
    apart_.with_friction = false;
    V_hat_.assign(model_->bodies.size(), {});  // displacements: prescribed bodies stay
    apart_.J.update(*model_, apart_.contacts, X_end_, V_hat_, M_, contact::FrictionPoint::kSurface);
    apart_.v.setZero(model_->nv);
    apart_.mu.assign(apart_.contacts.size(), 0.0);
    apart_.given.assign(apart_.contacts.size(), 0.0);
    apart_.required.resize(apart_.contacts.size());
    for (int i = 0; i < apart_.size(); ++i) apart_.required[i] = -apart_.contacts[i].gap;
    apart_solver_.solve(apart_, &apart_answer_);
    if (apart_answer_.status != complementarity::SolveStatus::kSolved) break;
    drift(*model_, q_end_, apart_answer_.v, 1.0, &scratch_, &scratch2_);
    q_end_ = scratch_;
    find_contacts_at_end();
  }
  projection_work_ = calc_potential_energy(*model_, X_end_) - before;
}

// The new state, and which contacts the next step starts with: those that touch or carry an
// impulse. The velocity formulation stops bodies short of each other, where an impulse alone must
// not keep them; with its projection, a loaded contact touches if one step's fall would close it.
void Stepper::commit(dynamics::State* state) {
  constexpr double kTouching = 1e-9;  // m
  const double short_of = options_.projection ? 2.0 * model_->gravity.norm() * h_ * h_ : 0.0;
  const bool at_velocities = options_.formulation == Options::Formulation::kVelocity;
  active_.clear();
  for (int i = 0; i < problem_.size(); ++i) {
    const bool loaded =
        impulses_[i][contact::kNormalRow] > 0.0 && (!at_velocities || records_[i].gap <= short_of);
    if (loaded || records_[i].gap <= kTouching) active_.insert(problem_.contacts[i].key);
  }
  active_.save(&state->memory);
  state->q = q_end_;
  state->v = v_end_;
  state->t = t_end_;
  ++state->step;
}

}  // namespace tenpin::methods::time_stepping
