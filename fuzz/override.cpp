// `--set path=value`, one assignment per line, on a scene that stays the same.
#include <algorithm>
#include <vector>

#include "honest.h"
#include "overrides.h"
#include "scene/read.h"

using namespace tenpin;

namespace {

constexpr const char* kScene = R"(tenpin: 1
until: 0.1
parameters: {length: 0.1, angle: 1}
method: {time-stepping: {step: 0.01}}
materials: {wood: {friction: 0.5}}
pairs: [{between: [wood, wood], friction: "${length * 2}"}]
bodies:
  - {name: floor, fixed: true, material: wood, shapes: [{plane: {normal: [0, 0, 1]}}]}
  - {name: ball, density: 1000, material: wood, position: [0, 0, "${sin(angle)}"],
     shapes: [{sphere: {radius: "${length}"}}]}
)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::vector<std::string> sets(1);
  for (const char c : fuzz::to_text(bytes, size)) {
    if (c == '\n') {
      sets.emplace_back();
    } else {
      sets.back() += c;
    }
  }
  scene::ReadLimits limits;
  limits.max_bodies = limits.max_parts = limits.max_touching = 1000;
  fuzz::is_accepted([&] {
    (void)scene::parse_scene(kScene, "fuzz.yaml", app::parse_overrides(sets), limits);
  });
  return 0;
}
