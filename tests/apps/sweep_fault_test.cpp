// `tenpin sweep` where the machine fails it: no space, no permission, torn files, trials that hang.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include <nlohmann/json.hpp>

#include "apps/program.h"

namespace tenpin::app {
namespace {

constexpr const char* kScene = R"(tenpin: 1
bodies:
  - {name: floor, fixed: true, shapes: [plane: {}]}
  - {name: ball, mass: 1, position: [0, 0, 1], velocity: [1, 0, 0], shapes: [{sphere: {radius: 0.1}}]}
method: {time-stepping: {step: 0.002}}
until: 0.01
)";

std::string make_study(int trials, const std::string& more = "") {
  return "tenpin_study: 1\nscene: scene.yaml\ntrials: " + std::to_string(trials) + "\n" + more +
         R"(vary:
  height: {path: bodies.ball.position.2, from: 0.2, to: 1}
measures:
  x: {final: bodies.ball.position.x}
  z: {final: bodies.ball.position.z}
)";
}

// True once the program has ended; finish() can still collect it.
bool has_ended(pid_t pid) {
  siginfo_t info = {};
  return waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid == pid;
}

class SweepFault : public testing::Test {
 protected:
  void SetUp() override {
    place_.write("scene.yaml", kScene);
    place_.write("study.yaml", make_study(kTrials));
  }

  // Runs the study to its end; what it says.
  nlohmann::json sweep(const std::string& table, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"sweep", "study.yaml", "-o", table, "--json", "-q"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = place_.run(words, 120.0);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  }

  void expect_code_4(const Outcome& outcome, const std::string& file) const {
    EXPECT_EQ(outcome.exit_code, 4) << "signal " << outcome.signal << ": " << outcome.err;
    EXPECT_NE(outcome.err.find(file), std::string::npos) << outcome.err;
  }

  // Where root is asked, who may write anywhere, another user does it; "" if that is impossible.
  std::string find_plain_user() const {
    if (geteuid() != 0) return "env";
    const std::string user = "setpriv --reuid=65534 --regid=65534 --clear-groups";
    return place_.shell(user + " \"$TENPIN\" --version").exit_code == 0 ? user : "";
  }

  static constexpr int kTrials = 3000;
  Place place_;
};

TEST_F(SweepFault, FullDiskLeavesAWholeTable) {
  const nlohmann::json whole = sweep("whole.sqlite");
  // 64 kB for each file, in the shell's blocks of 512 bytes: the table needs more.
  const Outcome cut = place_.shell(
      "ulimit -f 128; exec \"$TENPIN\" sweep study.yaml -o part.sqlite -q --threads 1");
  expect_code_4(cut, "part.sqlite");
  const nlohmann::json resumed = sweep("part.sqlite");
  EXPECT_GT(resumed["fresh"], 0);
  EXPECT_EQ(resumed["table_hash"], whole["table_hash"]);
}

TEST_F(SweepFault, PageThatDoesNotFitLeavesTheTableAlone) {
  // The page shows the study's text. The limit, of 40 kB, leaves room for what the table needs.
  std::string comment;
  for (int i = 0; i < 8000; ++i) comment += "# padding\n";
  place_.write("study.yaml", make_study(kTrials, comment));
  const nlohmann::json whole = sweep("whole.sqlite");
  const Outcome cut = place_.shell(
      "ulimit -f 80; exec \"$TENPIN\" sweep study.yaml -o whole.sqlite -q --html p.html");
  expect_code_4(cut, "p.html");
  EXPECT_FALSE(std::filesystem::exists(place_.path("p.html")));
  const nlohmann::json again = sweep("whole.sqlite");
  EXPECT_EQ(again["fresh"], 0);
  EXPECT_EQ(again["table_hash"], whole["table_hash"]);
}

TEST_F(SweepFault, ReadOnlyFolderIsCode4) {
  const std::string user = find_plain_user();
  if (user.empty()) GTEST_SKIP() << "no other user than root may run the program here";
  const nlohmann::json whole = sweep("whole.sqlite");
  ASSERT_EQ(place_
                .shell("chmod 755 .; chmod 644 *; mkdir locked; cp whole.sqlite locked; "
                       "cp study.yaml more.yaml; sed -i 's/trials: .*/trials: 4000/' more.yaml; "
                       "chmod 555 locked; chmod 444 locked/*")
                .exit_code,
            0);
  expect_code_4(place_.shell(user + " \"$TENPIN\" sweep study.yaml -q -o locked/new.sqlite"),
                "new.sqlite");
  expect_code_4(place_.shell(user + " \"$TENPIN\" sweep more.yaml -q -o locked/whole.sqlite"),
                "whole.sqlite");
  EXPECT_EQ(place_.shell("cmp whole.sqlite locked/whole.sqlite").exit_code, 0);
  ASSERT_EQ(place_.shell("chmod -R u+w locked").exit_code, 0);
}

