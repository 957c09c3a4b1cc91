// The four balls of [ST00, §4.2]: their runs and the norms of [ST00, Table 1].
#pragma once

#include <string>
#include <vector>

#include "lab/experiments/recording.h"

namespace tenpin::lab::experiments {

// The bodies of scene.yaml.
enum BallBody { kTable, kThrown, kFirst, kSecond, kThird };
inline constexpr int kNumBalls = 4;
inline constexpr double kBallRadius = 0.1;  // m

[[nodiscard]] Recording record_balls(const std::string& scene_file, const std::string& formulation,
                                     const std::string& step);

// The vectors of the paper's norms: 24 components, for each ball its position, its angles, and
// their rates. Angles are integrals of the angular velocity.   [ST00, Table 1, errata]
struct Trajectory {
  double h = 0.0;       // s
  std::vector<VecX> x;  // m, rad        at the ends of the steps
  std::vector<VecX> v;  // m/s, rad/s    during the steps; constant in each
  VecX v_start;         // m/s, rad/s
};
[[nodiscard]] Trajectory make_trajectory(const Recording& recording);

enum class Components { kAll, kTranslations };

// m, rad        The integral over time of the largest component of the error; h must be a multiple
// of the reference's.
[[nodiscard]] double calc_velocity_error(const Trajectory& run, const Trajectory& reference,
                                         Components components = Components::kAll);
// m, rad        The largest error of any component at the end of any step.
[[nodiscard]] double calc_position_error(const Trajectory& run, const Trajectory& reference);
// m/s, rad/s    The largest total variation of a component.
[[nodiscard]] double calc_variation(const Trajectory& run);

[[nodiscard]] bool is_between(const contact::ContactRecord& contact, int body, int other);

// The first step in which two bodies push each other; null if they never do.
[[nodiscard]] const RecordedStep* find_push(const Recording& recording, int body, int other);

}  // namespace tenpin::lab::experiments
