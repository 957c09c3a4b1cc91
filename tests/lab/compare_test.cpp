#include "lab/compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "lab/compare_motion.h"
#include "lab/compare_page.h"
#include "lab/scene_runs.h"
#include "lab/variant.h"
#include "record/run_writer.h"

namespace tenpin::lab {
namespace {

std::string error_of(const std::string& variant) {
  try {
    static_cast<void>(parse_variant(variant));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool has(const std::vector<std::string>& list, const std::string& piece) {
  return std::any_of(list.begin(), list.end(), [&](const std::string& text) {
    return text.find(piece) != std::string::npos;
  });
}

TEST(Variant, IsAMethodWithSettings) {
  const Variant plain = parse_variant("time-stepping");
  EXPECT_EQ(plain.method, "time-stepping");
  EXPECT_TRUE(plain.settings.empty());
  const Variant full = parse_variant("time-stepping:formulation=velocity:fixed_point.iterations=9");
  ASSERT_EQ(full.settings.size(), 2U);
  EXPECT_EQ(full.settings[0].value, "velocity");
  EXPECT_EQ(full.settings[1].key, "fixed_point.iterations");
}

TEST(Variant, SaysWhatIsWrong) {
  EXPECT_NE(error_of("time-steping").find("did you mean 'time-stepping'"), std::string::npos);
  EXPECT_NE(error_of("").find("no method ''"), std::string::npos);
  EXPECT_NE(error_of("time-stepping:velocity").find("'velocity'"), std::string::npos);
  EXPECT_NE(error_of("time-stepping:=1").find("no setting"), std::string::npos);
  EXPECT_NE(error_of("time-stepping:").find("no setting"), std::string::npos);
}

TEST(Variant, KeepsTheSceneSettingsOfTheSameMethodOnly) {
  const Variant variant = parse_variant("time-stepping:step=0.5");
  const auto same = make_overrides(variant, "time-stepping");
  ASSERT_EQ(same.size(), 1U);
  EXPECT_EQ(same[0].path, "method.time-stepping.step");
  const auto other = make_overrides(variant, "another");
  ASSERT_EQ(other.size(), 2U);
  EXPECT_EQ(other[0].path, "method");
}

TEST(Variant, AnotherMethodReplacesTheScenes) {
  const std::string text =
      "tenpin: 1\nname: x\nmaterials: {m: {friction: 0.1, restitution: 0}}\nbodies:\n"
      "  - {name: b, material: m, mass: 1, shapes: [{sphere: {radius: 1}}]}\n"
      "method: {time-stepping: {step: 0.5}}\nuntil: 1\n";
  const Variant variant = parse_variant("time-stepping:formulation=velocity");
  const auto read = [&](std::string_view method_of_scene) {
    return scene::parse_scene(text, "x.yaml", make_overrides(variant, method_of_scene)).method;
  };
  EXPECT_EQ(std::get<scene::TimeSteppingOptions>(read("time-stepping")).step, 0.5);
  EXPECT_EQ(std::get<scene::TimeSteppingOptions>(read("another")).step,
            scene::TimeSteppingOptions{}.step);
}

TEST(Distance, BoundsHowFarPointsAreApart) {
  record::BodyMotion a;
  record::BodyMotion b;
  EXPECT_EQ(calc_distance(a, b, 7.0), 0.0);
  b.position = {3.0, 4.0, 0.0};
  EXPECT_DOUBLE_EQ(calc_distance(a, b, 0.0), 5.0);
  // A quarter turn takes a point at radius 2 as far as a chord of 2 sqrt 2.
  b = a;
  b.orientation = Quat(std::sqrt(0.5), 0.0, 0.0, std::sqrt(0.5));
  EXPECT_NEAR(calc_distance(a, b, 2.0), 2.0 * std::sqrt(2.0), 1e-15);
  b.orientation.coeffs() = -a.orientation.coeffs();  // the same turn
  EXPECT_EQ(calc_distance(a, b, 2.0), 0.0);
}

TEST(MotionSampler, FollowsACubicExactly) {
  const RunFolder folder;
  const scene::Scene scene = make_ball_scene("step: 0.01");
  const record::RunReader source(folder.run(scene, "source.h5"));
  const auto motion = [](double t) {
    record::BodyMotion body;
    body.position = {t * t * t, 1.0 - t, 2.0};
    body.velocity = {3.0 * t * t, -1.0, 0.0};
    return body;
  };
  {
    record::RunWriter writer(folder.file("cubic.h5"), source.header());
    for (const double t : {0.0, 0.5, 2.0}) {
      dynamics::State state;
      state.t = t;
      state.q = VecX::Zero(source.header().nq);
      state.v = VecX::Zero(source.header().nv);
      writer.append_frame(state, std::vector(2, motion(t)), {});
    }
    writer.close(record::RunState::kFinished, "");
  }
  const record::RunReader run(folder.file("cubic.h5"));
  MotionSampler sampler(run);
  EXPECT_EQ(sampler.end_time(), 2.0);
  for (const double t : {0.0, 0.1, 0.5, 0.7, 1.9, 2.0}) {
    EXPECT_NEAR((sampler.sample(t)[1].position - motion(t).position).norm(), 0.0, 1e-14) << t;
  }
}

TEST(Compare, EqualRunsNeverPart) {
  const RunFolder folder;
  const scene::Scene scene = make_ball_scene("step: 0.01");
  const Comparison result =
      compare(std::vector<Contender>{{"a", scene}, {"b", scene}}, {.folder = folder.path()});
  ASSERT_EQ(result.reference, 0);
  EXPECT_FALSE(result.differences[1].parting);
  EXPECT_EQ(result.differences[1].end_distance, 0.0);
  EXPECT_EQ(result.differences[1].t.size(), 31U);
  EXPECT_EQ(result.outcomes[0].summary.state_hash, result.outcomes[1].summary.state_hash);
}

// In free flight a step of h falls g h t / 2 too far, so two steps part by g (h - k) t / 2.
TEST(Compare, FindsWhenStepErrorPartsThemAndSaysSo) {
  const RunFolder folder;
  const scene::Scene coarse = make_ball_scene("step: 0.01, order: 1", "0.15");
  const scene::Scene fine = make_ball_scene("step: 0.001, order: 1", "0.15");
  constexpr double kTolerance = 0.0045;
  const Comparison result = compare(std::vector<Contender>{{"fine", fine}, {"coarse", coarse}},
                                    {.folder = folder.path(), .tolerance = kTolerance});
  const auto expected = [](double t) {
    return 9.81 * (0.01 - 0.001) * t / 2.0;
  };
  const Difference& difference = result.differences[1];
  for (std::size_t i = 0; i < difference.t.size(); ++i) {
    EXPECT_NEAR(difference.distance[i], expected(difference.t[i]), 1e-12);
  }
  ASSERT_TRUE(difference.parting);
  EXPECT_NEAR(difference.parting->t, 0.11, 1e-12);  // first multiple of 0.01 beyond 0.1019
  EXPECT_EQ(difference.parting->body_name, "ball");
  EXPECT_EQ(difference.parting->situation, "free in both");
  EXPECT_TRUE(has(difference.parting->reasons, "step: 0.01 against 0.001"));
  EXPECT_TRUE(
      has(difference.parting->reasons, "50 % of the distance remains: a step error of first"));
}

TEST(Compare, NamesAnotherRestitutionLaw) {
  const RunFolder folder;
  const Comparison result = compare(
      std::vector<Contender>{{"newton", make_ball_scene("step: 0.001, restitution: newton")},
                             {"none", make_ball_scene("step: 0.001, restitution: none")}},
      {.folder = folder.path()});
  EXPECT_DOUBLE_EQ(result.tolerance, kPartingShare * 0.1);
  ASSERT_TRUE(result.differences[1].parting);
  const Parting& parting = *result.differences[1].parting;
  EXPECT_GT(parting.t, 0.2);  // it falls 0.2 m first
  EXPECT_TRUE(has(parting.reasons, "restitution law: none against newton"));
  EXPECT_TRUE(has(parting.reasons, "not a step error"));
  EXPECT_FALSE(has(parting.reasons, "friction"));
}

TEST(Compare, AMethodThatRefusesDoesNotStopTheOthers) {
  const RunFolder folder;
  const scene::Scene bad = make_ball_scene("step: 0.01, order: 2, lever: printed");
  const scene::Scene good = make_ball_scene("step: 0.01");
  const Comparison result = compare(std::vector<Contender>{{"bad", bad}, {"a", good}, {"b", good}},
                                    {.folder = folder.path()});
  EXPECT_TRUE(result.outcomes[0].refused);
  EXPECT_NE(result.outcomes[0].message.find("printed lever"), std::string::npos);
  EXPECT_EQ(result.reference, 1);
  EXPECT_EQ(result.differences[2].end_distance, 0.0);
  EXPECT_TRUE(result.differences[0].t.empty());
  const std::string page = make_compare_page(result, folder.path());
  EXPECT_EQ(page.find("<!doctype html>"), 0U);
  EXPECT_EQ(page.find("Ball <b>"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder.file("all.h5")));
}

TEST(Compare, AllRefusedLeavesNoReference) {
  const RunFolder folder;
  const scene::Scene bad = make_ball_scene("step: 0.01, order: 2, lever: printed");
  const Comparison result =
      compare(std::vector<Contender>{{"bad", bad}}, {.folder = folder.path()});
  EXPECT_EQ(result.reference, -1);
  EXPECT_THROW(static_cast<void>(compare({}, {.folder = folder.path()})), InputError);
}

}  // namespace
}  // namespace tenpin::lab
