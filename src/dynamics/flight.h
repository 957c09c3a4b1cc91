// The motion of mechanisms between impulses.
#pragma once

#include <array>
#include <vector>

#include "base/workers.h"
#include "dynamics/articulated.h"
#include "dynamics/kinematics.h"
#include "dynamics/mass_matrix.h"
#include "dynamics/model.h"

namespace tenpin::dynamics {

// Loose bodies rotate by the exact torque-free motion. Trees and loops are integrated to near
// rounding by extrapolation of Gragg's midpoint rule [HNW93, §II.9]; loops are then closed to
// rounding.
class Flight {
 public:
  // The workers, if any, share the loose bodies.
  explicit Flight(const Model& model, const Workers* workers = nullptr);

  // The start of a flight.
  struct Start {
    const VecX& q;
    const VecX& v;
    double t;  // s
  };

  // Work done by the forces during the flight.   J
  struct Work {
    double potential = 0.0;   // gravity and springs
    double applied = 0.0;     // damping, motors and forces that the scene applies
    double prescribed = 0.0;  // prescribed motion of the bodies that the mechanism is attached to
  };

  // Moves all mechanisms except those marked in `but` for h seconds without any force. A body that
  // rotates freely changes its angular velocity, so velocities are written to *v_end. Momentum is
  // conserved exactly and kinetic energy to rounding.   [ST00, eq. (14)] with exact rotation. The
  // work is that of gravity and springs, had they acted: the potential energy lost by the motion.
  // Returns false if a mechanism moves too fast to be integrated.
  bool drift(const Start& start, double h, const std::vector<bool>& but, VecX* q_end, VecX* v_end);
  // The same for one mechanism.
  bool drift(int mechanism, const Start& start, double h, VecX* q_end, VecX* v_end);
  // J   Potential work of the last drift, over mechanisms that are not loose.
  double drift_potential_work() const { return drift_work_; }
  // J   The part of it that prescribed motion did.
  double drift_prescribed_work() const { return drift_prescribed_; }

  // Moves one mechanism under all its smooth forces. False if they are too stiff to be integrated.
  bool fly(int mechanism, const Start& start, double h, VecX* q_end, VecX* v_end, Work* work);
  // The same if a motor reaches its limit on the way: such a kink is not resolved to rounding.
  bool fly_past_kinks(int mechanism, const Start& start, double h, VecX* q_end, VecX* v_end,
                      Work* work);

 private:
  bool move(const Mechanism& mechanism, bool with_forces, double t, double h);
  bool extrapolate(const Mechanism& mechanism, double t, double h);
  void midpoint(const Mechanism& mechanism, double t, double h, int n, VecX* end);
  void calc_rate(const Mechanism& mechanism, double t, const VecX& y, VecX* rate);
  void add_forces(const Mechanism& mechanism, double t);
  [[nodiscard]] double calc_driving_power(const Mechanism& mechanism, double t);
  void load(const Mechanism& mechanism, const Start& start);
  void store(const Mechanism& mechanism, VecX* q_end, VecX* v_end) const;
  void close_loops(const Mechanism& mechanism, double t);
  double calc_error(const VecX& a, const VecX& b) const;

  static constexpr int kMaxColumns = 8;

  const Model* model_;
  const Workers* workers_;
  double drift_work_ = 0.0;        // J
  double drift_prescribed_ = 0.0;  // J
  bool with_forces_ = false;
  double tolerance_ = 0.0;   // -   of each component, relative to its size
  int max_evaluations_ = 0;  // limit on evaluations of the equations of motion in one flight
  int evaluations_ = 0;

  // The equations of motion of one mechanism. Vectors have the model's size; other entries are
  // stale.
  VecX q_, v_, q_dot_, v_dot_, f_, zero_;
  std::vector<Pose> X_WB_;
  std::vector<Twist> V_WB_, A_WB_;
  std::vector<Twist> V_drive_, A_full_;  // at v = 0, and with v_dot_
  std::vector<Wrench> wrenches_;
  MechanismInverse inverse_;
  VecX loop_accelerations_;
  double power_potential_ = 0.0;  // W
  double power_applied_ = 0.0;    // W

  // y = (q, v, potential work, applied work, prescribed work) of the mechanism.
  static constexpr int kNumWorks = 3;
  VecX y_, y_try_, rate_, first_rate_;
  std::array<VecX, kMaxColumns> table_;
  VecX older_, newer_;
};

// Moves q to where the mechanism's loops are closed, by the shortest motion in the mass metric.
// Returns the largest remaining error, which is large if the loops cannot close.   m, rad
double close_loops(const Model& model, const Mechanism& mechanism, double t, VecX* q);

}  // namespace tenpin::dynamics
