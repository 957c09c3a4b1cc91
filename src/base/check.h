// Three ways to stop on a false condition; choose by the cause.
//   TENPIN_ASSERT(cond)        our bug, in a hot loop      checked in Debug only
//   TENPIN_DEMAND(cond)        our bug, anywhere else      always checked, aborts
//   TENPIN_REQUIRE(cond, msg)  the caller's bad input      always checked, throws InputError
// For a solver that does not converge, none of these applies: it returns a status (see lcp.h).
#pragma once

#include <stdexcept>
#include <string>

namespace tenpin {

// Thrown at the public boundary only: for scene files, command-line arguments and Python calls.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A documented limit was reached. The message names the limit and how to raise it.
class LimitError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Thrown for a problem without a numerical solution, such as a loop that cannot close, if it is
// found before a method runs. (A method would report it as a status.)
class NumericalError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

namespace detail {
[[noreturn]] void fail_demand(const char* condition, const char* file, int line);
[[noreturn]] void fail_require(const std::string& message);
}  // namespace detail

}  // namespace tenpin

#define TENPIN_DEMAND(cond) \
  ((cond) ? void(0) : ::tenpin::detail::fail_demand(#cond, __FILE__, __LINE__))
#define TENPIN_REQUIRE(cond, message) ((cond) ? void(0) : ::tenpin::detail::fail_require(message))
#ifdef NDEBUG
#define TENPIN_ASSERT(cond) void(sizeof((cond) ? 1 : 0))
#else
#define TENPIN_ASSERT(cond) TENPIN_DEMAND(cond)
#endif
