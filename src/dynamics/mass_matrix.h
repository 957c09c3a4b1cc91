// The mass matrix of a forest: one block per mechanism.
#pragma once

#include <vector>

#include "base/workers.h"
#include "dynamics/articulated.h"
#include "dynamics/loops.h"
#include "dynamics/model.h"
#include "dynamics/state.h"
#include "math/pivoted_cholesky.h"
#include "math/pose.h"

namespace tenpin::dynamics {

// The velocity response of a mechanism of joints and loops to impulses: the response of its trees
// joint by joint, corrected by the reactions of its loops.
class MechanismInverse {
 public:
  // `diagonal` (nv of the model) is the same as in ArticulatedInertia.
  void update(const Model& model, const Mechanism& mechanism, const std::vector<Pose>& X_WB,
              ConstVecRef q, ConstVecRef diagonal);

  // out = P f: the change of the mechanism's velocities due to impulses f while its loops stay
  // closed.
  void solve(const double* f, double* out) const;

  // Changes the mechanism's velocities (*v, nv of it) so that phi_dot changes by -rates.
  void close_rates(ConstVecRef rates, VecRef v) const;

  // J   Work of the loops' impulses when velocities with those rates receive impulses f (nv of the
  // mechanism).
  [[nodiscard]] double calc_closing_work(const double* f, ConstVecRef rates) const;

  const LoopRows& loops() const { return loops_; }
  const ArticulatedInertia& trees() const { return trees_; }
  int num_redundant() const { return loops_.size() - factor_.rank(); }

 private:
  ArticulatedInertia trees_;
  LoopRows loops_;
  MatX L_;                  // M^-1 J' of the loops
  PivotedCholesky factor_;  // J M^-1 J'
  mutable VecX lambda_;
};

// M and its inverse at one configuration. A loose body's block is its mass and a 3x3 inertia, a
// planar body's is diag(m, m, J).
class MassMatrix {
 public:
  // Sets the workers that share the blocks, if any.
  void set_workers(const Workers* workers) { workers_ = workers; }

  // Computes every block at the given poses. `diagonal` (nv) is added to the blocks of mechanisms
  // that are not loose. Reuses its buffers between calls.
  void update(const Model& model, const std::vector<Pose>& X_WB, ConstVecRef q,
              ConstVecRef diagonal);
  // Updates one block. All blocks must have been updated before.
  void update(const Model& model, int mechanism, const std::vector<Pose>& X_WB, ConstVecRef q,
              ConstVecRef diagonal);

  // out = M^-1 f over all velocities (nv); for mechanisms with loops, the response that keeps them
  // closed.
  void solve(const Model& model, ConstVecRef f, VecRef out) const;
  // out = M v for loose bodies, and zero for the others.
  void multiply_loose(const Model& model, ConstVecRef v, VecRef out) const;

  // out = M^-1 f for the velocities of one mechanism.
  void solve_block(int mechanism, const double* f, double* out) const;

  const MechanismInverse& inverse(int mechanism) const {
    return inverses_[blocks_[mechanism].inverse];
  }

 private:
  enum class Kind { kInSpace, kPlanar, kArticulated };
  struct Block {
    Kind kind = Kind::kInSpace;
    int inverse = -1;                     // for articulated mechanisms: index into inverses_
    double inverse_mass = 0.0;            // 1/kg
    Mat3 inverse_inertia = Mat3::Zero();  // 1/(kg m^2)  world axes; planar: (2,2) alone
    Mat3 inertia = Mat3::Zero();          // kg m^2      world axes
  };
  void assign_blocks(const Model& model);

  const Workers* workers_ = nullptr;
  std::vector<Block> blocks_;               // by mechanism
  std::vector<MechanismInverse> inverses_;  // of mechanisms that are not loose
};

// J   Kinetic energy at velocities v, including armature.
[[nodiscard]] double calc_kinetic_energy(const Model& model, const std::vector<Pose>& X_WB,
                                         const std::vector<Twist>& V_WB, ConstVecRef v,
                                         const Workers* workers = nullptr);
// J   Potential energy of gravity, which is zero at the world's origin, and of springs.
[[nodiscard]] double calc_potential_energy(const Model& model, const std::vector<Pose>& X_WB,
                                           ConstVecRef q, const Workers* workers = nullptr);

}  // namespace tenpin::dynamics
