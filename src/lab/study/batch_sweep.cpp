#include "lab/study/batch_sweep.h"

#include <algorithm>
#include <future>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "base/hash.h"
#include "base/stopwatch.h"
#include "base/workers.h"
#include "batch/cpu_batch.h"
#include "batch/gpu_batch.h"
#include "lab/study/batch_trials.h"
#include "lab/study/trial_runner.h"

namespace tenpin::lab {

namespace {

// Number of worlds that run at once. A GPU is fully used with 1e5 worlds; the CPU gets few, so that
// little is lost if the program is killed.
constexpr std::int64_t kGpuTrials = 1 << 17;
constexpr std::int64_t kCpuTrialsPerThread = 16;
// The same if each world has a model of its own.
constexpr std::int64_t kOwnModels = 1 << 14;

// A number that is similar for trials with similar values of the ranges: the bits of these values,
// interleaved.
std::uint64_t calc_nearness(const Study& study, const BatchTrial& trial) {
  std::uint64_t key = 0;
  for (int bit = 15; bit >= 0; --bit) {
    for (std::size_t i = 0; i < study.variables.size(); ++i) {
      const Variable& v = study.variables[i];
      if (!v.is_range() || key >> 62 != 0) continue;
      const double part = (*trial.values[i].number - v.low) / (v.high - v.low);
      const auto digits = static_cast<std::uint64_t>(std::clamp(part, 0.0, 1.0) * 65535.0);
      key = key << 1 | (digits >> bit & 1);
    }
  }
  return key;
}

// Trials that run at once, indexed by their position in the batch.
template <class Real>
struct TrialBatch {
  std::vector<std::int64_t> numbers;
  std::vector<BatchTrial> made;
  std::vector<std::string> refused;  // why a trial could not be made; empty if it could
  std::vector<batch::Stored<Real, batch::kRoom>> worlds;
  std::vector<batch::Model<Real>> models;
  std::vector<TrialRow> rows;  // empty if not read yet
};

void count_flags(batch::Word flags, bool was_refused, BatchReport::Flagged* flagged) {
  std::int64_t* counter = &flagged->not_made;
  if (!was_refused) {
    counter = (flags & batch::kOverflow) != 0       ? &flagged->too_many_contacts
              : (flags & batch::kNotCertified) != 0 ? &flagged->not_certified
              : (flags & batch::kTooFast) != 0      ? &flagged->too_fast
              : (flags & batch::kSunk) != 0         ? &flagged->sunk
                                                    : &flagged->overlaps_at_start;
  }
  ++*counter;
}

template <class Real>
class BatchRunner {
 public:
  using Trials = TrialBatch<Real>;

  BatchRunner(const Study& study, int threads, const batch::CudaDevice* device, BatchReport* report)
      : study_(study), trials_(study), workers_(threads), report_(report) {
    if (device != nullptr) gpu_ = std::make_unique<batch::GpuBatch<Real>>(*device);
    for (int i = 0; i < threads; ++i) {
      readers_.push_back(std::make_unique<BatchTrials::Reader>(study, trials_));
    }
  }

  [[nodiscard]] std::int64_t size_of_batch() const {
    std::int64_t size = kCpuTrialsPerThread * workers_.size();
    if (gpu_ != nullptr) size = std::clamp<std::int64_t>(gpu_->calc_capacity(), 1, kGpuTrials);
    return trials_.shares_models() ? size : std::min(size, kOwnModels);
  }

  [[nodiscard]] Trials prepare(std::span<const std::int64_t> numbers) {
    const Stopwatch clock;
    Trials trials;
    trials.numbers.assign(numbers.begin(), numbers.end());
    const auto size = numbers.size();
    trials.made.resize(size);
    trials.worlds.resize(size);
    trials.refused.assign(size, "");
    if (trials_.shares_models()) {
      for (const BatchCombination& c : trials_.combinations()) {
        trials.models.push_back(batch::convert_model<Real>(c.batch.model));
      }
    } else {
      trials.models.resize(size);
    }
    workers_.split(static_cast<int>(size), [&](int first, int end) {
      for (int i = first; i < end; ++i) prepare_one(static_cast<std::size_t>(i), &trials);
    });
    report_->setup += clock.wall();
    return trials;
  }

  // Steps the trials. On a GPU this does not use the workers, so that they can do other work.
  void step(Trials* trials) {
    const Stopwatch clock;
    const auto steps = static_cast<int>(trials_.num_steps());
    const std::span<const batch::Model<Real>> models = trials->models;
    if (gpu_ == nullptr) {
      batch::run_on_cpu<Real, batch::kRoom>(models, steps, workers_, trials->worlds);
    } else {
      const std::vector<std::size_t> order = sort_by_nearness(*trials);
      std::vector<batch::Stored<Real, batch::kRoom>> sorted(order.size());
      for (std::size_t i = 0; i < order.size(); ++i) sorted[i] = trials->worlds[order[i]];
      gpu_->upload(models, sorted);
      gpu_->run(steps);
      gpu_->download(sorted);
      for (std::size_t i = 0; i < order.size(); ++i) trials->worlds[order[i]] = sorted[i];
    }
    report_->stepping += clock.wall();
  }

