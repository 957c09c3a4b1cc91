// How the kernels divide the work, chosen by measurement (docs/benchmarks.md). No result depends on
// it.
#pragma once

namespace tenpin::batch {

#if defined(TENPIN_KERNEL_LANES)
inline constexpr int kKernelLanes = TENPIN_KERNEL_LANES;  // for comparisons of layouts
#else
inline constexpr int kKernelLanes = 16;  // per world
#endif
// Threads per block; the warps of a block run synchronously. In double precision, fewer worlds fit
// into a multiprocessor's cache.
#if defined(TENPIN_KERNEL_BLOCK)
template <class Real>
inline constexpr int kKernelBlock = TENPIN_KERNEL_BLOCK;
#else
template <class Real>
inline constexpr int kKernelBlock = sizeof(Real) == 8 ? 384 : 512;
#endif
inline constexpr int kKernelContacts = 96;  // per world, the same as kRoom

}  // namespace tenpin::batch
