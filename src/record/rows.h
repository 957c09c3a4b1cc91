// The rows of a run file's tables, and the only list that defines the meaning of their bytes: the
// writer makes the HDF5 types from it, the reader checks the types against it, and the CSV takes
// its columns from it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "contact/report.h"
#include "methods/method.h"

namespace tenpin::record {

// Members are ordered by decreasing size, so that there is no hidden padding.
struct StepRow {
  double t, residual, penetration, cone_violation, dissipation_gap;
  std::array<double, contact::Ledger::kNumStages> work;
  double kinetic, potential, closure, contraction;
  double excess_work;
  double duration;
  std::int64_t step, first_contact, first_reaction;
  std::int32_t num_recorded, num_reactions, num_contacts, num_active, problem_size, pivots, solves,
      iterations;
  std::uint8_t status, solver, passed, normals_independent, spans_disjoint, forces_unique;
  std::array<std::uint8_t, 2> reserved;
};

struct ContactRow {
  std::array<double, 3> position, normal, impulse, slip;
  double gap, normal_impulse, spin_impulse, normal_velocity, residual, dissipation_gap;
  double normal_work, friction_work, painleve, free_acceleration, excess_work;
  std::array<double, 3> force;
  double duration;
  std::int64_t step;
  std::int32_t body_a, body_b, part_a, part_b;
  std::uint32_t feature_a, feature_b;
  std::uint8_t mode, no_acceleration_solution, force_unique;
  std::array<std::uint8_t, 5> reserved;
};

// The reaction of a joint or loop over a step.
struct ReactionRow {
  enum Kind : std::uint8_t { kJoint, kLoop };
  std::array<double, 3> position, impulse, moment, force, torque;
  double drive, stop, duration;
  std::int64_t step;
  std::int32_t index;  // body that the joint moves, or number of the loop
  std::uint8_t kind;
  std::array<std::uint8_t, 3> reserved;
};

// The state from which a run continues at a frame.
struct RestartRow {
  double t;                            // s   of the frame, or of the last step before it
  std::int64_t step;                   // number of complete steps, as in dynamics::State::step
  std::int64_t first_word, num_words;  // its rows in the table of words
};

struct MessageRow {
  std::int64_t step;
  std::array<char, 248> text;  // UTF-8, zero-padded
};

enum class RunState : std::uint8_t { kRunning, kFinished, kFailed, kInterrupted };

struct StatusRow {
  double wall_time, cpu_time;
  std::int64_t pid;
  std::uint8_t state;
  std::array<std::uint8_t, 7> check;  // hash of the other bytes (row_checks.h)
  std::array<char, 1000> message;
};

// The number of valid rows of each table. The order matters: if a write is incomplete, rows to
// which other rows point are always counted first.
struct CommittedRow {
  std::int64_t contacts, reactions, words, messages, steps, frames, checks;
};

enum class FieldType : std::uint8_t {
  kReal,
  kVector,  // three reals
  kInt64,
  kInt32,
  kUint32,
  kBool,
  kMode,           // contact::Mode
  kAdvanceStatus,  // methods::AdvanceStatus
  kSolveStatus,    // complementarity::SolveStatus
  kRunState,
  kReactionKind,
  kText248,
  kText1000,
};

struct Field {
  std::string_view name;
  std::string_view unit;
  FieldType type;
  std::size_t offset;
};

[[nodiscard]] std::span<const Field> step_fields();
[[nodiscard]] std::span<const Field> contact_fields();
[[nodiscard]] std::span<const Field> reaction_fields();
[[nodiscard]] std::span<const Field> restart_fields();
[[nodiscard]] std::span<const Field> message_fields();
[[nodiscard]] std::span<const Field> status_fields();
[[nodiscard]] std::span<const Field> committed_fields();

// The number of bytes of one value of that type.
[[nodiscard]] std::size_t size_of(FieldType type);

// The names of an enumeration by code; empty for other types.
[[nodiscard]] std::span<const std::string_view> names_of(FieldType type);

[[nodiscard]] StepRow to_row(const methods::StepReport& report);
// Converts a contact. Impulses act for `duration` (s); in impacts, which take no time, forces are
// 0.
[[nodiscard]] ContactRow to_row(const contact::ContactRecord& contact, std::int64_t step,
                                double duration);

// Converts a row to a report without the message, which the row does not contain.
[[nodiscard]] methods::StepReport to_report(const StepRow& row);
[[nodiscard]] contact::ContactRecord to_record(const ContactRow& row);

}  // namespace tenpin::record
