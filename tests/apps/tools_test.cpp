// The commands that look at runs, completion, and the same bits whatever the number of threads.
#include <gtest/gtest.h>

#include <filesystem>

#include <nlohmann/json.hpp>

#include "apps/program.h"
#include "apps/scene_texts.h"

namespace tenpin::app {
namespace {

using nlohmann::json;

class Tools : public testing::Test {
 protected:
  void SetUp() override {
    place_.write("scene.yaml", rolling_scene("0.1"));
    ASSERT_EQ(place_.run({"run", "scene.yaml", "-o", "run.h5"}).exit_code, 0);
  }
  Place place_;
};

TEST_F(Tools, InfoTellsWhatIsInARun) {
  const Outcome outcome = place_.run({"info", "run.h5", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const json info = json::parse(outcome.out);
  EXPECT_EQ(info["status"], "finished");
  EXPECT_EQ(info["steps"], 100);
  EXPECT_EQ(info["frames"], 11);
  EXPECT_EQ(info["bodies"], 2);
  EXPECT_EQ(info["t_end"], 0.1);
  EXPECT_EQ(info["failed_certificates"], 0);
  EXPECT_NE(place_.run({"info", "run.h5"}).out.find("finished"), std::string::npos);
}

TEST_F(Tools, InfoPrintsTables) {
  const auto num_lines = [this](const std::string& table) {
    const Outcome outcome = place_.run({"info", "run.h5", "--csv", table});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return std::count(outcome.out.begin(), outcome.out.end(), '\n');
  };
  EXPECT_EQ(num_lines("frames"), 1 + 11 * 2);
  EXPECT_EQ(num_lines("steps"), 1 + 100);
  EXPECT_EQ(num_lines("contacts"), 1 + 100);
  EXPECT_EQ(place_.run({"info", "run.h5", "--csv", "legs"}).exit_code, 2);
}

TEST_F(Tools, InfoRefusesADamagedRun) {
  std::filesystem::resize_file(place_.path("run.h5"), 1000);
  const Outcome outcome = place_.run({"info", "run.h5"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("run.h5"), std::string::npos);
  EXPECT_EQ(place_.run({"info", "none.h5"}).exit_code, 2);
}

TEST_F(Tools, RepairSavesWhatIsIntact) {
  const Outcome whole = place_.run({"repair", "run.h5"});
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  EXPECT_NE(whole.out.find("run.repaired.h5: 11 frames to t = 0.1 s and 100 steps"),
            std::string::npos)
      << whole.out;
  EXPECT_EQ(place_.run({"info", "run.repaired.h5"}).exit_code, 0);
  // The same numbers go on: the repaired file can be continued.
  EXPECT_EQ(place_.run({"run", "--from", "run.repaired.h5", "--set", "until=0.2"}).exit_code, 0);
  std::filesystem::resize_file(place_.path("run.h5"), 1000);
  const Outcome cut = place_.run({"repair", "run.h5", "-o", "none.h5"});
  EXPECT_EQ(cut.exit_code, 2);
  EXPECT_NE(cut.err.find("tenpin: run.h5: "), std::string::npos) << cut.err;
  EXPECT_FALSE(std::filesystem::exists(place_.path("none.h5")));
}

TEST_F(Tools, ViewWritesOnePage) {
  ASSERT_EQ(place_.run({"view", "run.h5", "--html", "page.html"}).exit_code, 0);
  const std::string page = place_.read("page.html");
  EXPECT_EQ(page.find("<!doctype html>"), 0U);
  EXPECT_NE(page.find("marble"), std::string::npos);
  EXPECT_EQ(place_.run({"view", "run.h5", "--html", "run.h5"}).exit_code, 4);
  EXPECT_EQ(place_.run({"view", "run.h5", "--html", "none/page.html"}).exit_code, 4);
  EXPECT_EQ(place_.run({"info", "run.h5"}).exit_code, 0);
}

TEST_F(Tools, BashCompletionCompletes) {
  place_.write("tenpin.bash", place_.run({"completion", "bash"}).out);
  EXPECT_EQ(place_.shell("bash -n tenpin.bash").err, "");
  const auto complete = [this](const std::string& words) {
    return place_
        .shell("source tenpin.bash && COMP_WORDS=(" + words +
               ") && COMP_CWORD=$((${#COMP_WORDS[@]}-1)) && { _tenpin; echo \"${COMPREPLY[@]}\"; }")
        .out;
  };
  EXPECT_EQ(complete("tenpin repr"), "reproduce\n");
  EXPECT_EQ(complete("tenpin run --ht"), "--html\n");
  EXPECT_EQ(complete("tenpin run sce"), "scene.yaml\n");
  EXPECT_EQ(complete("tenpin info --cs"), "--csv\n");
  EXPECT_EQ(place_.run({"completion", "zsh"}).exit_code, 0);
}

TEST(Threads, DoNotChangeABit) {
  const Place place;
  const auto hash = [&](const std::string& scene, const std::string& until,
                        const std::string& threads) -> std::string {
    const Outcome outcome = place.run({"run", TENPIN_SOURCE_DIR "/scenes/" + scene, "--set",
                                       "until=" + until, "--json", "--threads", threads});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return json::parse(outcome.out)["state_hash"];
  };
  for (const auto& [scene, until] : {std::pair{"mixed-shapes.yaml", "1"},
                                     {"four-balls.yaml", "1"},
                                     {"pile-of-balls.yaml", "0.1"}}) {
    const std::string one = hash(scene, until, "1");
    EXPECT_EQ(one.size(), 16U);
    EXPECT_EQ(hash(scene, until, "2"), one) << scene;
    EXPECT_EQ(hash(scene, until, "8"), one) << scene;
  }
}

}  // namespace
}  // namespace tenpin::app
