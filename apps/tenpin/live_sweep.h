// `tenpin sweep --live`: a page on this machine that shows a study while it is computed. A thread
// of low priority serves it and reads the table's file, so that no browser can hold the sweep up.
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
  // The study must outlive it. Throws std::system_error when the port is taken.
  LiveSweep(const lab::Study& study, const std::string& table, const ServeOptions& options);
  // Ends the server.
  ~LiveSweep();
  LiveSweep(const LiveSweep&) = delete;
  LiveSweep& operator=(const LiveSweep&) = delete;

  const std::string& address() const { return address_; }

  void show(const lab::SweepProgress& progress, lab::LiveStudy::Stage stage) {
    live_.show(progress, stage);
  }

  // The sweep is over: waits until its pages are closed, none has come, or a signal arrives.
  void linger();

 private:
  void serve(lab::LoopbackSocket socket, const std::string& secret);

  lab::LiveStudy live_;
  std::string address_;
  Onlookers onlookers_;                    // of the server's thread
  std::atomic<bool> is_over_ = false;      // the sweep; pages may still look on
  std::atomic<bool> stops_ = false;        // the server, at once
  std::atomic<bool> has_stopped_ = false;  // it did
  std::thread server_;                     // last: it uses all of the above
};

}  // namespace tenpin::app
