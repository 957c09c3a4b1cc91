// Who computes which trial, so that none is lost with the process that had it.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

namespace tenpin::lab {

// A trial is waiting, leased to a process, or settled. A process that is lost gives back its
// leases; should it answer after all, its rows are as good as any other's.
class Leases {
 public:
  explicit Leases(std::vector<std::int64_t> trials)
      : waiting_(trials.begin(), trials.end()), num_left_(waiting_.size()) {}

  // The next trials for that process, at most `most`.
  [[nodiscard]] std::vector<std::int64_t> lease(int process, std::size_t most);
  // A row of that trial is there. False if there was one already, or none is wanted.
  [[nodiscard]] bool settle(std::int64_t trial);
  // Everything leased to that process waits again, before all else.
  void release(int process);

  [[nodiscard]] std::size_t num_waiting() const { return waiting_.size(); }
  [[nodiscard]] bool is_done() const { return num_left_ == 0; }

 private:
  std::deque<std::int64_t> waiting_;
  std::unordered_map<std::int64_t, int> leased_;  // process by trial
  std::size_t num_left_;                          // not settled
};

}  // namespace tenpin::lab
