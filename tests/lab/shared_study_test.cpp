// Studies that several processes share: leases, messages, losses, shards, and one table in the end.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <deque>
#include <mutex>
#include <thread>

#include "base/check.h"
#include "lab/study/leases.h"
#include "lab/study/merge.h"
#include "lab/study/shared_sweep.h"
#include "lab/study/study_messages.h"
#include "lab/study/trial_limit.h"
#include "lab/study_folder.h"

namespace tenpin::lab {
namespace {

constexpr const char* kScene = R"(tenpin: 1
bodies:
  - {name: floor, fixed: true, shapes: [plane: {}]}
  - {name: ball, mass: 1, position: [0, 0, 1], velocity: [1, 0, 0], shapes: [{sphere: {radius: 0.1}}]}
method: {time-stepping: {step: 0.01}}
until: 0.3
)";
constexpr const char* kStudy = R"(tenpin_study: 1
scene: scene.yaml
trials: 150
vary:
  height: {path: bodies.ball.position.2, from: 0.2, to: 1}
  friction: {path: materials.default.friction, values: [0.1, 0.3]}
measures:
  x: {final: bodies.ball.position.x}
)";

TEST(Leases, HandOutEveryTrialOnceUntilAProcessIsLost) {
  Leases leases({3, 4, 5, 6});
  EXPECT_EQ(leases.lease(1, 2), (std::vector<std::int64_t>{3, 4}));
  EXPECT_EQ(leases.lease(2, 9), (std::vector<std::int64_t>{5, 6}));
  EXPECT_TRUE(leases.lease(2, 9).empty());
  EXPECT_TRUE(leases.settle(3));
  EXPECT_FALSE(leases.settle(3));
  leases.release(1);
  EXPECT_EQ(leases.lease(2, 9), (std::vector<std::int64_t>{4}));
  EXPECT_TRUE(leases.settle(5));
  EXPECT_TRUE(leases.settle(4));
  EXPECT_FALSE(leases.is_done());
  leases.release(2);
  EXPECT_TRUE(leases.settle(6));  // late, but no other process has taken it
  EXPECT_TRUE(leases.is_done());
  EXPECT_FALSE(leases.settle(99));
}

TEST(StudyMessage, ReadsBackAndRefusesDamage) {
  StudyMessage message;
  message.fingerprint = 0x123456789abcdef0;
  message.threads = 3;
  message.wants_more = true;
  message.busy_time = 0.1;
  message.failure = "no";
  message.rows = {{.trial = 7,
                   .cells = {{.number = 0.1, .text = ""}, {}, {.number = {}, .text = "left"}},
                   .status = "done",
                   .message = "m"}};
  message.trials = {1, 2, 3};
  const std::string bytes = pack(message);
  const StudyMessage again = unpack(bytes);
  EXPECT_EQ(again.fingerprint, message.fingerprint);
  EXPECT_EQ(again.threads, 3);
  EXPECT_TRUE(again.wants_more);
  EXPECT_EQ(again.busy_time, 0.1);
  EXPECT_EQ(again.failure, "no");
  EXPECT_EQ(again.rows, message.rows);
  EXPECT_EQ(again.trials, message.trials);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(static_cast<void>(unpack(bytes.substr(0, size))), InputError) << size;
  }
  EXPECT_THROW(static_cast<void>(unpack(bytes + "x")), InputError);
}

// Processes as threads of one, whose messages go through memory.
class Post {
 public:
  explicit Post(int size) : boxes_(static_cast<std::size_t>(size)) {}
  struct Letter {
    int from = 0;
    std::string bytes;
  };
  void put(int to, Letter letter) {
    const std::scoped_lock lock(mutex_);
    boxes_[static_cast<std::size_t>(to)].push_back(std::move(letter));
  }
  bool take(int to, Letter* letter) {
    const std::scoped_lock lock(mutex_);
    auto& box = boxes_[static_cast<std::size_t>(to)];
    if (box.empty()) return false;
    *letter = std::move(box.front());
    box.pop_front();
    return true;
  }
  int size() const { return static_cast<int>(boxes_.size()); }

