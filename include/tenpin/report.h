// The result of a step: contacts with impulses, reactions, certificate and energy ledger.
#pragma once

#include <tenpin/types.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tenpin {

enum class Status {
  kDone,
  kSolverFailed,       // no solution was found
  kCertificateFailed,  // a solution was found that fails the check
  kNonfinite,          // the state is no longer finite
  kStopped,            // you asked to stop
};
[[nodiscard]] std::string_view to_string(Status status);

enum class ContactMode : std::uint8_t {
  kSeparating,  // no impulse; the bodies are apart or separating
  kSliding,     // friction at its limit, opposing the slip
  kSticking,    // no slip, held by friction
  kResting,     // no slip, and no friction needed
  kTouching,    // closed and not opening, but without an impulse
};
[[nodiscard]] std::string_view to_string(ContactMode mode);

// One contact point of the last step. Joint stops are contacts of a body with itself.
struct Contact {
  BodyId body_a;
  BodyId body_b;
  Vec3 position = Vec3::Zero();  // m
  Vec3 normal = Vec3::Zero();    // -      from a to b
  double gap = 0.0;              // m      after the step
  Vec3 impulse = Vec3::Zero();   // N s    on b over the step; the opposite acts on a
  Vec3 force = Vec3::Zero();     // N      impulse over the step's length; 0 for an instant impact
  double normal_impulse = 0.0;   // N s
  double spin_impulse = 0.0;     // N m s  about the normal
  Vec3 slip = Vec3::Zero();      // m/s    velocity of b relative to a, after the step
  double normal_velocity = 0.0;  // m/s    after the step; > 0 separating
  ContactMode mode = ContactMode::kSeparating;
  double residual = 0.0;       // -      error of this contact in the contact law
  double normal_work = 0.0;    // J      done on the bodies
  double friction_work = 0.0;  // J
  bool force_unique = true;    // false: other impulses give the same motion
};

// The impulse of a joint on its body in the last step: constraint, motor, spring and stops.
struct Reaction {
  enum class Kind : std::uint8_t { kJoint, kLoop } kind = Kind::kJoint;
  int index = 0;                 // of the body that the joint moves, or of the loop
  Vec3 position = Vec3::Zero();  // m      where it acts, at the middle of the step
  Vec3 impulse = Vec3::Zero();   // N s    on the body, from its parent; world axes
  Vec3 moment = Vec3::Zero();    // N m s  about `position`
  Vec3 force = Vec3::Zero();     // N      mean over the step; 0 for an instant impact
  Vec3 torque = Vec3::Zero();    // N m
  // N m, N   part about or along the axis of a hinge or slider: by its motor, spring, damping and
  // friction
  double drive = 0.0;
  double stop = 0.0;  // N m, N   the same by a stop
};

// The work of each stage, and the energy after the step.   J
struct Ledger {
  double kinetic = 0.0;      // of the state after the step
  double potential = 0.0;    // of gravity and springs
  double free_flight = 0.0;  // rounding error of free rotation
  double applied = 0.0;      // work of your forces, motors and drag
  double scheme = 0.0;       // the integrator's own error
  double normal = 0.0;       // work of normal impulses
  double friction = 0.0;     // work of friction
  double constraint = 0.0;   // work of joints and loops
  double projection = 0.0;   // work of position corrections
  double prescribed = 0.0;   // work of prescribed motion, through contacts and joints
  double closure = 0.0;      // sum of the works minus the change of energy: rounding

  double total() const { return kinetic + potential; }
};

// The result of the checks on a step, made by code that no solver shares.
struct Certificate {
  double residual = 0.0;         // -    worst residual of the contact law
  double penetration = 0.0;      // m    deepest overlap after the step
  double cone_violation = 0.0;   // N s  friction beyond mu times the normal impulse
  double dissipation_gap = 0.0;  // J
  double excess_work = 0.0;      // J    largest work of a contact beyond what its law allows
  bool forces_unique = true;
  bool passed = true;
};

struct StepReport {
  std::int64_t step = 0;  // number of the step or event, from 1
  double time = 0.0;      // s   its end
  double duration = 0.0;  // s   0 for an instant impact
  Status status = Status::kDone;
  Certificate certificate;
  Ledger ledger;  // of this step
  int num_contacts = 0;
  int num_asleep = 0;   // bodies that took no part in the step
  std::string message;  // what went wrong, or what you should know; usually empty

  bool ok() const { return status == Status::kDone; }
  bool certified() const { return status == Status::kDone && certificate.passed; }
};

}  // namespace tenpin
