#include "support/allocation_count.h"

#include <atomic>
#include <cstddef>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define TENPIN_COUNTS_MALLOC 0
#else
#define TENPIN_COUNTS_MALLOC 1
#endif

namespace {

std::atomic<long> num_allocations = 0;  // NOLINT: malloc has no argument to carry it

}  // namespace

#if TENPIN_COUNTS_MALLOC
// glibc lets a program bring its own malloc and keeps the real one under this name.
extern "C" void* __libc_malloc(std::size_t size);  // NOLINT: glibc's name

extern "C" void* malloc(std::size_t size) {
  num_allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
#endif

namespace tenpin {

bool can_count_allocations() {
  return TENPIN_COUNTS_MALLOC != 0;
}

long count_allocations() {
  return num_allocations.load(std::memory_order_relaxed);
}

}  // namespace tenpin
