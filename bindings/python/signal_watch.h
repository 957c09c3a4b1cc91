// Watches for Ctrl-C during long calls.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <optional>

#include "core.h"

namespace tenpin::python {

// Checks for Ctrl-C a few times per second. Called by one thread, which does not hold the
// interpreter lock.
class SignalWatch {
 public:
  // Returns false after a signal's handler has raised an exception.
  bool goes_on() {
    if (error_) return false;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return true;
    next_ = now + std::chrono::milliseconds(20);
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) error_.emplace();  // takes over the exception
    return !error_;
  }
  // Throws the exception that the handler has raised. Needs the interpreter lock.
  void check() const {
    if (error_) throw py::error_already_set(*error_);
  }

 private:
  std::chrono::steady_clock::time_point next_ =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
  std::optional<py::error_already_set> error_;
};

}  // namespace tenpin::python
