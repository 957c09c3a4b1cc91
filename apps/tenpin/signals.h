#pragma once

namespace tenpin::app {

// From now on the first SIGINT or SIGTERM is only noted, so that a run can end after its step with its
// file in order; a second one ends the program at once. SIGPIPE and SIGXFSZ become write errors.
void catch_signals();

// The signal that arrived, or 0.
[[nodiscard]] int caught_signal();

}  // namespace tenpin::app
