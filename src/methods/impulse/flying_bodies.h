// Bodies between impulses, each at its own time: bodies that do not collide need no work.
#pragma once

#include <vector>

#include "collide/time_of_impact.h"
#include "dynamics/flight.h"
#include "dynamics/flight_certificate.h"
#include "dynamics/kinematics.h"
#include "dynamics/model.h"
#include "dynamics/state.h"

namespace tenpin::methods::impulse {

// Loose bodies move on parabolas with the exact torque-free rotation; prescribed ones follow their
// motion; trees and loops are integrated to rounding, all bodies of a mechanism together.
class FlyingBodies {
 public:
  explicit FlyingBodies(const dynamics::Model& model);

  // Reads gravity, forces and prescribed motions from the model again.
  void model_changed();

  // Sets all bodies to a state, and back; store() needs all bodies at the same time.
  void load(const dynamics::State& state);
  void store(dynamics::State* state) const;

  // Moves a body and its whole mechanism to time t, which is not before its own.
  void move(int body, double t);
  // The same, and turns it: a ball is otherwise turned only when its spin changes.
  void move_to_end(int body, double t);
  void move_all(double t);
  // False once a mechanism could not be integrated.
  bool is_followed() const { return is_followed_; }

  const dynamics::Model& model() const { return *model_; }
  const std::vector<Pose>& poses() const { return X_WB_; }
  const Pose& pose(int body) const { return X_WB_[body]; }
  const dynamics::Twist& twist(int body) const { return V_WB_[body]; }
  double time(int body) const { return t_[body]; }  // s
  // Is it a ball, whose rotation changes neither its shape nor its inertia?
  bool is_ball(int body) const { return kind_[body] == Kind::kBall; }
  bool is_articulated(int body) const { return kind_[body] == Kind::kArticulated; }
  bool is_still(int body) const { return kind_[body] == Kind::kStill; }
  bool is_prescribed(int body) const { return kind_[body] == Kind::kPrescribed; }

  // The motion until the next impulse, for bounds. For articulated bodies these are estimates from
  // the motion so far, for short times only.
  [[nodiscard]] collide::BallisticMotion calc_motion(int body) const;
  // In the body's frame: the point with the simplest motion, about which the body rotates.
  const Vec3& center(int body) const { return center_[body]; }
  // m/s^2   In free fall, also while the body rests.
  const Vec3& acceleration(int body) const { return a_[body]; }

  // A loose body may stay at rest although it would fall: supporting forces hold it, and are
  // recorded as impulses once their duration is known. When it is woken at time t, it flies from
  // where it is.
  void rest(int body) { is_resting_[body] = 1; }
  bool is_resting(int body) const { return is_resting_[body] != 0; }
  void note_support(int body, const Vec3& p_W, const Vec3& impulse) {
    impulses_[body].add(impulse, (p_W - X_WB_[body].p).cross(impulse));
  }
  void wake(int body, double t);
  // Is the body currently motionless?
  bool stands(int body) const { return is_still(body) || is_resting(body); }

  // For a free body: W += the response of the velocity at p_W to an impulse there, in world axes;
  // and the application of such an impulse.
  void add_mobility(int body, const Vec3& p_W, Mat3* W) const;
  void apply(int body, const Vec3& p_W, const Vec3& impulse);
  // The same for velocity and angular velocity per impulse and angular impulse, in the axes R, for
  // bodies that rotate freely.
  void add_spatial_mobility(int body, const Vec3& p_W, const Mat3& R, Mat6* W) const;
  // W += sign times the response of the velocity at p_W to an impulse at p_other_W, in world axes.
  void add_cross_mobility(int body, const Vec3& p_W, const Vec3& p_other_W, double sign,
                          Mat3* W) const;
  bool turns_freely(int body) const {
    return kind_[body] == Kind::kBall || kind_[body] == Kind::kFree;
  }

  // For an articulated body: the coordinates of its mechanism, and the way to change its
  // velocities.
  const VecX& q() const { return q_; }
  const VecX& v() const { return v_; }
  void add_velocities(const dynamics::Mechanism& mechanism, ConstVecRef change);
  // The twist that prescribed motion alone gives a body: its own, or that of what it hangs from.
  [[nodiscard]] dynamics::Twist calc_drive(int body);

  // Copies the bodies of a mechanism from where another simulator of the same model has moved them.
  void take(const dynamics::Mechanism& mechanism, const FlyingBodies& other);
  // Combines what is known of all flights: the worst error, and whether all were followed.
  void take_errors(const FlyingBodies& other);

  // J   Since load(), summed in the order of the bodies: the effect of rounding on rotational
  // energy, the work of forces other than gravity, and the work of prescribed motion.
  struct Work {
    double rotation = 0.0;
    double applied = 0.0;
    double prescribed = 0.0;
  };
  [[nodiscard]] Work calc_work() const;
  // J   Of the same, the work of forces other than gravity on one mechanism.
  [[nodiscard]] double calc_applied_work(const dynamics::Mechanism& mechanism) const {
    double applied = 0.0;
    for (const int i : mechanism.bodies) applied += work_[i].applied;
    return applied;
  }
  // -   Largest relative change of a body's rotational energy in one flight.
  double rotation_error() const { return rotation_error_; }
  // Since load(), by body.
  const std::vector<dynamics::BodyImpulses>& impulses() const { return impulses_; }

 private:
  enum class Kind { kStill, kPrescribed, kBall, kFree, kPlanar, kArticulated };

  Kind find_kind(int body) const;
  void update_forces(double t);
  void move_straight(int body, double dt);
  void turn_ball(int body, double t);
  void turn_free(int body, double dt);
  void move_planar(int body, double t);
  void place_prescribed(int body, double t);
  void update_drive(const dynamics::Mechanism& mechanism);
  void move_mechanism(int mechanism, double t);
  Mat3 calc_inverse_inertia(int body) const;
  void update_spin_bound(int body);

  const dynamics::Model* model_;
  dynamics::Flight flight_;
  std::vector<Kind> kind_;
  std::vector<Vec3> center_;       // m       body frame
  std::vector<Vec3> force_;        // N       applied, in this interval
  std::vector<Vec3> a_;            // m/s^2
  std::vector<Vec3> plane_force_;  // m/s^2   of planar bodies: along the plane's x and y
  std::vector<double> turn_rate_;  // -       of Euler's equations: spin rate bound per spin^2

  VecX q_, v_;                    // of planar and articulated bodies; others are stored below
  std::vector<double> t_;         // s   by body
  std::vector<double> t_turned_;  // s   of a ball: the time up to which its rotation is integrated
  std::vector<Pose> X_WB_;
  std::vector<dynamics::Twist> V_WB_;
  std::vector<Quat> q_WB_;          // of free bodies
  std::vector<double> spin_bound_;  // rad/s   of free bodies, until their next impulse
  std::vector<dynamics::BodyImpulses> impulses_;
  std::vector<char> is_resting_;
  std::vector<double> unsteadiness_, spin_rate_;  // of articulated bodies, estimated
  std::vector<dynamics::Twist> V_before_, V_drive_;
  VecX still_;              // velocities of zero
  std::vector<Work> work_;  // by body; of a mechanism, in its first body
  double rotation_error_ = 0.0;
  bool is_followed_ = true;
  bool has_timed_forces_ = false;
  double t_forces_ = 0.0;  // s   of force_ and a_
};

}  // namespace tenpin::methods::impulse
