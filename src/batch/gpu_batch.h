// Worlds on the GPU. The same bits as on the CPU (cpu_batch.h).
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "batch/batch_scene.h"
#include "batch/cuda_driver.h"

namespace tenpin::batch {

// The kernels' PTX as the build embedded it; "" if it found no clang.
template <class Real>
[[nodiscard]] std::string_view get_kernels();
template <>
std::string_view get_kernels<float>();
template <>
std::string_view get_kernels<double>();

// Throws DeviceError with the reason if there is no GPU, or no kernel for it.
void demand_gpu();

// How worlds are laid out on the device. No result depends on it.
struct GpuLayout {
  int lanes = 0;     // of a world; 0: as the embedded kernels have it
  int block = 0;     // threads
  int regroup = 50;  // steps after which worlds that take as much work share warps again; 0: never
  int launch = 200;  // steps of a launch at most
};

template <class Real>
class GpuBatch {
 public:
  // Throws DeviceError. The build must have kernels; another PTX may be given for comparisons.
  explicit GpuBatch(const CudaDevice& device, std::string_view ptx = get_kernels<Real>(),
                    const GpuLayout& layout = {});
  ~GpuBatch();
  GpuBatch(const GpuBatch&) = delete;
  GpuBatch& operator=(const GpuBatch&) = delete;

  // The worlds to be run, at any step.
  void upload(std::span<const Model<Real>> models, std::span<const Stored<Real, kRoom>> worlds);
  // `steps` steps of each, or as many as it can.
  void run(int steps);
  void download(std::span<Stored<Real, kRoom>> worlds) const;

  // Worlds that fit into the device's free memory at once.
  [[nodiscard]] int calc_capacity() const;
  // Address of the worlds on the device: for others that read them there.
  [[nodiscard]] CudaDevice::Address address() const;

 private:
  void launch(const char* kernel, int steps);
  void regroup();

  const CudaDevice& device_;
  GpuLayout layout_;
  std::shared_ptr<const CudaDevice::Module> module_;
  std::unique_ptr<DeviceMemory> models_, worlds_, order_, work_, reals_, words_;
  int count_ = 0;
  int since_regroup_ = 0;  // steps
};

}  // namespace tenpin::batch
