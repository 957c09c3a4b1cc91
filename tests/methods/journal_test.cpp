// The journal of a step: entries become records, certificate and message; sleep reads it, too.
#include "methods/time_stepping/core/journal.h"

#include <gtest/gtest.h>

#include <limits>

#include "methods/time_stepping/core/sleep.h"
#include "support/step_fixture.h"

namespace tenpin::methods::time_stepping {
namespace {

using contact::Ledger;
using contact::Mode;
using test::balls;
using test::StepFixture;

constexpr double kStep = 1.0 / 240.0;  // s

class JournalTest : public testing::Test {
 protected:
  // A loaded contact of the i-th ball at rest.
  JournalEntry make_entry(int i) {
    JournalEntry entry;
    entry.contact = contacts_[i];
    entry.impulse << 2.0, 0.5, 0.0, 0.0;
    entry.before.setZero();
    entry.after.setZero();
    entry.mobility = entry.normal_mobility = 1.0;
    entry.speed = 1.0;
    return entry;
  }

  StepFixture f_{balls({Vec3(0, 0, 0.1), Vec3(1, 0, 0.1)})};
  std::vector<contact::Contact> contacts_ = f_.find_contacts();
};

TEST_F(JournalTest, FrictionNeverDoesPositiveWork) {
  JournalEntry entry = make_entry(0);
  entry.before << -1.0, 0.2, 0.0, 0.0;  // friction of 0.5 N s along a mean slip of 0.1 m/s
  split_work(&entry);
  EXPECT_EQ(entry.friction_work, 0.0);
  EXPECT_DOUBLE_EQ(entry.normal_work, -2.0 * 0.5 + 0.5 * 0.1);
  entry.before << -1.0, -0.2, 0.0, 0.0;
  split_work(&entry);
  EXPECT_DOUBLE_EQ(entry.friction_work, -0.5 * 0.1);
  EXPECT_DOUBLE_EQ(entry.normal_work, -2.0 * 0.5);
}

TEST_F(JournalTest, SolvesOfOneContactAreOneRecord) {
  std::vector<JournalEntry> entries = {make_entry(0), make_entry(0), make_entry(1)};
  entries[0].check.residual = 1e-9;
  entries[0].normal_work = -1.0;
  entries[1].after << 0.0, 0.3, 0.0, 0.0;
  entries[1].is_unique = false;
  entries[1].normal_work = -2.0;
  std::vector<contact::ContactRecord> records;
  write_records(f_.setup, entries, {.X_WB = f_.X, .end_contacts = contacts_, .h = kStep}, &records);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].key, contacts_[0].key);
  EXPECT_DOUBLE_EQ(records[0].normal_impulse, 4.0);
  EXPECT_DOUBLE_EQ(records[0].impulse.z(), 4.0);
  EXPECT_EQ(records[0].residual, 1e-9);
  EXPECT_DOUBLE_EQ(records[0].normal_work, -3.0);
  EXPECT_NEAR(records[0].slip.norm(), 0.3, 1e-15);
  EXPECT_EQ(records[0].mode, Mode::kSliding);
  EXPECT_FALSE(records[0].force_unique);
  EXPECT_EQ(records[1].mode, Mode::kSticking);
  EXPECT_TRUE(records[1].force_unique);
}

TEST_F(JournalTest, CertificateIsTheWorstOfAllAndFailsForNan) {
  std::vector<JournalEntry> entries = {make_entry(0), make_entry(1)};
  entries[0].check = {.residual = 1e-9, .cone_violation = 2.0};
  entries[1].check = {.residual = 2e-9, .dissipation_gap = 3.0};
  contact::Certificate certificate = certify_entries(f_.setup, entries);
  EXPECT_TRUE(certificate.passed);
  EXPECT_EQ(certificate.residual, 2e-9);
  EXPECT_EQ(certificate.cone_violation, 2.0);
  EXPECT_EQ(certificate.dissipation_gap, 3.0);
  entries[0].check.residual = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(certify_entries(f_.setup, entries).passed);
  std::vector<contact::Contact> deep = contacts_;
  deep[1].gap = -0.25;
  EXPECT_EQ(certify_gaps(f_.setup, deep).penetration, 0.25);
}

