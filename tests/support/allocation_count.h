// How often this program has asked for memory: by new, or by malloc as Eigen does.
#pragma once

namespace tenpin {

// False under a sanitizer, which has a malloc of its own.
[[nodiscard]] bool can_count_allocations();
[[nodiscard]] long count_allocations();

}  // namespace tenpin
