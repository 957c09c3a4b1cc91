#include "record/rows.h"

#include <algorithm>
#include <type_traits>

#include "base/check.h"

namespace tenpin::record {
namespace {

using enum FieldType;

static_assert(std::is_trivially_copyable_v<StepRow> && std::is_trivially_copyable_v<ContactRow>);
static_assert(sizeof(StepRow) == 19 * 8 + 3 * 8 + 8 * 4 + 6 + 2);
static_assert(sizeof(ReactionRow) == 18 * 8 + 8 + 4 + 4);
static_assert(sizeof(ContactRow) == 27 * 8 + 8 + 6 * 4 + 3 + 5);
static_assert(sizeof(MessageRow) == 256 && sizeof(StatusRow) == 1032 &&
              sizeof(CommittedRow) == 56 && sizeof(RestartRow) == 32);

constexpr std::size_t work_offset(contact::Ledger::Stage stage) {
  return offsetof(StepRow, work) + stage * sizeof(double);
}

// clang-format off
constexpr std::array kStepFields = {
    Field{"step", "-", kInt64, offsetof(StepRow, step)},
    Field{"t", "s", kReal, offsetof(StepRow, t)},
    Field{"status", "-", kAdvanceStatus, offsetof(StepRow, status)},
    Field{"solver", "-", kSolveStatus, offsetof(StepRow, solver)},
    Field{"passed", "-", kBool, offsetof(StepRow, passed)},
    Field{"residual", "-", kReal, offsetof(StepRow, residual)},
    Field{"penetration", "m", kReal, offsetof(StepRow, penetration)},
    Field{"cone_violation", "N s", kReal, offsetof(StepRow, cone_violation)},
    Field{"dissipation_gap", "J", kReal, offsetof(StepRow, dissipation_gap)},
    Field{"work_free_flight", "J", kReal, work_offset(contact::Ledger::kFreeFlight)},
    Field{"work_applied", "J", kReal, work_offset(contact::Ledger::kApplied)},
    Field{"work_scheme", "J", kReal, work_offset(contact::Ledger::kScheme)},
    Field{"work_normal", "J", kReal, work_offset(contact::Ledger::kNormal)},
    Field{"work_friction", "J", kReal, work_offset(contact::Ledger::kFriction)},
    Field{"work_constraint", "J", kReal, work_offset(contact::Ledger::kConstraint)},
    Field{"work_projection", "J", kReal, work_offset(contact::Ledger::kProjection)},
    Field{"work_prescribed", "J", kReal, work_offset(contact::Ledger::kPrescribed)},
    Field{"kinetic", "J", kReal, offsetof(StepRow, kinetic)},
    Field{"potential", "J", kReal, offsetof(StepRow, potential)},
    Field{"closure", "J", kReal, offsetof(StepRow, closure)},
    Field{"excess_work", "J", kReal, offsetof(StepRow, excess_work)},
    Field{"forces_unique", "-", kBool, offsetof(StepRow, forces_unique)},
    Field{"normals_independent", "-", kBool, offsetof(StepRow, normals_independent)},
    Field{"spans_disjoint", "-", kBool, offsetof(StepRow, spans_disjoint)},
    Field{"num_contacts", "-", kInt32, offsetof(StepRow, num_contacts)},
    Field{"num_active", "-", kInt32, offsetof(StepRow, num_active)},
    Field{"problem_size", "-", kInt32, offsetof(StepRow, problem_size)},
    Field{"pivots", "-", kInt32, offsetof(StepRow, pivots)},
    Field{"solves", "-", kInt32, offsetof(StepRow, solves)},
    Field{"iterations", "-", kInt32, offsetof(StepRow, iterations)},
    Field{"contraction", "-", kReal, offsetof(StepRow, contraction)},
    Field{"duration", "s", kReal, offsetof(StepRow, duration)},
    Field{"first_contact", "-", kInt64, offsetof(StepRow, first_contact)},
    Field{"num_recorded", "-", kInt32, offsetof(StepRow, num_recorded)},
    Field{"first_reaction", "-", kInt64, offsetof(StepRow, first_reaction)},
    Field{"num_reactions", "-", kInt32, offsetof(StepRow, num_reactions)},
};

constexpr std::array kContactFields = {
    Field{"step", "-", kInt64, offsetof(ContactRow, step)},
    Field{"body_a", "-", kInt32, offsetof(ContactRow, body_a)},
    Field{"body_b", "-", kInt32, offsetof(ContactRow, body_b)},
    Field{"part_a", "-", kInt32, offsetof(ContactRow, part_a)},
    Field{"part_b", "-", kInt32, offsetof(ContactRow, part_b)},
    Field{"feature_a", "-", kUint32, offsetof(ContactRow, feature_a)},
    Field{"feature_b", "-", kUint32, offsetof(ContactRow, feature_b)},
    Field{"mode", "-", kMode, offsetof(ContactRow, mode)},
    Field{"position", "m", kVector, offsetof(ContactRow, position)},
    Field{"normal", "-", kVector, offsetof(ContactRow, normal)},
    Field{"gap", "m", kReal, offsetof(ContactRow, gap)},
    Field{"impulse", "N s", kVector, offsetof(ContactRow, impulse)},
    Field{"force", "N", kVector, offsetof(ContactRow, force)},
    Field{"duration", "s", kReal, offsetof(ContactRow, duration)},
    Field{"normal_impulse", "N s", kReal, offsetof(ContactRow, normal_impulse)},
    Field{"spin_impulse", "N m s", kReal, offsetof(ContactRow, spin_impulse)},
    Field{"slip", "m/s", kVector, offsetof(ContactRow, slip)},
    Field{"normal_velocity", "m/s", kReal, offsetof(ContactRow, normal_velocity)},
    Field{"residual", "-", kReal, offsetof(ContactRow, residual)},
    Field{"dissipation_gap", "J", kReal, offsetof(ContactRow, dissipation_gap)},
    Field{"normal_work", "J", kReal, offsetof(ContactRow, normal_work)},
    Field{"friction_work", "J", kReal, offsetof(ContactRow, friction_work)},
    Field{"painleve", "1/kg", kReal, offsetof(ContactRow, painleve)},
    Field{"free_acceleration", "m/s^2", kReal, offsetof(ContactRow, free_acceleration)},
    Field{"no_acceleration_solution", "-", kBool, offsetof(ContactRow, no_acceleration_solution)},
    Field{"excess_work", "J", kReal, offsetof(ContactRow, excess_work)},
    Field{"force_unique", "-", kBool, offsetof(ContactRow, force_unique)},
};

constexpr std::array kReactionFields = {
    Field{"step", "-", kInt64, offsetof(ReactionRow, step)},
    Field{"kind", "-", kReactionKind, offsetof(ReactionRow, kind)},
    Field{"index", "-", kInt32, offsetof(ReactionRow, index)},
    Field{"position", "m", kVector, offsetof(ReactionRow, position)},
    Field{"force", "N", kVector, offsetof(ReactionRow, force)},
    Field{"torque", "N m", kVector, offsetof(ReactionRow, torque)},
    Field{"impulse", "N s", kVector, offsetof(ReactionRow, impulse)},
    Field{"moment", "N m s", kVector, offsetof(ReactionRow, moment)},
    Field{"drive", "N m, N", kReal, offsetof(ReactionRow, drive)},
    Field{"stop", "N m, N", kReal, offsetof(ReactionRow, stop)},
    Field{"duration", "s", kReal, offsetof(ReactionRow, duration)},
};

constexpr std::array kRestartFields = {
    Field{"t", "s", kReal, offsetof(RestartRow, t)},
    Field{"step", "-", kInt64, offsetof(RestartRow, step)},
    Field{"first_word", "-", kInt64, offsetof(RestartRow, first_word)},
    Field{"num_words", "-", kInt64, offsetof(RestartRow, num_words)},
};

constexpr std::array kMessageFields = {
    Field{"step", "-", kInt64, offsetof(MessageRow, step)},
    Field{"text", "-", kText248, offsetof(MessageRow, text)},
};

constexpr std::array kStatusFields = {
    Field{"state", "-", kRunState, offsetof(StatusRow, state)},
    Field{"pid", "-", kInt64, offsetof(StatusRow, pid)},
    Field{"wall_time", "s", kReal, offsetof(StatusRow, wall_time)},
    Field{"cpu_time", "s", kReal, offsetof(StatusRow, cpu_time)},
    Field{"message", "-", kText1000, offsetof(StatusRow, message)},
};

constexpr std::array kCommittedFields = {
    Field{"contacts", "-", kInt64, offsetof(CommittedRow, contacts)},
    Field{"reactions", "-", kInt64, offsetof(CommittedRow, reactions)},
    Field{"words", "-", kInt64, offsetof(CommittedRow, words)},
    Field{"messages", "-", kInt64, offsetof(CommittedRow, messages)},
    Field{"steps", "-", kInt64, offsetof(CommittedRow, steps)},
    Field{"frames", "-", kInt64, offsetof(CommittedRow, frames)},
    Field{"checks", "-", kInt64, offsetof(CommittedRow, checks)},
};

// The names are part of the file format: they must not change even if the program's own names do.
constexpr std::array<std::string_view, 2> kBoolNames = {"FALSE", "TRUE"};
constexpr std::array<std::string_view, 5> kModeNames = {"separating", "sliding", "sticking", "resting", "touching"};
constexpr std::array<std::string_view, 4> kAdvanceNames = {"reached_end", "solver_failed", "certificate_failed",
                                                           "nonfinite"};
constexpr std::array<std::string_view, 7> kSolveNames = {"solved", "ray", "null_pivot", "iteration_limit",
                                                         "cycle", "nonfinite", "residual"};
constexpr std::array<std::string_view, 2> kReactionNames = {"joint", "loop"};
constexpr std::array<std::string_view, 4> kStateNames = {"running", "finished", "failed", "interrupted"};
// clang-format on

static_assert(contact::kNumModes == kModeNames.size());
static_assert(static_cast<int>(methods::AdvanceStatus::kNonfinite) + 1 == kAdvanceNames.size());
static_assert(static_cast<int>(complementarity::SolveStatus::kResidual) + 1 == kSolveNames.size());

std::array<double, 3> to_array(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

Vec3 to_vector(const std::array<double, 3>& v) {
  return {v[0], v[1], v[2]};
}

}  // namespace

std::span<const Field> step_fields() {
  return kStepFields;
}
std::span<const Field> contact_fields() {
  return kContactFields;
}
std::span<const Field> reaction_fields() {
  return kReactionFields;
}
std::span<const Field> restart_fields() {
  return kRestartFields;
}
std::span<const Field> message_fields() {
  return kMessageFields;
}
std::span<const Field> status_fields() {
  return kStatusFields;
}
std::span<const Field> committed_fields() {
  return kCommittedFields;
}

std::size_t size_of(FieldType type) {
  switch (type) {
    case kReal:
    case kInt64:
      return 8;
    case kVector:
      return 24;
    case kInt32:
    case kUint32:
      return 4;
    case kBool:
    case kMode:
    case kAdvanceStatus:
    case kSolveStatus:
    case kRunState:
    case kReactionKind:
      return 1;
    case kText248:
      return 248;
    case kText1000:
      return 1000;
  }
  TENPIN_DEMAND(false);
  return 0;
}

std::span<const std::string_view> names_of(FieldType type) {
  switch (type) {
    case kBool:
      return kBoolNames;
    case kMode:
      return kModeNames;
    case kAdvanceStatus:
      return kAdvanceNames;
    case kSolveStatus:
      return kSolveNames;
    case kRunState:
      return kStateNames;
    case kReactionKind:
      return kReactionNames;
    default:
      return {};
  }
}

StepRow to_row(const methods::StepReport& report) {
  return {
      .t = report.t,
      .residual = report.certificate.residual,
      .penetration = report.certificate.penetration,
      .cone_violation = report.certificate.cone_violation,
      .dissipation_gap = report.certificate.dissipation_gap,
      .work = report.ledger.work,
      .kinetic = report.ledger.kinetic,
      .potential = report.ledger.potential,
      .closure = report.ledger.closure,
      .contraction = report.contraction,
      .excess_work = report.certificate.excess_work,
      .duration = 0.0,
      .step = report.step,
      .first_contact = 0,
      .first_reaction = 0,
      .num_recorded = 0,
      .num_reactions = 0,
      .num_contacts = report.num_contacts,
      .num_active = report.num_active,
      .problem_size = report.problem_size,
      .pivots = report.pivots,
      .solves = report.solves,
      .iterations = report.iterations,
      .status = static_cast<std::uint8_t>(report.status),
      .solver = static_cast<std::uint8_t>(report.solver),
      .passed = report.certificate.passed,
      .normals_independent = report.existence.normals_independent,
      .spans_disjoint = report.existence.spans_disjoint,
      .forces_unique = report.certificate.forces_unique,
      .reserved = {},
  };
}

ContactRow to_row(const contact::ContactRecord& contact, std::int64_t step, double duration) {
  const double per_second = duration > 0.0 ? 1.0 / duration : 0.0;
  return {
      .position = to_array(contact.position),
      .normal = to_array(contact.normal),
      .impulse = to_array(contact.impulse),
      .slip = to_array(contact.slip),
      .gap = contact.gap,
      .normal_impulse = contact.normal_impulse,
      .spin_impulse = contact.spin_impulse,
      .normal_velocity = contact.normal_velocity,
      .residual = contact.residual,
      .dissipation_gap = contact.dissipation_gap,
      .normal_work = contact.normal_work,
      .friction_work = contact.friction_work,
      .painleve = contact.painleve,
      .free_acceleration = contact.free_acceleration,
      .excess_work = contact.excess_work,
      .force = to_array(per_second * contact.impulse),
      .duration = duration,
      .step = step,
      .body_a = contact.body_a,
      .body_b = contact.body_b,
      .part_a = contact.key.part_a,
      .part_b = contact.key.part_b,
      .feature_a = contact.key.feature_a,
      .feature_b = contact.key.feature_b,
      .mode = static_cast<std::uint8_t>(contact.mode),
      .no_acceleration_solution = contact.no_acceleration_solution,
      .force_unique = contact.force_unique,
      .reserved = {},
  };
}

methods::StepReport to_report(const StepRow& row) {
  methods::StepReport report;
  report.step = row.step;
  report.t = row.t;
  report.status = static_cast<methods::AdvanceStatus>(row.status);
  report.solver = static_cast<complementarity::SolveStatus>(row.solver);
  report.certificate = {.residual = row.residual,
                        .penetration = row.penetration,
                        .cone_violation = row.cone_violation,
                        .dissipation_gap = row.dissipation_gap,
                        .passed = row.passed != 0,
                        .excess_work = row.excess_work,
                        .forces_unique = row.forces_unique != 0};
  report.ledger = {
      .work = row.work, .kinetic = row.kinetic, .potential = row.potential, .closure = row.closure};
  report.existence = {.normals_independent = row.normals_independent != 0,
                      .spans_disjoint = row.spans_disjoint != 0};
  report.num_contacts = row.num_contacts;
  report.num_active = row.num_active;
  report.problem_size = row.problem_size;
  report.pivots = row.pivots;
  report.solves = row.solves;
  report.iterations = row.iterations;
  report.contraction = row.contraction;
  return report;
}

contact::ContactRecord to_record(const ContactRow& row) {
  contact::ContactRecord contact;
  contact.key = {row.part_a, row.part_b, row.feature_a, row.feature_b};
  contact.body_a = row.body_a;
  contact.body_b = row.body_b;
  contact.position = to_vector(row.position);
  contact.normal = to_vector(row.normal);
  contact.gap = row.gap;
  contact.impulse = to_vector(row.impulse);
  contact.normal_impulse = row.normal_impulse;
  contact.spin_impulse = row.spin_impulse;
  contact.slip = to_vector(row.slip);
  contact.normal_velocity = row.normal_velocity;
  contact.mode = static_cast<contact::Mode>(row.mode);
  contact.residual = row.residual;
  contact.dissipation_gap = row.dissipation_gap;
  contact.normal_work = row.normal_work;
  contact.friction_work = row.friction_work;
  contact.painleve = row.painleve;
  contact.free_acceleration = row.free_acceleration;
  contact.no_acceleration_solution = row.no_acceleration_solution != 0;
  contact.excess_work = row.excess_work;
  contact.force_unique = row.force_unique != 0;
  return contact;
}

}  // namespace tenpin::record
