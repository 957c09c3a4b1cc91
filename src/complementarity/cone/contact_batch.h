// Eight contacts that share no body, one in each lane, and what sweeps know of them.
#pragma once

#include <cstdint>

#include "complementarity/cone/lanes.h"

namespace tenpin::complementarity::cone {

constexpr int kBodySize = 6;  // velocities of a body, at most

// What every batch has. A lane without contact has q_N = 1 and never closes.
struct BatchBase {
  Lanes q[3];         // velocity without reactions, along n, t1, t2
  Lanes softness[2];  // what gives way, along the normal and the tangents
  Lanes mu;
  Lanes unit;  // from scaled to true velocity
  std::int32_t a[kNumLanes] = {};
  std::int32_t b[kNumLanes] = {};
};

// Contacts of any kind.
struct ContactBatch : BatchBase {
  Lanes J_a[3][kBodySize];  // rows n, t1, t2 of the contacts' scaled Jacobians, by the first body
  Lanes J_b[3][kBodySize];  //   and by the second
  Lanes D[6];               // own block: NN, N1, N2, 11, 12, 22; what gives way included
  Lanes inverse_normal;     // 1 / D_NN, 0 where nothing moves
};

// Contacts whose normals pass through the centres of balls: their own block is diagonal, and a
// third of the numbers says all. Sweeps are as fast as memory, so that counts.
//   J v = (n.l, t1.l + t2.s, t2.l - t1.s),   l = linear v, s = spin w,   both bodies added
struct RoundBatch : BatchBase {
  Lanes n[3];
  Lanes t1[3];
  Lanes linear[2];  // of the first and the second body
  Lanes spin[2];
  Lanes inverse[2];  // one over the own block, along the normal and the tangents
};

// Three rows of reactions of one batch.
struct BatchReaction {
  Lanes r[3];
  Lanes last[3];  // before the last sweep and its lead
  Lanes error;    // squared and true to scale, when it was last looked at
};

// The velocities that reactions gave a body, two lanes unused. Body 0 stands still: its rows in J
// are zero.
struct BodyMotion {
  Lanes v;
  Lanes last;  // before the last sweep and its lead
};

}  // namespace tenpin::complementarity::cone
