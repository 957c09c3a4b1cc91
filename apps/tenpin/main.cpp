// The program: what a user types, and how it ends.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <new>

#include "base/check.h"
#include "commands.h"
#include "exit_codes.h"
#include "record/record_error.h"
#include "scene/problem.h"

namespace tenpin::app {

namespace {

int fail(ExitCode code, const std::string& message) {
  fmt::print(stderr, "tenpin: {}\n", message);
  return code;
}

// Runs a command and turns whatever it throws into a message and an exit code.
int run_guarded(const Command& command) {
  try {
    return command();
  } catch (const scene::SceneError& error) {
    fmt::print(stderr, "{}", scene::print_problems(error.problems()));
    return kBadInput;
  } catch (const scene::LimitError& error) {
    return fail(kLimit, error.what());
  } catch (const InputError& error) {
    return fail(kBadInput, error.what());
  } catch (const record::RecordError& error) {
    return fail(kEnvironment, error.what());
  } catch (const std::bad_alloc&) {
    return fail(kLimit, "out of memory");
  }
}

int run_program(int argc, char** argv) {
  CLI::App app{"Tenpin simulates rigid bodies that touch, and certifies every step."};
  Command command;
  add_commands(&app, &command);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForAllHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForVersion& version) {
    return app.exit(version);
  } catch (const CLI::ParseError& error) {
    return fail(kBadInput, fmt::format("{}\nTry 'tenpin --help'.", error.what()));
  }
  const int code = run_guarded(command);
  // What could not be written to stdout (a full disk) is a failure, too; a closed pipe is not.
  if (std::fflush(stdout) != 0 && errno != EPIPE && code == kDone) {
    return fail(kEnvironment, "cannot write to standard output");
  }
  return code;
}

}  // namespace

}  // namespace tenpin::app

int main(int argc, char** argv) {
  return tenpin::app::run_program(argc, argv);
}
