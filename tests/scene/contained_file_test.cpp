#include "scene/contained_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <system_error>

#include "base/check.h"

namespace tenpin::scene {
namespace {

constexpr std::size_t kMaxBytes = 1 << 20;

TEST(RegularFile, ThatIsMissingIsTheCallersMistake) {
  EXPECT_THROW(static_cast<void>(read_regular_file("/no/such/file", kMaxBytes)), InputError);
}

TEST(RegularFile, WithoutAFreeDescriptorIsTheMachinesFault) {
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const int lowest_free = open("/dev/null", O_RDONLY | O_CLOEXEC);
  ASSERT_GE(lowest_free, 0);
  close(lowest_free);
  const rlimit none = {static_cast<rlim_t>(lowest_free), before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  EXPECT_THROW(static_cast<void>(read_regular_file(TENPIN_SOURCE_DIR "/README.md", kMaxBytes)),
               std::system_error);
  setrlimit(RLIMIT_NOFILE, &before);
}

}  // namespace
}  // namespace tenpin::scene
