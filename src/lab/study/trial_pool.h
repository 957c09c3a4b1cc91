// Threads that run trials as soon as they are added.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "lab/study/study.h"
#include "lab/study/trial_table.h"

namespace tenpin::lab {

class TrialPool {
 public:
  TrialPool(const Study& study, int threads);
  // Stops trials that are running; these have no row.
  ~TrialPool();
  TrialPool(const TrialPool&) = delete;
  TrialPool& operator=(const TrialPool&) = delete;

  void add(std::span<const std::int64_t> trials);
  // No further trial starts, and running trials end without a row.
  void stop();

  // Returns the rows completed since the last call, after so many seconds or when the last trial
  // has ended. Throws the exception of a trial.
  [[nodiscard]] std::vector<TrialRow> collect(double seconds);

  // The number of trials that were added and are neither collected nor stopped.
  [[nodiscard]] std::size_t num_open() const;
  // s   Work so far, summed over the threads.
  [[nodiscard]] double busy_time() const;

 private:
  void work();
  [[nodiscard]] bool take(std::int64_t* trial);
  void give(std::optional<TrialRow> row, double seconds, std::exception_ptr error);

  const Study& study_;
  std::atomic<bool> stops_ = false;
  mutable std::mutex mutex_;  // protects all members below
  std::condition_variable wanted_, ended_;
  std::deque<std::int64_t> queue_;
  std::vector<TrialRow> rows_;
  std::size_t num_running_ = 0;
  double busy_time_ = 0.0;
  std::exception_ptr error_;
  std::vector<std::thread> threads_;  // last, because the threads use all members above
};

}  // namespace tenpin::lab
