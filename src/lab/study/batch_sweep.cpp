#include "lab/study/batch_sweep.h"

#include <algorithm>
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

// Worlds of a launch. A GPU is full at 1e5; the CPU's are few, so that a kill costs little.
constexpr std::int64_t kGpuTrials = 1 << 17;
constexpr std::int64_t kCpuTrialsPerThread = 16;
// With a model for each of them.
constexpr std::int64_t kOwnModels = 1 << 14;

// A number that is near for trials whose ranges are near: their digits, by turns.
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

template <class Real>
class BatchRunner {
 public:
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

  std::vector<TrialRow> run(std::span<const std::int64_t> numbers) {
    const Stopwatch clock;
    prepare(numbers);
    report_->setup += clock.wall();
    const double begin = clock.wall();
    step();
    report_->stepping += clock.wall() - begin;
    const double ended = clock.wall();
    std::vector<TrialRow> rows = read(numbers);
    report_->rows += clock.wall() - ended;
    return rows;
  }

 private:
  using World = batch::Stored<Real, batch::kRoom>;

  void prepare(std::span<const std::int64_t> numbers) {
    const auto size = numbers.size();
    made_.resize(size);
    worlds_.resize(size);
    refused_.assign(size, "");
    models_.clear();
    if (trials_.shares_models()) {
      for (const BatchCombination& c : trials_.combinations()) {
        models_.push_back(batch::convert_model<Real>(c.batch.model));
      }
    } else {
      models_.resize(size);
    }
    workers_.split(static_cast<int>(size), [&](int first, int end) {
      for (int i = first; i < end; ++i) prepare_one(static_cast<std::size_t>(i), numbers);
    });
    keys_.resize(size);
    order_.resize(size);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    if (gpu_ == nullptr) return;
    for (std::size_t i = 0; i < size; ++i) keys_[i] = calc_nearness(study_, made_[i]);
    std::stable_sort(order_.begin(), order_.end(), [this](std::size_t a, std::size_t b) {
      return keys_[a] < keys_[b];
    });
    sorted_.resize(size);
    for (std::size_t i = 0; i < size; ++i) sorted_[i] = worlds_[order_[i]];
  }

  // A trial that cannot be made is left to the stepper, which says why.
  void prepare_one(std::size_t i, std::span<const std::int64_t> numbers) {
    worlds_[i] = {};
    try {
      made_[i] = trials_.make(numbers[i]);
    } catch (const std::exception& error) {
      refused_[i] = error.what();
      worlds_[i].flags = batch::kStartsOverlapping;
      return;
    }
    const batch::BatchScene& scene = trials_.batch_scene(numbers[i], made_[i]);
    worlds_[i] = batch::make_world<Real, batch::kRoom>(scene, made_[i].start);
    worlds_[i].model =
        static_cast<batch::Word>(trials_.shares_models() ? trials_.combination_of(numbers[i]) : i);
    if (!trials_.shares_models()) models_[i] = batch::convert_model<Real>(scene.model);
  }

  void step() {
    const auto steps = static_cast<int>(trials_.num_steps());
    const std::span<const batch::Model<Real>> models = models_;
    if (gpu_ == nullptr) {
      batch::run_on_cpu<Real, batch::kRoom>(models, steps, workers_, worlds_);
      return;
    }
    gpu_->upload(models, sorted_);
    gpu_->run(steps);
    gpu_->download(sorted_);
    for (std::size_t i = 0; i < sorted_.size(); ++i) worlds_[order_[i]] = sorted_[i];
  }

