// Time per box of the broad phase, for 100 to 100 000 boxes in the scenes that simulations make.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "collide/broad_phase.h"

namespace tenpin::collide {
namespace {

// Boxes of about one metre, their centres jittered about a cubic lattice.
std::vector<Aabb> make_lattice(int num, double spacing, double jitter) {
  const RandomStream random(1);
  const int side = static_cast<int>(std::ceil(std::cbrt(num)));
  std::vector<Aabb> boxes(num);
  for (int i = 0; i < num; ++i) {
    Vec3 center = spacing * Vec3(i % side, i / side % side, i / side / side);
    for (int k = 0; k < 3; ++k) {
      center[k] += random.uniform(4 * i + k, -jitter, jitter);
    }
    const Vec3 half = Vec3::Constant(random.uniform(4 * i + 3, 0.4, 0.5));
    boxes[i] = {center - half, center + half};
  }
  return boxes;
}

// The order of bodies in memory says nothing on where they are.
void shuffle(std::vector<Aabb>* boxes) {
  const RandomStream random(2);
  for (std::size_t i = boxes->size(); i > 1; --i) {
    std::swap((*boxes)[i - 1], (*boxes)[random.index(i, static_cast<std::uint32_t>(i))]);
  }
}

void run(benchmark::State& state, std::vector<Aabb> boxes) {
  shuffle(&boxes);
  BroadPhase broad_phase;
  std::size_t num_pairs = 0;
  for (auto _ : state) {
    num_pairs = broad_phase.update(boxes).size();
    benchmark::DoNotOptimize(num_pairs);
  }
  const auto n = static_cast<double>(boxes.size());
  state.SetComplexityN(state.range(0));
  state.counters["pairs/box"] = static_cast<double>(num_pairs) / n;
  state.counters["s/box"] = benchmark::Counter(
      n, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void apart(benchmark::State& state) {
  run(state, make_lattice(static_cast<int>(state.range(0)), 2.0, 0.4));
}

void pile(benchmark::State& state) {
  run(state, make_lattice(static_cast<int>(state.range(0)), 0.9, 0.1));
}

// Sizes over four decades in a room that keeps the number of pairs per box bounded.
void mixed_sizes(benchmark::State& state) {
  auto boxes = make_lattice(static_cast<int>(state.range(0)), 2.0, 0.4);
  const RandomStream random(3);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Vec3 center = 0.5 * (boxes[i].lower + boxes[i].upper);
    const Vec3 half = Vec3::Constant(std::ldexp(1.0, -static_cast<int>(random.index(i, 14))));
    boxes[i] = {center - half, center + half};
  }
  run(state, boxes);
}

void on_ground(benchmark::State& state) {
  auto boxes = make_lattice(static_cast<int>(state.range(0)), 0.9, 0.1);
  const double infinity = std::numeric_limits<double>::infinity();
  boxes.push_back({Vec3::Constant(-infinity), Vec3(infinity, infinity, 0.0)});
  run(state, boxes);
}

BENCHMARK(apart)->RangeMultiplier(10)->Range(100, 100'000)->Complexity(benchmark::oN);
BENCHMARK(pile)->RangeMultiplier(10)->Range(100, 100'000)->Complexity(benchmark::oN);
BENCHMARK(mixed_sizes)->RangeMultiplier(10)->Range(100, 100'000)->Complexity(benchmark::oN);
BENCHMARK(on_ground)->RangeMultiplier(10)->Range(100, 100'000)->Complexity(benchmark::oN);

}  // namespace
}  // namespace tenpin::collide