 private:
  std::mutex mutex_;
  std::vector<std::deque<Letter>> boxes_;
};

class PostMessenger final : public Messenger {
 public:
  PostMessenger(Post* post, int rank) : post_(*post), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return post_.size(); }
  void send(int to, std::string bytes) override { post_.put(to, {rank_, std::move(bytes)}); }
  bool receive(int* from, std::string* bytes) override {
    Post::Letter letter;
    if (!post_.take(rank_, &letter)) return false;
    *from = letter.from;
    *bytes = std::move(letter.bytes);
    return true;
  }
  void leave(bool /*others_are_lost*/, int /*exit_code*/) override {}

 private:
  Post& post_;
  int rank_;
};

// A study by several processes of which the last falls silent after so many messages.
struct SharedRun {
  std::vector<TrialRow> rows;
  SweepProgress progress;
};
SharedRun run_shared(const Study& study, const std::string& table, int processes, int last_words) {
  Post post(processes);
  const SharedOptions shared = {.least_block = 8, .lease_time = 0.5, .signal_every = 0.05};
  std::vector<std::thread> others;
  for (int i = 1; i < processes; ++i) {
    others.emplace_back([&, i] {
      PostMessenger messenger(&post, i);
      std::atomic<int> turns = 0;
      static_cast<void>(serve_shared_sweep(study, 1, shared, &messenger, [&] {
        return last_words < 0 || i < processes - 1 || turns++ < last_words;
      }));
    });
  }
  PostMessenger messenger(&post, 0);
  SharedRun run;
  {
    TrialTable rows(table, study);
    run.progress = own_shared_sweep(study, {.threads = 1, .shard = {}, .on_progress = {}}, shared,
                                    &messenger, &rows);
    run.rows = rows.read_rows(study.num_trials());
  }
  for (std::thread& thread : others) thread.join();
  return run;
}

TEST(SharedSweep, TableDoesNotDependOnProcesses) {
  const StudyFolder folder(kStudy, kScene);
  const Study study = folder.study();
  const std::vector<TrialRow> alone = sweep(study, folder.path("one.sqlite"), 1);
  for (const int processes : {1, 2, 4}) {
    const std::string table = folder.path("shared-" + std::to_string(processes) + ".sqlite");
    const SharedRun run = run_shared(study, table, processes, -1);
    EXPECT_EQ(run.rows, alone) << processes;
    EXPECT_FALSE(run.progress.has_losses());
    std::int64_t sum = 0;
    for (const ProcessShare& share : run.progress.processes) sum += share.rows;
    EXPECT_EQ(sum, 300);
  }
}

TEST(SharedSweep, SilentProcessLosesItsLeases) {
  const StudyFolder folder(kStudy, kScene);
  const Study study = folder.study();
  const SharedRun run = run_shared(study, folder.path("table.sqlite"), 3, 3);
  EXPECT_TRUE(run.progress.processes[2].is_lost);
  EXPECT_FALSE(run.progress.processes[1].is_lost);
  EXPECT_EQ(run.rows, sweep(study, folder.path("one.sqlite"), 1));
}

TEST(SharedSweep, RefusesAProcessWithAnotherStudy) {
  const StudyFolder folder(kStudy, kScene);
  const Study study = folder.study();
  Post post(2);
  PostMessenger other(&post, 1);
  other.send(0, pack({.kind = StudyMessage::Kind::kReady, .fingerprint = study.fingerprint + 1}));
  PostMessenger messenger(&post, 0);
  TrialTable table(folder.path("table.sqlite"), study);
  EXPECT_THROW(static_cast<void>(own_shared_sweep(
                   study, {.threads = 1, .shard = {}, .on_progress = {}}, {}, &messenger, &table)),
               InputError);
}

std::string run_shard(const StudyFolder& folder, const Study& study, const Shard& shard) {
  const std::string path = folder.path("shard-" + std::to_string(shard.index) + ".sqlite");
  TrialTable table(path, study);
  const SweepProgress end =
      run_sweep(study, {.threads = 1, .shard = shard, .on_progress = {}}, &table);
  EXPECT_EQ(end.done, end.total);
  return path;
}

