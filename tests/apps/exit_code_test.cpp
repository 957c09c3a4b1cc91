// What the program promises about how it ends: code, streams, files.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <regex>
#include <thread>

#include <nlohmann/json.hpp>

#include "apps/program.h"
#include "apps/scene_texts.h"
#include "record/run_reader.h"
#include "support/speed.h"

namespace tenpin::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Files = std::vector<std::string>;

std::vector<fs::path> yaml_files(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(TENPIN_SOURCE_DIR + folder)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  return files;
}

// file:line:col: path: problem, got X, want Y; or a count of the lines left out.
bool is_complaint(const std::string& line, const std::string& file) {
  static const std::regex count(R"(\.\.\. and \d+ more problems)");
  static const std::regex place(R"((:\d+:\d+)?: .+, got .+, want .+)");
  if (std::regex_match(line, count)) return true;
  return line.starts_with(file) && std::regex_match(line.substr(file.size()), place);
}

TEST(BadScene, IsRefusedAtOnceAndNothingIsWritten) {
  constexpr double kAtOnce = 1.0;  // s   of processor time
  for (const fs::path& file : yaml_files("/tests/scene/bad")) {
    const Place place;
    const Outcome outcome = place.run({"run", file, "-o", "out.h5", "--html", "out.html"});
    const bool is_limit = file.filename().string().starts_with("limit-");
    EXPECT_EQ(outcome.exit_code, is_limit ? 5 : 2) << file << " signal " << outcome.signal;
    EXPECT_EQ(outcome.out, "") << file;
    EXPECT_LT(outcome.cpu_seconds, kAtOnce * test::find_slowness()) << file;
    EXPECT_EQ(place.files(), Files{}) << file;
    std::istringstream lines(outcome.err);
    int num_lines = 0;
    for (std::string line; std::getline(lines, line); ++num_lines) {
      if (is_limit && line.starts_with("tenpin: ")) line = line.substr(8);
      EXPECT_TRUE(is_complaint(line, file.string())) << line;
    }
    EXPECT_GE(num_lines, 1) << file;
    EXPECT_LE(num_lines, 21) << file;
  }
}

TEST(Usage, MistakesAreCode2) {
  const Place place;
  place.write("scene.yaml", rolling_scene("0.01"));
  const std::vector<std::vector<std::string>> mistakes = {
      {},
      {"walk"},
      {"run"},
      {"run", "scene.yaml", "--fast"},
      {"run", "scene.yaml", "more.yaml"},
      {"run", "missing.yaml"},
      {"run", "scene.yaml", "--threads", "0"},
      {"run", "scene.yaml", "--threads", "many"},
      {"run", "scene.yaml", "--method", "magic"},
      {"run", "scene.yaml", "--set", "method.time-stepping.step"},
      {"run", "scene.yaml", "--set", "=1"},
      {"run", "scene.yaml", "--set", "method.time-stepping.step=-1"},
      {"run", "scene.yaml", "--set", "bodies.nobody.mass=1"},
      {"run", "scene.yaml", "--set", "until={"},
      {"run", "scene.yaml", "--html", "same", "-o", "same"},
      {"check"},
      {"check", "missing.yaml"},
      {"info", "scene.yaml"},
      {"view", "scene.yaml", "--html", "page.html"},
      {"view", "scene.yaml"},
      {"completion", "fish"},
      {"reproduce", "ST00/nothing"}};
  for (const auto& args : mistakes) {
    const Outcome outcome = place.run(args);
    const std::string shown = testing::PrintToString(args);
    EXPECT_EQ(outcome.exit_code, 2) << shown << outcome.err;
    EXPECT_EQ(outcome.out, "") << shown;
    EXPECT_NE(outcome.err, "") << shown;
    EXPECT_EQ(place.files(), Files{"scene.yaml"}) << shown;
  }
}

TEST(Usage, HelpAndVersionAreOnStdout) {
  const Place place;
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"--help"}, {"--version"}, {"run", "--help"}, {"info", "-h"}}) {
    const Outcome outcome = place.run(args);
    EXPECT_EQ(outcome.exit_code, 0) << args.front();
    EXPECT_NE(outcome.out, "") << args.front();
    EXPECT_EQ(outcome.err, "") << args.front();
  }
  EXPECT_TRUE(place.run({"--version"}).out.starts_with("tenpin "));
}

