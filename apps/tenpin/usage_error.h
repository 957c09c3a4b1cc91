// Explains in the program's own words why its arguments are invalid.
#pragma once

#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own
class App;
class ParseError;
}  // namespace CLI

namespace tenpin::app {

// The message for arguments that `app` refused with `error`: the problem, the probable intention,
// and which help to read.
[[nodiscard]] std::string explain_usage(const CLI::App& app, const CLI::ParseError& error);

}  // namespace tenpin::app
