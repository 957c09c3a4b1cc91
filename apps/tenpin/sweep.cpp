#include "sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "base/check.h"
#include "check_target.h"
#include "exit_codes.h"
#include "job.h"
#include "lab/study/batch_sweep.h"
#include "lab/study/design.h"
#include "lab/study/shared_sweep.h"
#include "lab/study/study_page.h"
#include "lab/study/trial_csv.h"
#include "lab/study/trial_limit.h"
#include "live_sweep.h"
#include "page_target.h"
#include "print.h"
#include "progress_line.h"
#include "record/whole_file.h"
#include "run.h"
#include "signals.h"

namespace tenpin::app {

namespace {

constexpr std::size_t kMostNamed = 8;   // processes that are listed individually
constexpr double kNoteInterval = 10.0;  // s   between progress lines if there is no terminal

lab::BatchOptions make_batch_options(const SweepCommand& command) {
  using Device = lab::BatchOptions::Device;
  using Precision = lab::BatchOptions::Precision;
  return {.device = command.device == "gpu"    ? Device::kGpu
                    : command.device == "auto" ? Device::kAuto
                                               : Device::kCpu,
          .precision = command.precision == "f32" ? Precision::kSingle : Precision::kDouble};
}

lab::Study read_named(const SweepCommand& command) {
  lab::Study study = lab::read_study(command.study);
  if (command.trial_limit > 0.0) study.trial_limit = command.trial_limit;
  if (command.trials == 0) return study;
  const bool has_ranges =
      std::any_of(study.variables.begin(), study.variables.end(), [](const lab::Variable& v) {
        return v.is_range();
      });
  TENPIN_REQUIRE(has_ranges, fmt::format("--trials: {} samples nothing, got {}, want no --trials",
                                         command.study, command.trials));
  study.samples = command.trials * study.group_size();
  TENPIN_REQUIRE(study.sampling != lab::Study::Sampling::kLatin,
                 fmt::format("--trials: {} divides its ranges into as many parts as it has trials, "
                             "got {}, want no --trials",
                             command.study, command.trials));
  return study;
}

// Reads the study. Checks that a batch can run it before anything is written.
lab::Study read(const SweepCommand& command) {
  lab::Study study = read_named(command);
  if (command.device.empty()) return study;
  const lab::BatchOptions batch = make_batch_options(command);
  check_batch_study(study, batch);
  mark_batch_study(batch.precision, &study);
  return study;
}

// Describes the processes; if there are many, only those that are idle or lost.
std::string describe_busy(std::span<const lab::ProcessShare> processes) {
  std::string text;
  std::size_t lost = 0;
  std::vector<double> busy;
  for (const lab::ProcessShare& share : processes) {
    lost += share.is_lost ? 1 : 0;
    if (!share.is_lost) busy.push_back(100.0 * share.busy);
  }
  if (busy.size() <= kMostNamed) {
    for (const double one : busy) text += fmt::format(" {:.0f}", one);
  } else {
    const auto [least, most] = std::minmax_element(busy.begin(), busy.end());
    text = fmt::format(" {:.0f} to {:.0f}", *least, *most);
  }
  if (!text.empty()) text = fmt::format(", busy{} %", text);
  return lost == 0 ? text
                   : fmt::format("{}, {} of {} processes lost", text, lost, processes.size());
}

std::string describe_time(double seconds) {
  if (seconds < 120.0) return fmt::format("{:.0f} s", seconds);
  const auto minutes = static_cast<std::int64_t>(seconds / 60.0 + 0.5);
  return minutes < 120 ? fmt::format("{} min", minutes)
                       : fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

std::string describe(const lab::SweepProgress& p) {
  const std::string left =
      p.fresh > 0 ? fmt::format(", {} left", describe_time(p.time_left())) : "";
  return fmt::format("{} of {} trials, {:.3g} per second{}{}", p.done, p.total, p.rate(), left,
                     describe_busy(p.processes));
}

// Shows the progress of a sweep: as a line on the terminal, as occasional lines in a log, and as a
// page.
class ProgressReport {
 public:
  ProgressReport(const SweepCommand& command, LiveSweep* live)
      : line_(command.quiet), is_quiet_(command.quiet), live_(live) {}

  // Returns false if the user wants the sweep to end.
  bool show(const lab::SweepProgress& progress) {
    if (line_.is_on()) line_.show(describe(progress));
    if (!is_quiet_ && !line_.is_on() && progress.wall >= next_note_) {
      print(stderr, "{}\n", describe(progress));
      next_note_ = progress.wall + kNoteInterval;
    }
    if (live_ != nullptr) live_->show(progress, lab::LiveStudy::Stage::kRunning);
    return caught_signal() == 0;
  }

 private:
  ProgressLine line_;
  bool is_quiet_;
  LiveSweep* live_;
  double next_note_ = kNoteInterval;  // s
};

void print_batch(const SweepCommand& command, const lab::BatchReport& report) {
  print(stderr, "{}{}{}, {}: {} trials, {} again with more room, {} by the stepper\n",
        report.reason, report.reason.empty() ? "" : "; so by ", report.device, command.precision,
        report.by_batch, report.by_more_room, report.by_stepper);
  if (report.flagged.total() > 0) {
    print(stderr, "flagged by the batch: {}\n", describe_flagged(report.flagged));
  }
  print(stderr, "every step certified: worst residual {:.1e}, ledgers close to {:.1e} J\n",
        report.worst_residual, report.worst_closure);
  print(stderr,
        "{:.3g} steps per second; {:.3g} s in all: {:.3g} s of starts, {:.3g} s of steps, beside "
        "them {:.3g} s of rows\n",
        static_cast<double>(report.steps) / report.stepping, report.wall, report.setup,
        report.stepping, report.rows);
}

// Runs the sweep with this process alone, or as the process of a job that owns the table.
lab::SweepProgress sweep(const SweepCommand& command, const lab::Study& study,
                         lab::Messenger* messenger, LiveSweep* live, lab::TrialTable* table) {
  ProgressReport report(command, live);
  lab::SweepOptions options;
  options.threads = command.threads > 0 ? command.threads : count_own_cores();
  options.shard = parse_shard(command.shard);
  options.on_progress = [&report](const lab::SweepProgress& progress) {
    return report.show(progress);
  };
  if (!command.device.empty()) {
    lab::BatchReport batch;
    lab::SweepProgress progress =
        run_batch_sweep(study, options, make_batch_options(command), table, &batch);
    if (!command.quiet && progress.fresh > 0) print_batch(command, batch);
    return progress;
  }
  if (messenger == nullptr) return run_sweep(study, options, table);
  return own_shared_sweep(study, options, {.lease_time = command.lease}, messenger, table);
}

// For example "rank 0: 512 rows, busy 98 %; rank 1: lost", or a summary if there are many.
std::string describe(std::span<const lab::ProcessShare> processes) {
  std::string text;
  if (processes.size() > kMostNamed) {
    const auto [least, most] =
        std::minmax_element(processes.begin(), processes.end(),
                            [](const lab::ProcessShare& a, const lab::ProcessShare& b) {
                              return a.rows < b.rows;
                            });
    return fmt::format("{}, {} to {} rows each{}", processes.size(), least->rows, most->rows,
                       describe_busy(processes));
  }
  for (std::size_t i = 0; i < processes.size(); ++i) {
    const lab::ProcessShare& share = processes[i];
    text += fmt::format("{}rank {}: {} rows, {}", i == 0 ? "" : "; ", i, share.rows,
                        share.is_lost ? "lost" : fmt::format("busy {:.0f} %", 100.0 * share.busy));
  }
  return text;
}

void print_summary(const lab::Study& study, std::span<const lab::TrialRow> rows,
                   const lab::SweepProgress& progress, const std::string& table) {
  print(stdout, "{}\n  {:<22}{}\n", study.name, "trials",
        fmt::format("{} of {}, {} of them now, in {:.3g} s", progress.done, progress.total,
                    progress.fresh, progress.wall));
  if (progress.processes.size() > 1) {
    print(stdout, "  {:<22}{}\n", "processes", describe(progress.processes));
  }
  for (const lab::Measure& measure : study.measures) {
    const lab::Estimate e = lab::calc_estimate(study, measure.name, rows);
    print(stdout, "  {:<22}{:.6g} ± {:.2g} (95 %), {} trials\n", measure.name, e.mean, e.half_width,
          e.count);
  }
  print(stdout, "  {:<22}{}\n  {:<22}{:016x}\n", "table", table, "table hash",
        lab::calc_table_hash(rows));
}

// Writes the results to the page, the CSV file and standard output, as requested.
int finish_sweep(const SweepCommand& command, const lab::Study& study,
                 const lab::SweepProgress& progress, const std::string& path,
                 const lab::TrialTable& table) {
  const std::vector<lab::TrialRow> rows = table.read_rows(study.num_trials());
  if (!command.html.empty()) {
    record::write_whole_file(command.html, lab::make_study_page(study, rows));
  }
  if (!command.csv.empty()) record::write_whole_file(command.csv, lab::make_trial_csv(study, rows));
  if (command.json) {
    print(stdout, "{}", lab::make_study_json(study, rows, progress, path));
  } else {
    print_summary(study, rows, progress, path);
    if (!command.html.empty()) print(stdout, "  {:<22}{}\n", "page to open", command.html);
  }
  const auto failed = std::count_if(rows.begin(), rows.end(), [](const lab::TrialRow& row) {
    return !row.is_done();
  });
  if (caught_signal() != 0) {
    print(stderr, "tenpin: interrupted; the same command goes on from here\n");
    return 128 + caught_signal();
  }
  if (failed > 0) print(stderr, "tenpin: {} of {} trials failed\n", failed, rows.size());
  return failed == std::ssize(rows) && failed > 0 ? kNumericalFailure : kDone;
}

std::string choose_table(const SweepCommand& command) {
  if (!command.output.empty()) return command.output;
  return std::filesystem::path(command.study).stem().string() + ".sqlite";
}

// Starts a live page if the user wants one.
std::unique_ptr<LiveSweep> start_live_page(const SweepCommand& command, const lab::Study& study,
                                           const std::string& table) {
  if (!command.live) return nullptr;
  auto live = std::make_unique<LiveSweep>(study, table, command.serve);
  print(stderr, "Live at {}\n", live->address());
  return live;
}

void finish_live_page(const SweepCommand& command, const lab::SweepProgress& progress,
                      LiveSweep* live) {
  if (live == nullptr) return;
  live->show(progress, progress.done == progress.total ? lab::LiveStudy::Stage::kDone
                                                       : lab::LiveStudy::Stage::kInterrupted);
  if (caught_signal() != 0) return;
  if (!command.quiet) print(stderr, "Shown until its page is closed; Ctrl-C ends it.\n");
  std::fflush(stdout);
  live->linger();
}

int own_sweep(const SweepCommand& command, const lab::Study& study, lab::Messenger* messenger) {
  if (!command.html.empty()) check_page_target(command.html);
  if (!command.csv.empty()) check_target(command.csv, "table of trials", {"trial,"});
  const std::string path = choose_table(command);
  lab::SweepProgress progress;
  std::unique_ptr<LiveSweep> live;
  int code = kDone;
  {
    lab::TrialTable table(path, study);
    forget_late_trials(study, &table);
    live = start_live_page(command, study, path);
    progress = sweep(command, study, messenger, live.get(), &table);
    code = finish_sweep(command, study, progress, path, table);
  }
  // If no process is lost, all others wait for this process to leave; if some are lost, leaving
  // ends the process.
  const bool leaves_first = messenger != nullptr && !progress.has_losses();
  if (leaves_first) messenger->leave(/*others_are_lost=*/false, code);
  finish_live_page(command, progress, live.get());
  if (messenger != nullptr && !leaves_first) messenger->leave(/*others_are_lost=*/true, code);
  return code;
}

int serve_sweep(const SweepCommand& command, const lab::Study& study, lab::Messenger* messenger) {
  const int threads = command.threads > 0 ? command.threads : count_own_cores();
  const lab::SweepEnd end =
      serve_shared_sweep(study, threads, {.lease_time = command.lease}, messenger, [] {
        return caught_signal() == 0;
      });
  const bool is_good = end == lab::SweepEnd::kDone || end == lab::SweepEnd::kDoneWithLosses;
  const int code = is_good                          ? kDone
                   : end == lab::SweepEnd::kStopped ? 128 + caught_signal()
                                                    : kEnvironment;
  messenger->leave(end != lab::SweepEnd::kDone, code);
  return code;
}

// Simulates one trial and writes its motion; a row contains only its measures.
int run_one_trial(const SweepCommand& command) {
  const lab::Study study = read(command);
  TENPIN_REQUIRE(command.trial < study.num_trials(),
                 fmt::format("--trial: no such trial, got {}, want 0 to {}", command.trial,
                             study.num_trials() - 1));
  const lab::Trial trial = lab::make_trial(study, command.trial);
  const scene::Scene scene = scene::parse_scene(study.scene_text, study.scene_file, trial.settings);
  RunOptions options;
  options.output = command.output;
  options.html = command.html;
  options.threads = std::max(1, command.threads);
  options.json = command.json;
  options.quiet = command.quiet;
  return run_scene(scene, options);
}

}  // namespace

int run_sweep_command(const SweepCommand& command) {
  if (command.trial >= 0) return run_one_trial(command);
  const std::unique_ptr<lab::Messenger> messenger = join_job();
  TENPIN_REQUIRE(command.device.empty() || messenger == nullptr,
                 "--device: a batch is one process, got a job of several, want --shard");
  try {
    const lab::Study study = read(command);
    catch_signals();
    if (messenger != nullptr && messenger->rank() > 0) {
      return serve_sweep(command, study, messenger.get());
    }
    return own_sweep(command, study, messenger.get());
  } catch (const std::exception& error) {
    if (messenger == nullptr) throw;
    // Does not wait for the other processes, because they will not learn of the error.
    print(stderr, "tenpin: {}\n", error.what());
    messenger->leave(/*others_are_lost=*/true, kEnvironment);
    throw;
  }
}

}  // namespace tenpin::app
