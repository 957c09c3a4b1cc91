// Worlds of a batch, on threads of the CPU or on a GPU. If the batch flags a world, the world
// continues from its last certified step on another path, so that its states do not depend on how
// steps are divided between calls.
#include "worlds/impl.h"
// The line above must come first.
#include <fmt/format.h>

#include <cstddef>
#include <cstring>
#include <utility>

#include "base/hash.h"
#include "batch/cpu_batch.h"
#include "batch/free_rotation.h"
#include "batch/gpu_batch.h"
#include "scene/build.h"
#include "simulation/scene_errors.h"
#include "worlds/world_report.h"

namespace tenpin::worlds {

namespace {

using batch::kMoreRoom;
using batch::kRoom;
using batch::Stored;
using batch::Word;

constexpr int kChunk = 64;      // steps of a world between two calls of goes_on()
constexpr int kGpuChunk = 200;  // the same for all worlds on a GPU

// Data that worlds of one scene share.
struct Setup {
  batch::BatchScene scene;
  VecX q, v;  // the start of the scene
};

// The same world at the same state, with more room for contacts.
template <class Real>
void widen(const Stored<Real, kRoom>& from, Stored<Real, kMoreRoom>* to) {
  std::memset(to, 0, sizeof *to);
  std::memcpy(to->x, from.x, sizeof from.x);
  std::memcpy(to->q, from.q, sizeof from.q);
  std::memcpy(to->v, from.v, sizeof from.v);
  std::memcpy(to->r, from.r, sizeof from.r);
  std::memcpy(to->key, from.key, sizeof from.key);
  to->num_contacts = from.num_contacts;
  to->model = from.model;
  to->steps = from.steps;
  to->sweeps = from.sweeps;
  to->visits = from.visits;
  to->contacts = from.contacts;
  to->most_contacts = from.most_contacts;
  to->most_sweeps = from.most_sweeps;
  to->worst_residual = from.worst_residual;
  to->deepest = from.deepest;
  to->work_normal = from.work_normal;
  to->work_friction = from.work_friction;
  to->work_gravity = from.work_gravity;
  to->worst_closure = from.worst_closure;
  to->energy = from.energy;
}

// Takes steps until one fails, and stores the reason; returns the number of steps.
int step_simulation(int steps, Simulation* sim, bool* ok, std::string* message) {
  for (int i = 0; i < steps; ++i) {
    *ok = sim->step().ok();
    if (*ok) continue;
    *message += "; the stepper failed: " + sim->report().message;
    return i;
  }
  return steps;
}

template <class Real>
class WorldBatch final : public Batch::Impl {
 public:
  WorldBatch(const WorldScenes& scenes, std::vector<Setup> setups, int threads,
             std::unique_ptr<batch::CudaDevice> gpu)
      : Impl(scenes.count, static_cast<int>(setups[0].q.size()),
             static_cast<int>(setups[0].v.size())),
        scenes_(scenes),
        threads_(threads),
        setups_(std::move(setups)),
        checker_(scenes.of(0)),
        gpu_device_(std::move(gpu)) {
    for (const Setup& setup : setups_) {
      models_.push_back(batch::convert_model<Real>(setup.scene.model));
    }
    worlds_.resize(static_cast<std::size_t>(count));
    before_.resize(worlds_.size());
    places_.resize(worlds_.size());
    for (int k = 0; k < count; ++k) {
      const Setup& setup = setups_[scenes_.index(k)];
      set_world(k, setup.q, setup.v);
    }
    device = gpu_device_ != nullptr ? gpu_device_->name()
                                    : fmt::format("{} threads of the CPU", threads);
    if (gpu_device_ == nullptr) return;
    gpu_ = std::make_unique<batch::GpuBatch<Real>>(*gpu_device_);
    if (count > gpu_->calc_capacity()) {
      throw LimitError(fmt::format("count: got {}, want at most {}, for which the GPU has memory",
                                   count, gpu_->calc_capacity()));
    }
  }

