#include "dynamics/forces.h"

#include <algorithm>

namespace tenpin::dynamics {

namespace {

// Computes f, the generalised forces of one wrench per body.
template <class WrenchOf>
void calc_forces(const Model& model, const std::vector<Pose>& X_WB, WrenchOf wrench_of,
                 std::vector<Wrench>* scratch, VecRef f, const Workers* workers) {
  scratch->resize(model.bodies.size());
  split(workers, model.num_mechanisms(), [&](int begin, int end) {
    for (int m = begin; m < end; ++m) {
      const Mechanism& mechanism = model.mechanisms[m];
      f.segment(mechanism.v_begin, mechanism.nv).setZero();
      if (mechanism.is_loose) {
        const int i = mechanism.bodies.front();
        const Wrench F = wrench_of(i);
        add_wrench(model.bodies[i], F.force, F.torque, f);
        continue;
      }
      for (const int i : mechanism.bodies) (*scratch)[i] = wrench_of(i);
      add_generalized_forces(model, mechanism, X_WB, scratch, f);
    }
  });
}

// The coefficient c of a resistance, reduced so that it acts implicitly over h seconds. For a
// massless link there is no inertia with which it could be reduced.
double soften(double c, double h, double inertia) {
  return inertia > 0.0 ? c / (1.0 + h * c / inertia) : c;
}

}  // namespace

void add_wrench(const Body& body, const Vec3& force, const Vec3& torque, VecRef f) {
  const int iv = body.joint.v_begin;
  if (body.joint.type == JointType::kFree) {
    f.segment<3>(iv) += force;
    f.segment<3>(iv + 3) += torque;
  } else if (body.joint.type == JointType::kPlanar) {
    const Mat3& R_WJ = body.joint.X_PJ.R;
    f[iv] += R_WJ.col(0).dot(force);
    f[iv + 1] += R_WJ.col(1).dot(force);
    f[iv + 2] += R_WJ.col(2).dot(torque);
  }
}

ForceTerms calc_force_terms(const Body& body, double t) {
  ForceTerms sum = static_cast<const ForceTerms&>(body.applied);
  if (!body.pushed.isZero(0.0)) sum.force += body.pushed;
  if (!body.twisted.isZero(0.0)) sum.torque += body.twisted;
  for (const TimedForce& f : body.applied.timed) {
    if (!f.is_on(t)) continue;
    sum.force += f.terms.force;
    sum.torque += f.terms.torque;
    sum.viscous += f.terms.viscous;
    sum.viscous_spin += f.terms.viscous_spin;
    sum.drag += f.terms.drag;
    for (int k = 0; k < 3; ++k) {
      sum.force[k] += f.force.value(k, t);
      sum.torque[k] += f.torque.value(k, t);
    }
  }
  return sum;
}

bool has_constant_force(const Body& body, double t) {
  const auto is_constant = [t](const TimedForce& f) {
    return !f.is_on(t) || (f.force.is_stepwise() && f.torque.is_stepwise());
  };
  const ForceTerms sum = calc_force_terms(body, t);
  return sum.viscous == 0.0 && sum.viscous_spin == 0.0 && sum.drag == 0.0 &&
         std::all_of(body.applied.timed.begin(), body.applied.timed.end(), is_constant);
}

bool has_closed_flight(const Body& body, double t) {
  return has_constant_force(body, t) && calc_force_terms(body, t).torque.isZero(0.0);
}

Wrench calc_applied_wrench(const Body& body, const Twist& V, double t, double h) {
  const ForceTerms a = calc_force_terms(body, t);
  const double c = a.viscous + a.drag * V.v.norm();
  return {.force = a.force - soften(c, h, body.mass) * V.v,
          .torque = a.torque - soften(a.viscous_spin, h, body.moments.minCoeff()) * V.w};
}

void calc_gravity(const Model& model, const std::vector<Pose>& X_WB, std::vector<Wrench>* scratch,
                  VecRef f, const Workers* workers) {
  const auto weight = [&](int i) {
    return Wrench{.force = model.bodies[i].mass * model.gravity, .torque = Vec3::Zero()};
  };
  calc_forces(model, X_WB, weight, scratch, f, workers);
}

void calc_applied(const Model& model, const std::vector<Pose>& X_WB, const std::vector<Twist>& V_WB,
                  const StepTime& step, std::vector<Wrench>* scratch, VecRef f) {
  const auto applied = [&](int i) {
    return calc_applied_wrench(model.bodies[i], V_WB[i], step.t, step.h);
  };
  calc_forces(model, X_WB, applied, scratch, f, nullptr);
}

}  // namespace tenpin::dynamics
