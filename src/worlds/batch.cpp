#include "worlds/impl.h"
// The line above must come first.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <thread>

namespace tenpin {

namespace {

constexpr int kMostWorlds = 1'000'000;

int choose_threads(int threads) {
  TENPIN_REQUIRE(threads >= 0 && threads <= 1024,
                 fmt::format("threads: got {}, want 0 to 1024", threads));
  return threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::unique_ptr<Batch::Impl> make_impl(worlds::WorldScenes scenes, const BatchOptions& options) {
  TENPIN_REQUIRE(scenes.count >= 1 && scenes.count <= kMostWorlds,
                 fmt::format("count: got {}, want 1 to {}", scenes.count, kMostWorlds));
  const int threads = choose_threads(options.threads);
  if (options.device != BatchOptions::Device::kCpu) {
    return worlds::make_world_batch(scenes, options, threads);
  }
  TENPIN_REQUIRE(options.precision == BatchOptions::Precision::kDouble,
                 "precision: got single on the device cpu, want double");
  return worlds::make_simulations(scenes, threads);
}

void check_world(const Batch& batch, int world) {
  TENPIN_REQUIRE(world >= 0 && world < batch.size(),
                 fmt::format("index: got {}, want 0 to {}", world, batch.size() - 1));
}

}  // namespace

namespace worlds {

void check_alike(const Simulation& first, const Simulation& other, int world) {
  bool is_alike = first.num_bodies() == other.num_bodies() && first.q().size() == other.q().size();
  for (int k = 0; is_alike && k < first.num_bodies(); ++k) {
    is_alike = first.name({k}) == other.name({k}) &&
               first.layout(JointId{k}).kind == other.layout(JointId{k}).kind;
  }
  TENPIN_REQUIRE(is_alike, fmt::format("scenes: got other bodies or joints in number {} than in "
                                       "number 0, want the same",
                                       world));
}

bool share_worlds(int count, int threads, const GoesOn& goes_on,
                  const std::function<void(int, int, const GoesOn&)>& work) {
  std::atomic<int> next = 0;
  std::atomic<bool> stop = false;
  const auto run = [&](int worker) {
    const GoesOn asks = [&, worker] {
      if (worker == 0 && goes_on && !goes_on()) stop = true;
      return !stop;
    };
    for (int k = next++; k < count && asks(); k = next++) work(k, worker, asks);
  };
  std::vector<std::jthread> team;
  for (int t = 1; t < std::min(threads, count); ++t) team.emplace_back(run, t);
  run(0);
  team.clear();  // waits for all
  return !stop;
}

}  // namespace worlds

std::string_view to_string(BatchPath path) {
  constexpr std::array<std::string_view, 4> kWords = {"simulation", "batch", "more room",
                                                      "stepper"};
  return kWords[static_cast<std::size_t>(path)];
}

Batch::Batch(const Scene& scene, int count, const BatchOptions& options)
    : impl_(make_impl({.scenes = {scene}, .count = count}, options)) {}
Batch::Batch(std::span<const Scene> scenes, const BatchOptions& options)
    : impl_(make_impl({.scenes = {scenes.begin(), scenes.end()},
                       .count = static_cast<int>(std::min<std::size_t>(scenes.size(), INT_MAX))},
                      options)) {}
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;
Batch::~Batch() = default;

int Batch::size() const {
  return impl_->count;
}

int Batch::nq() const {
  return impl_->nq;
}

int Batch::nv() const {
  return impl_->nv;
}

const std::string& Batch::device() const {
  return impl_->device;
}

const std::string& Batch::reason() const {
  return impl_->reason;
}

bool Batch::step(int steps, const std::function<bool()>& goes_on) {
  TENPIN_REQUIRE(steps >= 0, fmt::format("steps: got {}, want >= 0", steps));
  return steps == 0 || impl_->step(steps, goes_on);
}

void Batch::reset() {
  for (int k = 0; k < size(); ++k) impl_->reset(k);
}

void Batch::reset(std::span<const char> mask) {
  TENPIN_REQUIRE(std::ssize(mask) == size(),
                 fmt::format("mask: got {} flags, want {}", mask.size(), size()));
  for (int k = 0; k < size(); ++k) {
    if (mask[static_cast<std::size_t>(k)] != 0) impl_->reset(k);
  }
}

void Batch::set_state(int world, const VecX& q, const VecX& v) {
  check_world(*this, world);
  impl_->set_state(world, q, v);
}

void Batch::set_start(int world, const VecX& q, const VecX& v) {
  check_world(*this, world);
  impl_->set_start(world, q, v);
}

std::span<const double> Batch::q() const {
  return impl_->q;
}

std::span<const double> Batch::v() const {
  return impl_->v;
}

std::span<double> Batch::forces() {
  return impl_->forces();
}

bool Batch::ok(int world) const {
  check_world(*this, world);
  return impl_->ok(world);
}

bool Batch::certified(int world) const {
  return report(world).certified;
}

double Batch::time(int world) const {
  return report(world).time;
}

WorldReport Batch::report(int world) const {
  check_world(*this, world);
  return impl_->report(world);
}

std::vector<Contact> Batch::contacts(int world) const {
  check_world(*this, world);
  return impl_->contacts(world);
}

std::uint64_t Batch::state_hash(int world) const {
  check_world(*this, world);
  return impl_->state_hash(world);
}

BatchArrays Batch::arrays() const {
  return impl_->arrays();
}

}  // namespace tenpin
