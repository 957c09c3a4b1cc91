#include "methods/impulse/flight_certificate.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenpin::methods::impulse {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// -   NaN counts as the worst there is.
double calc_ratio(double error, double scale) {
  if (!std::isfinite(error) || !std::isfinite(scale)) return kInfinity;
  return scale > 0.0 ? error / scale : 0.0;
}

// N m s   From the inertia tensor in the body's own frame.
Vec3 calc_angular_momentum(const dynamics::Body& body, const Mat3& R_WB, const Vec3& w) {
  return R_WB * (body.inertia * (R_WB.transpose() * w));
}

}  // namespace

FlightResidual calc_momentum_residual(const dynamics::Model& model, const MotionView& start,
                                      const MotionView& end,
                                      const std::vector<BodyImpulses>& impulses, double dt) {
  FlightResidual result;
  const auto note = [&result](double residual, int body) {
    if (!(residual <= result.worst)) result = {.worst = residual, .body = body};
  };
  for (int i = 0; i < model.num_bodies(); ++i) {
    const dynamics::Body& body = model.bodies[i];
    const bool flies = body.is_mobile() && model.mechanisms[body.mechanism].is_loose &&
                       body.joint.type == dynamics::JointType::kFree;
    if (!flies) continue;
    const BodyImpulses& sum = impulses[i];
    const Vec3 force = body.mass * model.gravity + body.applied.force;
    const Vec3 P_start = body.mass * start.V_WB[i].v;
    const Vec3 P_end = body.mass * end.V_WB[i].v;
    note(calc_ratio((P_end - P_start - sum.linear - dt * force).norm(),
                    P_start.norm() + P_end.norm() + sum.size + dt * force.norm()),
         i);
    const Vec3 L_start = calc_angular_momentum(body, start.X_WB[i].R, start.V_WB[i].w);
    const Vec3 L_end = calc_angular_momentum(body, end.X_WB[i].R, end.V_WB[i].w);
    note(calc_ratio((L_end - L_start - sum.angular).norm(),
                    L_start.norm() + L_end.norm() + sum.angular_size),
         i);
  }
  return result;
}

double calc_energy_residual(const dynamics::Model& model, const MotionView& end,
                            const EnergyBalance& balance) {
  // J   Potential energies are differences of heights, each of which is rounded.
  constexpr double kRounding = 1e-14;
  double floor = 0.0;
  for (int i = 0; i < model.num_bodies(); ++i) {
    if (!model.bodies[i].is_mobile()) continue;
    floor += model.bodies[i].mass * model.gravity.norm() * end.X_WB[i].p.norm();
  }
  floor *= kRounding;
  // Mechanisms are integrated to 2e-14 of the sizes of coordinates and velocities plus one.
  constexpr double kIntegrated = 1e-12;
  const double kinetic = balance.kinetic_start + balance.kinetic_end;
  double articulated = 0.0;  // kg
  for (const dynamics::Mechanism& mechanism : model.mechanisms) {
    if (mechanism.is_loose) continue;
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

}  // namespace tenpin::methods::impulse
