// Cost of a step against the number of bodies: balls that settle in a bin, compliant contacts.
// Heaps of more balls are wider, not higher: how far loads travel, and so the number of sweeps, is
// a property of the height.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "methods/method.h"
#include "scene/build.h"
#include "scene/read.h"

namespace tenpin {
namespace {

constexpr int kLayers = 10;

// Layers of side^2 balls, nearly touching, that fall into each other and onto the floor.
std::string make_pile(int side) {
  constexpr double kSpacing = 0.0905;  // m   two radii and a little
  const double first = -0.5 * (side - 1) * kSpacing;
  const double wall = first - 0.047;
  const auto text = [](double x) {
    return std::to_string(x);
  };
  const auto plane = [&](const std::string& normal) {
    return ", {plane: {normal: [" + normal + "], offset: " + text(wall) + "}}";
  };
  const std::string grid = std::to_string(side);
  return "tenpin: 1\nname: pile\nseed: 7\nmaterials: {steel: {friction: 0.3, restitution: 0}}\n"
         "bodies:\n  - {name: bin, fixed: true, material: steel, shapes: [{plane: {}}" +
         plane("1, 0, 0") + plane("-1, 0, 0") + plane("0, 1, 0") + plane("0, -1, 0") +
         "]}\n  - {name: ball, material: steel, density: 7800, position: [" + text(first) + ", " +
         text(first) + ", 0.046], shapes: [{sphere: {radius: 0.045}}], repeat: {grid: [" + grid +
         ", " + grid + ", " + std::to_string(kLayers) + "], spacing: 0.0905, jitter: 0.0002}}\n" +
         "method: {time-stepping: {step: 0.004, solver: cone, contact: {compliance: "
         "0.03}}}\nuntil: 1000\n";
}

// Contacts that took part, in the last step and in all, and each as often as it was swept.
class Effort : public methods::StepObserver {
 public:
  bool on_step(const methods::StepReport& report, std::span<const contact::ContactRecord> /*all*/,
               const dynamics::State& /*state*/) override {
    num_active = report.num_active;
    contacts += report.num_active;
    swept += static_cast<double>(report.swept);
    residual = std::fmax(residual, report.certificate.residual);
    return true;
  }
  int num_active = 0;
  double contacts = 0.0;
  double swept = 0.0;
  double residual = 0.0;  // worst of all steps
};

double calc_peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

// Steps of one pile after the other; the first tenth of a second is not measured.
void settle(benchmark::State& bench) {
  constexpr double kStep = 0.004;    // s
  constexpr double kMeasured = 0.2;  // s
  const int side = static_cast<int>(bench.range(0));
  const scene::Scene scene = scene::parse_scene(make_pile(side), "pile.yaml");
  const scene::Built built = scene::build(scene);
  const auto method = methods::make_method(built.model, scene.method, 1);
  dynamics::State state = built.state;
  Effort effort;
  double until = 0.1;  // s
  const double never = 1e3;
  if (method->advance(until, never, &state, &effort) != methods::AdvanceStatus::kReachedEnd) {
    bench.SkipWithError("the run failed");
  }
  effort.contacts = effort.swept = 0.0;
  for (auto _ : bench) {
    until += kMeasured;
    if (method->advance(until, never, &state, &effort) != methods::AdvanceStatus::kReachedEnd) {
      bench.SkipWithError("the run failed");
    }
  }
  const double steps = std::round(kMeasured / kStep);
  const double bodies = kLayers * std::pow(side, 2);
  bench.counters["bodies"] = bodies;
  bench.counters["contacts"] = effort.num_active;
  bench.counters["sweeps_per_step"] = effort.swept / effort.contacts;
  bench.counters["worst_residual"] = effort.residual;
  bench.counters["MB_peak"] = calc_peak_megabytes();
  bench.counters["s_per_contact_sweep"] =
      benchmark::Counter(effort.swept, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  bench.counters["s_per_body_step"] =
      benchmark::Counter(bodies * steps * static_cast<double>(bench.iterations()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(settle)->Arg(10)->Arg(32)->Arg(100)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tenpin
