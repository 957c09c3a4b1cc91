#pragma once

#include <cstdint>

#include "dynamics/state.h"

namespace tenpin::simulation {

// 64 bits that differ when any bit of the state does.
[[nodiscard]] std::uint64_t calc_state_hash(const dynamics::State& state);

}  // namespace tenpin::simulation
