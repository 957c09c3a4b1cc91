// Messages between the processes of a shared study, as bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/study/trial_table.h"

namespace tenpin::lab {

struct StudyMessage {
  enum class Kind : std::uint8_t {
    kReady,  // worker: started, with this study
    kRows,   // worker: rows of these trials; also shows that it is alive
    kBlock,  // owner: compute these trials, or none for now
    kAlive,  // owner: confirms a message
    kStop,   // owner: stop, the sweep is over
    kLeft,   // worker: confirms kStop, and computes no more
    kEnd,    // owner: end the process
  };
  Kind kind = Kind::kRows;
  std::uint64_t fingerprint = 0;     // kReady   hash of the study as that process read it
  int threads = 0;                   // kReady
  bool wants_more = false;           // kRows    it will be idle soon
  double busy_time = 0.0;            // s        kRows: work so far, summed over its threads
  std::string failure;               // kRows    what() of the exception of a trial, or ""
  std::vector<TrialRow> rows;        // kRows
  std::vector<std::int64_t> trials;  // kBlock
  bool has_losses = false;           // kEnd     some process is lost: do not wait for it
};

[[nodiscard]] std::string pack(const StudyMessage& message);
// Throws InputError for bytes that pack() has not made.
[[nodiscard]] StudyMessage unpack(const std::string& bytes);

}  // namespace tenpin::lab
