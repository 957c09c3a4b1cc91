#include "repair.h"

#include <filesystem>

#include "exit_codes.h"
#include "print.h"
#include "record/repair.h"

namespace tenpin::app {

int run_repair(const RepairOptions& options) {
  std::string output = options.output;
  if (output.empty()) {
    output = std::filesystem::path(options.file).replace_extension(".repaired.h5").string();
  }
  const record::RepairReport report = record::repair_run(options.file, output);
  print(stdout, "{}: {} frames to t = {:g} s and {} steps, {} of {} commits\n", output,
        report.num_frames, report.t_end, report.num_steps, report.num_kept, report.num_blocks);
  if (report.is_whole()) {
    print(stdout, "nothing was lost\n");
  } else {
    print(stdout, "the rest is lost: {}\n", report.reason);
  }
  return kDone;
}

}  // namespace tenpin::app
