#include "methods/time_stepping/default_stepping.h"

#include <algorithm>
#include <vector>

#include "contact/finder.h"
#include "dynamics/joint_forces.h"
#include "dynamics/kinematics.h"
#include "dynamics/mass_matrix.h"
#include "methods/used_surfaces.h"
#include "scene/words.h"

namespace tenpin::methods::time_stepping {

namespace {

using dynamics::JointType;
using Options = scene::TimeSteppingOptions;

constexpr int kDefaultDirections = 8;
constexpr double kPivotedTolerance = 1e-8;  // -   Lemke's algorithm ends at rounding
constexpr double kIterativeTolerance = 1e-6;

std::string find_dry_joint(const dynamics::Model& model) {
  for (const dynamics::Body& body : model.bodies) {
    if (body.joint.forces.friction > 0.0) return "dry friction in the joint of " + body.name;
  }
  return "";
}

// For example "viscous surfaces (rubber)" if a pair of materials satisfies the condition.
template <class Predicate>
std::string find_used(const dynamics::Model& model, const std::string& what,
                      const Predicate& is_such) {
  const auto materials = find_used_surface(model, is_such);
  return materials ? what + " (" + *materials + ")" : "";
}

// The configuration in which bodies are drawn: all joints at zero.
VecX make_drawn_coordinates(const dynamics::Model& model) {
  VecX q = VecX::Zero(model.nq);
  for (const dynamics::Body& body : model.bodies) {
    if (body.joint.type == JointType::kFree) q[body.joint.q_begin + 3] = 1.0;
    if (body.joint.type == JointType::kBall) q[body.joint.q_begin] = 1.0;
  }
  return q;
}

// Finds the first joint that is too stiff for the step: its spring, damping and motor act like a
// mass (h times their slope) that is larger than the mass that moves with the joint. Order 2
// integrates mechanisms under these forces and kicks them with the velocity of the midpoint; order
// 1 evaluates the forces at the end of the step, however stiff they are.
std::string find_stiff_joint(const dynamics::Model& model, double h) {
  const bool has_none =
      std::none_of(model.bodies.begin(), model.bodies.end(), [](const dynamics::Body& body) {
        return has_joint_forces(body.joint);
      });
  if (has_none) return "";
  const VecX q = make_drawn_coordinates(model);
  const VecX zero = VecX::Zero(model.nv);
  std::vector<Pose> X_WB;
  update_poses(model, q, 0.0, &X_WB);
  dynamics::MassMatrix M;
  M.update(model, X_WB, q, zero);
  VecX impulse = zero;
  VecX answer = zero;
  for (const dynamics::Body& body : model.bodies) {
    if (!has_joint_forces(body.joint)) continue;
    for (int k = 0; k < num_velocities(body.joint.type); ++k) {
      const int iv = body.joint.v_begin + k;
      const double t = std::max(0.0, body.joint.forces.motor.begin);
      const auto slope = calc_implicit_load(body.joint, k, q, zero, {.t = t, .h = h}).slope;
      impulse[iv] = h * (slope.spring + slope.other);
      M.solve(model, impulse, answer);
      impulse[iv] = 0.0;
      if (answer[iv] > 1.0) return body.name;
    }
  }
  return "";
}

std::string explain_solver(const dynamics::Model& model, const Options& options) {
  const std::string polytope = find_polytope(model);
  if (!polytope.empty()) return "solver cone cannot do " + polytope;
  if (options.directions) return "directions are named";
  return options.direction_phase > 0.0 ? "direction_phase is named" : "";
}

std::string explain_order(const dynamics::Model& model, const Options& options) {
  if (options.formulation) return "formulation is named";
  const std::string beyond = find_beyond_second_order(model, options);
  if (!beyond.empty()) return "order 2 cannot do " + beyond;
  const std::string stiff = find_stiff_joint(model, options.step);
  return stiff.empty() ? "" : "the joint of " + stiff + " reacts within a step";
}

// The first two parts that may touch and have restitution, as in "ice on rubber bounces"; "" if
// there are none.
std::string find_bounce(const dynamics::Model& model) {
  const auto bounces = [](const dynamics::Surface& surface) {
    return surface.restitution > 0.0;
  };
  if (!find_used_surface(model, bounces)) return "";
  const contact::ContactFinder finder(model);
  const int n = static_cast<int>(model.parts.size());
  for (int i = 0; i < n; ++i) {
    if (!model.bodies[model.parts[i].body].is_mobile()) continue;
    for (int k = 0; k < n; ++k) {
      const int a = model.parts[k].material;
      const int b = model.parts[i].material;
      if (!bounces(model.surface(a, b)) || !finder.may_touch(k, i)) continue;
      const std::string& first = model.materials[a].name;
      return (a == b ? first : first + " on " + model.materials[b].name) + " bounces";
    }
  }
  return "";
}

std::string to_default_reason(const std::string& why_not) {
  return why_not.empty() ? "default" : "default: " + why_not;
}

std::string with_reason(const std::string& choice, const std::string& reason) {
  return reason == "named" ? choice : choice + " (" + reason + ")";
}

}  // namespace

std::string Stepping::order_text() const {
  return with_reason(std::to_string(*options.order), order_reason);
}

std::string Stepping::solver_text() const {
  return with_reason(std::string(to_word(*options.solver, scene::kSolverWords)), solver_reason);
}

std::string Stepping::restitution_text() const {
  return with_reason(std::string(to_word(*options.restitution, scene::kRestitutionWords)),
                     restitution_reason);
}

std::string Stepping::text() const {
  std::string text = "order " + order_text() + ", solver " + solver_text();
  if (restitution_reason != "default") text += ", restitution " + restitution_text();
  return text;
}

Stepping choose_stepping(const dynamics::Model& model, const Options& named) {
  Stepping stepping = {.options = named,
                       .order_reason = "named",
                       .solver_reason = "named",
                       .restitution_reason = "named"};
  Options& options = stepping.options;
  if (!options.solver) {
    const std::string why_not = explain_solver(model, named);
    options.solver = why_not.empty() ? Options::Solver::kCone : Options::Solver::kLemke;
    stepping.solver_reason = to_default_reason(why_not);
  }
  if (!options.order) {
    const std::string why_not = explain_order(model, named);
    options.order = why_not.empty() ? 2 : 1;
    stepping.order_reason = to_default_reason(why_not);
  }
  if (!options.restitution) {
    const std::string bounce = find_bounce(model);
    options.restitution =
        bounce.empty() ? Options::Restitution::kNone : Options::Restitution::kNewton;
    stepping.restitution_reason = to_default_reason(bounce);
  }
  const bool is_iterative = *options.solver == Options::Solver::kCone;
  if (!options.formulation) options.formulation = Options::Formulation::kPosition;
  if (!options.directions) options.directions = kDefaultDirections;
  if (!options.tolerance) {
    options.tolerance = is_iterative ? kIterativeTolerance : kPivotedTolerance;
  }
  return stepping;
}

std::string find_polytope(const dynamics::Model& model) {
  return find_used(model, "limit surfaces with corners", [&model](const auto& surface) {
    return surface.limit >= 0 &&
           model.limits[surface.limit].kind == dynamics::LimitSurface::Kind::kPolytope;
  });
}

std::string find_bad_limit(const dynamics::Model& model) {
  if (model.limits.empty()) return "";
  const contact::ContactFinder finder(model);
  const int n = static_cast<int>(model.parts.size());
  for (int i = 0; i < n; ++i) {
    const dynamics::Body& body = model.bodies[model.parts[i].body];
    if (!body.is_mobile()) continue;
    for (int k = 0; k < n; ++k) {
      const dynamics::Surface& surface =
          model.surface(model.parts[k].material, model.parts[i].material);
      if (surface.limit < 0 || !finder.may_touch(k, i)) continue;
      const std::string& other = model.bodies[model.parts[k].body].name;
      if (surface.limits_clash) {
        return "two limit surfaces of friction in one contact (" + other + " and " + body.name +
               "), want the friction between " + model.materials[model.parts[k].material].name +
               " and " + model.materials[model.parts[i].material].name + " in `pairs`";
      }
      if (body.plane.squaredNorm() > 0.0) {
        return "limit surfaces of friction on a body that moves in a plane (" + body.name +
               "), want another friction";
      }
    }
  }
  return "";
}

std::string find_beyond_second_order(const dynamics::Model& model, const Options& options) {
  using Formulation = Options::Formulation;
  const bool has_other =
      options.formulation.value_or(Formulation::kPosition) != Formulation::kPosition;
  if (has_other) return "another formulation than its own";
  if (options.is_compliant()) return "compliant contacts";
  if (options.lever != Options::Lever::kFull) return "the printed lever";
  if (options.active_set != Options::ActiveSet::kPaper) return "active_set: all";
  std::string joint = find_dry_joint(model);
  if (!joint.empty()) return joint;
  std::string viscous = find_used(model, "viscous surfaces", [](const auto& surface) {
    return surface.viscous > 0.0;
  });
  if (!viscous.empty()) return viscous;
  std::string rolling = find_used(model, "rolling friction", [](const auto& surface) {
    return surface.rolling > 0.0;
  });
  if (!rolling.empty()) return rolling;
  return find_used(model, "friction that depends on the slip's speed", [](const auto& surface) {
    return surface.mu_static > surface.mu_along;
  });
}

}  // namespace tenpin::methods::time_stepping
