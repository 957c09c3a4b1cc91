// Many worlds at once: throws of the bowling lane of spheres and capsules, on the CPU and the GPU.
//   batch_bench cpu --threads 16 --worlds 1024 --steps 2000
//   batch_bench gpu --precision f32 --worlds 100000 --steps 2000 --check 256
// One line of JSON per run. `--check N` first compares N worlds with the CPU, bit by bit, in other
// orders and with other cuts of launches.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/hash.h"
#include "base/rng.h"
#include "base/stopwatch.h"
#include "batch/batch_scene.h"
#include "batch/cpu_batch.h"
#include "batch/gpu_batch.h"
#include "scene/build.h"
#include "scene/read.h"

namespace {

using namespace tenpin;

struct Options {
  std::string device;
  std::string scene = TENPIN_SOURCE_DIR "/experiments/MC95/bowling/spheres.yaml";
  std::string precision = "f64";
  std::string ptx;  // file; "" = as embedded
  std::string note;
  int threads = static_cast<int>(std::thread::hardware_concurrency());
  int worlds = 1024;
  int steps = 600;
  int check = 0;
  double tolerance = 0.0;  // 0: the scene's
  bool sorted = false;     // neighbouring throws beside each other
  batch::GpuLayout layout;
};

template <class Real>
using Worlds = std::vector<batch::Stored<Real, batch::kRoom>>;

template <class Real>
Worlds<Real> make_throws(const scene::Built& built, const batch::BatchScene& lane, const Options& o,
                         const Workers& workers) {
  Worlds<Real> worlds(static_cast<std::size_t>(o.worlds));
  const RandomStream stream(7);
  workers.split(o.worlds, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      dynamics::State state = built.state;
      const auto n = static_cast<std::uint64_t>(2 * i);
      const double even = (i + 0.5) / o.worlds;
      state.q[0] = -0.16 + 0.32 * (o.sorted ? even : stream.uniform(n));
      state.v[0] = o.sorted ? 0.0 : 0.3 * (stream.uniform(n + 1) - 0.5);
      worlds[static_cast<std::size_t>(i)] = batch::make_world<Real, batch::kRoom>(lane, state);
    }
  });
  return worlds;
}

template <class Real>
std::uint64_t calc_digest(const Worlds<Real>& worlds) {
  std::uint64_t sum = 0;
  for (const auto& w : worlds) {
    Hash hash;
    for (int b = 0; b < batch::kMaxBodies; ++b) {
      for (const Real x : w.x[b]) hash.add(static_cast<double>(x));
      for (const Real x : w.q[b]) hash.add(static_cast<double>(x));
      for (const Real x : w.v[b]) hash.add(static_cast<double>(x));
    }
    for (const auto n : {std::uint64_t{w.steps}, std::uint64_t{w.flags}, std::uint64_t{w.visits}}) {
      hash.add(n);
    }
    for (const Real x : {w.worst_residual, w.work_normal, w.work_friction, w.energy}) {
      hash.add(static_cast<double>(x));
    }
    sum += hash.value();  // in no order
  }
  return sum;
}

template <class Real>
void print_line(const Options& o, const std::string& machine, const Worlds<Real>& worlds,
                double seconds) {
  double steps = 0.0, sweeps = 0.0, contacts = 0.0, residual = 0.0, closure = 0.0, energy = 0.0;
  unsigned most = 0;
  int flagged[5] = {};
  for (const auto& w : worlds) {
    steps += w.steps;
    sweeps += static_cast<double>(w.sweeps);
    contacts += static_cast<double>(w.contacts);
    residual = std::max(residual, static_cast<double>(w.worst_residual));
    closure = std::max(closure, static_cast<double>(w.worst_closure));
    energy += static_cast<double>(w.energy) / static_cast<double>(worlds.size());
    most = std::max(most, w.most_contacts);
    for (int k = 0; k < 5; ++k) flagged[k] += (w.flags >> k) & 1U ? 1 : 0;
  }
  std::printf(
      "{\"device\": \"%s\", \"machine\": \"%s\", \"note\": \"%s\", \"precision\": \"%s\", "
      "\"lanes\": %d, \"block\": %d, \"regroup\": %d, \"threads\": %d, \"sorted\": %d, "
      "\"worlds\": %zu, \"steps\": %d, \"seconds\": %.4f, \"steps_per_second\": %.4g, "
      "\"sweeps\": %.2f, \"contacts\": %.1f, \"most_contacts\": %u, \"residual\": %.2g, "
      "\"closure\": %.2g, \"energy\": %.6g, \"flags\": [%d, %d, %d, %d, %d], "
      "\"digest\": \"%016llx\"}\n",
      o.device.c_str(), machine.c_str(), o.note.c_str(), o.precision.c_str(), o.layout.lanes,
      o.layout.block, o.layout.regroup, o.threads, o.sorted ? 1 : 0, worlds.size(), o.steps,
      seconds, steps / seconds, sweeps / steps, contacts / steps, most, residual, closure, energy,
      flagged[0], flagged[1], flagged[2], flagged[3], flagged[4],
      static_cast<unsigned long long>(calc_digest(worlds)));
  (void)std::fflush(stdout);
}