  bool step(int steps, const std::function<bool()>& goes_on) override {
    std::vector<Runners> runners(static_cast<std::size_t>(threads_));
    if (gpu_ != nullptr) return step_on_gpu(steps, goes_on, &runners);
    return share_worlds(count, threads_, goes_on, [&](int k, int worker, const GoesOn& asks) {
      step_one(k, steps, &runners[static_cast<std::size_t>(worker)], asks);
    });
  }

  void reset(int k) override {
    Place& place = places_[static_cast<std::size_t>(k)];
    const Setup& setup = setups_[scenes_.index(k)];
    place.time = 0.0;
    set_world(k, place.start_q.size() > 0 ? place.start_q : setup.q,
              place.start_q.size() > 0 ? place.start_v : setup.v);
  }
  void set_state(int k, const VecX& q_new, const VecX& v_new) override {
    const double now = report(k).time;
    checker_.set_state(q_new, v_new);
    places_[static_cast<std::size_t>(k)].time = now;
    set_world(k, checker_.q(), checker_.v());
  }
  void set_start(int k, const VecX& q_new, const VecX& v_new) override {
    checker_.set_state(q_new, v_new);
    Place& place = places_[static_cast<std::size_t>(k)];
    place.start_q = checker_.q();
    place.start_v = checker_.v();
    reset(k);
  }

  std::span<double> forces() override {
    throw InputError("forces: a batch cannot do forces on its device, want the device cpu");
  }
  bool ok(int k) const override { return places_[static_cast<std::size_t>(k)].ok; }

  WorldReport report(int k) override {
    const Place& place = places_[static_cast<std::size_t>(k)];
    const BatchPath path = find_path(place);
    WorldReport report = path == BatchPath::kStepper    ? place.other->until_stepper
                         : path == BatchPath::kMoreRoom ? read_report(k, place.other->now)
                                                        : read_report(k, now(k));
    report.path = path;
    report.ok = place.ok;
    report.message = place.message;
    if (path == BatchPath::kStepper) add_simulation(*place.other->stepper, &report);
    report.certified = report.certified && report.ok;
    return report;
  }

  std::vector<Contact> contacts(int k) override {
    const Place& place = places_[static_cast<std::size_t>(k)];
    const BatchPath path = find_path(place);
    if (path == BatchPath::kStepper) return place.other->stepper->contacts();
    Runners runners;
    if (path == BatchPath::kMoreRoom) {
      if (place.other->now.steps == 0) return {};
      Stored<Real, kMoreRoom> world = place.other->before;
      return read_contacts(k, runners.more_room.run_step(roomy_model(k), &world));
    }
    if (now(k).steps == 0) return {};
    Stored<Real, kRoom> world = before_[static_cast<std::size_t>(k)];
    return read_contacts(k, runners.room.run_step(models_[scenes_.index(k)], &world));
  }

  std::uint64_t state_hash(int k) override {
    Hash hash;
    hash.add(report(k).time);
    const auto row_q = static_cast<std::size_t>(k) * static_cast<std::size_t>(nq);
    const auto row_v = static_cast<std::size_t>(k) * static_cast<std::size_t>(nv);
    hash.add(std::span<const double>(q).subspan(row_q, static_cast<std::size_t>(nq)));
    hash.add(std::span<const double>(v).subspan(row_v, static_cast<std::size_t>(nv)));
    return hash.value();
  }

