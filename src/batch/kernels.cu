// The kernels: they only call functions of the shared headers. Clang compiles them to PTX without
// any CUDA header (cmake/TenpinKernels.cmake).
#pragma clang force_cuda_host_device begin
#include "batch/step.h"
#pragma clang force_cuda_host_device end

#include "batch/kernel_shape.h"

namespace {

using namespace tenpin::batch;

// The worlds of a warp are interleaved in global memory.
template <class Real>
struct Launch {
  static constexpr int kWorldsOfWarp = 32 / kKernelLanes;
  using DeviceWorld = World<Real, WarpLanes<kKernelLanes>, kWorldsOfWarp, kKernelContacts>;
  using Record = Stored<Real, kKernelContacts>;

  DeviceWorld world;
  Record* stored;
  bool exists;
};

// `order` gives the world for each place of the launch, so that similar worlds share a warp. The
// result of a world does not depend on it.
template <class Real>
__attribute__((device)) __attribute__((always_inline)) inline Launch<Real> find_world(
    const Model<Real>* models, typename Launch<Real>::Record* worlds, const Word* order, int count,
    Real* reals, Word* words) {
  using DeviceWorld = typename Launch<Real>::DeviceWorld;
  constexpr int kWorldsOfWarp = Launch<Real>::kWorldsOfWarp;
  const int thread =
      __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
  const int place = thread / kKernelLanes;
  const bool exists = place < count;
  const long warp = thread / 32;
  const int in_warp = (thread & 31) / kKernelLanes;
  Launch<Real> launch;
  launch.exists = exists;
  launch.stored = worlds + order[exists ? place : 0];
  launch.world.reals = reals + warp * kWorldsOfWarp * DeviceWorld::kReals + in_warp;
  launch.world.words = words + warp * kWorldsOfWarp * DeviceWorld::kWords + in_warp;
  launch.world.model = models + launch.stored->model;
  return launch;
}

}  // namespace

// `work` receives the number of contacts that each world swept in the launch.
//
// Compiled once per precision, TENPIN_REAL.
using Real = TENPIN_REAL;
using Record = Stored<Real, kKernelContacts>;

#define TENPIN_KERNEL \
  extern "C" __attribute__((global)) __attribute__((launch_bounds(kKernelBlock<Real>, 1))) void

TENPIN_KERNEL step_worlds(const Model<Real>* models, Record* worlds, const Word* order, int count,
                          Real* reals, Word* words, int steps, Word* work) {
  const Launch<Real> launch = find_world(models, worlds, order, count, reals, words);
  const LongWord before = launch.stored->visits;
  run_world(launch.world, launch.exists, steps, launch.stored);
  if (launch.exists && launch.world.lanes.index() == 0) {
    const bool is_over = launch.stored->flags != 0;
    work[launch.stored - worlds] = is_over ? 0 : Word(launch.stored->visits - before);
  }
}

TENPIN_KERNEL check_worlds(const Model<Real>* models, Record* worlds, const Word* order, int count,
                           Real* reals, Word* words) {
  const Launch<Real> launch = find_world(models, worlds, order, count, reals, words);
  check_start(launch.world, launch.exists, launch.stored);
}
