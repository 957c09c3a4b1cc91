// Scene files: what is read can be written, and reads back as the same scene.
#include "honest.h"
#include "scene/read.h"
#include "scene/write.h"

using namespace tenpin;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  scene::ReadLimits limits;
  limits.max_bodies = limits.max_parts = limits.max_touching = 1000;
  scene::Scene scene;
  const bool is_scene = fuzz::is_accepted([&] {
    scene = scene::parse_scene(std::string(fuzz::to_text(bytes, size)), "fuzz.yaml", {}, limits);
  });
  if (!is_scene) return 0;
  const std::string text = scene::write_scene(scene);
  fuzz::demand(scene::write_scene(scene::parse_scene(text, "again.yaml")) == text);
  return 0;
}
