#include "methods/penalty/penalty.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/check.h"
#include "contact/begin_record.h"
#include "contact/finder.h"
#include "contact/jacobian.h"
#include "dynamics/flight.h"
#include "dynamics/forces.h"
#include "methods/fixed_step.h"
#include "methods/used_surfaces.h"

namespace tenpin::methods::penalty {

namespace {

using contact::ContactRecord;
using contact::ContactVector;
using contact::kNormalRow;
using contact::Ledger;

constexpr const char* kWarning =
    "springs hold bodies that have sunk into each other: for comparison only, nothing is certified";

std::string find_what_springs_lack(const dynamics::Model& model) {
  for (const dynamics::Mechanism& mechanism : model.mechanisms) {
    if (!mechanism.is_loose) return "the joint of " + model.bodies[mechanism.bodies[0]].name;
  }
  return has_rough_surfaces(model) ? "friction" : "";
}

// All bodies at one instant.
struct Motion {
  std::vector<Pose> X;
  std::vector<dynamics::Twist> V;
  double kinetic = 0.0;    // J
  double potential = 0.0;  // J
};

// The impulse of the springs at one contact.
struct Push {
  double impulse = 0.0;  // N s
  ContactVector before;  // m/s   velocity of the contact at the start
  ContactVector after;   // m/s   and after all impulses
  double drive = 0.0;    // m/s   part of its normal velocity that prescribed motion alone causes
};

// The impulses over a step, and the velocities after them.
struct Kick {
  VecX gravity, applied;     // N s
  VecX v;                    // m/s, rad/s
  double kinetic = 0.0;      // J
  std::vector<Push> pushes;  // by contact
};

Motion calc_motion(const dynamics::Model& model, const VecX& q, const VecX& v, double t) {
  Motion motion;
  update_poses(model, q, t, &motion.X);
  update_twists(model, motion.X, v, t, &motion.V);
  motion.kinetic = calc_kinetic_energy(model, motion.X, motion.V, v);
  motion.potential = calc_potential_energy(model, motion.X, q);
  return motion;
}

// Adds the smooth forces at the start of the step, then a spring and a damper at each point that
// penetrates. Springs and dampers push and never pull.
Kick calc_kick(const dynamics::Model& model, const scene::PenaltyOptions& options,
               const dynamics::State& state, const Motion& start,
               const std::vector<contact::Contact>& contacts, double h) {
  Kick kick{.gravity = VecX(model.nv), .applied = VecX(model.nv)};
  std::vector<dynamics::Wrench> wrenches;
  dynamics::calc_gravity(model, start.X, &wrenches, kick.gravity);
  dynamics::calc_applied(model, start.X, start.V, {.t = state.t + 0.5 * h, .h = h}, &wrenches,
                         kick.applied);
  kick.gravity *= h;
  kick.applied *= h;
  const VecX zero = VecX::Zero(model.nv);
  dynamics::MassMatrix M;
  M.update(model, start.X, state.q, zero);
  VecX change(model.nv);
  M.solve(model, kick.gravity + kick.applied, change);
  kick.v = state.v + change;
  std::vector<dynamics::Twist> V;
  update_twists(model, start.X, zero, state.t, &V);
  contact::ContactJacobian J;
  J.update(model, contacts, start.X, V, M, contact::FrictionPoint::kSurface);
  const int count = static_cast<int>(contacts.size());
  for (int i = 0; i < count; ++i) {
    const double gap = contacts[i].gap;
    const double rate = J.normal_velocity(i, state.v);
    const double force = -options.stiffness * gap - options.damping * rate;
    const double impulse = gap < 0.0 ? h * std::max(force, 0.0) : 0.0;
    J.add_velocity_change(i, ContactVector(impulse, 0.0, 0.0, 0.0), kick.v);
    kick.pushes.push_back(
        {.impulse = impulse, .before = J.velocity(i, state.v), .drive = J.drive(i)[kNormalRow]});
  }
  for (int i = 0; i < count; ++i) kick.pushes[i].after = J.velocity(i, kick.v);
  update_twists(model, start.X, kick.v, state.t, &V);
  kick.kinetic = calc_kinetic_energy(model, start.X, V, kick.v);
  return kick;
}

ContactRecord make_record(const dynamics::Model& model, const Motion& start,
                          const contact::Contact& c, const Push& push) {
  ContactRecord r = begin_record(model, start.X, c);
  r.impulse = c.normal * push.impulse;
  r.normal_impulse = push.impulse;
  r.slip = c.t1 * push.after[contact::kT1Row] + c.t2 * push.after[contact::kT2Row];
  r.normal_velocity = push.after[kNormalRow];
  r.mode = push.impulse > 0.0 ? contact::Mode::kSliding
                              : contact::find_unloaded_mode(r.gap, r.normal_velocity, 0.0, 0.0);
  r.normal_work = push.impulse * 0.5 * (push.before[kNormalRow] + push.after[kNormalRow]);
  return r;
}

Ledger calc_ledger(const VecX& v_start, const Motion& start, const Kick& kick, const Motion& end) {
  Ledger ledger{.kinetic = end.kinetic, .potential = end.potential};
  for (const Push& push : kick.pushes) {
    ledger.work[Ledger::kNormal] +=
        push.impulse * 0.5 * (push.before[kNormalRow] + push.after[kNormalRow]);
    ledger.work[Ledger::kPrescribed] -= push.impulse * push.drive;
  }
  const VecX mean = 0.5 * (v_start + kick.v);
  ledger.work[Ledger::kApplied] += kick.applied.dot(mean);
  ledger.work[Ledger::kScheme] = kick.gravity.dot(mean) + end.potential - start.potential;
  ledger.work[Ledger::kFreeFlight] = end.kinetic - kick.kinetic;
  ledger.closure = -(ledger.total() - start.kinetic - start.potential);
  for (const double work : ledger.work) ledger.closure += work;
  return ledger;
}

// A step is a kick by all forces at its start, then a drift of free motion.
class Penalty final : public FixedStep {
 public:
  Penalty(const dynamics::Model& model, const scene::PenaltyOptions& options)
      : FixedStep(options.step),
        model_(&model),
        options_(options),
        finder_(model),
        flight_(model) {}

