// Saves what is intact of a run file that was cut off or damaged.
#pragma once

#include <cstdint>
#include <string>

namespace tenpin::record {

struct RepairReport {
  std::int64_t num_blocks = 0;  // that the file claims to have
  std::int64_t num_kept = 0;    // of them, from the beginning
  std::int64_t num_frames = 0;  // kept
  std::int64_t num_steps = 0;
  double t_end = 0.0;  // s   of the last frame kept
  std::string reason;  // why the next block could not be kept; "" if all were

  [[nodiscard]] bool is_whole() const { return reason.empty(); }
};

// Copies all rows up to the last commit whose checksums hold into a new run file. Only a file with
// an intact header can be repaired: throws InputError for others, RecordError if the system does
// not let us read or write.
[[nodiscard]] RepairReport repair_run(const std::string& damaged, const std::string& repaired);

}  // namespace tenpin::record
