// What a new user meets: the start of a run, defaults, and words that are nearly right.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "apps/program.h"
#include "apps/scene_texts.h"

namespace tenpin::app {
namespace {

using nlohmann::json;

const std::string kSunkBox =
    "  - {name: box, material: m, mass: 1, position: [0, 0, 0.098],"
    " shapes: [{box: {half: [0.1, 0.1, 0.1]}}]}\n";

TEST(Start, AnOverlapIsToldAndGivesNoEnergy) {
  const Place place;
  place.write("sunk.yaml", floor_scene(kSunkBox, timing("0.01", "0.2")));
  const Outcome outcome =
      place.run({"run", "sunk.yaml", "--method", "time-stepping:order=1", "--json", "-o", "x.h5"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const json summary = json::parse(outcome.out);
  EXPECT_EQ(summary["start"]["overlaps"],
            json::array({"floor and box overlap by 0.002 m: moved apart"}));
  EXPECT_NEAR(summary["start"]["energy_change"], 9.81 * 0.002, 1e-6);
  const double start = summary["ledger"]["energy_start"];
  EXPECT_LE(summary["ledger"]["largest_energy"], start + 1e-6);  // it was 0.12 J more
  const Outcome check = place.run({"check", "sunk.yaml"});
  EXPECT_NE(check.err.find("at time 0 floor and box overlap by 0.002 m"), std::string::npos);
}

TEST(Start, RefusedOverlapsEndTheRunBeforeItBegins) {
  const Place place;
  place.write("sunk.yaml",
              floor_scene(kSunkBox, "start: {overlaps: refuse}\n" + timing("0.01", "0.2")));
  const Outcome outcome = place.run({"run", "sunk.yaml", "-o", "x.h5"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("floor and box overlap by 0.002 m"), std::string::npos);
  EXPECT_EQ(place.files(), std::vector<std::string>{"sunk.yaml"});
  EXPECT_EQ(place.run({"check", "sunk.yaml"}).exit_code, 2);
}

// As in `compare`: another setting of the scene's own method leaves the others alone.
TEST(Method, KeepsTheOtherSettingsOfTheScene) {
  const Place place;
  place.write("roll.yaml", rolling_scene("0.5"));
  const auto count = [&](const std::string& method) -> int {
    const Outcome outcome = place.run({"run", "roll.yaml", "--method", method, "--json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return json::parse(outcome.out)["steps"];
  };
  EXPECT_EQ(count("time-stepping:order=1"), 500);
  EXPECT_EQ(count("time-stepping:order=1:step=0.01"), 50);
  EXPECT_EQ(count("impulse"), 50);
}

TEST(Messages, NameTheCommandThatWasMeant) {
  const Place place;
  const Outcome outcome = place.run({"rnu", "scene.yaml"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("no command 'rnu'; did you mean 'run'?"), std::string::npos);
}

TEST(Messages, ASceneWithoutNameHasThatOfItsFile) {
  const Place place;
  place.write("marble.yaml", "tenpin: 1\nuntil: 0.1\n");
  const Outcome outcome = place.run({"run", "marble.yaml", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(json::parse(outcome.out)["scene"], "marble");
}

// Robots whose feet are in the floor at time 0, by design and five centimetres deeper: neither kept
// nor resolved do the overlaps throw them up.
TEST(Start, ImportedModelsGetNoEnergyFromTheirOverlaps) {
  constexpr double kGain = 1e-5;  // -   of the energy: the error of the scheme, and rounding
  struct Robot {
    std::string file, lowered;
  };
  const Place place;
  for (const Robot& robot : {Robot{TENPIN_SOURCE_DIR "/examples/scenes/quadruped.xml",
                                   "bodies.trunk.position=[0, 0, 0.3]"},
                             Robot{"/usr/share/mujoco/model/humanoid/humanoid.xml",
                                   "bodies.torso.position=[0, 0, 1.232]"}}) {
    for (const std::string how : {"keep", "resolve"}) {
      for (const bool is_lowered : {false, true}) {
        SCOPED_TRACE(robot.file + " " + how + (is_lowered ? " lowered" : ""));
        std::vector<std::string> args = {
            "run", robot.file, "--json", "--set", "until=0.1", "--set", "start.overlaps=" + how};
        if (is_lowered) args.insert(args.end(), {"--set", robot.lowered});
        const Outcome outcome = place.run(args);
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
        const nlohmann::json summary = nlohmann::json::parse(outcome.out);
        if (is_lowered) {
          EXPECT_FALSE(summary["start"]["overlaps"].empty());
        }
        const nlohmann::json& ledger = summary["ledger"];
        const double begin = ledger["energy_start"];
        const double applied = ledger["applied"];
        const double end = ledger["energy_end"];
        const double largest = ledger["largest_energy"];
        EXPECT_LE(end - begin - applied, kGain * largest);
        EXPECT_LE(largest, (1.0 + kGain) * std::fabs(begin) + std::fabs(applied));
      }
    }
  }
}

// What the method refuses, `check` reports.
TEST(Check, ReportsWhatTheMethodCannotDo) {
  const Place place;
  const std::string skin =
      "  skin: {friction: {limit: {ellipsoid: [0.4, 0.4, 0.003]}, axis: [1, 0, 0]}}\n";
  const std::string ball = ", material: skin, mass: 1, shapes: [{sphere: {radius: 0.1}}]}\n";
  const std::string two = "tenpin: 1\nmaterials:\n" + skin + "bodies:\n  - {name: a" + ball +
                          "  - {name: b, position: [1, 0, 0]" + ball;
  place.write("two.yaml", two + "until: 1\n");
  place.write("exact.yaml", two +
                                "pairs: [{between: [skin, skin], friction: 0.3, restitution: 0}]\n"
                                "method: {analytic: {}}\nuntil: 1\n");
  const Outcome clash = place.run({"check", "two.yaml"});
  EXPECT_EQ(clash.exit_code, 2);
  EXPECT_NE(clash.err.find("want the friction between skin and skin in `pairs`"), std::string::npos)
      << clash.err;
  const Outcome refused = place.run({"check", "exact.yaml"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("analytic: cannot do limit surfaces"), std::string::npos)
      << refused.err;
}

}  // namespace
}  // namespace tenpin::app
