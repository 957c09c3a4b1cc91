// Run files, read from start to end. The input is damage to a good run: six bytes each, an offset
// and what is flipped there; an offset beyond the end cuts the file. Most random files would not
// pass their first check.
#include <cstring>
#include <fstream>
#include <iterator>

#include "folder.h"
#include "honest.h"
#include "lab/simulation.h"
#include "record/run_reader.h"
#include "scene/read.h"

using namespace tenpin;

namespace {

constexpr const char* kScene = R"(tenpin: 1
until: 0.03
method: {time-stepping: {step: 0.01}}
bodies:
  - {name: floor, fixed: true, shapes: [{plane: {normal: [0, 0, 1]}}]}
  - {name: ball, density: 1000, position: [0, 0, 0.1], shapes: [{sphere: {radius: 0.1}}]}
)";

std::string make_run(const fuzz::Folder& folder) {
  const std::string file = folder.write("good.h5", "");
  const scene::Scene scene = scene::parse_scene(kScene, "fuzz.yaml");
  lab::SimulationOptions options;
  options.run_file = file;
  (void)lab::simulate(scene, options);
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const fuzz::Folder folder;
  static const std::string good = make_run(folder);
  std::string damaged = good;
  for (std::size_t i = 0; i + 6 <= size; i += 6) {
    std::uint32_t offset = 0;
    std::memcpy(&offset, bytes + i, sizeof offset);
    offset %= 1U << 21;
    if (offset < damaged.size())
      damaged[offset] = static_cast<char>(damaged[offset] ^ bytes[i + 4]);
    if (offset >= good.size()) damaged.resize(bytes[i + 5] * damaged.size() / 256);
  }
  const std::string file = folder.write("run.h5", damaged);
  fuzz::is_accepted([&] {
    const record::RunReader run(file);
    run.verify();
    for (std::int64_t k = 0; k < run.num_frames(); ++k) (void)run.read_frame(k);
    (void)run.read_steps(0, run.num_steps());
    (void)run.read_contacts(0, run.num_contacts());
    (void)run.read_messages();
  });
  return 0;
}
