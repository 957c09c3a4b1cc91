#include "batch/cpu_batch.h"

#include <array>

#include "batch/step.h"

namespace tenpin::batch {

namespace {

template <class Real>
Vec3 to_vec3(const Vector<Real>& v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

// Reads the results of the step for contact c; its position was read before the step.
template <class OneWorld>
void read_impulse(const OneWorld& world, int c, WorldContact* contact) {
  const Vec3 r = to_vec3(world.contact(OneWorld::kR, c));
  const Vec3 t1 = to_vec3(world.contact(OneWorld::kT, c)), t2 = contact->normal.cross(t1);
  const Vec3 before = to_vec3(calc_relative_velocity(world, OneWorld::kV, c));
  const Vec3 after = to_vec3(calc_relative_velocity(world, OneWorld::kW, c));
  contact->normal_impulse = r.x();
  contact->impulse = r.x() * contact->normal + r.y() * t1 + r.z() * t2;
  contact->slip = after.y() * t1 + after.z() * t2;
  contact->normal_velocity = after.x();
  contact->gap += static_cast<double>(world.model->h) * (after.x() - before.x());
  const auto D_nn = world.at(OneWorld::kBlock + c);
  const auto D_tt = world.at(OneWorld::kBlock + 3 * OneWorld::kNc + c);
  const auto D_ss = world.at(OneWorld::kBlock + 5 * OneWorld::kNc + c);
  const Vec3 seen = after + to_vec3(world.contact(OneWorld::kFree, c)) -
                    to_vec3(calc_relative_velocity(world, OneWorld::kVFree, c));
  const double softness = static_cast<double>(calc_softness_t(world, D_tt, D_ss));
  contact->law_slip = (seen + softness * r).tail<2>().norm();
  contact->mobility = static_cast<double>(calc_mobility(world, D_nn, D_tt, D_ss));
  const Vec3 mean = 0.5 * (before + after);
  contact->normal_work = r.x() * mean.x();
  contact->friction_work = r.tail<2>().dot(mean.tail<2>());
}

}  // namespace

template <class Real, int kContacts>
struct WorldRunner<Real, kContacts>::Memory {
  using OneWorld = World<Real, OneLane, 1, kContacts>;
  std::vector<Real> reals = std::vector<Real>(OneWorld::kReals);
  std::vector<Word> words = std::vector<Word>(OneWorld::kWords);

  OneWorld world(const Model<Real>& model) { return {reals.data(), words.data(), &model, {}}; }
};

template <class Real, int kContacts>
WorldRunner<Real, kContacts>::WorldRunner() : memory_(std::make_unique<Memory>()) {}
template <class Real, int kContacts>
WorldRunner<Real, kContacts>::~WorldRunner() = default;
template <class Real, int kContacts>
WorldRunner<Real, kContacts>::WorldRunner(WorldRunner&&) noexcept = default;

template <class Real, int kContacts>
void WorldRunner<Real, kContacts>::run(const Model<Real>& model, int steps,
                                       Stored<Real, kContacts>* world) {
  const auto one = memory_->world(model);
  check_start(one, true, world);
  run_world(one, true, steps, world);
}

template <class Real, int kContacts>
std::vector<WorldContact> WorldRunner<Real, kContacts>::run_step(const Model<Real>& model,
                                                                 Stored<Real, kContacts>* world) {
  using OneWorld = typename Memory::OneWorld;
  const OneWorld one = memory_->world(model);
  load_state(one, *world);
  const FoundContacts found = find_contacts(one, begin_step(one).approach);
  std::vector<WorldContact> contacts(static_cast<std::size_t>(found.count));
  for (int c = 0; c < found.count; ++c) {
    WorldContact& contact = contacts[static_cast<std::size_t>(c)];
    const Word bodies = one.word(OneWorld::kBodies + c);
    contact.a = OneWorld::body_a(bodies);
    contact.b = OneWorld::body_b(bodies);
    contact.normal = to_vec3(one.contact(OneWorld::kN, c));
    contact.gap = static_cast<double>(one.at(OneWorld::kFree + c));
    contact.position =
        to_vec3(one.contact(OneWorld::kArmA, c)) + 0.5 * contact.gap * contact.normal;
  }
  // The step finds the contacts again. Its drift overwrites the velocities before the step, which
  // the works need, so they are copied.
  std::array<Real, 6 * OneWorld::kNb> v;
  for (int k = 0; k < std::ssize(v); ++k) v[k] = one.at(OneWorld::kV + k);
  run_world(one, true, 1, world);
  if (world->flags != 0) return {};
  for (int k = 0; k < std::ssize(v); ++k) one.at(OneWorld::kV + k) = v[k];
  for (int c = 0; c < found.count; ++c) {
    read_impulse(one, c, &contacts[static_cast<std::size_t>(c)]);
  }
  return contacts;
}

template <class Real, int kContacts>
void run_on_cpu(std::span<const Model<Real>> models, int steps, const Workers& workers,
                std::span<Stored<Real, kContacts>> worlds) {
  std::vector<WorldRunner<Real, kContacts>> runners(static_cast<std::size_t>(workers.size()));
  workers.run(static_cast<int>(worlds.size()), [&](int i, int worker) {
    Stored<Real, kContacts>* world = &worlds[static_cast<std::size_t>(i)];
    runners[static_cast<std::size_t>(worker)].run(models[world->model], steps, world);
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
template class WorldRunner<double, kRoom>;
template class WorldRunner<float, kRoom>;
template class WorldRunner<double, kMoreRoom>;
template class WorldRunner<float, kMoreRoom>;

}  // namespace tenpin::batch
