// Many worlds of one scene at once: one simulation for each, or all as a batch on the CPU or a GPU.
// docs/batches.md says which scenes a batch can run.
#pragma once

#include <tenpin/report.h>
#include <tenpin/scene.h>
#include <tenpin/types.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenpin {

struct BatchOptions {
  enum class Device {
    kCpu,       // one Simulation per world: any scene, with the same bits as a single simulation
    kCpuBatch,  // the source code of the GPU's kernels, on threads of the CPU
    kGpu,
    kAuto,  // kGpu if there is one, else kCpuBatch
  };
  Device device = Device::kCpu;
  enum class Precision { kDouble, kSingle };
  Precision precision = Precision::kDouble;  // kSingle: kCpuBatch, kGpu and kAuto only
  int threads = 0;                           // 0: all cores
};

// How a world is currently computed. If a batch cannot certify a step of a world, the world
// continues from its last certified step on another path: first on the CPU with more room for
// contacts, then as a simulation. It stays there until reset(), set_state() or set_start().
enum class BatchPath : std::uint8_t { kSimulation, kBatch, kMoreRoom, kStepper };
[[nodiscard]] std::string_view to_string(BatchPath path);

// The report of one world since its start, reset(), set_state() or set_start().
struct WorldReport {
  BatchPath path = BatchPath::kSimulation;
  // false: the last step failed, and the world waits for reset() or set_state()
  bool ok = true;
  bool certified = true;  // every step has passed the check
  std::int64_t steps = 0;
  double time = 0.0;        // s
  Ledger ledger;            // sums
  Certificate certificate;  // the worst
  std::string message;      // why the world left the batch, or why its last step failed
};

// An array in a batch's own memory: of single or double precision, on the CPU or the GPU.
struct BatchArray {
  std::uintptr_t address = 0;
  bool on_gpu = false;
  int size_of_number = 0;                    // bytes   4 or 8
  std::array<std::int64_t, 3> shape = {};    // worlds, loose bodies, numbers
  std::array<std::int64_t, 3> strides = {};  // bytes
};

// The states in a batch's own memory. Worlds that have left the batch do not move there.
struct BatchArrays {
  BatchArray position;          // m          of centres of mass, relative to `origin`
  BatchArray rotation;          // -          w x y z, of the principal axes of inertia
  BatchArray velocity;          // m/s, rad/s   of the centre of mass, then angular; world axes
  Vec3 origin = Vec3::Zero();   // m
  std::vector<BodyId> bodies;   // the bodies, in the order of the arrays
  std::vector<Quat> principal;  // orientation of the principal axes in each body's frame
};

// A batch of worlds, all with the same bodies and joints. Only one thread may use a batch at a
// time. Functions throw InputError for invalid arguments, and then change nothing. If a GPU is
// missing or fails, they throw std::runtime_error with the reason.
class Batch {
 public:
  Batch(const Scene& scene, int count, const BatchOptions& options = {});
  // World k is made from scenes[k]. The scenes may differ in numbers.
  explicit Batch(std::span<const Scene> scenes, const BatchOptions& options = {});
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;
  ~Batch();

  [[nodiscard]] int size() const;
  [[nodiscard]] int nq() const;
  [[nodiscard]] int nv() const;
  [[nodiscard]] const std::string& device() const;  // "2 threads of the CPU", "NVIDIA H200"
  [[nodiscard]] const std::string& reason() const;  // why kAuto did not choose a GPU, or ""

  // Takes `steps` steps of each world that is ok. If given, `goes_on` is called from time to time,
  // on the calling thread; if it returns false, the worlds stop where they are and step() returns
  // false.
  bool step(int steps = 1, const std::function<bool()>& goes_on = nullptr);
  // Reset worlds to their starts: all, or those whose entry in `mask` is not zero.
  void reset();
  void reset(std::span<const char> mask);
  // Sets the state of a world, at the world's current time.
  void set_state(int world, const VecX& q, const VecX& v);
  // Changes a world's start and sets the world to it.
  void set_start(int world, const VecX& q, const VecX& v);

  // States, as size() rows, at addresses that do not change during the life of the batch.
  [[nodiscard]] std::span<const double> q() const;
  [[nodiscard]] std::span<const double> v() const;
  // Joint forces, size() rows of nv(), that act until you change them. Throws InputError for
  // devices other than kCpu.
  [[nodiscard]] std::span<double> forces();

  [[nodiscard]] bool ok(int world) const;
  [[nodiscard]] bool certified(int world) const;
  [[nodiscard]] double time(int world) const;  // s
  [[nodiscard]] WorldReport report(int world) const;
  [[nodiscard]] std::vector<Contact> contacts(int world) const;  // of the world's last step
  [[nodiscard]] std::uint64_t state_hash(int world) const;
  // The batch's own memory. Not available for kCpu.
  [[nodiscard]] BatchArrays arrays() const;

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace tenpin
