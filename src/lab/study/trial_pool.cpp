#include "lab/study/trial_pool.h"

#include <chrono>
#include <optional>
#include <utility>

#include "base/stopwatch.h"
#include "lab/study/trial_runner.h"
#include "methods/method.h"

namespace tenpin::lab {

TrialPool::TrialPool(const Study& study, int threads) : study_(study) {
  for (int i = 0; i < threads; ++i) {
    threads_.emplace_back([this] {
      work();
    });
  }
}

TrialPool::~TrialPool() {
  stop();
  for (std::thread& thread : threads_) thread.join();
}

void TrialPool::add(std::span<const std::int64_t> trials) {
  {
    const std::scoped_lock lock(mutex_);
    queue_.insert(queue_.end(), trials.begin(), trials.end());
  }
  wanted_.notify_all();
}

void TrialPool::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stops_ = true;
    queue_.clear();
  }
  wanted_.notify_all();
}

std::vector<TrialRow> TrialPool::collect(double seconds) {
  std::unique_lock lock(mutex_);
  ended_.wait_for(lock, std::chrono::duration<double>(seconds), [this] {
    return error_ || (queue_.empty() && num_running_ == 0 && !rows_.empty());
  });
  if (error_) std::rethrow_exception(error_);
  return std::exchange(rows_, {});
}

std::size_t TrialPool::num_open() const {
  const std::scoped_lock lock(mutex_);
  return queue_.size() + num_running_ + rows_.size();
}

double TrialPool::busy_time() const {
  const std::scoped_lock lock(mutex_);
  return busy_time_;
}

bool TrialPool::take(std::int64_t* trial) {
  std::unique_lock lock(mutex_);
  wanted_.wait(lock, [this] {
    return stops_ || !queue_.empty();
  });
  if (stops_) return false;
  *trial = queue_.front();
  queue_.pop_front();
  ++num_running_;
  return true;
}

void TrialPool::give(std::optional<TrialRow> row, double seconds, std::exception_ptr error) {
  bool is_awaited = false;
  {
    const std::scoped_lock lock(mutex_);
    if (row) rows_.push_back(std::move(*row));
    if (error) error_ = std::move(error);
    busy_time_ += seconds;
    --num_running_;
    is_awaited = error_ || (queue_.empty() && num_running_ == 0);
  }
  // The collecting thread is not woken for every row, because that would cost more than a small
  // trial.
  if (is_awaited) ended_.notify_one();
}

void TrialPool::work() {
  std::optional<TrialRunner> runner;
  std::int64_t trial = 0;
  while (take(&trial)) {
    const Stopwatch clock;
    try {
      if (!runner) runner.emplace(study_);
      TrialRow row = runner->run(trial, [this] {
        return !stops_;
      });
      const bool is_cut = stops_ && row.status == to_string(methods::AdvanceStatus::kStopped);
      give(is_cut ? std::nullopt : std::optional(std::move(row)), clock.wall(), nullptr);
    } catch (...) {
      give(std::nullopt, clock.wall(), std::current_exception());
      return;
    }
  }
}

}  // namespace tenpin::lab
