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
  take(node, "formulation", kFormulationWords, &options.formulation);
  take(node, "solver", kSolverWords, &options.solver);
  take(node, "directions", &options.directions);
  take(node, "direction_phase", &options.direction_phase);
  take(node, "restitution", kRestitutionWords, &options.restitution);
  take(node, "lever", kLeverWords, &options.lever);
  take(node, "active_set", kActiveSetWords, &options.active_set);
  take(node, "projection", &options.projection);
  take(node, "tolerance", &options.tolerance);
  if (const Node* fixed_point = node.find("fixed_point")) {
    take(*fixed_point, "iterations", &options.fixed_point_iterations);
    take(*fixed_point, "tolerance", &options.fixed_point_tolerance);
  }
  if (options.directions > kMostDirections) {
    problems->throw_limit(node.find("directions")->place, "method.time-stepping.directions",
                          "too many, got " + std::to_string(options.directions) +
                              ", want at most " + std::to_string(kMostDirections) +
                              " (a fixed limit, no flag raises it)");
  }
}

// A method of the format's table `method` has its reader here.
struct MethodReader {
  std::string_view name;
  void (*read)(const Node& node, MethodOptions* method, ProblemList* problems);
};

constexpr MethodReader kReaders[] = {
    {"time-stepping", read_time_stepping},
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
  return method.name == "time-stepping" ? method.time_stepping.step : 0.0;
}

}  // namespace tenpin::scene
