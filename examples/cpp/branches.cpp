// Tries several pushes from one state: snapshots continue bit for bit.
#include <tenpin/tenpin.h>

#include <cstdio>

int main() {
  tenpin::SceneBuilder builder;
  builder.material("wood", 0.4).method("time-stepping", {{"step", "0.002"}});
  builder.body("floor").fixed().material("wood").plane({0, 0, 1});
  builder.body("tower").mass(1).material("wood").position({0, 0, 0.5}).box({0.2, 0.2, 1.0});
  tenpin::Simulation sim(builder.build());
  const tenpin::BodyId tower = sim.body("tower");
  sim.advance_to(0.1);
  const tenpin::Snapshot standing = sim.save();

  // A force at the centre of mass tips the tower from m g 0.1 / 0.5 = 1.96 N on.
  double least = 0.0;  // N   that tips it, by bisection
  double low = 0.0, high = 4.0;
  for (int i = 0; i < 10; ++i) {
    const double push = 0.5 * (low + high);
    sim.restore(standing);
    sim.set_body_force(tower, {push, 0, 0});
    if (!sim.advance_to(2.0).ok()) return 3;
    const bool tipped = sim.pose(tower).linear()(2, 2) < 0.99;
    (tipped ? high : low) = push;
    least = high;
  }
  std::printf("tips from %.3f N on, statics says %.3f N\n", least, 9.81 * 0.1 / 0.5);

  sim.restore(standing);
  sim.advance_to(0.5);
  const std::uint64_t first = sim.state_hash();
  sim.restore(standing);
  sim.advance_to(0.5);
  return sim.state_hash() == first && least > 1.9 && least < 2.1 ? 0 : 1;
}
