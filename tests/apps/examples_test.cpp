// The list of installed scenes, and the path of each.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "apps/program.h"

namespace tenpin::app {
namespace {

TEST(Examples, AreListedWithTheirTitles) {
  const Place place;
  const Outcome outcome = place.run({"examples"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("four-balls"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("Four balls"), std::string::npos);
}

TEST(Examples, PathOfOneCanBeRun) {
  const Place place;
  const Outcome outcome = place.shell(
      "$TENPIN check $($TENPIN examples four-balls) && $TENPIN examples --json > list.json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("ok"), std::string::npos);
  const auto list = nlohmann::json::parse(place.read("list.json"));
  ASSERT_GT(list.size(), 10U);
  for (const auto& example : list) {
    EXPECT_FALSE(example["title"].get<std::string>().empty()) << example;
    EXPECT_FALSE(example["about"].get<std::string>().empty()) << example;
  }
}

TEST(Examples, UnknownNameIsAnsweredWithTheNearest) {
  const Place place;
  const Outcome outcome = place.run({"examples", "four-bals"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("did you mean 'four-balls'?"), std::string::npos) << outcome.err;
}

TEST(Examples, FolderCanBeChosen) {
  const Place place;
  place.write("mine.yaml", "# About it.\ntenpin: 1\nname: \"Mine\"\nuntil: 1\n");
  const Outcome outcome = place.shell("TENPIN_SCENES=. $TENPIN examples");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "mine  Mine\n");
}

}  // namespace
}  // namespace tenpin::app
