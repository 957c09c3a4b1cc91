#include "examples.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/check.h"
#include "base/text.h"
#include "exit_codes.h"
#include "print.h"

namespace tenpin::app {

namespace {

namespace fs = std::filesystem;

struct Example {
  std::string name;  // name of the file, without its extension
  std::string path;
  std::string title;  // the scene's name
  std::string about;  // the comment at the beginning of the file, as one line
};

// The folder relative to the running program: PREFIX/bin/tenpin has PREFIX/share/tenpin/scenes.
fs::path find_scenes() {
  const char* chosen = std::getenv("TENPIN_SCENES");
  if (chosen != nullptr) return chosen;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path installed = program.parent_path().parent_path() / "share" / "tenpin" / "scenes";
  for (const fs::path& folder : {installed, fs::path(TENPIN_SCENES_SOURCE)}) {
    if (fs::is_directory(folder, error)) return folder;
  }
  throw InputError("the folder of the scenes is missing; set TENPIN_SCENES to it");
}

Example read_example(const fs::path& file) {
  Example example{.name = file.stem().string(), .path = file.string(), .title = "", .about = ""};
  std::ifstream in(file);
  bool in_head = true;
  for (std::string line; std::getline(in, line);) {
    in_head = in_head && line.starts_with('#');
    if (in_head) {
      const std::size_t begin = std::min(line.find_first_not_of("# "), line.size());
      example.about += (example.about.empty() ? "" : " ") + line.substr(begin);
    }
    constexpr std::string_view kName = "name: ";
    if (example.title.empty() && line.starts_with(kName)) example.title = line.substr(kName.size());
  }
  std::erase(example.title, '"');
  return example;
}

std::vector<Example> read_examples() {
  std::vector<Example> examples;
  for (const fs::directory_entry& entry : fs::directory_iterator(find_scenes())) {
    if (entry.path().extension() == ".yaml") examples.push_back(read_example(entry.path()));
  }
  std::sort(examples.begin(), examples.end(), [](const Example& a, const Example& b) {
    return a.name < b.name;
  });
  return examples;
}

int print_path(const std::vector<Example>& examples, const std::string& name) {
  std::vector<std::string> names;
  for (const Example& example : examples) {
    if (example.name == name) {
      print(stdout, "{}\n", example.path);
      return kDone;
    }
    names.push_back(example.name);
  }
  const auto meant = nearest(name, std::span<const std::string>(names));
  throw InputError("no example '" + name + "'" +
                   (meant ? "; did you mean '" + *meant + "'?"
                          : "; 'tenpin examples' without a name lists them"));
}

}  // namespace

int run_examples(const ExamplesOptions& options) {
  const std::vector<Example> examples = read_examples();
  if (!options.name.empty()) return print_path(examples, options.name);
  if (options.json) {
    nlohmann::json list = nlohmann::json::array();
    for (const Example& e : examples) {
      list.push_back({{"name", e.name}, {"path", e.path}, {"title", e.title}, {"about", e.about}});
    }
    print(stdout, "{}\n", list.dump(1));
    return kDone;
  }
  std::size_t width = 0;
  for (const Example& example : examples) width = std::max(width, example.name.size());
  for (const Example& example : examples) {
    print(stdout, "{:<{}}  {}\n", example.name, width, example.title);
  }
  print(stderr, "Run one: tenpin run $(tenpin examples NAME) --html page.html\n");
  return kDone;
}

}  // namespace tenpin::app
