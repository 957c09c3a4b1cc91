// Worlds on the GPU, with the same bits as on the CPU (cpu_batch.h).
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "batch/batch_scene.h"
#include "batch/cuda_driver.h"

namespace tenpin::batch {

// The kernels' PTX that the build embedded; "" if it found no clang.
template <class Real>
[[nodiscard]] std::string_view get_kernels();
template <>
std::string_view get_kernels<float>();
template <>
std::string_view get_kernels<double>();

// Throws DeviceError with the reason if there is no GPU, or no kernel for it.
void demand_gpu();

// The arrangement of worlds on the device. No result depends on it.
struct GpuLayout {
  int lanes = 0;  // per world; 0: the number in the embedded kernels
  int block = 0;  // threads per block
  // steps after which worlds are sorted, so that those with equal work share warps; 0: never
  int regroup = 50;
  int launch = 200;  // most steps per launch
};

template <class Real>
class GpuBatch {
 public:
  // Throws DeviceError. The build must contain kernels; another PTX may be given for comparisons.
  explicit GpuBatch(const CudaDevice& device, std::string_view ptx = get_kernels<Real>(),
                    const GpuLayout& layout = {});
  ~GpuBatch();
  GpuBatch(const GpuBatch&) = delete;
  GpuBatch& operator=(const GpuBatch&) = delete;

  // Uploads the worlds to run, at any step.
  void upload(std::span<const Model<Real>> models, std::span<const Stored<Real, kRoom>> worlds);
  // Takes `steps` steps of each world, or fewer if it is flagged.
  void run(int steps);
  void download(std::span<Stored<Real, kRoom>> worlds) const;

  // The number of worlds that fit into the device's free memory at the same time.
  [[nodiscard]] int calc_capacity() const;
  // The address of the worlds on the device, for other programs that read them there.
  [[nodiscard]] CudaDevice::Address address() const;

 private:
  void launch(const char* kernel, int steps);
  void regroup();

  const CudaDevice& device_;
  GpuLayout layout_;
  std::shared_ptr<const CudaDevice::Module> module_;
  std::unique_ptr<DeviceMemory> models_, worlds_, order_, work_, reals_, words_;
  int count_ = 0;
  int since_regroup_ = 0;  // steps since worlds were last sorted
};

}  // namespace tenpin::batch
