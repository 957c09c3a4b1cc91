#include "commands.h"

#include <memory>

#include <CLI/CLI.hpp>

#include "completion.h"
#include "info.h"
#include "lab/version.h"
#include "reproduce.h"
#include "run.h"
#include "solve.h"

namespace tenpin::app {

namespace {

void add_run(CLI::App* app, Command* command) {
  const auto o = std::make_shared<RunOptions>();
  CLI::App* sub = app->add_subcommand("run", "Simulate a scene; print a summary with certificate");
  sub->add_option("scene", o->scene, "Scene file (YAML)")->required();
  sub->add_option("-o,--output", o->output, "Write a run file (HDF5)")->type_name("FILE");
  sub->add_option("--html", o->html, "Write a page that shows the run")->type_name("FILE");
  sub->add_option("--method", o->method, "Use this method instead of the scene's");
  sub->add_option("--set", o->sets, "Change a value of the scene, e.g. bodies.ball.mass=2")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  sub->add_option("--threads", o->threads, "Threads; the result does not depend on it")
      ->check(CLI::Range(1, 1024));
  sub->add_option("--max-bodies", o->max_bodies, "Refuse scenes with more bodies")
      ->check(CLI::PositiveNumber);
  sub->add_flag("--json", o->json, "Print the summary as JSON to standard output");
  sub->add_flag("-q,--quiet", o->quiet, "No progress bar");
  sub->add_flag("--force", o->force, "Run even if it takes more than 10^9 steps");
  sub->callback([o, command] {
    *command = [o] {
      return run_run(*o);
    };
  });
}

void add_check(CLI::App* app, Command* command) {
  const auto o = std::make_shared<CheckOptions>();
  CLI::App* sub = app->add_subcommand("check", "Read scenes and list every problem in them");
  sub->add_option("scenes", o->scenes, "Scene files");
  sub->add_option("--set", o->sets, "Change a value first")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  sub->add_option("--max-bodies", o->max_bodies, "Refuse scenes with more bodies")
      ->check(CLI::PositiveNumber);
  sub->add_flag("--json", o->json, "Print the problems as JSON to standard output");
  sub->add_flag("--schema", o->schema, "Print the JSON Schema of scene files (for editors)");
  sub->callback([o, command] {
    *command = [o] {
      return run_check(*o);
    };
  });
}

void add_info(CLI::App* app, Command* command) {
  const auto o = std::make_shared<InfoOptions>();
  CLI::App* sub = app->add_subcommand("info", "Say what is in a run file");
  sub->add_option("run", o->file, "Run file (HDF5)")->required();
  sub->add_flag("--json", o->json, "Print as JSON to standard output");
  sub->add_option("--csv", o->csv, "Print a table instead: frames, steps or contacts")
      ->check(CLI::IsMember({"frames", "steps", "contacts"}));
  sub->callback([o, command] {
    *command = [o] {
      return run_info(*o);
    };
  });
}

void add_view(CLI::App* app, Command* command) {
  const auto o = std::make_shared<ViewOptions>();
  CLI::App* sub = app->add_subcommand("view", "Write a page that shows a run");
  sub->add_option("run", o->run_file, "Run file (HDF5)")->required();
  sub->add_option("--html", o->html, "The page to write")->required()->type_name("FILE");
  sub->callback([o, command] {
    *command = [o] {
      return run_view(*o);
    };
  });
}

void add_solve(CLI::App* app, Command* command) {
  const auto o = std::make_shared<SolveOptions>();
  CLI::App* sub = app->add_subcommand("solve", "Solve complementarity problems by themselves");
  sub->add_option("problems", o->files, "JSON files with M, q (or A, b), alone or as cases")
      ->required();
  sub->add_option("--tol", o->tolerance, "Tolerance of the certificate")
      ->check(CLI::Range(1e-15, 1e-2));
  sub->add_option("--solver", o->solver, "Solver")->check(CLI::IsMember({"lemke"}));
  sub->add_flag("--json", o->json, "Print the answers as JSON to standard output");
  sub->callback([o, command] {
    *command = [o] {
      return run_solve(*o);
    };
  });
}

void add_reproduce(CLI::App* app, Command* command) {
  const auto o = std::make_shared<ReproduceOptions>();
  CLI::App* sub =
      app->add_subcommand("reproduce", "Repeat the papers' experiments, number by number");
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

void add_completion(CLI::App* app, Command* command) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* sub =
      app->add_subcommand("completion", "Print shell completion: source <(tenpin completion bash)");
  sub->add_option("shell", *shell, "bash or zsh")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh"}));
  sub->callback([shell, app, command] {
    *command = [shell, app] {
      return run_completion(*app, *shell);
    };
  });
}

}  // namespace

void add_commands(CLI::App* app, Command* command) {
  app->require_subcommand(1);
  app->set_version_flag("--version", std::string("tenpin ") + lab::kVersion);
  app->footer(
      "Start here:\n"
      "  tenpin run scenes/four-balls.yaml --html page.html   simulate and look at it\n"
      "  tenpin check scenes/*.yaml                           find mistakes in scenes\n"
      "  tenpin reproduce ST00/rod --html out                 repeat a paper's experiment\n"
      "Exit codes: 0 done, 1 a paper's number is missed, 2 bad input, 3 numerical failure,\n"
      "4 environment, 5 a declared limit, 130/143 interrupted.");
  add_run(app, command);
  add_check(app, command);
  add_info(app, command);
  add_view(app, command);
  add_solve(app, command);
  add_reproduce(app, command);
  add_completion(app, command);
}

}  // namespace tenpin::app
