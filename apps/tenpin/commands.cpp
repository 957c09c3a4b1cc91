#include "commands.h"

#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "completion.h"
#include "convert.h"
#include "examples.h"
#include "help_examples.h"
#include "impact.h"
#include "info.h"
#include "lab/version.h"
#include "lab_commands.h"
#include "option_values.h"
#include "repair.h"
#include "reproduce.h"
#include "run.h"
#include "solve.h"
#include "view.h"

namespace tenpin::app {

// Adds options that only affect robot models.
void add_import_options(CLI::App* sub, scene::ImportOptions* o) {
  sub->add_option("--keyframe", o->keyframe, "MJCF: start at the keyframe of this name")
      ->type_name("NAME");
  take_words(sub->add_option_function<std::string>(
                 "--base",
                 [o](const std::string& word) {
                   o->base = word == "fixed" ? scene::Base::kFixed : scene::Base::kFree;
                 },
                 "URDF: the root link is fixed or free"),
             {"fixed", "free"});
  sub->add_option("--root", o->root, "Models: let files come from this folder")->type_name("DIR");
  sub->add_flag("--ground", o->ground,
                "Put a fixed plane right beneath the lowest point, if the scene has no plane");
  sub->add_flag("--balance-inertia", o->balance_inertia,
                "Models: mend inertias that no rigid body has");
  sub->add_flag("--lenient", o->lenient,
                "Models: repair what other readers accept, and say so in notes");
}

void add_serve_options(CLI::App* sub, ServeOptions* o) {
  sub->add_option("--port", o->port,
                  "Serve the page at this port of 127.0.0.1; default: a free one")
      ->type_name("PORT");
  sub->add_flag_callback(
      "--no-open",
      [o] {
        o->open = false;
      },
      "Print the page's address without opening a browser");
}

namespace {

void add_run(CLI::App* app, Command* command) {
  const auto o = std::make_shared<RunOptions>();
  CLI::App* sub = app->add_subcommand("run", "Simulate a scene; print a summary with certificate");
  sub->add_option("scene", o->scene, "Scene file (YAML) or robot model (URDF, MJCF)")
      ->type_name("FILE");
  sub->add_option("-o,--output", o->output, "Write a run file (HDF5)")->type_name("FILE");
  sub->add_option(
         "--from", o->from,
         "Continue this run with the same bits, instead of a scene; --set may change until "
         "and record only")
      ->type_name("RUN");
  sub->add_option("--at", o->at, "With --from: continue from the last frame up to this time")
      ->check(number_from_zero())
      ->type_name("SECONDS");
  sub->add_option("--html", o->html, "Write a page that shows the run")->type_name("FILE");
  sub->add_flag(
      "--live", o->live,
      "Show the run in a browser while it is computed, and let its page pause it, pull at "
      "bodies and change gravity and friction");
  sub->add_option("--speed", o->speed,
                  "With --live: seconds of the run per second; 0 is as fast as it can. Default: 1")
      ->check(number_between(0.0, 1000.0))
      ->type_name("NUMBER");
  add_serve_options(sub, &o->serve);
  sub->add_option("--method", o->method,
                  "Use this method, optionally with settings, instead of the scene's, e.g. "
                  "time-stepping:order=1:solver=lemke. By default time-stepping uses order 2 and "
                  "the round friction cone wherever they support the scene")
      ->type_name("METHOD[:KEY=VALUE]...");
  sub->add_option("--set", o->sets, "Change a value of the scene, e.g. bodies.ball.mass=2")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  sub->add_option("--threads", o->threads, "Threads; the result does not depend on their number")
      ->check(whole_number(1, 1024));
  sub->add_option("--step-limit", o->step_limit,
                  "Seconds that one step may take; a longer one ends the run with code 5")
      ->check(number_above_zero());
  sub->add_option("--max-bodies", o->max_bodies, "Refuse scenes with more bodies")
      ->check(whole_number(1));
  sub->add_flag("--json", o->json, "Print the summary as JSON to standard output");
  sub->add_flag("-q,--quiet", o->quiet, "No progress bar");
  sub->add_flag("--force", o->force, "Run even if it takes more than 10^9 steps");
  add_import_options(sub, &o->import);
  sub->callback([o, command] {
    *command = [o] {
      return run_run(*o);
    };
  });
}

void add_check(CLI::App* app, Command* command) {
  const auto o = std::make_shared<CheckOptions>();
  CLI::App* sub = app->add_subcommand("check", "Read scenes and list every problem in them");
  sub->add_option("scenes", o->scenes, "Scene files and robot models");
  sub->add_option("--set", o->sets, "Change a value first")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  sub->add_option("--max-bodies", o->max_bodies, "Refuse scenes with more bodies")
      ->check(whole_number(1));
  sub->add_flag("--json", o->json, "Print the problems as JSON to standard output");
  add_import_options(sub, &o->import);
  sub->add_flag("--schema", o->schema, "Print the JSON Schema of scene files (for editors)");
  sub->callback([o, command] {
    *command = [o] {
      return run_check(*o);
    };
  });
}

void add_convert(CLI::App* app, Command* command) {
  const auto o = std::make_shared<ConvertOptions>();
  CLI::App* sub = app->add_subcommand("convert", "Write a robot model (URDF, MJCF) as a scene");
  sub->add_option("model", o->model, "Robot model, or a scene")->required();
  sub->add_option("-o,--output", o->output, "Scene file to write; default: standard output")
      ->type_name("FILE");
  sub->add_option("--set", o->sets, "Change a value of the scene, e.g. until=2")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  sub->add_option("--max-bodies", o->max_bodies, "Refuse models with more bodies")
      ->check(whole_number(1));
  add_import_options(sub, &o->import);
  sub->callback([o, command] {
    *command = [o] {
      return run_convert(*o);
    };
  });
}

void add_info(CLI::App* app, Command* command) {
  const auto o = std::make_shared<InfoOptions>();
  CLI::App* sub = app->add_subcommand("info", "Show the contents of a run file");
  sub->add_option("run", o->file, "Run file (HDF5)")->required();
  sub->add_flag("--json", o->json, "Print as JSON to standard output");
  take_words(sub->add_option("--csv", o->csv, "Print a table instead"),
             {"frames", "steps", "contacts", "reactions"});
  sub->callback([o, command] {
    *command = [o] {
      return run_info(*o);
    };
  });
}

void add_repair(CLI::App* app, Command* command) {
  const auto o = std::make_shared<RepairOptions>();
  CLI::App* sub = app->add_subcommand("repair", "Save what is intact of a damaged run file");
  sub->add_option("run", o->file, "Run file (HDF5) that was cut off or damaged")->required();
  sub->add_option("-o,--output", o->output, "New run file; default: RUN.repaired.h5")
      ->type_name("FILE");
  sub->callback([o, command] {
    *command = [o] {
      return run_repair(*o);
    };
  });
}

void add_view(CLI::App* app, Command* command) {
  const auto o = std::make_shared<ViewOptions>();
  CLI::App* sub = app->add_subcommand(
      "view", "Show a run, or all results in a folder, in a browser, or write the page");
  sub->add_option("run", o->run_file, "Run file (HDF5), or a folder of results")->required();
  sub->add_option("--html", o->html, "Write a page instead of serving one")->type_name("FILE");
  add_serve_options(sub, &o->serve);
  sub->callback([o, command] {
    *command = [o] {
      return run_view(*o);
    };
  });
}

void add_solve(CLI::App* app, Command* command) {
  const auto o = std::make_shared<SolveOptions>();
  CLI::App* sub = app->add_subcommand("solve", "Solve single complementarity problems");
  sub->add_option("problems", o->files,
                  "JSON files with M, q (or A, b), alone or as cases; or FCLIB files (HDF5)")
      ->required();
  sub->add_option("--tol", o->tolerance, "Tolerance of the certificate (1e-12; FCLIB: 1e-8)")
      ->check(number_between(1e-15, 1e-2));
  take_words(
      sub->add_option("--solver", o->solver, "lemke or lp for JSON; the others for FCLIB files"),
      {"lemke", "lp", "cascade", "gauss-seidel", "newton", "interior-point"});
  sub->add_option("--solution", o->solution, "FCLIB: write each answer into this folder")
      ->type_name("DIR");
  sub->add_flag("--json", o->json, "Print the answers as JSON to standard output");
  sub->callback([o, command] {
    *command = [o] {
      return run_solve(*o);
    };
  });
}

void add_impact(CLI::App* app, Command* command) {
  const auto o = std::make_shared<ImpactOptions>();
  CLI::App* sub = app->add_subcommand("impact", "Solve single impacts by any law");
  sub->add_option("cases", o->files, "JSON files of impacts, alone or as cases")->required();
  take_words(sub->add_option("--law", o->law, "Use this law instead of the file's"),
             {"newton", "poisson", "energetic", "energetic-ratio"});
  sub->add_option("--draw", o->draw, "Draw paths and work: a folder for SVG files, or one *.html")
      ->type_name("DIR|FILE");
  sub->add_flag("--json", o->json, "Print the answers as JSON to standard output");
  sub->callback([o, command] {
    *command = [o] {
      return run_impact(*o);
    };
  });
}

void add_reproduce(CLI::App* app, Command* command) {
  const auto o = std::make_shared<ReproduceOptions>();
  CLI::App* sub = app->add_subcommand("reproduce", "Repeat the experiments, number by number");
  sub->add_option("experiments", o->ids, "e.g. ST00/rod; or all; none lists them");
  sub->add_option("--html", o->html, "Write pages with the figures into this folder")
      ->type_name("DIR");
  sub->add_flag("--json", o->json, "Print the numbers as JSON to standard output");
  sub->callback([o, command] {
    *command = [o] {
      return run_reproduce(*o);
    };
  });
}

void add_examples(CLI::App* app, Command* command) {
  const auto o = std::make_shared<ExamplesOptions>();
  CLI::App* sub = app->add_subcommand("examples", "List the scenes that come with the program");
  sub->add_option("name", o->name, "Print the path of this scene instead");
  sub->add_flag("--json", o->json, "Print the list as JSON to standard output");
  sub->callback([o, command] {
    *command = [o] {
      return run_examples(*o);
    };
  });
}

void add_completion(CLI::App* app, Command* command) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* sub =
      app->add_subcommand("completion", "Print shell completion: source <(tenpin completion bash)");
  take_words(sub->add_option("shell", *shell, "Shell that will read it")->required(),
             {"bash", "zsh"});
  sub->callback([shell, app, command] {
    *command = [shell, app] {
      return run_completion(*app, *shell);
    };
  });
}

// Refuses values of flags, because `--json=no` would otherwise count as given.
void refuse_values_of_flags(CLI::App* app) {
  for (CLI::App* command : app->get_subcommands({})) {
    for (CLI::Option* option : command->get_options()) {
      if (option->get_expected_max() == 0) option->disable_flag_override();
    }
  }
}

}  // namespace

void add_commands(CLI::App* app, Command* command) {
  constexpr std::size_t kTermWidth = 34;  // letters, two more than the longest term
  app->get_formatter()->column_width(kTermWidth);
  app->require_subcommand(1);
  app->set_version_flag("--version", std::string("tenpin ") + lab::kVersion);
  add_run(app, command);
  add_check(app, command);
  add_convert(app, command);
  add_info(app, command);
  add_repair(app, command);
  add_view(app, command);
  add_solve(app, command);
  add_impact(app, command);
  add_reproduce(app, command);
  add_examples(app, command);
  add_lab_commands(app, command);
  add_completion(app, command);
  add_help_examples(app);
  refuse_values_of_flags(app);
}

}  // namespace tenpin::app
