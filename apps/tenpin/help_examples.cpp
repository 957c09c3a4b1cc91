#include "help_examples.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/check.h"

namespace tenpin::app {

namespace {

struct Example {
  std::string_view line;
  std::string_view meaning;
};

struct CommandExamples {
  std::string_view command;
  std::vector<Example> examples;
};

constexpr std::string_view kExitCodes =
    "Exit codes: 0 done, 1 an expected number is missed, 2 bad input, 3 numerical failure,\n"
    "4 environment, 5 limit exceeded, 130/143 interrupted.";

std::vector<Example> list_first_examples() {
  return {{"tenpin run scenes/ten-pins.yaml --html page.html", "simulate and look at it"},
          {"tenpin check scenes/*.yaml", "find mistakes in scenes"},
          {"tenpin compare scenes/four-balls.yaml --html page.html", "one scene, every method"},
          {"tenpin reproduce ST00/rod --html out", "repeat a paper's experiment"}};
}

std::vector<CommandExamples> list_scene_examples() {
  return {
      {"run",
       {{"tenpin run scenes/ten-pins.yaml --html page.html", "simulate and write a page"},
        {"tenpin run scenes/stack.yaml -o run.h5", "keep the run file"},
        {"tenpin run scenes/stack.yaml --method time-stepping:order=1", "another method"},
        {"tenpin run scenes/stack.yaml --set until=2 --set gravity=[0,0,-1.6]", "other values"},
        {"tenpin run --from run.h5 --set until=20 -o more.h5", "continue a run"},
        {"tenpin run robot.urdf --base fixed --ground --live", "a robot, in the browser"}}},
      {"check",
       {{"tenpin check scenes/*.yaml", "list every problem"},
        {"tenpin check robot.urdf --lenient", "a robot model and what of it is not used"},
        {"tenpin check --schema > scene.schema.json", "the schema, for editors"}}},
      {"convert",
       {{"tenpin convert robot.urdf -o robot.yaml", "a scene that you can edit"},
        {"tenpin convert robot.xml --keyframe home --set until=2", "print it"}}},
      {"examples",
       {{"tenpin examples", "list the scenes"},
        {"tenpin run $(tenpin examples four-balls)", "run one of them"}}},
      {"compare",
       {{"tenpin compare scenes/four-balls.yaml --html page.html", "every method"},
        {"tenpin compare scenes/stack.yaml --methods time-stepping,impulse", "these two"},
        {"tenpin compare scenes/stack.yaml -o runs", "keep the run files"}}},
  };
}

std::vector<CommandExamples> list_run_examples() {
  return {
      {"info",
       {{"tenpin info run.h5", "what the run file holds"},
        {"tenpin info run.h5 --json", "as JSON"},
        {"tenpin info run.h5 --csv contacts > contacts.csv", "every contact of every step"}}},
      {"repair",
       {{"tenpin repair run.h5", "write run.h5.repaired.h5"},
        {"tenpin repair run.h5 -o intact.h5", "under another name"}}},
      {"view",
       {{"tenpin view run.h5", "open the run in a browser"},
        {"tenpin view run.h5 --html page.html", "one file that needs no server"},
        {"tenpin view results --html results/index.html", "one page for all runs of a folder"},
        {"tenpin view run.h5 --port 8000 --no-open", "on a machine without a screen"}}},
      {"report",
       {{"tenpin report run.h5", "write run-report.html"},
        {"tenpin report run.h5 -o report.html", "under another name"}}},
      {"export",
       {{"tenpin export run.h5 --list", "the names of all quantities"},
        {"tenpin export run.h5 --csv - --quantity bodies.ball,steps.residual", "print two"},
        {"tenpin export run.h5 --gltf run.glb", "for Blender and other programs"},
        {"tenpin export run.h5 --png end.png --time 2.5", "a picture"},
        {"tenpin export run.h5 --mp4 film.mp4 --speed 0.25", "a film in slow motion"}}},
  };
}

std::vector<CommandExamples> list_lab_examples() {
  return {
      {"solve",
       {{"tenpin solve problem.json", "M and q of one problem, or a list of cases"},
        {"tenpin solve problem.json --solver lp --json", "another solver, answer as JSON"},
        {"tenpin solve fclib/*.hdf5 --solver newton", "problems of FCLIB"}}},
      {"impact",
       {{"tenpin impact cases.json", "the impacts of a file"},
        {"tenpin impact cases.json --law energetic", "by another law"},
        {"tenpin impact cases.json --draw impact.html", "with paths and work"}}},
      {"reproduce",
       {{"tenpin reproduce", "list the experiments"},
        {"tenpin reproduce ST00/rod", "one of them, number by number"},
        {"tenpin reproduce all --html out", "all, with their figures"}}},
      {"sweep",
       {{"tenpin sweep study.yaml --html page.html", "run it and write a page"},
        {"tenpin sweep study.yaml --live", "watch it in the browser"},
        {"tenpin sweep study.yaml --device gpu --precision f32", "all trials at once"},
        {"mpirun -n 64 tenpin sweep study.yaml", "on many processors"},
        {"tenpin sweep study.yaml --shard 3/16 -o shard-3.sqlite", "one part of 16"},
        {"tenpin sweep study.yaml --trial 4711 -o run.h5", "one trial alone"}}},
      {"merge", {{"tenpin merge shard-*.sqlite -o study.sqlite", "join the parts"}}},
      {"submit",
       {{"tenpin submit study.yaml --nodes 4 --print > study.sbatch", "write the job"},
        {"tenpin submit study.yaml --array 16 --time 2:00:00", "submit 16 jobs"}}},
      {"completion",
       {{"source <(tenpin completion bash)", "complete commands in this shell"},
        {"tenpin completion zsh >> ~/.zshrc", "in every zsh"}}},
  };
}

std::string print_examples(std::string_view title, std::span<const Example> examples) {
  std::size_t width = 0;
  for (const Example& example : examples) width = std::max(width, example.line.size());
  std::string text = fmt::format("{}:\n", title);
  for (const Example& example : examples) {
    text += fmt::format("  {:{}}  {}\n", example.line, width, example.meaning);
  }
  return text;
}

}  // namespace

void add_help_examples(CLI::App* app) {
  app->footer(print_examples("Start here", list_first_examples()) + std::string(kExitCodes));
  std::size_t num_commands = 0;
  for (const auto& list : {list_scene_examples(), list_run_examples(), list_lab_examples()}) {
    for (const CommandExamples& row : list) {
      app->get_subcommand(std::string(row.command))
          ->footer(print_examples("Examples", row.examples) + std::string(kExitCodes));
      ++num_commands;
    }
  }
  TENPIN_DEMAND(num_commands == app->get_subcommands({}).size());
}

}  // namespace tenpin::app
