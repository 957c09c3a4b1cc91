#pragma once

#include <atomic>

namespace tenpin::app {

// SIGPIPE and SIGXFSZ end no command: the write that caused them fails, and says so.
void make_write_signals_errors();

// From now on the first SIGINT or SIGTERM is only noted, so that a run can end after its step with
// its file in order; a second one ends the program at once.
void catch_signals();

// The signal that arrived, or 0.
[[nodiscard]] int caught_signal();
// The same for code that looks at it in the middle of its work.
[[nodiscard]] const std::atomic<int>& signal_flag();

}  // namespace tenpin::app
