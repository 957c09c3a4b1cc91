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
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "lab/serve.h"
#include "lab/viewer_stream.h"
#include "live_control.h"
#include "onlookers.h"
#include "signals.h"

namespace tenpin::app {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr int kNiceness = 10;  // the run has priority
constexpr char kOver = 'o';    // from the run: it is complete; serve until the last page is closed
constexpr char kAgain = 'a';   // the run has started again
constexpr char kStands = 's';  // the run was paused, and all its frames are in the file
constexpr char kMoves = 'm';   // the run continues

// The state of the run, as it reported it through the pipe.
class RunWatch {
 public:
  explicit RunWatch(int fd) : fd_(fd) {}

  // Reads all new messages, and informs the stream.
  void look(lab::ViewerStream* stream) {
    std::array<char, 64> bytes = {};
    const ssize_t count = read(fd_, bytes.data(), bytes.size());
    if (count == 0) is_gone_ = true;
    for (ssize_t i = 0; i < count; ++i) {
      const char byte = bytes[static_cast<std::size_t>(i)];
      if (byte == kStands || byte == kMoves) {
        stream->set_paused(byte == kStands);
        continue;
      }
      if (byte == kAgain) stream->restart();
      if (byte == kOver && !has_ended_) ended_ = Clock::now();
      has_ended_ = byte == kOver;
    }
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

// Passes a command of a page on to the run. The secret in its address shows that it comes from the
// page.
lab::HttpReply pass_on(std::string_view query, int to_run) {
  const LiveCommand command = parse_live_command(query);
  const bool is_sent =
      write(to_run, &command, sizeof command) == static_cast<ssize_t>(sizeof command);
  return {.status = is_sent ? 200U : 503U, .type = "text/plain; charset=utf-8", .body = ""};
}

// The main function of the serving process.
void serve_growing_run(lab::LoopbackSocket socket, const std::string& secret,
                       const std::string& run_file, int from_run, int to_run) {
  // Ignores keys such as Ctrl-C: the run handles them and informs this process.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_IGN);
  static_cast<void>(nice(kNiceness));
  fcntl(from_run, F_SETFL, O_NONBLOCK);
  lab::ViewerStream stream(run_file, getppid());
  Onlookers onlookers;
  RunWatch run(from_run);
  lab::serve_loopback(
      std::move(socket), secret,
      [&](std::string_view name, std::string_view query) -> std::optional<lab::HttpReply> {
        onlookers.note(name, query);
        run.look(&stream);
        if (name == "control") return pass_on(query, to_run);
        return stream.answer(name, query);
      },
      [&] {
        run.look(&stream);
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
  // for commands; a page that sends more than the run reads is refused
  std::array<int, 2> back = {};
  if (pipe2(ends.data(), O_CLOEXEC) != 0 || pipe2(back.data(), O_CLOEXEC | O_NONBLOCK) != 0)
    throw std::system_error(errno, std::generic_category(), "pipe");
  server_ = fork();
  if (server_ < 0) {
    const int error = errno;
    for (const int end : {ends[0], ends[1], back[0], back[1]}) close(end);
    throw std::system_error(error, std::generic_category(), "fork");
  }
  if (server_ == 0) {
    close(ends[1]);
    close(back[0]);
    try {
      serve_growing_run(std::move(socket), secret, run_file, ends[0], back[1]);
    } catch (...) {
      std::_Exit(EXIT_FAILURE);  // the run is not affected
    }
    std::_Exit(EXIT_SUCCESS);
  }
  close(ends[0]);
  close(back[1]);
  pipe_ = ends[1];
  commands_ = back[0];
  if (options.open) open_browser(address_);
}

LiveView::~LiveView() {
  if (pipe_ >= 0) close(pipe_);
  if (commands_ >= 0) close(commands_);
  if (server_ > 0) waitpid(server_, nullptr, 0);
}

void LiveView::tell_restart() {
  static_cast<void>(write(pipe_, &kAgain, 1));
}

void LiveView::tell_standing(bool is_standing) {
  static_cast<void>(write(pipe_, is_standing ? &kStands : &kMoves, 1));
}

void LiveView::linger(const std::function<bool()>& is_wanted) {
  static_cast<void>(write(pipe_, &kOver, 1));
  while (caught_signal() == 0 && !is_wanted()) {
    if (waitpid(server_, nullptr, WNOHANG) != 0) {
      server_ = -1;
      return;
    }
    std::this_thread::sleep_for(50ms);
  }
}

}  // namespace tenpin::app
