// The table of commands, with their options and help.
#pragma once

#include <functional>

#include "scene/import/import.h"
#include "view.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own
class App;
}

namespace tenpin::app {

using Command = std::function<int()>;

// Adds every subcommand; parsing one sets *command to what it must run.
void add_commands(CLI::App* app, Command* command);

// Options of commands that read robot models.
void add_import_options(CLI::App* sub, scene::ImportOptions* options);
// Options of commands that serve a page.
void add_serve_options(CLI::App* sub, ServeOptions* options);

}  // namespace tenpin::app