TEST_F(SweepFault, TornLogCostsRowsButNoTable) {
  const nlohmann::json whole = sweep("whole.sqlite");
  constexpr std::uintmax_t kSomeRows = 40000;  // bytes
  const std::string log = place_.path("part.sqlite-wal").string();
  const pid_t pid = place_.start({"sweep", "study.yaml", "-o", "part.sqlite", "-q"});
  std::error_code error;
  while (!has_ended(pid) &&
         (!std::filesystem::exists(log) || std::filesystem::file_size(log, error) < kSomeRows)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  kill(pid, SIGKILL);
  static_cast<void>(place_.finish(pid));
  if (!std::filesystem::exists(log)) GTEST_SKIP() << "the sweep was quicker than the kill";
  // As after a loss of power: the end of the log is missing, and what is left ends in noise.
  std::filesystem::resize_file(log, std::filesystem::file_size(log) - 6000);
  ASSERT_EQ(place_
                .shell("printf 'noise' | dd of=part.sqlite-wal bs=1 conv=notrunc seek=$(($(stat -c "
                       "%s part.sqlite-wal) - 900))")
                .exit_code,
            0);
  const nlohmann::json resumed = sweep("part.sqlite");
  EXPECT_EQ(resumed["table_hash"], whole["table_hash"]);
}

TEST_F(SweepFault, TornTableIsRefusedAndLeftAsItIs) {
  static_cast<void>(sweep("whole.sqlite"));
  const auto size = std::filesystem::file_size(place_.path("whole.sqlite"));
  std::filesystem::resize_file(place_.path("whole.sqlite"), size / 2 / 4096 * 4096);
  const std::string torn = place_.read("whole.sqlite");
  expect_code_4(place_.run({"sweep", "study.yaml", "-o", "whole.sqlite", "-q"}), "whole.sqlite");
  expect_code_4(place_.run({"merge", "whole.sqlite", "-o", "all.sqlite"}), "whole.sqlite");
  EXPECT_EQ(place_.read("whole.sqlite"), torn);
  EXPECT_FALSE(std::filesystem::exists(place_.path("all.sqlite")));
}

// One of two trials would take for ever. The other one's row is the same with and without a limit.
TEST_F(SweepFault, HungTrialBecomesARowThatSaysSo) {
  const std::string cases = R"(vary:
  end:
    cases:
      soon: {until: 0.01}
      never: {until: 1000000}
measures:
  x: {final: bodies.ball.position.x}
)";
  const std::string head = "tenpin_study: 1\nscene: scene.yaml\n";
  place_.write("study.yaml", head + "trial_limit: 0.3\n" + cases);
  const Outcome first =
      place_.run({"sweep", "study.yaml", "-o", "t.sqlite", "--csv", "t.csv", "-q"}, 120.0);
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_NE(first.err.find("1 of 2 trials failed"), std::string::npos) << first.err;
  const std::string rows = place_.read("t.csv");
  EXPECT_NE(rows.find("0,\"soon\",0.01"), std::string::npos) << rows;
  EXPECT_NE(rows.find("1,\"never\",,\"out of time\",\"more than 0.3 s of CPU time\""),
            std::string::npos)
      << rows;
  // No limit is no reason to try again; a higher one is.
  place_.write("study.yaml", head + cases);
  EXPECT_EQ(sweep("t.sqlite")["fresh"], 0);
  EXPECT_EQ(sweep("t.sqlite", {"--trial-limit", "0.2"})["fresh"], 0);
  EXPECT_EQ(sweep("t.sqlite", {"--trial-limit", "0.4"})["fresh"], 1);
}

TEST_F(SweepFault, SceneOutsideOfTheStudysFolderIsRefused) {
  std::filesystem::create_directory(place_.path("inner"));
  std::string study = make_study(8);
  study.replace(study.find("scene.yaml"), 10, "../scene.yaml");
  place_.write("inner/study.yaml", study);
  const Outcome outcome = place_.run({"sweep", "inner/study.yaml"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("inner/study.yaml:2:8: scene: outside of the study's folder, got "
                             "../scene.yaml, want a file beneath it"),
            std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace tenpin::app
