// What is behind tenpin::Simulation.
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

// What a caller may change of one body.
struct BodyControls {
  Vec3 force = Vec3::Zero();   // N     at the centre of mass, world axes
  Vec3 torque = Vec3::Zero();  // N m
  double motor_target = 0.0;
  dynamics::TimeCurve motor_curve;
  dynamics::PrescribedMotion motion;
  Pose X_PJ;  // of a prescribed body: where it would be at t = 0
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

// Of the state, made when they are first asked for.
struct Kinematics {
  bool is_current = false;
  std::vector<Pose> X_WB;
  std::vector<dynamics::Twist> V_WB;
};

struct LastStep {
  StepReport report;
  // The method's own records where these stay until its next step or until its model changes,
  // otherwise `kept_records`.
  std::span<const contact::ContactRecord> records;
  std::vector<contact::ContactRecord> kept_records;
  bool has_contacts = false;  // `contacts` is made from the records
  std::vector<Contact> contacts;
  bool has_reactions = false;
  std::vector<Reaction> reactions;
  dynamics::State before, after;  // q, v, t around the step, if there are joints
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

  // Before a step: takes what was written into the buffer of joint forces.
  void use_joint_forces();
  // After the state has changed in any way.
  void publish();
  // The controls with what events have changed of them.
  [[nodiscard]] Controls calc_controls();
  // Takes over other controls, or throws what the method throws and keeps its own.
  void use(Controls its_controls);
  // Writes the controls into the model.
  void write_controls();
  void write_body(int body);
  // For bodies whose joint forces differ from `old`.
  void write_joint_forces(const std::vector<double>& old);
  void forget_last_step();
  // Copies the records of the last step before the method gives up its own.
  void keep_records();
  // Calls a function that advances the method. If it throws, the method's records are lost.
  methods::AdvanceStatus advance_method(const std::function<methods::AdvanceStatus()>& advance);

  void update_kinematics();

  [[nodiscard]] int check(BodyId body) const;
  [[nodiscard]] int check(JointId joint) const;

  Scene scene;
  int threads;
  dynamics::Model model;                             // own, since controls are written into it
  std::vector<dynamics::AppliedForce> scene_forces;  // by body, as the scene has them
  dynamics::State start;                             // at t = 0
  Controls scene_controls;                           // as the scene has them
  dynamics::State state;
  Controls controls;
  std::unique_ptr<methods::Method> method;

  VecX q, v;                         // copies of the state's, at addresses that stay
  std::vector<double> joint_forces;  // nv   written by the caller

  Kinematics kinematics;
  LastStep last;
  Totals totals;
  bool method_keeps_records = false;  // of fixed steps, and nothing changes the model between them
  std::function<bool()> goes_on;
};

// Throws InputError naming the argument unless all are finite and at most `largest` in size.
void check_numbers(const char* argument, const double* numbers, Eigen::Index count, double largest);
inline void check_vector(const char* argument, const Vec3& x, double largest) {
  check_numbers(argument, x.data(), 3, largest);
}
void check_size(const char* argument, Eigen::Index got, Eigen::Index want);

// Closes the loops of a state that is near to a closed one; throws InputError if it is not.
void close_all_loops(const dynamics::Model& model, double t, VecX* q, VecX* v);

inline constexpr double kLargestForce = 1e18;    // N, N m    as in scene files
inline constexpr double kLargestVelocity = 1e9;  // m/s, rad/s
inline constexpr double kLargestPosition = 1e7;  // m

// M^-1 J': what impulses along the rows of J change of the velocities; loops stay closed.
[[nodiscard]] MatX calc_responses(const Simulation& simulation, const MatX& J);

[[nodiscard]] Status to_public(methods::AdvanceStatus status);
[[nodiscard]] Contact to_public(const contact::ContactRecord& record, double duration);
[[nodiscard]] Reaction to_public(const simulation::JointReaction& reaction, double duration);
void add_step(const methods::StepReport& step, Totals* totals);
[[nodiscard]] StepReport to_public(const methods::StepReport& step, double duration);

}  // namespace tenpin
