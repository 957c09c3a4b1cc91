#include "submit.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <regex>

#include "base/check.h"
#include "exit_codes.h"
#include "lab/study/study.h"
#include "print.h"
#include "record/record_error.h"
#include "record/whole_file.h"

namespace tenpin::app {

namespace {

namespace fs = std::filesystem;

// Quotes text so that a shell takes it as one word.
std::string quote(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

// Makes a job name that Slurm accepts, from letters, digits and dashes.
std::string make_job_name(const SubmitCommand& command) {
  return std::regex_replace(fs::path(command.study).stem().string(), std::regex("[^A-Za-z0-9_-]"),
                            "-");
}

fs::path choose_output(const SubmitCommand& command) {
  if (!command.output.empty()) return fs::absolute(command.output);
  return fs::absolute(fs::path(command.study).stem().string() + ".sqlite");
}

std::string make_shard_name(const SubmitCommand& command, const std::string& number) {
  fs::path path = choose_output(command);
  path.replace_extension();
  return path.string() + "-shard-" + number + ".sqlite";
}

// The lines that all scripts share.
std::string make_head(const SubmitCommand& command, const std::string& job,
                      const std::string& log) {
  std::string text = fmt::format(
      "#!/bin/bash\n#SBATCH --job-name={}\n#SBATCH --time={}\n#SBATCH --output={}\n"
      "#SBATCH --open-mode=append\n",
      job, command.time, log);
  if (!command.partition.empty()) text += "#SBATCH --partition=" + command.partition + "\n";
  if (!command.account.empty()) text += "#SBATCH --account=" + command.account + "\n";
  return text;
}

// Lines that continue the sweep in a new job. Before the walltime ends, Slurm sends a signal; the
// sweep then commits its rows, and the job, by the name that Slurm gave it, is queued again for the
// remaining trials.
std::string make_resume(const std::string& job, const std::string& sweep) {
  return "set -u\n"
         "again() {\n"
         "  echo \"$(date): out of time, queueing again for the rest\"\n"
         "  kill -TERM \"$sweep\" 2>/dev/null; wait \"$sweep\"\n"
         "  scontrol requeue \"" +
         job +
         "\"\n"
         "  exit 0\n"
         "}\n"
         "trap again USR1\n" +
         sweep + " &\nsweep=$!\nwait \"$sweep\"\n";
}

void check_time(const std::string& time) {
  const std::regex walltime("[0-9]+|([0-9]+-)?[0-9]+(:[0-9]{1,2}){0,2}");
  TENPIN_REQUIRE(std::regex_match(time, walltime),
                 "--time: no walltime, got " + time + ", want [days-]hours:minutes:seconds");
}

void check_word(const char* option, const std::string& word) {
  const std::regex name("[A-Za-z0-9_.,-]*");
  TENPIN_REQUIRE(
      std::regex_match(word, name),
      fmt::format("{}: not a name, got {}, want letters, digits, - and _", option, word));
}

bool has_sbatch() {
  const char* path = std::getenv("PATH");
  std::string folders = path == nullptr ? "" : path;
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    if (access((folders.substr(begin, end - begin) + "/sbatch").c_str(), X_OK) == 0) return true;
    begin = end + 1;
  }
  return false;
}

// Submits a job and returns its number.
std::string submit(const std::string& file, const std::string& options) {
  const std::string line = "sbatch --parsable " + options + quote(file);
  std::FILE* pipe = popen(line.c_str(), "r");
  if (pipe == nullptr) throw record::RecordError("sbatch: cannot be started");
  std::string answer;
  char buffer[256];
  while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) answer += buffer;
  if (pclose(pipe) != 0) throw record::RecordError("sbatch: refused " + file);
  return answer.substr(0, answer.find_first_of(";\n"));
}

}  // namespace

std::string make_mpi_script(const SubmitCommand& command, const std::string& program) {
  const std::string job = make_job_name(command);
  return make_head(command, job, job + "-%j.log") +
         fmt::format("#SBATCH --nodes={}\n#SBATCH --ntasks-per-node=1\n#SBATCH --exclusive\n",
                     command.nodes) +
         "#SBATCH --requeue\n#SBATCH --signal=B:USR1@60\n"
         "# One process per machine, a thread per core. Rows that are done stay in the table: "
         "after a\n"
         "# failure, or at the end of the walltime, the job goes on from there.\n" +
         make_resume(
             "$SLURM_JOB_ID",
             fmt::format(
                 "mpirun --enable-recovery --map-by ppr:1:node --bind-to none {} sweep {} -o {} "
                 "--threads \"$SLURM_CPUS_ON_NODE\"",
                 quote(program), quote(fs::absolute(command.study).string()),
                 quote(choose_output(command).string())));
}

std::string make_array_script(const SubmitCommand& command, const std::string& program) {
  const std::string job = make_job_name(command);
  return make_head(command, job, job + "-%A-%a.log") +
         fmt::format("#SBATCH --array=1-{}\n#SBATCH --ntasks=1\n", command.array) +
         "#SBATCH --requeue\n#SBATCH --signal=B:USR1@60\n"
         "# Each task has a table of its own; `tenpin merge` joins them. A task that is started "
         "again\n"
         "# goes on where its table ends.\n" +
         make_resume("${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID",
                     fmt::format("{} sweep {} --shard auto -o {}\"$SLURM_ARRAY_TASK_ID\".sqlite "
                                 "--threads \"${{SLURM_CPUS_ON_NODE:-1}}\"",
                                 quote(program), quote(fs::absolute(command.study).string()),
                                 quote(make_shard_name(command, "")
                                           .substr(0, make_shard_name(command, "").size() - 7))));
}

std::string make_merge_script(const SubmitCommand& command, const std::string& program) {
  const std::string job = make_job_name(command) + "-merge";
  std::string tables;
  for (int i = 1; i <= command.array; ++i) {
    tables += " " + quote(make_shard_name(command, std::to_string(i)));
  }
  return make_head(command, job, job + "-%j.log") + "#SBATCH --ntasks=1\n" +
         fmt::format("exec {} merge{} -o {}\n", quote(program), tables,
                     quote(choose_output(command).string()));
}

int run_submit(const SubmitCommand& command) {
  check_time(command.time);
  check_word("--partition", command.partition);
  check_word("--account", command.account);
  const lab::Study study = lab::read_study(command.study);
  TENPIN_REQUIRE(command.array == 0 || !study.until,
                 "--array: this study decides as it goes (until), want --nodes");
  const std::string program = fs::read_symlink("/proc/self/exe").string();
  const bool is_array = command.array > 0;
  const std::string script =
      is_array ? make_array_script(command, program) : make_mpi_script(command, program);
  const std::string merge = is_array ? make_merge_script(command, program) : "";
  if (command.print || !has_sbatch()) {
    print(stdout, "{}", script);
    if (is_array) print(stdout, "\n# ---- afterwards, when all tasks are done ----\n{}", merge);
    if (!command.print) {
      print(stderr, "tenpin: no sbatch here; hand this script to it on the cluster\n");
    }
    return kDone;
  }
  const std::string file = make_job_name(command) + ".sbatch";
  record::write_whole_file(file, script);
  const std::string job = submit(file, "");
  print(stdout, "job {} ({})\n", job, file);
  if (!is_array) return kDone;
  const std::string merge_file = make_job_name(command) + "-merge.sbatch";
  record::write_whole_file(merge_file, merge);
  print(stdout, "job {} ({}), when those are done\n",
        submit(merge_file, "--dependency=afterok:" + job + " "), merge_file);
  return kDone;
}

}  // namespace tenpin::app
