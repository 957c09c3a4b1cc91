// What the processes of a shared study say to each other, as bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/study/trial_table.h"

namespace tenpin::lab {

struct StudyMessage {
  enum class Kind : std::uint8_t {
    kReady,  // worker: here I am, with this study
    kRows,   // worker: these trials are done; also the sign that it lives
    kBlock,  // owner: compute these trials, or none for now
    kAlive,  // owner: I have heard you
    kStop,   // owner: it is over
    kLeft,   // worker: I have heard that, and compute no more
    kEnd,    // owner: leave
  };
  Kind kind = Kind::kRows;
  std::uint64_t fingerprint = 0;     // kReady   of the study as that process read it
  int threads = 0;                   // kReady
  bool wants_more = false;           // kRows    it will soon be idle
  double busy_time = 0.0;            // s        kRows: of work so far, summed over its threads
  std::string failure;               // kRows    what a trial threw, or ""
  std::vector<TrialRow> rows;        // kRows
  std::vector<std::int64_t> trials;  // kBlock
  bool has_losses = false;           // kEnd     some process is lost: do not wait for it
};

[[nodiscard]] std::string pack(const StudyMessage& message);
// Throws InputError for bytes that pack() has not made.
[[nodiscard]] StudyMessage unpack(const std::string& bytes);

}  // namespace tenpin::lab
