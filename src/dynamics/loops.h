// Constraints that close loops of joints: rows  phi(q) = 0  over the velocities of a mechanism.
#pragma once

#include <vector>

#include "dynamics/kinematics.h"
#include "dynamics/model.h"

namespace tenpin::dynamics {

class LoopRows {
 public:
  // Computes all rows of a mechanism's loops at the given poses and coordinates.
  void update(const Model& model, const Mechanism& mechanism, const std::vector<Pose>& X_WB,
              ConstVecRef q);

  int size() const { return static_cast<int>(rows_.size()); }
  const VecX& errors() const { return errors_; }  // m, rad   phi
  const MatX& jacobian() const { return J_; }     // size x nv of the mechanism
  int loop(int row) const { return rows_[row].loop; }

  // Computes phi_dot from the bodies' twists, including prescribed motion.
  void calc_rates(const std::vector<Twist>& V_WB, ConstVecRef v, VecX* rates) const;
  // Computes phi_dot_dot from the bodies' twists and accelerations.
  void calc_accelerations(const std::vector<Twist>& V_WB, const std::vector<Twist>& A_WB,
                          ConstVecRef v, ConstVecRef v_dot, VecX* accelerations) const;

 private:
  enum class Kind { kPoint, kAngle, kDistance, kCoupling };
  struct Row {
    Kind kind = Kind::kPoint;
    int loop = 0;
    int body_a = kWorld, body_b = kWorld;
    Vec3 r_a = Vec3::Zero(), r_b = Vec3::Zero();  // m   anchors from the centres of mass, or world
    Vec3 linear = Vec3::Zero();                   // -   phi_dot = linear . (v_b - v_a)
    Vec3 angular = Vec3::Zero();                  // -             + angular . (w_b - w_a)
    Vec3 t_a = Vec3::Zero(), u_b = Vec3::Zero();  // -   kAngle: phi = t_a . u_b
    double length = 0.0;                          // m   kDistance
    int v_a = -1, v_b = -1;                       // kCoupling: velocities
    double slope = 0.0, curvature = 0.0;          //            of the polynomial
  };

  void append(const Model& model, int loop, const std::vector<Pose>& X_WB, ConstVecRef q);
  void append_points(const Row& base, const Vec3& apart);
  void append_angle(Row row, const Vec3& t_a, const Vec3& u_b);
  void append_distance(Row row, const Vec3& apart, double length);
  void append_coupling(Row row, const Model& model, const Loop& loop, ConstVecRef q);

  std::vector<Row> rows_;
  std::vector<double> phi_;
  VecX errors_;
  MatX J_;
};

}  // namespace tenpin::dynamics
