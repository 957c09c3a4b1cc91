// Messages between the processes that share a study. The study's own code uses only this interface;
// an MPI implementation is in a library that is loaded if MPI started the job (apps/mpi).
#pragma once

#include <string>

namespace tenpin::lab {

class Messenger {
 public:
  virtual ~Messenger() = default;

  virtual int rank() const = 0;  // 0 owns the table
  virtual int size() const = 0;

  // send() and the next function do not wait: a process that ended or hangs must not stop the
  // others.
  virtual void send(int to, std::string bytes) = 0;
  [[nodiscard]] virtual bool receive(int* from, std::string* bytes) = 0;

  // The last call of a process. If other processes are lost, it does not wait for them, and ends
  // the process with that exit code.
  virtual void leave(bool others_are_lost, int exit_code) = 0;
};

// The functions that the library with MPI exports, by name.
using MakeMessenger = Messenger* (*)();
inline constexpr const char* kMakeMessenger = "tenpin_make_messenger";

}  // namespace tenpin::lab
