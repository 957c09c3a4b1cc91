#include "completion.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "exit_codes.h"
#include "print.h"

namespace tenpin::app {

namespace {

std::string options_of(const CLI::App& sub) {
  std::string words;
  for (const CLI::Option* option : sub.get_options()) {
    for (const std::string& name : option->get_lnames()) words += " --" + name;
    for (const std::string& name : option->get_snames()) words += " -" + name;
  }
  return words;
}

}  // namespace

int run_completion(const CLI::App& app, const std::string& shell) {
  std::string commands;
  std::string cases;
  for (const CLI::App* sub : app.get_subcommands({})) {
    commands += " " + sub->get_name();
    cases += fmt::format("    {}) words=\"{}\" ;;\n", sub->get_name(), options_of(*sub));
  }
  // zsh supports bash's completion functions after this command.
  if (shell == "zsh") print(stdout, "autoload -U +X bashcompinit && bashcompinit\n");
  print(stdout,
        "_tenpin() {{\n"
        "  local current=\"${{COMP_WORDS[COMP_CWORD]}}\" words=\"{} --help --version\"\n"
        "  [ \"$COMP_CWORD\" -gt 1 ] && case \"${{COMP_WORDS[1]}}\" in\n{}"
        "  esac\n"
        "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
        "  case \"$current\" in -*) ;; *) [ \"$COMP_CWORD\" -gt 1 ] &&\n"
        "    COMPREPLY=($(compgen -f -- \"$current\")) ;; esac\n"
        "}}\n"
        "complete -o filenames -F _tenpin tenpin\n",
        commands, cases);
  return kDone;
}

}  // namespace tenpin::app
