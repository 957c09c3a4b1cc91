// Balances a pole on a cart by feedback.   cart_pole cart-pole.yaml [method]
#include <tenpin/tenpin.h>

#include <cmath>
#include <cstdio>
#include <exception>

int main(int argc, char** argv) {
  try {
    const std::string file = argc > 1 ? argv[1] : "cart-pole.yaml";
    tenpin::Simulation sim =
        tenpin::Simulation::load(file, {.method = argc > 2 ? argv[2] : "", .set = {}});
    const tenpin::JointId cart = sim.joint("cart");
    const tenpin::JointId pole = sim.joint("pole");
    while (sim.time() < 5.0) {
      const double x = sim.joint_position(cart)[0];
      const double angle = sim.joint_position(pole)[0];
      const double speed = sim.joint_velocity(cart)[0];
      const double turn = sim.joint_velocity(pole)[0];
      sim.set_joint_force(cart, 9.9 * x + 66.2 * angle + 11.0 * speed + 17.1 * turn);
      if (!sim.advance_to(sim.time() + 0.005).certified()) {
        std::printf("%s\n", sim.report().message.c_str());
        return 3;
      }
    }
    const double x = sim.joint_position(cart)[0];
    const double angle = sim.joint_position(pole)[0];
    std::printf("%s after 5 s: cart at %.5f m, pole at %.5f rad\n", sim.scene().method().c_str(), x,
                angle);
    return std::fabs(x) < 0.05 && std::fabs(angle) < 0.01 ? 0 : 1;
  } catch (const std::exception& error) {  // with every problem of the scene
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
