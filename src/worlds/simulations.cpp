// A batch of simulations on several threads. Each one has the same bits as a simulation by itself.
#include "worlds/impl.h"
// The line above must come first.
#include <fmt/format.h>

#include <utility>

namespace tenpin::worlds {

namespace {

class Simulations final : public Batch::Impl {
 public:
  Simulations(const WorldScenes& scenes, const Simulation& first, int threads)
      : Impl(scenes.count, static_cast<int>(first.q().size()), static_cast<int>(first.v().size())),
        threads_(threads),
        starts_(1, first.save()) {
    worlds_.reserve(static_cast<std::size_t>(count));
    for (int k = 0; k < count; ++k) {
      Simulation sim = scenes.scenes.size() == 1 ? first.clone() : Simulation(scenes.of(k));
      check_alike(first, sim, k);
      worlds_.push_back({.sim = std::move(sim)});
      if (scenes.scenes.size() > 1) make_own_start(k, worlds_.back().sim.save());
      publish_state(k);
    }
    force_.resize(v.size(), 0.0);
    device = fmt::format("{} threads of the CPU", threads);
  }

  bool step(int steps, const std::function<bool()>& goes_on) override {
    return share_worlds(count, threads_, goes_on, [&](int k, int, const GoesOn& asks) {
      step_one(k, steps, asks);
    });
  }

  void reset(int k) override {
    World& world = worlds_[static_cast<std::size_t>(k)];
    world.sim.restore(world.start < 0 ? starts_[0]
                                      : starts_[static_cast<std::size_t>(world.start)]);
    std::fill_n(force_.begin() + static_cast<std::ptrdiff_t>(k) * nv, nv, 0.0);
    make_well(k);
  }

  void set_state(int k, const VecX& q_new, const VecX& v_new) override {
    worlds_[static_cast<std::size_t>(k)].sim.set_state(q_new, v_new);
    make_well(k);
  }

  void set_start(int k, const VecX& q_new, const VecX& v_new) override {
    const World& world = worlds_[static_cast<std::size_t>(k)];
    Simulation at_start = world.sim.clone();
    at_start.restore(starts_[static_cast<std::size_t>(std::max(0, world.start))]);
    at_start.set_state(q_new, v_new);
    make_own_start(k, at_start.save());
    reset(k);
  }

  std::span<double> forces() override { return force_; }
  bool ok(int k) const override { return worlds_[static_cast<std::size_t>(k)].ok; }

  WorldReport report(int k) override {
    const World& world = worlds_[static_cast<std::size_t>(k)];
    return {.path = BatchPath::kSimulation,
            .ok = world.ok,
            .certified = world.ok && world.sim.certificate().passed,
            .steps = world.sim.num_steps(),
            .time = world.sim.time(),
            .ledger = world.sim.ledger(),
            .certificate = world.sim.certificate(),
            .message = world.message};
  }
  std::vector<Contact> contacts(int k) override {
    return worlds_[static_cast<std::size_t>(k)].sim.contacts();
  }
  std::uint64_t state_hash(int k) override {
    return worlds_[static_cast<std::size_t>(k)].sim.state_hash();
  }
  BatchArrays arrays() override {
    throw InputError("arrays: the device cpu keeps states in simulations, want cpu-batch or gpu");
  }

 private:
  struct World {
    Simulation sim;
    int start = -1;  // index into starts_; -1: the first one, which worlds share
    bool ok = true;
    std::string message;  // why `ok` is false
  };

  void step_one(int k, int steps, const GoesOn& goes_on) {
    World& world = worlds_[static_cast<std::size_t>(k)];
    if (!world.ok) return;
    std::copy_n(force_.begin() + static_cast<std::ptrdiff_t>(k) * nv, nv,
                world.sim.joint_forces().begin());
    try {
      for (int i = 0; i < steps && world.ok && goes_on(); ++i) {
        world.ok = world.sim.step().ok();
        if (!world.ok) world.message = world.sim.report().message;
      }
    } catch (const std::exception& error) {  // forces that are not finite or are refused
      world.ok = false;
      world.message = error.what();
    }
    publish_state(k);
  }

  void make_own_start(int k, Snapshot start) {
    World& world = worlds_[static_cast<std::size_t>(k)];
    if (world.start < 0) {
      world.start = static_cast<int>(starts_.size());
      starts_.push_back(std::move(start));
    } else {
      starts_[static_cast<std::size_t>(world.start)] = std::move(start);
    }
  }
  void make_well(int k) {
    World& world = worlds_[static_cast<std::size_t>(k)];
    world.ok = true;
    world.message.clear();
    publish_state(k);
  }
  void publish_state(int k) {
    const Simulation& sim = worlds_[static_cast<std::size_t>(k)].sim;
    publish(k, sim.q().data(), sim.v().data());
  }

  int threads_;
  std::vector<World> worlds_;
  std::vector<Snapshot> starts_;  // the shared one, then those of individual worlds
  std::vector<double> force_;     // one row of nv per world, written by the caller
};

}  // namespace

std::unique_ptr<Batch::Impl> make_simulations(const WorldScenes& scenes, int threads) {
  const Simulation first(scenes.of(0));
  return std::make_unique<Simulations>(scenes, first, threads);
}

}  // namespace tenpin::worlds
