// Eight contacts that share no body, one per lane, with the data that sweeps need.
#pragma once

#include <cstdint>

#include "complementarity/cone/lanes.h"

namespace tenpin::complementarity::cone {

constexpr int kBodySize = 6;  // velocities of a body, at most

// The data common to all batches. A lane without a contact has q_N = 1 and never closes.
struct BatchBase {
  Lanes q[3];         // velocity without reactions, along n, t1, t2
  Lanes softness[2];  // compliance along the normal and the tangents
  Lanes mu;
  Lanes unit;  // factor from scaled to physical velocity
  std::int32_t a[kNumLanes] = {};
  std::int32_t b[kNumLanes] = {};
};

// A batch of contacts of any kind.
struct ContactBatch : BatchBase {
  Lanes J_a[3][kBodySize];  // rows n, t1, t2 of the scaled contact Jacobians, for the first body
  Lanes J_b[3][kBodySize];  //   and for the second
  Lanes D[6];               // own block with compliance: NN, N1, N2, 11, 12, 22
  Lanes inverse_normal;     // 1 / D_NN, 0 without mobility
};

// A batch of contacts whose normals pass through the centres of balls. Their own block is diagonal,
// so that a third of the numbers suffices. This matters because memory bandwidth limits the speed
// of sweeps.
//   J v = (n.l, t1.l + t2.s, t2.l - t1.s),   l = linear v, s = spin w,   both bodies added
struct RoundBatch : BatchBase {
  Lanes n[3];
  Lanes t1[3];
  Lanes linear[2];  // of the first and the second body
  Lanes spin[2];
  Lanes inverse[2];  // one over the own block, along the normal and the tangents
};

// The three rows of reactions of one batch.
struct BatchReaction {
  Lanes r[3];
  Lanes last[3];  // before the last sweep and its extrapolation
  Lanes error;    // squared, in physical units, as of the last computation
};

// The velocities that reactions gave a body; two lanes are unused. Body 0 is fixed: its rows in J
// are zero.
struct BodyMotion {
  Lanes v;
  Lanes last;  // before the last sweep and its extrapolation
};

}  // namespace tenpin::complementarity::cone
