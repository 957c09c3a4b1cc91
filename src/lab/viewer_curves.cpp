#include "lab/viewer_curves.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "contact/report.h"

namespace tenpin::lab {
namespace {

using Row = record::StepRow;
using Reduce = Curves::Reduce;
using Column = Curves::Column;
using contact::Ledger;

constexpr std::int64_t kStepsPerRead = 4096;
constexpr std::size_t kMostFailures = 100;

template <auto member>
double read_member(const Row& row) {
  return static_cast<double>(row.*member);
}

template <std::size_t stage>
double read_work(const Row& row) {
  return row.work[stage];
}

template <std::size_t... stages>
void add_work_columns(std::index_sequence<stages...>, std::vector<Column>* columns) {
  const auto name = [](std::size_t stage) {
    return std::string(contact::to_string(static_cast<Ledger::Stage>(stage))) + " work";
  };
  (columns->push_back(
       {"work_" + std::to_string(stages), name(stages), "J", Reduce::kSum, read_work<stages>}),
   ...);
}

std::vector<Column> make_columns() {
  // clang-format off
  std::vector<Column> columns = {
      {"kinetic", "kinetic", "J", Reduce::kLast, read_member<&Row::kinetic>},
      {"potential", "potential", "J", Reduce::kLast, read_member<&Row::potential>},
      {"total", "total", "J", Reduce::kLast, [](const Row& r) { return r.kinetic + r.potential; }}};
  add_work_columns(std::make_index_sequence<Ledger::kNumStages>(), &columns);
  const std::vector<Column> rest = {
      {"closure", "ledger closure", "J", Reduce::kLargest, [](const Row& r) { return std::fabs(r.closure); }},
      {"residual", "residual", "", Reduce::kLargest, read_member<&Row::residual>},
      {"penetration", "deepest overlap", "m", Reduce::kLargest, read_member<&Row::penetration>},
      {"cone_violation", "cone violation", "N s", Reduce::kLargest, read_member<&Row::cone_violation>},
      {"dissipation_gap", "dissipation gap", "J", Reduce::kLargest, read_member<&Row::dissipation_gap>},
      {"contraction", "contraction", "", Reduce::kLargest, read_member<&Row::contraction>},
      {"num_contacts", "contacts", "", Reduce::kLargest, read_member<&Row::num_contacts>},
      {"num_active", "active", "", Reduce::kLargest, read_member<&Row::num_active>},
      {"problem_size", "problem size", "", Reduce::kLargest, read_member<&Row::problem_size>},
      {"pivots", "pivots", "", Reduce::kLargest, read_member<&Row::pivots>},
      {"solves", "solves", "", Reduce::kLargest, read_member<&Row::solves>},
      {"iterations", "iterations", "", Reduce::kLargest, read_member<&Row::iterations>}};
  // clang-format on
  columns.insert(columns.end(), rest.begin(), rest.end());
  return columns;
}

void take_verdict(const Row& row, CurveSummary* summary) {
  ++summary->num_steps;
  summary->worst_residual = std::max(summary->worst_residual, row.residual);
  summary->worst_penetration = std::max(summary->worst_penetration, row.penetration);
  if (row.passed != 0) {
    ++summary->num_certified;
  } else if (summary->failed.size() < kMostFailures) {
    summary->failed.push_back(
        {.step = row.step, .t = row.t, .residual = row.residual, .penetration = row.penetration});
  }
}

// Adds the messages of failures, which are in a table of their own.
void name_failures(const record::RunReader& run, std::vector<FailedStep>* failed) {
  if (failed->empty()) return;
  std::map<std::int64_t, std::string> messages;
  for (record::RunMessage& message : run.read_messages())
    messages.emplace(message.step, std::move(message.text));
  for (FailedStep& step : *failed) {
    const auto message = messages.find(step.step);
    if (message != messages.end()) step.message = message->second;
  }
}

}  // namespace

Curves::Curves(std::int64_t max_points)
    : max_points_(std::max<std::int64_t>(2, max_points + max_points % 2)),
      columns_(make_columns()) {}

void Curves::read_on(const record::RunReader& run) {
  const std::size_t failures_before = summary_.failed.size();
  while (summary_.num_steps < run.num_steps()) {
    const std::int64_t count = std::min(kStepsPerRead, run.num_steps() - summary_.num_steps);
    for (const Row& row : run.read_steps(summary_.num_steps, count)) take(row);
  }
  if (summary_.failed.size() > failures_before) name_failures(run, &summary_.failed);
}

void Curves::take(const Row& row) {
  take_verdict(row, &summary_);
  for (Column& column : columns_) {
    const double x = column.read(row);
    if (column.reduce == Reduce::kSum)
      column.value += x;
    else if (column.reduce == Reduce::kLast || pending_ == 0)
      column.value = x;
    else
      column.value = std::max(column.value, x);
  }
  pending_time_ = row.t;
  if (++pending_ < stride_) return;
  if (static_cast<std::int64_t>(times_.size()) == max_points_) return halve();
  times_.push_back(pending_time_);
  for (Column& column : columns_) column.points.push_back(static_cast<float>(column.value));
  pending_ = 0;
}

// Merges pairs of points, so that every point represents twice as many steps. The unfinished point
// continues.
void Curves::halve() {
  stride_ *= 2;
  const std::size_t half = times_.size() / 2;
  for (std::size_t i = 0; i < half; ++i) times_[i] = times_[2 * i + 1];
  times_.resize(half);
  for (Column& column : columns_) {
    std::vector<float>& p = column.points;
    for (std::size_t i = 0; i < half; ++i)
      p[i] = column.reduce == Reduce::kLargest ? std::max(p[2 * i], p[2 * i + 1]) : p[2 * i + 1];
    p.resize(half);
  }
}

void Curves::pack(ArrayPacker* packer) const {
  std::vector<double> times = times_;
  if (pending_ > 0) times.push_back(pending_time_);
  packer->add("step_time", times);
  for (const Column& column : columns_) {
    std::vector<float> points = column.points;
    if (pending_ > 0) points.push_back(static_cast<float>(column.value));
    packer->add("step_" + column.key, points);
  }
}

}  // namespace tenpin::lab
