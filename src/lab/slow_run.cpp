#include "lab/slow_run.h"

#include <fmt/format.h>

#include <algorithm>

namespace tenpin::lab {

namespace {

using Stepping = scene::TimeSteppingOptions;

constexpr double kCompliance = 0.03;  // -   the same as in the benchmarks

// For example "40 s", "3 min", "2 h".
std::string tell_duration(double seconds) {
  constexpr double kMinute = 60.0;
  constexpr double kHour = 3600.0;
  if (seconds < 2.0 * kMinute) return fmt::format("{:.0f} s", seconds);
  if (seconds < 2.0 * kHour) return fmt::format("{:.0f} min", seconds / kMinute);
  return fmt::format("{:.0f} h", seconds / kHour);
}

}  // namespace

bool could_be_compliant(const scene::Scene& scene) {
  const auto* options = std::get_if<Stepping>(&scene.method);
  return options != nullptr && !options->is_compliant() && options->order.value_or(1) == 1 &&
         options->solver.value_or(Stepping::Solver::kCone) == Stepping::Solver::kCone &&
         !options->directions && options->direction_phase == 0.0;
}

CompliantTrial try_compliant(const scene::Scene& scene, double until, double max_wall,
                             int threads) {
  scene::Scene changed = scene;
  std::get<Stepping>(changed.method).compliance = kCompliance;
  changed.until = until;
  SimulationOptions options{.threads = threads};
  options.on_progress = [max_wall](const Progress& progress) {
    return progress.wall < max_wall;
  };
  const Summary summary = simulate(changed, options);
  const bool succeeded = summary.status == methods::AdvanceStatus::kReachedEnd ||
                         summary.status == methods::AdvanceStatus::kStopped;
  return {.succeeded = succeeded,
          .t = summary.t,
          .wall = summary.wall,
          .overlap = summary.worst.penetration};
}

SlowRunWatch::SlowRunWatch(const scene::Scene& scene, int threads, const Limits& limits)
    : scene_(&scene), threads_(threads), limits_(limits), is_over_(!could_be_compliant(scene)) {}

// s   The real time that this run had taken when it passed t.
double SlowRunWatch::find_wall_at(double t) const {
  const auto after = std::find_if(passed_.begin(), passed_.end(), [t](const Progress& p) {
    return p.t >= t;
  });
  if (after == passed_.end()) return passed_.back().wall;
  const Progress before = after == passed_.begin() ? Progress{} : *(after - 1);
  const double span = after->t - before.t;
  const double share = span > 0.0 ? (t - before.t) / span : 1.0;
  return before.wall + share * (after->wall - before.wall);
}

std::string SlowRunWatch::watch(const Progress& progress) {
  if (is_over_) return "";
  passed_.push_back(progress);
  if (progress.wall < limits_.patience || !(progress.t > 0.0)) return "";
  is_over_ = true;
  const double rest = progress.wall * (progress.until / progress.t - 1.0);
  if (rest < limits_.least_rest) return "";
  std::string text = fmt::format("At this pace the run takes {} more (t = {:.3g} s of {:.4g} s).",
                                 tell_duration(rest), progress.t, progress.until);
  const CompliantTrial trial = try_compliant(*scene_, progress.t, limits_.trial, threads_);
  if (!trial.succeeded || !(trial.t > 0.0) || !(trial.wall > 0.0)) return text;
  const double ratio = find_wall_at(trial.t) / trial.wall;
  if (ratio < 1.5) return text;
  return text + fmt::format(
                    " Contacts are rigid; with `contact: {{compliance: {}}}` it was {:.2g} times "
                    "faster to t = {:.3g} s, and bodies overlapped by at most {:.1g} m.",
                    kCompliance, ratio, trial.t, trial.overlap);
}

}  // namespace tenpin::lab
