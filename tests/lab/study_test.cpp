// Studies: what trials are, what is measured in them, and that the table is a function of the file.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "base/check.h"
#include "lab/study/design.h"
#include "lab/study/flow_text.h"
#include "lab/study/measurer.h"
#include "lab/study/sobol.h"
#include "lab/study/study_curves.h"
#include "lab/study/study_page.h"
#include "lab/study/sweep.h"
#include "lab/study/trial_csv.h"
#include "lab/study/trial_runner.h"
#include "lab/study_folder.h"
#include "lab/well_formed.h"
#include "scene/parse_yaml.h"

namespace tenpin::lab {
namespace {

constexpr const char* kScene = R"(tenpin: 1
name: Two balls
bodies:
  - {name: floor, fixed: true, shapes: [plane: {}]}
  - {name: ball 1, mass: 1, position: [0, 0, 2], shapes: [{sphere: {radius: 0.1}}]}
  - {name: ball 2, mass: 1, position: [1, 0, 0.1], velocity: [0.5, 0, 0], shapes: [{sphere: {radius: 0.1}}]}
method: {impulse: {}}
until: 0.5
)";

constexpr const char* kStudy = R"(tenpin_study: 1
name: Falling
scene: scene.yaml
seed: 5
trials: 20
vary:
  height: {path: "bodies.ball 1.position.2", from: 1, to: 2}
  throw:
    cases:
      left: {"bodies.ball 2.velocity": [-0.5, 0, 0]}
      right: {"bodies.ball 2.velocity": [0.5, 0, 0], gravity: [0, 0, -9.81]}
  friction: {path: "materials.default.friction", values: [0.1, 0.3]}
measures:
  way: {final: "bodies.ball 2.position.x"}
  met: {first: {quantity: "bodies.ball 1.position.z", below: 0.8}}
  speed_then: {first: {quantity: "bodies.ball 1.position.z", below: 0.8, value: "bodies.ball 1.velocity.z"}}
  low: {fallen: {bodies: "ball *", below: 0.5}}
  steps: {sum: steps.iterations}
  highest: {largest: "bodies.ball 1.position.z"}
  end: {digest: "ball 1"}
draw:
  - {x: height, y: met, by: throw, window: 0.25}
)";

std::string replace(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

TEST(Sobol, EveryDimensionFillsEveryInterval) {
  constexpr int kLog = 10;
  for (int d = 0; d < kMaxSobolDimensions; ++d) {
    std::set<std::uint32_t> intervals;
    for (std::uint32_t i = 0; i < (1U << kLog); ++i) {
      intervals.insert(calc_sobol(d, i) >> (32 - kLog));
    }
    EXPECT_EQ(intervals.size(), 1U << kLog) << "dimension " << d;
  }
}

TEST(Sobol, FirstTwoDimensionsFillEveryRectangle) {
  constexpr int kLog = 8;
  for (int a = 0; a <= kLog; ++a) {
    std::set<std::uint64_t> boxes;
    for (std::uint32_t i = 0; i < (1U << kLog); ++i) {
      const std::uint64_t x = std::uint64_t{calc_sobol(0, i)} >> (32 - a);
      const std::uint64_t y = std::uint64_t{calc_sobol(1, i)} >> (32 - (kLog - a));
      boxes.insert((x << 32) | y);
    }
    EXPECT_EQ(boxes.size(), 1U << kLog) << "2^" << a << " columns";
  }
}

TEST(Sobol, NoTwoDimensionsAreTheSame) {
  std::set<std::vector<std::uint32_t>> all;
  for (int d = 0; d < kMaxSobolDimensions; ++d) {
    std::vector<std::uint32_t> points;
    for (std::uint32_t i = 0; i < 128; ++i) points.push_back(calc_sobol(d, i));
    all.insert(points);
  }
  EXPECT_EQ(all.size(), static_cast<std::size_t>(kMaxSobolDimensions));
}

TEST(Design, CombinationsShareTheirSamples) {
  const StudyFolder folder(kStudy, kScene);
  const Study study = folder.study();
  ASSERT_EQ(study.num_combinations(), 4);
  ASSERT_EQ(study.num_trials(), 80);
  for (std::int64_t sample = 0; sample < 20; ++sample) {
    std::set<double> heights;
    std::set<std::string> throws;
    std::set<double> frictions;
    for (std::int64_t k = 0; k < 4; ++k) {
      const Trial trial = make_trial(study, 4 * sample + k);
      heights.insert(trial.values[0].number.value());
      throws.insert(trial.values[1].text);
      frictions.insert(trial.values[2].number.value());
    }
    EXPECT_EQ(heights.size(), 1U);
    EXPECT_GE(*heights.begin(), 1.0);
    EXPECT_LE(*heights.begin(), 2.0);
    EXPECT_EQ(throws, (std::set<std::string>{"left", "right"}));
    EXPECT_EQ(frictions, (std::set<double>{0.1, 0.3}));
  }
}

TEST(Design, GridsRunThroughAllPoints) {
  const StudyFolder folder(R"(tenpin_study: 1
scene: scene.yaml
vary:
  z: {path: "bodies.ball 1.position.2", from: 1, to: 2, count: 3}
  x: {path: "bodies.ball 2.position.0", values: [1, 4]}
measures: {t: {final: steps.t}}
)",
                           kScene);
  const Study study = folder.study();
  ASSERT_EQ(study.num_trials(), 6);
  std::vector<std::pair<double, double>> points;
  for (std::int64_t i = 0; i < 6; ++i) {
    const Trial trial = make_trial(study, i);
    points.emplace_back(trial.values[0].number.value(), trial.values[1].number.value());
  }
  const std::vector<std::pair<double, double>> expected = {{1, 1},   {1, 4}, {1.5, 1},
                                                           {1.5, 4}, {2, 1}, {2, 4}};
  EXPECT_EQ(points, expected);
}

