#include "signals.h"

#include <csignal>

namespace tenpin::app {

namespace {

// A signal handler can access only globals.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<int> caught = 0;
static_assert(std::atomic<int>::is_always_lock_free);  // otherwise a handler must not set it

void note(int signal) {
  caught = signal;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void make_write_signals_errors() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void catch_signals() {
  std::signal(SIGINT, note);
  std::signal(SIGTERM, note);
}

int caught_signal() {
  return caught;
}

const std::atomic<int>& signal_flag() {
  return caught;
}

}  // namespace tenpin::app