TEST_F(JournalTest, FailuresNameTheirContact) {
  std::vector<JournalEntry> entries = {make_entry(0), make_entry(1)};
  entries[1].check.residual = 1.0;
  entries[0].excess_work = 3.0;
  EXPECT_EQ(tell_worst_place(*f_.setup.model, entries), " at the contact of floor and ball2");
  EXPECT_EQ(tell_greediest_place(*f_.setup.model, entries), " at the contact of floor and ball1");
  EXPECT_EQ(tell_worst_place(*f_.setup.model, {}), "");
  StepReport report;
  report.certificate.excess_work = 3.0;
  judge(f_.setup, {}, entries, &report);
  EXPECT_EQ(report.status, AdvanceStatus::kCertificateFailed);
  EXPECT_FALSE(report.certificate.passed);
  EXPECT_EQ(report.message,
            "contacts gain 3 J more than their law allows at the contact of floor and ball1");
}

TEST_F(JournalTest, JudgesByTheGravestReason) {
  StepReport report;
  judge(f_.setup, {}, {}, &report);
  EXPECT_EQ(report.status, AdvanceStatus::kReachedEnd);
  report.certificate.passed = false;
  judge(f_.setup, {.residual_text = "why"}, {}, &report);
  EXPECT_EQ(report.message, "why");
  judge(f_.setup, {.is_finite = false, .residual_text = "why"}, {}, &report);
  EXPECT_EQ(report.status, AdvanceStatus::kNonfinite);
}

TEST(Ledger, ClosureIsWhatStagesDoNotExplain) {
  Ledger ledger;
  ledger.work[Ledger::kNormal] = -2.0;
  ledger.work[Ledger::kApplied] = 0.5;
  close_ledger(1.0, 4.0, 6.0, &ledger);
  EXPECT_EQ(ledger.total(), 5.0);
  EXPECT_EQ(ledger.closure, -1.5 + 1.0);
}

TEST_F(JournalTest, BodiesWithoutSupportWake) {
  Sleepers sleepers(f_.built.model);
  const std::vector<std::uint64_t> asleep(2, ~std::uint64_t{0});
  (void)sleepers.load(asleep);
  ASSERT_EQ(sleepers.size(), 2);
  std::vector<JournalEntry> entries = {make_entry(0), make_entry(1)};
  const RestSample sample{.entries = entries, .V_WB = f_.V, .h = kStep};
  const VecX& v = f_.built.state.v;
  using Marks = std::vector<char>;
  EXPECT_EQ(find_unsupported(f_.setup, sample, v, true, &sleepers), Marks({0, 0}));
  EXPECT_EQ(find_unsupported(f_.setup, sample, v, false, &sleepers), Marks({1, 1}));
  entries[1].check.residual = 1.0;  // its contact fails the law
  EXPECT_EQ(find_unsupported(f_.setup, sample, v, true, &sleepers), Marks({0, 1}));
  entries[1].check.residual = 0.0;
  f_.V[1].v.x() = 1.0;  // it moves
  EXPECT_EQ(find_unsupported(f_.setup, sample, v, true, &sleepers), Marks({1, 0}));
}

TEST_F(JournalTest, EveryContactIsOneSupport) {
  const std::vector<JournalEntry> entries = {make_entry(0), make_entry(0), make_entry(1)};
  std::vector<contact::ContactRecord> records(2);
  records[0].gap = 1e-12;
  records[1].gap = 2e-12;
  const std::vector<Support> supports = make_supports(entries, records, f_.X);
  ASSERT_EQ(supports.size(), 2U);
  EXPECT_EQ(supports[0].impulse, Vec3(2.0, 0.5, 0.0));
  EXPECT_EQ(supports[1].contact.key, contacts_[1].key);
  EXPECT_EQ(supports[1].record.gap, 2e-12);
  EXPECT_EQ(supports[1].point, contacts_[1].p_a);  // the floor is at the origin
}

TEST_F(JournalTest, BodiesFallAsleepAfterSixteenQuietSteps) {
  Sleepers sleepers(f_.built.model);
  const std::vector<JournalEntry> entries = {make_entry(0), make_entry(1)};
  f_.V[2].v.x() = 1.0;  // the second ball moves
  const RestSample sample{.entries = entries, .V_WB = f_.V, .h = kStep};
  for (int i = 1; i <= 16; ++i) {
    f_.built.state.memory.clear();
    settle(f_.setup, sample, contacts_, &sleepers, &f_.built.state);
    EXPECT_EQ(sleepers.size(), i < 16 ? 0 : 1) << i;
  }
  EXPECT_TRUE(sleepers.sleeps(0));
  EXPECT_EQ(f_.built.state.memory.size(), 2U);
}

}  // namespace
}  // namespace tenpin::methods::time_stepping
