#include "reproduce.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/check.h"
#include "exit_codes.h"
#include "lab/experiment_page.h"
#include "page_target.h"
#include "print.h"
#include "progress_line.h"
#include "record/record_error.h"
#include "record/whole_file.h"

namespace tenpin::app {

namespace {

using lab::Experiment;
using lab::ExperimentRun;
using lab::Finding;

void list_experiments() {
  for (const Experiment& experiment : lab::all_experiments()) {
    print(stdout, "{:<12} {}\n", experiment.id, experiment.title);
  }
  print(stdout, "\ntenpin reproduce all        runs them; --html DIR draws their figures\n");
}

std::string folder_of(const Experiment& experiment) {
  return fmt::format("{}/{}", lab::experiments_folder(), experiment.id);
}

ExperimentRun run(const Experiment& experiment, bool with_figures) {
  const ProgressLine line;
  lab::ExperimentOptions options{.folder = folder_of(experiment), .with_figures = with_figures};
  options.on_progress = [&](const std::string& what) {
    line.show(fmt::format("{}: {}", experiment.id, what));
  };
  return {.experiment = &experiment, .result = experiment.run(options)};
}

void print_table(const ExperimentRun& run) {
  print(stdout, "{}: {}\n", run.experiment->id, run.experiment->title);
  std::size_t width = 0;
  for (const Finding& f : run.result.findings) width = std::max(width, f.quantity.size());
  print(stdout, "     {:<{}}  {:>12}  {:>12}  {:>9}  {}\n", "quantity", width, "expected", "ours",
        "tolerance", "source");
  long num_ok = 0;
  for (const Finding& f : run.result.findings) {
    num_ok += f.ok() ? 1 : 0;
    print(stdout, "{:<4} {:<{}}  {:>12.6g}  {:>12.6g}  {:>9.2g}  {}\n", f.ok() ? "ok" : "MISS",
          f.quantity, width, f.paper, f.ours, f.tolerance, f.source);
  }
  print(stdout, "{} of {} within tolerance\n\n", num_ok, run.result.findings.size());
}

std::string read_text(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) throw InputError(file + ": cannot be read");
  return text.str();
}

// Reads the input of the experiment: a scene, or cases of single impacts.
lab::ExperimentInput read_input(const Experiment& experiment) {
  const std::string scene = folder_of(experiment) + "/scene.yaml";
  if (std::filesystem::exists(scene)) {
    return {"Scene", read_text(scene),
            fmt::format("tenpin run experiments/{}/scene.yaml --html page.html", experiment.id)};
  }
  const std::string cases = folder_of(experiment) + "/cases.json";
  return {"Impacts", read_text(cases),
          fmt::format("tenpin impact experiments/{}/cases.json --draw page.html", experiment.id)};
}

// Called before hours of computing.
void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw record::RecordError(folder.string() + ": " + error.message());
  for (const Experiment& experiment : lab::all_experiments()) {
    check_page_target((folder / page_name(experiment)).string());
  }
  check_page_target((folder / "index.html").string());
}

void write_pages(const std::filesystem::path& folder, const std::vector<ExperimentRun>& runs) {
  for (const ExperimentRun& run : runs) {
    record::write_whole_file(
        (folder / page_name(*run.experiment)).string(),
        make_experiment_page(*run.experiment, run.result, read_input(*run.experiment)));
  }
  record::write_whole_file((folder / "index.html").string(), make_experiment_index(runs));
}

bool is_all_ok(const std::vector<ExperimentRun>& runs) {
  for (const ExperimentRun& run : runs) {
    for (const Finding& f : run.result.findings) {
      if (!f.ok()) return false;
    }
  }
  return true;
}

}  // namespace

int run_reproduce(const ReproduceOptions& options) {
  if (options.ids.empty()) {
    list_experiments();
    return kDone;
  }
  const std::vector<const Experiment*> experiments = lab::find_experiments(options.ids);
  if (!options.html.empty()) make_folder(options.html);
  std::vector<ExperimentRun> runs;
  for (const Experiment* experiment : experiments) {
    runs.push_back(run(*experiment, !options.html.empty()));
    if (!options.json) print_table(runs.back());
  }
  if (!options.html.empty()) {
    write_pages(options.html, runs);
    print(stderr, "pages: {}/index.html\n", options.html);
  }
  if (options.json) print(stdout, "{}", make_findings_json(runs));
  return is_all_ok(runs) ? kDone : kDifferent;
}

}  // namespace tenpin::app
