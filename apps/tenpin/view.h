// `tenpin view run.h5`: shows a run, or all results in a folder, as a page in a file or from a
// server on this machine.
#pragma once

#include <cstdint>
#include <string>

namespace tenpin::app {

// How a page is served; shared with `tenpin run --live`.
struct ServeOptions {
  std::uint16_t port = 0;  // 0 = any free port
  bool open = true;        // start a browser if there is a screen
};

struct ViewOptions {
  std::string run_file;  // run file, or a folder of results
  std::string html;      // page to write; "" = serve the page
  ServeOptions serve;
};

// Serves until SIGINT or SIGTERM, which is the normal end. Returns the exit code; throws
// std::system_error if the port is in use.
[[nodiscard]] int run_view(const ViewOptions& options);

// Opens the address in a browser, if a screen and a browser are available.
void open_browser(const std::string& address);

}  // namespace tenpin::app
