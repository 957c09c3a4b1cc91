#include "methods/time_stepping/core/positions.h"

namespace tenpin::methods::time_stepping {

namespace {

scene::TimeSteppingOptions with_tolerance(scene::TimeSteppingOptions options, double tolerance) {
  options.tolerance = tolerance;
  return options;
}

}  // namespace

Projection::Projection(const StepSetup& setup, double tolerance, int max_systems)
    : solver_(*setup.model, setup.cone, with_tolerance(setup.options, tolerance), *setup.workers,
              max_systems) {
  problem_.with_friction = false;
}

const VecX* Projection::solve(const StepSetup& setup, const Linearization& at,
                              std::span<const contact::Contact> contacts,
                              std::span<const double> loads) {
  problem_.contacts.assign(contacts.begin(), contacts.end());
  problem_.v.setZero(setup.model->nv);
  const auto calc_law = [&](int i) -> ContactLaw {
    return {.required = -contacts[i].gap, .guess = {loads[i], 0.0, 0.0}};
  };
  fill_problem(*setup.model, at, *setup.workers, calc_law, &problem_);
  for (int i = 0; i < problem_.size(); ++i) {
    if (loads[i] == 0.0) continue;
    problem_.J.add_velocity_change(i, {-loads[i], 0.0, 0.0, 0.0}, problem_.v);
  }
  solver_.solve(problem_, &answer_);
  return answer_.status == complementarity::SolveStatus::kSolved ? &answer_.v : nullptr;
}

}  // namespace tenpin::methods::time_stepping
