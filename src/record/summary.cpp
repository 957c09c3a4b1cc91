#include "record/summary.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace tenpin::record {
namespace {

// The larger value. Unlike std::max, keeps a NaN, so that it is not hidden.
double worse(double a, double b) {
  return b > a || std::isnan(b) ? b : a;
}

void add(const StepRow& row, RunSummary* sum) {
  sum->worst_residual = worse(sum->worst_residual, row.residual);
  sum->worst_penetration = worse(sum->worst_penetration, row.penetration);
  sum->worst_cone_violation = worse(sum->worst_cone_violation, row.cone_violation);
  sum->worst_closure = worse(sum->worst_closure, std::fabs(row.closure));
  sum->sum_closure += row.closure;
  if (row.passed == 0) ++sum->num_failed_certificates;
  for (std::size_t i = 0; i < row.work.size(); ++i) sum->work[i] += row.work[i];
  sum->last_energy = row.kinetic + row.potential;
  sum->most_contacts = std::max(sum->most_contacts, row.num_contacts);
  sum->most_active = std::max(sum->most_active, row.num_active);
  sum->sum_pivots += row.pivots;
}

}  // namespace

std::vector<std::string> list_fired_events(const RunReader& reader) {
  std::vector<std::string> list;
  if (reader.header().events.empty() || reader.num_frames() == 0) return list;
  for (const dynamics::FiredEvent& fired : reader.read_restart(reader.num_frames() - 1).fired) {
    list.push_back(reader.header().events[static_cast<std::size_t>(fired.event)] + " at " +
                   to_text(fired.t) + " s");
  }
  return list;
}

RunSummary summarize(const RunReader& reader) {
  constexpr std::int64_t kBlock = 4096;  // rows
  RunSummary sum;
  if (const auto times = reader.read_frame_times(); !times.empty()) {
    sum.t_begin = times.front();
    sum.t_end = times.back();
  }
  const bool has_frames = reader.num_frames() > 0;
  for (std::int64_t first = 0; first < reader.num_steps(); first += kBlock) {
    const auto rows = reader.read_steps(first, std::min(kBlock, reader.num_steps() - first));
    for (const StepRow& row : rows) add(row, &sum);
    if (first == 0 && !has_frames) sum.t_begin = rows.front().t;
    sum.t_end = std::max(sum.t_end, rows.back().t);
  }
  return sum;
}

}  // namespace tenpin::record
