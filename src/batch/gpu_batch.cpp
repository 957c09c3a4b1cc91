#include "batch/gpu_batch.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

#include "base/check.h"
#include "batch/kernel_shape.h"
#include "batch/world.h"

namespace tenpin::batch {

static_assert(kKernelContacts == kRoom);

namespace {

template <class Real>
// the world as on the device, with the same numbers of reals and words
using HostWorld = World<Real, OneLane, 1, kRoom>;

int round_up(int count, int multiple) {
  return (count + multiple - 1) / multiple * multiple;
}

}  // namespace

void demand_gpu() {
  if (get_kernels<double>().empty()) {
    throw DeviceError("this program was built without clang, so it has no kernels for a GPU");
  }
  const CudaDevice device;
}

template <class Real>
GpuBatch<Real>::GpuBatch(const CudaDevice& device, std::string_view ptx, const GpuLayout& layout)
    : device_(device), layout_(layout) {
  TENPIN_DEMAND(!ptx.empty());
  if (layout_.lanes == 0) layout_.lanes = kKernelLanes;
  if (layout_.block == 0) layout_.block = kKernelBlock<Real>;
  module_ = device_.load(ptx);
}

template <class Real>
GpuBatch<Real>::~GpuBatch() = default;

template <class Real>
int GpuBatch<Real>::calc_capacity() const {
  constexpr double kShare = 0.5;  // of the free memory: the rest is for models and other programs
  const std::size_t world = sizeof(Stored<Real, kRoom>) + sizeof(Word) +
                            HostWorld<Real>::kReals * sizeof(Real) +
                            HostWorld<Real>::kWords * sizeof(Word);
  const double room = kShare * static_cast<double>(device_.free_memory());
  constexpr double kMost = 1 << 20;  // of one launch: indices of threads must fit into an int
  return static_cast<int>(std::clamp(room / static_cast<double>(world), 0.0, kMost));
}

template <class Real>
void GpuBatch<Real>::upload(std::span<const Model<Real>> models,
                            std::span<const Stored<Real, kRoom>> worlds) {
  TENPIN_DEMAND(!models.empty() && !worlds.empty());
  count_ = static_cast<int>(worlds.size());
  since_regroup_ = 0;
  const auto places = static_cast<std::size_t>(round_up(count_, layout_.block / layout_.lanes));
  // Releases the old memory first, because both might not fit.
  for (auto* memory : {&models_, &worlds_, &order_, &work_, &reals_, &words_}) memory->reset();
  const auto allocate = [this](std::size_t bytes) {
    return std::make_unique<DeviceMemory>(device_, bytes);
  };
  models_ = allocate(models.size_bytes());
  worlds_ = allocate(worlds.size_bytes());
  order_ = allocate(worlds.size() * sizeof(Word));
  work_ = allocate(worlds.size() * sizeof(Word));
  reals_ = allocate(places * HostWorld<Real>::kReals * sizeof(Real));
  words_ = allocate(places * HostWorld<Real>::kWords * sizeof(Word));
  device_.upload(models_->address(), models.data(), models.size_bytes());
  device_.upload(worlds_->address(), worlds.data(), worlds.size_bytes());
  std::vector<Word> order(worlds.size());
  std::iota(order.begin(), order.end(), 0U);
  device_.upload(order_->address(), order.data(), order.size() * sizeof(Word));
  launch("check_worlds", 0);
}

template <class Real>
void GpuBatch<Real>::launch(const char* kernel, int steps) {
  CudaDevice::Address models = models_->address(), worlds = worlds_->address();
  CudaDevice::Address order = order_->address(), reals = reals_->address();
  CudaDevice::Address words = words_->address(), work = work_->address();
  std::array<void*, 8> arguments = {&models, &worlds, &order, &count_,
                                    &reals,  &words,  &steps, &work};
  const int blocks =
      round_up(count_, layout_.block / layout_.lanes) * layout_.lanes / layout_.block;
  device_.launch(*module_, kernel, blocks, layout_.block, arguments);
}

// Sorts worlds by the work of the last launch. Worlds with equal work stay in the order of their
// numbers.
template <class Real>
void GpuBatch<Real>::regroup() {
  std::vector<Word> work(static_cast<std::size_t>(count_));
  device_.download(work.data(), work_->address(), work.size() * sizeof(Word));
  constexpr std::size_t kClasses = 1024;
  const Word most = *std::max_element(work.begin(), work.end());
  const auto find_class = [&](std::size_t i) {
    return most == 0 ? 0 : std::size_t{work[i]} * (kClasses - 1) / most;
  };
  std::array<Word, kClasses + 1> begins = {};
  for (std::size_t i = 0; i < work.size(); ++i) ++begins[find_class(i) + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<Word> order(work.size());
  for (std::size_t i = 0; i < work.size(); ++i) {
    order[begins[find_class(i)]++] = static_cast<Word>(i);
  }
  device_.upload(order_->address(), order.data(), order.size() * sizeof(Word));
  since_regroup_ = 0;
}

template <class Real>
void GpuBatch<Real>::run(int steps) {
  const int regroup_after = layout_.regroup > 0 ? layout_.regroup : layout_.launch;
  while (steps > 0) {
    if (layout_.regroup > 0 && since_regroup_ >= layout_.regroup) regroup();
    const int now =
        std::min({steps, layout_.launch, regroup_after - since_regroup_ % regroup_after});
    launch("step_worlds", now);
    since_regroup_ += now;
    steps -= now;
  }
  device_.wait();
}

template <class Real>
void GpuBatch<Real>::download(std::span<Stored<Real, kRoom>> worlds) const {
  device_.download(worlds.data(), worlds_->address(), worlds.size_bytes());
}

template <class Real>
CudaDevice::Address GpuBatch<Real>::address() const {
  return worlds_->address();
}

template class GpuBatch<double>;
template class GpuBatch<float>;

}  // namespace tenpin::batch
