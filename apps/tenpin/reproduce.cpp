#include "reproduce.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/check.h"
#include "exit_codes.h"
#include "lab/experiment_page.h"
#include "print.h"
#include "record/record_error.h"

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

// One line on a terminal that tells which run is on, gone when all are done.
class ProgressLine {
 public:
  ProgressLine() : is_on_(isatty(fileno(stderr)) != 0) {}
  ~ProgressLine() { show(""); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const std::string& what) const {
    if (is_on_) print(stderr, "\r\033[K{}", what);
  }

 private:
  bool is_on_;
};

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

// What the experiment runs: a scene, or cases of single impacts.
std::string read_input_text(const Experiment& experiment) {
  const std::string scene = folder_of(experiment) + "/scene.yaml";
  const bool has_scene = std::filesystem::exists(scene);
  return read_text(has_scene ? scene : folder_of(experiment) + "/cases.json");
}

void write_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw record::RecordError(file.string() + ": cannot be written");
}

void write_pages(const std::filesystem::path& folder, const std::vector<ExperimentRun>& runs) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw record::RecordError(folder.string() + ": " + error.message());
  for (const ExperimentRun& run : runs) {
    const std::string scene = read_input_text(*run.experiment);
    write_text(folder / page_name(*run.experiment),
               make_experiment_page(*run.experiment, run.result, scene));
  }
  write_text(folder / "index.html", make_experiment_index(runs));
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
  std::vector<ExperimentRun> runs;
  for (const Experiment* experiment : lab::find_experiments(options.ids)) {
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
