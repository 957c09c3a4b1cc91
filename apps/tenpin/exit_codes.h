// The exit codes of the program.
#pragma once

namespace tenpin::app {

enum ExitCode {
  kDone = 0,
  kDifferent = 1,         // `reproduce`: some number differs from the paper's
  kBadInput = 2,          // one line per problem on stderr, nothing written
  kNumericalFailure = 3,  // the run file is valid up to the last certified step
  kEnvironment = 4,       // disk, permission, port, memory, open files
  kLimit = 5,             // a limit was exceeded; the message names it and says how to raise it
};

}  // namespace tenpin::app
