// Uses the installed libraries from outside: one call into each library that they hide.
#include <tenpin/complementarity/lemke.h>
#include <tenpin/methods/method.h>
#include <tenpin/scene/read.h>
#include <tenpin/shapes/convex_hull.h>

#include <array>
#include <cstdio>
#include <vector>

using namespace tenpin;

namespace {

// w = z - 1: the answer is z = 1, w = 0.
bool solves_an_lcp() {
  const complementarity::Lcp lcp{.R = MatX::Identity(1, 1), .u = VecX::Constant(1, -1.0)};
  const complementarity::LcpSolution solution = complementarity::solve_lemke(lcp);
  return solution.status == complementarity::SolveStatus::kSolved && solution.z[0] == 1.0;
}

bool makes_a_hull() {
  const std::array<Vec3, 5> points = {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ(),
                                      Vec3(0.1, 0.1, 0.1)};
  return shapes::make_convex_hull(points)->num_vertices() == 4;
}

bool reads_a_scene() {
  const scene::Scene scene = scene::parse_scene(
      "{tenpin: 1, until: 1, bodies: [{name: ball, mass: 2, shapes: [{sphere: {radius: 0.1}}]}]}",
      "text");
  return scene.bodies.size() == 1 && scene.bodies[0].mass == 2.0;
}

bool lists_its_methods() {
  for (const methods::MethodEntry& entry : methods::all_methods()) {
    if (entry.name == "time-stepping") return true;
  }
  return false;
}

}  // namespace

int main() {
  const bool ok = solves_an_lcp() && makes_a_hull() && reads_a_scene() && lists_its_methods();
  std::puts(ok ? "consumer ok" : "consumer failed");
  return ok ? 0 : 1;
}