  BatchArrays arrays() override {
    const batch::BatchScene& first = setups_[0].scene;
    BatchArrays arrays = {.origin = first.origin};
    for (const batch::BatchScene::Loose& loose : first.loose) {
      arrays.bodies.push_back({loose.body});
      arrays.principal.push_back(loose.principal);
    }
    for (const Setup& setup : setups_) {
      bool is_alike = setup.scene.origin == first.origin;
      for (std::size_t i = 0; i < first.loose.size(); ++i) {
        is_alike = is_alike && setup.scene.loose[i].principal.isApprox(first.loose[i].principal, 0);
      }
      TENPIN_REQUIRE(is_alike,
                     "arrays: got worlds with different axes of inertia or origins, want the same");
    }
    if (gpu_ != nullptr) upload();
    using World = Stored<Real, kRoom>;
    arrays.position = make_array(offsetof(World, x), 3);
    arrays.rotation = make_array(offsetof(World, q), 4);
    arrays.velocity = make_array(offsetof(World, v), 6);
    return arrays;
  }

 private:
  // The state of a world that has left the batch.
  struct Other {
    Stored<Real, kMoreRoom> now, before;  // `before` is the state before the last step
    std::unique_ptr<Simulation> stepper;  // null: the world has more room instead
    WorldReport until_stepper;
  };
  struct Place {
    bool ok = true;
    double time = 0.0;          // s   when the state was set
    double start_energy = 0.0;  // J   at that time
    VecX start_q, start_v;      // the world's own start; empty: the start of the scene
    std::string message;
    std::unique_ptr<Other> other;  // null: the world is in the batch
  };
  struct Runners {
    batch::WorldRunner<Real, kRoom> room;
    batch::WorldRunner<Real, kMoreRoom> more_room;
  };

  static BatchPath find_path(const Place& place) {
    if (place.other == nullptr) return BatchPath::kBatch;
    return place.other->stepper == nullptr ? BatchPath::kMoreRoom : BatchPath::kStepper;
  }
  [[nodiscard]] Stored<Real, kRoom>& now(int k) { return worlds_[static_cast<std::size_t>(k)]; }
  [[nodiscard]] batch::Model<Real> roomy_model(int k) const {
    batch::Model<Real> model = models_[scenes_.index(k)];
    model.max_sweeps = batch::kMoreSweeps;
    return model;
  }

  void set_world(int k, const VecX& q_new, const VecX& v_new) {
    const Setup& setup = setups_[scenes_.index(k)];
    dynamics::State state;
    state.q = q_new;
    state.v = v_new;
    now(k) = batch::make_world<Real, kRoom>(setup.scene, state);
    now(k).model = static_cast<Word>(scenes_.index(k));
    Place& place = places_[static_cast<std::size_t>(k)];
    place.ok = true;
    place.message.clear();
    place.other = nullptr;
    place.start_energy = calc_energy(setup.scene, now(k)).total();
    publish(k, q_new.data(), v_new.data());
    is_uploaded_ = false;
  }

  // Takes at most `steps` steps of a world until it is flagged; keeps the state before its last
  // step. A flagged world returns to its last certified step. Returns its flags.
  template <int kContacts>
  Word run(const batch::Model<Real>& model, int steps, batch::WorldRunner<Real, kContacts>* runner,
           Stored<Real, kContacts>* now, Stored<Real, kContacts>* before) {
    const auto run_to_last = [&](int num_steps) {
      runner->run(model, num_steps - 1, now);
      if (now->flags != 0) return;
      *before = *now;
      runner->run(model, 1, now);
    };
    const Stored<Real, kContacts> start = *now;
    run_to_last(steps);
    const Word flags = now->flags;
    if (flags == 0) return 0;
    const auto done = static_cast<int>(now->steps - start.steps);
    *now = start;
    if (done > 0) run_to_last(done);
    return flags;
  }

  void step_one(int k, int steps, Runners* runners, const GoesOn& goes_on) {
    Place& place = places_[static_cast<std::size_t>(k)];
    while (steps > 0 && place.ok && goes_on()) {
      const int wanted = std::min(steps, kChunk);
      try {
        steps -= advance(k, wanted, runners);
      } catch (const std::exception& error) {  // thrown while the stepper is set up
        place.ok = false;
        place.message = error.what();
      }
    }
    publish_state(k);
  }

