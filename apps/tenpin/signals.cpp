#include "signals.h"

#include <csignal>

namespace tenpin::app {

namespace {

// A handler can reach nothing but a global.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
volatile std::sig_atomic_t caught = 0;

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

}  // namespace tenpin::app
