// `tenpin submit study.yaml --nodes 4`: a study as a job of Slurm.
#pragma once

#include <string>

namespace tenpin::app {

struct SubmitCommand {
  std::string study;
  std::string output;            // table, "" = named after the study
  int nodes = 1;                 // of the MPI job
  int array = 0;                 // jobs of an array instead, 0 = MPI
  std::string time = "1:00:00";  // walltime
  std::string partition, account;
  bool print = false;
};

// Job scripts. They go on where the table ends, so that Slurm may stop and requeue them at will.
[[nodiscard]] std::string make_mpi_script(const SubmitCommand& command, const std::string& program);
[[nodiscard]] std::string make_array_script(const SubmitCommand& command,
                                            const std::string& program);
[[nodiscard]] std::string make_merge_script(const SubmitCommand& command,
                                            const std::string& program);

// Checks the study first. Submits by sbatch where there is one, else prints. Returns the exit code.
[[nodiscard]] int run_submit(const SubmitCommand& command);

}  // namespace tenpin::app
