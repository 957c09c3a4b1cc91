// `tenpin sweep --live`: a page on this machine that shows a study while it is computed. A thread
// of low priority serves it and reads the table's file, so that no browser can delay the sweep.
#pragma once

#include <atomic>
#include <string>
#include <thread>

#include "lab/serve.h"
#include "lab/study/live_study.h"
#include "onlookers.h"
#include "view.h"

namespace tenpin::app {

class LiveSweep {
 public:
  // The study must outlive it. Throws std::system_error if the port is in use.
  LiveSweep(const lab::Study& study, const std::string& table, const ServeOptions& options);
  // Ends the server.
  ~LiveSweep();
  LiveSweep(const LiveSweep&) = delete;
  LiveSweep& operator=(const LiveSweep&) = delete;

  const std::string& address() const { return address_; }

  void show(const lab::SweepProgress& progress, lab::LiveStudy::Stage stage) {
    live_.show(progress, stage);
  }

  // Call when the sweep is complete. Waits until its pages are closed, no page has opened, or a
  // signal arrives.
  void linger();

 private:
  void serve(lab::LoopbackSocket socket, const std::string& secret);

  lab::LiveStudy live_;
  std::string address_;
  Onlookers onlookers_;                    // used by the server's thread
  std::atomic<bool> is_over_ = false;      // the sweep is complete; pages may still be open
  std::atomic<bool> stops_ = false;        // the server must stop at once
  std::atomic<bool> has_stopped_ = false;  // the server has stopped
  std::thread server_;                     // last, because it uses all members above
};

}  // namespace tenpin::app
