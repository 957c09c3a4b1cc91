// Hostile but lawful scenes and surroundings: the program is right, or says that it is not.
#include <gtest/gtest.h>

#include <cmath>

#include <nlohmann/json.hpp>

#include "apps/program.h"
#include "apps/scene_texts.h"
#include "record/run_reader.h"

namespace tenpin::app {
namespace {

using nlohmann::json;

// Runs a scene that must end well or with a verdict; returns the summary.
json run_scene(const Place& place, const std::string& text, double limit = 20.0) {
  place.write("scene.yaml", text);
  const Outcome outcome = place.run({"run", "scene.yaml", "-o", "out.h5", "--json"}, limit);
  EXPECT_TRUE(outcome.exit_code == 0 || outcome.exit_code == 3)
      << outcome.exit_code << " signal " << outcome.signal << " " << outcome.err;
  if (outcome.out.empty()) return {};
  json summary = json::parse(outcome.out);
  EXPECT_EQ(summary["certified"], outcome.exit_code == 0);
  return summary;
}

json body(const json& summary, const std::string& name) {
  for (const json& entry : summary["bodies"]) {
    if (entry["name"] == name) return entry;
  }
  ADD_FAILURE() << "no body " << name;
  return {};
}

// JSON has no NaN: it would be null here.
bool is_finite(const json& summary) {
  for (const json& entry : summary["bodies"]) {
    for (const char* key : {"position", "orientation", "velocity", "angular_velocity"}) {
      for (const json& number : entry[key]) {
        if (!number.is_number()) return false;
      }
    }
  }
  return true;
}

TEST(Scene, WithoutBodiesRuns) {
  const Place place;
  const json summary = run_scene(place, "tenpin: 1\nname: none\nbodies: []\nuntil: 1\n");
  EXPECT_EQ(summary["certified"], true);
  EXPECT_EQ(summary["t"], 1.0);
}

TEST(Start, OverlapsOfAnyDepthStayFinite) {
  const Place place;
  for (const char* offset : {"0.2000000001", "0.1999999999", "0.18", "1e-9", "1e-300", "0"}) {
    const json summary = run_scene(
        place, floor_scene(ball("a", "[0, 0, 0.5]", ", mass: 1") +
                               ball("b", std::string("[") + offset + ", 0, 0.5]", ", mass: 2"),
                           timing("0.004", "0.2")));
    EXPECT_TRUE(is_finite(summary)) << offset;
    EXPECT_EQ(summary["status"], "reached the end") << offset;
  }
  for (const char* shape : {"box: {size: [0.2, 0.2, 0.2]}", "capsule: {radius: 0.1, length: 0.3}",
                            "cylinder: {radius: 0.1, length: 0.3}"}) {
    const std::string both =
        ", material: m, mass: 1, position: [0, 0, 0.5], shapes: [{" + std::string(shape) + "}]}\n";
    const json summary = run_scene(
        place, floor_scene("  - {name: a" + both + "  - {name: b" + both, timing("0.004", "0.1")));
    EXPECT_TRUE(is_finite(summary)) << shape;
  }
}

std::string balls_at_one_point(const std::string& count) {
  return floor_scene(
      ball("b", "[0, 0, 1]", ", mass: 1, repeat: {stack: " + count + ", spacing: 1e-300}"),
      timing("0.01", "0.02"));
}

TEST(Start, HundredBodiesAtOnePointAreMovedApart) {
  const Place place;
  const json summary = run_scene(place, balls_at_one_point("100"));
  EXPECT_EQ(summary["certified"], true);
  EXPECT_TRUE(is_finite(summary));
  constexpr double kOverlap = 1e-9;  // m
  EXPECT_LE(summary["worst_penetration"], kOverlap);
}

TEST(Start, ThousandsOfBodiesAtOnePointMeetALimit) {
  const Place place;
  place.write("scene.yaml", balls_at_one_point("5000"));
  const Outcome outcome = place.run({"run", "scene.yaml", "-o", "out.h5"});
  EXPECT_EQ(outcome.exit_code, 5) << outcome.err;
  EXPECT_NE(outcome.err.find("want at most"), std::string::npos) << outcome.err;
  EXPECT_EQ(place.files(), (std::vector<std::string>{"scene.yaml"}));
}

// The heavy ball on the light one: pressed flat is as wrong as thrown out.
TEST(Masses, OfAnyRatioNeverSinkSilently) {
  const Place place;
  for (const char* mass : {"1e3", "1e6", "1e9"}) {
    const json summary = run_scene(
        place, floor_scene(ball("light", "[0, 0, 0.1]", ", mass: 1") +
                               ball("heavy", "[0, 0, 0.3]", std::string(", mass: ") + mass),
                           timing("0.004", "1")));
    EXPECT_TRUE(is_finite(summary)) << mass;
    if (summary["certified"] != true) continue;
    constexpr double kSunk = 1e-6;  // m
    EXPECT_LE(summary["worst_penetration"], kSunk) << mass;
    EXPECT_LE(summary["worst_residual"], 1e-6) << mass;  // the cone solver's tolerance
    const json light = body(summary, "light")["position"];
    EXPECT_GE(light[2], 0.1 - kSunk) << mass;
  }
}

TEST(Gravity, MayBeHugeOrNone) {
  const Place place;
  for (const char* gravity : {"[0, 0, -1e6]", "[0, 0, 0]"}) {
    const json summary = run_scene(
        place, std::string("gravity: ") + gravity + "\n" +
                   floor_scene(ball("a", "[0, 0, 0.1]", ", mass: 1"), timing("0.001", "0.1")));
    EXPECT_EQ(summary["certified"], true) << gravity;
    EXPECT_NEAR(body(summary, "a")["position"][2], 0.1, 1e-9) << gravity;
  }
}

// Half-spaces have no far side: a body may arrive at any speed that a scene can hold.
TEST(Speed, DoesNotTakeABodyThroughTheFloor) {
  const Place place;
  for (const char* velocity : {"[0, 0, -1e3]", "[1e6, 0, -1e6]"}) {
    const json summary =
        run_scene(place, floor_scene(ball("a", "[0, 0, 5]",
                                          std::string(", mass: 1, angular_velocity: [0, 1e3, 0], "
                                                      "velocity: ") +
                                              velocity),
                                     timing("0.001", "0.1")));
    EXPECT_TRUE(is_finite(summary)) << velocity;
    if (summary["certified"] == true) {
      EXPECT_GE(body(summary, "a")["position"][2], 0.1 - 1e-6) << velocity;
    }
  }
}

TEST(Time, EndsExactlyWhereItWasAskedTo) {
  const Place place;
  for (const auto& [step, until, steps] : {std::tuple{"0.1", "0.33", 4},
                                           {"0.3", "0.1", 1},
                                           {"0.001", "0.1", 100},
                                           {"0.1", "0.7", 7}}) {
    const json summary =
        run_scene(place, floor_scene(ball("a", "[0, 0, 9]", ", mass: 1"), timing(step, until)));
    EXPECT_EQ(summary["t"], std::stod(until)) << step;
    EXPECT_EQ(summary["steps"], steps) << step;
    const record::RunReader reader(place.path("out.h5"));
    EXPECT_EQ(reader.read_frame_times().back(), std::stod(until));
  }
}

TEST(Surroundings, LocaleChangesNothing) {
  const Place place;
  place.write("scene.yaml", rolling_scene("0.1"));
  const std::string run = "\"$TENPIN\" run scene.yaml --json | grep -v '_s\"'";
  const std::string plain = place.shell("LC_ALL=C " + run).out;
  EXPECT_NE(plain.find("state_hash"), std::string::npos);
  EXPECT_EQ(place.shell("export LC_ALL=de_DE.UTF-8; " + run).out, plain);
}

TEST(Surroundings, SmallStackIsEnough) {
  const Place place;
  const Outcome outcome =
      place.shell("ulimit -s 256; \"$TENPIN\" run '" TENPIN_SOURCE_DIR
                  "/scenes/mixed-shapes.yaml' --set until=0.5 -o out.h5 --html out.html");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.signal << outcome.err;
}

TEST(Surroundings, LittleMemoryIsCode4AndNoHang) {
  if (kPatience > 1.0) GTEST_SKIP() << "a sanitizer needs more memory than there is here";
  const Place place;
  place.write("scene.yaml", floor_scene(ball("b", "[0, 0, 1]",
                                             ", mass: 1, repeat: {grid: [100, 100, 99], "
                                             "spacing: 1}"),
                                        timing("0.01", "1")));
  const Outcome outcome =
      place.shell("ulimit -v 400000; exec \"$TENPIN\" run scene.yaml -o out.h5");
  EXPECT_EQ(outcome.exit_code, 4) << outcome.signal << outcome.err;
  EXPECT_FALSE(outcome.timed_out);
  EXPECT_NE(outcome.err.find("memory"), std::string::npos) << outcome.err;
}

TEST(Surroundings, ExportsToAFullDiskAreCode4) {
  const Place place;
  place.write("scene.yaml", rolling_scene("20"));
  ASSERT_EQ(place.run({"run", "scene.yaml", "-o", "run.h5"}).exit_code, 0);
  for (const char* target : {"--hdf5 out.h5", "--csv out.csv", "--gltf out.glb"}) {
    const Outcome outcome =
        place.shell(std::string("ulimit -f 8; \"$TENPIN\" export run.h5 ") + target);
    EXPECT_EQ(outcome.exit_code, 4) << target << " signal " << outcome.signal << outcome.err;
    EXPECT_NE(outcome.err.find("out."), std::string::npos) << outcome.err;
    EXPECT_EQ(place.files(), (std::vector<std::string>{"run.h5", "scene.yaml"})) << target;
  }
}

TEST(Surroundings, AFullDiskIsCode4) {
  const Place place;
  place.write("scene.yaml", rolling_scene("20"));
  const Outcome outcome = place.shell("ulimit -f 2000; \"$TENPIN\" run scene.yaml -o out.h5");
  EXPECT_EQ(outcome.exit_code, 4) << outcome.signal << outcome.err;
  EXPECT_NE(outcome.err.find("out.h5"), std::string::npos) << outcome.err;
  const record::RunReader reader(place.path("out.h5"));
  EXPECT_GT(reader.num_steps(), 0);
}

}  // namespace
}  // namespace tenpin::app
