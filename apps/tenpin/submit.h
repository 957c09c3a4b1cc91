// `tenpin submit study.yaml --nodes 4`: runs a study as a Slurm job.
#pragma once

#include <string>

namespace tenpin::app {

struct SubmitCommand {
  std::string study;
  std::string output;            // table to write; "" = named after the study
  int nodes = 1;                 // of the MPI job
  int array = 0;                 // number of jobs of an array; 0 = an MPI job instead
  std::string time = "1:00:00";  // walltime
  std::string partition, account;
  bool print = false;
};

// Make job scripts. They continue with the first trials that the table lacks, so that Slurm may
// stop and requeue them at any time.
[[nodiscard]] std::string make_mpi_script(const SubmitCommand& command, const std::string& program);
[[nodiscard]] std::string make_array_script(const SubmitCommand& command,
                                            const std::string& program);
[[nodiscard]] std::string make_merge_script(const SubmitCommand& command,
                                            const std::string& program);

// Checks the study first. Submits the job by sbatch if it is installed, otherwise prints the
// script. Returns the exit code.
[[nodiscard]] int run_submit(const SubmitCommand& command);

}  // namespace tenpin::app
