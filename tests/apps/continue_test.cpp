// tenpin run --from: a run goes on where its file ends.
#include <gtest/gtest.h>

#include <string>

#include <nlohmann/json.hpp>

#include "apps/program.h"
#include "apps/scene_texts.h"

namespace tenpin::app {
namespace {

using nlohmann::json;

json read_summary(const Outcome& outcome) {
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return json::parse(outcome.out, nullptr, false);
}

// The mass is changed by the command line: the file's own text does not know of it.
TEST(Continue, HasTheBitsOfTheRunThatNeverStopped) {
  const Place place;
  place.write("roll.yaml", rolling_scene("0.5"));
  const std::vector<std::string> heavy = {"run", "roll.yaml", "--set", "bodies.marble.mass=3",
                                          "--json"};
  const auto with = [&heavy](const std::vector<std::string>& more) {
    std::vector<std::string> args = heavy;
    args.insert(args.end(), more.begin(), more.end());
    return args;
  };
  const json whole = read_summary(place.run(with({"--set", "until=0.8"})));
  read_summary(place.run(with({"-o", "first.h5"})));
  place.shell("rm roll.yaml");
  const json rest = read_summary(
      place.run({"run", "--from", "first.h5", "--set", "until=0.8", "--json", "-o", "more.h5"}));
  EXPECT_EQ(rest["state_hash"], whole["state_hash"]);
  EXPECT_EQ(rest["t_start"], 0.5);
  EXPECT_EQ(rest["steps"], 300);
  const json again = read_summary(place.run({"run", "--from", "more.h5", "--at", "0.6", "--json"}));
  EXPECT_EQ(again["state_hash"], whole["state_hash"]);
}

TEST(Continue, RefusesWhatItCannotDoAndWritesNothing) {
  const Place place;
  place.write("roll.yaml", rolling_scene("0.1"));
  ASSERT_EQ(place.run({"run", "roll.yaml", "-o", "first.h5"}).exit_code, 0);
  const auto refuse = [&place](std::vector<std::string> args, const std::string& text) {
    args.insert(args.end(), {"-o", "more.h5"});
    const Outcome outcome = place.run(args);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  };
  refuse({"run"}, "want a scene file, or --from");
  refuse({"run", "--from", "first.h5"}, "the run has reached its end");
  refuse({"run", "--from", "first.h5", "--at", "-1"}, "--at: got -1, want a number >= 0");
  refuse({"run", "roll.yaml", "--from", "first.h5"}, "a run brings its scene along");
  refuse({"run", "roll.yaml", "--at", "0.05"}, "--at: nothing to continue");
  refuse({"run", "--from", "first.h5", "--method", "impulse"}, "keeps its method");
  refuse({"run", "--from", "first.h5", "--set", "gravity=[0, 0, 0]"}, "want until or record");
  EXPECT_EQ(place.files(), (std::vector<std::string>{"first.h5", "roll.yaml"}));
}

}  // namespace
}  // namespace tenpin::app
