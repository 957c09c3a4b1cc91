// The poses and velocities of the bodies of a run at the end of every step, event or interval.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dynamics/model.h"
#include "lab/simulation.h"
#include "math/types.h"
#include "scene/read.h"

namespace tenpin::lab::experiments {

struct TrackedBody {
  Vec3 p = Vec3::Zero();      // m       centre of mass
  Vec3 v = Vec3::Zero();      // m/s
  Mat3 R = Mat3::Identity();  // -       orientation, R_WB
  Vec3 w = Vec3::Zero();      // rad/s   world axes

  Vec3 upright() const { return R.col(2); }  // its own z axis in the world
};

struct TrackSample {
  double t = 0.0;  // s
  std::vector<TrackedBody> bodies;
  std::int64_t impacts = 0;  // since the previous sample
};

// The constants of a body that measurements need.
struct TrackedMass {
  std::string name;
  double mass = 0.0;            // kg
  Mat3 inertia = Mat3::Zero();  // kg m^2   about the centre of mass, body axes
};

struct Track {
  std::vector<TrackedMass> bodies;   // the mobile bodies
  Vec3 gravity = Vec3::Zero();       // m/s^2
  std::vector<TrackSample> samples;  // the first is the start
  methods::EventCounts counts;
  Summary summary;

  const TrackSample& start() const { return samples.front(); }
  const TrackSample& end() const { return samples.back(); }
  // The first sample at or after t, or the last one.
  const TrackSample& at(double t) const;
  // Throws InputError when there is no such body.
  std::size_t index(std::string_view name) const;

  Vec3 momentum(const TrackSample& sample, std::size_t body) const;  // kg m^2/s   angular
  double kinetic(const TrackSample& sample) const;                   // J
  double energy(const TrackSample& sample) const;                    // J   including potential
};

// A track of the model's mobile bodies, without samples.
[[nodiscard]] Track make_track(const dynamics::Model& model);

// Runs a scene file with changes, as `tenpin run --set` does.
[[nodiscard]] Track record_track(const std::string& scene_file,
                                 std::span<const scene::Override> changes = {});

}  // namespace tenpin::lab::experiments
