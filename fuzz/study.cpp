// Study files, about a scene that stays the same.
#include "lab/study/study.h"

#include "folder.h"
#include "honest.h"

using namespace tenpin;

namespace {

constexpr std::string_view kScene = R"(tenpin: 1
until: 0.1
method: {time-stepping: {step: 0.01}}
materials: {wood: {friction: 0.5}}
bodies:
  - {name: floor, fixed: true, material: wood, shapes: [{plane: {normal: [0, 0, 1]}}]}
  - {name: ball, density: 1000, material: wood, position: [0, 0, 1], shapes: [{sphere: {radius: 0.1}}]}
)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const fuzz::Folder folder;
  static const std::string scene = folder.write("scene.yaml", kScene);
  const std::string file = folder.write("study.yaml", fuzz::to_text(bytes, size));
  fuzz::is_accepted([&] {
    (void)lab::read_study(file);
  });
  return 0;
}
