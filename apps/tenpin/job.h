// The job that this process belongs to, if a scheduler started several processes.
#pragma once

#include <memory>
#include <string>

#include "lab/study/messenger.h"
#include "lab/study/sweep.h"

namespace tenpin::app {

// Returns a messenger to the other processes of a job of mpirun or srun; null for a process that is
// alone. Throws RecordError if MPI started this process and the library for it cannot be loaded,
// because otherwise every process of the job would do all of the work.
[[nodiscard]] std::unique_ptr<lab::Messenger> join_job();

// The number of threads that this process may use: all cores, divided evenly among the processes of
// its job on the same machine.
[[nodiscard]] int count_own_cores();

// Parses "3/16", or "auto" for the task of a Slurm array. Throws InputError.
[[nodiscard]] lab::Shard parse_shard(const std::string& text);

}  // namespace tenpin::app
