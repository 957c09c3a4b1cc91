// Cost of articulated mechanics by the number of links: linear for all but the dense matrix.
#include <benchmark/benchmark.h>

#include "dynamics/articulated.h"
#include "dynamics/flight.h"

namespace tenpin {
namespace {

using namespace dynamics;

// A chain of bars, each hinged to the one before about alternating axes.
Model make_chain(int n) {
  Model model;
  model.gravity = {0.0, 0.0, -9.81};
  Mat3 turn;
  turn << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  for (int i = 0; i < n; ++i) {
    Body body;
    body.joint.type = JointType::kHinge;
    body.joint.parent = i - 1;
    body.joint.X_PJ = {.R = turn, .p = Vec3(i == 0 ? 0.0 : 0.05, 0.0, 0.0)};
    body.joint.X_MB.p = {0.05, 0.0, 0.0};
    body.mass = 1.0;
    body.moments = Vec3(1e-4, 1e-3, 1e-3);
    body.inertia = body.moments.asDiagonal();
    model.bodies.push_back(body);
  }
  assign_coordinates(&model);
  return model;
}

struct Setting {
  explicit Setting(int n) : model(make_chain(n)), zero(VecX::Zero(n)), q(VecX::Constant(n, 0.1)) {
    update_poses(model, q, 0.0, &X_WB);
    update_twists(model, X_WB, zero, 0.0, &V_WB);
    update_accelerations(model, {X_WB, V_WB, zero, zero, 0.0}, &A_WB);
  }
  Model model;
  VecX zero, q;
  std::vector<Pose> X_WB;
  std::vector<Twist> V_WB, A_WB;
};

void aba(benchmark::State& bench) {
  const Setting s(static_cast<int>(bench.range(0)));
  ArticulatedInertia trees;
  VecX f = VecX::Ones(s.zero.size());
  VecX v_dot = f;
  for (auto _ : bench) {
    trees.update(s.model, s.model.mechanisms[0], s.X_WB, s.zero);
    trees.solve(f.data(), v_dot.data());
    benchmark::DoNotOptimize(v_dot.data());
  }
  bench.SetComplexityN(bench.range(0));
}
BENCHMARK(aba)->RangeMultiplier(10)->Range(1, 10000)->Complexity(benchmark::oN);

void rnea(benchmark::State& bench) {
  const Setting s(static_cast<int>(bench.range(0)));
  std::vector<Wrench> scratch;
  VecX f = s.zero;
  for (auto _ : bench) {
    f.setZero();
    add_inverse_dynamics(s.model, s.model.mechanisms[0], {s.X_WB, s.V_WB, s.A_WB}, s.zero, &scratch,
                         f);
    benchmark::DoNotOptimize(f.data());
  }
  bench.SetComplexityN(bench.range(0));
}
BENCHMARK(rnea)->RangeMultiplier(10)->Range(1, 10000)->Complexity(benchmark::oN);

void crba(benchmark::State& bench) {
  const Setting s(static_cast<int>(bench.range(0)));
  MatX M(bench.range(0), bench.range(0));
  for (auto _ : bench) {
    calc_mass_matrix(s.model, s.model.mechanisms[0], s.X_WB, M);
    benchmark::DoNotOptimize(M.data());
  }
  bench.SetComplexityN(bench.range(0));
}
BENCHMARK(crba)->RangeMultiplier(10)->Range(1, 1000)->Complexity(benchmark::oNSquared);

// The collision matrix of the last link, after its ABA sweep.   [M11, §4]
void collision_matrix(benchmark::State& bench) {
  const Setting s(static_cast<int>(bench.range(0)));
  ArticulatedInertia trees;
  for (auto _ : bench) {
    trees.update(s.model, s.model.mechanisms[0], s.X_WB, s.zero);
    benchmark::DoNotOptimize(trees.calc_mobility(static_cast<int>(bench.range(0)) - 1));
  }
  bench.SetComplexityN(bench.range(0));
}
BENCHMARK(collision_matrix)->RangeMultiplier(10)->Range(1, 10000)->Complexity(benchmark::oN);

// One step of 1/240 s of the whole flight.
void flight(benchmark::State& bench) {
  Setting s(static_cast<int>(bench.range(0)));
  Flight flight(s.model);
  VecX q = s.q;
  VecX v = s.zero;
  Flight::Work work;
  for (auto _ : bench) {
    benchmark::DoNotOptimize(flight.fly(0, {s.q, s.zero, 0.0}, 1.0 / 240.0, &q, &v, &work));
  }
}
BENCHMARK(flight)->Arg(1)->Arg(10)->Arg(100);

}  // namespace
}  // namespace tenpin
