// Runs in slices and runs in memory: the same bits as a run in one go to a file.
#include "lab/simulation.h"

#include <cstring>

#include <nlohmann/json.hpp>

#include "base/check.h"
#include "lab/scene_runs.h"
#include "lab/viewer_stream.h"
#include "record/run_reader.h"

namespace tenpin::lab {
namespace {

scene::Scene make_scene_of(const std::string& method) {
  return scene::parse_scene(
      "tenpin: 1\nname: things\nmaterials: {default: {friction: 0.4, restitution: 0.3}}\nbodies:\n"
      "  - {name: floor, fixed: true, shapes: [{plane: {normal: [0, 0, 1]}}]}\n"
      "  - {name: box, mass: 2, position: [0, 0, 0.13], velocity: [0.5, 0, -0.2],\n"
      "     shapes: [{box: {half: [0.1, 0.1, 0.1]}}]}\n"
      "  - {name: ball, mass: 1, position: [1, 0, 0.3], shapes: [{sphere: {radius: 0.1}}]}\n"
      "method: {" +
          method + "}\nrecord: {every: 0.013}\nuntil: 0.2\n",
      "things.yaml");
}

bool same_frames(const record::RunReader& a, const record::RunReader& b) {
  if (a.read_frame_times() != b.read_frame_times()) return false;
  for (std::int64_t k = 0; k < a.num_frames(); ++k) {
    const record::RunFrame x = a.read_frame(k);
    const record::RunFrame y = b.read_frame(k);
    if (x.q != y.q || x.v != y.v || x.num_contacts != y.num_contacts || x.step != y.step) {
      return false;
    }
  }
  return a.num_steps() == b.num_steps() && a.num_contacts() == b.num_contacts();
}

TEST(SlicedSimulation, SlicesDoNotChangeTheRun) {
  for (const std::string method : {"time-stepping: {step: 0.002}", "impulse: {}", "analytic: {}"}) {
    const scene::Scene scene = make_scene_of(method);
    const RunFolder folder;
    const Summary whole = simulate(scene, {.run_file = folder.file("run.h5")});
    const auto memory = std::make_shared<record::MemoryRun>();
    SlicedSimulation run(scene, {.run_memory = memory});
    int slices = 1;
    while (run.advance(0.0)) ++slices;  // as short as they get
    EXPECT_FALSE(run.advance(1.0)) << "it is over";
    EXPECT_GT(slices, 10) << method;
    EXPECT_EQ(run.summary().state_hash, whole.state_hash) << method;
    EXPECT_EQ(run.summary().steps, whole.steps);
    EXPECT_EQ(run.summary().frames, whole.frames);
    EXPECT_EQ(run.summary().work, whole.work);
    EXPECT_EQ(run.state().t, 0.2);
    EXPECT_TRUE(same_frames(record::RunReader(memory), record::RunReader(folder.file("run.h5"))))
        << method;
    EXPECT_EQ(record::RunReader(memory).status().to_string(), "finished");
  }
}

TEST(SlicedSimulation, LettingGoInterruptsTheRun) {
  const scene::Scene scene = make_scene_of("time-stepping: {step: 0.002}");
  const auto memory = std::make_shared<record::MemoryRun>();
  {
    SlicedSimulation run(scene, {.run_memory = memory});
    ASSERT_TRUE(run.advance(0.0));
  }
  EXPECT_EQ(record::RunReader(memory).status().to_string(), "interrupted");
  EXPECT_EQ(record::RunReader(memory).num_frames(), 2);
}

TEST(SlicedSimulation, FullMemoryEndsTheRunWithItsReason) {
  const scene::Scene scene = make_scene_of("time-stepping: {step: 0.002}");
  const auto memory = std::make_shared<record::MemoryRun>();
  memory->max_bytes = 20'000;
  SlicedSimulation run(scene, {.run_memory = memory});
  EXPECT_THROW(while (run.advance(0.0)), LimitError);
  EXPECT_FALSE(run.advance(0.0));
  const record::RunReader reader(memory);
  EXPECT_EQ(reader.status().to_string(), "failed");
  EXPECT_NE(reader.status().message.find("Shorten it"), std::string::npos);
  EXPECT_GT(reader.num_frames(), 1);
}

// Reads the JSON at the head of an answer.
nlohmann::json read_piece(const std::string& body) {
  std::uint32_t length = 0;
  std::memcpy(&length, body.data(), sizeof length);
  return nlohmann::json::parse(body.substr(sizeof length, length));
}

TEST(ViewerStream, FollowsARunInMemory) {
  const scene::Scene scene = make_scene_of("time-stepping: {step: 0.002}");
  const auto memory = std::make_shared<record::MemoryRun>();
  SlicedSimulation run(scene, {.run_memory = memory});
  ViewerStream stream(memory);
  const nlohmann::json first = read_piece(stream.answer("run", "")->body);
  EXPECT_TRUE(first["growing"]);
  EXPECT_FALSE(first["canControl"]);
  while (run.advance(0.0)) {
  }
  const nlohmann::json news = nlohmann::json::parse(stream.answer("news", "frames=1")->body);
  EXPECT_FALSE(news["growing"]);
  EXPECT_EQ(std::ssize(news["times"]) + 1, run.summary().frames);
  EXPECT_EQ(news["verdict"]["steps"], run.summary().steps);
  EXPECT_EQ(stream.answer("frames", "first=3&count=2&stride=1")->status, 200U);
}

}  // namespace
}  // namespace tenpin::lab
