// The mass matrix of a forest: one block per tree.
#pragma once

#include <vector>

#include "dynamics/model.h"
#include "dynamics/state.h"
#include "math/pose.h"

namespace tenpin::dynamics {

// M and its inverse at one configuration. A loose body's block is its mass and a 3x3 inertia, a
// planar body's is diag(m, m, J).
class MassMatrix {
 public:
  // Evaluates every block at the given poses; keeps its buffers.
  void update(const Model& model, const std::vector<Pose>& X_WB);

  // out = M^-1 f and out = M v over all velocities (nv).
  void solve(const Model& model, ConstVecRef f, VecRef out) const;
  void multiply(const Model& model, ConstVecRef v, VecRef out) const;

  // out = M^-1 f for the nv of one body's own block.
  void solve_block(const Body& body, int index, const double* f, double* out) const;

 private:
  struct Block {
    double inverse_mass = 0.0;            // 1/kg
    Mat3 inertia = Mat3::Zero();          // kg m^2      world axes
    Mat3 inverse_inertia = Mat3::Zero();  // 1/(kg m^2)  world axes; planar: (2,2) alone
  };
  std::vector<Block> blocks_;  // by body
};

// J   of velocities v at the configuration of M, exactly 1/2 v'Mv.
[[nodiscard]] double calc_kinetic_energy(const Model& model, const std::vector<Pose>& X_WB,
                                         ConstVecRef v);
// J   of gravity; zero at the world's origin.
[[nodiscard]] double calc_potential_energy(const Model& model, const std::vector<Pose>& X_WB);

}  // namespace tenpin::dynamics