  // Runs flagged trials again, and makes the rows.
  void read(Trials* trials) {
    const Stopwatch clock;
    const auto size = trials->numbers.size();
    trials->rows.resize(size);
    std::vector<std::size_t> flagged;
    for (std::size_t i = 0; i < size; ++i) {
      const auto& world = trials->worlds[i];
      if (world.flags == 0) {
        take_evidence(world);
        continue;
      }
      flagged.push_back(i);
      count_flags(world.flags, !trials->refused[i].empty(), &report_->flagged);
    }
    report_->by_batch += std::ssize(trials->numbers) - std::ssize(flagged);
    workers_.run(static_cast<int>(size), [&](int k, int worker) {
      const auto i = static_cast<std::size_t>(k);
      if (trials->worlds[i].flags != 0) return;
      trials->rows[i] = readers_[static_cast<std::size_t>(worker)]->read(
          trials->numbers[i], trials->made[i], trials->worlds[i]);
    });
    std::vector<char> by_stepper(flagged.size());
    workers_.run(static_cast<int>(flagged.size()), [&](int k, int worker) {
      const std::size_t i = flagged[static_cast<std::size_t>(k)];
      trials->rows[i] = run_again(*trials, i, worker, &by_stepper[static_cast<std::size_t>(k)]);
    });
    const auto count = std::count(by_stepper.begin(), by_stepper.end(), 1);
    report_->by_stepper += count;
    report_->by_more_room += std::ssize(flagged) - count;
    report_->rows += clock.wall();
  }

  // True if rows are read while the next trials are stepped: the same workers do both unless a GPU
  // steps.
  [[nodiscard]] bool reads_while_stepping() const { return gpu_ != nullptr; }

 private:
  // Makes one trial. If this fails, the stepper runs the trial and reports the reason.
  void prepare_one(std::size_t i, Trials* trials) {
    const std::int64_t number = trials->numbers[i];
    auto& world = trials->worlds[i];
    world = {};
    try {
      trials->made[i] = trials_.make(number);
    } catch (const std::exception& error) {
      trials->refused[i] = error.what();
      world.flags = batch::kStartsOverlapping;
      return;
    }
    const batch::BatchScene& scene = trials_.batch_scene(number, trials->made[i]);
    world = batch::make_world<Real, batch::kRoom>(scene, trials->made[i].start);
    world.model =
        static_cast<batch::Word>(trials_.shares_models() ? trials_.combination_of(number) : i);
    if (!trials_.shares_models()) trials->models[i] = batch::convert_model<Real>(scene.model);
  }

  // Sorts trials so that similar ones share a warp.
  std::vector<std::size_t> sort_by_nearness(const Trials& trials) const {
    std::vector<std::uint64_t> keys;
    keys.reserve(trials.made.size());
    for (const BatchTrial& trial : trials.made) {
      keys.push_back(trial.values.empty() ? 0 : calc_nearness(study_, trial));
    }
    std::vector<std::size_t> order(keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&keys](std::size_t a, std::size_t b) {
      return keys[a] < keys[b];
    });
    return order;
  }

  template <int kContacts>
  void take_evidence(const batch::Stored<Real, kContacts>& world) {
    report_->steps += world.steps;
    report_->worst_residual =
        std::max(report_->worst_residual, static_cast<double>(world.worst_residual));
    report_->worst_closure =
        std::max(report_->worst_closure, static_cast<double>(world.worst_closure));
  }

  // Runs a trial again from its start, on one thread.
  TrialRow run_again(const Trials& trials, std::size_t i, int worker, char* by_stepper) {
    const std::int64_t number = trials.numbers[i];
    const batch::Word flags = trials.worlds[i].flags;
    const std::string why = batch::describe_flags(flags, trials.worlds[i].steps);
    constexpr batch::Word kHopeful = batch::kOverflow | batch::kNotCertified;
    if ((flags & ~kHopeful) == 0) {
      const batch::BatchScene& scene = trials_.batch_scene(number, trials.made[i]);
      batch::Model<Real> model = trials.models[trials.worlds[i].model];
      model.max_sweeps = batch::kMoreSweeps;
      std::vector world = {batch::make_world<Real, batch::kMoreRoom>(scene, trials.made[i].start)};
      batch::run_on_cpu<Real, batch::kMoreRoom>(std::span<const batch::Model<Real>>(&model, 1),
                                                static_cast<int>(scene.num_steps), Workers(1),
                                                world);
      if (world[0].flags == 0) {
        TrialRow row =
            readers_[static_cast<std::size_t>(worker)]->read(number, trials.made[i], world[0]);
        row.message = "run again with more room: " + why;
        return row;
      }
    }
    *by_stepper = 1;
    TrialRow row = TrialRunner(study_).run(number, [] {
      return true;
    });
    if (row.message.empty() && trials.refused[i].empty()) {
      row.message = "run by the stepper: " + why;
    }
    return row;
  }

