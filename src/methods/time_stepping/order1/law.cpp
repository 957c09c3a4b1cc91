#include "methods/time_stepping/order1/law.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/joint_contacts.h"
#include "methods/time_stepping/tolerances.h"

namespace tenpin::methods::time_stepping::order1 {

using contact::Contact;
using contact::ContactVector;
using contact::kNormalRow;
using Options = scene::TimeSteppingOptions;

namespace {

// m/s   The least normal velocity from gap(q_hat) + h n'(v - v_lin) >= 0, or from n'v >= 0.
// [ST00, eq. (15), §3.3]
// An overlap is undone over a whole step even if the step is divided: undone within a short part of
// it, it would throw the bodies apart.
double calc_required_without_bounce(const StepSetup& setup, const Linearized& step,
                                    const ContactProblem& problem, int i) {
  if (setup.options.formulation == Options::Formulation::kVelocity) return 0.0;
  const double h = step.start.h;
  const double ahead = problem.J.normal_velocity(i, step.prediction.v);
  const double gap = problem.contacts[i].gap;
  if (h >= setup.options.step) return ahead - gap / h;
  const double at_start = std::min(gap - h * ahead, 0.0);
  return ahead - (gap - (1.0 - h / setup.options.step) * at_start) / h;
}

// True if free flight closes a contact that has this velocity at the start. The velocity
// formulation stops every active contact at once, so there it also counts if the forces of the step
// close the remaining gap; otherwise that impact would lose its restitution.
bool closes(const StepSetup& setup, const Linearized& step, const ContactProblem& problem, int i,
            const ContactVector& before) {
  const double speed = before[kNormalRow];
  double fastest = speed;
  if (setup.options.formulation == Options::Formulation::kVelocity) {
    fastest = std::min(speed, problem.J.normal_velocity(i, step.forces.v_free));
  }
  const double ahead = fastest - problem.J.normal_velocity(i, step.prediction.v);
  return speed < -setup.gravity() * step.start.h &&
         problem.contacts[i].gap + step.start.h * ahead <= 0.0;
}

// m/s   The least normal velocity that the law demands.
double calc_required(const StepSetup& setup, const Linearized& step, const ContactProblem& problem,
                     int i, const ContactVector& before) {
  using Restitution = Options::Restitution;
  const double required = calc_required_without_bounce(setup, step, problem, i);
  const double e = problem.contacts[i].restitution;
  if (*setup.options.restitution == Restitution::kNone || e == 0.0) return required;
  if (!closes(setup, step, problem, i, before)) return required;
  if (*setup.options.restitution == Restitution::kPoisson) return std::max(required, 0.0);
  // Newton's hypothesis.   [ST00, §5]
  return std::max(required, -e * before[kNormalRow]);
}

// Coulomb's coefficient, raised towards the static one at slow slip (a Stribeck curve without exp).
double calc_friction(const Contact& c, const ContactVector& before) {
  if (c.mu_static <= c.mu || c.stribeck_speed == 0.0) return c.mu;
  const double ratio2 = before.segment<2>(1).squaredNorm() / (c.stribeck_speed * c.stribeck_speed);
  return c.mu + (c.mu_static - c.mu) / (1.0 + ratio2);
}

// 1/kg   Equal along both tangents, so that the cone stays round. A spring of stiffness k is
// compressed by p / (k h) in the step, which as a velocity is p / (k h^2).
Vec3 calc_compliance(const StepSetup& setup, double h, const ContactProblem& problem, int i) {
  const Contact& c = problem.contacts[i];
  if (setup.options.springs) {
    const double k = is_dry(c) ? 0.0 : c.stiffness;
    return k > 0.0 ? Vec3(Vec3::Constant(1.0 / (k * h * h))) : Vec3(Vec3::Zero());
  }
  if (setup.options.compliance == 0.0 || is_dry(c)) return Vec3::Zero();
  const contact::ContactBlock& W = problem.J.own_delassus(i);
  const double tangential = c.is_planar ? W(1, 1) : 0.5 * (W(1, 1) + W(2, 2));
  return setup.options.compliance * Vec3(W(0, 0), tangential, tangential);
}

// N s   The previous step's impulse of a renamed contact at the same place.
Vec3 match_previous_impulse(const StepSetup& setup, const Linearized& step, const Contact& c,
                            ActiveSet* active) {
  double size = std::numeric_limits<double>::infinity();
  for (const int body : {c.body_a, c.body_b}) {
    if (setup.model->bodies[body].is_mobile()) size = std::min(size, setup.radius[body]);
  }
  return active->match_previous_impulse({.key = c.key,
                                         .point = step.prediction.X[c.body_a].inverse() * c.p_a,
                                         .near = kRenamedDistance * size},
                                        step.selection.keys);
}

// Sets the guesses to the impulses of the previous step, found by key or taken from a renamed
// contact.
void set_guesses(const StepSetup& setup, const Linearized& step, ActiveSet* active,
                 std::vector<char>* is_known, ContactProblem* problem) {
  is_known->resize(problem->contacts.size());
  problem->guess.resize(problem->contacts.size());
  active->release_matches();
  setup.workers->split(problem->size(), [&](int begin, int end) {
    ActiveSet::Cursor cursor;
    for (int i = begin; i < end; ++i) {
      const bool is_found = active->recall(problem->contacts[i].key, &cursor, &problem->guess[i]);
      (*is_known)[i] = is_found ? 1 : 0;
    }
  });
  for (int i = 0; i < problem->size(); ++i) {
    if ((*is_known)[i] != 0) continue;
    problem->guess[i] = match_previous_impulse(setup, step, problem->contacts[i], active);
  }
}

// N s   The load of dry friction. Of rolling it is that of the previous step, until the solve
// tells.
double guess_load(const StepSetup& setup, const ContactProblem& problem, int i, double h) {
  const Contact& c = problem.contacts[i];
  return c.kind == contact::ContactKind::kJointFriction ? calc_joint_friction(*setup.model, c, h)
                                                        : std::max(0.0, problem.guess[c.load].x());
}

}  // namespace

double calc_speed(const StepSetup& setup, const StepStart& start, const Contact& c) {
  return std::max({calc_least_speed(start.h), setup.gravity() * start.h, start.speeds[c.body_a],
                   start.speeds[c.body_b]});
}

void fill_problem(const StepSetup& setup, const Linearized& step, ActiveSet* active,
                  ContactProblem* problem, Kick* kick) {
  const Selection& selection = step.selection;
  const double h = step.start.h;
  const bool is_printed = setup.options.lever == Options::Lever::kPrinted;
  kick->contacts.resize(problem->contacts.size());
  problem->speeds.resize(problem->contacts.size());
  problem->v = step.forces.v_free;
  set_guesses(setup, step, active, &kick->is_known, problem);
  const auto calc_law = [&](int i) {
    const Contact& c = problem->contacts[i];
    KickedContact& kicked = kick->contacts[i];
    ContactLaw law;
    law.guess = problem->guess[i];
    law.memory = {0.0, law.guess.y(), law.guess.z()};
    kicked.before = problem->J.velocity(i, step.start.v);
    law.mu = calc_friction(c, kicked.before);
    law.compliance = calc_compliance(setup, h, *problem, i);
    double& scale = problem->speeds[i];
    scale = std::max(calc_speed(setup, step.start, c),
                     problem->J.velocity(i, step.forces.v_free).head<3>().norm());
    if (i >= selection.num_gaps()) return law;
    law.required = i < selection.num_predicted
                       ? calc_required(setup, step, *problem, i, kicked.before)
                       : selection.extra_required[i - selection.num_predicted];
    scale = std::max(scale, std::fabs(law.required));
    return law;
  };
  fill_problem(*setup.model,
               {.X_WB = step.prediction.X,
                .V_drive = step.prediction.V_drive,
                .M = step.forces.M,
                .friction_point =
                    is_printed ? contact::FrictionPoint::kCore : contact::FrictionPoint::kSurface},
               *setup.workers, calc_law, problem);
  const double largest =
      find_largest(setup.workers, problem->size(), step.start.body_speed, [problem](int i) {
        return problem->speeds[i];
      });
  problem->speed = kick->speed = std::max(largest, calc_least_speed(h));
  // Dry friction: its normal row is empty and kept out of the way, its load is given.
  for (int i = selection.num_gaps(); i < problem->size(); ++i) {
    problem->required[i] = -kick->speed;
    problem->given[i] = guess_load(setup, *problem, i, h);
  }
}

void restore_law(const StepSetup& setup, const Linearized& step, const Kick& kick,
                 ContactProblem* problem) {
  problem->v = step.forces.v_free;
  for (int i = 0; i < problem->size(); ++i) {
    const bool is_loaded = is_dry(problem->contacts[i]);
    problem->given[i] = is_loaded ? guess_load(setup, *problem, i, step.start.h) : 0.0;
    if (i >= step.selection.num_predicted) continue;
    problem->required[i] = calc_required(setup, step, *problem, i, kick.contacts[i].before);
  }
}

bool is_impact(const StepSetup& setup, const Linearized& step, const Kick& kick,
               const ContactProblem& problem, int i) {
  return closes(setup, step, problem, i, kick.contacts[i].before);
}

void add_viscous_contacts(const StepSetup& setup, const StepStart& start,
                          const Prediction& prediction, const ActiveSet& active,
                          ContactProblem* scratch, StepForces* forces) {
  const std::vector<Contact>& contacts = prediction.contacts;
  const auto is_viscous = [&](const Contact& c) {
    return c.viscous > 0.0 && active.contains(c.key);
  };
  if (!setup.has_viscous || std::none_of(contacts.begin(), contacts.end(), is_viscous)) return;
  contact::ContactJacobian& J = scratch->J;
  J.update(*setup.model, contacts, prediction.X, prediction.V_drive, forces->M,
           contact::FrictionPoint::kSurface);
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    if (!is_viscous(contacts[i])) continue;
    // Evaluated at the velocity after the friction itself has acted for h seconds, so that the
    // impulse is bounded for any coefficient.
    const contact::ContactBlock& W = J.own_delassus(i);
    const double hc = start.h * contacts[i].viscous;
    ContactVector p = J.velocity(i, start.v);
    p *= -hc / (1.0 + hc * 0.5 * (W(1, 1) + W(2, 2)));
    p[kNormalRow] = 0.0;
    p[contact::kSpinRow] = 0.0;
    J.add_impulse(i, p, forces->applied);
  }
}

}  // namespace tenpin::methods::time_stepping::order1
