#include "record/run_writer.h"

#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>
#include <fstream>

#include "base/check.h"
#include "record/fake_run.h"

namespace tenpin::record {
namespace {

using Contacts = scene::Record::Contacts;

void write_fake_run(const std::string& path, Contacts contacts, std::int64_t num_steps) {
  RunWriter writer(path, make_fake_header(contacts));
  for (std::int64_t step = 0; step <= num_steps; ++step) append_fake_step(step, &writer);
  writer.close(RunState::kFinished, "done");
}

std::string record_error(const std::string& path) {
  try {
    const RunWriter writer(path, make_fake_header(Contacts::kFrames));
  } catch (const RecordError& error) {
    return error.what();
  }
  return "";
}

TEST(RunWriter, EveryRowComesBackBitForBit) {
  const TestFolder folder;
  for (const Contacts contacts : {Contacts::kNone, Contacts::kFrames, Contacts::kSteps}) {
    const std::string path = folder.file("run.h5");
    // More than 64 chunks of steps, so that the index has several leaves.
    write_fake_run(path, contacts, 16000);
    const RunReader reader(path);
    EXPECT_EQ(reader.num_steps(), 16000);
    EXPECT_EQ(reader.num_frames(), 16000 / kStepsPerFrame + 1);
    EXPECT_EQ(reader.status().to_string(), "finished");
    EXPECT_EQ(reader.status().message, "done");
    expect_fake_prefix(reader);
  }
}

// 64 * 64 chunks fill two levels of the index; frames without bodies make that many quickly.
TEST(RunWriter, IndexGrowsBeyondTwoLevels) {
  const TestFolder folder;
  const std::string path = folder.file("run.h5");
  RunHeader header;
  constexpr std::int64_t kNumFrames = 65 * 64 * 1024;
  {
    RunWriter writer(path, header);
    for (std::int64_t k = 0; k < kNumFrames; ++k)
      writer.append_frame(make_fake_state(k, 0, 0), {}, {});
    writer.close(RunState::kFinished, "");
  }
  const RunReader reader(path);
  const auto times = reader.read_frame_times();
  ASSERT_EQ(times.size(), static_cast<std::size_t>(kNumFrames));
  for (std::int64_t k = 0; k < kNumFrames; ++k) {
    ASSERT_EQ(times[k], static_cast<double>(k) * 0.001);
  }
}

TEST(RunWriter, SameRunSameBytesButForTimesAndPid) {
  const TestFolder folder;
  const auto read_all = [](const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  write_fake_run(folder.file("a.h5"), Contacts::kSteps, 500);
  write_fake_run(folder.file("b.h5"), Contacts::kSteps, 500);
  const std::string a = read_all(folder.file("a.h5"));
  const std::string b = read_all(folder.file("b.h5"));
  ASSERT_EQ(a.size(), b.size());
  int num_different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) num_different += a[i] != b[i] ? 1 : 0;
  EXPECT_LE(num_different, 24);  // wall and CPU time, and the checksum of the status
}

TEST(RunWriter, RunWithoutStepsHasItsInitialFrame) {
  const TestFolder folder;
  write_fake_run(folder.file("run.h5"), Contacts::kFrames, 0);
  const RunReader reader(folder.file("run.h5"));
  EXPECT_EQ(reader.num_frames(), 1);
  EXPECT_EQ(reader.num_steps(), 0);
}

TEST(RunWriter, UnclosedRunIsInterrupted) {
  const TestFolder folder;
  {
    RunWriter writer(folder.file("run.h5"), make_fake_header(Contacts::kFrames));
    append_fake_step(0, &writer);
  }
  const RunReader reader(folder.file("run.h5"));
  EXPECT_EQ(reader.status().to_string(), "interrupted");
  EXPECT_EQ(reader.num_frames(), 1);
}

TEST(RunWriter, RefusesWhereItCannotWrite) {
  const TestFolder folder;
  EXPECT_NE(record_error(folder.file("none/run.h5")).find("No such file"), std::string::npos);
  EXPECT_NE(record_error(folder.path()).find("is a folder"), std::string::npos);
  EXPECT_NE(record_error("/dev/full").find("not a regular file"), std::string::npos);
  EXPECT_NE(record_error("/proc/run.h5").find("/proc/run.h5"), std::string::npos);
  std::ofstream(folder.file("scene.yaml")) << "tenpin: 1\n";
  EXPECT_NE(record_error(folder.file("scene.yaml")).find("not written over"), std::string::npos);
  std::ofstream(folder.file("file")) << "";
  EXPECT_NE(record_error(folder.file("file/run.h5")).find("Not a directory"), std::string::npos);
}

TEST(RunWriter, RefusesReadOnlyFolder) {
  if (geteuid() == 0) GTEST_SKIP() << "nothing is read-only for root";
  const TestFolder folder;
  std::filesystem::permissions(
      folder.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  EXPECT_NE(record_error(folder.file("run.h5")).find("Permission denied"), std::string::npos);
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
}

TEST(RunWriter, SecondWriterIsToldWhoIsFirst) {
  const TestFolder folder;
  const std::string path = folder.file("run.h5");
  RunWriter writer(path, make_fake_header(Contacts::kFrames));
  append_fake_step(0, &writer);
  writer.flush();
  EXPECT_NE(record_error(path).find("locked by pid " + std::to_string(getpid())),
            std::string::npos);
  // Readers are welcome meanwhile.
  const RunReader reader(path);
  EXPECT_EQ(reader.status().to_string(), "running");
  EXPECT_EQ(reader.num_frames(), 1);
  writer.close(RunState::kFinished, "");
  EXPECT_FALSE(std::filesystem::exists(path + "." + std::to_string(getpid()) + ".tmp"));
}

TEST(RunWriter, NewRunReplacesOldOne) {
  const TestFolder folder;
  const std::string path = folder.file("run.h5");
  write_fake_run(path, Contacts::kSteps, 300);
  const RunReader old(path);
  write_fake_run(path, Contacts::kSteps, 100);
  EXPECT_EQ(RunReader(path).num_steps(), 100);
  expect_fake_prefix(old);  // who reads the old one keeps it
  EXPECT_EQ(old.num_steps(), 300);
}

TEST(RunWriter, DeletedFolderIsReported) {
  const TestFolder folder;
  const std::string inner = folder.file("inner");
  std::filesystem::create_directory(inner);
  RunWriter writer(inner + "/run.h5", make_fake_header(Contacts::kSteps));
  append_fake_step(0, &writer);
  std::filesystem::remove_all(inner);
  EXPECT_THROW(writer.close(RunState::kFinished, ""), RecordError);
}

// A limit on the size of files stands for the full disk: the same call fails in the same place.
TEST(RunWriter, FullDiskIsReportedAndKeepsWhatWasCommitted) {
  const TestFolder folder;
  const std::string path = folder.file("run.h5");
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {2'000'000, 2'000'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    RunWriter writer(path, make_fake_header(Contacts::kSteps), {.max_bytes = 10'000});
    try {
      for (std::int64_t step = 0; step < 1'000'000; ++step) append_fake_step(step, &writer);
    } catch (const RecordError& error) {
      writer.close(RunState::kFailed, error.what());
      _exit(4);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  ASSERT_EQ(WEXITSTATUS(status), 4);
  const RunReader reader(path);
  EXPECT_EQ(reader.status().to_string(), "failed");
  EXPECT_NE(reader.status().message.find("run.h5"), std::string::npos);
  EXPECT_NE(reader.status().message.find("File too large"), std::string::npos);
  EXPECT_GT(reader.num_steps(), 1000);
  expect_fake_prefix(reader);
}

TEST(RunWriter, NoSpaceForTheHeaderLeavesTheOldRun) {
  const TestFolder folder;
  const std::string path = folder.file("run.h5");
  write_fake_run(path, Contacts::kSteps, 100);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {10'000, 10'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(record_error(path).find("File too large") != std::string::npos ? 4 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_EQ(WEXITSTATUS(status), 4);
  EXPECT_EQ(RunReader(path).num_steps(), 100);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    EXPECT_EQ(entry.path().filename(), "run.h5");
  }
}

// The child flushes after every row, so that most kills land inside a flush.
void write_until_killed(const std::string& path, std::size_t max_bytes) {
  RunWriter writer(path, make_fake_header(Contacts::kSteps), {.max_bytes = max_bytes});
  for (std::int64_t step = 0;; ++step) append_fake_step(step, &writer);
}

TEST(RunWriter, KilledAtAnyMomentLeavesAPrefix) {
  const TestFolder folder;
  const std::string path = folder.file("run.h5");
  const RandomStream random(7);
  std::int64_t most_steps = 0;
  int num_unborn = 0;
  const int num_kills = 60 * test_scale();
  for (int i = 0; i < num_kills; ++i) {
    std::filesystem::remove(path);
    const pid_t child = fork();
    if (child == 0) {
      write_until_killed(path, i % 2 == 0 ? 1 : 3000);
      _exit(1);
    }
    // One in eight at any time, the header's making included; the others while rows are written.
    while (i % 8 != 0 && !std::filesystem::exists(path)) {
      ASSERT_EQ(waitpid(child, nullptr, WNOHANG), 0) << "ended by itself";
      usleep(200);
    }
    usleep(static_cast<useconds_t>(random.uniform(i, 0.0, 20'000.0)));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    if (!std::filesystem::exists(path)) {
      ++num_unborn;
      continue;
    }
    const RunReader reader(path);
    EXPECT_EQ(reader.status().to_string(), "killed");
    ASSERT_NO_FATAL_FAILURE(expect_fake_prefix(reader)) << "kill " << i;
    most_steps = std::max(most_steps, reader.num_steps());
  }
  RecordProperty("kills_after_header", num_kills - num_unborn);
  EXPECT_LT(num_unborn, num_kills / 2);
  EXPECT_GT(most_steps, 100);
  std::printf("%d kills, %d before the header was there, longest run %ld steps\n", num_kills,
              num_unborn, static_cast<long>(most_steps));
}

}  // namespace
}  // namespace tenpin::record