TEST(FlowText, ReadsBackAsTheSameTree) {
  const std::string text = R"(a: [1, "2", x y, "a, b: #c"]
b: {"k: 1": {}, l: [[]], m: plain, words}
c: "quotes \" and \\ and é"
)";
  const std::string first = to_flow_text(scene::parse_yaml(text, "test"));
  const std::string second = to_flow_text(scene::parse_yaml(first + "\n", "test"));
  EXPECT_EQ(first, second);
  EXPECT_NE(first.find("\"2\""), std::string::npos);
}

TEST(Measure, StarsStandForAnything) {
  EXPECT_TRUE(matches("pin *", "pin 10"));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("a*b*c", "a-b-b-c"));
  EXPECT_FALSE(matches("a*b*c", "a-b-b"));
  EXPECT_FALSE(matches("pin", "pin 1"));
  EXPECT_FALSE(matches("pin *", "pi"));
}

TEST(Measure, NumbersAreThoseOfTheMotion) {
  const StudyFolder folder(kStudy, kScene);
  const Study study = folder.study();
  // Steps of 10 ms: the times of crossings are interpolated, off by less than g h^2 / (8 v).
  constexpr double kTime = 1e-4;     // s
  std::map<double, double> digests;  // by height: nothing else moves ball 1
  TrialRunner runner(study);
  for (std::int64_t i = 0; i < 16; ++i) {
    const TrialRow row = runner.run(i, [] {
      return true;
    });
    ASSERT_EQ(row.status, "done") << row.message;
    const double height = row.cells[0].number.value();
    const double t = std::sqrt(2.0 * (height - 0.8) / 9.81);
    const bool falls_so_far = t < 0.5;
    ASSERT_EQ(row.cells[4].number.has_value(), falls_so_far);
    if (falls_so_far) {
      EXPECT_NEAR(row.cells[4].number.value(), t, kTime);
      EXPECT_NEAR(row.cells[5].number.value(), -9.81 * t, 9.81 * kTime);
    }
    const double way = row.cells[1].text == "left" ? -1.0 : 1.0;
    EXPECT_GT(way * (row.cells[3].number.value() - 1.0), 0.0);
    const double end = height - 0.5 * 9.81 * 0.25;
    EXPECT_EQ(row.cells[6].number.value(), end < 0.5 ? 2.0 : 1.0);
    EXPECT_EQ(row.cells[8].number.value(), height);
    const double digest = row.cells[9].number.value();
    EXPECT_EQ(digests.emplace(height, digest).first->second, digest);
  }
  std::set<double> different;
  for (const auto& [height, digest] : digests) different.insert(digest);
  EXPECT_EQ(different.size(), digests.size());
  EXPECT_GE(digests.size(), 4U);
}

TEST(Sweep, TableDoesNotDependOnThreadsNorOnInterruptions) {
  const StudyFolder folder(kStudy, kScene);
  const Study study = folder.study();
  const std::vector<TrialRow> one = sweep(study, folder.path("one.sqlite"), 1);
  const std::vector<TrialRow> eight = sweep(study, folder.path("eight.sqlite"), 8);
  ASSERT_EQ(one.size(), 80U);
  EXPECT_EQ(one, eight);

  Study part = study;
  part.samples = 7;
  sweep(part, folder.path("part.sqlite"), 2);
  {
    TrialTable table(folder.path("part.sqlite"), study);
    const SweepOptions stops{.threads = 2, .on_progress = [](const SweepProgress& progress) {
                               return progress.fresh == 0;
                             }};
    EXPECT_LE(run_sweep(study, stops, &table).done, 80);
  }
  EXPECT_EQ(sweep(study, folder.path("part.sqlite"), 2), one);
}

