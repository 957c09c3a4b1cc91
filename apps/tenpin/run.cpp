#include "run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "base/check.h"
#include "convert.h"
#include "exit_codes.h"
#include "lab/simulation.h"
#include "lab/viewer_page.h"
#include "overrides.h"
#include "page_target.h"
#include "print.h"
#include "read_model.h"
#include "record/run_reader.h"
#include "signals.h"
#include "summary.h"

namespace tenpin::app {

namespace {

using methods::AdvanceStatus;

// One line that is written over and over; nothing when stderr is not a terminal.
class ProgressBar {
 public:
  explicit ProgressBar(bool quiet) : visible_(!quiet && isatty(STDERR_FILENO) == 1) {}
  ~ProgressBar() {
    if (shown_) print(stderr, "\r{:78}\r", "");
  }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(const lab::Progress& p) {
    if (!visible_) return;
    shown_ = true;
    constexpr int kWidth = 40;
    const double done = p.until > 0.0 ? p.t / p.until : 1.0;
    const int filled = static_cast<int>(done * kWidth);
    print(stderr, "\r[{:#<{}}{:.<{}}] {:3.0f} %  t = {:.4g} s  {:.3g} x real time ", "", filled, "",
          kWidth - filled, 100.0 * done, p.t, p.wall > 0.0 ? p.t / p.wall : 0.0);
  }

 private:
  bool visible_;
  bool shown_ = false;
};

scene::Scene read(const RunOptions& options) {
  std::vector<scene::Override> overrides = parse_overrides(options.sets);
  if (!options.method.empty()) {
    overrides.insert(overrides.begin(), {.path = "method", .value = options.method});
  }
  scene::ReadLimits limits{.max_bodies = options.max_bodies};
  if (options.force) limits.max_steps = INT64_MAX;
  return read_model(options.scene, overrides, limits, options.import);
}

// The file the run goes to. A page is drawn from one; when none was asked for, from one that goes
// away with this object.
class RunFile {
 public:
  explicit RunFile(const RunOptions& options) : path_(options.output) {
    if (options.html.empty()) return;
    check_page_target(options.html);
    TENPIN_REQUIRE(options.html != options.output,
                   fmt::format("--html: same file as --output, got {}, want another", path_));
    is_temporary_ = path_.empty();
    if (is_temporary_) path_ = fmt::format("{}.{}.h5", options.html, getpid());
  }
  ~RunFile() {
    if (is_temporary_) std::remove(path_.c_str());
  }
  RunFile(const RunFile&) = delete;
  RunFile& operator=(const RunFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;  // "" = none
  bool is_temporary_ = false;
};

int exit_code_of(const lab::Summary& summary) {
  switch (summary.status) {
    case AdvanceStatus::kReachedEnd:
      return kDone;
    case AdvanceStatus::kStopped:
      return 128 + caught_signal();
    case AdvanceStatus::kSolverFailed:
    case AdvanceStatus::kCertificateFailed:
    case AdvanceStatus::kNonfinite:
      return kNumericalFailure;
  }
  return kNumericalFailure;
}

}  // namespace

int run_run(const RunOptions& options) {
  const scene::Scene scene = read(options);
  if (!options.quiet) print_notes(scene, 20);
  const RunFile run_file(options);
  catch_signals();
  lab::Summary summary;
  {
    ProgressBar bar(options.quiet || options.json);
    lab::SimulationOptions simulation{.threads = options.threads, .run_file = run_file.path()};
    simulation.on_progress = [&bar](const lab::Progress& progress) {
      bar.show(progress);
      return caught_signal() == 0;
    };
    summary = lab::simulate(scene, simulation);
  }
  if (!options.html.empty()) {
    lab::write_viewer_page(record::RunReader(run_file.path()), options.html);
  }
  if (options.json) {
    print(stdout, "{}", make_summary_json(scene, summary));
  } else {
    print(stdout, "{}", make_summary_table(scene, summary));
    if (!options.output.empty()) print(stdout, "  {:<22}{}\n", "run file", options.output);
    if (!options.html.empty()) print(stdout, "  {:<22}{}\n", "page to open", options.html);
  }
  if (exit_code_of(summary) == kNumericalFailure) {
    print(stderr, "tenpin: step {} at t = {:.9g} s: {}: {} (solver {})\n", summary.steps + 1,
          summary.t, to_string(summary.status), summary.message, to_string(summary.solver));
  }
  return exit_code_of(summary);
}

int run_view(const ViewOptions& options) {
  check_page_target(options.html);
  lab::write_viewer_page(record::RunReader(options.run_file), options.html);
  print(stdout, "{}\n", options.html);
  return kDone;
}

}  // namespace tenpin::app
