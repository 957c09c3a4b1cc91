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

// A step is a kick by all forces at its start, then a drift of free motion.
class Penalty final : public FixedStep {
 public:
  Penalty(const dynamics::Model& model, const scene::PenaltyOptions& options)
      : FixedStep(options.step),
        model_(&model),
        options_(options),
        finder_(model),
        flight_(model),
        none_(model.mechanisms.size()),
        reach_(model.bodies.size(), 0.0),
        zero_(VecX::Zero(model.nv)),
        gravity_(model.nv),
        applied_(model.nv) {}

  // Every step takes all it needs from the model.
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
    step_to(span.t_end, state);
    *report = report_;
    return records_;
  }

  void step_to(double t_end, dynamics::State* state) {
    const double h = t_end - state->t;
    report_ = {.step = state->step + 1, .t = t_end};
    report_.certificate.passed = false;  // springs obey no law that could be checked
    begin(*state, h);
    push(h);
    update_twists(*model_, X_, v_kicked_, state->t, &V_);
    kinetic_kicked_ = calc_kinetic_energy(*model_, X_, V_, v_kicked_);
    q_end_.resize(model_->nq);
    v_end_.resize(model_->nv);
    const bool flew =
        flight_.drift({.q = state->q, .v = v_kicked_, .t = state->t}, h, none_, &q_end_, &v_end_);
    finish(t_end);
    if (!flew || !q_end_.allFinite() || !v_end_.allFinite()) {
      report_.status = AdvanceStatus::kNonfinite;
      report_.message = "springs have thrown bodies away: want a shorter step or softer springs";
      return;
    }
    state->q = q_end_;
    state->v = v_end_;
    state->t = t_end;
    ++state->step;
  }

  void begin(const dynamics::State& state, double h) {
    v_start_ = state.v;
    update_poses(*model_, state.q, state.t, &X_);
    update_twists(*model_, X_, state.v, state.t, &V_);
    kinetic_start_ = calc_kinetic_energy(*model_, X_, V_, state.v);
    potential_start_ = calc_potential_energy(*model_, X_, state.q);
    dynamics::calc_gravity(*model_, X_, &wrenches_, gravity_);
    dynamics::calc_applied(*model_, X_, V_, {.t = state.t + 0.5 * h, .h = h}, &wrenches_, applied_);
    gravity_ *= h;
    applied_ *= h;
    M_.update(*model_, X_, state.q, zero_);
    change_.resize(model_->nv);
    M_.solve(*model_, gravity_ + applied_, change_);
    v_kicked_ = v_start_ + change_;
    contacts_.clear();
    finder_.find(X_, reach_, &contacts_);
    update_twists(*model_, X_, zero_, state.t, &V_drive_);
    J_.update(*model_, contacts_, X_, V_drive_, M_, contact::FrictionPoint::kSurface);
  }

  // A spring and a damper at each point that has sunk in; they push, and never pull.
  void push(double h) {
    impulses_.assign(contacts_.size(), 0.0);
    for (int i = 0; i < static_cast<int>(contacts_.size()); ++i) {
      const double rate = J_.normal_velocity(i, v_start_);
      const double force = -options_.stiffness * contacts_[i].gap - options_.damping * rate;
      impulses_[i] = contacts_[i].gap < 0.0 ? h * std::max(force, 0.0) : 0.0;
      J_.add_velocity_change(i, ContactVector(impulses_[i], 0.0, 0.0, 0.0), v_kicked_);
    }
  }

  void finish(double t_end) {
    Ledger& ledger = report_.ledger;
    const VecX mean = 0.5 * (v_start_ + v_kicked_);
    records_.clear();
    for (int i = 0; i < static_cast<int>(contacts_.size()); ++i) {
      records_.push_back(make_record(i));
      ledger.work[Ledger::kNormal] += records_.back().normal_work;
      ledger.work[Ledger::kPrescribed] -= impulses_[i] * J_.drive(i)[kNormalRow];
      report_.num_active += impulses_[i] > 0.0 ? 1 : 0;
    }
    report_.num_contacts = static_cast<int>(contacts_.size());
    if (report_.num_active > 0) report_.message = kWarning;
    update_poses(*model_, q_end_, t_end, &X_);
    update_twists(*model_, X_, v_end_, t_end, &V_);
    ledger.kinetic = calc_kinetic_energy(*model_, X_, V_, v_end_);
    ledger.potential = calc_potential_energy(*model_, X_, q_end_);
    ledger.work[Ledger::kApplied] += applied_.dot(mean);
    ledger.work[Ledger::kScheme] = gravity_.dot(mean) + ledger.potential - potential_start_;
    ledger.work[Ledger::kFreeFlight] = ledger.kinetic - kinetic_kicked_;
    ledger.closure = -(ledger.total() - kinetic_start_ - potential_start_);
    for (const double work : ledger.work) ledger.closure += work;
    contacts_.clear();
    finder_.find(X_, reach_, &contacts_);
    for (const contact::Contact& c : contacts_) {
      report_.certificate.penetration = std::max(report_.certificate.penetration, -c.gap);
    }
  }

  [[nodiscard]] ContactRecord make_record(int i) const {
    const contact::Contact& c = contacts_[i];
    const ContactVector before = J_.velocity(i, v_start_);
    const ContactVector after = J_.velocity(i, v_kicked_);
    ContactRecord r = begin_record(*model_, X_, c);
    r.impulse = c.normal * impulses_[i];
    r.normal_impulse = impulses_[i];
    r.slip = c.t1 * after[contact::kT1Row] + c.t2 * after[contact::kT2Row];
    r.normal_velocity = after[kNormalRow];
    r.mode = impulses_[i] > 0.0 ? contact::Mode::kSliding
                                : contact::find_unloaded_mode(r.gap, r.normal_velocity, 0.0, 0.0);
    r.normal_work = impulses_[i] * 0.5 * (before[kNormalRow] + after[kNormalRow]);
    return r;
  }

  const dynamics::Model* model_;
  scene::PenaltyOptions options_;
  contact::ContactFinder finder_;
  dynamics::Flight flight_;
  std::vector<bool> none_;
  std::vector<double> reach_;
  VecX zero_, gravity_, applied_;  // N s but for the first
  VecX v_start_, v_kicked_, v_end_, q_end_, change_;
  double kinetic_start_ = 0.0, kinetic_kicked_ = 0.0, potential_start_ = 0.0;  // J
  std::vector<Pose> X_;
  std::vector<dynamics::Twist> V_, V_drive_;
  std::vector<dynamics::Wrench> wrenches_;
  dynamics::MassMatrix M_;
  contact::ContactJacobian J_;
  std::vector<contact::Contact> contacts_;
  std::vector<double> impulses_;  // N s
  std::vector<ContactRecord> records_;
  StepReport report_;
};

}  // namespace

std::unique_ptr<Method> make(const dynamics::Model& model, const scene::MethodOptions& options,
                             int /*threads*/) {
  Penalty::check(model);
  return std::make_unique<Penalty>(model, std::get<scene::PenaltyOptions>(options));
}

}  // namespace tenpin::methods::penalty
