#include "live_sweep.h"

#include <unistd.h>

#include <chrono>
#include <optional>
#include <utility>

#include "signals.h"

namespace tenpin::app {

namespace {

constexpr int kServerNiceness = 10;  // the sweep has priority

}  // namespace

LiveSweep::LiveSweep(const lab::Study& study, const std::string& table, const ServeOptions& options)
    : live_(study, table) {
  lab::LoopbackSocket socket(options.port);
  const std::string secret = lab::make_secret();
  address_ = lab::make_page_address(socket.port(), secret);
  server_ = std::thread([this, secret, socket = std::move(socket)]() mutable {
    serve(std::move(socket), secret);
  });
  if (options.open) open_browser(address_);
}

LiveSweep::~LiveSweep() {
  stops_ = true;
  server_.join();
}

void LiveSweep::serve(lab::LoopbackSocket socket, const std::string& secret) {
  static_cast<void>(nice(kServerNiceness));  // on Linux it affects only this thread
  std::optional<Onlookers::Clock::time_point> end;
  try {
    lab::serve_loopback(
        std::move(socket), secret,
        [this](std::string_view name, std::string_view query) {
          onlookers_.note(name, query);
          return live_.answer(name);
        },
        [this, &end] {
          if (is_over_ && !end) end = Onlookers::Clock::now();
          const bool is_awaited =
              !end || onlookers_.is_anyone_there(Onlookers::Clock::now() - *end);
          return !stops_ && is_awaited;
        });
  } catch (...) {  // the sweep is not affected
  }
  has_stopped_ = true;
}

void LiveSweep::linger() {
  is_over_ = true;
  while (caught_signal() == 0 && !has_stopped_) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

}  // namespace tenpin::app
