// Worlds of a scene, for the tests.
#pragma once

#include <string>
#include <vector>

#include "base/hash.h"
#include "batch/batch_scene.h"
#include "batch/cpu_batch.h"
#include "scene/build.h"
#include "scene/read.h"

namespace tenpin::test {

struct TestScene {
  scene::Scene scene;
  scene::Built built;
  batch::BatchScene batch;

  explicit TestScene(scene::Scene from)
      : scene(std::move(from)),
        built(scene::build(scene)),
        batch(batch::make_batch_scene(scene, built, batch::choose_origin(built))) {}
  explicit TestScene(const std::string& yaml) : TestScene(scene::parse_scene(yaml, "test.yaml")) {}
};

inline TestScene make_lane() {
  return TestScene(scene::read_scene(TENPIN_SOURCE_DIR "/experiments/MC95/bowling/spheres.yaml"));
}

// Throws of the lane: number i starts somewhere else.
template <class Real, int kContacts = batch::kRoom>
std::vector<batch::Stored<Real, kContacts>> make_throws(const TestScene& lane, int count) {
  std::vector<batch::Stored<Real, kContacts>> worlds;
  for (int i = 0; i < count; ++i) {
    dynamics::State state = lane.built.state;
    const double part = (i * 37 % 101) / 101.0;  // spread, without chance
    state.q[0] = -0.16 + 0.32 * part;
    state.v[0] = 0.3 * ((i * 61 % 97) / 97.0 - 0.5);
    worlds.push_back(batch::make_world<Real, kContacts>(lane.batch, state));
  }
  return worlds;
}

template <class Real, int kContacts>
std::uint64_t calc_digest(const batch::Stored<Real, kContacts>& w) {
  Hash hash;
  for (int b = 0; b < batch::kMaxBodies; ++b) {
    for (const Real x : w.x[b]) hash.add(static_cast<double>(x));
    for (const Real x : w.q[b]) hash.add(static_cast<double>(x));
    for (const Real x : w.v[b]) hash.add(static_cast<double>(x));
  }
  hash.add(static_cast<double>(w.steps));
  hash.add(static_cast<double>(w.flags));
  hash.add(static_cast<double>(w.visits));
  for (const Real x : {w.worst_residual, w.work_normal, w.work_friction, w.work_gravity, w.energy})
    hash.add(static_cast<double>(x));
  return hash.value();
}

template <class Real, int kContacts>
std::uint64_t calc_digest(const std::vector<batch::Stored<Real, kContacts>>& worlds) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < worlds.size(); ++i) sum += calc_digest(worlds[i]) * (2 * i + 1);
  return sum;
}

}  // namespace tenpin::test
