// The equations of motion of one mechanism under its smooth forces.
#pragma once

#include <cstdint>
#include <vector>

#include "dynamics/articulated.h"
#include "dynamics/kinematics.h"
#include "dynamics/mass_matrix.h"
#include "dynamics/model.h"

namespace tenpin::dynamics {

enum class SmoothForces : std::uint8_t {
  kNone,  // only loops and prescribed motion act; the work of gravity and springs counts as if they
          // did
  kAll,
};

// Keeps its buffers, which have the size of the model: only the entries of the last mechanism are
// valid.
class MotionRates {
 public:
  // J   Work of forces, after q and v.
  enum Work { kPotential, kApplied, kPrescribed, kNumWorks };

  explicit MotionRates(const Model& model);

  // The rate of y = (q, v, works) of the mechanism at time t.
  void calc(const Mechanism& mechanism, SmoothForces forces, double t, const VecX& y, VecX* rate);

 private:
  // W
  struct Power {
    double potential = 0.0;  // gravity and springs
    double applied = 0.0;
  };
  Power add_forces(const Mechanism& mechanism, SmoothForces forces, double t);
  [[nodiscard]] double calc_driving_power(const Mechanism& mechanism, SmoothForces forces,
                                          double t);

  const Model* model_;
  VecX q_, v_, q_dot_, v_dot_, f_, zero_;
  std::vector<Pose> X_WB_;
  std::vector<Twist> V_WB_, A_WB_;
  std::vector<Twist> V_drive_, A_full_;  // at v = 0, and with v_dot_
  std::vector<Wrench> wrenches_;
  MechanismInverse inverse_;
  VecX loop_accelerations_;
};

}  // namespace tenpin::dynamics