TEST(Merge, JoinsShardsToTheWholeTable) {
  const StudyFolder folder(kStudy, kScene);
  const Study study = folder.study();
  const std::vector<TrialRow> whole = sweep(study, folder.path("one.sqlite"), 1);
  std::vector<std::string> shards;
  for (const int i : {1, 2, 3}) shards.push_back(run_shard(folder, study, {i, 3}));
  const std::string output = folder.path("all.sqlite");
  const MergeReport part = merge_tables(std::span(shards).first(2), output);
  EXPECT_EQ(part.rows, 200);
  EXPECT_EQ(part.num_trials, 300);
  ASSERT_EQ(part.missing.size(), 100U);
  EXPECT_EQ(part.missing.front(), 2);
  EXPECT_EQ(describe_trials(part.missing), "2, 5, 8, 11, 14, 17, 20, 23 and 92 more");
  const MergeReport all = merge_tables(shards, output);
  EXPECT_EQ(all.rows, 300);
  EXPECT_TRUE(all.missing.empty());
  EXPECT_EQ(all.hash, calc_table_hash(whole));
  EXPECT_EQ(read_all_rows(output), whole);
}

TEST(Merge, TakesTheRowOfTheMachineThatHadTheTime) {
  const StudyFolder folder(kStudy, kScene);
  const Study study = folder.study();
  const std::vector<std::string> tables = {run_shard(folder, study, {1, 100}),
                                           folder.path("short.sqlite"),
                                           folder.path("longer.sqlite")};
  const std::vector<TrialRow> rows = read_all_rows(tables[0]);
  ASSERT_EQ(rows.size(), 3U);
  // Two machines gave up on trial 0, which the first one finished, and on trial 1, which it lacks.
  for (const auto& [table, limit] : {std::pair(tables[1], 0.5), std::pair(tables[2], 2.0)}) {
    std::vector<TrialRow> late(2);
    for (std::int64_t trial = 0; trial < 2; ++trial) {
      late[trial] = {.trial = trial,
                     .cells = std::vector<Cell>(rows[0].cells.size()),
                     .status = std::string(kOutOfTime),
                     .message = describe_limit(limit)};
    }
    TrialTable(table, study).add(late);
  }
  for (const auto& order : {std::array{0, 1, 2}, std::array{2, 1, 0}, std::array{1, 0, 2}}) {
    std::vector<std::string> in_order;
    for (const int i : order) in_order.push_back(tables[i]);
    const std::string output = folder.path("all-" + std::to_string(order[0]) + ".sqlite");
    EXPECT_EQ(merge_tables(in_order, output).rows, 4);
    const std::vector<TrialRow> merged = read_all_rows(output);
    EXPECT_EQ(merged[0], rows[0]);
    EXPECT_EQ(read_limit(merged[1]), 2.0);
  }
}

TEST(Merge, RefusesContradictionsAndOtherStudies) {
  const StudyFolder folder(kStudy, kScene);
  const Study study = folder.study();
  const std::vector<std::string> shards = {run_shard(folder, study, {1, 100}),
                                           folder.path("liar.sqlite")};
  std::vector<TrialRow> rows = read_all_rows(shards[0]);
  rows[0].cells[2].number = 17.0;
  {
    TrialTable liar(shards[1], study);
    liar.add(rows);
  }
  const std::string output = folder.path("all.sqlite");
  EXPECT_THROW(static_cast<void>(merge_tables(shards, output)), InputError);
  Study other = study;
  ++other.fingerprint;
  const std::string stranger = folder.path("stranger.sqlite");
  { const TrialTable table(stranger, other); }
  EXPECT_THROW(static_cast<void>(merge_tables(std::array{shards[0], stranger}, output)),
               InputError);
  EXPECT_THROW(static_cast<void>(merge_tables(std::array{folder.path("none.sqlite")}, output)),
               InputError);
  EXPECT_FALSE(std::filesystem::exists(output));
}

}  // namespace
}  // namespace tenpin::lab
