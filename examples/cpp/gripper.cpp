// Closes a gripper at 0.2 s, lifts a block and shakes it.   gripper gripper.yaml
#include <tenpin/tenpin.h>

#include <cstdio>
#include <exception>

int main(int argc, char** argv) {
  try {
    tenpin::Simulation sim = tenpin::Simulation::load(argc > 1 ? argv[1] : "gripper.yaml");
    const tenpin::BodyId hand = sim.body("hand");
    const tenpin::BodyId block = sim.body("block");
    const auto offset = [&] {
      return tenpin::Vec3(sim.pose(block).translation() - sim.pose(hand).translation());
    };
    sim.advance_to(0.2);
    for (const char* finger : {"left", "right"}) sim.set_motor_target(sim.joint(finger), 0.06);
    sim.advance_to(0.5);  // closed
    const tenpin::Vec3 held = offset();
    sim.set_motion(hand, {.velocity = {0.0, 0.0, 0.3}, .angular_velocity = {}});
    sim.advance_to(0.9);  // lifted by 12 cm
    for (int i = 0; i < 8; ++i) {
      const double speed = i % 2 == 0 ? 0.5 : -0.5;
      sim.set_motion(hand, {.velocity = {0.0, speed, 0.0}, .angular_velocity = {}});
      if (!sim.advance_to(0.9 + 0.05 * (i + 1)).certified()) return 3;
    }
    double grip = 0.0;  // N
    for (const tenpin::Contact& c : sim.contacts()) {
      if (c.body_a == block || c.body_b == block) grip += c.normal_impulse / sim.report().duration;
    }
    const double slipped = (offset() - held).norm();
    std::printf("grip %.1f N, block slipped by %.2f mm\n", grip, 1e3 * slipped);
    return slipped < 5e-3 ? 0 : 1;  // a jerk of 1 m/s slips for some milliseconds
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
