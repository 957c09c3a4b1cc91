// The impact at one contact whose velocity stays in a plane, in closed form.   [M11, §2]
//   paper      here          meaning
//   u          -             generalised velocity; only the contact's velocity J u is needed
//   J_a, J_b   rows t, n     tangent and normal
//   J L        W             2 x 2: change of the contact's velocity per unit of impulse
//   p_n, p_t   p_n, p_t      normal and tangential impulse
//   m          stick_ratio   p_t / p_n that keeps the slip at zero
//   E_n, E_f   E_n, E_f      work of the normal impulse and of friction
// In this implementation the path is followed in the velocity plane of the contact, where every
// quantity is linear or quadratic in p_n whatever the number of joints; generalised velocities
// follow from p.
#pragma once

#include <array>

#include "impact/law.h"

namespace tenpin::impact {

struct PlanarContact {
  double W_tt = 0.0;  // 1/kg   W = J M^-1 J', positive semidefinite, W_nn > 0
  double W_tn = 0.0;  // 1/kg
  double W_nn = 0.0;  // 1/kg
  double v_t = 0.0;   // m/s    before the impact
  double v_n = 0.0;   // m/s    negative when approaching
};

// A corner of the path: the start, one of the two pauses, or the end.
struct PlanarPoint {
  double p_n = 0.0;  // N s
  double p_t = 0.0;  // N s
  double v_n = 0.0;  // m/s
  double v_t = 0.0;  // m/s
  double E_n = 0.0;  // J
  double E_f = 0.0;  // J
};

struct PlanarImpact {
  ImpactStatus status = ImpactStatus::kSolved;
  double stick_ratio = 0.0;  // -
  int num_points = 1;
  int tangential_pause = -1;               // index of the point where slip ends, -1 if none
  int normal_pause = -1;                   // index of the point where compression ends
  std::array<PlanarPoint, 4> points = {};  // in the order of p_n
  std::array<Slip, 3> slips = {};          // between point i and point i + 1

  const PlanarPoint& start() const { return points[0]; }
  const PlanarPoint& end() const { return points[static_cast<std::size_t>(num_points - 1)]; }
  const PlanarPoint& compression() const {
    return points[static_cast<std::size_t>(normal_pause < 0 ? 0 : normal_pause)];
  }
  // The order of the pauses, "abce", "ace" or "acde"; "a" if nothing approaches. [M11, Fig. 2.8]
  std::string_view order() const;
};

// Solves the impact. [M11, eq. (2.9)-(2.21)], [M11, eq. (3.1)-(3.3)]
[[nodiscard]] PlanarImpact solve_planar(const PlanarContact& contact, const Surface& surface);

}  // namespace tenpin::impact
