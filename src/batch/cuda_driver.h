// NVIDIA's driver, loaded only when it is used: nothing from NVIDIA is needed for building, or for
// running without a GPU.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tenpin::batch {

// Thrown if the machine cannot run kernels: no driver, no device, no memory, or a launch that
// failed.
class DeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The first device and its functions. All functions throw DeviceError.
class CudaDevice {
 public:
  CudaDevice();
  ~CudaDevice();
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;

  using Address = unsigned long long;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::size_t free_memory() const;

  [[nodiscard]] Address allocate(std::size_t bytes) const;
  void release(Address address) const noexcept;
  void upload(Address to, const void* from, std::size_t bytes) const;
  void download(void* to, Address from, std::size_t bytes) const;

  class Module;
  // Compiles PTX for the device. This takes a second or two the first time.
  [[nodiscard]] std::shared_ptr<const Module> load(std::string_view ptx) const;
  // Launches a kernel. Arguments are passed by their addresses, as the driver requires. Does not
  // wait.
  void launch(const Module& module, const char* kernel, int blocks, int threads,
              std::span<void*> arguments) const;
  // Waits for all launches. Throws if one of them failed.
  void wait() const;

 private:
  struct Functions;
  void check(int result, const char* what) const;

  std::unique_ptr<Functions> functions_;
  std::string name_;
};

// Memory of a device, released with the object.
class DeviceMemory {
 public:
  DeviceMemory(const CudaDevice& device, std::size_t bytes)
      : device_(&device), address_(device.allocate(bytes)) {}
  ~DeviceMemory() { device_->release(address_); }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  [[nodiscard]] CudaDevice::Address address() const { return address_; }

 private:
  const CudaDevice* device_;
  CudaDevice::Address address_;
};

}  // namespace tenpin::batch
