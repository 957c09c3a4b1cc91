// A run's steps as curves for the viewer's page, and what they say about the run as a whole.
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

struct Curve {
  std::string key;  // its array is step_<key>
  std::string label;
  std::string unit;
};

struct CurveSummary {
  std::vector<Curve> curves;
  std::int64_t stride = 1;  // steps per point
  std::int64_t num_certified = 0;
  std::vector<FailedStep> failed;  // the first of them
  double worst_residual = 0.0;     // -
  double worst_penetration = 0.0;  // m
};

CurveSummary pack_curves(const record::RunReader& run, std::int64_t max_points,
                         ArrayPacker* packer);

}  // namespace tenpin::lab
