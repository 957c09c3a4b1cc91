#include "record/memory_run.h"

#include <gtest/gtest.h>

#include "base/check.h"
#include "record/fake_run.h"

namespace tenpin::record {
namespace {

using Contacts = scene::Record::Contacts;

constexpr std::int64_t kNumSteps = 90;

TEST(MemoryRun, GivesBackWhatAFileWould) {
  for (const Contacts contacts : {Contacts::kNone, Contacts::kFrames, Contacts::kSteps}) {
    const TestFolder folder;
    const auto run = std::make_shared<MemoryRun>();
    RunWriter to_memory(run, make_fake_header(contacts));
    RunWriter to_file(folder.file("run.h5"), make_fake_header(contacts));
    for (std::int64_t step = 0; step <= kNumSteps; ++step) {
      append_fake_step(step, &to_memory);
      append_fake_step(step, &to_file);
    }
    to_memory.close(RunState::kFailed, "the end");
    to_file.close(RunState::kFailed, "the end");
    const RunReader memory(run);
    const RunReader file(folder.file("run.h5"));
    expect_fake_prefix(memory);
    EXPECT_EQ(memory.num_frames(), file.num_frames());
    EXPECT_EQ(memory.num_contacts(), file.num_contacts());
    EXPECT_EQ(memory.num_reactions(), file.num_reactions());
    EXPECT_EQ(memory.read_frame_times(), file.read_frame_times());
    EXPECT_EQ(memory.read_messages().size(), file.read_messages().size());
    EXPECT_EQ(memory.status().to_string(), file.status().to_string());
    EXPECT_EQ(memory.status().message, "the end");
    for (std::int64_t k = 0; k < file.num_frames(); ++k) {
      EXPECT_EQ(memory.read_restart(k).memory, file.read_restart(k).memory);
      EXPECT_EQ(memory.read_restart(k).q, file.read_restart(k).q);
    }
  }
}

TEST(MemoryRun, GrowsUnderItsReader) {
  const auto run = std::make_shared<MemoryRun>();
  RunWriter writer(run, make_fake_header(Contacts::kFrames));
  const RunReader reader(run);
  EXPECT_EQ(reader.num_frames(), 0);
  EXPECT_TRUE(reader.status().being_written);
  append_fake_step(0, &writer);
  EXPECT_EQ(reader.num_frames(), 1);
  EXPECT_THROW(static_cast<void>(reader.read_frame(1)), InputError);
  writer.close(RunState::kFinished, "");
  EXPECT_FALSE(reader.status().being_written);
}

// The limit ends the run; what was recorded before can be read.
TEST(MemoryRun, LimitLeavesAReadableRun) {
  const auto run = std::make_shared<MemoryRun>();
  run->max_bytes = 100'000;
  RunWriter writer(run, make_fake_header(Contacts::kSteps));
  std::int64_t step = 0;
  EXPECT_THROW(for (; step < 10'000; ++step) append_fake_step(step, &writer), LimitError);
  EXPECT_GT(step, 10);
  writer.close(RunState::kFailed, "full");
  const RunReader reader(run);
  for (std::int64_t k = 0; k < reader.num_frames(); ++k) {
    const RunFrame frame = reader.read_frame(k);
    EXPECT_EQ(reader.read_contacts(frame.first_contact, frame.num_contacts).size(),
              static_cast<std::size_t>(frame.num_contacts));
    static_cast<void>(reader.read_restart(k));
  }
  EXPECT_GT(reader.num_frames(), 3);
}

TEST(MemoryRun, IsEmptiedByTheNextRun) {
  const auto run = std::make_shared<MemoryRun>();
  {
    RunWriter writer(run, make_fake_header(Contacts::kFrames));
    append_fake_step(0, &writer);
  }
  EXPECT_EQ(run->status.state, RunState::kInterrupted);
  const RunWriter again(run, make_fake_header(Contacts::kFrames));
  EXPECT_EQ(run->frames.size(), 0U);
  EXPECT_EQ(run->num_bytes, 0);
}

}  // namespace
}  // namespace tenpin::record
