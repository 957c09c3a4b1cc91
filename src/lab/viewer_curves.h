// The steps of a run as curves for the viewer's page, with a summary of the whole run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/viewer_arrays.h"
#include "record/run_reader.h"

namespace tenpin::lab {

struct FailedStep {
  std::int64_t step = 0;
  double t = 0.0;            // s
  double residual = 0.0;     // -
  double penetration = 0.0;  // m
  std::string message;
};

struct CurveSummary {
  std::int64_t num_steps = 0;
  std::int64_t num_certified = 0;
  std::vector<FailedStep> failed;  // the first few failures
  double worst_residual = 0.0;     // -
  double worst_penetration = 0.0;  // m
};

// The curves of a run. Their size is bounded for runs of any length: when there are too many
// points, pairs are merged.
class Curves {
 public:
  // How the steps behind one point are combined into one number.
  enum class Reduce { kLast, kLargest, kSum };

  struct Column {
    std::string key;  // key of its array, step_<key>
    std::string label;
    std::string unit;
    Reduce reduce = Reduce::kLast;
    double (*read)(const record::StepRow&) = nullptr;
    std::vector<float> points = {};
    double value = 0.0;  // of the unfinished point; sums continue from the start of the run
  };

  explicit Curves(std::int64_t max_points);

  // Reads the steps that were added to the run since the last call.
  void read_on(const record::RunReader& run);

  void pack(ArrayPacker* packer) const;

  const std::vector<Column>& columns() const { return columns_; }
  std::int64_t stride() const { return stride_; }  // steps per point
  const CurveSummary& summary() const { return summary_; }

 private:
  void take(const record::StepRow& row);
  void halve();

  std::int64_t max_points_;
  std::int64_t stride_ = 1;
  std::int64_t pending_ = 0;  // steps in the unfinished point
  double pending_time_ = 0.0;
  std::vector<double> times_;  // s
  std::vector<Column> columns_;
  CurveSummary summary_;
};

}  // namespace tenpin::lab
