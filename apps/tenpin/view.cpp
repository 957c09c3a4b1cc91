#include "view.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "exit_codes.h"
#include "lab/serve.h"
#include "lab/viewer_page.h"
#include "lab/viewer_stream.h"
#include "page_target.h"
#include "print.h"
#include "record/run_reader.h"
#include "signals.h"
#include "view_folder.h"

namespace tenpin::app {

namespace {

int write_page(const ViewOptions& options) {
  check_page_target(options.html);
  lab::write_viewer_page(record::RunReader(options.run_file), options.html);
  print(stdout, "{}\n", options.html);
  return kDone;
}

int serve_page(const ViewOptions& options) {
  lab::ViewerStream stream(options.run_file);
  lab::LoopbackSocket socket(options.serve.port);
  const std::string secret = lab::make_secret();
  const std::string address = lab::make_page_address(socket.port(), secret);
  catch_signals();
  print(stdout, "{}\n", address);
  std::fflush(stdout);
  print(stderr, "Ctrl-C ends it.\n");
  if (options.serve.open) open_browser(address);
  lab::serve_loopback(
      std::move(socket), secret,
      [&stream](std::string_view name, std::string_view query) {
        return stream.answer(name, query);
      },
      [] {
        return caught_signal() == 0;
      });
  return kDone;
}

}  // namespace

void open_browser(const std::string& address) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
  std::string program = "xdg-open";
  std::string argument = address;
  const std::array<char*, 3> command = {program.data(), argument.data(), nullptr};
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&quiet, fd, "/dev/null", O_RDWR, 0);
  pid_t pid = -1;
  // The result is ignored: if no browser opens, the user can still use the printed address.
  static_cast<void>(posix_spawnp(&pid, program.c_str(), &quiet, nullptr, command.data(), environ));
  posix_spawn_file_actions_destroy(&quiet);
}

int run_view(const ViewOptions& options) {
  if (std::filesystem::is_directory(options.run_file)) return run_view_folder(options);
  return options.html.empty() ? serve_page(options) : write_page(options);
}

}  // namespace tenpin::app
