// A sweep by several processes. Process 0 owns the table and leases blocks of trials to the
// processes; all of them compute. If a process ends or hangs, only its blocks are lost, and are
// leased again. Rows are functions of their trial number, so the table is the same for any number
// of processes, threads and losses.
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
  // Smallest number of trials in a block, if they take less than block_time: a round trip over TCP
  // takes 0.2 ms.
  std::size_t least_block = 64;
  double lease_time = 10.0;    // s   without a message, after which a process counts as lost
  double patience = 60.0;      // s   without a message from process 0, after which the others end
  double signal_every = 0.25;  // s   between messages that show that a process is alive
};

// Runs process 0. `options.on_progress` is used as in run_sweep. Committed rows are kept, whatever
// happens.
[[nodiscard]] SweepProgress own_shared_sweep(const Study& study, const SweepOptions& options,
                                             const SharedOptions& shared, Messenger* messenger,
                                             TrialTable* table);

enum class SweepEnd {
  kDone,
  kDoneWithLosses,  // a process is lost, so that waiting for it would never end
  kOwnerIsLost,     // process 0 sends no more messages
  kStopped,         // `go_on` returned false
};

// Runs all other processes.
[[nodiscard]] SweepEnd serve_shared_sweep(const Study& study, int threads,
                                          const SharedOptions& shared, Messenger* messenger,
                                          const std::function<bool()>& go_on);

}  // namespace tenpin::lab
