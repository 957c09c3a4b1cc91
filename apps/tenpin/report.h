// `tenpin report run.h5`: what there is to say about a run, on one page.
#pragma once

#include <string>

namespace tenpin::app {

struct ReportOptions {
  std::string run_file;
  std::string output;  // page, "" = <run>-report.html
};

[[nodiscard]] int run_report(const ReportOptions& options);

}  // namespace tenpin::app
