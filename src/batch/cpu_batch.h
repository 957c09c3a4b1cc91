// Worlds on the CPU: the source of the GPU's kernels with one lane, a thread per world.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/workers.h"
#include "batch/batch_scene.h"

namespace tenpin::batch {

// `steps` steps of each world, or as many as it can. The bits depend on neither the number of
// threads nor on how steps are divided between calls.
template <class Real, int kContacts>
void run_on_cpu(std::span<const Model<Real>> models, int steps, const Workers& workers,
                std::span<Stored<Real, kContacts>> worlds);

// A contact of one step, from the model's origin.
struct WorldContact {
  int a = 0;                     // loose body, or kFixedFlag + fixed part
  int b = 0;                     // loose body
  Vec3 position;                 // m     midway between the surfaces, at the predicted poses
  Vec3 normal;                   // -     from a to b
  double gap = 0.0;              // m     after the step
  Vec3 impulse;                  // N s   on b, world axes
  Vec3 slip;                     // m/s   velocity of b past a in the tangent plane, after the step
  double normal_impulse = 0.0;   // N s
  double normal_velocity = 0.0;  // m/s   after the step
  double law_slip = 0.0;         // m/s   slip as friction sees it: with the contact's compliance
  double mobility = 0.0;         // 1/kg  velocity per impulse at this contact
  double normal_work = 0.0;      // J
  double friction_work = 0.0;    // J
};

// Runs one world at a time, in memory that is kept between calls. Belongs to one thread.
template <class Real, int kContacts>
class WorldRunner {
 public:
  WorldRunner();
  ~WorldRunner();
  WorldRunner(WorldRunner&&) noexcept;

  // As run_on_cpu() does.
  void run(const Model<Real>& model, int steps, Stored<Real, kContacts>* world);
  // Takes one step of a world without flags and returns its contacts.
  [[nodiscard]] std::vector<WorldContact> run_step(const Model<Real>& model,
                                                   Stored<Real, kContacts>* world);

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace tenpin::batch
