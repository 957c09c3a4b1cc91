#include "run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <optional>

#include "base/check.h"
#include "convert.h"
#include "exit_codes.h"
#include "lab/simulation.h"
#include "lab/variant.h"
#include "lab/viewer_page.h"
#include "live.h"
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
  scene::ReadLimits limits{.max_bodies = options.max_bodies};
  if (options.force) limits.max_steps = INT64_MAX;
  const std::vector<scene::Override> sets = parse_overrides(options.sets);
  std::vector<scene::Override> overrides;
  if (!options.method.empty()) {
    const lab::Variant variant = lab::parse_variant(options.method);
    // Settings of the scene's own method stay, so its name must be known first. --set may speak of
    // settings that only the new method has.
    std::vector<scene::Override> others;
    std::copy_if(sets.begin(), sets.end(), std::back_inserter(others), [](const auto& set) {
      return !set.path.starts_with("method.");
    });
    const scene::Scene own = read_model(options.scene, others, limits, options.import);
    overrides = lab::make_overrides(variant, own.method.name);
  }
  overrides.insert(overrides.end(), sets.begin(), sets.end());
  return read_model(options.scene, overrides, limits, options.import);
}

// The file the run goes to. A page is drawn from one; when none was asked for, from one that goes
// away with this object.
class RunFile {
 public:
  explicit RunFile(const RunOptions& options) : path_(options.output) {
    if (!options.html.empty()) check_page_target(options.html);
    TENPIN_REQUIRE(options.html.empty() || options.html != options.output,
                   fmt::format("--html: same file as --output, got {}, want another", path_));
    is_temporary_ = path_.empty() && (options.live || !options.html.empty());
    if (!is_temporary_) return;
    const std::string stem = options.html.empty()
                                 ? (std::filesystem::temp_directory_path() / "tenpin").string()
                                 : options.html;
    path_ = fmt::format("{}.{}.h5", stem, getpid());
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

// Where a browser may look on, if that is wanted.
void start_live_view(const RunOptions& options, const RunFile& run_file,
                     std::optional<LiveView>* live) {
  if (!options.live) return;
  live->emplace(run_file.path(), options.serve);
  print(stderr, "Live at {}\n", (*live)->address());
}

void linger(const RunOptions& options, std::optional<LiveView>* live) {
  if (!options.live || caught_signal() != 0) return;
  if (!options.quiet) print(stderr, "Serving until the page is closed; Ctrl-C ends it.\n");
  std::fflush(stdout);
  (*live)->linger();
}

}  // namespace

int run_run(const RunOptions& options) {
  return run_scene(read(options), options);
}

int run_scene(const scene::Scene& scene, const RunOptions& options) {
  if (!options.quiet) print_notes(scene, 20);
  const RunFile run_file(options);
  catch_signals();
  std::optional<LiveView> live;
  start_live_view(options, run_file, &live);
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
  const int exit_code = exit_code_of(summary);
  linger(options, &live);
  return exit_code;
}

}  // namespace tenpin::app
