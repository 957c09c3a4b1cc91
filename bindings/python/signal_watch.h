// The watch for Ctrl-C in long calls.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <optional>

#include "core.h"

namespace tenpin::python {

// Looks for Ctrl-C a few times per second. Called without the interpreter lock, by one thread.
class SignalWatch {
 public:
  // False once a signal's handler has raised.
  bool goes_on() {
    if (error_) return false;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return true;
    next_ = now + std::chrono::milliseconds(20);
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) error_.emplace();  // takes over what was raised
    return !error_;
  }
  // With the interpreter lock: throws what the handler has raised.
  void check() const {
    if (error_) throw py::error_already_set(*error_);
  }

 private:
  std::chrono::steady_clock::time_point next_ =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
  std::optional<py::error_already_set> error_;
};

}  // namespace tenpin::python
