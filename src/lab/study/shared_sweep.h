// A sweep by several processes. Process 0 owns the table and hands out blocks of trials as leases;
// all of them compute. A process that dies or hangs costs the blocks that it had: these are handed
// out again. Rows are functions of their number, so the table is the same for any number of
// processes, threads and losses.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "lab/study/messenger.h"
#include "lab/study/study.h"
#include "lab/study/sweep.h"
#include "lab/study/trial_table.h"

namespace tenpin::lab {

struct SharedOptions {
  double block_time = 0.2;  // s   of work in a block
  // Trials in a block, at least, as long as they take less than block_time: a round trip over TCP
  // costs 0.2 ms.
  std::size_t least_block = 64;
  double lease_time = 10.0;    // s   of silence after which a process counts as lost
  double patience = 60.0;      // s   of silence of process 0 after which the others leave
  double signal_every = 0.25;  // s   between signs of life
};

// Process 0. `options.on_progress` as in run_sweep. Rows that are committed stay, whatever happens.
[[nodiscard]] SweepProgress own_shared_sweep(const Study& study, const SweepOptions& options,
                                             const SharedOptions& shared, Messenger* messenger,
                                             TrialTable* table);

enum class SweepEnd {
  kDone,
  kDoneWithLosses,  // a process is lost: waiting for it would never end
  kOwnerIsLost,     // process 0 fell silent
  kStopped,         // `go_on` said so
};

// All others.
[[nodiscard]] SweepEnd serve_shared_sweep(const Study& study, int threads,
                                          const SharedOptions& shared, Messenger* messenger,
                                          const std::function<bool()>& go_on);

}  // namespace tenpin::lab
