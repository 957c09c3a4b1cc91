#include "run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>

#include "base/check.h"
#include "convert.h"
#include "exit_codes.h"
#include "lab/continue_run.h"
#include "lab/simulation.h"
#include "lab/slow_run.h"
#include "lab/variant.h"
#include "lab/viewer_page.h"
#include "live.h"
#include "live_control.h"
#include "overrides.h"
#include "page_target.h"
#include "print.h"
#include "read_model.h"
#include "record/run_reader.h"
#include "scene/read_method.h"
#include "signals.h"
#include "summary.h"

namespace tenpin::app {

namespace {

using methods::AdvanceStatus;

// A line that is overwritten with the progress; does nothing if stderr is not a terminal.
class ProgressBar {
 public:
  explicit ProgressBar(bool quiet) : visible_(!quiet && isatty(STDERR_FILENO) == 1) {}
  ~ProgressBar() {
    if (shown_) print(stderr, "\r{:78}\r", "");
  }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // Prints a permanent line.
  void tell(const std::string& text) const {
    print(stderr, "{}{}\n", shown_ ? fmt::format("\r{:78}\r", "") : "", text);
  }

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
    // Settings of the scene's own method remain valid, so its name must be known first. --set may
    // refer to settings that only the new method has.
    std::vector<scene::Override> others;
    std::copy_if(sets.begin(), sets.end(), std::back_inserter(others), [](const auto& set) {
      return !set.path.starts_with("method.");
    });
    const scene::Scene own = read_model(options.scene, others, limits, options.import);
    overrides = lab::make_overrides(variant, name_of(own.method));
  }
  overrides.insert(overrides.end(), sets.begin(), sets.end());
  return read_model(options.scene, overrides, limits, options.import);
}

// The run file. If the user requests a page but no run file, a temporary file is used, and removed
// with this object.
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
  std::string path_;  // "" = no run file
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

// Runs a scene once from its start, or from `from`. A page of a live run may end the run early, to
// start it again.
lab::Summary simulate_once(const scene::Scene& scene, const RunOptions& options,
                           const std::optional<dynamics::State>& from, const std::string& run_file,
                           LiveControl* control, const std::function<void()>& on_start) {
  ProgressBar bar(options.quiet || options.json);
  lab::SimulationOptions simulation{.threads = options.threads,
                                    .step_limit = options.step_limit,
                                    .stop = &signal_flag(),
                                    .run_file = run_file};
  simulation.from = from;
  lab::SlowRunWatch slow_run(scene, options.threads);
  const bool may_advise = !options.quiet && !options.json && control == nullptr && !from;
  simulation.on_progress = [&](const lab::Progress& progress) {
    bar.show(progress);
    const std::string advice = may_advise ? slow_run.watch(progress) : "";
    if (!advice.empty()) bar.tell(advice);
    return caught_signal() == 0 && (control == nullptr || !control->wants_restart());
  };
  simulation.on_start = [&](const dynamics::Model&, const dynamics::State&) {
    on_start();
  };
  if (control != nullptr) {
    simulation.on_frame = [&](const dynamics::State& state, dynamics::Model* model) {
      return control->apply(state, scene.record.every, model);
    };
  }
  return lab::simulate(scene, simulation);
}

// Writes the page and the summary of a run that has ended.
void tell_result(const scene::Scene& scene, const lab::Summary& summary, const RunOptions& options,
                 const std::string& run_file) {
  if (!options.html.empty()) lab::write_viewer_page(record::RunReader(run_file), options.html);
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
}

int run_alone(const scene::Scene& scene, const std::optional<dynamics::State>& from,
              const RunOptions& options, const std::string& run_file) {
  const lab::Summary summary = simulate_once(scene, options, from, run_file, nullptr, [] {});
  tell_result(scene, summary, options, run_file);
  return exit_code_of(summary);
}

// A run that is shown while it is computed, and started again whenever its page requests it.
class LiveRun {
 public:
  LiveRun(scene::Scene scene, std::optional<dynamics::State> from, const RunOptions& options,
          const std::string& run_file)
      : scene_(std::move(scene)),
        from_(std::move(from)),
        options_(options),
        run_file_(run_file),
        view_(run_file, options.serve),
        control_(view_.commands(), options.speed, [this](bool is_standing) {
          view_.tell_standing(is_standing);
        }) {
    print(stderr, "Live at {}\n", view_.address());
  }

