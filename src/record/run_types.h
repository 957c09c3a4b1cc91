// The parts of a recorded run that are not plain rows of numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "math/types.h"
#include "record/rows.h"

namespace tenpin::record {

// The motion of a body as in the scene: of its origin, not of its centre of mass.
struct BodyMotion {
  Vec3 position = Vec3::Zero();          // m
  Quat orientation = Quat::Identity();   // -
  Vec3 velocity = Vec3::Zero();          // m/s     of the origin
  Vec3 angular_velocity = Vec3::Zero();  // rad/s   world axes
};

struct RunStatus {
  RunState state = RunState::kRunning;
  bool being_written =
      // a process has it open for writing; if false, "running" means that the writer was killed
      false;
  std::int64_t pid = 0;    // of the writer
  double wall_time = 0.0;  // s   0 until the run ends
  double cpu_time = 0.0;   // s
  std::string message;

  // Returns "finished", "failed", "interrupted", "running" or "killed".
  std::string to_string() const;
};

struct RunFrame {
  double t = 0.0;         // s
  std::int64_t step = 0;  // the last step before it
  VecX q;
  VecX v;
  std::vector<BodyMotion> bodies;
  std::int64_t first_contact = 0;  // first of its rows in the contact table
  std::int64_t num_contacts = 0;
  std::int64_t first_reaction = 0;  // first of its rows in the reaction table
  std::int64_t num_reactions = 0;
};

struct RunMessage {
  std::int64_t step = 0;
  std::string text;
};

}  // namespace tenpin::record
