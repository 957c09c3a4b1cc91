// A running scene: step it, read its state, control it.
#pragma once

#include <tenpin/error.h>
#include <tenpin/report.h>
#include <tenpin/scene.h>
#include <tenpin/snapshot.h>
#include <tenpin/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tenpin {

enum class JointKind { kFree, kPlanar, kFixed, kPrescribed, kHinge, kSlider, kBall };
[[nodiscard]] std::string_view to_string(JointKind kind);

// clang-format off
// Where a joint's coordinates are in q and v, and what they mean:
//   kind         q                                v
//   kFree        centre of mass (3),              velocity of the centre of mass (3),
//                quaternion w x y z               angular velocity (3), world axes
//   kPlanar      x, y, angle                      their rates
//   kHinge       angle                            its rate
//   kSlider      displacement                     its rate
//   kBall        quaternion w x y z from the      angular velocity relative to the parent (3), in
//                pose drawn, axes of the parent   joint axes: the parent's at the pose drawn,
//                                                 turning with the body
//   kFixed       -                                -
//   kPrescribed  -                                -
// clang-format on
struct JointLayout {
  JointKind kind = JointKind::kFree;
  int q_begin = 0, nq = 0;
  int v_begin = 0, nv = 0;
};

// The motion of a body with prescribed motion from now on, in its parent's axes.
struct PrescribedMotion {
  Vec3 velocity = Vec3::Zero();          // m/s
  Vec3 angular_velocity = Vec3::Zero();  // rad/s   about the body's origin
};

// An event of the scene that has occurred.
struct FiredEvent {
  std::string name;
  double time = 0.0;  // s
};

// A simulation. One thread at a time may use it; different simulations share no data that change.
// All functions that take ids or numbers throw InputError for ids that do not exist, wrong sizes
// and values that are not finite, and then change nothing.
class Simulation {
 public:
  [[nodiscard]] static Simulation load(const std::string& file, const LoadOptions& options = {},
                                       int threads = 1);
  explicit Simulation(const Scene& scene, int threads = 1);
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;
  ~Simulation();
  // Returns another simulation at the same state with the same controls. It continues with the same
  // bits.
  [[nodiscard]] Simulation clone() const;

  // Takes one step of a method with steps, or one event or interval of the others. If it fails, the
  // state is the last good one, and the report says why.
  const StepReport& step();
  // Advances to time t exactly; does nothing if t equals the current time up to rounding. Returns
  // the report of the last step. If given, `goes_on` is called after every step; if it returns
  // false, the simulation stops there.
  const StepReport& advance_to(double t, const std::function<bool()>& goes_on = nullptr);
  const StepReport& report() const;  // of the last step; a default one before the first step
  void reset();                      // sets time 0 and the scene's controls

  [[nodiscard]] Snapshot save() const;
  void restore(const Snapshot& snapshot);

  [[nodiscard]] const Scene& scene() const;
  [[nodiscard]] double time() const;  // s
  // The events that have occurred, in the order of their times. advance_to() returns with the
  // status kStopped at an event that stops the run; the next call continues.
  [[nodiscard]] std::vector<FiredEvent> fired_events() const;
  [[nodiscard]] std::int64_t num_steps() const;  // steps since the start or reset()
  // 64 bits that differ if any bit of the state differs; `tenpin run` prints the same bits.
  [[nodiscard]] std::uint64_t state_hash() const;

  // Names and ids.
  [[nodiscard]] int num_bodies() const;
  [[nodiscard]] BodyId body(const std::string& name) const;
  [[nodiscard]] const std::string& name(BodyId body) const;
  // the joint of the body with that name
  [[nodiscard]] JointId joint(const std::string& name) const;
  [[nodiscard]] JointLayout layout(JointId joint) const;

  // The state. The vectors keep their addresses as long as the simulation exists.
  [[nodiscard]] const VecX& q() const;
  [[nodiscard]] const VecX& v() const;
  [[nodiscard]] VecX joint_position(JointId joint) const;
  [[nodiscard]] VecX joint_velocity(JointId joint) const;
  [[nodiscard]] Transform pose(BodyId body) const;     // of the body's origin, as in the scene
  [[nodiscard]] Velocity velocity(BodyId body) const;  // of its origin
  // Sets the state at the current time. Quaternions must have length 1 to within 1e-6; loops are
  // closed. The method's memory is cleared, and all bodies wake.
  void set_state(const VecX& q, const VecX& v);

  // Results of the last step.
  [[nodiscard]] const std::vector<Contact>& contacts() const;
  [[nodiscard]] const std::vector<Reaction>& reactions() const;
  [[nodiscard]] const Ledger& ledger() const;  // sums since the start, reset() or restore()
  [[nodiscard]] const Certificate& certificate() const;  // the worst since then
  [[nodiscard]] double kinetic_energy() const;           // J   of the current state
  [[nodiscard]] double potential_energy() const;         // J

  // Controls act until you change them, from the next step on, with the same bits as if they were
  // in the scene file. If a method cannot handle the change, it throws InputError and nothing
  // changes.
  void set_body_force(BodyId body, const Vec3& force, const Vec3& torque = Vec3::Zero());
  // Force on each velocity of the joint: N on sliders, N m on hinges and balls. Motors act in
  // addition.
  void set_joint_force(JointId joint, const VecX& force);
  void set_joint_force(JointId joint, double force);
  void set_motor_target(JointId joint, double target);
  void set_motion(BodyId body, const PrescribedMotion& motion);
  void set_gravity(const Vec3& gravity);
  void set_material_pair(const std::string& a, const std::string& b, double friction,
                         double restitution);
  [[nodiscard]] const Vec3& gravity() const;
  // The forces of set_joint_force() for all joints at once, one number per velocity. You may write
  // into this buffer; the next step reads it.
  [[nodiscard]] std::span<double> joint_forces();

  struct Impl;
  [[nodiscard]] const Impl& impl() const { return *impl_; }

 private:
  explicit Simulation(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tenpin
