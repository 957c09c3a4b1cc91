#include "dynamics/flight_certificate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/rounded.h"
#include "dynamics/forces.h"

namespace tenpin::dynamics {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// -   NaN counts as infinite.
double calc_ratio(double error, double scale) {
  if (!std::isfinite(error) || !std::isfinite(scale)) return kInfinity;
  return scale > 0.0 ? error / scale : 0.0;
}

// N m s   From the inertia tensor in the body's own frame.
Vec3 calc_angular_momentum(const Body& body, const Mat3& R_WB, const Vec3& w) {
  return R_WB * (body.inertia * (R_WB.transpose() * w));
}

}  // namespace

FlightResidual calc_momentum_residual(const Model& model, const MotionView& start,
                                      const MotionView& end,
                                      const std::vector<BodyImpulses>& impulses, double dt) {
  FlightResidual result;
  const auto note = [&result](double residual, int body) {
    if (!(residual <= result.worst)) result = {.worst = residual, .body = body};
  };
  for (int i = 0; i < model.num_bodies(); ++i) {
    const Body& body = model.bodies[i];
    const bool flies = body.is_mobile() && model.mechanisms[body.mechanism].is_loose &&
                       body.joint.type == JointType::kFree;
    if (!flies || !has_constant_force(body, start.t)) continue;
    const BodyImpulses& sum = impulses[i];
    const ForceTerms applied = calc_force_terms(body, start.t);
    const Vec3 force = body.mass * model.gravity + applied.force;
    const Vec3 P_start = body.mass * start.V_WB[i].v;
    const Vec3 P_end = body.mass * end.V_WB[i].v;
    note(calc_ratio((P_end - P_start - sum.linear - dt * force).norm(),
                    P_start.norm() + P_end.norm() + sum.size + dt * force.norm()),
         i);
    const Vec3 L_start = calc_angular_momentum(body, start.X_WB[i].R, start.V_WB[i].w);
    const Vec3 L_end = calc_angular_momentum(body, end.X_WB[i].R, end.V_WB[i].w);
    note(calc_ratio((L_end - L_start - sum.angular - dt * applied.torque).norm(),
                    L_start.norm() + L_end.norm() + sum.angular_size + dt * applied.torque.norm()),
         i);
  }
  return result;
}

bool has_simple_flight(const Model& model, int i) {
  const Body& body = model.bodies[i];
  const bool is_constant = !body.applied.resists() && body.applied.timed.empty();
  return body.is_mobile() && model.mechanisms[body.mechanism].is_loose &&
         body.joint.type == JointType::kFree && is_constant;
}

double calc_free_flight_residual(const Model& model, int i, const MotionView& start,
                                 const MotionView& end, const FreeFlight& flight) {
  constexpr double kRounding = 16.0 * std::numeric_limits<double>::epsilon();
  const Body& body = model.bodies[i];
  const Twist& V_start = start.V_WB[i];
  const Twist& V_end = end.V_WB[i];
  const double dt = flight.dt;

  const Vec3 kick = dt * (model.gravity + (body.applied.force + body.pushed) / body.mass);  // m/s
  const double speed = V_start.v.norm() + V_end.v.norm() + kick.norm();
  const double momentum = calc_ratio((V_end.v - V_start.v - kick).norm(), speed);

  const Vec3 path = end.X_WB[i].p - start.X_WB[i].p;
  const Vec3 mean = flight.end_weight * V_end.v + (1.0 - flight.end_weight) * V_start.v;
  const double places = kRounding * (start.X_WB[i].p.norm() + end.X_WB[i].p.norm());  // m
  const double astray = (path - dt * mean).norm();
  const double centre = astray <= places ? 0.0 : calc_ratio(astray - places, dt * speed);

  // Relative to the largest moment: a needle's own spin is not known more accurately.
  const double w = std::max(V_start.w.norm(), V_end.w.norm());
  const double moment = body.inertia.norm();
  const double turned = kRounding * w * dt;  // -   rounding error of the angle
  const auto spin = [turned](double error, double scale) {
    const double ratio = calc_ratio(error, scale);
    return ratio <= turned ? 0.0 : ratio;
  };
  const Vec3 twist = dt * (body.applied.torque + body.twisted);  // N m s
  const Vec3 L_start = calc_angular_momentum(body, start.X_WB[i].R, V_start.w);
  const Vec3 L_end = calc_angular_momentum(body, end.X_WB[i].R, V_end.w);
  const double angular = spin((L_end - L_start - twist).norm(), moment * w + twist.norm());
  const double energy =
      twist.isZero(0.0)
          ? spin(std::fabs(L_end.dot(V_end.w) - L_start.dot(V_start.w)), moment * w * w)
          : 0.0;
  double worst = 0.0;
  for (const double residual : {momentum, centre, angular, energy}) {
    if (!(residual <= worst)) worst = residual;
  }
  return worst;
}

std::string tell_flight(const Model& model, const FlightResidual& flight) {
  return "the flight of " + model.bodies[flight.body].name + " departs by " +
         to_rounded(flight.worst) + " from the laws of momentum and energy";
}

double calc_energy_residual(const Model& model, const MotionView& end,
                            const EnergyBalance& balance) {
  // J   Potential energies are differences of heights, and each height is rounded.
  constexpr double kRounding = 1e-14;
  double floor = 0.0;
  for (int i = 0; i < model.num_bodies(); ++i) {
    if (!model.bodies[i].is_mobile()) continue;
    floor += model.bodies[i].mass * model.gravity.norm() * end.X_WB[i].p.norm();
  }
  floor *= kRounding;
  // Mechanisms and bodies under torques or resistance are integrated to 2e-14 of the sizes of
  // coordinates and velocities plus one.
  constexpr double kIntegrated = 1e-12;
  const double kinetic = balance.kinetic_start + balance.kinetic_end;
  double articulated = 0.0;  // kg
  for (const Mechanism& mechanism : model.mechanisms) {
    const Body& first = model.bodies[mechanism.bodies.front()];
    if (mechanism.is_loose && has_closed_flight(first, balance.t_start)) continue;
    for (const int i : mechanism.bodies) articulated += model.bodies[i].mass;
  }
  if (articulated > 0.0) {
    floor += kIntegrated *
             (std::fabs(balance.potential_start) + std::fabs(balance.potential_end) + kinetic +
              std::sqrt(2.0 * articulated * kinetic) + articulated * model.gravity.norm());
  }
  const double scale = std::fabs(balance.kinetic_start) + std::fabs(balance.kinetic_end) +
                       std::fabs(balance.potential_end - balance.potential_start) + balance.moved;
  const double error = std::fabs(balance.closure);
  if (!std::isfinite(error)) return kInfinity;
  return error <= floor ? 0.0 : calc_ratio(error, scale);
}

}  // namespace tenpin::dynamics