TEST(Limit, IsCode5AndForceRaisesTheOneOnSteps) {
  const Place place;
  place.write("grid.yaml",
              floor_scene(ball("b", "[0, 0, 1]",
                               ", mass: 1, repeat: {grid: [1000000, 1000000, 1], spacing: 1e-3}"),
                          timing("0.01", "1")));
  place.write("long.yaml", floor_scene("", timing("1e-6", "1e6")));
  for (const std::string scene : {"grid.yaml", "long.yaml"}) {
    const Outcome outcome = place.run({"run", scene, "-o", "out.h5"});
    EXPECT_EQ(outcome.exit_code, 5) << outcome.err;
    EXPECT_LT(outcome.cpu_seconds, 1.0 * test::find_slowness());
  }
  EXPECT_NE(place.run({"run", "long.yaml"}).err.find("--force"), std::string::npos);
  EXPECT_EQ(place.files(), (Files{"grid.yaml", "long.yaml"}));
  const pid_t pid = place.start({"run", "long.yaml", "--force", "-o", "out.h5"});
  place.wait_for("out.h5");
  kill(pid, SIGTERM);
  EXPECT_EQ(place.finish(pid).exit_code, 143);
}

// No machine is so fast.
TEST(Limit, OnAStepIsCode5AndTheRunFileIsValid) {
  const Place place;
  const std::string scene = TENPIN_SOURCE_DIR "/scenes/stack.yaml";
  const Outcome outcome = place.run({"run", scene, "-o", "out.h5", "--step-limit", "1e-9"});
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_NE(outcome.err.find("contacts that hang together around"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(place.run({"info", "out.h5"}).exit_code, 0);
  EXPECT_EQ(place.run({"run", scene, "--step-limit", "0"}).exit_code, 2);
}

// A heap that slides into the floor: Lemke's algorithm works on its first step for minutes. Beside
// it lie more crates, each by itself, which are solved at once.
const char* const kLongStep = R"(tenpin: 1
materials: {wood: {friction: 0.5, restitution: 0}}
bodies:
  - {name: floor, fixed: true, material: wood, shapes: [{plane: {normal: [0, 0, 1]}}]}
  - name: crate
    material: wood
    mass: 1
    position: [-5, 0, 0.05]
    repeat: {grid: [20, 1, 1], spacing: 0.2}
    shapes: [{box: {size: [0.1, 0.1, 0.1]}}]
  - name: brick
    material: wood
    mass: 1
    position: [2, 0, 0.05]
    velocity: [3, 1, -1]
    repeat: {grid: [5, 5, 5], spacing: 0.1}
    shapes: [{box: {size: [0.1, 0.1, 0.1]}}]
method: {time-stepping: {step: 0.01, order: 1, solver: lemke, directions: 4}}
until: 0.1
)";

TEST(Limit, OnAStepEndsItInTheMiddleOfASolve) {
  const Place place;
  place.write("scene.yaml", kLongStep);
  const Outcome outcome =
      place.run({"run", "scene.yaml", "-o", "out.h5", "--step-limit", "0.5", "--threads", "1"});
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_NE(outcome.err.find("contacts that hang together around brick"), std::string::npos)
      << outcome.err;
  EXPECT_LT(outcome.cpu_seconds, 2.0 * test::find_slowness());
  EXPECT_EQ(place.run({"info", "out.h5"}).exit_code, 0);
}

TEST(Limit, OnBodiesIsSetByItsFlag) {
  const Place place;
  place.write("scene.yaml", rolling_scene("0.01"));
  const Outcome outcome = place.run({"run", "scene.yaml", "--max-bodies", "1"});
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_NE(outcome.err.find("--max-bodies"), std::string::npos);
  EXPECT_EQ(place.run({"check", "scene.yaml", "--max-bodies", "1"}).exit_code, 5);
  EXPECT_EQ(place.run({"run", "scene.yaml", "--max-bodies", "2"}).exit_code, 0);
}

TEST(Limit, CheckGoesOnAfterIt) {
  const Place place;
  place.write("good.yaml", rolling_scene("1"));
  place.write("long.yaml", floor_scene("", timing("1e-6", "1e6")));
  const Outcome outcome = place.run({"check", "long.yaml", "good.yaml"});
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_TRUE(outcome.out.starts_with("good.yaml: ok"));
  place.write("bad.yaml", "tenpin: 1\n");
  EXPECT_EQ(place.run({"check", "bad.yaml", "long.yaml"}).exit_code, 2);
}

TEST(Environment, IsLookedAtBeforeTheFirstStep) {
  const Place place;
  place.write("scene.yaml", rolling_scene("1e5"));  // would take minutes
  place.write("notes.txt", "mine");
  fs::create_directory(place.path("folder"));
  const Files before = place.files();
  for (const std::string target : {"missing/out", "folder", "/proc/out", "/dev/full", "notes.txt",
                                   "notes.txt/out", "scene.yaml"}) {
    for (const std::vector<std::string>& options : {std::vector<std::string>{"-o", target},
                                                    {"--html", target},
                                                    {"-o", "good.h5", "--html", target}}) {
      std::vector<std::string> args = {"run", "scene.yaml"};
      args.insert(args.end(), options.begin(), options.end());
      const Outcome outcome = place.run(args);
      EXPECT_EQ(outcome.exit_code, 4) << testing::PrintToString(args) << outcome.err;
      EXPECT_LT(outcome.cpu_seconds, 1.0 * test::find_slowness());
      EXPECT_EQ(outcome.out, "");
      EXPECT_NE(outcome.err.find(target), std::string::npos) << outcome.err;
      EXPECT_EQ(place.files(), before) << testing::PrintToString(args);
    }
  }
  EXPECT_EQ(place.read("notes.txt"), "mine");
  EXPECT_EQ(place.read("scene.yaml"), rolling_scene("1e5"));
  EXPECT_TRUE(fs::exists("/dev/full"));
}

TEST(Environment, AnOldPageAndAnOldRunAreReplaced) {
  const Place place;
  place.write("scene.yaml", rolling_scene("0.1"));
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(place.run({"run", "scene.yaml", "-o", "a.h5", "--html", "a.html"}).exit_code, 0);
  }
  EXPECT_EQ(place.files(), (Files{"a.h5", "a.html", "scene.yaml"}));
  fs::remove(place.path("a.h5"));
  EXPECT_EQ(place.run({"run", "scene.yaml", "--html", "a.html"}).exit_code, 0);
  EXPECT_EQ(place.files(), (Files{"a.html", "scene.yaml"}));
}

