// Messages between the processes that share a study. The study's own code sees this interface only;
// MPI stands behind it in a library that is loaded where a job was started by it (apps/mpi).
#pragma once

#include <string>

namespace tenpin::lab {

class Messenger {
 public:
  virtual ~Messenger() = default;

  virtual int rank() const = 0;  // 0 owns the table
  virtual int size() const = 0;

  // Neither call waits: a process that died or hangs must not stop the others.
  virtual void send(int to, std::string bytes) = 0;
  [[nodiscard]] virtual bool receive(int* from, std::string* bytes) = 0;

  // The last call of a process. If others are lost, it leaves without waiting for them: then it
  // ends the process with that exit code.
  virtual void leave(bool others_are_lost, int exit_code) = 0;
};

// What the library with MPI exports, by these names.
using MakeMessenger = Messenger* (*)();
inline constexpr const char* kMakeMessenger = "tenpin_make_messenger";

}  // namespace tenpin::lab
