// A report on a run: how it ended, how accurate it is, where its energy went, and what its contacts
// did.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/run_reader.h"
#include "record/summary.h"

namespace tenpin::lab {

struct ReportedContact {
  double t = 0.0;  // s   end of its step
  record::ContactRow row = {};
};

// One point of the curves. Work is summed from the start.
struct ReportPoint {
  double t = 0.0;                                             // s
  double kinetic = 0.0;                                       // J
  double potential = 0.0;                                     // J
  std::array<double, contact::Ledger::kNumStages> work = {};  // J
  double residual = 0.0;     // -   the worst of the steps that this point represents
  double penetration = 0.0;  // m   the worst of the same steps
};

struct ModeCount {
  double t = 0.0;                        // s   of the frame
  std::array<std::int64_t, 4> num = {};  // number of contacts, by contact::Mode
};

struct RunReport {
  record::RunSummary summary;
  std::vector<ReportPoint> points;
  std::vector<ModeCount> modes;            // of every frame with recorded contacts
  std::vector<ReportedContact> residuals;  // the worst contacts, worst first
  std::vector<ReportedContact> overlaps;   // the deepest overlaps, deepest first
  std::int64_t dependent_normals = 0;  // steps without a guaranteed solution: dependent normals,
  std::int64_t meeting_spans = 0;      // or friction within the span of the normals
  std::optional<double> first_without_promise;  // s
  std::int64_t num_open_forces = 0;             // recorded contacts whose force is not unique
  std::int64_t num_painleve = 0;                // recorded contacts that no finite force can hold
  std::optional<ReportedContact> first_painleve;
  std::vector<record::StepRow> failed;  // the first steps whose certificate failed
  std::vector<record::RunMessage> messages;
};

// Makes the report. Reads the whole run, one block at a time.
[[nodiscard]] RunReport make_report(const record::RunReader& run);

// How far a reader can trust a run, as one line.
struct RunVerdict {
  bool is_good = false;  // it reached its end, and every step is certified
  std::string text;
};
[[nodiscard]] RunVerdict judge_run(const record::RunReader& run, const record::RunSummary& summary);

// Makes the report as one self-contained page.
[[nodiscard]] std::string make_report_page(const record::RunReader& run, const RunReport& report);

}  // namespace tenpin::lab
