#include "record/fake_run.h"

#include <cstring>

namespace tenpin::record {
namespace {

template <typename Row>
bool same_bits(const Row& a, const Row& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

bool same_bits(const VecX& a, const VecX& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

using Rows = std::vector<ContactRow>;

void expect_contacts(const Rows& all, std::int64_t first, std::int64_t count, std::int64_t step) {
  const auto want = make_fake_contacts(step);
  ASSERT_EQ(count, static_cast<std::int64_t>(want.size()));
  for (std::int64_t i = 0; i < count; ++i) {
    const ContactRow& row = all.at(first + i);
    const double duration = calc_fake_duration(step);
    ASSERT_TRUE(same_bits(row, to_row(want[i], step, duration))) << "contact of step " << step;
    ASSERT_TRUE(same_bits(to_row(to_record(row), step, duration), row));
  }
}

void expect_frame(const RunReader& reader, const Rows& contacts, std::int64_t k) {
  const std::int64_t step = k * kStepsPerFrame;
  const RunFrame frame = reader.read_frame(k);
  const dynamics::State state = make_fake_state(step);
  ASSERT_EQ(frame.step, step);
  ASSERT_TRUE(same_bits(frame.t, state.t));
  ASSERT_TRUE(same_bits(frame.q, state.q) && same_bits(frame.v, state.v));
  const dynamics::State restart = reader.read_restart(k);
  ASSERT_EQ(restart.step, state.step);
  ASSERT_TRUE(same_bits(restart.t, state.t));
  ASSERT_TRUE(same_bits(restart.q, state.q) && same_bits(restart.v, state.v));
  ASSERT_EQ(restart.memory, state.memory);
  const auto bodies = make_fake_bodies(step);
  ASSERT_EQ(frame.bodies.size(), bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    ASSERT_TRUE(same_bits(frame.bodies[i].position, bodies[i].position));
    ASSERT_TRUE(same_bits(frame.bodies[i].orientation, bodies[i].orientation));
    ASSERT_TRUE(same_bits(frame.bodies[i].velocity, bodies[i].velocity));
    ASSERT_TRUE(same_bits(frame.bodies[i].angular_velocity, bodies[i].angular_velocity));
  }
  if (reader.header().contacts == scene::Record::Contacts::kNone) {
    ASSERT_EQ(frame.num_contacts, 0);
    ASSERT_EQ(frame.num_reactions, 0);
  } else {
    const auto reactions = reader.read_reactions(frame.first_reaction, frame.num_reactions);
    const auto wanted = make_fake_reactions(step);
    ASSERT_EQ(reactions.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      ASSERT_TRUE(same_bits(reactions[i], wanted[i]));
    }
    expect_contacts(contacts, frame.first_contact, frame.num_contacts, step);
  }
}

void expect_step(const RunReader& reader, const Rows& contacts, const StepRow& row,
                 std::int64_t step) {
  StepRow want = to_row(make_fake_report(step));
  want.first_contact = row.first_contact;
  want.num_recorded = row.num_recorded;
  want.first_reaction = row.first_reaction;
  want.num_reactions = row.num_reactions;
  want.duration = calc_fake_duration(step);
  ASSERT_TRUE(same_bits(row, want)) << "step " << step;
  ASSERT_TRUE(same_bits(to_row(to_report(row)).closure, row.closure));
  if (reader.header().contacts == scene::Record::Contacts::kSteps) {
    expect_contacts(contacts, row.first_contact, row.num_recorded, step);
  } else {
    ASSERT_EQ(row.num_recorded, 0);
  }
}

}  // namespace

void expect_fake_prefix(const RunReader& reader) {
  const Rows contacts = reader.read_contacts(0, reader.num_contacts());
  for (std::int64_t k = 0; k < reader.num_frames(); ++k)
    ASSERT_NO_FATAL_FAILURE(expect_frame(reader, contacts, k));
  const auto steps = reader.read_steps(0, reader.num_steps());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    ASSERT_NO_FATAL_FAILURE(
        expect_step(reader, contacts, steps[i], static_cast<std::int64_t>(i) + 1));
  }
  std::int64_t last = 0;
  for (const RunMessage& message : reader.read_messages()) {
    ASSERT_EQ(message.text, "step " + std::to_string(message.step));
    ASSERT_EQ(message.step % 50, 7);
    last = message.step;
  }
  ASSERT_LT(reader.num_steps() - last, 50 + 7);
}

}  // namespace tenpin::record
