#include "lab/experiments/mc95_track.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tenpin::lab::experiments {

namespace {

// s   An estimated time: the counts times the time for each count on one core of a 2.8 GHz Xeon of
// 2026, rounded up. Measured times differ between machines and runs; this estimate does not, so it
// can be judged.
double calc_counted_time(const methods::EventCounts& c) {
  constexpr double kEvent = 4e-6;
  constexpr double kImpact = 10e-6;
  constexpr double kQuery = 3e-6;
  constexpr double kCheck = 0.5e-6;  // of a plane or a box, or an operation on the heap
  const std::int64_t checks = c.plane_checks + c.hash_looks + c.heap_operations;
  return kEvent * static_cast<double>(c.events) + kImpact * static_cast<double>(c.impacts) +
         kQuery * static_cast<double>(c.distance_queries) + kCheck * static_cast<double>(checks);
}

Table make_time_table(const Track& track) {
  const Summary& s = track.summary;
  return {.caption =
              "Table 1: this experiment's row. The paper's digits are lost; ours are of the "
              "machine that made this page, one core.",
          .header = {"virtual time (s)", "real time (s)", "slowdown", "by what was counted"},
          .rows = {{fmt::format("{:.3g}", s.t), fmt::format("{:.3g}", s.cpu),
                    fmt::format("{:.3g}", s.cpu / s.t),
                    fmt::format("{:.3g}", calc_counted_time(track.counts) / s.t)}}};
}

Table make_count_table(const Track& track) {
  const methods::EventCounts& c = track.counts;
  const auto text = [](std::int64_t n) {
    return fmt::format("{}", n);
  };
  return {.caption = "What was counted",
          .header = {"quantity", "number"},
          .rows = {{"collisions", text(c.impacts)},
                   {"of these, microcollisions", text(c.microcollisions)},
                   {"of these, slow and sliding", text(c.sliding)},
                   {"of these, lifts back into the envelope", text(c.lifts)},
                   {"times that a pair was looked at", text(c.events)},
                   {"operations on the heap", text(c.heap_operations)},
                   {"separations along a known direction", text(c.plane_checks)},
                   {"closest features", text(c.distance_queries)},
                   {"changes of features in them", text(c.feature_steps)},
                   {"boxes compared in the hash", text(c.hash_looks)},
                   {"distances without hash and heap", text(c.naive_queries)}}};
}

}  // namespace

void measure_run(const Track& track, Measurements* m) {
  const Summary& s = track.summary;
  (*m)["finished"] = s.status == methods::AdvanceStatus::kReachedEnd ? 1.0 : 0.0;
  (*m)["ledger"] =
      std::max(s.worst_closure, std::fabs(s.total_closure)) / std::max(s.largest_energy, 1e-300);
  (*m)["residual"] = s.worst.residual;
  (*m)["slowdown"] = calc_counted_time(track.counts) / s.t;
}

ExperimentResult make_result(std::string_view id, const ExperimentOptions& options,
                             const Track& track, const Measurements& measurements) {
  ExperimentResult result;
  result.findings = judge(id, options.folder + "/expected.json", measurements);
  result.notes = read_notes(options.folder + "/expected.json");
  if (!options.with_figures) return result;
  result.tables.push_back(make_time_table(track));
  result.tables.push_back(make_count_table(track));
  return result;
}

}  // namespace tenpin::lab::experiments
