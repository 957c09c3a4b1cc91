// The main function: parses the command line, runs the command, and determines the exit code.
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <system_error>

#include <CLI/CLI.hpp>

#include "base/check.h"
#include "batch/cuda_driver.h"
#include "commands.h"
#include "exit_codes.h"
#include "print.h"
#include "record/record_error.h"
#include "scene/problem.h"
#include "signals.h"
#include "usage_error.h"

namespace tenpin::app {

namespace {

int fail(ExitCode code, const std::string& message) {
  print(stderr, "tenpin: {}\n", message);
  return code;
}

// Opens dummy files in place of closed standard streams. Otherwise a file opened later would get
// the number of such a stream, and messages would be written into it.
void occupy_standard_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) >= 0) continue;
    static_cast<void>(open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY));
  }
}

// Exits without the handlers that exit() would run: these wait for threads of the linear algebra
// library, which never answer when memory is exhausted. All files have been closed before.
[[noreturn]] void leave_without_memory() {
  std::fputs("tenpin: out of memory\n", stderr);
  static_cast<void>(std::fflush(stdout));
  std::_Exit(kEnvironment);
}

// Runs a command, and converts exceptions to a message and an exit code.
int run_guarded(const Command& command) {
  try {
    return command();
  } catch (const scene::SceneError& error) {
    print(stderr, "{}", scene::print_problems(error.problems()));
    return kBadInput;
  } catch (const LimitError& error) {
    return fail(kLimit, error.what());
  } catch (const InputError& error) {
    return fail(kBadInput, error.what());
  } catch (const NumericalError& error) {
    return fail(kNumericalFailure, error.what());
  } catch (const record::RecordError& error) {
    return fail(kEnvironment, error.what());
  } catch (const batch::DeviceError& error) {
    return fail(kEnvironment, error.what());
  } catch (const std::system_error& error) {  // from file systems and ports
    return fail(kEnvironment, error.what());
  } catch (const std::bad_alloc&) {
    leave_without_memory();
  }
}

// True if the reader of our output has closed it, as in `tenpin ... | head`.
bool is_reader_gone() {
  pollfd stream = {.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  return poll(&stream, 1, 0) > 0 && (stream.revents & POLLERR) != 0;
}

// Flushes stdout. If it could not be written, as on a full disk, this is a failure, too.
int finish(int code) {
  const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (written || code != kDone || is_reader_gone()) return code;
  return fail(kEnvironment, "cannot write to standard output");
}

int run_program(int argc, char** argv) {
  occupy_standard_streams();
  make_write_signals_errors();
  CLI::App app{"Tenpin simulates rigid bodies in contact and certifies every step."};
  Command command;
  add_commands(&app, &command);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    return finish(app.exit(help_or_version));
  } catch (const CLI::ParseError& error) {
    return fail(kBadInput, explain_usage(app, error));
  }
  return finish(run_guarded(command));
}

}  // namespace

}  // namespace tenpin::app

int main(int argc, char** argv) {
  try {
    return tenpin::app::run_program(argc, argv);
  } catch (const std::bad_alloc&) {  // while the command line was parsed
    std::fputs("tenpin: out of memory\n", stderr);
    return tenpin::app::kEnvironment;
  } catch (...) {
    // No known error reaches this place, but a message is better than an abort.
    std::fputs("tenpin: unexpected failure\n", stderr);
    return tenpin::app::kEnvironment;
  }
}
