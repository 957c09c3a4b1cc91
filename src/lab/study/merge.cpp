#include "lab/study/merge.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>

#include "base/check.h"
#include "lab/study/trial_limit.h"
#include "lab/study/trial_table.h"
#include "record/record_error.h"

namespace tenpin::lab {

namespace {

namespace fs = std::filesystem;

using Rows = std::map<std::int64_t, TrialRow>;

// Adds rows. The row of a trial does not depend on the process that computed it, so if two rows
// differ, one of the programs is wrong.
void add_rows(const std::string& path, std::vector<TrialRow> rows, Rows* all, MergeReport* report) {
  for (TrialRow& row : rows) {
    const auto [place, is_new] = all->try_emplace(row.trial, row);
    if (is_new) continue;
    ++report->repeated;
    // The row of a trial that another machine gave up for lack of time contradicts nothing.
    const bool is_known = place->second.status != kOutOfTime;
    const bool is_late = row.status == kOutOfTime;
    if (is_late && (is_known || read_limit(row) <= read_limit(place->second))) continue;
    if (!is_known) {
      place->second = std::move(row);
      continue;
    }
    TENPIN_REQUIRE(place->second == row,
                   fmt::format("{}: trial {} contradicts the row of another table, got {}, want {}",
                               path, row.trial, row.status, place->second.status));
  }
}

// A temporary file that is removed unless it gets its final name.
class Draft {
 public:
  explicit Draft(std::string output)
      : output_(std::move(output)), path_(fmt::format("{}.{}.part", output_, getpid())) {
    fs::remove(path_);
  }
  ~Draft() {
    std::error_code ignored;
    for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(path_ + suffix, ignored);
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  const std::string& path() const { return path_; }
  void publish() const {
    if (std::rename(path_.c_str(), output_.c_str()) == 0) return;
    throw record::RecordError(output_ + ": " + std::strerror(errno));
  }

 private:
  std::string output_;
  std::string path_;
};

}  // namespace

MergeReport merge_tables(std::span<const std::string> tables, const std::string& output) {
  TENPIN_REQUIRE(!tables.empty(), "no table to merge, want at least one");
  std::vector<std::string> paths(tables.begin(), tables.end());
  if (fs::exists(output)) paths.push_back(output);
  TrialFacts facts = read_facts(paths.front());
  MergeReport report = {.study = facts.name};
  Rows all;
  for (const std::string& path : paths) {
    const TrialFacts its = read_facts(path);
    TENPIN_REQUIRE(its.fingerprint == facts.fingerprint,
                   fmt::format("{}: the table of another study, scene or version, got {}, want {} "
                               "as in {}",
                               path, its.fingerprint, facts.fingerprint, paths.front()));
    facts.num_trials = std::max(facts.num_trials, its.num_trials);
    add_rows(path, read_all_rows(path), &all, &report);
  }
  std::vector<TrialRow> rows;
  rows.reserve(all.size());
  for (auto& [trial, row] : all) rows.push_back(std::move(row));
  const Draft draft(output);
  {
    TrialTable merged(draft.path(), facts);
    merged.add(rows);
  }
  draft.publish();
  report.rows = std::ssize(rows);
  report.num_trials = facts.num_trials;
  report.hash = calc_table_hash(rows);
  for (std::int64_t trial = 0; trial < facts.num_trials; ++trial) {
    if (!all.contains(trial)) report.missing.push_back(trial);
  }
  return report;
}

std::string describe_trials(std::span<const std::int64_t> trials) {
  constexpr std::size_t kMostRuns = 8;
  std::string text;
  std::size_t runs = 0;
  std::size_t i = 0;
  for (; i < trials.size() && runs < kMostRuns; ++runs) {
    std::size_t end = i + 1;
    while (end < trials.size() && trials[end] == trials[end - 1] + 1) ++end;
    if (!text.empty()) text += ", ";
    text += end == i + 1 ? fmt::format("{}", trials[i])
                         : fmt::format("{}-{}", trials[i], trials[end - 1]);
    i = end;
  }
  if (i < trials.size()) text += fmt::format(" and {} more", trials.size() - i);
  return text;
}

}  // namespace tenpin::lab
