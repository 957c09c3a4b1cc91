// `tenpin run --live`: shows a run while it is computed. The page is served by a process of its own
// that reads the run file as it grows, so that no browser, however slow or dead, can hold the run
// up or take a frame from its file.
#pragma once

#include <sys/types.h>

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

  // The run is over: waits until its pages are closed, none has come, or a signal arrives.
  void linger();

 private:
  std::string address_;
  pid_t server_ = -1;
  int pipe_ = -1;  // closed: the server ends at once; a byte: it ends with its last page
};

}  // namespace tenpin::app
