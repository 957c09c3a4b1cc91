#include "base/check.h"

#include <nlohmann/json.hpp>

#include "exit_codes.h"
#include "methods/scheduled_method.h"
#include "methods/start_overlaps.h"
#include "methods/time_stepping/default_stepping.h"
#include "overrides.h"
#include "print.h"
#include "read_model.h"
#include "run.h"
#include "scene/build.h"
#include "scene/schema.h"

namespace tenpin::app {

namespace {

struct Verdict {
  ExitCode code = kDone;
  std::string text;  // for people, with line ends
  nlohmann::json problems = nlohmann::json::array();
  std::vector<std::string> notes;
};

std::string describe_method(const dynamics::Model& model, const scene::MethodOptions& method) {
  std::string name(name_of(method));
  const auto* options = std::get_if<scene::TimeSteppingOptions>(&method);
  if (options == nullptr) return name;
  return name + ", " + methods::time_stepping::choose_stepping(model, *options).text();
}

Verdict check(const std::string& file, const std::vector<scene::Override>& overrides,
              const CheckOptions& options) {
  Verdict verdict;
  try {
    const scene::Scene scene =
        read_model(file, overrides, {.max_bodies = options.max_bodies}, options.import);
    const scene::Built built = scene::build(scene);
    const dynamics::Model& model = built.model;
    const std::vector<methods::StartOverlap> overlaps =
        methods::find_start_overlaps(model, built.state);
    verdict.text = fmt::format("{}: ok, {} bodies, method {}\n", file, scene.bodies.size(),
                               describe_method(model, scene.method));
    verdict.notes = scene.notes;
    dynamics::Model refused = model;  // checks whether the method refuses the changed model
    (void)methods::make_scheduled_method(&refused, scene.method, 1);
    if (!overlaps.empty() && scene.start.overlaps == scene::Start::Overlaps::kRefuse) {
      dynamics::Model copy = model;
      dynamics::State state = built.state;
      (void)methods::treat_start_overlaps(scene.start.overlaps, &copy, &state);
    }
    for (const methods::StartOverlap& overlap : overlaps) {
      verdict.notes.push_back("at time 0 " + describe(model, overlap));
    }
  } catch (const scene::SceneError& error) {
    verdict = {.code = kBadInput, .text = scene::print_problems(error.problems())};
    for (const scene::Problem& p : error.problems()) {
      verdict.problems.push_back({{"file", p.file},
                                  {"line", p.line},
                                  {"column", p.column},
                                  {"path", p.path},
                                  {"problem", p.text}});
    }
  } catch (const NumericalError& error) {
    verdict = {.code = kNumericalFailure, .text = fmt::format("{}\n", error.what())};
    verdict.problems.push_back({{"file", file}, {"problem", error.what()}});
  } catch (const InputError& error) {
    verdict = {.code = kBadInput, .text = fmt::format("{}\n", error.what())};
    verdict.problems.push_back({{"file", file}, {"problem", error.what()}});
  } catch (const LimitError& error) {
    verdict = {.code = kLimit, .text = fmt::format("{}\n", error.what())};
    verdict.problems.push_back({{"file", file}, {"problem", error.what()}});
  }
  return verdict;
}

}  // namespace

int run_check(const CheckOptions& options) {
  if (options.schema) {
    print(stdout, "{}", scene::make_json_schema());
    return kDone;
  }
  TENPIN_REQUIRE(!options.scenes.empty(), "check: no scene, got nothing, want scene files");
  const std::vector<scene::Override> overrides = parse_overrides(options.sets);
  nlohmann::json list = nlohmann::json::array();
  int code = kDone;
  for (const std::string& file : options.scenes) {
    const Verdict verdict = check(file, overrides, options);
    if (code != kBadInput && verdict.code != kDone) code = verdict.code;
    if (!options.json) print(verdict.code == kDone ? stdout : stderr, "{}", verdict.text);
    for (const std::string& note : verdict.notes) {
      if (!options.json) print(stderr, "note: {}\n", note);
    }
    list.push_back({{"file", file},
                    {"ok", verdict.code == kDone},
                    {"problems", verdict.problems},
                    {"notes", verdict.notes}});
  }
  if (options.json) {
    print(stdout, "{}\n", list.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  return code;
}

}  // namespace tenpin::app
