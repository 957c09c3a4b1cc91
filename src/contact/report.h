// The report of one step, contact by contact: the numbers from which a reader can judge the step.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "contact/key.h"
#include "math/types.h"

namespace tenpin::contact {

// What a contact does.   [ST00, §3.1]
enum class Mode : std::uint8_t {
  kSeparating,  // no impulse, and apart or separating
  kSliding,     // impulse on the cone, against the slip
  kSticking,    // rolling, case 1: no slip, impulse inside the cone
  kResting,     // rolling, case 2: no slip and, coincidentally, no friction needed
  kTouching,    // closed and not opening, but without an impulse
};
inline constexpr int kNumModes = 5;

// True if contacts of that mode carry an impulse.
[[nodiscard]] constexpr bool is_loaded(Mode mode) {
  return mode != Mode::kSeparating && mode != Mode::kTouching;
}
// The mode of a contact without impulse. It touches if it is closer than `touching` (m) and
// separates no faster than `slow` (m/s).
[[nodiscard]] inline Mode find_unloaded_mode(double gap, double normal_velocity, double touching,
                                             double slow) {
  return gap <= touching && normal_velocity <= slow ? Mode::kTouching : Mode::kSeparating;
}
[[nodiscard]] std::string_view to_string(Mode mode);

// One contact after the solve.
struct ContactRecord {
  ContactKey key;
  int body_a = 0;
  int body_b = 0;
  Vec3 position =
      Vec3::Zero();            // m      midway between the two surfaces, when the law was evaluated
  Vec3 normal = Vec3::Zero();  // -      from a to b
  double gap = 0.0;            // m      at the end of the step
  Vec3 impulse =
      Vec3::Zero();  // N s    on b (the opposite acts on a), world axes; force = impulse / h
  double normal_impulse = 0.0;  // N s
  double spin_impulse = 0.0;    // N m s  torsional friction about the normal
  Vec3 slip =
      Vec3::Zero();  // m/s    tangential velocity of b's point relative to a's, after the step
  double normal_velocity = 0.0;  // m/s    after the step; > 0 separating
  Mode mode = Mode::kSeparating;
  double residual = 0.0;  // -      of the law of this contact, relative to the scale of the problem
  double dissipation_gap = 0.0;  // J      shortfall from the most dissipative friction
  // J      Work of the normal impulse and of friction on the bodies. If the law follows the path of
  // the impulse, the work is that along the path; otherwise along a straight path, on which only
  // the sum is exact.
  double normal_work = 0.0;
  double friction_work = 0.0;
  double painleve = 0.0;  // 1/kg   A = n'M^-1(n - mu t) of a sliding contact
  double free_acceleration =
      // m/s^2  of the gap without this contact; if both are < 0, no finite force can hold the
      // contact
      0.0;
  bool no_acceleration_solution = false;
  bool force_unique = true;  // false: other impulses give the same motion, and these are the least
  double excess_work = 0.0;  // J      work beyond what restitution and friction allow; 0 if none
};

// The impulse that a joint or a loop transmits over one step. For methods with steps, force =
// impulse / h.
struct Reaction {
  enum class Kind : std::uint8_t { kJoint, kLoop };
  Kind kind = Kind::kJoint;
  int index = 0;                 // body attached by the joint, or number of the loop
  Vec3 position = Vec3::Zero();  // m      where the impulses act, world frame
  Vec3 impulse = Vec3::Zero();   // N s    on the body from its parent, world axes
  Vec3 moment = Vec3::Zero();    // N m s  about `position`
};

// The work of each stage of a step, measured separately.   J
struct Ledger {
  enum Stage {
    kFreeFlight,  // kinetic energy gained by torque-free motion: rounding only
    kApplied,     // work of forces other than gravity
    kScheme,      // the integrator's own error in exchanging kinetic and potential energy
    kNormal,      // normal impulses
    kFriction,    // friction impulses
    kConstraint,  // joint and loop constraints
    kProjection,  // position corrections
    kPrescribed,  // prescribed motion, through the contacts and joints of its bodies
    kNumStages,
  };
  std::array<double, kNumStages> work = {};
  double kinetic = 0.0;    // of the state after the step
  double potential = 0.0;  // of gravity
  double closure = 0.0;    // sum of the stages minus the change of kinetic + potential

  double total() const { return kinetic + potential; }
};
[[nodiscard]] std::string_view to_string(Ledger::Stage stage);

// Shows whether the step's answer is a solution. Computed by code that no solver shares.
struct Certificate {
  double residual = 0.0;         // -   worst scaled residual of the complementarity problems
  double penetration = 0.0;      // m   deepest overlap after the step
  double cone_violation = 0.0;   // N s friction beyond mu times the normal impulse
  double dissipation_gap = 0.0;  // J  worst of the contacts
  bool passed = true;
  double rigid_residual = 0.0;  // -   of the rigid contact law; differs if contacts are compliant
  double excess_work = 0.0;     // J   largest work of a contact beyond what its law allows
  double scheme_gain = 0.0;   // J   energy that the integrator's own error added, beyond its order
  bool forces_unique = true;  // no other contact impulses give the same motion
  bool forces_least = true;   // where others give the same motion, these are the least

  // Keeps the worse value of both, number by number. This does not preserve NaN, so a result with
  // NaN must not have passed.
  Certificate& operator+=(const Certificate& other);
};

// Sufficient conditions for the existence of a solution and for Lemke's algorithm to find it.
// [ST00, §3.2]
struct Existence {
  bool normals_independent = true;  // the normals n(j) are linearly independent
  bool spans_disjoint = true;       // span(n) and span(D) meet only in 0
};

}  // namespace tenpin::contact
