// The implementation of tenpin::Batch: one interface for worlds that are simulations and worlds of
// a GPU or CPU batch.
#pragma once

#include "simulation/public.h"
// The line above must come first.
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tenpin {

struct Batch::Impl {
  Impl(int its_count, int its_nq, int its_nv)
      : count(its_count),
        nq(its_nq),
        nv(its_nv),
        q(static_cast<std::size_t>(its_count) * static_cast<std::size_t>(its_nq)),
        v(static_cast<std::size_t>(its_count) * static_cast<std::size_t>(its_nv)) {}
  virtual ~Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  virtual bool step(int steps, const std::function<bool()>& goes_on) = 0;
  virtual void reset(int world) = 0;
  virtual void set_state(int world, const VecX& q_new, const VecX& v_new) = 0;
  virtual void set_start(int world, const VecX& q_new, const VecX& v_new) = 0;
  virtual std::span<double> forces() = 0;
  [[nodiscard]] virtual bool ok(int world) const = 0;
  [[nodiscard]] virtual WorldReport report(int world) = 0;
  [[nodiscard]] virtual std::vector<Contact> contacts(int world) = 0;
  [[nodiscard]] virtual std::uint64_t state_hash(int world) = 0;
  [[nodiscard]] virtual BatchArrays arrays() = 0;

  // Writes a world's state into its rows.
  void publish(int world, const double* its_q, const double* its_v) {
    std::copy_n(its_q, nq, q.begin() + static_cast<std::ptrdiff_t>(world) * nq);
    std::copy_n(its_v, nv, v.begin() + static_cast<std::ptrdiff_t>(world) * nv);
  }

  int count, nq, nv;
  std::vector<double> q, v;  // count rows
  std::string device;        // description for users
  std::string reason;        // why no GPU is used
};

}  // namespace tenpin

namespace tenpin::worlds {

// The scenes of a batch's worlds: one for all, or one for each.
struct WorldScenes {
  std::vector<Scene> scenes;
  int count = 0;

  [[nodiscard]] std::size_t index(int world) const {
    return scenes.size() == 1 ? 0 : static_cast<std::size_t>(world);
  }
  [[nodiscard]] const Scene& of(int world) const { return scenes[index(world)]; }
};

// Throws InputError unless both have the same bodies and joints.
void check_alike(const Simulation& first, const Simulation& other, int world);

[[nodiscard]] std::unique_ptr<Batch::Impl> make_simulations(const WorldScenes& scenes, int threads);
[[nodiscard]] std::unique_ptr<Batch::Impl> make_world_batch(const WorldScenes& scenes,
                                                            const BatchOptions& options,
                                                            int threads);

// Calls work(world, worker, goes_on) for all worlds on several threads. goes_on() becomes false
// once the caller's own goes_on() has returned false, which is called only on the calling thread.
// Returns true if it never did.
using GoesOn = std::function<bool()>;
[[nodiscard]] bool share_worlds(int count, int threads, const GoesOn& goes_on,
                                const std::function<void(int, int, const GoesOn&)>& work);

}  // namespace tenpin::worlds
