// kill -9 at any moment leaves no run file or a good one.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include <nlohmann/json.hpp>

#include "apps/program.h"
#include "apps/scene_texts.h"
#include "base/rng.h"
#include "record/run_reader.h"

namespace tenpin::app {
namespace {

using record::RunReader;

template <typename Row>
bool same_bits(const std::vector<Row>& a, const std::vector<Row>& b) {
  if (a.size() != b.size()) return false;
  return a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Row)) == 0;
}

bool same_bits(const VecX& a, const VecX& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

bool same_bits(const record::RunFrame& a, const record::RunFrame& b) {
  return a.t == b.t && a.step == b.step && same_bits(a.q, b.q) && same_bits(a.v, b.v) &&
         a.first_contact == b.first_contact && a.num_contacts == b.num_contacts;
}

void expect_prefix(const RunReader& part, const RunReader& whole) {
  ASSERT_LE(part.num_steps(), whole.num_steps());
  ASSERT_LE(part.num_frames(), whole.num_frames());
  ASSERT_LE(part.num_contacts(), whole.num_contacts());
  EXPECT_TRUE(
      same_bits(part.read_steps(0, part.num_steps()), whole.read_steps(0, part.num_steps())));
  EXPECT_TRUE(same_bits(part.read_contacts(0, part.num_contacts()),
                        whole.read_contacts(0, part.num_contacts())));
  for (std::int64_t k = 0; k < part.num_frames(); ++k) {
    EXPECT_TRUE(same_bits(part.read_frame(k), whole.read_frame(k))) << "frame " << k;
  }
}

TEST(Kill, AtAnyMomentLeavesAPrefixOfTheRun) {
  const char* scale = std::getenv("TENPIN_TEST_SCALE");
  const int rounds = 50 * (scale != nullptr ? std::atoi(scale) : 1);
  const Place place;
  place.write("scene.yaml", rolling_scene("20"));
  const Outcome undisturbed = place.run({"run", "scene.yaml", "-o", "whole.h5"});
  ASSERT_EQ(undisturbed.exit_code, 0) << undisturbed.err;
  const RunReader whole(place.path("whole.h5"));
  const RandomStream random(1);
  int with_rows = 0;
  for (int round = 0; round < rounds; ++round) {
    std::filesystem::remove(place.path("part.h5"));
    const pid_t pid = place.start({"run", "scene.yaml", "-o", "part.h5"});
    std::this_thread::sleep_for(
        std::chrono::duration<double>(random.uniform(round) * 1.1 * undisturbed.seconds));
    kill(pid, SIGKILL);
    static_cast<void>(place.finish(pid));
    if (!std::filesystem::exists(place.path("part.h5"))) continue;
    const Outcome info = place.run({"info", "part.h5", "--json"});
    ASSERT_EQ(info.exit_code, 0) << info.err;
    const RunReader part(place.path("part.h5"));
    EXPECT_EQ(nlohmann::json::parse(info.out)["steps"], part.num_steps());
    const std::string status = part.status().to_string();
    EXPECT_TRUE(status == "killed" || status == "finished") << status;
    expect_prefix(part, whole);
    with_rows += part.num_steps() > 0 && status == "killed" ? 1 : 0;
  }
  // Else the scene is too short to be cut.
  EXPECT_GE(with_rows, rounds / 10);
}

}  // namespace
}  // namespace tenpin::app
