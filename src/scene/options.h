// What a scene may say about its contact method: one plain struct per method, as the user types it.
#pragma once

#include <string>
#include <variant>

namespace tenpin::scene {

// [ST00]
struct TimeSteppingOptions {
  double step = 1.0 / 240.0;  // s

  enum class Formulation {
    kPosition,   // gap >= 0 at the end of the step, linearised        [ST00, eq. (7)]
    kVelocity,   // normal velocity >= 0, then projection              [ST00, §3.3]
    kNonlinear,  // gap >= 0 at the end of the step, by fixed point    [ST00, §3.4]
  } formulation = Formulation::kPosition;

  // kLemke: polyhedral friction cone, pivoting, small islands.   [ST00, §3.2]
  // kCone: the round cone, for islands of any size.              [ABH18]
  enum class Solver { kLemke, kCone } solver = Solver::kLemke;

  enum class Restitution { kNone, kNewton, kPoisson } restitution = Restitution::kNone;

  // kPrinted applies friction at the centre of a rounded tip, as the paper prints it for its rod.
  enum class Lever { kFull, kPrinted } lever = Lever::kFull;

  // kPaper: active before, or violated by free flight, or found violated afterwards. [ST00, §4]
  // kAll: every contact point within the margin.
  enum class ActiveSet { kPaper, kAll } active_set = ActiveSet::kPaper;

  int directions = 8;  // friction directions per contact in space; 2 in planar contacts
  double direction_phase =
      0.0;                 // -   turns the directions by this fraction of their spacing, 0 ... 1
  bool projection = true;  // velocity formulation: push overlaps out after the step
  int fixed_point_iterations = 50;  // nonlinear formulation: most solves per step
  double fixed_point_tolerance =
      1e-13;                // m   nonlinear formulation: change of position that ends it
  double tolerance = 1e-8;  // -   certified residual over its scale, per step
};

struct MethodOptions {
  std::string name = "time-stepping";
  TimeSteppingOptions time_stepping;
};

}  // namespace tenpin::scene
