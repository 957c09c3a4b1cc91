// Worlds on the CPU: the source code of the GPU's kernels with one lane, and one thread per world.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/workers.h"
#include "batch/batch_scene.h"

namespace tenpin::batch {

// Takes `steps` steps of each world, or fewer if a world is flagged. The bits depend neither on the
// number of threads nor on how steps are divided between calls.
template <class Real, int kContacts>
void run_on_cpu(std::span<const Model<Real>> models, int steps, const Workers& workers,
                std::span<Stored<Real, kContacts>> worlds);

// A contact of one step. Its position is relative to the model's origin.
struct WorldContact {
  int a = 0;         // loose body, or kFixedFlag + fixed part
  int b = 0;         // loose body
  Vec3 position;     // m     midway between the surfaces, at the predicted poses
  Vec3 normal;       // -     from a to b
  double gap = 0.0;  // m     after the step
  Vec3 impulse;      // N s   on b, world axes
  // m/s   velocity of b relative to a in the tangent plane, after the step
  Vec3 slip;
  double normal_impulse = 0.0;   // N s
  double normal_velocity = 0.0;  // m/s   after the step
  // m/s   slip in the friction law, including the contact's compliance
  double law_slip = 0.0;
  double mobility = 0.0;       // 1/kg  velocity per impulse at this contact
  double normal_work = 0.0;    // J
  double friction_work = 0.0;  // J
};

// Runs one world at a time, in memory that it reuses between calls. Only one thread may use it.
template <class Real, int kContacts>
class WorldRunner {
 public:
  WorldRunner();
  ~WorldRunner();
  WorldRunner(WorldRunner&&) noexcept;

  // Does the same as run_on_cpu().
  void run(const Model<Real>& model, int steps, Stored<Real, kContacts>* world);
  // Takes one step of a world without flags and returns its contacts.
  [[nodiscard]] std::vector<WorldContact> run_step(const Model<Real>& model,
                                                   Stored<Real, kContacts>* world);

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace tenpin::batch
