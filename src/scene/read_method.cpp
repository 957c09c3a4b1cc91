#include "scene/read_method.h"

#include <string_view>

#include "base/check.h"
#include "scene/values.h"
#include "scene/words.h"

namespace tenpin::scene {

namespace {

constexpr int kMostDirections = 1024;

void read_time_stepping(const Node& node, MethodOptions* method, ProblemList* problems) {
  TimeSteppingOptions& options = method->time_stepping;
  take(node, "step", &options.step);
  take(node, "order", &options.order);
  take(node, "passes", &options.passes);
  take(node, "formulation", kFormulationWords, &options.formulation);
  take(node, "solver", kSolverWords, &options.solver);
  take(node, "directions", &options.directions);
  take(node, "direction_phase", &options.direction_phase);
  take(node, "restitution", kRestitutionWords, &options.restitution);
  take(node, "lever", kLeverWords, &options.lever);
  take(node, "active_set", kActiveSetWords, &options.active_set);
  take(node, "projection", &options.projection);
  if (const Node* contact = node.find("contact")) {
    options.springs = contact->is_scalar() && contact->text == "springs";
    if (!contact->is_scalar()) take(*contact, "compliance", &options.compliance);
  }
  take(node, "tolerance", &options.tolerance);
  take(node, "sleeping", &options.sleeping);
  if (const Node* fixed_point = node.find("fixed_point")) {
    take(*fixed_point, "iterations", &options.fixed_point_iterations);
    take(*fixed_point, "tolerance", &options.fixed_point_tolerance);
  }
  if (options.directions.value_or(0) > kMostDirections) {
    problems->throw_limit(node.find("directions")->place, "method.time-stepping.directions",
                          "too many, got " + std::to_string(*options.directions) +
                              ", want at most " + std::to_string(kMostDirections) +
                              " (a fixed limit, no flag raises it)");
  }
}

void read_analytic(const Node& node, MethodOptions* method, ProblemList* /*problems*/) {
  AnalyticOptions& options = method->analytic;
  take(node, "integrator", kIntegratorWords, &options.integrator);
  take(node, "events", kEventsWords, &options.events);
  take(node, "forces", kForcesWords, &options.forces);
  take(node, "friction", kAnalyticFrictionWords, &options.friction);
  take(node, "collisions", kCollisionsWords, &options.collisions);
  take(node, "law", kAnalyticLawWords, &options.law);
  take(node, "max_step", &options.max_step);
  take(node, "tolerance", &options.tolerance);
  take(node, "event_tolerance", &options.event_tolerance);
  take(node, "residual", &options.residual);
}

void read_impulse(const Node& node, MethodOptions* method, ProblemList* /*problems*/) {
  ImpulseOptions& options = method->impulse;
  take(node, "interval", &options.interval);
  take(node, "envelope", &options.envelope);
  take(node, "law", kImpulseLawWords, &options.law);
  take(node, "microcollisions", &options.microcollisions);
  take(node, "cap", &options.cap);
  take(node, "tolerance", &options.tolerance);
}

void read_penalty(const Node& node, MethodOptions* method, ProblemList* /*problems*/) {
  PenaltyOptions& options = method->penalty;
  take(node, "step", &options.step);
  take(node, "stiffness", &options.stiffness);
  take(node, "damping", &options.damping);
}

// The reader of a method in the format's table `method`.
struct MethodReader {
  std::string_view name;
  void (*read)(const Node& node, MethodOptions* method, ProblemList* problems);
};

constexpr MethodReader kReaders[] = {
    {"time-stepping", read_time_stepping},
    {"analytic", read_analytic},
    {"impulse", read_impulse},
    {"penalty", read_penalty},
};

}  // namespace

MethodOptions read_method(const Node& method, ProblemList* problems) {
  MethodOptions options;
  options.name = method.keys.front().text;
  for (const MethodReader& reader : kReaders) {
    if (reader.name == options.name) {
      reader.read(method.items.front(), &options, problems);
      return options;
    }
  }
  TENPIN_DEMAND(false && "a method of the format without a reader");
  return options;
}

double step_of(const MethodOptions& method) {
  if (method.name == "impulse") return method.impulse.interval;
  if (method.name == "penalty") return method.penalty.step;
  return method.name == "time-stepping" ? method.time_stepping.step : 0.0;
}

}  // namespace tenpin::scene
