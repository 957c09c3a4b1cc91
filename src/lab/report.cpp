#include "lab/report.h"

#include <algorithm>
#include <cmath>

namespace tenpin::lab {

namespace {

using record::ContactRow;
using record::RunReader;
using record::StepRow;

constexpr std::int64_t kReportBlock = 4096;  // rows read at a time
constexpr std::int64_t kMostPoints = 2000;   // of a curve
constexpr std::size_t kMostListed = 10;      // number of contacts or steps

struct StepTime {
  std::int64_t step = 0;
  double t = 0.0;  // s
};

// Reads the steps and returns the end time of each.
std::vector<StepTime> read_steps(const RunReader& run, RunReport* report) {
  std::vector<StepTime> times;
  const std::int64_t stride = std::max<std::int64_t>(1, (run.num_steps() - 1) / kMostPoints + 1);
  ReportPoint point;
  for (std::int64_t first = 0; first < run.num_steps(); first += kReportBlock) {
    for (const StepRow& row :
         run.read_steps(first, std::min(kReportBlock, run.num_steps() - first))) {
      times.push_back({row.step, row.t});
      for (std::size_t k = 0; k < row.work.size(); ++k) point.work[k] += row.work[k];
      point.t = row.t;
      point.kinetic = row.kinetic;
      point.potential = row.potential;
      point.residual = std::max(point.residual, row.residual);
      point.penetration = std::max(point.penetration, row.penetration);
      const auto count = static_cast<std::int64_t>(times.size());
      if (count % stride == 0 || count == run.num_steps()) {
        report->points.push_back(point);
        point.residual = point.penetration = 0.0;
      }
      report->dependent_normals += row.normals_independent != 0 ? 0 : 1;
      report->meeting_spans += row.spans_disjoint != 0 ? 0 : 1;
      const bool is_promised = row.normals_independent != 0 && row.spans_disjoint != 0;
      if (!is_promised && !report->first_without_promise) report->first_without_promise = row.t;
      if (row.passed == 0 && report->failed.size() < kMostListed) report->failed.push_back(row);
    }
  }
  return times;
}

double time_of(std::int64_t step, const std::vector<StepTime>& times) {
  const auto at =
      std::lower_bound(times.begin(), times.end(), step, [](const StepTime& a, std::int64_t b) {
        return a.step < b;
      });
  return at == times.end() ? NAN : at->t;
}

// Keeps the few greatest values.
template <typename Greater>
void keep_greatest(const ReportedContact& contact, Greater greater,
                   std::vector<ReportedContact>* list) {
  const auto place = std::lower_bound(list->begin(), list->end(), contact, greater);
  if (place == list->end() && list->size() >= kMostListed) return;
  list->insert(place, contact);
  if (list->size() > kMostListed) list->pop_back();
}

bool has_larger_residual(const ReportedContact& a, const ReportedContact& b) {
  return a.row.residual > b.row.residual;
}

bool is_deeper(const ReportedContact& a, const ReportedContact& b) {
  return a.row.gap < b.row.gap;
}

void add_contact(const ReportedContact& contact, RunReport* report) {
  const ContactRow& row = contact.row;
  if (row.residual > 0.0) keep_greatest(contact, has_larger_residual, &report->residuals);
  if (row.gap < 0.0) keep_greatest(contact, is_deeper, &report->overlaps);
  if (row.force_unique == 0) ++report->num_open_forces;
  if (row.no_acceleration_solution == 0) return;
  if (report->num_painleve++ == 0) report->first_painleve = contact;
}

void read_contacts(const RunReader& run, const std::vector<StepTime>& times, RunReport* report) {
  for (std::int64_t first = 0; first < run.num_contacts(); first += kReportBlock) {
    for (const ContactRow& row :
         run.read_contacts(first, std::min(kReportBlock, run.num_contacts() - first))) {
      add_contact({time_of(row.step, times), row}, report);
    }
  }
}

void read_modes(const RunReader& run, RunReport* report) {
  for (std::int64_t k = 0; k < run.num_frames(); ++k) {
    const record::RunFrame frame = run.read_frame(k);
    ModeCount count{.t = frame.t};
    for (const ContactRow& row : run.read_contacts(frame.first_contact, frame.num_contacts)) {
      ++count.num[row.mode];
    }
    report->modes.push_back(count);
  }
}

}  // namespace

RunReport make_report(const RunReader& run) {
  RunReport report;
  report.summary = record::summarize(run);
  const std::vector<StepTime> times = read_steps(run, &report);
  read_contacts(run, times, &report);
  read_modes(run, &report);
  report.messages = run.read_messages();
  return report;
}

}  // namespace tenpin::lab
