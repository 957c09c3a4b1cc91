// URDF models, from memory: what is imported is a scene that reads back.
#include "honest.h"
#include "scene/import/import.h"
#include "scene/write.h"

using namespace tenpin;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(fuzz::to_text(bytes, size));
  scene::Scene scene;
  const auto read = [&](bool lenient) {
    return fuzz::is_accepted([&] {
      scene = scene::import_text(text, "fuzz.urdf", {.root = "/nowhere", .lenient = lenient});
    });
  };
  if (read(true)) (void)scene::write_scene(scene);
  if (read(false)) (void)scene::write_scene(scene);
  return 0;
}
