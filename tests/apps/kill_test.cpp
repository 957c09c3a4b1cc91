// kill -9 at any moment leaves no run file or a good one, and the run goes on from there with the
// same bits. TENPIN_KILLS=1000 kills that often.
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
#include "simulation/state_hash.h"

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

// The frames of a run that was continued are the last ones of the whole.
void expect_suffix(const RunReader& rest, const RunReader& whole) {
  ASSERT_GT(rest.num_frames(), 0);
  ASSERT_LE(rest.num_frames(), whole.num_frames());
  const std::int64_t first = whole.num_frames() - rest.num_frames();
  for (std::int64_t k = 0; k < rest.num_frames(); ++k) {
    const record::RunFrame a = rest.read_frame(k);
    const record::RunFrame b = whole.read_frame(first + k);
    EXPECT_TRUE(a.t == b.t && a.step == b.step && same_bits(a.q, b.q) && same_bits(a.v, b.v))
        << "frame " << k;
  }
}

// Of the final state.
std::uint64_t read_hash(const Place& place, const std::string& name) {
  const RunReader run(place.path(name));
  return simulation::calc_state_hash(run.read_restart(run.num_frames() - 1));
}

int count_kills() {
  const char* kills = std::getenv("TENPIN_KILLS");
  if (kills != nullptr) return std::atoi(kills);
  const char* scale = std::getenv("TENPIN_TEST_SCALE");
  return 50 * (scale != nullptr ? std::atoi(scale) : 1);
}

// Line R1 of the catalogue of faults.
TEST(Kill, R1_AtAnyMomentLeavesAPrefixFromWhichTheRunGoesOn) {
  const int rounds = count_kills();
  const Place place;
  place.write("scene.yaml", rolling_scene("20"));
  const Outcome undisturbed = place.run({"run", "scene.yaml", "-o", "whole.h5"});
  ASSERT_EQ(undisturbed.exit_code, 0) << undisturbed.err;
  const RunReader whole(place.path("whole.h5"));
  const std::uint64_t whole_hash = read_hash(place, "whole.h5");
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
    if (status != "killed" || part.num_frames() == 0) continue;
    if (part.num_frames() == whole.num_frames()) continue;  // nothing is left to do
    const Outcome resumed = place.run({"run", "--from", "part.h5", "-o", "rest.h5", "-q"});
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_EQ(read_hash(place, "rest.h5"), whole_hash);
    expect_suffix(RunReader(place.path("rest.h5")), whole);
    with_rows += part.num_steps() > 0 ? 1 : 0;
  }
  // Else the scene is too short to be cut.
  EXPECT_GE(with_rows, rounds / 10);
}

}  // namespace
}  // namespace tenpin::app