std::string read_text(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

template <class Real>
int run(const Options& o) {
  const scene::Scene scene = scene::read_scene(o.scene);
  const scene::Built built = scene::build(scene);
  batch::BatchScene lane = batch::make_batch_scene(scene, built, batch::choose_origin(built));
  if (o.tolerance > 0.0) lane.model.tolerance = o.tolerance;
  std::vector<batch::Model<Real>> models = {batch::convert_model<Real>(lane.model)};
  if (o.tolerance > 0.0) models[0].tolerance = static_cast<Real>(o.tolerance);
  const std::span<const batch::Model<Real>> shared = models;
  const Workers workers(o.threads);
  Worlds<Real> worlds = make_throws<Real>(built, lane, o, workers);
  if (o.device == "cpu") {
    const Stopwatch clock;
    batch::run_on_cpu<Real, batch::kRoom>(shared, o.steps, workers, worlds);
    print_line(o, "", worlds, clock.wall());
    return 0;
  }
  const batch::CudaDevice device;
  const std::string text = o.ptx.empty() ? "" : read_text(o.ptx);
  const Stopwatch compile;
  batch::GpuBatch<Real> gpu(device, o.ptx.empty() ? batch::get_kernels<Real>() : text, o.layout);
  std::fprintf(stderr, "compiled in %.2f s\n", compile.wall());
  if (o.check > 0) {
    Worlds<Real> few(worlds.begin(), worlds.begin() + std::min(o.check, o.worlds));
    Worlds<Real> there = few, reversed(few.rbegin(), few.rend());
    gpu.upload(shared, there);
    gpu.run(o.steps);
    gpu.download(there);
    gpu.upload(shared, reversed);
    for (int done = 0; done < o.steps;) {
      const int part = std::min(77, o.steps - done);
      gpu.run(part);
      done += part;
    }
    gpu.download(reversed);
    batch::run_on_cpu<Real, batch::kRoom>(shared, o.steps, workers, few);
    const bool same = calc_digest(few) == calc_digest(there);
    const bool any_order = calc_digest(there) == calc_digest(reversed);
    std::printf(
        "{\"check\": \"%s\", \"precision\": \"%s\", \"worlds\": %zu, \"steps\": %d, "
        "\"same_as_cpu\": %s, \"same_in_other_order_and_launches\": %s}\n",
        o.note.c_str(), o.precision.c_str(), few.size(), o.steps, same ? "true" : "false",
        any_order ? "true" : "false");
    if (!same || !any_order) return 1;
  }
  const Stopwatch whole;
  gpu.upload(shared, worlds);
  device.wait();
  const Stopwatch clock;
  gpu.run(o.steps);
  const double seconds = clock.wall();
  gpu.download(worlds);
  std::fprintf(stderr, "with copies %.2f s\n", whole.wall());
  print_line(o, device.name(), worlds, seconds);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  CLI::App app("Many worlds at once");
  app.add_option("device", o.device)->required()->check(CLI::IsMember({"cpu", "gpu"}));
  app.add_option("--scene", o.scene);
  app.add_option("--precision", o.precision)->check(CLI::IsMember({"f32", "f64"}));
  app.add_option("--ptx", o.ptx);
  app.add_option("--note", o.note);
  app.add_option("--threads", o.threads);
  app.add_option("--worlds", o.worlds);
  app.add_option("--steps", o.steps);
  app.add_option("--check", o.check);
  app.add_option("--tolerance", o.tolerance);
  app.add_flag("--sorted", o.sorted);
  app.add_option("--lanes", o.layout.lanes);
  app.add_option("--block", o.layout.block);
  app.add_option("--regroup", o.layout.regroup);
  app.add_option("--launch", o.layout.launch);
  CLI11_PARSE(app, argc, argv);
  try {
    return o.precision == "f32" ? run<float>(o) : run<double>(o);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "batch_bench: %s\n", error.what());
    return 2;
  }
}
