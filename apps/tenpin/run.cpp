#include "run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "exit_codes.h"
#include "lab/simulation.h"
#include "lab/viewer_page.h"
#include "overrides.h"
#include "record/run_reader.h"
#include "scene/read.h"
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
    if (shown_) fmt::print(stderr, "\r{:78}\r", "");
  }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(const lab::Progress& p) {
    if (!visible_) return;
    shown_ = true;
    constexpr int kWidth = 40;
    const double done = p.until > 0.0 ? p.t / p.until : 1.0;
    const int filled = static_cast<int>(done * kWidth);
    fmt::print(stderr, "\r[{:#<{}}{:.<{}}] {:3.0f} %  t = {:.4g} s  {:.3g} x real time ", "",
               filled, "", kWidth - filled, 100.0 * done, p.t, p.wall > 0.0 ? p.t / p.wall : 0.0);
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
  scene::ReadLimits limits;
  if (options.force) limits.max_steps = INT64_MAX;
  return scene::read_scene(options.scene, overrides, limits);
}

// A page is drawn from a run file; when none was asked for, from one that does not stay.
std::string run_file_for(const RunOptions& options) {
  if (!options.output.empty() || options.html.empty()) return options.output;
  return fmt::format("{}.{}.h5", options.html, getpid());
}

int exit_code_of(const lab::Summary& summary) {
  switch (summary.status) {
    case AdvanceStatus::kReachedEnd: return kDone;
    case AdvanceStatus::kStopped: return 128 + caught_signal();
    case AdvanceStatus::kSolverFailed:
    case AdvanceStatus::kCertificateFailed:
    case AdvanceStatus::kNonfinite: return kNumericalFailure;
  }
  return kNumericalFailure;
}

}  // namespace

int run_run(const RunOptions& options) {
  const scene::Scene scene = read(options);
  const std::string run_file = run_file_for(options);
  catch_signals();
  lab::Summary summary;
  {
    ProgressBar bar(options.quiet || options.json);
    lab::SimulationOptions simulation{.threads = options.threads, .run_file = run_file};
    simulation.on_progress = [&bar](const lab::Progress& progress) {
      bar.show(progress);
      return caught_signal() == 0;
    };
    summary = lab::simulate(scene, simulation);
  }
  if (!options.html.empty()) {
    lab::write_viewer_page(record::RunReader(run_file), options.html);
    if (options.output.empty()) std::filesystem::remove(run_file);
  }
  if (options.json) {
    fmt::print("{}", make_summary_json(scene, summary));
  } else {
    fmt::print("{}", make_summary_table(scene, summary));
    if (!options.output.empty()) fmt::print("  {:<22}{}\n", "run file", options.output);
    if (!options.html.empty()) fmt::print("  {:<22}{}\n", "page to open", options.html);
  }
  if (exit_code_of(summary) == kNumericalFailure) {
    fmt::print(stderr, "tenpin: step {} at t = {:.9g} s: {}: {} (solver {})\n", summary.steps + 1,
               summary.t, to_string(summary.status), summary.message, to_string(summary.solver));
  }
  return exit_code_of(summary);
}

int run_view(const ViewOptions& options) {
  lab::write_viewer_page(record::RunReader(options.run_file), options.html);
  fmt::print("{}\n", options.html);
  return kDone;
}

}  // namespace tenpin::app
