// Many worlds of one scene at once: a simulation each, or all as a batch on the CPU or a GPU.
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
    kCpu,       // a Simulation per world: every scene, with the bits of a single simulation
    kCpuBatch,  // the source of the GPU's kernels on threads of the CPU
    kGpu,
    kAuto,  // kGpu if there is one, else kCpuBatch
  };
  Device device = Device::kCpu;
  enum class Precision { kDouble, kSingle };
  Precision precision = Precision::kDouble;  // kSingle: kCpuBatch, kGpu and kAuto only
  int threads = 0;                           // 0: all cores
};

// How a world is computed at present. A batch hands a world that it cannot certify on, from the
// last certified step: first to the CPU with more room, then to a simulation. It stays there until
// reset(), set_state() or set_start().
enum class BatchPath : std::uint8_t { kSimulation, kBatch, kMoreRoom, kStepper };
[[nodiscard]] std::string_view to_string(BatchPath path);

// Of one world since its start, reset(), set_state() or set_start().
struct WorldReport {
  BatchPath path = BatchPath::kSimulation;
  bool ok = true;         // false: the last step failed, the world waits for reset() or set_state()
  bool certified = true;  // every step has passed the check
  std::int64_t steps = 0;
  double time = 0.0;        // s
  Ledger ledger;            // sums
  Certificate certificate;  // the worst
  std::string message;      // why the batch handed the world on, or why its last step failed
};

// Numbers in a batch's own memory: of single or double precision, on the CPU or the GPU.
struct BatchArray {
  std::uintptr_t address = 0;
  bool on_gpu = false;
  int size_of_number = 0;                    // bytes   4 or 8
  std::array<std::int64_t, 3> shape = {};    // worlds, loose bodies, numbers
  std::array<std::int64_t, 3> strides = {};  // bytes
};

// States in a batch's own memory. Worlds that were handed on stand still there.
struct BatchArrays {
  BatchArray position;          // m          of centres of mass, from `origin`
  BatchArray rotation;          // -          w x y z, of the principal axes of inertia
  BatchArray velocity;          // m/s, rad/s   of the centre of mass, then angular; world axes
  Vec3 origin = Vec3::Zero();   // m
  std::vector<BodyId> bodies;   // which they are
  std::vector<Quat> principal;  // of the principal axes in each body's frame
};

// All worlds have the same bodies and joints. One thread at a time may use a batch. Functions throw
// InputError for arguments that are wrong, and then change nothing; a GPU that is missing or fails
// throws std::runtime_error with the reason.
class Batch {
 public:
  Batch(const Scene& scene, int count, const BatchOptions& options = {});
  // World k is made from scenes[k], whose numbers may differ.
  explicit Batch(std::span<const Scene> scenes, const BatchOptions& options = {});
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;
  ~Batch();

  [[nodiscard]] int size() const;
  [[nodiscard]] int nq() const;
  [[nodiscard]] int nv() const;
  [[nodiscard]] const std::string& device() const;  // "2 threads of the CPU", "NVIDIA H200"
  [[nodiscard]] const std::string& reason() const;  // why kAuto took no GPU, or ""

  // `steps` of each world that is ok. `goes_on`, if given, is asked from time to time, on the
  // calling thread; if it says false, worlds stop where they are and step() returns false.
  bool step(int steps = 1, const std::function<bool()>& goes_on = nullptr);
  // Takes worlds back to their starts: all, or those whose entry in `mask` is not zero.
  void reset();
  void reset(std::span<const char> mask);
  // Puts a world into a state, at the world's current time.
  void set_state(int world, const VecX& q, const VecX& v);
  // Changes a world's start and takes it there.
  void set_start(int world, const VecX& q, const VecX& v);

  // size() rows, at addresses that stay as long as the batch lives.
  [[nodiscard]] std::span<const double> q() const;
  [[nodiscard]] std::span<const double> v() const;
  // Joint forces, size() rows of nv(), that hold until you change them. Only kCpu has any.
  [[nodiscard]] std::span<double> forces();

  [[nodiscard]] bool ok(int world) const;
  [[nodiscard]] bool certified(int world) const;
  [[nodiscard]] double time(int world) const;  // s
  [[nodiscard]] WorldReport report(int world) const;
  [[nodiscard]] std::vector<Contact> contacts(int world) const;  // of the world's last step
  [[nodiscard]] std::uint64_t state_hash(int world) const;
  // Not of kCpu.
  [[nodiscard]] BatchArrays arrays() const;

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace tenpin
