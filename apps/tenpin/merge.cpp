#include "merge.h"

#include <fmt/format.h>

#include <cstdio>

#include <nlohmann/json.hpp>

#include "check_target.h"
#include "exit_codes.h"
#include "lab/study/merge.h"
#include "print.h"

namespace tenpin::app {

int run_merge(const MergeCommand& command) {
  check_target(command.output, "table of a study", {"SQLite format 3"});
  const lab::MergeReport report = lab::merge_tables(command.tables, command.output);
  const std::string hash = fmt::format("{:016x}", report.hash);
  if (command.json) {
    const nlohmann::ordered_json json = {
        {"study", report.study},       {"table", command.output},
        {"rows", report.rows},         {"trials", report.num_trials},
        {"repeated", report.repeated}, {"missing", report.missing.size()},
        {"table_hash", hash}};
    print(stdout, "{}\n", json.dump(1));
  } else {
    print(stdout, "{}\n  {:<22}{} of {} trials from {} tables, {} of them in several\n",
          report.study, "rows", report.rows, report.num_trials, command.tables.size(),
          report.repeated);
    print(stdout, "  {:<22}{}\n  {:<22}{}\n", "table", command.output, "table hash", hash);
  }
  if (!report.missing.empty()) {
    print(stderr, "tenpin: {} trials are missing: {}\n", report.missing.size(),
          lab::describe_trials(report.missing));
  }
  return kDone;
}

}  // namespace tenpin::app
