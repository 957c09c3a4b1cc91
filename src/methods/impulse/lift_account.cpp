#include "methods/impulse/lift_account.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tenpin::methods::impulse {

namespace {

// J   Of translation and rotation.
double calc_kinetic_energy(const dynamics::Body& body, const dynamics::Twist& V) {
  return 0.5 * (body.mass * V.v.squaredNorm() + body.moments.maxCoeff() * V.w.squaredNorm());
}

}  // namespace

void LiftAccount::load(const dynamics::Model& model, std::span<const std::uint64_t> memory) {
  const std::size_t n = model.mechanisms.size();
  accounts_.assign(n, 0.0);
  bounds_.assign(n, 0.0);
  if (memory.size() != 2 * n) return;
  for (std::size_t m = 0; m < n; ++m) {
    accounts_[m] = std::bit_cast<double>(memory[m]);
    bounds_[m] = std::bit_cast<double>(memory[n + m]);
  }
}

std::vector<std::uint64_t> LiftAccount::save() const {
  std::vector<std::uint64_t> memory;
  const bool is_empty = std::all_of(accounts_.begin(), accounts_.end(), [](double account) {
    return account == 0.0;
  });
  if (is_empty) return memory;
  for (const double account : accounts_) memory.push_back(std::bit_cast<std::uint64_t>(account));
  for (const double bound : bounds_) memory.push_back(std::bit_cast<std::uint64_t>(bound));
  return memory;
}

void LiftAccount::sum_up(const dynamics::Model& model, const Interval& interval) {
  const auto mechanism = [&model](int body) {
    return model.bodies[body].mechanism;
  };
  connected_.reset(model.num_mechanisms());
  for (const contact::ContactRecord& r : interval.records) {
    const int a = mechanism(r.body_a);
    const int b = mechanism(r.body_b);
    if (a >= 0 && b >= 0) connected_.join(a, b);
  }
  islands_.assign(model.mechanisms.size(), {});
  for (int i = 0; i < model.num_bodies(); ++i) {
    if (!model.bodies[i].is_mobile()) continue;
    Island& island = islands_[connected_.root(mechanism(i))];
    if (island.body < 0) island.body = i;
    ++island.count;
    island.mass += model.bodies[i].mass;
    island.turnover += calc_kinetic_energy(model.bodies[i], interval.V_start[i]) +
                       calc_kinetic_energy(model.bodies[i], interval.V_end[i]);
  }
  for (int m = 0; m < model.num_mechanisms(); ++m) {
    islands_[connected_.root(m)].before += accounts_[m];
    islands_[connected_.root(m)].gained += std::min(interval.applied[m], 0.0);
    islands_[connected_.root(m)].allowed += bounds_[m];
  }
  for (Island& island : islands_) {
    island.allowed = std::max(island.allowed, island.count * island.mass * interval.lift);
  }
  for (const contact::ContactRecord& r : interval.records) {
    Island& island = islands_[connected_.root(std::max(mechanism(r.body_a), mechanism(r.body_b)))];
    island.gained += r.normal_work + r.friction_work;
    island.turnover += std::fabs(r.normal_work) + std::fabs(r.friction_work);
  }
}

LiftAccount::Excess LiftAccount::add(const dynamics::Model& model, const Interval& interval) {
  sum_up(model, interval);
  Excess worst;
  for (const Island& island : islands_) {
    if (island.count == 0 || !(island.gained > 0.0)) continue;
    const double account = island.before + island.gained;
    const double rounding = interval.tolerance * island.turnover;
    if (account <= island.allowed + rounding) continue;
    if (worst.body >= 0 && account - island.allowed <= worst.gained - worst.allowed) continue;
    worst = {.body = island.body, .gained = account, .allowed = island.allowed};
  }
  for (int m = 0; m < model.num_mechanisms(); ++m) {
    const Island& island = islands_[connected_.root(m)];
    if (island.gained == 0.0) continue;
    double mass = 0.0;
    for (const int i : model.mechanisms[m].bodies) mass += model.bodies[i].mass;
    const double share = mass / island.mass;
    accounts_[m] = std::max(0.0, island.before + island.gained) * share;
    bounds_[m] = accounts_[m] > 0.0 ? island.allowed * share : 0.0;
  }
  return worst;
}

}  // namespace tenpin::methods::impulse
