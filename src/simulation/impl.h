// The implementation of tenpin::Simulation.
#pragma once

#include "simulation/public.h"
// The line above must come first.
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "contact/report.h"
#include "dynamics/kinematics.h"
#include "dynamics/model.h"
#include "dynamics/state.h"
#include "methods/method.h"
#include "scene/scene.h"
#include "simulation/reactions.h"

namespace tenpin {

// The values of one body that a caller may change.
struct BodyControls {
  Vec3 force = Vec3::Zero();   // N     at the centre of mass, world axes
  Vec3 torque = Vec3::Zero();  // N m
  double motor_target = 0.0;
  dynamics::TimeCurve motor_curve;
  dynamics::PrescribedMotion motion;
  Pose X_PJ;  // for a prescribed body: its pose at t = 0
};

struct Controls {
  Vec3 gravity = Vec3::Zero();              // m/s^2
  std::vector<BodyControls> bodies;         // by body
  std::vector<double> joint_forces;         // nv
  std::vector<dynamics::Surface> surfaces;  // as in the model
};

struct Totals {
  Ledger ledger;
  Certificate certificate;
  std::int64_t num_steps = 0;
};

// Poses and velocities of the state, computed when they are first requested.
struct Kinematics {
  bool is_current = false;
  std::vector<Pose> X_WB;
  std::vector<dynamics::Twist> V_WB;
};

struct LastStep {
  StepReport report;
  // The method's own records if they stay valid until its next step or until its model changes,
  // otherwise `kept_records`.
  std::span<const contact::ContactRecord> records;
  std::vector<contact::ContactRecord> kept_records;
  bool has_contacts = false;  // `contacts` is made from the records
  std::vector<Contact> contacts;
  bool has_reactions = false;
  std::vector<Reaction> reactions;
  dynamics::State before, after;  // q, v, t around the step, if the scene has joints
};

struct SnapshotContents {
  dynamics::State state;
  Controls controls;
};

struct Simulation::Impl final : methods::StepObserver {
  Impl(const Scene& its_scene, int its_threads);
  Impl(const Impl& other);
  Impl& operator=(const Impl&) = delete;

  bool on_step(const methods::StepReport& step, std::span<const contact::ContactRecord> records,
               const dynamics::State& state_after) override;
  bool is_stopped() override { return goes_on && !goes_on(); }

  // Call before a step: uses the values that the caller wrote into the buffer of joint forces.
  void use_joint_forces();
  // Call after any change of the state.
  void publish();
  // The controls, including changes by events.
  [[nodiscard]] Controls calc_controls();
  // Switches to other controls. If the method throws, passes the exception on and keeps the old
  // controls.
  void use(Controls its_controls);
  // Writes the controls into the model.
  void write_controls();
  void write_body(int body);
  // Writes the joint forces of bodies for which they differ from `old`.
  void write_joint_forces(const std::vector<double>& old);
  void forget_last_step();
  // Copies the records of the last step before the method overwrites its own.
  void keep_records();
  // Calls a function that advances the method. If it throws, the method's records are lost.
  methods::AdvanceStatus advance_method(const std::function<methods::AdvanceStatus()>& advance);

  void update_kinematics();

  [[nodiscard]] int check(BodyId body) const;
  [[nodiscard]] int check(JointId joint) const;

  Scene scene;
  int threads;
  dynamics::Model model;                             // a copy, because controls are written into it
  std::vector<dynamics::AppliedForce> scene_forces;  // by body, as in the scene
  dynamics::State start;                             // at t = 0
  Controls scene_controls;                           // as in the scene
  dynamics::State state;
  Controls controls;
  std::unique_ptr<methods::Method> method;

  VecX q, v;                         // copies of the state's q and v, whose addresses do not change
  std::vector<double> joint_forces;  // nv   written by the caller

  Kinematics kinematics;
  LastStep last;
  Totals totals;
  // true for methods with fixed steps if nothing changes the model between steps
  bool method_keeps_records = false;
  std::function<bool()> goes_on;
};

// Throws InputError that names the argument unless all numbers are finite and at most `largest` in
// size.
void check_numbers(const char* argument, const double* numbers, Eigen::Index count, double largest);
inline void check_vector(const char* argument, const Vec3& x, double largest) {
  check_numbers(argument, x.data(), 3, largest);
}
void check_size(const char* argument, Eigen::Index got, Eigen::Index want);

// Closes the loops of a state that is nearly closed; throws InputError if it is not.
void close_all_loops(const dynamics::Model& model, double t, VecX* q, VecX* v);

inline constexpr double kLargestForce = 1e18;    // N, N m    as in scene files
inline constexpr double kLargestVelocity = 1e9;  // m/s, rad/s
inline constexpr double kLargestPosition = 1e7;  // m

// M^-1 J': the change of velocities per impulse along the rows of J, while loops stay closed.
[[nodiscard]] MatX calc_responses(const Simulation& simulation, const MatX& J);

[[nodiscard]] Status to_public(methods::AdvanceStatus status);
[[nodiscard]] Contact to_public(const contact::ContactRecord& record, double duration);
[[nodiscard]] Reaction to_public(const simulation::JointReaction& reaction, double duration);
void add_step(const methods::StepReport& step, Totals* totals);
[[nodiscard]] StepReport to_public(const methods::StepReport& step, double duration);

}  // namespace tenpin
