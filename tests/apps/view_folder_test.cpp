// One page for all results in a folder.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "apps/program.h"
#include "apps/scene_texts.h"

namespace tenpin::app {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ViewFolder, TiesRunsReportsComparisonsAndStudiesTogether) {
  const Place place;
  place.write("scene.yaml", rolling_scene("0.1"));
  ASSERT_EQ(place.run({"run", "scene.yaml", "-q", "-o", "good.h5"}).exit_code, 0);
  ASSERT_EQ(place
                .run({"compare", "scene.yaml", "-q", "--methods", "time-stepping,impulse", "--html",
                      "methods.html"})
                .exit_code,
            0);
  place.write("bad.h5", "not a run");
  place.write("notes.html", "<!doctype html><title>mine</title>");
  const Outcome outcome = place.run({"view", ".", "--html", "index.html"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string page = place.read("index.html");
  EXPECT_TRUE(contains(page, "1 of 2 runs finished with every step certified"));
  EXPECT_TRUE(contains(page, "steps certified"));
  EXPECT_TRUE(contains(page, "<svg"));
  EXPECT_TRUE(contains(page, "href=\"good.html\""));
  EXPECT_TRUE(contains(page, "href=\"good-report.html\""));
  EXPECT_TRUE(contains(page, "href=\"methods.html\""));
  EXPECT_TRUE(contains(page, "comparison"));
  EXPECT_FALSE(contains(page, "notes.html"));  // not made by this program
  EXPECT_TRUE(contains(place.read("good-report.html"), "Report: "));
  EXPECT_TRUE(contains(place.read("good.html"), "run-header"));
  // A second time the pages are there.
  EXPECT_EQ(place.run({"view", ".", "--html", "index.html"}).exit_code, 0);
  EXPECT_EQ(place.read("index.html"), page);
}

TEST(ViewFolder, LinksOnlyWithinTheFolder) {
  const Place place;
  std::filesystem::create_directory(place.path("results"));
  EXPECT_EQ(place.run({"view", "results", "--html", "index.html"}).exit_code, 2);
  EXPECT_EQ(place.run({"view", "results", "--html", "results/index.html"}).exit_code, 0);
  EXPECT_EQ(place.run({"view", "results/", "--html", "results/index.html"}).exit_code, 0);
}

}  // namespace
}  // namespace tenpin::app
