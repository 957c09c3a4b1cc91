#include "sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "base/check.h"
#include "check_target.h"
#include "exit_codes.h"
#include "lab/study/study_page.h"
#include "lab/study/trial_csv.h"
#include "page_target.h"
#include "print.h"
#include "progress_line.h"
#include "record/whole_file.h"
#include "signals.h"

namespace tenpin::app {

namespace {

constexpr double kNoteInterval = 10.0;  // s   between lines where there is no terminal

lab::Study read(const SweepCommand& command) {
  lab::Study study = lab::read_study(command.study);
  if (command.trials == 0) return study;
  const bool has_ranges =
      std::any_of(study.variables.begin(), study.variables.end(), [](const lab::Variable& v) {
        return v.is_range();
      });
  TENPIN_REQUIRE(has_ranges, fmt::format("--trials: {} samples nothing, got {}, want no --trials",
                                         command.study, command.trials));
  study.samples = command.trials;
  return study;
}

std::string describe(const lab::SweepProgress& p) {
  const double rate = p.wall > 0.0 ? static_cast<double>(p.fresh) / p.wall : 0.0;
  const std::string left =
      rate > 0.0 ? fmt::format(", {:.0f} s left", static_cast<double>(p.total - p.done) / rate)
                 : "";
  return fmt::format("{} of {} trials, {:.3g} per second{}", p.done, p.total, rate, left);
}

lab::SweepProgress sweep(const SweepCommand& command, const lab::Study& study,
                         lab::TrialTable* table) {
  const ProgressLine line(command.quiet);
  double next_note = kNoteInterval;
  lab::SweepOptions options;
  options.threads = command.threads > 0
                        ? command.threads
                        : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  options.on_progress = [&](const lab::SweepProgress& progress) {
    line.show(describe(progress));
    if (!command.quiet && !line.is_on() && progress.wall >= next_note) {
      print(stderr, "{}\n", describe(progress));
      next_note = progress.wall + kNoteInterval;
    }
    return caught_signal() == 0;
  };
  return run_sweep(study, options, table);
}

void print_summary(const lab::Study& study, std::span<const lab::TrialRow> rows,
                   const lab::SweepProgress& progress, const std::string& table) {
  print(stdout, "{}\n  {:<22}{}\n", study.name, "trials",
        fmt::format("{} of {}, {} of them now, in {:.3g} s", progress.done, progress.total,
                    progress.fresh, progress.wall));
  for (const lab::Measure& measure : study.measures) {
    const lab::Estimate e = lab::calc_estimate(study, measure.name, rows);
    print(stdout, "  {:<22}{:.6g} ± {:.2g} (95 %), {} trials\n", measure.name, e.mean, e.half_width,
          e.count);
  }
  print(stdout, "  {:<22}{}\n", "table", table);
}

}  // namespace

int run_sweep_command(const SweepCommand& command) {
  const lab::Study study = read(command);
  if (!command.html.empty()) check_page_target(command.html);
  if (!command.csv.empty()) check_target(command.csv, "table of trials", {"trial,"});
  const std::string path = command.output.empty()
                               ? std::filesystem::path(command.study).stem().string() + ".sqlite"
                               : command.output;
  lab::TrialTable table(path, study);
  catch_signals();
  const lab::SweepProgress progress = sweep(command, study, &table);
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

}  // namespace tenpin::app
