#include "worlds/world_report.h"
// The line above must come first.
#include <algorithm>

#include "batch/free_rotation.h"
#include "contact/report.h"

namespace tenpin::worlds {

namespace {

using batch::Stored;

batch::Vector<double> to_vector(const auto* v) {
  return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
}

int find_body(const batch::BatchScene& scene, int name) {
  return name >= batch::kFixedFlag ? scene.fixed[static_cast<std::size_t>(name - batch::kFixedFlag)]
                                   : scene.loose[static_cast<std::size_t>(name)].body;
}

// The mode as the stepper determines it: values below the tolerance's fraction of the step's speed
// are zero.
contact::Mode find_mode(const batch::WorldContact& c, double small, double h) {
  constexpr double kTouching = 1e-9;  // m   rounding of gaps
  if (c.normal_impulse * c.mobility <= small) {
    return contact::find_unloaded_mode(c.gap, c.normal_velocity, std::max(kTouching, small * h),
                                       small);
  }
  if (c.law_slip > small) return contact::Mode::kSliding;
  const double friction = (c.impulse - c.normal_impulse * c.normal).norm() * c.mobility;
  return friction > small ? contact::Mode::kSticking : contact::Mode::kResting;
}

}  // namespace

template <class Real, int kContacts>
Ledger calc_energy(const batch::BatchScene& scene, const Stored<Real, kContacts>& world) {
  Ledger energy;
  const Vec3 g(scene.model.gravity.x, scene.model.gravity.y, scene.model.gravity.z);
  for (std::size_t i = 0; i < scene.loose.size(); ++i) {
    const batch::Body<double>& body = scene.model.bodies[i];
    const auto& turn = world.q[i];
    const batch::Quaternion<double> q = {static_cast<double>(turn[0]), static_cast<double>(turn[1]),
                                         static_cast<double>(turn[2]),
                                         static_cast<double>(turn[3])};
    const auto v = to_vector(&world.v[i][0]), spin = to_vector(&world.v[i][3]);
    const auto L = batch::multiply_inertia(body, q, body.moments, spin);
    energy.kinetic += 0.5 * (body.mass * dot(v, v) + dot(spin, L));
    const Vec3 x(world.x[i][0], world.x[i][1], world.x[i][2]);
    energy.potential -= body.mass * g.dot(x + scene.origin);
  }
  return energy;
}

template <class Real, int kContacts>
WorldReport read_report(const batch::BatchScene& scene, const Stored<Real, kContacts>& world,
                        double time, double start_energy) {
  WorldReport report = {.path = BatchPath::kBatch, .steps = world.steps};
  report.time = time + static_cast<double>(world.steps) * scene.model.h;
  report.ledger = calc_energy(scene, world);
  Ledger& ledger = report.ledger;
  ledger.normal = static_cast<double>(world.work_normal);
  ledger.friction = static_cast<double>(world.work_friction);
  ledger.scheme = static_cast<double>(world.work_gravity);
  ledger.closure =
      (ledger.normal + ledger.friction + ledger.scheme) - (ledger.total() - start_energy);
  report.certificate.residual = static_cast<double>(world.worst_residual);
  report.certificate.penetration = static_cast<double>(world.deepest);
  return report;
}

template Ledger calc_energy(const batch::BatchScene&, const batch::World64&);
template Ledger calc_energy(const batch::BatchScene&, const batch::World32&);
template WorldReport read_report(const batch::BatchScene&, const batch::World64&, double, double);
template WorldReport read_report(const batch::BatchScene&, const batch::World32&, double, double);
template WorldReport read_report(const batch::BatchScene&, const Stored<double, batch::kMoreRoom>&,
                                 double, double);
template WorldReport read_report(const batch::BatchScene&, const Stored<float, batch::kMoreRoom>&,
                                 double, double);

void add_simulation(const Simulation& simulation, WorldReport* report) {
  const Ledger before = report->ledger;
  report->ledger = simulation.ledger();
  Ledger& sum = report->ledger;
  sum.normal += before.normal;
  sum.friction += before.friction;
  sum.scheme += before.scheme;
  sum.closure += before.closure;
  if (simulation.num_steps() == 0) {
    sum.kinetic = before.kinetic;
    sum.potential = before.potential;
  }
  const Certificate& its = simulation.certificate();
  Certificate& worst = report->certificate;
  worst.residual = std::max(worst.residual, its.residual);
  worst.penetration = std::max(worst.penetration, its.penetration);
  worst.cone_violation = its.cone_violation;
  worst.dissipation_gap = its.dissipation_gap;
  worst.excess_work = its.excess_work;
  worst.forces_unique = its.forces_unique;
  worst.passed = its.passed;
  report->certified = its.passed;
  report->steps += simulation.num_steps();
  report->time += simulation.time();
}

std::vector<Contact> read_contacts(const batch::BatchScene& scene,
                                   const std::vector<batch::WorldContact>& found) {
  const double h = scene.model.h;
  double speed = scene.model.least_speed;
  for (const batch::WorldContact& c : found) {
    speed = std::max({speed, c.mobility * c.impulse.norm(), c.slip.norm(), -c.normal_velocity});
  }
  std::vector<Contact> contacts;
  contacts.reserve(found.size());
  for (const batch::WorldContact& c : found) {
    contacts.push_back(
        {.body_a = {find_body(scene, c.a)},
         .body_b = {find_body(scene, c.b)},
         .position = c.position + scene.origin,
         .normal = c.normal,
         .gap = c.gap,
         .impulse = c.impulse,
         .force = c.impulse / h,
         .normal_impulse = c.normal_impulse,
         .slip = c.slip,
         .normal_velocity = c.normal_velocity,
         .mode = static_cast<ContactMode>(find_mode(c, scene.model.tolerance * speed, h)),
         .normal_work = c.normal_work,
         .friction_work = c.friction_work});
  }
  return contacts;
}

}  // namespace tenpin::worlds
