#include "lab/viewer_curves.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "contact/report.h"

namespace tenpin::lab {
namespace {

constexpr std::int64_t kStepsPerRead = 4096;
constexpr std::size_t kMostFailures = 100;

// How the steps behind one point become one number.
enum class Reduce { kLast, kLargest, kSum };

struct Column {
  Curve curve;
  Reduce reduce = Reduce::kLast;
  std::function<double(const record::StepRow&)> read;
  std::vector<float> points = {};
  double value = 0.0;  // of the point in the making; sums go on from the run's start

  void take(const record::StepRow& row, bool first_of_point) {
    const double x = read(row);
    if (reduce == Reduce::kSum)
      value += x;
    else if (reduce == Reduce::kLast || first_of_point)
      value = x;
    else
      value = std::max(value, x);
  }
};

std::vector<Column> make_columns() {
  using Row = record::StepRow;
  std::vector<Column> columns = {
      {{"kinetic", "kinetic", "J"},
       Reduce::kLast,
       [](const Row& r) {
         return r.kinetic;
       }},
      {{"potential", "potential", "J"},
       Reduce::kLast,
       [](const Row& r) {
         return r.potential;
       }},
      {{"total", "total", "J"},
       Reduce::kLast,
       [](const Row& r) {
         return r.kinetic + r.potential;
       }},
  };
  for (std::size_t stage = 0; stage < contact::Ledger::kNumStages; ++stage) {
    const std::string name(contact::to_string(static_cast<contact::Ledger::Stage>(stage)));
    columns.push_back({{"work_" + std::to_string(stage), name + " work", "J"},
                       Reduce::kSum,
                       [stage](const Row& r) {
                         return r.work[stage];
                       }});
  }
  const std::vector<Column> rest = {
      {{"closure", "ledger closure", "J"},
       Reduce::kLargest,
       [](const Row& r) {
         return std::fabs(r.closure);
       }},
      {{"residual", "residual", ""},
       Reduce::kLargest,
       [](const Row& r) {
         return r.residual;
       }},
      {{"penetration", "deepest overlap", "m"},
       Reduce::kLargest,
       [](const Row& r) {
         return r.penetration;
       }},
      {{"cone_violation", "cone violation", "N s"},
       Reduce::kLargest,
       [](const Row& r) {
         return r.cone_violation;
       }},
      {{"dissipation_gap", "dissipation gap", "J"},
       Reduce::kLargest,
       [](const Row& r) {
         return r.dissipation_gap;
       }},
      {{"num_contacts", "contacts", ""},
       Reduce::kLargest,
       [](const Row& r) {
         return double(r.num_contacts);
       }},
      {{"num_active", "active", ""},
       Reduce::kLargest,
       [](const Row& r) {
         return double(r.num_active);
       }},
      {{"problem_size", "problem size", ""},
       Reduce::kLargest,
       [](const Row& r) {
         return double(r.problem_size);
       }},
      {{"pivots", "pivots", ""},
       Reduce::kLargest,
       [](const Row& r) {
         return double(r.pivots);
       }},
      {{"solves", "solves", ""},
       Reduce::kLargest,
       [](const Row& r) {
         return double(r.solves);
       }},
      {{"iterations", "iterations", ""},
       Reduce::kLargest,
       [](const Row& r) {
         return double(r.iterations);
       }},
  };
  columns.insert(columns.end(), rest.begin(), rest.end());
  return columns;
}

void take_verdict(const record::StepRow& row, const std::map<std::int64_t, std::string>& messages,
                  CurveSummary* summary) {
  summary->worst_residual = std::max(summary->worst_residual, row.residual);
  summary->worst_penetration = std::max(summary->worst_penetration, row.penetration);
  if (row.passed != 0) {
    ++summary->num_certified;
  } else if (summary->failed.size() < kMostFailures) {
    const auto message = messages.find(row.step);
    summary->failed.push_back({.step = row.step,
                               .t = row.t,
                               .residual = row.residual,
                               .penetration = row.penetration,
                               .message = message == messages.end() ? "" : message->second});
  }
}

std::map<std::int64_t, std::string> read_messages(const record::RunReader& run) {
  std::map<std::int64_t, std::string> messages;
  for (record::RunMessage& message : run.read_messages())
    messages.emplace(message.step, std::move(message.text));
  return messages;
}

}  // namespace

CurveSummary pack_curves(const record::RunReader& run, std::int64_t max_points,
                         ArrayPacker* packer) {
  CurveSummary summary;
  summary.stride = std::max<std::int64_t>(1, (run.num_steps() + max_points - 1) / max_points);
  const auto messages = read_messages(run);
  std::vector<Column> columns = make_columns();
  std::vector<double> times;
  for (std::int64_t first = 0; first < run.num_steps(); first += kStepsPerRead) {
    const std::int64_t count = std::min(kStepsPerRead, run.num_steps() - first);
    std::int64_t k = first;
    for (const record::StepRow& row : run.read_steps(first, count)) {
      take_verdict(row, messages, &summary);
      const bool ends_point = (k + 1) % summary.stride == 0 || k + 1 == run.num_steps();
      for (Column& column : columns) {
        column.take(row, k % summary.stride == 0);
        if (ends_point) column.points.push_back(static_cast<float>(column.value));
      }
      if (ends_point) times.push_back(row.t);
      ++k;
    }
  }
  packer->add("step_time", times);
  for (Column& column : columns) {
    packer->add("step_" + column.curve.key, column.points);
    summary.curves.push_back(std::move(column.curve));
  }
  return summary;
}

}  // namespace tenpin::lab
