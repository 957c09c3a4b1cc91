#include "compare.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/check.h"
#include "compare_results.h"
#include "convert.h"
#include "exit_codes.h"
#include "lab/compare_page.h"
#include "lab/variant.h"
#include "overrides.h"
#include "page_target.h"
#include "print.h"
#include "progress_line.h"
#include "read_model.h"
#include "record/record_error.h"
#include "record/whole_file.h"
#include "signals.h"

namespace tenpin::app {

namespace {

namespace fs = std::filesystem;
using methods::AdvanceStatus;

std::vector<lab::Variant> parse_variants(const std::vector<std::string>& texts) {
  std::vector<lab::Variant> variants;
  variants.reserve(texts.size());
  for (const std::string& text : texts) variants.push_back(lab::parse_variant(text));
  if (!variants.empty()) return variants;
  for (const methods::MethodEntry& entry : methods::all_methods()) {
    if (entry.name == "penalty") continue;  // compared only on request
    variants.push_back(lab::parse_variant(entry.name));
  }
  return variants;
}

// Reads and checks every way to run the scene before the first one runs.
std::vector<lab::Contender> read_contenders(const CompareCommand& command) {
  const std::vector<lab::Variant> variants = parse_variants(command.methods);
  const std::vector<scene::Override> common = parse_overrides(command.sets);
  const scene::ReadLimits limits{.max_bodies = command.max_bodies};
  const scene::Scene scene = read_model(command.scene, common, limits, command.import);
  if (!command.quiet) print_notes(scene, 20);
  std::vector<lab::Contender> contenders;
  for (const lab::Variant& variant : variants) {
    std::vector<scene::Override> overrides = common;
    for (scene::Override& override : lab::make_overrides(variant, name_of(scene.method))) {
      overrides.push_back(std::move(override));
    }
    contenders.push_back(
        {variant.label, read_model(command.scene, overrides, limits, command.import)});
  }
  return contenders;
}

// The folder for the run files: the user's, or a temporary one that is removed with this object.
class RunFolder {
 public:
  explicit RunFolder(const std::string& wanted) : path_(wanted), is_temporary_(wanted.empty()) {
    if (is_temporary_) {
      path_ = (fs::temp_directory_path() / fmt::format("tenpin-compare-{}", getpid())).string();
    }
    std::error_code error;
    fs::create_directories(path_, error);
    if (error) throw record::RecordError(path_ + ": " + error.message());
  }
  ~RunFolder() {
    std::error_code ignored;
    if (is_temporary_) fs::remove_all(path_, ignored);
  }
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool is_temporary_;
};

lab::Comparison compare_them(const CompareCommand& command,
                             const std::vector<lab::Contender>& contenders,
                             const std::string& folder) {
  const ProgressLine line(command.quiet || command.json);
  lab::CompareOptions options{.folder = folder,
                              .threads = command.threads,
                              .tolerance = command.tolerance,
                              .refine = !command.no_refine,
                              .on_progress = {}};
  options.on_progress = [&](const std::string& label, const lab::Progress& progress) {
    line.show(fmt::format("{}: t = {:.4g} s of {:.4g} s", label, progress.t, progress.until));
    return caught_signal() == 0;
  };
  return lab::compare(contenders, options);
}

int exit_code_of(const lab::Comparison& comparison) {
  if (comparison.reference < 0) return kBadInput;
  const bool any_done = std::any_of(
      comparison.outcomes.begin(), comparison.outcomes.end(), [](const lab::CompareOutcome& o) {
        return !o.refused && o.summary.status == AdvanceStatus::kReachedEnd;
      });
  return any_done ? kDone : kNumericalFailure;
}

}  // namespace

int run_compare(const CompareCommand& command) {
  const std::vector<lab::Contender> contenders = read_contenders(command);
  if (!command.html.empty()) check_page_target(command.html);
  const RunFolder folder(command.output);
  catch_signals();
  const lab::Comparison comparison = compare_them(command, contenders, folder.path());
  if (caught_signal() != 0) return 128 + caught_signal();
  const std::string& name = contenders.front().scene.name;
  if (!command.html.empty() && comparison.reference >= 0) {
    record::write_whole_file(command.html, lab::make_compare_page(comparison, folder.path()));
  }
  print(stdout, "{}",
        command.json ? make_comparison_json(name, comparison)
                     : make_comparison_table(name, comparison));
  if (!command.json && !command.html.empty() && comparison.reference >= 0) {
    print(stdout, "\npage to open  {}\n", command.html);
  }
  if (comparison.reference < 0) print(stderr, "tenpin: every method refused the scene\n");
  return exit_code_of(comparison);
}

}  // namespace tenpin::app