  // Every step reads the model again.
  void model_changed() override { check(*model_); }

  static void check(const dynamics::Model& model) {
    const std::string missing = find_what_springs_lack(model);
    TENPIN_REQUIRE(missing.empty(),
                   "method.penalty: cannot do " + missing + ", want another method");
  }

 private:
  std::span<const ContactRecord> take_step(const Span& span, dynamics::State* state,
                                           StepReport* report,
                                           StepObserver* /*observer*/) override {
    const double h = span.t_end - state->t;
    const Motion start = calc_motion(*model_, state->q, state->v, state->t);
    const std::vector<contact::Contact> contacts = find_contacts(start.X);
    const Kick kick = calc_kick(*model_, options_, *state, start, contacts, h);
    VecX q(model_->nq);
    VecX v(model_->nv);
    const std::vector<bool> none(model_->mechanisms.size());
    const bool flew = flight_.drift({.q = state->q, .v = kick.v, .t = state->t}, h, none, &q, &v);
    const Motion end = calc_motion(*model_, q, v, span.t_end);
    *report = {.step = state->step + 1,
               .t = span.t_end,
               .ledger = calc_ledger(state->v, start, kick, end),
               .num_contacts = static_cast<int>(contacts.size())};
    report->certificate.passed = false;  // springs obey no law that could be checked
    for (const contact::Contact& c : find_contacts(end.X)) {
      report->certificate += {.penetration = -c.gap};
    }
    records_.clear();
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      records_.push_back(make_record(*model_, start, contacts[i], kick.pushes[i]));
      report->num_active += kick.pushes[i].impulse > 0.0 ? 1 : 0;
    }
    if (report->num_active > 0) report->message = kWarning;
    if (!flew || !q.allFinite() || !v.allFinite()) {
      report->status = AdvanceStatus::kNonfinite;
      report->message = "springs have thrown bodies away: want a shorter step or softer springs";
      return records_;
    }
    state->q = q;
    state->v = v;
    state->t = span.t_end;
    ++state->step;
    return records_;
  }

  std::vector<contact::Contact> find_contacts(const std::vector<Pose>& X) {
    std::vector<contact::Contact> contacts;
    finder_.find(X, std::vector<double>(model_->bodies.size(), 0.0), &contacts);
    return contacts;
  }

  const dynamics::Model* model_;
  scene::PenaltyOptions options_;
  contact::ContactFinder finder_;
  dynamics::Flight flight_;
  std::vector<ContactRecord> records_;  // of the last step
};

}  // namespace

std::unique_ptr<Method> make(const dynamics::Model& model, const scene::MethodOptions& options,
                             int /*threads*/) {
  Penalty::check(model);
  return std::make_unique<Penalty>(model, std::get<scene::PenaltyOptions>(options));
}

}  // namespace tenpin::methods::penalty
