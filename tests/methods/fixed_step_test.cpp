// The loop of methods with steps of equal length.
#include "methods/fixed_step.h"

#include <gtest/gtest.h>

#include <vector>

namespace tenpin::methods {
namespace {

constexpr double kStep = 0.1;  // s

class Steps final : public FixedStep {
 public:
  Steps() : FixedStep(kStep) {}
  void model_changed() override {}

  std::vector<double> lengths;  // s
  AdvanceStatus status = AdvanceStatus::kReachedEnd;

 private:
  std::span<const contact::ContactRecord> take_step(const Span& span, dynamics::State* state,
                                                    StepReport* report,
                                                    StepObserver* /*observer*/) override {
    *report = {.step = state->step + 1, .t = span.t_end, .status = status};
    if (status != AdvanceStatus::kReachedEnd) return {};
    lengths.push_back(span.h);
    state->t = span.t_end;
    ++state->step;
    return {};
  }
};

class Stopper final : public StepObserver {
 public:
  bool on_step(const StepReport& /*report*/, std::span<const contact::ContactRecord> /*contacts*/,
               const dynamics::State& /*state*/) override {
    ++count;
    return count < 2;
  }
  int count = 0;
};

TEST(FixedStep, StepsEndAtMultiplesAndTheLastLandsOnTheLimit) {
  Steps steps;
  dynamics::State state;
  EXPECT_EQ(steps.advance(0.35, 0.35, &state, nullptr), AdvanceStatus::kReachedEnd);
  EXPECT_EQ(state.t, 0.35);
  EXPECT_EQ(state.step, 3);  // the shorter step does not count
  ASSERT_EQ(steps.lengths.size(), 4U);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(steps.lengths[i], kStep) << i;
  EXPECT_NEAR(steps.lengths[3], 0.05, 1e-15);
  EXPECT_EQ(steps.step(0.35, &state, nullptr), AdvanceStatus::kReachedEnd);
  EXPECT_EQ(steps.lengths.size(), 4U);
}

TEST(FixedStep, ATargetCountsAsTheMultipleThatItIsUpToRounding) {
  Steps steps;
  dynamics::State state;
  EXPECT_EQ(steps.advance(0.1 + 0.2, 10.0, &state, nullptr), AdvanceStatus::kReachedEnd);
  EXPECT_EQ(state.step, 3);
  EXPECT_EQ(state.t, 3 * kStep);
}

TEST(FixedStep, FailuresAndObserversEndTheRun) {
  Steps steps;
  dynamics::State state;
  Stopper stopper;
  EXPECT_EQ(steps.advance(1.0, 1.0, &state, &stopper), AdvanceStatus::kStopped);
  EXPECT_EQ(state.step, 2);
  steps.status = AdvanceStatus::kCertificateFailed;
  EXPECT_EQ(steps.advance(1.0, 1.0, &state, &stopper), AdvanceStatus::kCertificateFailed);
  EXPECT_EQ(stopper.count, 3);  // failed steps are shown, too
  steps.status = AdvanceStatus::kStopped;
  EXPECT_EQ(steps.advance(1.0, 1.0, &state, &stopper), AdvanceStatus::kStopped);
  EXPECT_EQ(stopper.count, 3);  // a step that the observer stopped is not
}

}  // namespace
}  // namespace tenpin::methods
