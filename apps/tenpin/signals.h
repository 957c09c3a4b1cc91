#pragma once

#include <atomic>

namespace tenpin::app {

// Lets no command end by SIGPIPE and SIGXFSZ: the write that caused them fails, and reports the
// error.
void make_write_signals_errors();

// From now on the first SIGINT or SIGTERM is only noted, so that a run can end after its step with
// a complete file; a second one ends the program at once.
void catch_signals();

// Returns the signal that arrived, or 0.
[[nodiscard]] int caught_signal();
// The signal that arrived, or 0, for code that checks it while it works.
[[nodiscard]] const std::atomic<int>& signal_flag();

}  // namespace tenpin::app
