// Impacts per second: balls, the general planar law in closed form, three dimensions by series.
// Each iteration solves the next of kNumImpacts impacts, so that no branch predictor learns one by
// heart; the counter `unsolved` must stay 0.
#include <benchmark/benchmark.h>

#include <vector>

#include "impact/random_impacts.h"
#include "impact/sphere.h"

namespace tenpin::impact {
namespace {

constexpr int kNumImpacts = 4096;

void sphere(benchmark::State& state) {
  std::vector<SphereContact> contacts;
  for (std::uint64_t i = 0; i < kNumImpacts; ++i) {
    const RandomStream r(1, i);
    contacts.push_back(
        {1.0, 3.5,
         Vec3(r.uniform(0, -1.0, 1.0), r.uniform(1, -1.0, 1.0), -r.uniform(2, 0.0, 1.0))});
  }
  for (auto _ : state) {
    Vec3 sum = Vec3::Zero();
    for (const SphereContact& contact : contacts) sum += solve_sphere(contact, 0.2, 0.8);
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * kNumImpacts);
}
BENCHMARK(sphere);

void planar(benchmark::State& state) {
  const Law law = static_cast<Law>(state.range(0));
  std::vector<RandomPlanar> impacts;
  for (std::uint64_t i = 0; i < kNumImpacts; ++i) impacts.push_back(draw_planar(i, law));
  double unsolved = 0.0;
  for (auto _ : state) {
    for (const RandomPlanar& r : impacts) {
      const PlanarImpact impact = solve_planar(r.contact, r.surface);
      unsolved += impact.status == ImpactStatus::kSolved ? 0.0 : 1.0;
      benchmark::DoNotOptimize(impact.end().p_n);
    }
  }
  state.counters["unsolved"] = unsolved;
  state.SetLabel(std::string(to_string(law)));
  state.SetItemsProcessed(state.iterations() * kNumImpacts);
}
BENCHMARK(planar)->DenseRange(0, 2);

void spatial(benchmark::State& state) {
  const Law law = static_cast<Law>(state.range(0));
  std::vector<SpatialContact> contacts;
  std::vector<Surface> surfaces;
  for (std::uint64_t i = 0; i < kNumImpacts; ++i) {
    contacts.push_back(draw_spatial(i));
    surfaces.push_back(draw_surface(i, law));
  }
  double unsolved = 0.0;
  double num_series = 0.0;
  for (auto _ : state) {
    for (std::size_t i = 0; i < kNumImpacts; ++i) {
      const SpatialImpact impact = solve_spatial(contacts[i], surfaces[i]);
      unsolved += impact.status == ImpactStatus::kSolved ? 0.0 : 1.0;
      num_series += impact.num_series;
    }
  }
  state.counters["unsolved"] = unsolved;
  state.counters["series"] = num_series / static_cast<double>(state.iterations() * kNumImpacts);
  state.SetLabel(std::string(to_string(law)));
  state.SetItemsProcessed(state.iterations() * kNumImpacts);
}
BENCHMARK(spatial)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tenpin::impact