TEST(Sweep, SobolAndRandomDiffer) {
  const StudyFolder folder(kStudy, kScene);
  const Study random = folder.study();
  Study sobol = random;
  sobol.sampling = Study::Sampling::kSobol;
  EXPECT_NE(make_trial(random, 0).values, make_trial(sobol, 0).values);
  // 16 points of Sobol's: one in each sixteenth of the range, whatever the seed.
  std::set<int> sixteenths;
  for (std::int64_t i = 0; i < 16; ++i) {
    const double height = make_trial(sobol, 4 * i).values[0].number.value();
    sixteenths.insert(static_cast<int>(16.0 * (height - 1.0)));
  }
  EXPECT_EQ(sixteenths.size(), 16U);
}

TEST(Sweep, FailuresAreRows) {
  const StudyFolder folder(R"(tenpin_study: 1
scene: scene.yaml
vary:
  cap: {path: method.impulse.cap, values: [1, 100000]}
measures: {t: {final: steps.t}}
)",
                           replace(kScene, "position: [0, 0, 2]", "position: [1, 0, 0.35]"));
  const std::vector<TrialRow> rows = sweep(folder.study(), folder.path("t.sqlite"), 1);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_FALSE(rows[0].is_done());
  EXPECT_NE(rows[0].message.find("more than 1 impacts"), std::string::npos) << rows[0].message;
  EXPECT_FALSE(rows[0].cells[1].number.has_value());
  EXPECT_TRUE(rows[1].is_done()) << rows[1].message;
  EXPECT_EQ(rows[1].cells[1].number, 0.5);
}

TEST(TrialTable, RefusesWhatIsNotItsOwn) {
  const StudyFolder folder(kStudy, kScene);
  const Study study = folder.study();
  { const TrialTable table(folder.path("table.sqlite"), study); }
  folder.write("text.sqlite", std::string(4096, 'x'));
  EXPECT_THROW(TrialTable(folder.path("text.sqlite"), study), InputError);
  EXPECT_THROW(TrialTable(folder.path("."), study), InputError);
  folder.write("study.yaml", replace(kStudy, "seed: 5", "seed: 6"));
  EXPECT_THROW(TrialTable(folder.path("table.sqlite"), folder.study()), InputError);
  folder.write("study.yaml", replace(kStudy, "name: Falling", "name: Other"));
  EXPECT_NO_THROW(TrialTable(folder.path("table.sqlite"), folder.study()));
  folder.write("scene.yaml", replace(kScene, "until: 0.5", "until: 0.6"));
  EXPECT_THROW(TrialTable(folder.path("table.sqlite"), folder.study()), InputError);
}

TEST(Estimate, IsStudents) {
  const double samples[] = {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0};
  const Estimate e = calc_estimate(samples);
  EXPECT_EQ(e.count, 8);
  EXPECT_DOUBLE_EQ(e.mean, 5.0);
  EXPECT_NEAR(e.deviation, 2.138089935, 1e-9);
  EXPECT_NEAR(e.half_width, 2.364624 * 2.138089935 / std::sqrt(8.0), 1e-2 * e.half_width);
  const std::pair<int, double> table[] = {{1, 12.706}, {2, 4.303},  {3, 3.182},   {5, 2.571},
                                          {10, 2.228}, {30, 2.042}, {1000, 1.962}};
  for (const auto& [n, point] : table) {
    EXPECT_NEAR(calc_student_point(n), point, 0.01 * point) << n << " degrees of freedom";
  }
}

TEST(TrialCsv, ReadsBackAsTheSameRows) {
  const StudyFolder folder(kStudy, kScene);
  const Study study = folder.study();
  std::vector<TrialRow> rows = {TrialRunner(study).run(0, [] {
    return true;
  })};
  rows.push_back({.trial = 7,
                  .cells = std::vector<Cell>(rows[0].cells.size()),
                  .status = "refused",
                  .message = "commas, \"quotes\"\nand lines"});
  rows[1].cells[0].number = 1.0 / 3.0;
  const std::string csv = make_trial_csv(study, rows);
  EXPECT_EQ(parse_trial_csv(study, csv), rows);
  EXPECT_THROW(static_cast<void>(parse_trial_csv(study, csv.substr(0, csv.size() - 3))),
               InputError);
  EXPECT_THROW(static_cast<void>(parse_trial_csv(study, "trial\n")), InputError);
}

