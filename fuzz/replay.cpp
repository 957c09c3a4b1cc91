// fuzz_replay TARGET FOLDER...: feeds each file below the folders to the target, without libFuzzer.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

using Target = int (*)(const std::uint8_t*, std::size_t);

// FUZZ_TARGETS is X(scene) X(study) ... from CMakeLists.txt.
#define X(name) extern "C" int fuzz_##name(const std::uint8_t* bytes, std::size_t size);
FUZZ_TARGETS
#undef X

int main(int argc, char** argv) {
#define X(name) {#name, fuzz_##name},
  const std::map<std::string, Target> targets = {FUZZ_TARGETS};
#undef X
  const auto target = argc >= 3 ? targets.find(argv[1]) : targets.end();
  if (target == targets.end()) {
    fmt::print(stderr, "usage: fuzz_replay TARGET FOLDER...\n");
    return 2;
  }
  std::vector<std::filesystem::path> files;
  for (int i = 2; i < argc; ++i) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i])) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
    fmt::print(stderr, "{} ({} bytes)\n", file.filename().string(),
               bytes.size());  // a crash names its file
    target->second(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }
  return files.empty() ? 1 : 0;
}