  // Returns the number of steps taken, which is smaller than `steps` if the world left the batch.
  int advance(int k, int steps, Runners* runners) {
    Place& place = places_[static_cast<std::size_t>(k)];
    const BatchPath path = find_path(place);
    if (path == BatchPath::kStepper) {
      return step_simulation(steps, place.other->stepper.get(), &place.ok, &place.message);
    }
    if (path == BatchPath::kMoreRoom) {
      Other& other = *place.other;
      const Word before = other.now.steps;
      const Word flags = run(roomy_model(k), steps, &runners->more_room, &other.now, &other.before);
      const auto done = static_cast<int>(other.now.steps - before);
      if (flags != 0) hand_to_stepper(k, flags);
      return done;
    }
    const Word before = now(k).steps;
    const Word flags = run(models_[scenes_.index(k)], steps, &runners->room, &now(k),
                           &before_[static_cast<std::size_t>(k)]);
    const auto done = static_cast<int>(now(k).steps - before);
    if (flags != 0) hand_on(k, flags);
    return done;
  }

  void hand_on(int k, Word flags) {
    Place& place = places_[static_cast<std::size_t>(k)];
    place.other = std::make_unique<Other>();
    widen(now(k), &place.other->now);
    widen(before_[static_cast<std::size_t>(k)], &place.other->before);
    constexpr Word kHopeful = batch::kOverflow | batch::kNotCertified;
    if ((flags & ~kHopeful) != 0) {
      hand_to_stepper(k, flags);
    } else {
      place.message = "run with more room: " + batch::describe_flags(flags, now(k).steps);
    }
    now(k).flags = flags;  // the world does not move any more
  }

  void hand_to_stepper(int k, Word flags) {
    Place& place = places_[static_cast<std::size_t>(k)];
    Other& other = *place.other;
    other.until_stepper = read_report(k, other.now);
    if (!place.message.empty()) place.message += "; ";
    place.message += "run by the stepper: " + batch::describe_flags(flags, other.now.steps);
    dynamics::State state;
    read_state(setups_[scenes_.index(k)].scene, other.now, &state);
    other.stepper = std::make_unique<Simulation>(scenes_.of(k));
    other.stepper->set_state(state.q, state.v);
  }

  bool step_on_gpu(int steps, const GoesOn& goes_on, std::vector<Runners>* runners) {
    const std::vector<Stored<Real, kRoom>> start = worlds_;
    upload();
    int done = 0;
    bool was_ended = false;
    while (done < steps - 1 && !was_ended) {
      const int chunk = std::min(kGpuChunk, steps - 1 - done);
      gpu_->run(chunk);
      done += chunk;
      was_ended = goes_on && !goes_on();
    }
    gpu_->download(before_);
    gpu_->run(1);
    ++done;
    gpu_->download(worlds_);
    // Flagged worlds take the same steps on the CPU, with the same bits, and leave the batch there.
    (void)share_worlds(count, threads_, nullptr, [&](int k, int worker, const GoesOn& asks) {
      const bool is_new = places_[static_cast<std::size_t>(k)].other == nullptr;
      if (now(k).flags == 0) return publish_state(k);
      if (is_new) now(k) = start[static_cast<std::size_t>(k)];
      step_one(k, done, &(*runners)[static_cast<std::size_t>(worker)], asks);
    });
    return !was_ended;
  }

  void upload() {
    if (is_uploaded_) return;
    gpu_->upload(std::span<const batch::Model<Real>>(models_), worlds_);
    is_uploaded_ = true;
  }

  void publish_state(int k) {
    const Place& place = places_[static_cast<std::size_t>(k)];
    const BatchPath path = find_path(place);
    if (path == BatchPath::kStepper) {
      publish(k, place.other->stepper->q().data(), place.other->stepper->v().data());
      return;
    }
    const batch::BatchScene& scene = setups_[scenes_.index(k)].scene;
    dynamics::State state;
    if (path == BatchPath::kMoreRoom) {
      read_state(scene, place.other->now, &state);
    } else {
      if (now(k).steps == 0) return;  // exactly the state that was set
      read_state(scene, now(k), &state);
    }
    publish(k, state.q.data(), state.v.data());
  }

