// Bodies that overlap before time 0, and joints that are past their stops.
//
// A step would turn an overlap of depth d into a speed d / h. So overlaps are taken out before the
// first step: by the least motion in the mass metric,
//   minimise  1/2 dq' M dq   such that  gap(q + dq) >= 0  at every contact and stop,
// with bodies moving as their joints and loops let them. Velocities stay. Pairs that no such motion
// separates keep their overlap: their contacts begin where the surfaces are at time 0
// (Model::kept_overlaps), so that no speed and no energy comes of it.
#pragma once

#include <string>
#include <vector>

#include "dynamics/model.h"
#include "dynamics/state.h"
#include "scene/scene.h"

namespace tenpin::methods {

inline constexpr double kLeastOverlap = 1e-9;  // m, rad   less is a touch, for every method

// Two bodies that overlap, or, if they are the same, a body whose joint is past a stop.
struct StartOverlap {
  int body_a = 0;
  int body_b = 0;
  double depth = 0.0;  // m; rad of stops of hinges and balls
  double left = 0.0;   // m, rad   what is kept of it
};

struct StartReport {
  std::vector<StartOverlap> overlaps;  // sorted by bodies
  double energy_change = 0.0;          // J   kinetic and potential, by the motion
  double largest_motion = 0.0;         // m   of a body's centre of mass
  int rounds = 0;                      // linearisations of the gaps
};

// What there is, before anything is done about it.
[[nodiscard]] std::vector<StartOverlap> find_start_overlaps(const dynamics::Model& model,
                                                            const dynamics::State& state);

// Moves *state, or lets *model keep overlaps. Throws InputError with kRefuse if there are any.
[[nodiscard]] StartReport treat_start_overlaps(scene::Start::Overlaps how, dynamics::Model* model,
                                               dynamics::State* state);

// Throws InputError if overlaps are kept that the method of that name cannot run with.
void check_kept_overlaps(const dynamics::Model& model, const StartReport& report,
                         const std::string& method);

// "floor and box overlap by 0.002 m", "the joint of knee is 0.1 rad past its stop".
[[nodiscard]] std::string describe(const dynamics::Model& model, const StartOverlap& overlap);
// And what was done: "...: moved apart", "...: kept", "...: cannot be moved apart, kept".
[[nodiscard]] std::string describe_outcome(const dynamics::Model& model,
                                           const StartOverlap& overlap, scene::Start::Overlaps how);

}  // namespace tenpin::methods
