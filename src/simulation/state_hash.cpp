#include "simulation/state_hash.h"

#include <span>

#include "base/hash.h"

namespace tenpin::simulation {

std::uint64_t calc_state_hash(const dynamics::State& state) {
  Hash hash;
  hash.add(state.step);
  hash.add(state.t);
  hash.add(std::span<const double>(state.q.data(), static_cast<std::size_t>(state.q.size())));
  hash.add(std::span<const double>(state.v.data(), static_cast<std::size_t>(state.v.size())));
  for (const std::uint64_t word : state.memory) hash.add(word);
  for (const dynamics::FiredEvent& fired : state.fired) {
    hash.add(static_cast<std::int64_t>(fired.event));
    hash.add(fired.t);
  }
  return hash.value();
}

}  // namespace tenpin::simulation
