// A scene that runs: step it, read it, control it.
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

// How a body with prescribed motion moves from now on, in its parent's axes.
struct PrescribedMotion {
  Vec3 velocity = Vec3::Zero();          // m/s
  Vec3 angular_velocity = Vec3::Zero();  // rad/s   about the body's origin
};

// An event of the scene that has happened.
struct FiredEvent {
  std::string name;
  double time = 0.0;  // s
};

// One simulation belongs to one thread at a time; different simulations share nothing that changes.
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
  // Another simulation at the same state with the same controls; it goes on with the same bits.
  [[nodiscard]] Simulation clone() const;

  // One step of a method that steps, one event or interval of the others. If it fails the state
  // stays at the last good one, and the report says why.
  const StepReport& step();
  // Goes on to time t exactly (a t that is now up to rounding changes nothing); returns the report
  // of the last step. `goes_on`, if given, is asked after every step; false stops there.
  const StepReport& advance_to(double t, const std::function<bool()>& goes_on = nullptr);
  const StepReport& report() const;  // of the last step; a default one before the first
  void reset();                      // to time 0 and the scene's controls

  [[nodiscard]] Snapshot save() const;
  void restore(const Snapshot& snapshot);

  [[nodiscard]] const Scene& scene() const;
  [[nodiscard]] double time() const;  // s
  // In the order of their times. advance_to() ends with the status kStopped at an event that stops
  // the run; the next call goes on.
  [[nodiscard]] std::vector<FiredEvent> fired_events() const;
  [[nodiscard]] std::int64_t num_steps() const;  // taken since the start or reset()
  // 64 bits that differ when any bit of the state does; those that `tenpin run` prints.
  [[nodiscard]] std::uint64_t state_hash() const;

  // Names and ids.
  [[nodiscard]] int num_bodies() const;
  [[nodiscard]] BodyId body(const std::string& name) const;
  [[nodiscard]] const std::string& name(BodyId body) const;
  [[nodiscard]] JointId joint(const std::string& name) const;  // the joint of the body of that name
  [[nodiscard]] JointLayout layout(JointId joint) const;

  // State. The vectors keep their addresses as long as the simulation lives.
  [[nodiscard]] const VecX& q() const;
  [[nodiscard]] const VecX& v() const;
  [[nodiscard]] VecX joint_position(JointId joint) const;
  [[nodiscard]] VecX joint_velocity(JointId joint) const;
  [[nodiscard]] Transform pose(BodyId body) const;     // of the body's origin, as in the scene
  [[nodiscard]] Velocity velocity(BodyId body) const;  // of its origin
  // Puts the simulation into a state at the current time. Quaternions must have length 1 to 1e-6;
  // loops are closed. What the method remembers is forgotten, and everything wakes.
  void set_state(const VecX& q, const VecX& v);

  // What happened in the last step.
  [[nodiscard]] const std::vector<Contact>& contacts() const;
  [[nodiscard]] const std::vector<Reaction>& reactions() const;
  [[nodiscard]] const Ledger& ledger() const;  // sums since the start, reset() or restore()
  [[nodiscard]] const Certificate& certificate() const;  // the worst since then
  [[nodiscard]] double kinetic_energy() const;           // J   of the current state
  [[nodiscard]] double potential_energy() const;         // J

  // Controls: they hold until you change them, and act from the next step on with the bits that
  // they would have if the scene's file said so. A method that cannot do what you ask throws
  // InputError and everything stays as it was.
  void set_body_force(BodyId body, const Vec3& force, const Vec3& torque = Vec3::Zero());
  // On each velocity of the joint: N on sliders, N m on hinges and balls. Motors act as well.
  void set_joint_force(JointId joint, const VecX& force);
  void set_joint_force(JointId joint, double force);
  void set_motor_target(JointId joint, double target);
  void set_motion(BodyId body, const PrescribedMotion& motion);
  void set_gravity(const Vec3& gravity);
  void set_material_pair(const std::string& a, const std::string& b, double friction,
                         double restitution);
  [[nodiscard]] const Vec3& gravity() const;
  // One number per velocity: what set_joint_force() sets, all joints at once. You may write into
  // it; it is read when the next step begins.
  [[nodiscard]] std::span<double> joint_forces();

  struct Impl;
  [[nodiscard]] const Impl& impl() const { return *impl_; }

 private:
  explicit Simulation(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tenpin
