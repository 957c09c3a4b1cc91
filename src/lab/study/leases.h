// Tracks which process computes which trial, so that no trial is lost with its process.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

namespace tenpin::lab {

// A trial is waiting, leased to a process, or settled. The leases of a lost process are released.
// If the process answers later, its rows are accepted like any others.
class Leases {
 public:
  explicit Leases(std::vector<std::int64_t> trials)
      : waiting_(trials.begin(), trials.end()), num_left_(waiting_.size()) {}

  // Leases the next trials to that process, at most `most`.
  [[nodiscard]] std::vector<std::int64_t> lease(int process, std::size_t most);
  // Marks a trial as settled because its row exists. Returns false if it had a row already, or if
  // none is wanted.
  [[nodiscard]] bool settle(std::int64_t trial);
  // Returns everything leased to that process to the front of the waiting trials.
  void release(int process);

  [[nodiscard]] std::size_t num_waiting() const { return waiting_.size(); }
  [[nodiscard]] bool is_done() const { return num_left_ == 0; }

 private:
  std::deque<std::int64_t> waiting_;
  std::unordered_map<std::int64_t, int> leased_;  // process of each leased trial
  std::size_t num_left_;                          // trials that are not settled
};

}  // namespace tenpin::lab
