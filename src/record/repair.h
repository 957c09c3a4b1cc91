// Saves the intact part of a run file that was cut off or damaged.
#pragma once

#include <cstdint>
#include <string>

namespace tenpin::record {

struct RepairReport {
  std::int64_t num_blocks = 0;  // blocks that the file should have
  std::int64_t num_kept = 0;    // blocks that were kept, from the beginning
  std::int64_t num_frames = 0;  // frames that were kept
  std::int64_t num_steps = 0;
  double t_end = 0.0;  // s   time of the last frame kept
  std::string reason;  // why the next block could not be kept; "" if all were

  [[nodiscard]] bool is_whole() const { return reason.empty(); }
};

// Copies all rows up to the last commit whose checksums are valid into a new run file. Only a file
// with an intact header can be repaired: throws InputError for others, and RecordError if the
// system denies reading or writing.
[[nodiscard]] RepairReport repair_run(const std::string& damaged, const std::string& repaired);

}  // namespace tenpin::record
