#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "exit_codes.h"
#include "overrides.h"
#include "run.h"
#include "scene/read.h"
#include "scene/schema.h"

namespace tenpin::app {

int run_check(const CheckOptions& options) {
  if (options.schema) {
    fmt::print("{}", scene::make_json_schema());
    return kDone;
  }
  const std::vector<scene::Override> overrides = parse_overrides(options.sets);
  nlohmann::json list = nlohmann::json::array();
  bool good = true;
  for (const std::string& file : options.scenes) {
    nlohmann::json problems = nlohmann::json::array();
    try {
      const scene::Scene scene = scene::read_scene(file, overrides);
      if (!options.json) {
        fmt::print("{}: ok, {} bodies, method {}\n", file, scene.bodies.size(), scene.method.name);
      }
    } catch (const scene::SceneError& error) {
      good = false;
      if (!options.json) fmt::print(stderr, "{}", scene::print_problems(error.problems()));
      for (const scene::Problem& p : error.problems()) {
        problems.push_back({{"file", p.file},
                            {"line", p.line},
                            {"column", p.column},
                            {"path", p.path},
                            {"problem", p.text}});
      }
    }
    list.push_back({{"file", file}, {"ok", problems.empty()}, {"problems", problems}});
  }
  if (options.json) fmt::print("{}\n", list.dump(2));
  return good ? kDone : kBadInput;
}

}  // namespace tenpin::app