  template <int kContacts>
  [[nodiscard]] WorldReport read_report(int k, const Stored<Real, kContacts>& world) const {
    const Place& place = places_[static_cast<std::size_t>(k)];
    return worlds::read_report(setups_[scenes_.index(k)].scene, world, place.time,
                               place.start_energy);
  }
  [[nodiscard]] std::vector<Contact> read_contacts(
      int k, const std::vector<batch::WorldContact>& found) const {
    return worlds::read_contacts(setups_[scenes_.index(k)].scene, found);
  }

  [[nodiscard]] BatchArray make_array(std::size_t offset, int numbers) const {
    const auto begin = gpu_ != nullptr ? static_cast<std::uintptr_t>(gpu_->address())
                                       : reinterpret_cast<std::uintptr_t>(worlds_.data());
    return {.address = begin + offset,
            .on_gpu = gpu_ != nullptr,
            .size_of_number = sizeof(Real),
            .shape = {count, std::ssize(setups_[0].scene.loose), numbers},
            .strides = {static_cast<std::int64_t>(sizeof(Stored<Real, kRoom>)),
                        static_cast<std::int64_t>(numbers * sizeof(Real)), sizeof(Real)}};
  }

  WorldScenes scenes_;
  int threads_;
  std::vector<Setup> setups_;  // by scene
  std::vector<batch::Model<Real>> models_;
  Simulation checker_;  // checks states that the caller sets
  // the worlds on the CPU, or a copy of the GPU's worlds
  std::vector<Stored<Real, kRoom>> worlds_;
  std::vector<Stored<Real, kRoom>> before_;        // the same before the last step
  std::vector<Place> places_;                      // by world
  std::unique_ptr<batch::CudaDevice> gpu_device_;  // null: on the CPU
  std::unique_ptr<batch::GpuBatch<Real>> gpu_;
  bool is_uploaded_ = false;  // true if the GPU has the worlds of worlds_
};

Setup make_setup(const Scene& scene, const Simulation& start, bool is_single) {
  return simulation::with_public_errors([&] {
    const scene::Built built = scene::build(scene.contents());
    const Vec3 origin = is_single ? batch::choose_origin(built) : Vec3(Vec3::Zero());
    return Setup{batch::make_batch_scene(scene.contents(), built, origin), start.q(), start.v()};
  });
}

}  // namespace

std::unique_ptr<Batch::Impl> make_world_batch(const WorldScenes& scenes,
                                              const BatchOptions& options, int threads) {
  const bool is_single = options.precision == BatchOptions::Precision::kSingle;
  const Simulation first(scenes.of(0));
  std::vector<Setup> setups;
  for (std::size_t i = 0; i < scenes.scenes.size(); ++i) {
    const Simulation start(scenes.scenes[i]);
    check_alike(first, start, static_cast<int>(i));
    setups.push_back(make_setup(scenes.scenes[i], start, is_single));
  }
  std::unique_ptr<batch::CudaDevice> gpu;
  std::string reason;
  if (options.device != BatchOptions::Device::kCpuBatch) {
    try {
      batch::demand_gpu();
      gpu = std::make_unique<batch::CudaDevice>();
    } catch (const batch::DeviceError& error) {
      if (options.device == BatchOptions::Device::kGpu) throw;
      reason = error.what();
    }
  }
  std::unique_ptr<Batch::Impl> impl;
  if (is_single) {
    impl = std::make_unique<WorldBatch<float>>(scenes, std::move(setups), threads, std::move(gpu));
  } else {
    impl = std::make_unique<WorldBatch<double>>(scenes, std::move(setups), threads, std::move(gpu));
  }
  impl->reason = reason;
  return impl;
}

}  // namespace tenpin::worlds
