#include "lab/experiment.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "base/check.h"
#include "base/text.h"

namespace tenpin::lab {

namespace {

namespace fs = std::filesystem;

// The folder relative to the running program: PREFIX/bin/tenpin has
// PREFIX/share/tenpin/experiments.
fs::path installed_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  return program.parent_path().parent_path() / "share" / "tenpin" / "experiments";
}

}  // namespace

bool Finding::ok() const {
  return std::fabs(ours - paper) <= tolerance;  // false for NaN
}

std::vector<const Experiment*> find_experiments(std::span<const std::string> ids) {
  std::vector<std::string_view> known = {"all"};
  for (const Experiment& experiment : all_experiments()) known.push_back(experiment.id);
  std::vector<const Experiment*> found;
  for (const std::string& id : ids) {
    bool is_known = false;
    for (const Experiment& experiment : all_experiments()) {
      if (id != "all" && id != experiment.id) continue;
      is_known = true;
      const bool is_new = std::find(found.begin(), found.end(), &experiment) == found.end();
      if (is_new) found.push_back(&experiment);
    }
    if (is_known) continue;
    const auto meant = nearest(id, known);
    throw InputError("no experiment '" + id + "'" +
                     (meant ? "; did you mean '" + *meant + "'?"
                            : "; 'tenpin reproduce' without arguments lists them"));
  }
  return found;
}

std::string experiments_folder() {
  const char* chosen = std::getenv("TENPIN_EXPERIMENTS");
  if (chosen != nullptr) return chosen;
  for (const fs::path& folder : {installed_folder(), fs::path(TENPIN_EXPERIMENTS_SOURCE)}) {
    if (fs::is_directory(folder)) return folder.string();
  }
  throw InputError("the folder of the experiments is missing; set TENPIN_EXPERIMENTS to it");
}

}  // namespace tenpin::lab
