// Computed-torque control of a two-link arm: mass matrix, bias forces and Jacobian of a state.
#include <tenpin/tenpin.h>

#include <cstdio>

int main() {
  tenpin::SceneBuilder builder;
  builder.method("time-stepping", {{"step", "0.001"}});
  const tenpin::Joint elbow{.axis = tenpin::Vec3(0, 1, 0), .anchor = tenpin::Vec3(-0.25, 0, 0)};
  builder.body("upper").mass(2).position({0.25, 0, 1}).capsule(0.03, 0.5).hinge(elbow);
  builder.body("lower")
      .parent("upper")
      .mass(1)
      .position({0.5, 0, 0})
      .capsule(0.03, 0.5)
      .hinge(elbow);
  tenpin::Simulation sim(builder.build());
  const tenpin::VecX wanted = (tenpin::VecX(2) << -0.8, 1.2).finished();  // rad

  while (sim.time() < 2.0) {
    // v_dot = -100 (q - wanted) - 20 v: critically damped, whatever the arm weighs.
    const tenpin::VecX v_dot = -100.0 * (sim.q() - wanted) - 20.0 * sim.v();
    const tenpin::VecX torque = tenpin::calc_inverse_dynamics(sim, v_dot);
    sim.set_joint_force(sim.joint("upper"), torque[0]);
    sim.set_joint_force(sim.joint("lower"), torque[1]);
    if (!sim.step().certified()) return 3;
  }
  const tenpin::BodyId lower = sim.body("lower");
  const tenpin::Vec3 tip = sim.pose(lower) * tenpin::Vec3(0.25, 0, 0);
  const tenpin::MatX J = tenpin::calc_point_jacobian(sim, lower, tip).topRows(3);
  const tenpin::VecX hold = J.transpose() * tenpin::Vec3(0, 0, 10);  // torques of 10 N upwards
  std::printf("arm at (%.4f, %.4f) rad, wanted (%.4f, %.4f)\n", sim.q()[0], sim.q()[1], wanted[0],
              wanted[1]);
  std::printf("tip at (%.3f, %.3f) m; 1 kg more there takes (%.2f, %.2f) N m\n", tip.x(), tip.z(),
              hold[0], hold[1]);
  return (sim.q() - wanted).norm() < 1e-4 ? 0 : 1;
}