  std::vector<TrialRow> read(std::span<const std::int64_t> numbers) {
    std::vector<TrialRow> rows(numbers.size());
    std::vector<std::size_t> flagged;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (worlds_[i].flags != 0) {
        flagged.push_back(i);
      } else {
        take_evidence(worlds_[i]);
      }
    }
    report_->by_batch += std::ssize(numbers) - std::ssize(flagged);
    workers_.run(static_cast<int>(numbers.size()), [&](int k, int worker) {
      const auto i = static_cast<std::size_t>(k);
      if (worlds_[i].flags != 0) return;
      rows[i] = readers_[static_cast<std::size_t>(worker)]->read(numbers[i], made_[i], worlds_[i]);
    });
    std::vector<char> by_stepper(flagged.size());
    workers_.run(static_cast<int>(flagged.size()), [&](int k, int worker) {
      const std::size_t i = flagged[static_cast<std::size_t>(k)];
      rows[i] = run_again(numbers[i], i, worker, &by_stepper[static_cast<std::size_t>(k)]);
    });
    const auto count = std::count(by_stepper.begin(), by_stepper.end(), 1);
    report_->by_stepper += count;
    report_->by_more_room += std::ssize(flagged) - count;
    return rows;
  }

  template <int kContacts>
  void take_evidence(const batch::Stored<Real, kContacts>& world) {
    report_->steps += world.steps;
    report_->worst_residual =
        std::max(report_->worst_residual, static_cast<double>(world.worst_residual));
    report_->worst_closure =
        std::max(report_->worst_closure, static_cast<double>(world.worst_closure));
  }

  // From its start, on one thread.
  TrialRow run_again(std::int64_t number, std::size_t i, int worker, char* by_stepper) {
    const batch::Word flags = worlds_[i].flags;
    const std::string why = batch::describe_flags(flags, worlds_[i].steps);
    constexpr batch::Word kHopeful = batch::kOverflow | batch::kNotCertified;
    if ((flags & ~kHopeful) == 0) {
      const batch::BatchScene& scene = trials_.batch_scene(number, made_[i]);
      batch::Model<Real> model = models_[worlds_[i].model];
      model.max_sweeps = batch::kMoreSweeps;
      std::vector world = {batch::make_world<Real, batch::kMoreRoom>(scene, made_[i].start)};
      batch::run_on_cpu<Real, batch::kMoreRoom>(std::span<const batch::Model<Real>>(&model, 1),
                                                static_cast<int>(scene.num_steps), Workers(1),
                                                world);
      if (world[0].flags == 0) {
        TrialRow row = readers_[static_cast<std::size_t>(worker)]->read(number, made_[i], world[0]);
        row.message = "run again with more room: " + why;
        return row;
      }
    }
    *by_stepper = 1;
    TrialRow row = TrialRunner(study_).run(number, [] {
      return true;
    });
    if (row.message.empty() && refused_[i].empty()) row.message = "run by the stepper: " + why;
    return row;
  }

  const Study& study_;
  BatchTrials trials_;
  Workers workers_;
  BatchReport* report_;
  std::unique_ptr<batch::GpuBatch<Real>> gpu_;                 // null: on the CPU
  std::vector<std::unique_ptr<BatchTrials::Reader>> readers_;  // by worker
  // Of the trials under way, each by its place among them.
  std::vector<BatchTrial> made_;
  std::vector<std::string> refused_;  // why a trial could not be made
  std::vector<World> worlds_;
  std::vector<batch::Model<Real>> models_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::size_t> order_;  // on the GPU: near trials beside each other
  std::vector<World> sorted_;
};

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
  for (;;) {
    const SweepPlan plan = plan_sweep(study, options.shard, *table);
    progress.total = plan.num_wanted;
    progress.done = plan.num_wanted - std::ssize(plan.missing);
    if (plan.missing.empty()) break;
    std::span<const std::int64_t> left = plan.missing;
    while (!left.empty() && go_on()) {
      const auto count = static_cast<std::size_t>(
          std::min<std::int64_t>(std::ssize(left), runner.size_of_batch()));
      const std::vector<TrialRow> rows = runner.run(left.first(count));
      const Stopwatch write;
      table->add(rows);
      report->rows += write.wall();
      progress.done += std::ssize(rows);
      progress.fresh += std::ssize(rows);
      left = left.subspan(count);
    }
    if (!go_on()) break;
  }
  progress.wall = clock.wall();
  return progress;
}

}  // namespace

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
