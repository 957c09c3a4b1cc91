// `tenpin run --live`: shows a run while it is computed. A separate process serves the page and
// reads the run file as it grows, so that no browser, however slow, can delay the run or make it
// lose a frame.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

#include "view.h"

namespace tenpin::app {

class LiveView {
 public:
  // Throws std::system_error if the port is in use. Create it while the process has only one
  // thread.
  LiveView(const std::string& run_file, const ServeOptions& options);
  // Ends the server.
  ~LiveView();
  LiveView(const LiveView&) = delete;
  LiveView& operator=(const LiveView&) = delete;

  const std::string& address() const { return address_; }

  // The descriptor from which commands of its pages are read (live_control.h); reading does not
  // block.
  int commands() const { return commands_; }

  // Call when the run has started again, in the same file.
  void tell_restart();
  // Call when the run pauses, or continues.
  void tell_standing(bool is_standing);
  // Call when the run is complete. Waits until its pages are closed, no page has opened, a signal
  // arrives, or `is_wanted` says that the run should start again.
  void linger(const std::function<bool()>& is_wanted);

 private:
  std::string address_;
  pid_t server_ = -1;
  int pipe_ = -1;  // if closed, the server ends at once; for the bytes see live.cpp
  int commands_ = -1;
};

}  // namespace tenpin::app
