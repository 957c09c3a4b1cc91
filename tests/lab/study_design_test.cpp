// Designs of studies: Latin hypercubes, sensitivity, and trials that are added until enough is
// known.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/rng.h"
#include "lab/study/design.h"
#include "lab/study/rounds.h"
#include "lab/study/sensitivity.h"
#include "lab/well_formed.h"

namespace tenpin::lab {
namespace {

constexpr double kPi = 3.14159265358979323846;

Study make_study(int ranges, std::int64_t samples) {
  Study study;
  study.seed = 3;
  study.samples = samples;
  for (int i = 0; i < ranges; ++i) {
    study.variables.push_back(
        {.name = "x" + std::to_string(i), .path = "p", .low = -kPi, .high = kPi});
  }
  study.measures.push_back({.name = "f"});
  return study;
}

TEST(Latin, EveryPartOfEveryRangeHasOneSample) {
  for (const std::int64_t count : {1, 2, 7, 64, 100}) {
    Study study = make_study(3, count);
    study.sampling = Study::Sampling::kLatin;
    std::array<std::set<int>, 3> parts;
    std::set<std::pair<int, int>> pairs;
    for (std::int64_t i = 0; i < count; ++i) {
      const Trial trial = make_trial(study, i);
      std::array<int, 3> part = {};
      for (std::size_t k = 0; k < 3; ++k) {
        const double u = (trial.values[k].number.value() + kPi) / (2.0 * kPi);
        part[k] = static_cast<int>(u * static_cast<double>(count));
        parts[k].insert(part[k]);
      }
      pairs.insert({part[0], part[1]});
    }
    for (const auto& range : parts) EXPECT_EQ(std::ssize(range), count);
    if (count < 64) continue;
    int equal = 0;  // ranges are shuffled apart from each other
    for (const auto& [a, b] : pairs) equal += a == b ? 1 : 0;
    EXPECT_LT(equal, count / 4);
  }
}

// Ishigami's function, whose indices are known in closed form.
TEST(Sensitivity, MeetsIshigamisIndices) {
  Study study = make_study(3, 2048 * 5);
  study.has_sensitivity = true;
  study.sampling = Study::Sampling::kSobol;
  std::vector<TrialRow> rows;
  for (std::int64_t i = 0; i < study.num_trials(); ++i) {
    const Trial trial = make_trial(study, i);
    const double x = trial.values[0].number.value();
    const double y = trial.values[1].number.value();
    const double z = trial.values[2].number.value();
    const double f =
        std::sin(x) + 7.0 * std::pow(std::sin(y), 2) + 0.1 * std::pow(z, 4) * std::sin(x);
    rows.push_back({.trial = i, .cells = trial.values, .status = "done", .message = ""});
    rows.back().cells.push_back({.number = 1000.0 + f, .text = ""});
  }
  const std::vector<Sensitivity> all = calc_sensitivities(study, rows);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].groups, 2048);
  const double first[] = {0.3139, 0.4424, 0.0};
  const double total[] = {0.5576, 0.4424, 0.2437};
  constexpr double kTolerance = 0.03;  // of 2048 groups: about three deviations
  for (std::size_t i = 0; i < 3; ++i) {
    const SensitivityIndex& index = all[0].indices[i];
    EXPECT_EQ(index.variable, study.variables[i].name);
    EXPECT_NEAR(index.first.value, first[i], kTolerance);
    EXPECT_NEAR(index.total.value, total[i], kTolerance);
    EXPECT_GT(index.first.half_width, 0.0);
    EXPECT_LT(index.total.half_width, 0.1);
  }
  EXPECT_EQ(find_xml_fault(draw_sensitivity(all[0])), "");
  // A group with a trial that failed does not count.
  rows[3].status = "refused";
  EXPECT_EQ(calc_sensitivities(study, rows)[0].groups, 2047);
}

TEST(Rounds, AddTrialsWhereTheBandIsTooWide) {
  Study study = make_study(1, 10);
  study.variables.push_back({.name = "level", .levels = {{.label = "quiet"}, {.label = "loud"}}});
  study.until = StopRule{.measure = "f", .half_width = 0.1, .most = 5000};
  const RandomStream random(11);
  std::vector<TrialRow> rows;
  // Uniform noise, ten times as strong in every second combination.
  const auto make_row = [&](std::int64_t trial) {
    const double noise = random.uniform(static_cast<std::uint64_t>(trial)) - 0.5;
    TrialRow row = {
        .trial = trial, .cells = make_trial(study, trial).values, .status = "done", .message = ""};
    row.cells.push_back({.number = (trial % 2 == 0 ? 0.2 : 2.0) * noise, .text = ""});
    return row;
  };
  Rounds rounds = decide_rounds(study, rows);
  EXPECT_EQ(rounds.samples, (std::vector<std::int64_t>{10, 10}));
  std::vector<std::int64_t> before;
  int num_rounds = 0;
  while (!rounds.is_over && num_rounds < 100) {
    rows.clear();
    for (std::int64_t trial = 0; trial < 10000; ++trial) {
      if (trial / 2 < rounds.samples[static_cast<std::size_t>(trial % 2)])
        rows.push_back(make_row(trial));
    }
    before = rounds.samples;
    rounds = decide_rounds(study, rows);
    ++num_rounds;
  }
  ASSERT_TRUE(rounds.is_over);
  EXPECT_EQ(rounds.samples[0], 10);
  // The half width of n uniform numbers in (-1, 1) is 1.96 * 0.577 / sqrt(n): 0.1 at n = 128.
  EXPECT_GT(rounds.samples[1], 90);
  EXPECT_LT(rounds.samples[1], 260);
  EXPECT_LT(num_rounds, 8);
  // Rows beyond a round do not change what was decided in it.
  rows.push_back(make_row(9999));
  EXPECT_EQ(decide_rounds(study, rows).samples, rounds.samples);
}

}  // namespace
}  // namespace tenpin::lab
