// The options of the contact methods: one plain struct per method, as the user writes them.
#pragma once

#include <optional>
#include <string_view>
#include <variant>

namespace tenpin::scene {

// Members without a value are chosen later: see methods/time_stepping/default_stepping.h.   [ST00]
struct TimeSteppingOptions {
  static constexpr std::string_view kName = "time-stepping";

  double step = 1.0 / 240.0;  // s

  // 1: the paper's scheme. 2: drift, kick, drift, with steps divided at impacts, of second order
  // (docs/second-order.md); it has its own single formulation.
  std::optional<int> order;
  // order 2: maximum number of solves of a smooth substep; the second one reduces errors tenfold
  int passes = 2;

  // Formulations of order 1.
  enum class Formulation {
    kPosition,   // gap >= 0 at the end of the step, linearised        [ST00, eq. (7)]
    kVelocity,   // normal velocity >= 0, then projection              [ST00, §3.3]
    kNonlinear,  // gap >= 0 at the end of the step, by fixed point    [ST00, §3.4]
  };
  std::optional<Formulation> formulation;

  // kLemke: polyhedral friction cone, pivoting, small islands.   [ST00, §3.2]
  // kCone: the round cone, for islands of any size.              [ABH18]
  enum class Solver { kLemke, kCone };
  std::optional<Solver> solver;

  // 0: rigid contacts. Otherwise each contact has a compliance of this fraction of its own
  // mobility: a stiff spring along the normal, and one with memory along the surface. The friction
  // cone is still exact.
  double compliance = 0.0;  // -
  bool springs = false;     // true: contacts have the stiffness of their materials instead
  bool is_compliant() const { return compliance > 0.0 || springs; }

  // kNone: impacts are plastic, whatever restitution the materials have. The default is kNewton if
  // materials have restitution, otherwise kNone.
  enum class Restitution { kNone, kNewton, kPoisson };
  std::optional<Restitution> restitution;

  // kPrinted applies friction at the centre of a rounded tip, as the paper prints it for its rod.
  enum class Lever { kFull, kPrinted } lever = Lever::kFull;

  // kPaper: contacts that were active before, that free flight would violate, or that are found
  // violated afterwards. [ST00, §4]
  // kAll: every contact point within the margin.
  enum class ActiveSet { kPaper, kAll } active_set = ActiveSet::kPaper;

  std::optional<int> directions;  // of friction per spatial contact; 2 in planar contacts
  double direction_phase =
      0.0;                 // -   turns the directions by this fraction of their spacing, 0 ... 1
  bool projection = true;  // velocity formulation: remove overlaps after the step
  int fixed_point_iterations = 50;  // nonlinear formulation: most solves per step
  double fixed_point_tolerance =
      1e-13;                        // m   nonlinear formulation: change of position that ends it
  std::optional<double> tolerance;  // -   certified residual of each step, relative to its scale
  bool sleeping = false;            // islands at rest are not solved until something touches them
};

// [B89]
struct AnalyticOptions {
  static constexpr std::string_view kName = "analytic";

  // kDormandPrince: order 5 with dense output; the paper names the others.
  enum class Integrator {
    kDormandPrince,
    kRungeKutta4,
    kAdams,
  } integrator = Integrator::kDormandPrince;

  enum class Events { kRegulaFalsi, kBisection } events = Events::kRegulaFalsi;  // [B89, §3]

  // kLcp: exact, by complementarity. kLp: the paper's guesses by linear programs; the last guess is
  // not a solution and adds energy.   [B89, §6]
  enum class Forces { kLcp, kLp } forces = Forces::kLcp;

  // kNone: frictionless surfaces, as in the paper. kCoulomb: the materials' friction.
  enum class Friction { kNone, kCoulomb } friction = Friction::kCoulomb;

  enum class Collisions { kSimultaneous, kPropagation } collisions = Collisions::kSimultaneous;

  enum class Law { kNewton, kPoisson, kEnergetic };
  // If empty: energetic where friction and restitution occur together, otherwise Newton's, which is
  // then equivalent and, for several contacts at once, the paper's law.
  std::optional<Law> law;

  double max_step = 0.05;         // s   of the integrator
  double tolerance = 1e-12;       // -   of the integrator: error of a step relative to 1 + size
  double event_tolerance = 1e-9;  // m   penetration up to which an event may be detected late
  double residual = 1e-8;         // -   certified residual of each step, relative to its scale
};

// [MC95]
struct ImpulseOptions {
  static constexpr std::string_view kName = "impulse";

  double interval =
      0.01;  // s   between times at which all bodies are synchronised and reports are made
  double envelope = 0.0;  // m   bodies closer than this collide; 0: derived from the scene
  enum class Law { kPoisson, kEnergetic, kNewton } law = Law::kPoisson;
  bool microcollisions = true;
  int cap = 1000000;        // impacts per interval; if there are more, the run ends
  double tolerance = 1e-8;  // -   certified residual of each impact
};

// Only for comparison: the paper advises against it.   [B89, §2.1]
struct PenaltyOptions {
  static constexpr std::string_view kName = "penalty";

  double step = 1e-4;      // s
  double stiffness = 1e4;  // N/m     of each contact point
  double damping = 10.0;   // N s/m
};

// The options of a scene's method. method_keys.h maps keys of a scene file to members.
using MethodOptions =
    std::variant<TimeSteppingOptions, AnalyticOptions, ImpulseOptions, PenaltyOptions>;

// The method's name in scene files and on the command line.
[[nodiscard]] inline std::string_view name_of(const MethodOptions& method) {
  return std::visit(
      [](const auto& options) {
        return options.kName;
      },
      method);
}

// True if the method advances from event to event, in steps of its own choice.
[[nodiscard]] inline bool is_event_driven(const MethodOptions& method) {
  return std::holds_alternative<AnalyticOptions>(method) ||
         std::holds_alternative<ImpulseOptions>(method);
}

}  // namespace tenpin::scene
