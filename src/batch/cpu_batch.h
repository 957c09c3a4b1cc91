// Worlds on the CPU: the source of the GPU's kernels with one lane, a thread per world.
#pragma once

#include <span>

#include "base/workers.h"
#include "batch/batch_scene.h"

namespace tenpin::batch {

// `steps` steps of each world, or as many as it can. The bits depend on neither the number of
// threads nor on how steps are divided between calls.
template <class Real, int kContacts>
void run_on_cpu(std::span<const Model<Real>> models, int steps, const Workers& workers,
                std::span<Stored<Real, kContacts>> worlds);

}  // namespace tenpin::batch
