// `tenpin run --live`: shows a run while it is computed. The page is served by a process of its own
// that reads the run file as it grows, so that no browser, however slow or dead, can hold the run
// up or take a frame from its file.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

#include "view.h"

namespace tenpin::app {

class LiveView {
 public:
  // Throws std::system_error when the port is taken. To be made while the process has one thread.
  LiveView(const std::string& run_file, const ServeOptions& options);
  // Ends the server.
  ~LiveView();
  LiveView(const LiveView&) = delete;
  LiveView& operator=(const LiveView&) = delete;

  const std::string& address() const { return address_; }

  // Where commands of its pages arrive (live_control.h); reading does not block.
  int commands() const { return commands_; }

  // The run has begun again, in the same file.
  void tell_restart();
  // The run stands still because it was paused, or goes on.
  void tell_standing(bool is_standing);
  // The run is over: waits until its pages are closed, none has come, a signal arrives, or
  // `is_wanted` says that the run shall begin again.
  void linger(const std::function<bool()>& is_wanted);

 private:
  std::string address_;
  pid_t server_ = -1;
  int pipe_ = -1;  // closed: the server ends at once; bytes: see live.cpp
  int commands_ = -1;
};

}  // namespace tenpin::app
