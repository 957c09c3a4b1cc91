#include "live.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "lab/serve.h"
#include "lab/viewer_stream.h"
#include "onlookers.h"
#include "signals.h"

namespace tenpin::app {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr int kNiceness = 10;  // the run comes first

// What the run has told us by its end of the pipe.
class RunWatch {
 public:
  explicit RunWatch(int fd) : fd_(fd) {}

  void look() {
    std::array<char, 1> byte = {};
    const ssize_t count = read(fd_, byte.data(), byte.size());
    if (count == 0) is_gone_ = true;
    if (count == 1 && !std::exchange(has_ended_, true)) ended_ = Clock::now();
  }
  bool is_gone() const { return is_gone_; }
  bool has_ended() const { return has_ended_; }
  Clock::duration since_end() const { return Clock::now() - ended_; }

 private:
  int fd_;
  bool is_gone_ = false;
  bool has_ended_ = false;
  Clock::time_point ended_;
};

// The whole life of the serving process.
void serve_growing_run(lab::LoopbackSocket socket, const std::string& secret,
                       const std::string& run_file, int from_run) {
  // A key pressed in the terminal is the run's business, which tells us.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_IGN);
  static_cast<void>(nice(kNiceness));
  fcntl(from_run, F_SETFL, O_NONBLOCK);
  lab::ViewerStream stream(run_file, getppid());
  Onlookers onlookers;
  RunWatch run(from_run);
  lab::serve_loopback(
      std::move(socket), secret,
      [&](std::string_view name, std::string_view query) {
        onlookers.note(name, query);
        return stream.answer(name, query);
      },
      [&] {
        run.look();
        if (run.is_gone()) return false;
        return !run.has_ended() || onlookers.is_anyone_there(run.since_end());
      });
}

}  // namespace

LiveView::LiveView(const std::string& run_file, const ServeOptions& options) {
  lab::LoopbackSocket socket(options.port);
  const std::string secret = lab::make_secret();
  address_ = lab::make_page_address(socket.port(), secret);
  std::array<int, 2> ends = {};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    throw std::system_error(errno, std::generic_category(), "pipe");
  server_ = fork();
  if (server_ < 0) {
    const int error = errno;
    close(ends[0]);
    close(ends[1]);
    throw std::system_error(error, std::generic_category(), "fork");
  }
  if (server_ == 0) {
    close(ends[1]);
    try {
      serve_growing_run(std::move(socket), secret, run_file, ends[0]);
    } catch (...) {
      std::_Exit(EXIT_FAILURE);  // only the picture is lost
    }
    std::_Exit(EXIT_SUCCESS);
  }
  close(ends[0]);
  pipe_ = ends[1];
  if (options.open) open_browser(address_);
}

LiveView::~LiveView() {
  if (pipe_ >= 0) close(pipe_);
  if (server_ > 0) waitpid(server_, nullptr, 0);
}

void LiveView::linger() {
  static_cast<void>(write(pipe_, "", 1));
  while (caught_signal() == 0) {
    if (waitpid(server_, nullptr, WNOHANG) != 0) {
      server_ = -1;
      return;
    }
    std::this_thread::sleep_for(50ms);
  }
}

}  // namespace tenpin::app
