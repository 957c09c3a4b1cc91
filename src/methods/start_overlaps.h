// Bodies that overlap before time 0, and joints beyond their stops.
//
// A step would turn an overlap of depth d into a speed d / h. So overlaps are removed before the
// first step by the smallest motion in the mass metric,
//   minimise  1/2 dq' M dq   such that  gap(q + dq) >= 0  at every contact and stop,
// with bodies moving as their joints and loops allow. Velocities do not change. Pairs that no such
// motion separates keep their overlap: their contacts start where the surfaces are at time 0
// (Model::kept_overlaps), so that the overlap causes neither speed nor energy.
#pragma once

#include <string>
#include <vector>

#include "dynamics/model.h"
#include "dynamics/state.h"
#include "scene/scene.h"

namespace tenpin::methods {

inline constexpr double kLeastOverlap =
    1e-9;  // m, rad   smaller overlaps count as touching, for every method

// Two overlapping bodies or, if both are the same, a body whose joint is beyond a stop.
struct StartOverlap {
  int body_a = 0;
  int body_b = 0;
  double depth = 0.0;  // m; rad for stops of hinges and balls
  double left = 0.0;   // m, rad   part of the depth that remains
};

struct StartReport {
  std::vector<StartOverlap> overlaps;  // sorted by bodies
  double energy_change = 0.0;          // J   kinetic and potential, due to the motion
  double largest_motion = 0.0;         // m   of a body's centre of mass
  int rounds = 0;                      // linearisations of the gaps
};

// The overlaps before they are treated.
[[nodiscard]] std::vector<StartOverlap> find_start_overlaps(const dynamics::Model& model,
                                                            const dynamics::State& state);

// Moves *state, or records the overlaps to keep in *model. With kRefuse, throws InputError if there
// are any.
[[nodiscard]] StartReport treat_start_overlaps(scene::Start::Overlaps how, dynamics::Model* model,
                                               dynamics::State* state);

// Throws InputError if the model's method cannot run with the overlaps that are kept.
void check_kept_overlaps(const dynamics::Model& model, const StartReport& report,
                         const scene::MethodOptions& method);

// Example: "floor and box overlap by 0.002 m", "the joint of knee is 0.1 rad past its stop".
[[nodiscard]] std::string describe(const dynamics::Model& model, const StartOverlap& overlap);
// The same with the treatment: "...: moved apart", "...: kept", "...: cannot be moved apart, kept".
[[nodiscard]] std::string describe_outcome(const dynamics::Model& model,
                                           const StartOverlap& overlap, scene::Start::Overlaps how);

}  // namespace tenpin::methods
