#include "methods/time_stepping/order1/mover.h"

#include <algorithm>

#include "contact/joint_contacts.h"
#include "methods/time_stepping/active_set.h"
#include "methods/time_stepping/tolerances.h"

namespace tenpin::methods::time_stepping::order1 {

using contact::Contact;
using Formulation = scene::TimeSteppingOptions::Formulation;

Mover::Mover(const StepSetup& setup, const Sleepers& sleepers)
    : setup_(&setup),
      sleepers_(&sleepers),
      search_(*setup.model, *setup.workers),
      flight_(*setup.model, setup.workers) {}

// Mechanisms move in a straight line in their coordinates: their velocity terms are of the same
// order as what linearisation neglects.
void Mover::displace_articulated(const StepStart& start, const VecX& v, VecX* q) {
  scratch_ = start.h * v;
  for (const dynamics::Mechanism& mechanism : setup_->model->mechanisms) {
    if (mechanism.is_loose) continue;
    for (const int i : mechanism.bodies) {
      const dynamics::Joint& joint = setup_->model->bodies[i].joint;
      if (num_velocities(joint.type) > 0) displace(joint, start.q, scratch_, *q);
    }
  }
}

void Mover::predict(const StepStart& start, const VecX& v, Prediction* prediction) {
  const bool is_exact = setup_->options.formulation == Formulation::kNonlinear;
  (void)flight_.drift({.q = start.q, .v = v, .t = start.t}, start.h,
                      is_exact ? setup_->none : setup_->articulated, &prediction->q, &scratch_);
  if (!is_exact) displace_articulated(start, v, &prediction->q);
  if (&prediction->v != &v) prediction->v = v;
  sleepers_->hold_coordinates(start.q, prediction->q);
  update_poses(*setup_->model, prediction->q, start.t_end, &prediction->X, setup_->workers);
  update_twists(*setup_->model, prediction->X, setup_->zero, start.t_end, &prediction->V_drive,
                setup_->workers);
  find_contacts(start, prediction->X, prediction->q, &prediction->contacts);
}

// Finds contacts of joints and surfaces, including surfaces that a body passes between the start
// and X_WB. Sorted by key, because the keys of joints come first.
void Mover::find_contacts(const StepStart& start, const std::vector<Pose>& X_WB, ConstVecRef q,
                          std::vector<Contact>* contacts) {
  limits_.clear();
  append_joint_limits(*setup_->model, q, start.v, start.h, &limits_);
  if (sleepers_->size() == 0) {
    search_.finder.find(X_WB, start.reach, limits_, contacts);
  } else {  // the supports of sleeping bodies are already known
    *contacts = limits_;
    search_.finder.find_again(X_WB, start.reach, sleepers_->awake(), {}, contacts);
  }
  (void)search_.passages.restore_met(
      {.X_begin = start.motion.X, .X_end = X_WB, .V = start.motion.V, .h = start.h}, contacts);
}

// Marks bodies that end so far from their prediction that contacts cannot be carried along. A
// compliant gap may be wrong by that small a fraction of a body's size; rigid bodies must not
// overlap by as much at features that did not touch before.
void Mover::find_moved(const Prediction& prediction, const StepEnd& end) {
  moved_.resize(setup_->model->bodies.size());
  setup_->workers->split(setup_->num_bodies(), [&](int begin, int last) {
    for (int i = begin; i < last; ++i) {
      const Pose& X_end = end.motion.X[i];
      const Pose& X_hat = prediction.X[i];
      const double way =
          (X_end.p - X_hat.p).norm() + setup_->radius[i] * (X_end.R - X_hat.R).norm();
      const double most = setup_->options.compliance > 0.0 ? kCarriedDistance * setup_->radius[i]
                                                           : 0.5 * kViolation;
      moved_[i] = way <= most ? 0 : 1;
    }
  });
}

void Mover::find_end_contacts(const StepStart& start, const Prediction& prediction, StepEnd* end) {
  update_poses(*setup_->model, end->q, start.t_end, &end->motion.X, setup_->workers);
  if (sleepers_->size() > 0) {
    find_contacts(start, end->motion.X, end->q, &end->contacts);
    return;
  }
  find_moved(prediction, *end);
  limits_.clear();
  append_joint_limits(*setup_->model, end->q, start.v, start.h, &limits_);
  search_.finder.find_near(end->motion.X, start.reach,
                           {.X_WB = prediction.X, .contacts = prediction.contacts, .moved = moved_},
                           limits_, &end->contacts);
  (void)search_.passages.restore_met(
      {.X_begin = start.motion.X, .X_end = end->motion.X, .V = start.motion.V, .h = start.h},
      &end->contacts);
}

// Mechanisms without contact in this step move under their smooth forces alone, which can be
// integrated to rounding without a kick. Loose bodies follow the paper's scheme.
void Mover::fly_untouched(const StepStart& start, std::span<const Contact> active, StepEnd* end) {
  const dynamics::Model& model = *setup_->model;
  end->flown = {};
  end->flies = setup_->articulated;
  if (std::find(end->flies.begin(), end->flies.end(), true) == end->flies.end()) return;
  for (const Contact& c : active) {
    for (const int body : {c.body_a, c.body_b}) {
      if (model.bodies[body].is_mobile()) end->flies[model.bodies[body].mechanism] = false;
    }
  }
  for (int m = 0; m < model.num_mechanisms(); ++m) {
    if (!end->flies[m]) continue;
    dynamics::Flight::Work work;
    end->flies[m] = flight_.fly(m, {.q = start.q, .v = start.v, .t = start.t}, start.h, &end->q,
                                &end->v, &work);
    end->flown.potential += work.potential;
    end->flown.applied += work.applied;
    end->flown.prescribed += work.prescribed;
  }
}

void Mover::move(const StepStart& start, std::span<const Contact> active, const VecX& v_kicked,
                 StepEnd* end) {
  end->q.resize(setup_->model->nq);
  end->v.resize(setup_->model->nv);
  fly_untouched(start, active, end);
  dynamics::Flight::Work drifted;
  end->too_fast = !flight_.drift({.q = start.q, .v = v_kicked, .t = start.t}, start.h, end->flies,
                                 &end->q, &end->v, &drifted);
  sleepers_->hold_coordinates(start.q, end->q);
  sleepers_->hold_velocities(end->v);
  end->drift_potential = drifted.potential;
  end->drift_prescribed = drifted.prescribed;
}

}  // namespace tenpin::methods::time_stepping::order1
