// `tenpin sweep`: the table of a study survives kill -9, and how the command ends.
#include "lab/study/sweep.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include <nlohmann/json.hpp>

#include "apps/program.h"
#include "base/rng.h"

namespace tenpin::app {
namespace {

constexpr const char* kScene = R"(tenpin: 1
bodies:
  - {name: floor, fixed: true, shapes: [plane: {}]}
  - {name: ball, mass: 1, position: [0, 0, 1], velocity: [1, 0, 0], shapes: [{sphere: {radius: 0.1}}]}
method: {time-stepping: {step: 0.002}}
until: 1
)";

std::string make_study(std::size_t trials) {
  return "tenpin_study: 1\nscene: scene.yaml\ntrials: " + std::to_string(trials) + R"(
vary:
  height: {path: bodies.ball.position.2, from: 0.2, to: 1}
measures:
  x: {final: bodies.ball.position.x}
  landed: {first: {quantity: bodies.ball.position.z, below: 0.11}}
)";
}

std::vector<lab::TrialRow> read_rows(const Place& place, const std::string& table) {
  const lab::Study study = lab::read_study(place.path("study.yaml").string());
  return lab::TrialTable(place.path(table).string(), study).read_rows(study.num_trials());
}

TEST(SweepCommand, KilledTwentyTimesGivesTheSameTable) {
  constexpr int kKills = 20;
  constexpr std::size_t kTrials = 600;
  const Place place;
  place.write("scene.yaml", kScene);
  place.write("study.yaml", make_study(kTrials));
  const std::vector<std::string> whole = {"sweep",        "study.yaml", "-o",
                                          "whole.sqlite", "--threads",  "1"};
  const Outcome undisturbed = place.run(whole, 120.0);
  ASSERT_EQ(undisturbed.exit_code, 0) << undisturbed.err;
  const std::vector<std::string> part = {"sweep",       "study.yaml", "-o",
                                         "part.sqlite", "--threads",  "2"};
  const RandomStream random(7);
  std::size_t cut = 0;  // times that some rows, but not all, were there
  for (int round = 0; round < kKills; ++round) {
    const pid_t pid = place.start(part);
    // Long enough that rows are written, short enough that the last kills find something to do.
    std::this_thread::sleep_for(std::chrono::duration<double>(
        0.05 + random.uniform(round) * 3.0 * undisturbed.seconds / kKills));
    kill(pid, SIGKILL);
    static_cast<void>(place.finish(pid));
    if (!std::filesystem::exists(place.path("part.sqlite"))) continue;
    const std::size_t count = read_rows(place, "part.sqlite").size();
    cut += count > 0 && count < kTrials ? 1 : 0;
  }
  const Outcome resumed = place.run(part, 120.0);
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  const std::vector<lab::TrialRow> expected = read_rows(place, "whole.sqlite");
  ASSERT_EQ(expected.size(), kTrials);
  EXPECT_EQ(read_rows(place, "part.sqlite"), expected);
  EXPECT_GE(cut, 3U);  // else the study is too short, or too long, to be cut
}

TEST(SweepCommand, PrintsJsonAndDrawsAPage) {
  const Place place;
  place.write("scene.yaml", kScene);
  place.write("study.yaml", make_study(8));
  const Outcome first = place.run({"sweep", "study.yaml", "--json", "--html", "page.html"});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const auto json = nlohmann::json::parse(first.out);
  EXPECT_EQ(json["table"], "study.sqlite");
  EXPECT_EQ(json["fresh"], 8);
  EXPECT_EQ(json["measures"]["x"]["count"], 8);
  EXPECT_EQ(json["drawings"].size(), 2U);
  EXPECT_NE(place.read("page.html").find("<svg"), std::string::npos);
  const Outcome more = place.run({"sweep", "study.yaml", "--json", "--trials", "12"});
  ASSERT_EQ(more.exit_code, 0) << more.err;
  EXPECT_EQ(nlohmann::json::parse(more.out)["fresh"], 4);
}

// The script of `tenpin submit` as Slurm runs it, with an scontrol that only notes what it was
// told.
TEST(SweepCommand, ArrayTaskQueuesItselfAgainBeforeItsTimeEnds) {
  const Place place;
  place.write("scene.yaml", kScene);
  place.write("study.yaml", make_study(100'000'000));
  const Outcome outcome = place.shell(R"(
mkdir bin; printf '#!/bin/sh\necho "$@" > requeued\n' > bin/scontrol; chmod +x bin/scontrol
"$TENPIN" submit study.yaml --array 4 --print | sed '/^# ---- afterwards/,$d' > job.sh
export PATH="$PWD/bin:$PATH" SLURM_JOB_ID=15 SLURM_ARRAY_JOB_ID=12 SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=4
bash job.sh > log 2>&1 & job=$!
while [ ! -e study-shard-3.sqlite ]; do kill -0 $job || exit 1; sleep 0.01; done
kill -USR1 $job; wait $job)");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err << place.read("log");
  EXPECT_EQ(place.read("requeued"), "requeue 12_3\n");
}

TEST(SweepCommand, SaysWhatIsWrong) {
  const Place place;
  place.write("scene.yaml", kScene);
  place.write("study.yaml", make_study(8));
  const Outcome none = place.run({"sweep", "none.yaml"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("none.yaml"), std::string::npos) << none.err;
  const Outcome place_taken = place.run({"sweep", "study.yaml", "-o", "scene.yaml"});
  EXPECT_EQ(place_taken.exit_code, 2);
  EXPECT_EQ(place.read("scene.yaml"), kScene);
  EXPECT_EQ(place.run({"sweep", "study.yaml", "-o", "no/such/folder.sqlite"}).exit_code, 4);
  place.write("study.yaml", "tenpin_study: 1\nscene: scene.yaml\nvary: {}\nmeasures: 3\n");
  const Outcome bad = place.run({"sweep", "study.yaml"});
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_NE(bad.err.find("study.yaml:4:11: measures: wrong type, got 3"), std::string::npos)
      << bad.err;
  EXPECT_EQ(place.files(), (std::vector<std::string>{"scene.yaml", "study.yaml"}));
}

}  // namespace
}  // namespace tenpin::app
