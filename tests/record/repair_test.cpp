#include "record/repair.h"

#include <fstream>

#include "base/check.h"
#include "record/fake_run.h"
#include "record/summary.h"

namespace tenpin::record {
namespace {

constexpr std::int64_t kNumSteps = 4000;  // several chunks of each large table

class RepairTest : public testing::Test {
 protected:
  RepairTest() {
    RunWriter writer(path_, make_fake_header(scene::Record::Contacts::kSteps),
                     {.max_bytes = 100'000});
    for (std::int64_t step = 0; step <= kNumSteps; ++step) append_fake_step(step, &writer);
    writer.close(RunState::kFinished, "done");
  }

  TestFolder folder_;
  std::string path_ = folder_.file("run.h5");
  std::string repaired_ = folder_.file("repaired.h5");
};

TEST_F(RepairTest, WholeFileLosesNothing) {
  const RepairReport report = repair_run(path_, repaired_);
  EXPECT_TRUE(report.is_whole());
  EXPECT_EQ(report.num_steps, kNumSteps);
  EXPECT_EQ(report.num_kept, report.num_blocks);
  EXPECT_GT(report.num_blocks, 5);
  const RunReader reader(repaired_);
  EXPECT_EQ(reader.num_steps(), kNumSteps);
  EXPECT_EQ(reader.status().to_string(), "finished");
  EXPECT_EQ(reader.status().message, "done");
  EXPECT_EQ(report.t_end, reader.read_frame(reader.num_frames() - 1).t);
  expect_fake_prefix(reader);
}

TEST_F(RepairTest, CutFileKeepsItsIntactCommits) {
  const auto size = std::filesystem::file_size(path_);
  std::int64_t least = kNumSteps;
  int num_repaired = 0;
  constexpr int kNumCuts = 12;
  for (int i = 1; i <= kNumCuts; ++i) {
    const auto cut = static_cast<std::uintmax_t>(static_cast<double>(size) *
                                                 (1.0 - i / static_cast<double>(kNumCuts + 1)));
    std::filesystem::resize_file(path_, cut);
    try {
      const RepairReport report = repair_run(path_, repaired_);
      EXPECT_LE(report.num_steps, least) << "a shorter file keeps no more";
      least = report.num_steps;
      const RunReader reader(repaired_);
      reader.verify();
      EXPECT_EQ(reader.num_steps(), report.num_steps);
      expect_fake_prefix(reader);
      ++num_repaired;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("truncated"), std::string::npos) << error.what();
    }
  }
  EXPECT_GT(num_repaired, kNumCuts / 2);
  EXPECT_LT(least, kNumSteps);
}

TEST_F(RepairTest, CutFileSaysHowItEnded) {
  const auto size = std::filesystem::file_size(path_);
  std::filesystem::resize_file(path_, size * 8 / 10);
  const RepairReport report = repair_run(path_, repaired_);
  EXPECT_FALSE(report.is_whole());
  EXPECT_GT(report.num_steps, kNumSteps / 3);
  EXPECT_LT(report.num_steps, kNumSteps);
  EXPECT_EQ(RunReader(repaired_).status().to_string(), "interrupted");
  EXPECT_NE(RunReader(repaired_).status().message.find("repaired"), std::string::npos);
}

TEST_F(RepairTest, RefusesWhatItCannotRepair) {
  EXPECT_THROW(static_cast<void>(repair_run(folder_.file("none.h5"), repaired_)), InputError);
  EXPECT_THROW(static_cast<void>(repair_run(path_, path_)), InputError);
  EXPECT_EQ(RunReader(path_).num_steps(), kNumSteps);
  std::ofstream(folder_.file("text.h5")) << "tenpin: 1\n";
  EXPECT_THROW(static_cast<void>(repair_run(folder_.file("text.h5"), repaired_)), InputError);
  EXPECT_FALSE(std::filesystem::exists(repaired_));
  EXPECT_FALSE(std::filesystem::exists(repaired_ + ".padded"));
}

}  // namespace
}  // namespace tenpin::record
