#include "lab/compare_reason.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "base/check.h"
#include "lab/compare_motion.h"

namespace tenpin::lab {

namespace {

using record::find_method_option;
using record::RunHeader;

// The fraction of a distance that remains with half the step: 1/2 for a first-order error, 1/4 for
// a second-order one, nearly all of it if the step is not the reason. Between these thresholds, a
// run with a quarter of the step decides.
constexpr double kHigherOrder = 0.35;
constexpr double kFirstOrder = 0.65;
constexpr double kOtherReason = 0.9;
constexpr double kFirstOrderOfQuarter = 0.55;

bool has_friction(const RunHeader& header) {
  return std::any_of(header.materials.begin(), header.materials.end(), [](const auto& m) {
    return m.mu_along > 0.0 || m.mu_across > 0.0;
  });
}

bool has_restitution(const RunHeader& header) {
  return std::any_of(header.materials.begin(), header.materials.end(), [](const auto& m) {
    return m.restitution > 0.0;
  });
}

std::string describe_cone(const RunHeader& header) {
  if (find_method_option(header, "friction") == "none") return "none";
  if (header.method_name != scene::TimeSteppingOptions::kName) return "round cone";
  if (find_method_option(header, "solver") == "cone") return "round cone";
  return fmt::format("cone of {} sides", find_method_option(header, "directions"));
}

std::string describe_contact(const RunHeader& header) {
  const std::string contact = find_method_option(header, "contact");
  return contact.empty() ? "rigid" : contact;
}

std::string describe_law(const RunHeader& header) {
  const std::string law = find_method_option(header, "restitution");
  return law.empty() ? find_method_option(header, "law") : law;
}

void list_pair(std::string_view what, const std::string& a, const std::string& b,
               std::vector<std::string>* list) {
  if (a != b && !a.empty() && !b.empty())
    list->push_back(fmt::format("{}: {} against {}", what, b, a));
}

// Scales the step. Returns false if the method has none.
bool scale_step(double factor, scene::Scene* scene) {
  auto* options = std::get_if<scene::TimeSteppingOptions>(&scene->method);
  if (options == nullptr) return false;
  options->step *= factor;
  return true;
}

// Runs a scene up to t into a file. Returns true if it reached t.
bool run_until(scene::Scene scene, const RefineOptions& options, const std::string& file) {
  scene.until = options.t_end;
  const Summary summary = simulate(scene, {.threads = options.threads, .run_file = file});
  return summary.status == methods::AdvanceStatus::kReachedEnd;
}

// -   The fraction of the largest distance that remains with the scaled steps; nothing if there are
// no steps or a run fails.
std::optional<double> measure_share(const Contender& a, const Contender& b, double factor,
                                    const RefineOptions& options) {
  scene::Scene scene_a = a.scene;
  scene::Scene scene_b = b.scene;
  const bool has_step_a = scale_step(factor, &scene_a);
  const bool has_step_b = scale_step(factor, &scene_b);
  if (!has_step_a && !has_step_b) return std::nullopt;
  const std::string file_a = options.folder + "/finer-a.h5";
  const std::string file_b = options.folder + "/finer-b.h5";
  const bool got_there = run_until(std::move(scene_a), options, file_a) &&
                         run_until(std::move(scene_b), options, file_b);
  std::optional<double> share;
  if (got_there) {
    const record::RunReader run_a(file_a);
    const record::RunReader run_b(file_b);
    share = calc_largest_distance(run_a, run_b, options.t_end) / options.largest;
  }
  std::remove(file_a.c_str());
  std::remove(file_b.c_str());
  return share;
}

std::string to_percent(double share) {
  return fmt::format("{:.0f} %", 100.0 * share);
}

}  // namespace

std::vector<std::string> list_known_differences(const RunHeader& a, const RunHeader& b) {
  std::vector<std::string> list;
  list_pair("method", a.method_name, b.method_name, &list);
  for (const char* key : {"order", "formulation", "step"}) {
    list_pair(key, find_method_option(a, key), find_method_option(b, key), &list);
  }
  list_pair("contact", describe_contact(a), describe_contact(b), &list);
  if (has_friction(a)) list_pair("friction", describe_cone(a), describe_cone(b), &list);
  if (has_restitution(a)) list_pair("restitution law", describe_law(a), describe_law(b), &list);
  return list;
}

std::string refine_parting(const Contender& a, const Contender& b, const RefineOptions& options) {
  const auto half = measure_share(a, b, 0.5, options);
  if (!half) return "";
  std::string found =
      fmt::format("with half the step, {} of the distance remains", to_percent(*half));
  if (*half <= kHigherOrder) return found + ": a step error";
  if (*half <= kFirstOrder) return found + ": a step error of first order";
  if (*half >= kOtherReason) return found + ": not a step error";
  const auto quarter = measure_share(a, b, 0.25, options);
  if (!quarter) return found;
  return fmt::format("{}, with a quarter {}: {}", found, to_percent(*quarter),
                     *quarter <= kFirstOrderOfQuarter ? "a step error" : "not a step error alone");
}

}  // namespace tenpin::lab
