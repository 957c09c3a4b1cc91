// Tells long work when to end before it is done: at a time, or when a flag is set.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>

namespace tenpin {

// Any thread may call is_over(); only the owner may change the deadline, and not during such calls.
class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  void set_time(Clock::time_point time) { time_ = time; }
  // Another thread or a signal handler may set the flag. Null: there is no flag.
  void set_flag(const std::atomic<int>* flag) { flag_ = flag; }

  Clock::time_point time() const { return time_; }
  bool is_stopped() const {
    return flag_ != nullptr && flag_->load(std::memory_order_relaxed) != 0;
  }
  bool is_late() const { return time_ != Clock::time_point::max() && Clock::now() > time_; }
  bool is_over() const { return is_stopped() || is_late(); }

 private:
  Clock::time_point time_ = Clock::time_point::max();
  const std::atomic<int>* flag_ = nullptr;
};

// For solvers that may have no deadline: false for null.
[[nodiscard]] inline bool is_over(const Deadline* deadline) {
  return deadline != nullptr && deadline->is_over();
}

// Thrown when the flag of a step's deadline was set: the step ends, and the state is that of its
// start.
class StepStopped : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped on request"; }
};

}  // namespace tenpin
