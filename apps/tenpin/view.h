// `tenpin view run.h5`: shows a run, or all results in a folder, as a page in a file or from a
// server on this machine.
#pragma once

#include <cstdint>
#include <string>

namespace tenpin::app {

// How a page is served; shared with `tenpin run --live`.
struct ServeOptions {
  std::uint16_t port = 0;  // 0 = any free one
  bool open = true;        // starts a browser, where there is a screen
};

struct ViewOptions {
  std::string run_file;  // or a folder of results
  std::string html;      // page to write; "" = serve
  ServeOptions serve;
};

// Serves until SIGINT or SIGTERM, which is its normal end. Returns the exit code; throws
// std::system_error when the port is taken.
[[nodiscard]] int run_view(const ViewOptions& options);

// Shows the address in a browser, if there is a screen and a browser to be found.
void open_browser(const std::string& address);

}  // namespace tenpin::app
