// The report of a world in a batch, in the types of the public headers.
#pragma once

#include "simulation/public.h"
// The line above must come first.
#include <vector>

#include "batch/batch_scene.h"
#include "batch/cpu_batch.h"

namespace tenpin::worlds {

// J   Kinetic and potential energy of the world's state; the other entries are zero.
template <class Real, int kContacts>
[[nodiscard]] Ledger calc_energy(const batch::BatchScene& scene,
                                 const batch::Stored<Real, kContacts>& world);

// The report since the world's state was set, at `time` (s) with `start_energy` (J).
template <class Real, int kContacts>
[[nodiscard]] WorldReport read_report(const batch::BatchScene& scene,
                                      const batch::Stored<Real, kContacts>& world, double time,
                                      double start_energy);

// Adds the steps of a simulation that has continued the world.
void add_simulation(const Simulation& simulation, WorldReport* report);

[[nodiscard]] std::vector<Contact> read_contacts(const batch::BatchScene& scene,
                                                 const std::vector<batch::WorldContact>& found);

}  // namespace tenpin::worlds
