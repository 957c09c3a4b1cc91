// Studies run as batches give the rows that the stepper gives, and say which trials it had to run.
#include "lab/study/batch_sweep.h"

#include <gtest/gtest.h>

#include "lab/study/design.h"
#include "lab/study/trial_runner.h"
#include "lab/study/trial_table.h"
#include "lab/study_folder.h"

namespace tenpin::lab {
namespace {

constexpr const char* kScene = R"(tenpin: 1
name: slide
materials: {wood: {friction: 0.3, restitution: 0}}
bodies:
  - {name: floor, fixed: true, material: wood, shapes: [{plane: {}}]}
  - {name: ball, material: wood, mass: 2, position: [5, 0, 0.1], velocity: [2, 0, 0], shapes: [{sphere: {radius: 0.1}}]}
method: {time-stepping: {step: 0.001, order: 1, solver: cone, tolerance: 1.0e-12, contact: {compliance: 0.03}}}
until: 0.4
)";

std::string make_study_text(const std::string& vary) {
  return "tenpin_study: 1\nname: slides\nscene: scene.yaml\nseed: 3\ntrials: 6\nvary:\n" + vary +
         "measures:\n"
         "  way: {final: bodies.ball.position.x}\n"
         "  passes: {first: {quantity: bodies.ball.position.x, above: 5.3}}\n"
         "  speed: {smallest: bodies.ball.velocity.x}\n"
         "  down: {fallen: {bodies: ball, below: 0.0}}\n";
}

std::vector<TrialRow> run_as_batch(const StudyFolder& folder, const Study& study,
                                   BatchReport* report) {
  TrialTable table(folder.path("batch.sqlite"), study);
  SweepOptions options;
  options.threads = 2;
  EXPECT_EQ(run_batch_sweep(study, options, {}, &table, report).fresh, study.num_trials());
  return table.read_rows(study.num_trials());
}

void expect_rows_of_stepper(const Study& study, const std::vector<TrialRow>& rows) {
  for (const TrialRow& row : rows) {
    const TrialRow expected = TrialRunner(study).run(row.trial, [] {
      return true;
    });
    EXPECT_EQ(row.status, "done");
    ASSERT_EQ(row.cells.size(), expected.cells.size());
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      ASSERT_EQ(row.cells[i].number.has_value(), expected.cells[i].number.has_value()) << i;
      if (row.cells[i].number) {
        EXPECT_NEAR(*row.cells[i].number, *expected.cells[i].number, 1e-10) << i;
      }
    }
  }
}

TEST(BatchSweep, StatesVaryAndRowsAreTheSteppers) {
  const StudyFolder folder(
      make_study_text("  v: {path: bodies.ball.velocity.0, from: 0.5, to: 3}\n"
                      "  x: {path: bodies.ball.position.0, from: 4.8, to: 5.1}\n"),
      kScene);
  const Study study = folder.study();
  BatchReport report;
  expect_rows_of_stepper(study, run_as_batch(folder, study, &report));
  EXPECT_EQ(report.by_batch, 6);
  EXPECT_EQ(report.by_stepper, 0);
  EXPECT_LE(report.worst_residual, 1e-12);
}

TEST(BatchSweep, ModelsMayVary) {
  const StudyFolder folder(
      make_study_text("  mu: {path: materials.wood.friction, from: 0.1, to: 0.6}\n"
                      "  m: {path: bodies.ball.mass, from: 1, to: 3}\n"),
      kScene);
  const Study study = folder.study();
  BatchReport report;
  expect_rows_of_stepper(study, run_as_batch(folder, study, &report));
  EXPECT_EQ(report.by_batch, 6);
}

// The ledger's sums and the worst of the certificate, as the stepper's rows have them.
TEST(BatchSweep, RowsMayHaveTheLedger) {
  const StudyFolder folder(
      "tenpin_study: 1\nname: slides\nscene: scene.yaml\ntrials: 3\n"
      "vary:\n  v: {path: bodies.ball.velocity.0, from: 1, to: 3}\n"
      "measures:\n"
      "  friction: {sum: steps.work_friction}\n"
      "  normal: {sum: steps.work_normal}\n"
      "  scheme: {sum: steps.work_scheme}\n"
      "  speed: {final: bodies.ball.velocity.x}\n"
      "  overlap: {largest: steps.penetration}\n"
      "  residual: {largest: steps.residual}\n",
      kScene);
  const Study study = folder.study();
  BatchReport report;
  constexpr double kBall = 2.0;  // kg
  for (const TrialRow& row : run_as_batch(folder, study, &report)) {
    const TrialRow expected = TrialRunner(study).run(row.trial, [] {
      return true;
    });
    const double v0 = *row.cells[0].number, v1 = *row.cells[4].number;
    // Until it rolls, it loses 2/7 of its energy; the spin keeps 2/5 (1 - 5/7)^2 of m v^2.
    const double spin = 0.4 * kBall * (2.5 * (v0 - v1)) * (2.5 * (v0 - v1));
    EXPECT_NEAR(*row.cells[1].number, 0.5 * (kBall * (v1 * v1 - v0 * v0) + spin), 1e-9);
    for (std::size_t i = 2; i <= 5; ++i) {
      EXPECT_NEAR(*row.cells[i].number, *expected.cells[i].number, 1e-6) << i;
    }
    EXPECT_GT(*row.cells[6].number, 0.0);
    EXPECT_LE(*row.cells[6].number, 1e-12);
  }
}

// Some balls start within the floor: the stepper moves them out first, so these trials are its.
TEST(BatchSweep, FlaggedTrialsAreRunByTheStepper) {
  const StudyFolder folder(
      make_study_text("  z: {path: bodies.ball.position.2, from: 0.08, to: 0.12}\n"), kScene);
  const Study study = folder.study();
  BatchReport report;
  const std::vector<TrialRow> rows = run_as_batch(folder, study, &report);
  EXPECT_EQ(report.by_batch + report.by_stepper, 6);
  EXPECT_GT(report.by_stepper, 0);
  EXPECT_GT(report.by_batch, 0);
  EXPECT_EQ(report.flagged.overlaps_at_start, report.by_stepper);
  EXPECT_EQ(describe_flagged(report.flagged),
            std::to_string(report.by_stepper) + " overlapping at the start");
  for (const TrialRow& row : rows) {
    const bool starts_below = *row.cells[0].number < 0.1;
    EXPECT_EQ(row.message,
              starts_below ? "run by the stepper: overlaps at the start at step 1" : "");
  }
  expect_rows_of_stepper(study, rows);
}

TEST(BatchSweep, MeasuresItCannotTakeAreRefusedByPlace) {
  const StudyFolder folder(
      "tenpin_study: 1\nname: slides\nscene: scene.yaml\ntrials: 2\n"
      "vary:\n  v: {path: bodies.ball.velocity.0, from: 1, to: 3}\n"
      "measures:\n  all: {sum: energy.friction}\n",
      kScene);
  try {
    const Study study = folder.study();
    check_batch_study(study, {});
    ADD_FAILURE() << "nothing was refused";
  } catch (const scene::SceneError& error) {
    EXPECT_EQ(error.problems().front().line, 8) << print_problems(error.problems());
  }
}

}  // namespace
}  // namespace tenpin::lab
