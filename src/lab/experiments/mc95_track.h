// Where the bodies of a run were at the end of every interval, and how often they collided.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/experiment.h"
#include "lab/experiment_expected.h"
#include "lab/simulation.h"
#include "math/types.h"

namespace tenpin::lab::experiments {

struct TrackedBody {
  Vec3 p = Vec3::Zero();         // m     centre of mass
  Vec3 v = Vec3::Zero();         // m/s
  Vec3 upright = Vec3::UnitZ();  // -     its own z axis in the world
};

struct TrackSample {
  double t = 0.0;  // s
  std::vector<TrackedBody> bodies;
  std::int64_t impacts = 0;  // since the sample before
};

struct Track {
  std::vector<std::string> names;  // of the mobile bodies
  std::vector<TrackSample> samples;
  methods::EventCounts counts;
  Summary summary;

  const TrackSample& start() const { return samples.front(); }
  const TrackSample& end() const { return samples.back(); }
  const TrackSample& at(double t) const;
  std::size_t index(std::string_view name) const;
};

// Runs a scene as it is.
[[nodiscard]] Track record_track(const std::string& scene_file);

// What every run must come to: `finished` (1), `ledger` and `residual`.
void measure_run(const Track& track, Measurements* measurements);

// Findings, notes, the row of Table 1 and the counters.
[[nodiscard]] ExperimentResult make_result(std::string_view id, const ExperimentOptions& options,
                                           const Track& track, const Measurements& measurements);

}  // namespace tenpin::lab::experiments
