// The stored throws of the bowling study are what this program throws.   [MC95, §Measuring the
// strike pocket]
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "base/rng.h"
#include "lab/study/trial_csv.h"
#include "lab/study/trial_runner.h"

namespace tenpin::lab {
namespace {

constexpr const char* kFolder = TENPIN_SOURCE_DIR "/experiments/MC95/bowling";
constexpr int kThrows = 24;  // TENPIN_TEST_SCALE multiplies it
constexpr int kThreads = 2;

std::vector<TrialRow> read_stored_throws(const Study& study) {
  std::ifstream stream(std::string(kFolder) + "/throws.csv", std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return parse_trial_csv(study, text.str());
}

// Other ones whenever the study changes: its fingerprint picks them.
std::vector<std::size_t> pick_rows(std::uint64_t seed, std::size_t count) {
  const char* scale = std::getenv("TENPIN_TEST_SCALE");
  const int wanted = kThrows * (scale != nullptr ? std::max(1, std::atoi(scale)) : 1);
  std::set<std::size_t> picked;
  for (std::uint64_t i = 0; picked.size() < std::min<std::size_t>(wanted, count); ++i) {
    picked.insert(RandomStream(seed).index(i, static_cast<std::uint32_t>(count)));
  }
  return {picked.begin(), picked.end()};
}

// Felled pins, where the ball met the pin line, and the digest of every final pose: bit for bit,
// so that no change of pins, lane or method passes unseen.
TEST(Bowling, StoredThrowsAreThrownAgain) {
  const Study study = read_study(std::string(kFolder) + "/study.yaml");
  const std::vector<TrialRow> rows = read_stored_throws(study);
  ASSERT_EQ(rows.size(), 2000U);
  const std::vector<std::size_t> picked = pick_rows(study.fingerprint, rows.size());
  std::vector<TrialRow> again(picked.size());
  std::vector<std::jthread> threads;
  for (std::size_t k = 0; k < kThreads; ++k) {
    threads.emplace_back([&, k] {
      TrialRunner runner(study);
      for (std::size_t i = k; i < picked.size(); i += kThreads) {
        again[i] = runner.run(rows[picked[i]].trial, [] {
          return true;
        });
      }
    });
  }
  threads.clear();
  for (std::size_t i = 0; i < picked.size(); ++i) {
    EXPECT_EQ(again[i], rows[picked[i]]) << "trial " << rows[picked[i]].trial;
  }
}

}  // namespace
}  // namespace tenpin::lab
