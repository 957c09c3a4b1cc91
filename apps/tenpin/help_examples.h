// The examples and exit codes at the end of every help text; the manual pages contain them, too.
#pragma once

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own
class App;
}

namespace tenpin::app {

// Adds the examples to the program and to each of its commands.
void add_help_examples(CLI::App* app);

}  // namespace tenpin::app
