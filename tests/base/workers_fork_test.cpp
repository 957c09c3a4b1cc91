// A process that is forked has none of the threads of its parent.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <memory>

#include "base/workers.h"

namespace tenpin {
namespace {

int count_turns(const Workers& workers) {
  std::atomic<int> turns = 0;
  workers.run(1000, [&](int, int) {
    ++turns;
  });
  return turns;
}

TEST(Workers, ForkedProcessWorksAndEnds) {
  auto workers = std::make_unique<Workers>(3);
  ASSERT_EQ(count_turns(*workers), 1000);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const bool all = count_turns(*workers) == 1000;
    workers.reset();
    _exit(all ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(count_turns(*workers), 1000);
}

}  // namespace
}  // namespace tenpin
