// Runs the real program, from outside, in a folder of its own.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "support/patience.h"

namespace tenpin::app {

using test::kPatience;

// s   A program that takes longer hangs; a busy machine takes a fraction of it.
inline constexpr double kHangTime = 3600.0;

struct Outcome {
  int exit_code = -1;  // -1 when a signal ended it
  int signal = 0;      // that signal
  bool timed_out = false;
  double seconds = 0.0;      // by the clock
  double cpu_seconds = 0.0;  // of processor time: does not depend on what else the machine does
  std::string out;           // stdout
  std::string err;           // stderr
};

// A folder that exists as long as the object; the program runs in it.
class Place {
 public:
  Place();
  ~Place();
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  // Writes a file of the folder; returns its name.
  std::string write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;
  std::filesystem::path path(const std::string& name) const { return folder_ / name; }
  // Names of all files, sorted.
  std::vector<std::string> files() const;

  // `tenpin args...`. Killed, and timed_out, after so many seconds, times kPatience.
  Outcome run(const std::vector<std::string>& args, double limit = kHangTime) const;
  // A shell command in which $TENPIN is the program.
  Outcome shell(const std::string& command, double limit = kHangTime) const;

  // The two halves of run(); one program at a time.
  pid_t start(const std::vector<std::string>& args) const;
  Outcome finish(pid_t pid, double limit = kHangTime) const;
  // s   Processor time that a program has used so far.
  static double read_cpu_seconds(pid_t pid);
  // Until the file is there: then the program is at work and listens to signals.
  void wait_for(const std::string& name) const;

 private:
  pid_t spawn(std::vector<std::string> command) const;

  std::filesystem::path folder_;
  std::filesystem::path streams_;  // beside it, so that files() has only what the program wrote
};

}  // namespace tenpin::app
