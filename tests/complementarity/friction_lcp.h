// LCPs of the kind that a time step of touching balls makes, for tests and benchmarks.
//   z = (c_n, beta, lambda)   R = [ N'WN  N'WD  0 ;  D'WN  D'WD  E ;  mu  -E'  0 ]   [ST00, §3.2]
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "complementarity/draw.h"
#include "complementarity/lcp.h"

namespace tenpin::complementarity {

// Puts the blocks together. W: inverse mass matrix, D: k columns per contact.
inline Lcp assemble_friction_lcp(const MatX& W, const MatX& N, const MatX& D, const VecX& mu,
                                 const VecX& v) {
  const auto nc = N.cols();
  const auto nb = D.cols();
  const auto k = nb / std::max<Eigen::Index>(nc, 1);
  MatX J(N.rows(), nc + nb);
  J << N, D;
  MatX E = MatX::Zero(nb, nc);
  for (Eigen::Index c = 0; c < nc; ++c) E.block(c * k, c, k, 1).setOnes();
  Lcp lcp{MatX::Zero(2 * nc + nb, 2 * nc + nb), VecX::Zero(2 * nc + nb)};
  lcp.R.topLeftCorner(nc + nb, nc + nb) = J.transpose() * W * J;
  lcp.R.block(nc, nc + nb, nb, nc) = E;
  lcp.R.block(nc + nb, 0, nc, nc) = mu.asDiagonal();
  lcp.R.block(nc + nb, nc, nc, nb) = -E.transpose();
  lcp.u.head(nc + nb) = J.transpose() * v;
  return lcp;
}

// A heap of balls, about four for seven contacts, some on the floor, some on each other; eight
// friction directions, so n = 10 nc. More contacts than freedoms make R singular.
inline Lcp make_heap_lcp(int nc, Draw* draw) {
  const int num_balls = std::max(1, (4 * nc + 6) / 7);
  const double h = std::sqrt(0.5);
  const std::array<std::array<double, 2>, 8> directions = {
      {{1, 0}, {h, h}, {0, 1}, {-h, h}, {-1, 0}, {-h, -h}, {0, -1}, {h, -h}}};
  VecX w(6 * num_balls);
  VecX v(6 * num_balls);
  for (int b = 0; b < num_balls; ++b) {
    const double mass = draw->uniform(0.5, 2.0);
    w.segment<6>(6 * b) << Vec3::Constant(1.0 / mass), Vec3::Constant(1.0 / (0.4 * mass * 0.01));
    for (int i = 0; i < 6; ++i) v[6 * b + i] = draw->uniform(-1.0, 1.0);
    v[6 * b + 2] -= 1.0;
  }
  MatX N = MatX::Zero(6 * num_balls, nc);
  MatX D = MatX::Zero(6 * num_balls, 8 * nc);
  for (int c = 0; c < nc; ++c) {
    const int ball = c % num_balls;
    const bool on_floor = c < num_balls / 2 || num_balls == 1;
    const Vec3 n = on_floor ? Vec3(0, 0, 1)
                            : Vec3(draw->uniform(-1, 1), draw->uniform(-1, 1), 1.0).normalized();
    const Vec3 t1 = n.cross(Vec3(0, 1, 0)).normalized();
    const Vec3 t2 = n.cross(t1);
    const auto add = [&](int b, double sign) {
      N.col(c).segment<3>(6 * b) += sign * n;
      for (int k = 0; k < 8; ++k) {
        const Vec3 t = directions[k][0] * t1 + directions[k][1] * t2;
        D.col(8 * c + k).segment<3>(6 * b) += sign * t;
        D.col(8 * c + k).segment<3>(6 * b + 3) += -0.1 * n.cross(t);
      }
    };
    add(ball, 1.0);
    if (!on_floor) add((ball + 1 + draw->integer(0, num_balls - 2)) % num_balls, -1.0);
  }
  return assemble_friction_lcp(w.asDiagonal(), N, D, VecX::Constant(nc, draw->uniform(0.1, 0.8)),
                               v);
}

}  // namespace tenpin::complementarity
