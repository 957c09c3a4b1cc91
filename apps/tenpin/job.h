// The job that this process is part of, if a scheduler started it as one of several.
#pragma once

#include <memory>
#include <string>

#include "lab/study/messenger.h"
#include "lab/study/sweep.h"

namespace tenpin::app {

// To the other processes of a job of mpirun or srun; none for a process that is alone. Throws
// RecordError when MPI started this process and the library for it cannot be loaded: every process
// of the job would do all of the work.
[[nodiscard]] std::unique_ptr<lab::Messenger> join_job();

// Threads that this process may use: all cores, shared evenly with the processes of its job on the
// same machine.
[[nodiscard]] int count_own_cores();

// "3/16", or "auto": what Slurm says of this task of an array. Throws InputError.
[[nodiscard]] lab::Shard parse_shard(const std::string& text);

}  // namespace tenpin::app