  int run() {
    while (true) {
      const std::optional<lab::Summary> summary = simulate();
      if (summary && !is_begun_again()) {
        tell_result(scene_, *summary, options_, run_file_);
        if (control_.first_change() >= 0.0)
          print(stderr, "The page has changed the run by hand, first at t = {:.4g} s.\n",
                control_.first_change());
        linger();
        if (!is_begun_again()) return exit_code_of(*summary);
      }
      change_method(control_.take_restart());
    }
  }

 private:
  bool is_begun_again() const { return control_.wants_restart() && caught_signal() == 0; }

  // Selects a method, with the scene's own options if it is the scene's own method, otherwise with
  // its defaults.
  void use_method(std::string_view name) {
    scene_.method = name == name_of(own_method_) ? own_method_ : scene::default_method(name);
  }

  // To the one that the page wants: "" and names of no method change nothing.
  void change_method(const std::string& wanted) {
    if (wanted.empty()) return;
    try {
      lab::check_method_name(wanted);
      use_method(wanted);
    } catch (const InputError& error) {
      print(stderr, "tenpin: {}\n", error.what());
    }
  }

  // Nothing when a method that the page wants refuses the scene: then the last one comes back.
  std::optional<lab::Summary> simulate() {
    try {
      return simulate_once(scene_, options_, from_, run_file_, &control_, [this] {
        if (!method_.empty()) view_.tell_restart();
        method_ = name_of(scene_.method);
      });
    } catch (const InputError& error) {
      if (method_.empty() || name_of(scene_.method) == method_) throw;
      print(stderr, "tenpin: {}\n", error.what());
      use_method(method_);
      return std::nullopt;
    }
  }

  void linger() {
    if (caught_signal() != 0) return;
    if (!options_.quiet) print(stderr, "Shown until its page is closed; Ctrl-C ends it.\n");
    std::fflush(stdout);
    view_.linger([this] {
      control_.read_commands();
      return control_.wants_restart();
    });
  }

  scene::Scene scene_;
  const scene::MethodOptions own_method_ = scene_.method;  // as in the scene file
  // state at which the run starts, if not at time 0
  std::optional<dynamics::State> from_;
  const RunOptions& options_;
  std::string run_file_;
  std::string method_;  // the last method that accepted the scene; "" before the first run
  LiveView view_;
  LiveControl control_;
};

// Simulates a scene from its start, or from `from`, and reports the result.
int run_from(const scene::Scene& scene, std::optional<dynamics::State> from,
             const RunOptions& options) {
  if (!options.quiet) print_notes(scene, 20);
  const RunFile run_file(options);
  catch_signals();
  if (!options.live) return run_alone(scene, from, options, run_file.path());
  return LiveRun(scene, std::move(from), options, run_file.path()).run();
}

int continue_run(const RunOptions& options) {
  TENPIN_REQUIRE(
      options.scene.empty(),
      fmt::format("--from: a run brings its scene along, got scene {}, want none", options.scene));
  TENPIN_REQUIRE(options.method.empty(),
                 fmt::format("--from: a continued run keeps its method, got --method {}, want none",
                             options.method));
  TENPIN_REQUIRE(options.output != options.from,
                 fmt::format("--output: the run that is continued, got {}, want another file",
                             options.output));
  scene::ReadLimits limits{.max_bodies = options.max_bodies};
  if (options.force) limits.max_steps = INT64_MAX;
  lab::Continuation from = lab::read_continuation(record::RunReader(options.from), options.at,
                                                  parse_overrides(options.sets), limits);
  if (!from.note.empty()) from.scene.notes.push_back(from.note);
  return run_from(from.scene, std::move(from.state), options);
}

}  // namespace

int run_run(const RunOptions& options) {
  TENPIN_REQUIRE(!options.scene.empty() || !options.from.empty(),
                 "scene: none, want a scene file, or --from with a run file");
  if (!options.from.empty()) return continue_run(options);
  TENPIN_REQUIRE(!options.at, "--at: nothing to continue, want --from with a run file, too");
  return run_scene(read(options), options);
}

int run_scene(const scene::Scene& scene, const RunOptions& options) {
  return run_from(scene, std::nullopt, options);
}

}  // namespace tenpin::app
