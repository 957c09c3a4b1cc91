#include "batch/cpu_batch.h"

#include <vector>

#include "batch/step.h"

namespace tenpin::batch {

template <class Real, int kContacts>
void run_on_cpu(std::span<const Model<Real>> models, int steps, const Workers& workers,
                std::span<Stored<Real, kContacts>> worlds) {
  using OneWorld = World<Real, OneLane, 1, kContacts>;
  struct Memory {
    std::vector<Real> reals = std::vector<Real>(OneWorld::kReals);
    std::vector<Word> words = std::vector<Word>(OneWorld::kWords);
  };
  std::vector<Memory> memories(static_cast<std::size_t>(workers.size()));
  workers.run(static_cast<int>(worlds.size()), [&](int i, int worker) {
    Stored<Real, kContacts>* stored = &worlds[static_cast<std::size_t>(i)];
    Memory& memory = memories[static_cast<std::size_t>(worker)];
    const OneWorld world = {memory.reals.data(), memory.words.data(), &models[stored->model], {}};
    if (stored->steps == 0) check_start(world, true, stored);
    run_world(world, true, steps, stored);
  });
}

template void run_on_cpu(std::span<const Model<double>>, int, const Workers&,
                         std::span<Stored<double, kRoom>>);
template void run_on_cpu(std::span<const Model<float>>, int, const Workers&,
                         std::span<Stored<float, kRoom>>);
template void run_on_cpu(std::span<const Model<double>>, int, const Workers&,
                         std::span<Stored<double, kMoreRoom>>);
template void run_on_cpu(std::span<const Model<float>>, int, const Workers&,
                         std::span<Stored<float, kMoreRoom>>);

}  // namespace tenpin::batch
