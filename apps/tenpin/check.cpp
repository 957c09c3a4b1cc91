#include "base/check.h"

#include <nlohmann/json.hpp>

#include "exit_codes.h"
#include "overrides.h"
#include "print.h"
#include "run.h"
#include "scene/read.h"
#include "scene/schema.h"

namespace tenpin::app {

namespace {

struct Verdict {
  ExitCode code = kDone;
  std::string text;  // for people, with line ends
  nlohmann::json problems = nlohmann::json::array();
};

Verdict check(const std::string& file, const std::vector<scene::Override>& overrides,
              const scene::ReadLimits& limits) {
  Verdict verdict;
  try {
    const scene::Scene scene = scene::read_scene(file, overrides, limits);
    verdict.text =
        fmt::format("{}: ok, {} bodies, method {}\n", file, scene.bodies.size(), scene.method.name);
  } catch (const scene::SceneError& error) {
    verdict = {.code = kBadInput, .text = scene::print_problems(error.problems())};
    for (const scene::Problem& p : error.problems()) {
      verdict.problems.push_back({{"file", p.file},
                                  {"line", p.line},
                                  {"column", p.column},
                                  {"path", p.path},
                                  {"problem", p.text}});
    }
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
    const Verdict verdict = check(file, overrides, {.max_bodies = options.max_bodies});
    if (code != kBadInput && verdict.code != kDone) code = verdict.code;
    if (!options.json) print(verdict.code == kDone ? stdout : stderr, "{}", verdict.text);
    list.push_back({{"file", file}, {"ok", verdict.code == kDone}, {"problems", verdict.problems}});
  }
  if (options.json) {
    print(stdout, "{}\n", list.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  return code;
}

}  // namespace tenpin::app
