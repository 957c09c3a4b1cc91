#include "simulation/state_hash.h"

#include <span>

#include "base/hash.h"

namespace tenpin::simulation {

std::uint64_t calc_state_hash(const dynamics::State& state) {
  Hash hash;
  hash.add(state.step);
  hash.add(state.t);
  hash.add(std::span(state.q.data(), state.q.size()));
  hash.add(std::span(state.v.data(), state.v.size()));
  for (const std::uint64_t word : state.memory) hash.add(word);
  return hash.value();
}

}  // namespace tenpin::simulation
