// compare, report, export: what they print, what they write, and how they end.
#include <gtest/gtest.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "apps/program.h"
#include "apps/scene_texts.h"

namespace tenpin::app {
namespace {

using nlohmann::json;
using Files = std::vector<std::string>;

std::string named_scene(const std::string& name) {
  std::string text = rolling_scene("0.1");
  return text.replace(text.find("name: test"), 10, "name: \"" + name + "\"");
}

class LabCommands : public testing::Test {
 protected:
  void SetUp() override {
    place_.write("scene.yaml", named_scene("Rolling <img src=x>"));
    ASSERT_EQ(place_.run({"run", "scene.yaml", "-o", "run.h5"}).exit_code, 0);
  }
  Outcome compare(const std::string& methods) const {
    return place_.run({"compare", "scene.yaml", "--methods", methods});
  }
  Place place_;
};

TEST_F(LabCommands, CompareTellsEachMethodsOutcome) {
  const Outcome outcome = place_.run(
      {"compare", "scene.yaml", "--methods", "time-stepping,time-stepping:formulation=velocity",
       "--methods", "time-stepping:order=2:lever=printed", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const json result = json::parse(outcome.out);
  ASSERT_EQ(result["methods"].size(), 3U);
  EXPECT_EQ(result["reference"], 0);
  EXPECT_EQ(result["methods"][0]["steps"], 100);
  EXPECT_EQ(result["methods"][0]["end_distance"], 0.0);
  EXPECT_EQ(result["methods"][1]["status"], "reached the end");
  EXPECT_GT(result["methods"][1]["cpu_s"], 0.0);
  EXPECT_EQ(result["methods"][2]["status"], "refused");
  EXPECT_FALSE(result["methods"][2].contains("steps"));
  EXPECT_EQ(place_.files(), (Files{"run.h5", "scene.yaml"}));
}

TEST_F(LabCommands, RunTakesAnotherMethodByName) {
  const auto steps = [this](const std::string& method) {
    const Outcome outcome = place_.run({"run", "scene.yaml", "--json", "--method", method});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return json::parse(outcome.out)["steps"].get<int>();
  };
  EXPECT_EQ(steps("time-stepping"), 100);  // of the scene's 1 ms: what is not named stays
  EXPECT_EQ(steps("time-stepping:step=0.01"), 10);
  EXPECT_EQ(place_.run({"run", "scene.yaml", "--method", "time-steping"}).exit_code, 2);
}

TEST_F(LabCommands, CompareWithoutMethodsTakesAllOfThem) {
  const Outcome outcome = place_.run({"compare", "scene.yaml"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("time-stepping"), std::string::npos);
}

TEST_F(LabCommands, CompareRefusesWhatItDoesNotKnow) {
  EXPECT_EQ(compare("time-steping").exit_code, 2);
  EXPECT_EQ(compare("time-stepping:velocity").exit_code, 2);
  const Outcome key = compare("time-stepping:formulatio=velocity");
  EXPECT_EQ(key.exit_code, 2);
  EXPECT_NE(key.err.find("method.time-stepping.formulatio"), std::string::npos);
  EXPECT_EQ(place_.run({"compare", "none.yaml"}).exit_code, 2);
  // All refuse the scene: nothing to compare.
  const Outcome all = compare("time-stepping:order=2:lever=printed");
  EXPECT_EQ(all.exit_code, 2);
  EXPECT_NE(all.out.find("printed lever"), std::string::npos);
  EXPECT_EQ(place_.files(), (Files{"run.h5", "scene.yaml"}));
}

TEST_F(LabCommands, ComparePageShowsNamesAsTextAndKeepsRuns) {
  const Outcome outcome =
      place_.run({"compare", "scene.yaml", "--methods", "time-stepping,time-stepping:step=0.005",
                  "--html", "page.html", "-o", "runs"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string page = place_.read("page.html");
  EXPECT_EQ(page.find("<!doctype html>"), 0U);
  EXPECT_EQ(page.find("<img src=x>"), std::string::npos);
  EXPECT_EQ(place_.run({"info", "runs/1.h5"}).exit_code, 0);
  EXPECT_EQ(place_.run({"info", "runs/2.h5"}).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(place_.path("runs/all.h5")));
  EXPECT_EQ(place_.run({"compare", "scene.yaml", "--html", "scene.yaml"}).exit_code, 4);
  EXPECT_EQ(place_.read("scene.yaml"), named_scene("Rolling <img src=x>"));
}

TEST_F(LabCommands, ReportWritesOnePage) {
  EXPECT_EQ(place_.run({"report", "run.h5"}).out, "run-report.html\n");
  const std::string page = place_.read("run-report.html");
  EXPECT_EQ(page.find("<!doctype html>"), 0U);
  EXPECT_NE(page.find("all 100 steps certified"), std::string::npos);
  EXPECT_NE(page.find("Rolling &lt;img src=x&gt;"), std::string::npos);
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_EQ(place_.run({"report", "run.h5", "-o", "other.html"}).exit_code, 0);
  EXPECT_EQ(place_.read("other.html"), page);
  EXPECT_EQ(place_.run({"report", "scene.yaml"}).exit_code, 2);
  EXPECT_EQ(place_.run({"report", "run.h5", "-o", "scene.yaml"}).exit_code, 4);
  EXPECT_EQ(place_.run({"report", "run.h5", "-o", "none/page.html"}).exit_code, 4);
}

TEST_F(LabCommands, ExportListsAndWritesQuantities) {
  const Outcome list = place_.run({"export", "run.h5", "--list"});
  ASSERT_EQ(list.exit_code, 0);
  for (const char* name : {"steps.residual", "bodies.NAME.position", "contacts.gap", "  marble"}) {
    EXPECT_NE(list.out.find(name), std::string::npos) << name;
  }
  const Outcome csv = place_.run(
      {"export", "run.h5", "--csv", "-", "--quantity", "steps.kinetic,steps.num_active"});
  EXPECT_EQ(csv.exit_code, 0);
  EXPECT_EQ(csv.out.find("t,steps.kinetic,steps.num_active\r\n"), 0U);
  EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 101);
  EXPECT_EQ(place_.run({"export", "run.h5", "--csv", "a.csv", "--hdf5", "a.h5", "--gltf", "a.glb"})
                .exit_code,
            0);
  EXPECT_EQ(place_.files(), (Files{"a.csv", "a.glb", "a.h5", "run.h5", "scene.yaml"}));
  // Once more over its own files.
  EXPECT_EQ(place_.run({"export", "run.h5", "--csv", "a.csv", "--hdf5", "a.h5", "--gltf", "a.glb"})
                .exit_code,
            0);
}

TEST_F(LabCommands, ExportRefusesAndWritesNothing) {
  const auto code_of = [this](std::vector<std::string> args) {
    args.insert(args.begin(), {"export", "run.h5"});
    return place_.run(args).exit_code;
  };
  EXPECT_EQ(code_of({}), 2);
  EXPECT_EQ(code_of({"--csv", "a.csv", "--quantity", "steps.residul"}), 2);
  EXPECT_EQ(code_of({"--csv", "a.csv", "--quantity", "steps,bodies"}), 2);
  EXPECT_EQ(code_of({"--hdf5", "run.h5"}), 2);
  EXPECT_EQ(code_of({"--gltf", "scene.yaml"}), 4);
  EXPECT_EQ(code_of({"--csv", "scene.yaml"}), 4);
  EXPECT_EQ(code_of({"--hdf5", "none/a.h5"}), 4);
  EXPECT_EQ(place_.run({"export", "scene.yaml", "--gltf", "a.glb"}).exit_code, 2);
  EXPECT_EQ(place_.files(), (Files{"run.h5", "scene.yaml"}));
}

TEST_F(LabCommands, ExportNamesThePackageThatIsMissing) {
  const Outcome browser =
      place_.shell("TENPIN_CHROMIUM=/none $TENPIN export run.h5 --png a.png; echo $?");
  EXPECT_EQ(browser.out, "4\n");
  EXPECT_NE(browser.err.find("package chromium"), std::string::npos);
  const Outcome ffmpeg =
      place_.shell("TENPIN_CHROMIUM=/bin/true PATH=/none $TENPIN export run.h5 --mp4 a.mp4");
  EXPECT_EQ(ffmpeg.exit_code, 4);
  EXPECT_NE(ffmpeg.err.find("package ffmpeg"), std::string::npos);
  // A browser that is none ends at once.
  const Outcome dead = place_.shell("TENPIN_CHROMIUM=/bin/true $TENPIN export run.h5 --png a.png");
  EXPECT_EQ(dead.exit_code, 4);
  EXPECT_NE(dead.err.find("the browser has exited"), std::string::npos);
  EXPECT_EQ(place_.files(), (Files{"run.h5", "scene.yaml"}));
}

TEST_F(LabCommands, ReproduceWritesAnIndexAndAPageForEach) {
  const Outcome outcome = place_.run({"reproduce", "M11/laws", "M11/impacts", "--html", "pages"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string index = place_.read("pages/index.html");
  EXPECT_NE(index.find("2 of 2 experiments meet all their numbers"), std::string::npos);
  EXPECT_NE(index.find("href=\"M11-laws.html\""), std::string::npos);
  const std::string page = place_.read("pages/M11-impacts.html");
  EXPECT_NE(page.find("tenpin impact experiments/M11/impacts/cases.json"), std::string::npos);
  EXPECT_NE(page.find("<svg"), std::string::npos);
  place_.write("pages/index.html", "my own notes");
  EXPECT_EQ(place_.run({"reproduce", "M11/laws", "--html", "pages"}).exit_code, 4);
  EXPECT_EQ(place_.read("pages/index.html"), "my own notes");
  EXPECT_EQ(place_.run({"reproduce", "M11/laws", "--html", "scene.yaml"}).exit_code, 4);
}

}  // namespace
}  // namespace tenpin::app
