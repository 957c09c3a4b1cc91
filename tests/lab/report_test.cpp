#include "lab/report.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lab/scene_runs.h"

namespace tenpin::lab {
namespace {

TEST(Report, SumsUpTheRun) {
  const RunFolder folder;
  const record::RunReader run(folder.run(make_ball_scene("step: 0.001, restitution: newton")));
  const RunReport report = make_report(run);
  ASSERT_EQ(report.points.size(), static_cast<std::size_t>(run.num_steps()));
  const ReportPoint& last = report.points.back();
  EXPECT_DOUBLE_EQ(last.kinetic + last.potential, report.summary.last_energy);
  for (std::size_t k = 0; k < last.work.size(); ++k) {
    EXPECT_DOUBLE_EQ(last.work[k], report.summary.work[k]);
  }
  std::int64_t contacts = 0;
  for (const ModeCount& count : report.modes) {
    for (const std::int64_t n : count.num) contacts += n;
  }
  EXPECT_EQ(contacts, run.num_contacts());
  EXPECT_TRUE(std::is_sorted(report.residuals.begin(), report.residuals.end(),
                             [](const ReportedContact& a, const ReportedContact& b) {
                               return a.row.residual > b.row.residual;
                             }));
}

TEST(Report, CurvesOfLongRunsKeepTheWorst) {
  const RunFolder folder;
  const record::RunReader run(folder.run(make_ball_scene("step: 0.0001", "0.5")));
  const RunReport report = make_report(run);
  ASSERT_EQ(run.num_steps(), 5000);
  EXPECT_LE(report.points.size(), 2000U);
  double worst = 0.0;
  for (const ReportPoint& p : report.points) worst = std::max(worst, p.penetration);
  EXPECT_EQ(worst, report.summary.worst_penetration);
  EXPECT_EQ(report.points.back().t, 0.5);
}

// [ST00, §4.1]: at the impact of the rod no finite force is enough.
TEST(Report, TellsOfPainleve) {
  const RunFolder folder;
  const scene::Override all_contacts = {.path = "record.contacts", .value = "steps"};
  const scene::Scene rod =
      scene::read_scene(TENPIN_SOURCE_DIR "/experiments/ST00/rod/scene.yaml", {&all_contacts, 1});
  const record::RunReader run(folder.run(rod));
  const RunReport report = make_report(run);
  ASSERT_TRUE(report.first_painleve);
  EXPECT_NEAR(report.first_painleve->t, 0.385, 1e-9);
  EXPECT_LT(report.first_painleve->row.painleve, 0.0);
  EXPECT_GT(report.meeting_spans, 0);
  const std::string page = make_report_page(run, report);
  EXPECT_NE(page.find("no finite force can hold"), std::string::npos);
  EXPECT_NE(page.find("not guaranteed by theory"), std::string::npos);
}

TEST(Report, SaysWhatEndedARun) {
  const std::string text =
      "tenpin: 1\nname: Press <script>\nmaterials: {m: {friction: 0.5, restitution: 0}}\nbodies:\n"
      "  - {name: floor, fixed: true, material: m, shapes: [{plane: {normal: [0, 0, 1]}}]}\n"
      "  - {name: press, material: m, motion: {velocity: [0, 0, -1]}, position: [0, 0, 0.25],\n"
      "     shapes: [{plane: {normal: [0, 0, -1]}}]}\n"
      "  - {name: marble, material: m, mass: 1, position: [0, 0, 0.1],\n"
      "     shapes: [{sphere: {radius: 0.1}}]}\n"
      "method: {time-stepping: {step: 0.01}}\nuntil: 1\n";
  const RunFolder folder;
  const record::RunReader run(folder.run(scene::parse_scene(text, "press.yaml")));
  ASSERT_EQ(run.status().to_string(), "failed");
  const std::string page = make_report_page(run, make_report(run));
  EXPECT_NE(page.find("failed at t = "), std::string::npos);
  EXPECT_NE(page.find("class=\"bad\""), std::string::npos);
  EXPECT_NE(page.find("Press &lt;script&gt;"), std::string::npos);
  EXPECT_EQ(page.find("<script"), std::string::npos);
}

}  // namespace
}  // namespace tenpin::lab
