#include "report.h"

#include <filesystem>

#include "exit_codes.h"
#include "lab/report.h"
#include "page_target.h"
#include "print.h"
#include "record/whole_file.h"

namespace tenpin::app {

int run_report(const ReportOptions& options) {
  const record::RunReader run(options.run_file);
  std::string output = options.output;
  if (output.empty()) {
    std::filesystem::path path = options.run_file;
    output = path.replace_extension().string() + "-report.html";
  }
  check_page_target(output);
  record::write_whole_file(output, lab::make_report_page(run, lab::make_report(run)));
  print(stdout, "{}\n", output);
  return kDone;
}

}  // namespace tenpin::app
