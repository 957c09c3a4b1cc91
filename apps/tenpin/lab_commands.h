// The commands that compare runs, report on them and export them.
#pragma once

#include "commands.h"

namespace tenpin::app {

// Adds `compare`, `report` and `export`.
void add_lab_commands(CLI::App* app, Command* command);

}  // namespace tenpin::app
