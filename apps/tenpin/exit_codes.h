// How the program ends.
#pragma once

namespace tenpin::app {

enum ExitCode {
  kDone = 0,
  kDifferent = 1,         // `reproduce`: some number is not what the paper says
  kBadInput = 2,          // one line per problem on stderr, nothing written
  kNumericalFailure = 3,  // the run file is good up to the last certified step
  kEnvironment = 4,       // disk, permission, port, memory, open files
  kLimit = 5,             // a declared limit; the message names it and how to raise it
};

}  // namespace tenpin::app
