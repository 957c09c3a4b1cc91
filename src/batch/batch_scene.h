// Converts a scene to what a batch runs, and the state of a world to the stepper's state and back.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "batch/model.h"
#include "batch/stored.h"
#include "dynamics/model.h"
#include "dynamics/state.h"
#include "scene/build.h"
#include "scene/problem.h"
#include "scene/scene.h"

namespace tenpin::batch {

// The number of contacts for which a world has room, and a larger number for worlds that need more.
inline constexpr int kRoom = 96;
inline constexpr int kMoreRoom = 512;
// Sweeps per step, the second half of them damped (sweep.h). Worlds that need more sweeps run again
// with five times as many.
inline constexpr int kMaxSweeps = 800;
inline constexpr int kMoreSweeps = 4000;

using World64 = Stored<double, kRoom>;
using World32 = Stored<float, kRoom>;

// Data shared by all trials with the same model; only their states differ.
struct BatchScene {
  Model<double> model = {};
  Vec3 origin = Vec3::Zero();  // m   positions of worlds are measured from here
  struct Loose {
    int body = 0;                       // index into dynamics::Model::bodies
    Quat principal = Quat::Identity();  // orientation of the worlds' axes in the body
  };
  std::vector<Loose> loose;    // in the order of the model's bodies
  std::vector<int> fixed;      // by fixed part: index of its body
  std::int64_t num_steps = 0;  // steps from time 0 to the scene's end
};

// Lists everything that prevents the scene from running in a batch, with names and places in the
// file; empty if it can run.
[[nodiscard]] std::vector<scene::Problem> find_obstacles(const scene::Scene& scene,
                                                         const dynamics::Model& model);

// m   The middle of the moving bodies, as the origin of worlds in single precision.
[[nodiscard]] Vec3 choose_origin(const scene::Built& built);

// Makes the data. Throws SceneError with the obstacles.
[[nodiscard]] BatchScene make_batch_scene(const scene::Scene& scene, const scene::Built& built,
                                          const Vec3& origin);

// The smallest tolerance that single precision can reach.
inline constexpr double kLeastTolerance32 = 1e-5;
template <class Real>
[[nodiscard]] Model<Real> convert_model(const Model<double>& model);

// Makes a world at the start of a run.
template <class Real, int kContacts>
[[nodiscard]] Stored<Real, kContacts> make_world(const BatchScene& scene,
                                                 const dynamics::State& state);

// Reads the state of a world as the stepper has it, without its memory.
template <class Real, int kContacts>
void read_state(const BatchScene& scene, const Stored<Real, kContacts>& world,
                dynamics::State* state);

// For example "overflow at step 312"; "" without a flag.
[[nodiscard]] std::string describe_flags(Word flags, Word steps);

}  // namespace tenpin::batch
