// The motions of the same bodies in two runs, and the distances between them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "record/run_reader.h"

namespace tenpin::lab {

// The motion of the bodies of a run at any time between its first and last frame. Between frames,
// positions follow the cubic through the frames' positions and velocities, and orientations follow
// the shortest rotation. Times must not decrease from call to call.
class MotionSampler {
 public:
  explicit MotionSampler(const record::RunReader& run);

  double end_time() const { return end_time_; }
  const std::vector<record::BodyMotion>& sample(double t);
  // The last frame at or before the sampled time.
  const record::RunFrame& frame() const { return before_; }

 private:
  const record::RunReader& run_;
  std::int64_t next_ = 0;  // index of after_
  record::RunFrame before_, after_;
  std::vector<record::BodyMotion> bodies_;
  double end_time_ = 0.0;  // s
};

// m   For each body, the distance of its farthest point from its origin; planes do not count.
[[nodiscard]] std::vector<double> calc_body_radii(const record::RunHeader& header);

struct BodyDistance {
  int body = -1;
  double distance = 0.0;  // m
};

// m   A bound on the distance between any point of a body and the same point in another pose: the
// displacement of the origin, plus the displacement that the rotation causes at `radius` from the
// origin.
[[nodiscard]] double calc_distance(const record::BodyMotion& a, const record::BodyMotion& b,
                                   double radius);

// The body with the largest distance between the two runs.
[[nodiscard]] BodyDistance find_farthest(const std::vector<record::BodyMotion>& a,
                                         const std::vector<record::BodyMotion>& b,
                                         const std::vector<double>& radii);

// m   The largest distance of any body between the two runs, at the first run's frames up to t.
[[nodiscard]] double calc_largest_distance(const record::RunReader& a, const record::RunReader& b,
                                           double t);

}  // namespace tenpin::lab
