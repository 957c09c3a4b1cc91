// A ball falls on a table and bounces: build a scene, step it, read it.
#include <tenpin/tenpin.h>

#include <cstdio>

int main() {
  tenpin::SceneBuilder builder;
  builder.name("Bouncing ball").material("rubber", 0.5, 0.8);
  builder.method("time-stepping", {{"step", "0.001"}, {"restitution", "newton"}});
  builder.body("table").fixed().material("rubber").plane({0, 0, 1});
  builder.body("ball").mass(0.5).material("rubber").position({0, 0, 1.1}).sphere(0.1);

  tenpin::Simulation sim(builder.build());
  const tenpin::BodyId ball = sim.body("ball");
  double highest = 0.0;  // m   after the first bounce
  bool has_bounced = false;
  while (sim.time() < 1.2) {
    const tenpin::StepReport& report = sim.step();
    if (!report.certified()) {
      std::printf("%s at %g s: %s\n", to_string(report.status).data(), sim.time(),
                  report.message.c_str());
      return 3;
    }
    for (const tenpin::Contact& c : sim.contacts()) {
      if (c.normal_impulse <= 0.0) continue;
      if (!has_bounced) std::printf("%.3f s: impulse %.3f N s\n", sim.time(), c.normal_impulse);
      has_bounced = true;
    }
    const double height = sim.pose(ball).translation().z() - 0.1;
    if (has_bounced && height > highest) highest = height;
  }
  std::printf("bounced to %.3f m; restitution 0.8 gives 0.64 m\n", highest);
  std::printf("energy: %.3f J, lost at contacts: %.3f J\n", sim.ledger().total(),
              -sim.ledger().normal - sim.ledger().friction);
  return highest > 0.62 && highest < 0.66 ? 0 : 1;
}
