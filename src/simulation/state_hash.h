#pragma once

#include <cstdint>

#include "dynamics/state.h"

namespace tenpin::simulation {

// 64 bits that differ if any bit of the state differs.
[[nodiscard]] std::uint64_t calc_state_hash(const dynamics::State& state);

}  // namespace tenpin::simulation
