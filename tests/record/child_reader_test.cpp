#include "record/child_reader.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/rng.h"
#include "record/fclib.h"
#include "record/record_error.h"
#include "support/patience.h"

namespace tenpin::record {
namespace {

std::string message_of(const std::function<std::string()>& work, const ChildLimits& limits = {}) {
  try {
    (void)read_in_child("file.hdf5", work, limits);
    return "";
  } catch (const InputError& error) {
    return std::string("input: ") + error.what();
  } catch (const LimitError& error) {
    return std::string("limit: ") + error.what();
  } catch (const RecordError& error) {
    return std::string("record: ") + error.what();
  }
}

TEST(ChildReader, AnswersAndErrorsPassThrough) {
  const std::string large(3 << 20, 'x');
  EXPECT_EQ(read_in_child("f",
                          [&] {
                            return large;
                          }),
            large);
  EXPECT_EQ(message_of([]() -> std::string {
              throw InputError("a");
            }),
            "input: a");
  EXPECT_EQ(message_of([]() -> std::string {
              throw LimitError("b");
            }),
            "limit: b");
  EXPECT_EQ(message_of([]() -> std::string {
              throw RecordError("c");
            }),
            "record: c");
}

TEST(ChildReader, AChildThatDiesIsADamagedFile) {
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE}) {
    const std::string text = message_of([signal]() -> std::string {
      std::signal(signal, SIG_DFL);  // a sanitizer would print its report
      std::raise(signal);
      return "not reached";
    });
    EXPECT_TRUE(text.starts_with("input: file.hdf5: /: damaged")) << text;
    EXPECT_NE(text.find("signal " + std::to_string(signal)), std::string::npos) << text;
  }
  EXPECT_TRUE(message_of([]() -> std::string {
                _exit(3);
              }).starts_with("input: file.hdf5: /: damaged"));
}

TEST(ChildReader, LimitsHold) {
  const std::string endless = message_of(
      []() -> std::string {
        std::atomic<int> i = 0;
        while (true) ++i;
      },
      {.cpu_seconds = 1});
  EXPECT_TRUE(endless.starts_with("limit: file.hdf5: took too long")) << endless;
  if (test::kPatience > 1.0) GTEST_SKIP() << "a sanitizer takes all addresses";
  const std::string huge = message_of(
      [] {
        return std::string(std::size_t{1} << 30, 'x');
      },
      {.memory_bytes = std::uint64_t{64} << 20});
  EXPECT_TRUE(huge.starts_with("limit: file.hdf5: needs too much memory")) << huge;
}

TEST(ChildReader, UnpackerRefusesSizesThatAreNotThere) {
  Packer packer;
  packer.add(std::size_t{1} << 60);
  const std::string bytes = packer.take();
  Unpacker unpacker(bytes);
  EXPECT_THROW((void)unpacker.take_list<double>(), InputError);
  Unpacker short_one("abc");
  EXPECT_THROW((void)short_one.take<double>(), InputError);
}

// The HDF5 library dies on some of these; this process does not.
TEST(ChildReader, DamagedFclibFilesAreReadOrRefused) {
  namespace fs = std::filesystem;
  const fs::path source = TENPIN_SOURCE_DIR "/tests/record/fclib/FrictionContact3D_1c.hdf5";
  std::ifstream stream(source, std::ios::binary);
  const std::string good{std::istreambuf_iterator<char>(stream), {}};
  const fs::path file = fs::path(testing::TempDir()) / ("damaged_" + std::to_string(getpid()));
  int num_refused = 0;
  for (std::uint64_t round = 0; round < 200; ++round) {
    const RandomStream random(5, round);
    std::string damaged = good;
    for (std::uint64_t i = 0; i < 8; ++i) {
      const double place = random.uniform(2 * i) * static_cast<double>(good.size());
      damaged[static_cast<std::size_t>(place)] =
          static_cast<char>(256.0 * random.uniform(2 * i + 1));
    }
    std::ofstream(file, std::ios::binary) << damaged;
    try {
      (void)read_fclib(file);
    } catch (const InputError&) {
      ++num_refused;
    } catch (const LimitError&) {
      ++num_refused;
    }
  }
  fs::remove(file);
  EXPECT_GT(num_refused, 50);
}

}  // namespace
}  // namespace tenpin::record
