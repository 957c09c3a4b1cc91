// `tenpin report run.h5`: writes a report on a run as one page.
#pragma once

#include <string>

namespace tenpin::app {

struct ReportOptions {
  std::string run_file;
  std::string output;  // page to write; "" = <run>-report.html
};

[[nodiscard]] int run_report(const ReportOptions& options);

}  // namespace tenpin::app
