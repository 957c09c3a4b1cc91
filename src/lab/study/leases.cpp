#include "lab/study/leases.h"

#include <algorithm>

namespace tenpin::lab {

std::vector<std::int64_t> Leases::lease(int process, std::size_t most) {
  std::vector<std::int64_t> trials;
  while (trials.size() < most && !waiting_.empty()) {
    trials.push_back(waiting_.front());
    waiting_.pop_front();
    leased_[trials.back()] = process;
  }
  return trials;
}

bool Leases::settle(std::int64_t trial) {
  if (leased_.erase(trial) > 0) {
    --num_left_;
    return true;
  }
  // The trial's lease has expired, and no other process has leased it yet.
  const auto found = std::find(waiting_.begin(), waiting_.end(), trial);
  if (found == waiting_.end()) return false;
  waiting_.erase(found);
  --num_left_;
  return true;
}

void Leases::release(int process) {
  std::vector<std::int64_t> trials;
  for (const auto& [trial, owner] : leased_) {
    if (owner == process) trials.push_back(trial);
  }
  std::sort(trials.begin(), trials.end());
  for (const std::int64_t trial : trials) leased_.erase(trial);
  waiting_.insert(waiting_.begin(), trials.begin(), trials.end());
}

}  // namespace tenpin::lab
