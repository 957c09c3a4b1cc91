// How the kernels divide the work; measured (docs/benchmarks.md). No result depends on it.
#pragma once

namespace tenpin::batch {

#if defined(TENPIN_KERNEL_LANES)
inline constexpr int kKernelLanes = TENPIN_KERNEL_LANES;  // for comparisons of layouts
#else
inline constexpr int kKernelLanes = 16;  // of a world
#endif
// Threads of a block, whose warps keep step. Numbers of twice the size leave room for fewer worlds
// in a multiprocessor's cache.
#if defined(TENPIN_KERNEL_BLOCK)
template <class Real>
inline constexpr int kKernelBlock = TENPIN_KERNEL_BLOCK;
#else
template <class Real>
inline constexpr int kKernelBlock = sizeof(Real) == 8 ? 384 : 512;
#endif
inline constexpr int kKernelContacts = 96;  // of a world: as kRoom

}  // namespace tenpin::batch
