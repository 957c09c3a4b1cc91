#include "lab_commands.h"

#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "compare.h"
#include "export.h"
#include "merge.h"
#include "option_values.h"
#include "report.h"
#include "submit.h"
#include "sweep.h"

namespace tenpin::app {

namespace {

void add_compare(CLI::App* app, Command* command) {
  const auto o = std::make_shared<CompareCommand>();
  CLI::App* sub =
      app->add_subcommand("compare", "Run a scene under several methods; show where they diverge");
  sub->add_option("scene", o->scene, "Scene file (YAML) or robot model (URDF, MJCF)")->required();
  sub->add_option("--methods", o->methods,
                  "Methods with settings, e.g. time-stepping,time-stepping:formulation=velocity")
      ->delimiter(',')
      ->type_name("METHOD[:KEY=VALUE]...")
      ->allow_extra_args(false);
  sub->add_option("--html", o->html, "Write a page with the overlaid motions")->type_name("FILE");
  sub->add_option("-o,--output", o->output, "Keep the run files in this folder")->type_name("DIR");
  sub->add_option("--set", o->sets, "Change a value of the scene for all methods")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  sub->add_option("--tolerance", o->tolerance,
                  "Distance in m beyond which bodies diverge; default: 5 % of the radius of the "
                  "smallest moving body")
      ->check(number_above_zero());
  sub->add_flag("--no-refine", o->no_refine, "Do not repeat with half the step to find the reason");
  sub->add_option("--threads", o->threads, "Threads; the result does not depend on their number")
      ->check(whole_number(1, 1024));
  sub->add_option("--max-bodies", o->max_bodies, "Refuse scenes with more bodies")
      ->check(whole_number(1));
  sub->add_flag("--json", o->json, "Print the comparison as JSON to standard output");
  sub->add_flag("-q,--quiet", o->quiet, "No progress");
  add_import_options(sub, &o->import);
  sub->callback([o, command] {
    *command = [o] {
      return run_compare(*o);
    };
  });
}

void add_report(CLI::App* app, Command* command) {
  const auto o = std::make_shared<ReportOptions>();
  CLI::App* sub = app->add_subcommand("report", "Write a page that says how far to trust a run");
  sub->add_option("run", o->run_file, "Run file (HDF5)")->required();
  sub->add_option("-o,--output", o->output, "The page; default: RUN-report.html")
      ->type_name("FILE");
  sub->callback([o, command] {
    *command = [o] {
      return run_report(*o);
    };
  });
}

void add_export(CLI::App* app, Command* command) {
  const auto o = std::make_shared<ExportOptions>();
  CLI::App* sub = app->add_subcommand("export", "Write a run for other programs");
  sub->add_option("run", o->run_file, "Run file (HDF5)")->required();
  const auto add_file = [sub](const char* name, std::string* file, const char* help) {
    sub->add_option(name, *file, help)->type_name("FILE");
  };
  add_file("--gltf", &o->gltf, "glTF 2.0 (.glb) with the motion as an animation");
  add_file("--csv", &o->csv, "Quantities as comma-separated values; - for standard output");
  add_file("--hdf5", &o->hdf5, "Quantities as plain HDF5 arrays, for NumPy and others");
  sub->add_option("--quantity", o->quantities, "e.g. steps.residual,bodies.ball; default: bodies")
      ->delimiter(',')
      ->type_name("NAME")
      ->allow_extra_args(false);
  sub->add_flag("--list", o->list, "List the names of all quantities");
  add_file("--png", &o->png, "A picture (needs Chromium)");
  sub->add_option("--time", o->time, "Time of the picture in s; default: the end")
      ->check(number_from_zero());
  sub->add_flag("--no-contacts", o->no_contacts, "Pictures without contacts");
  add_file("--mp4", &o->mp4, "A film (needs Chromium and ffmpeg)");
  add_file("--gif", &o->gif, "An animated GIF (needs Chromium and ffmpeg)");
  sub->add_option("--width", o->width, "Of pictures, in pixels")->check(whole_number(16, 7680));
  sub->add_option("--height", o->height, "Of pictures, in pixels")->check(whole_number(16, 4320));
  sub->add_option("--speed", o->speed, "Of films: 0.5 is half speed")
      ->check(number_between(1e-6, 1e6));
  sub->add_option("--rate", o->rate, "Pictures per second of films")->check(whole_number(1, 240));
  sub->callback([o, command] {
    *command = [o] {
      return run_export(*o);
    };
  });
}

void add_sweep(CLI::App* app, Command* command) {
  const auto o = std::make_shared<SweepCommand>();
  CLI::App* sub =
      app->add_subcommand("sweep", "Run a study: many trials of one scene, one row each");
  sub->add_option("study", o->study, "Study file (YAML), see docs/studies.md")->required();
  sub->add_option("-o,--output", o->output,
                  "SQLite file of the trials, continued if it is there; default: STUDY.sqlite here")
      ->type_name("FILE");
  sub->add_option("--html", o->html, "Write a page with the results")->type_name("FILE");
  sub->add_flag("--live", o->live, "Show the study in a browser while it is computed");
  add_serve_options(sub, &o->serve);
  sub->add_option("--csv", o->csv, "Write the rows as comma-separated values")->type_name("FILE");
  sub->add_option("--trials", o->trials, "Samples per combination instead of the study's")
      ->check(whole_number(1, 1'000'000'000));
  sub->add_option("--threads", o->threads, "Threads; default: all cores; the table is the same")
      ->check(whole_number(1, 1024));
  sub->add_option("--trial", o->trial,
                  "Simulate this trial alone; -o is its run file, --html its page")
      ->check(whole_number(0, 1'000'000'000));
  sub->add_option("--shard", o->shard,
                  "One part of the study, i/n; auto: as a task of a Slurm array (see tenpin merge)")
      ->type_name("i/n");
  sub->add_option("--trial-limit", o->trial_limit,
                  "Give a trial up after so many seconds of CPU time; its row says so")
      ->check(number_between(1e-3, 1e9));
  take_words(sub->add_option("--device", o->device,
                             "All trials at once: cpu-batch, gpu, or auto (gpu if there is one); "
                             "see docs/batches.md"),
             {"cpu-batch", "gpu", "auto"});
  take_words(sub->add_option("--precision", o->precision, "Of --device; default: f64"),
             {"f64", "f32"});
  sub->add_option("--lease", o->lease, "MPI: seconds of silence after which a process is lost")
      ->check(number_between(0.1, 1e6));
  sub->add_flag("--json", o->json, "Print the results as JSON to standard output");
  sub->add_flag("-q,--quiet", o->quiet, "No progress");
  sub->callback([o, command] {
    *command = [o] {
      return run_sweep_command(*o);
    };
  });
}

void add_merge(CLI::App* app, Command* command) {
  const auto o = std::make_shared<MergeCommand>();
  CLI::App* sub = app->add_subcommand("merge", "Join the tables of a study that was run in parts");
  sub->add_option("tables", o->tables, "SQLite files that `tenpin sweep --shard` wrote")
      ->required();
  sub->add_option("-o,--output", o->output, "Table of the whole study")
      ->required()
      ->type_name("FILE");
  sub->add_flag("--json", o->json, "Print the result as JSON to standard output");
  sub->callback([o, command] {
    *command = [o] {
      return run_merge(*o);
    };
  });
}

void add_submit(CLI::App* app, Command* command) {
  const auto o = std::make_shared<SubmitCommand>();
  CLI::App* sub = app->add_subcommand("submit", "Run a study on a cluster: a job script for Slurm");
  sub->add_option("study", o->study, "Study file (YAML), see docs/studies.md")->required();
  sub->add_option("-o,--output", o->output, "Table of the study; default: STUDY.sqlite here")
      ->type_name("FILE");
  sub->add_option("--nodes", o->nodes, "Machines of one MPI job")->check(whole_number(1, 100000));
  sub->add_option("--array", o->array, "Instead: an array of so many jobs, merged at the end")
      ->check(whole_number(1, 100000));
  sub->add_option("--time", o->time, "Walltime, as Slurm writes it: [days-]hours:minutes:seconds");
  sub->add_option("--partition", o->partition, "Slurm's partition; default: the cluster's");
  sub->add_option("--account", o->account, "Slurm's account; default: yours");
  sub->add_flag("--print", o->print, "Print the scripts and submit nothing");
  sub->callback([o, command] {
    *command = [o] {
      return run_submit(*o);
    };
  });
}

}  // namespace

void add_lab_commands(CLI::App* app, Command* command) {
  add_compare(app, command);
  add_report(app, command);
  add_export(app, command);
  add_sweep(app, command);
  add_merge(app, command);
  add_submit(app, command);
}

}  // namespace tenpin::app
