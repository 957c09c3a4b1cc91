// Steps that are taken again: halves, a last resort, and what the report says of all of them.
#include "methods/time_stepping/retry.h"

#include <gtest/gtest.h>

#include <vector>

namespace tenpin::methods::time_stepping {
namespace {

// Succeeds for steps of at most `longest`; moves q by h and leaves one contact per step.
struct Walker {
  double longest = 1.0;  // s
  std::vector<double> lengths;
  std::vector<contact::ContactRecord> contacts = std::vector<contact::ContactRecord>(2);

  TakeStep make_step() {
    return [this](double h, double t_end, dynamics::State* state, StepReport* report) {
      *report = {.step = state->step + 1, .t = t_end, .solves = 1};
      contacts[0].key.feature_a = 1;
      contacts[1].key.feature_a = 5;
      for (contact::ContactRecord& c : contacts) c.normal_impulse = h;
      if (h > longest) {
        report->status = AdvanceStatus::kCertificateFailed;
        report->message = "too long";
      } else {
        lengths.push_back(h);
        report->ledger.work[contact::Ledger::kFriction] = -h;
        report->certificate.residual = h;
        state->q[0] += h;
        state->t = t_end;
        ++state->step;
      }
      return std::span<const contact::ContactRecord>(contacts);
    };
  }
};

dynamics::State make_state() {
  dynamics::State state;
  state.step = 3;
  state.t = 2.0;
  state.q = VecX::Zero(1);
  return state;
}

TEST(Retry, StepThatSucceedsIsTakenOnce) {
  Walker walker;
  RetryingStep retrying({.step = walker.make_step()});
  dynamics::State state = make_state();
  StepReport report;
  retrying.step(1.0, 3.0, &state, &report);
  EXPECT_EQ(walker.lengths, std::vector<double>({1.0}));
  EXPECT_EQ(report.retries, 0);
  EXPECT_TRUE(report.message.empty());
}

TEST(Retry, HalvesOnlyAsFarAsNeededAndAddsUp) {
  Walker walker{.longest = 0.3, .lengths = {}};
  RetryingStep retrying({.step = walker.make_step()});
  dynamics::State state = make_state();
  StepReport report;
  retrying.step(1.0, 3.0, &state, &report);
  EXPECT_EQ(walker.lengths, std::vector<double>({0.25, 0.25, 0.25, 0.25}));
  EXPECT_EQ(report.status, AdvanceStatus::kReachedEnd);
  EXPECT_EQ(report.retries, 3);  // the whole, and both halves
  EXPECT_EQ(report.solves, 7);
  EXPECT_EQ(report.step, 4);
  EXPECT_EQ(state.step, 4);
  EXPECT_EQ(state.t, 3.0);
  EXPECT_DOUBLE_EQ(state.q[0], 1.0);
  EXPECT_DOUBLE_EQ(report.ledger.work[contact::Ledger::kFriction], -1.0);
  EXPECT_DOUBLE_EQ(report.certificate.residual, 0.25);
  ASSERT_EQ(retrying.contacts().size(), 2U);
  EXPECT_DOUBLE_EQ(retrying.contacts()[1].normal_impulse, 1.0);
  EXPECT_NE(report.message.find("4 shorter steps"), std::string::npos) << report.message;
  EXPECT_NE(report.message.find("too long"), std::string::npos) << report.message;
}

// A contact in Painleve's paradox in the first half only: its verdict keeps the numbers of that
// half.
TEST(Retry, VerdictKeepsTheNumbersThatItRestsOn) {
  Walker walker{.longest = 0.5, .lengths = {}};
  const TakeStep walk = walker.make_step();
  RetryingStep retrying(
      {.step = [&](double h, double t_end, dynamics::State* state, StepReport* report) {
        contact::ContactRecord& c = walker.contacts[0];
        c.no_acceleration_solution = t_end == 2.5;
        c.painleve = c.no_acceleration_solution ? -2.0 : 0.5;
        c.free_acceleration = c.no_acceleration_solution ? -9.0 : 1.0;
        return walk(h, t_end, state, report);
      }});
  dynamics::State state = make_state();
  StepReport report;
  retrying.step(1.0, 3.0, &state, &report);
  ASSERT_EQ(walker.lengths, std::vector<double>({0.5, 0.5}));
  EXPECT_TRUE(retrying.contacts()[0].no_acceleration_solution);
  EXPECT_EQ(retrying.contacts()[0].painleve, -2.0);
  EXPECT_EQ(retrying.contacts()[0].free_acceleration, -9.0);
}

TEST(Retry, LastResortTakesWhatNoHalvingSolves) {
  Walker walker{.longest = 0.0, .lengths = {}};
  Walker other;
  RetryingStep retrying({.step = walker.make_step(),
                         .max_halvings = 1,
                         .last_resort = other.make_step(),
                         .last_resort_name = "order 1"});
  dynamics::State state = make_state();
  StepReport report;
  retrying.step(1.0, 3.0, &state, &report);
  EXPECT_EQ(other.lengths, std::vector<double>({0.5, 0.5}));
  EXPECT_EQ(report.retries, 3);
  EXPECT_NE(report.message.find("2 of them by order 1"), std::string::npos) << report.message;
}

TEST(Retry, StateStaysWhereNoWayLeadsOn) {
  Walker walker{.longest = 0.0, .lengths = {}};
  Walker other{.longest = 0.1, .lengths = {}};
  RetryingStep retrying({.step = walker.make_step(),
                         .max_halvings = 2,
                         .last_resort = other.make_step(),
                         .last_resort_name = "order 1"});
  dynamics::State state = make_state();
  StepReport report;
  retrying.step(1.0, 3.0, &state, &report);
  EXPECT_EQ(report.status, AdvanceStatus::kCertificateFailed);
  EXPECT_EQ(state.t, 2.0);
  EXPECT_EQ(state.step, 3);
  EXPECT_EQ(state.q[0], 0.0);
  EXPECT_EQ(report.retries, 4);
  EXPECT_EQ(report.message.rfind("too long", 0), 0U) << report.message;
}

}  // namespace
}  // namespace tenpin::methods::time_stepping
