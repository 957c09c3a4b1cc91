#include "methods/analytic/simulator.h"

#include <algorithm>
#include <cmath>

#include "base/rounded.h"
#include "base/text.h"
#include "dynamics/flight.h"
#include "dynamics/prescribed.h"
#include "methods/analytic/submodel.h"
#include "shapes/bounds.h"

namespace tenpin::methods::analytic {

using contact::Contact;

namespace {

constexpr double kFirstStep = 1e-3;  // s   tried if no earlier step is known
// s   Time for which the incorrect forces of the fallback act. The contacts that they push apart
// have separated soon afterwards.   [B89, §6.5]
constexpr double kFallbackStep = 1e-5;

// 1/s   Times the event tolerance this is a speed; slower slip counts as zero. The direction of an
// incipient slip turns within the time in which friction would stop it, and the integrator would
// have to resolve that time.
constexpr double kSlow = 100.0;

constexpr int kMaxShortSteps = 10'000;

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

Simulator::Simulator(const dynamics::Model& model, const Options& options)
    : model_(&model),
      options_(options),
      finder_(model),
      motion_(model, kSlow * options.event_tolerance),
      force_solver_(model, options),
      collision_solver_(model, options),
      event_finder_(model, options),
      approach_(model, options),
      integrator_(make_integrator(options.integrator)) {
  for (const dynamics::Body& body : model.bodies) {
    body_radius_.push_back(calc_body_radius(model, body));
  }
  constexpr int kMany = 16;  // with fewer mechanisms, following groups separately saves no time
  can_divide_ = model.num_mechanisms() >= kMany && has_only_loose_bodies(model);
  for (const dynamics::Mechanism& m : model.mechanisms) {
    is_driven_ = is_driven_ || dynamics::is_driven(model, m);
  }
}

Statistics Simulator::statistics() const {
  Statistics s = statistics_;
  s.rejected = integrator_->num_rejected();
  s.evaluations = integrator_->num_evaluations();
  s.root_iterations = event_finder_.num_iterations() + approach_.num_iterations();
  s.distances = approach_.num_queries();
  s += followed_;
  return s;
}

void Simulator::step(double t_limit, dynamics::State* state, StepReport* report) {
  *report = {.step = state->step + 1, .t = state->t};
  report->iterations = 0;
  const Statistics before = statistics();
  t_limit_ = t_limit;
  reach_factor_ = 1.0;
  begin(*state, t_limit);
  if (is_overlapping(report) || is_stalled(report)) return;
  if (is_colliding()) {
    collide(report);
  } else if (solve_forces(report)) {
    advance_piece(report);
  } else if (report->status == AdvanceStatus::kReachedEnd) {
    resolve_painleve(forces_report_.failed_touch, report);
  }
  if (report->status != AdvanceStatus::kReachedEnd) return;
  if (!is_divided_) {
    is_collision_ ? write_collision_records() : write_records(&report->certificate);
    write_ledger(report);
    write_certificate(report);
  }
  report->iterations = static_cast<int>(statistics().root_iterations - before.root_iterations);
  if (report->status == AdvanceStatus::kReachedEnd) commit(state);
}

void Simulator::begin(const dynamics::State& state, double t_limit) {
  t0_ = t1_ = state.t;
  q0_ = state.q;
  v0_ = v_given_ = state.v;
  memory_.load(state.memory);
  integrator_->load(memory_.history);
  is_collision_ = is_divided_ = false;
  has_event_ = true;
  projection_work_ = loop_error_ = 0.0;
  rest_impulses_.clear();
  // Takes equal steps to the limit, so that no tiny step remains.
  const double rest = t_limit - t0_;
  // If only a few bodies need short steps, they are followed separately.
  const bool tries_longer = memory_.h == 0.0 || (can_divide_ && memory_.h < kFirstStep);
  const double wish = std::min(tries_longer ? kFirstStep : memory_.h, options_.max_step);
  h_planned_ = h_next_ = rest / std::max(1.0, std::ceil(rest / wish));
  update_poses(*model_, q0_, t0_, &X_);
  update_twists(*model_, X_, v0_, t0_, &V_);
  potential0_ = calc_potential_energy(*model_, X_, q0_);
  energy0_ = calc_kinetic_energy(*model_, X_, V_, v0_) + potential0_;
  find_contacts();
  motion_.set_touches(&touches_);
  motion_.update(t0_, q0_, v0_);
  set_scale();
}

bool Simulator::is_overlapping(StepReport* report) const {
  for (const Contact& c : found_) {
    if (c.gap >= -2.0 * options_.event_tolerance - calc_slack(c)) continue;
    fail(report, AdvanceStatus::kCertificateFailed,
         model_->bodies[c.body_a].name + " and " + model_->bodies[c.body_b].name + " overlap by " +
             to_rounded(-c.gap) + " m, want at most the event tolerance " +
             to_text(options_.event_tolerance));
    return true;
  }
  return false;
}

// True if collisions do not end: many bodies may collide at almost the same time, but not forever.
bool Simulator::is_stalled(StepReport* report) const {
  if (num_short_ < kMaxShortSteps) return false;
  std::string where;
  for (int i = 0; i < static_cast<int>(touches_.size()) && where.empty(); ++i) {
    if (motion_.velocity(i)[0] != 0.0) where = ", the last at " + name_of(i);
  }
  fail(report, AdvanceStatus::kSolverFailed,
       "time does not go on: " + std::to_string(num_short_) + " events in a row within " +
           to_text(kLeastStep) + " s of each other" + where);
  return true;
}

bool Simulator::is_colliding() const {
  for (int i = 0; i < static_cast<int>(touches_.size()); ++i) {
    if (touches_[i].contact.gap <= options_.event_tolerance &&
        motion_.velocity(i)[0] < -options_.event_tolerance) {
      return true;
    }
  }
  return false;
}

// Brings contacts that stick to rest, which may change the forces.
void Simulator::find_forces() {
  constexpr int kMaxRounds = 4;
  for (int round = 0;; ++round) {
    force_solver_.solve(scale_, &motion_, &touches_, &forces_report_);
    if (forces_report_.status != complementarity::SolveStatus::kSolved) return;
    if (round == kMaxRounds || !rest_sticking()) return;
  }
}

bool Simulator::solve_forces(StepReport* report) {
  find_forces();
  if (forces_report_.status == complementarity::SolveStatus::kSolved) stop_slips();
  report->solves = forces_report_.solves;
  report->pivots = forces_report_.pivots;
  report->problem_size = forces_report_.largest;
  report->num_contacts = static_cast<int>(found_.size());
  if (forces_report_.status == complementarity::SolveStatus::kSolved) {
    test_existence();
    report->existence = existence_;
    report->branches = forces_report_.branches;
    if (report->branches.fallback > 0) h_planned_ = std::min(h_planned_, kFallbackStep);
    checks_.assign(touches_.size(), {});
    for (int i = 0; i < static_cast<int>(touches_.size()); ++i) {
      Touch& touch = touches_[i];
      if (touch.is_touching) {
        checks_[i] = certify_forces(motion_, touches_, scale_, i, Moment::kStart);
      }
      if (touch.grip == Grip::kSlide) {
        touch.slip_dir = motion_.slip_direction(i);
        touch.begins_to_slip = !touch.contact.is_planar && !slips(motion_, i, scale_);
      }
      report->num_active += carries(touch.grip) ? 1 : 0;
    }
    for (int m = 0; m < model_->num_mechanisms(); ++m) {
      const dynamics::Mechanism& mechanism = model_->mechanisms[m];
      if (motion_.stands(m)) v0_.segment(mechanism.v_begin, mechanism.nv).setZero();
    }
    return true;
  }
  report->solver = forces_report_.status;
  if (options_.friction == Options::Friction::kNone) {
    fail(report, AdvanceStatus::kSolverFailed,
         "no contact forces found at " + name_of(forces_report_.failed_touch));
  }
  return false;
}

// Tests whether forces exist and are unique, unless the contacts are those of the last test.
void Simulator::test_existence() {
  std::vector<int> touching;
  std::vector<contact::ContactKey> keys;
  std::vector<Contact> contacts;
  for (int i = 0; i < static_cast<int>(touches_.size()); ++i) {
    if (!touches_[i].is_touching) continue;
    touching.push_back(i);
    keys.push_back(touches_[i].contact.key);
    contacts.push_back(touches_[i].contact);
  }
  if (keys == existence_of_) return;
  existence_of_ = keys;
  existence_ = {};
  contact::Islands islands;
  islands.update(*model_, contacts);
  for (int k = 0; k < islands.size(); ++k) {
    std::vector<int> island;
    for (const int c : islands.contacts(k)) island.push_back(touching[c]);
    const contact::Existence one = existence_test_.test(
        *model_, motion_.mass_matrix(), motion_.jacobian(), motion_.contacts(), island);
    existence_.normals_independent = existence_.normals_independent && one.normals_independent;
    existence_.spans_disjoint = existence_.spans_disjoint && one.spans_disjoint;
  }
}

// Stores what the next piece of motion needs.
void Simulator::remember() {
  memory_.clear();
  memory_.h = h_next_;
  // If an event ends the piece at once, the grips are decided again.
  const bool goes_on = !is_collision_ && t1_ > t0_;
  for (int i = 0; i < static_cast<int>(touches_.size()); ++i) {
    Touch& touch = touches_[i];
    if (!goes_on || !touch.is_touching) continue;
    // Where a force has vanished, separation is tried first.
    if (is_found(touch) && !is_dry_joint(touch) && motion_.forces()[i][0] < 0.0) {
      touch.grip = Grip::kIdle;
      touch.force.setZero();
    }
    memory_.remember(touch);
  }
  integrator_->save(&memory_.history);
}

void Simulator::commit(dynamics::State* state) {
  if (!is_divided_) remember();
  memory_.save(&state->memory);
  // A step that is short because the motion is fast does not count as an event.
  if (t1_ - t0_ > 1.5 * kLeastStep || t1_ >= t_limit_) {
    num_short_ = 0;
  } else if (has_event_) {
    ++num_short_;
  }
  state->q = q1_;
  state->v = v1_;
  state->t = t1_;
  ++state->step;
}

}  // namespace tenpin::methods::analytic