  const Study& study_;
  BatchTrials trials_;
  Workers workers_;
  BatchReport* report_;
  std::unique_ptr<batch::GpuBatch<Real>> gpu_;                 // null: on the CPU
  std::vector<std::unique_ptr<BatchTrials::Reader>> readers_;  // by worker
};

// Steps batches. The rows of each batch are written while the next one runs.
template <class Real>
SweepProgress run_with(const Study& study, const SweepOptions& options,
                       const batch::CudaDevice* device, TrialTable* table, BatchReport* report) {
  const Stopwatch clock;
  SweepProgress progress;
  BatchRunner<Real> runner(study, options.threads, device, report);
  const auto go_on = [&] {
    progress.wall = clock.wall();
    return !options.on_progress || options.on_progress(progress);
  };
  TrialBatch<Real> last;
  std::future<void> writing;
  const auto wait = [&] {
    if (!writing.valid()) return;
    writing.get();
    progress.done += std::ssize(last.rows);
    progress.fresh += std::ssize(last.rows);
    last = {};
  };
  const auto write = [&] {
    if (last.rows.empty()) runner.read(&last);
    const Stopwatch time;
    table->add(last.rows);
    report->rows += time.wall();
  };
  for (;;) {
    const SweepPlan plan = plan_sweep(study, options.shard, *table);
    progress.total = plan.num_wanted;
    progress.done = plan.num_wanted - std::ssize(plan.missing);
    if (plan.missing.empty()) break;
    std::span<const std::int64_t> left = plan.missing;
    while (!left.empty() && go_on()) {
      const auto count = static_cast<std::size_t>(
          std::min<std::int64_t>(std::ssize(left), runner.size_of_batch()));
      const bool is_shared = !runner.reads_while_stepping();  // the workers
      TrialBatch<Real> next = runner.prepare(left.first(count));
      if (!is_shared && !last.numbers.empty()) writing = std::async(std::launch::async, write);
      runner.step(&next);
      wait();
      last = std::move(next);
      if (is_shared) {
        runner.read(&last);
        writing = std::async(std::launch::async, write);
      }
      left = left.subspan(count);
    }
    if (!last.numbers.empty() && !writing.valid()) writing = std::async(std::launch::async, write);
    wait();
    if (!go_on()) break;
  }
  progress.wall = report->wall = clock.wall();
  return progress;
}

}  // namespace

std::string describe_flagged(const BatchReport::Flagged& flagged) {
  std::string text;
  const auto add = [&text](std::int64_t count, const char* reason) {
    if (count == 0) return;
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + reason;
  };
  add(flagged.too_many_contacts, "with too many contacts");
  add(flagged.not_certified, "not certified");
  add(flagged.too_fast, "too fast");
  add(flagged.sunk, "sunk");
  add(flagged.overlaps_at_start, "overlapping at the start");
  add(flagged.not_made, "refused");
  return text;
}

void check_batch_study(const Study& study, const BatchOptions& batch) {
  const BatchTrials qualifies(study);
  if (batch.device == BatchOptions::Device::kGpu) batch::demand_gpu();
}

void mark_batch_study(BatchOptions::Precision precision, Study* study) {
  Hash hash;
  hash.add(study->fingerprint);
  hash.add(
      std::string_view(precision == BatchOptions::Precision::kDouble ? "batch f64" : "batch f32"));
  study->fingerprint = hash.value();
}

SweepProgress run_batch_sweep(const Study& study, const SweepOptions& options,
                              const BatchOptions& batch, TrialTable* table, BatchReport* report) {
  std::unique_ptr<batch::CudaDevice> device;
  if (batch.device != BatchOptions::Device::kCpu) {
    try {
      batch::demand_gpu();
      device = std::make_unique<batch::CudaDevice>();
      report->device = device->name();
    } catch (const batch::DeviceError& error) {
      if (batch.device == BatchOptions::Device::kGpu) throw;
      report->reason = error.what();
      device = nullptr;
    }
  }
  if (device == nullptr) {
    report->device = std::to_string(options.threads) + " threads of the CPU";
  }
  if (batch.precision == BatchOptions::Precision::kSingle) {
    return run_with<float>(study, options, device.get(), table, report);
  }
  return run_with<double>(study, options, device.get(), table, report);
}

}  // namespace tenpin::lab