TEST(Environment, StdoutThatTakesNothingIsCode4ButAClosedPipeIsFine) {
  const Place place;
  place.write("scene.yaml", rolling_scene("0.1"));
  const std::string run = "\"$TENPIN\" run scene.yaml -o out.h5 --json";
  for (const std::string& command :
       {run + " >/dev/full", std::string("\"$TENPIN\" --help >/dev/full"),
        std::string("\"$TENPIN\" check --schema >/dev/full"), run + " >&-", run + " >&- 2>&-",
        run + " <&- >&- 2>&-"}) {
    EXPECT_EQ(place.shell(command).exit_code, 4) << command;
  }
  EXPECT_EQ(record::RunReader(place.path("out.h5")).num_steps(), 100);
  // The reader is gone before the program writes.
  const Outcome piped = place.shell("{ sleep 0.3; " + run + "; echo $? >code; } | true");
  EXPECT_EQ(piped.err, "");
  for (int i = 0; i < 200 && place.read("code").empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(place.read("code"), "0\n");
  EXPECT_EQ(record::RunReader(place.path("out.h5")).status().to_string(), "finished");
}

TEST(Failure, IsCode3AndTheRunFileEndsWithTheLastCertifiedStep) {
  const Place place;
  place.write("scene.yaml", squeeze_scene());
  const Outcome outcome = place.run({"run", "scene.yaml", "-o", "out.h5", "--json"});
  EXPECT_EQ(outcome.exit_code, 3);
  for (const char* word : {"step 6", "t = 0.05 s", "marble", "RESIDUAL"}) {
    EXPECT_NE(outcome.err.find(word), std::string::npos) << word << " in " << outcome.err;
  }
  const json summary = json::parse(outcome.out);
  EXPECT_EQ(summary["certified"], false);
  EXPECT_EQ(summary["steps"], 5);
  const record::RunReader reader(place.path("out.h5"));
  EXPECT_EQ(reader.status().to_string(), "failed");
  EXPECT_NE(reader.status().message.find("marble"), std::string::npos);
  EXPECT_EQ(reader.num_steps(), 5);
  for (const record::StepRow& row : reader.read_steps(0, 5)) EXPECT_TRUE(row.passed);
  EXPECT_EQ(reader.read_frame(reader.num_frames() - 1).step, 5);
}

class Signal : public testing::TestWithParam<std::pair<int, int>> {};

// Counted in processor time: what the run still does after the signal.
TEST_P(Signal, EndsTheRunInOrderWithinATenthOfASecond) {
  const auto [signal, code] = GetParam();
  const Place place;
  place.write("scene.yaml", rolling_scene("1e5"));
  const pid_t pid = place.start({"run", "scene.yaml", "-o", "out.h5", "--json"});
  place.wait_for("out.h5");
  std::this_thread::sleep_for(std::chrono::milliseconds(400));  // a few steps
  const double before = Place::read_cpu_seconds(pid);
  kill(pid, signal);
  const Outcome outcome = place.finish(pid);
  EXPECT_EQ(outcome.exit_code, code);
  EXPECT_LT(outcome.cpu_seconds - before, 0.1 * test::find_slowness());
  const record::RunReader reader(place.path("out.h5"));
  EXPECT_EQ(reader.status().to_string(), "interrupted");
  EXPECT_GT(reader.num_steps(), 0);
  EXPECT_EQ(json::parse(outcome.out)["steps"], reader.num_steps());
}

TEST_P(Signal, EndsAStepInTheMiddleOfASolve) {
  const auto [signal, code] = GetParam();
  const Place place;
  place.write("scene.yaml", kLongStep);
  const pid_t pid = place.start({"run", "scene.yaml", "-o", "out.h5", "--threads", "1"});
  place.wait_for("out.h5");
  constexpr double kWithinTheStep = 0.5;  // s   of processor time
  constexpr int kMaxLooks = 60000;
  for (int look = 0; look < kMaxLooks; ++look) {
    if (Place::read_cpu_seconds(pid) > kWithinTheStep * kPatience) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  const double before = Place::read_cpu_seconds(pid);
  kill(pid, signal);
  const Outcome outcome = place.finish(pid);
  EXPECT_EQ(outcome.exit_code, code) << outcome.err;
  EXPECT_LT(outcome.cpu_seconds - before, 0.1 * test::find_slowness());
  const record::RunReader reader(place.path("out.h5"));
  EXPECT_EQ(reader.status().to_string(), "interrupted");
  EXPECT_EQ(reader.num_steps(), 0);
}

INSTANTIATE_TEST_SUITE_P(Both, Signal,
                         testing::Values(std::pair(SIGINT, 130), std::pair(SIGTERM, 143)));

TEST(Json, IsAllThatGoesToStdout) {
  const Place place;
  place.write("scene.yaml", rolling_scene("0.1"));
  const Outcome outcome = place.run({"run", "scene.yaml", "--json", "--html", "page.html"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  const json summary = json::parse(outcome.out);
  EXPECT_EQ(summary["steps"], 100);
  EXPECT_EQ(summary["certified"], true);
  const json checked = json::parse(place.run({"check", "scene.yaml", "none.yaml", "--json"}).out);
  EXPECT_EQ(checked[0]["ok"], true);
  EXPECT_EQ(checked[1]["ok"], false);
}

TEST(Set, ChangesTheScene) {
  const Place place;
  place.write("scene.yaml", rolling_scene("0.1"));
  const Outcome outcome =
      place.run({"run", "scene.yaml", "--json", "--set", "method.time-stepping.step=0.01", "--set",
                 "bodies.marble.velocity=[0, 0, 0]"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(json::parse(outcome.out)["steps"], 10);
  EXPECT_EQ(json::parse(outcome.out)["bodies"][1]["position"][0], 0.0);
}

TEST(Check, AcceptsEveryExample) {
  const Place place;
  std::vector<std::string> args = {"check"};
  for (const fs::path& file : yaml_files("/scenes")) args.push_back(file);
  ASSERT_GE(args.size(), 10U);
  const Outcome outcome = place.run(args);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), long(args.size()) - 1);
}

}  // namespace
}  // namespace tenpin::app
