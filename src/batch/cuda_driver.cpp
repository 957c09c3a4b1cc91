#include "batch/cuda_driver.h"

#include <dlfcn.h>

#include <string>

namespace tenpin::batch {

// Declared here because the driver's interface is stable, and its header need not be installed.
struct CudaDevice::Functions {
  using Handle = void*;

  void* library = nullptr;
  int (*init)(unsigned) = nullptr;
  int (*device_get)(int*, int) = nullptr;
  int (*device_get_name)(char*, int, int) = nullptr;
  int (*context_create)(Handle*, unsigned, int) = nullptr;
  int (*context_destroy)(Handle) = nullptr;
  int (*context_set)(Handle) = nullptr;
  int (*synchronize)() = nullptr;
  int (*memory_info)(std::size_t*, std::size_t*) = nullptr;
  int (*allocate)(Address*, std::size_t) = nullptr;
  int (*release)(Address) = nullptr;
  int (*to_device)(Address, const void*, std::size_t) = nullptr;
  int (*to_host)(void*, Address, std::size_t) = nullptr;
  int (*module_load)(Handle*, const void*, unsigned, int*, void**) = nullptr;
  int (*module_unload)(Handle) = nullptr;
  int (*module_function)(Handle*, Handle, const char*) = nullptr;
  int (*launch)(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                Handle, void**, void**) = nullptr;
  int (*error_name)(int, const char**) = nullptr;
  Handle context = nullptr;

  template <class Function>
  void find(const char* name, Function* function) {
    *function = reinterpret_cast<Function>(dlsym(library, name));
    if (*function == nullptr) {
      throw DeviceError(std::string("the GPU's driver is too old: it has no ") + name);
    }
  }
};

class CudaDevice::Module {
 public:
  Module(const Functions& functions, Functions::Handle handle)
      : functions_(functions), handle_(handle) {}
  ~Module() { (void)functions_.module_unload(handle_); }
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  [[nodiscard]] Functions::Handle handle() const { return handle_; }

 private:
  const Functions& functions_;
  Functions::Handle handle_;
};

CudaDevice::CudaDevice() : functions_(std::make_unique<Functions>()) {
  Functions& f = *functions_;
  f.library = dlopen("libcuda.so.1", RTLD_NOW);
  if (f.library == nullptr) {
    throw DeviceError(
        "no GPU: NVIDIA's driver, libcuda.so.1, is not there; want --device cpu-batch");
  }
  f.find("cuInit", &f.init);
  f.find("cuDeviceGet", &f.device_get);
  f.find("cuDeviceGetName", &f.device_get_name);
  f.find("cuCtxCreate_v2", &f.context_create);
  f.find("cuCtxDestroy_v2", &f.context_destroy);
  f.find("cuCtxSetCurrent", &f.context_set);
  f.find("cuCtxSynchronize", &f.synchronize);
  f.find("cuMemGetInfo_v2", &f.memory_info);
  f.find("cuMemAlloc_v2", &f.allocate);
  f.find("cuMemFree_v2", &f.release);
  f.find("cuMemcpyHtoD_v2", &f.to_device);
  f.find("cuMemcpyDtoH_v2", &f.to_host);
  f.find("cuModuleLoadDataEx", &f.module_load);
  f.find("cuModuleUnload", &f.module_unload);
  f.find("cuModuleGetFunction", &f.module_function);
  f.find("cuLaunchKernel", &f.launch);
  f.find("cuGetErrorName", &f.error_name);
  int device = 0;
  check(f.init(0), "no GPU: the driver does not start");
  check(f.device_get(&device, 0), "no GPU");
  char name[256] = {};
  check(f.device_get_name(name, sizeof name, device), "the GPU has no name");
  name_ = name;
  check(f.context_create(&f.context, 0, device), "the GPU cannot be used");
}

CudaDevice::~CudaDevice() {
  if (functions_->context != nullptr) (void)functions_->context_destroy(functions_->context);
}

void CudaDevice::check(int result, const char* what) const {
  if (result == 0) return;
  const char* name = nullptr;
  if (functions_->error_name(result, &name) != 0 || name == nullptr) name = "unknown error";
  throw DeviceError(std::string(what) + ": " + name + " (" + std::to_string(result) + ")");
}

std::size_t CudaDevice::free_memory() const {
  std::size_t free = 0;
  std::size_t total = 0;
  check(functions_->memory_info(&free, &total), "the GPU's memory");
  return free;
}

CudaDevice::Address CudaDevice::allocate(std::size_t bytes) const {
  Address address = 0;
  const std::string what = "no room for " + std::to_string(bytes) + " bytes on the GPU";
  check(functions_->allocate(&address, bytes), what.c_str());
  return address;
}

void CudaDevice::release(Address address) const noexcept {
  (void)functions_->release(address);
}

void CudaDevice::upload(Address to, const void* from, std::size_t bytes) const {
  check(functions_->to_device(to, from, bytes), "copying to the GPU");
}

void CudaDevice::download(void* to, Address from, std::size_t bytes) const {
  check(functions_->to_host(to, from, bytes), "copying from the GPU");
}

std::shared_ptr<const CudaDevice::Module> CudaDevice::load(std::string_view ptx) const {
  const std::string text(ptx);  // terminated by a zero
  Functions::Handle handle = nullptr;
  check(functions_->module_load(&handle, text.c_str(), 0, nullptr, nullptr),
        "the GPU's driver cannot compile the kernels");
  return std::make_shared<const Module>(*functions_, handle);
}

void CudaDevice::launch(const Module& module, const char* kernel, int blocks, int threads,
                        std::span<void*> arguments) const {
  Functions::Handle function = nullptr;
  check(functions_->module_function(&function, module.handle(), kernel), kernel);
  check(functions_->launch(function, static_cast<unsigned>(blocks), 1, 1,
                           static_cast<unsigned>(threads), 1, 1, 0, nullptr, arguments.data(),
                           nullptr),
        kernel);
}

void CudaDevice::wait() const {
  check(functions_->synchronize(), "a launch on the GPU failed");
}

}  // namespace tenpin::batch