TEST(StudyPage, DrawsWhatTheStudyAsksFor) {
  const StudyFolder folder(kStudy, kScene);
  const Study study = folder.study();
  const std::vector<TrialRow> rows = sweep(study, folder.path("table.sqlite"), 2);
  const std::vector<StudyCurve> curves = make_curves(study, study.drawings[0], rows);
  ASSERT_EQ(curves.size(), 2U);
  EXPECT_EQ(curves[0].name, "left");
  std::int64_t count = 0;
  for (const CurvePoint& point : curves[0].points) count += point.y.count;
  std::int64_t crossed = 0;
  for (const TrialRow& row : rows) crossed += row.cells[4].number ? 1 : 0;
  EXPECT_EQ(2 * count, crossed);
  const std::string page = make_study_page(study, rows);
  EXPECT_EQ(find_xml_fault(draw_curves(study.drawings[0], curves)), "");
  EXPECT_NE(page.find("Mean met against height for each throw"), std::string::npos);
  EXPECT_NE(page.find("trials, none failed."), std::string::npos);
}

TEST(StudyPage, MeasuresHaveTheUnitsOfTheirQuantities) {
  const StudyFolder folder(kStudy, kScene);
  Study study = folder.study();
  study.measures = {
      {.name = "way", .kind = Measure::Kind::kFinal, .quantity = "bodies.ball 1.position.x"},
      {.name = "heat", .kind = Measure::Kind::kSum, .quantity = "steps.work_friction"},
      {.name = "passed", .kind = Measure::Kind::kFirst, .quantity = "bodies.ball 1.position.x"},
      {.name = "bits", .kind = Measure::Kind::kDigest, .bodies = "*"}};
  study.drawings.clear();
  const std::string page = make_study_page(study, {});
  for (const char* cell : {">way (m)<", ">heat (J)<", ">passed (s)<", ">bits<"}) {
    EXPECT_NE(page.find(cell), std::string::npos) << cell;
  }
}

TEST(ReadStudy, SaysWhatIsWrongAndWhere) {
  const std::pair<std::pair<const char*, const char*>, const char*> cases[] = {
      {{"tenpin_study: 1", "tenpin_study: 2"},
       "study.yaml:1:15: tenpin_study: out of range, got 2"},
      {{"seed: 5", "sed: 5"}, "study.yaml:4:1: sed: unknown key, got sed, want seed"},
      {{"trials: 20\n", ""}, "trials: missing"},
      {{"to: 2}", "to: 0.5}"}, "study.yaml:7:59: vary.height.to: empty range, got 0.5, want more"},
      {{"from: 1, to: 2", "from: 1"}, "vary.height: no end of the range"},
      {{"path: \"bodies.ball 1.position.2\", ", ""}, "vary.height: no path"},
      {{"bodies.ball 1.position.2", "bodies.bal 1.position.2"}, "vary.height"},
      {{"values: [0.1, 0.3]", "values: [0.1, -3]"}, "out of range, got -3"},
      {{"values: [0.1, 0.3]", "values: 3"}, "vary.friction.values: wrong type, got 3"},
      {{"friction: {path", "Height: {path"}, "vary.Height: taken, got Height"},
      {{"way: {final", "trial: {final"}, "measures.trial: taken"},
      {{"bodies.ball 2.position.x", "bodies.ball 2.positon.x"},
       "measures.way: no such quantity, got bodies.ball 2.positon.x, want bodies.ball "
       "2.position.x"},
      {{"ball *", "bell *"}, "measures.low: no such body, got bell *"},
      {{", below: 0.5}}", "}}"}, "no way to be down"},
      {{"below: 0.8}}", "above: 1, below: 0.8}}"}, "contradiction, got above and below"},
      {{"by: throw", "by: height"}, "draw[0].by: unknown name, got height"},
      {{"y: met", "y: height"}, "draw[0].y: unknown name, got height"},
      {{"scene: scene.yaml", "scene: none.yaml"}, "none.yaml"},
      {{"seed: 5", "seed: 5\nsampling: halton"}, "sampling: unknown value, got halton"},
  };
  for (const auto& [change, message] : cases) {
    const StudyFolder folder(replace(kStudy, change.first, change.second), kScene);
    try {
      static_cast<void>(folder.study());
      ADD_FAILURE() << "accepted: " << change.second;
    } catch (const scene::SceneError& error) {
      const std::string text = scene::print_problems(error.problems());
      EXPECT_NE(text.find(message), std::string::npos) << text << "lacks: " << message;
      EXPECT_NE(text.find("want"), std::string::npos) << text;
    }
  }
}

}  // namespace
}  // namespace tenpin::lab
