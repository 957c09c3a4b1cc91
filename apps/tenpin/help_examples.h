// The examples and exit codes at the end of every help text, from which the manual pages come.
#pragma once

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own
class App;
}

namespace tenpin::app {

// Gives the program and each of its commands their examples.
void add_help_examples(CLI::App* app);

}  // namespace tenpin::app
