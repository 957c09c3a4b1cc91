// Results depend neither on lanes nor on launches, threads and neighbours. The accessors of these
// worlds check their bounds.
#define TENPIN_BATCH_CHECKED

#include <gtest/gtest.h>

#include "batch/emulated_lanes.h"
#include "batch/step.h"
#include "batch/worlds.h"

namespace tenpin::test {
namespace {

using batch::kRoom;
using batch::Model;
using batch::Stored;

template <class Real, int kLanes>
void run_with_lanes(const Model<Real>& model, bool backwards, int steps,
                    Stored<Real, kRoom>* world) {
  using Lanes = EmulatedLanes<kLanes>;
  using LanedWorld = batch::World<Real, Lanes, 1, kRoom>;
  std::vector<Real> reals(LanedWorld::kReals);
  std::vector<batch::Word> words(LanedWorld::kWords);
  Fibres fibres(kLanes, backwards, [&](int) {
    const LanedWorld w = {reals.data(), words.data(), &model, {}};
    if (world->steps == 0) check_start(w, true, world);
    w.lanes.sync();
    run_world(w, true, steps, world);
  });
  fibres.run();
}

template <class Real>
class LanesTest : public testing::Test {};
using Reals = testing::Types<double, float>;
TYPED_TEST_SUITE(LanesTest, Reals);

// Into the pins: contacts of all kinds come and go between the steps 80 and 120.
TYPED_TEST(LanesTest, EightLanesHaveTheBitsOfOne) {
  using Real = TypeParam;
  const TestScene lane = make_lane();
  const std::vector<Model<Real>> models = {batch::convert_model<Real>(lane.batch.model)};
  std::vector<Stored<Real, kRoom>> one = make_throws<Real>(lane, 2);
  const Workers workers(1);
  batch::run_on_cpu<Real, kRoom>(std::span<const Model<Real>>(models), 75, workers, one);
  auto forwards = one, backwards = one, four = one;
  constexpr int kSteps = 45;
  batch::run_on_cpu<Real, kRoom>(std::span<const Model<Real>>(models), kSteps, workers, one);
  for (std::size_t i = 0; i < one.size(); ++i) {
    run_with_lanes<Real, 8>(models[0], false, kSteps, &forwards[i]);
    run_with_lanes<Real, 8>(models[0], true, kSteps, &backwards[i]);
    run_with_lanes<Real, 4>(models[0], false, kSteps, &four[i]);
    EXPECT_EQ(one[i].flags, 0U);
    EXPECT_EQ(one[i].steps, 120U);
    EXPECT_GT(one[i].most_contacts, 40U);
    EXPECT_EQ(calc_digest(forwards[i]), calc_digest(one[i]));
    EXPECT_EQ(calc_digest(backwards[i]), calc_digest(one[i]));
    EXPECT_EQ(calc_digest(four[i]), calc_digest(one[i]));
  }
}

TYPED_TEST(LanesTest, LaunchesMayBeCutAnywhere) {
  using Real = TypeParam;
  const TestScene lane = make_lane();
  const std::vector<Model<Real>> models = {batch::convert_model<Real>(lane.batch.model)};
  auto whole = make_throws<Real>(lane, 3);
  std::vector<Stored<Real, kRoom>> cut(whole.rbegin(), whole.rend());  // in another order, too
  const Workers one(1), two(2);
  batch::run_on_cpu<Real, kRoom>(std::span<const Model<Real>>(models), 130, one, whole);
  for (const int steps : {1, 83, 7, 39}) {
    batch::run_on_cpu<Real, kRoom>(std::span<const Model<Real>>(models), steps, two, cut);
  }
  for (std::size_t i = 0; i < whole.size(); ++i) {
    EXPECT_EQ(calc_digest(whole[i]), calc_digest(cut[whole.size() - 1 - i]));
  }
}

// The first step of a world that has room for so many contacts.
template <int kContacts>
Stored<double, kContacts> step_with_room(const TestScene& lane, const Model<double>& model) {
  using SmallWorld = batch::World<double, batch::OneLane, 1, kContacts>;
  const Stored<double, kRoom> from = batch::make_world<double, kRoom>(lane.batch, lane.built.state);
  Stored<double, kContacts> world = {};
  std::memcpy(world.x, from.x, sizeof world.x);
  std::memcpy(world.q, from.q, sizeof world.q);
  std::memcpy(world.v, from.v, sizeof world.v);
  std::vector<double> reals(SmallWorld::kReals);
  std::vector<batch::Word> words(SmallWorld::kWords);
  const SmallWorld w = {reals.data(), words.data(), &model, {}};
  run_world(w, true, 3, &world);
  return world;
}

TEST(Room, OnePlaceTooFewStopsTheWorldAtOnce) {
  const TestScene lane = make_lane();
  const Model<double> model = batch::convert_model<double>(lane.batch.model);
  constexpr int kNeeded = 42;  // four feet of ten pins, and the ball on the joint of two floors
  EXPECT_EQ(step_with_room<kNeeded>(lane, model).flags, 0U);
  EXPECT_EQ(step_with_room<kNeeded>(lane, model).most_contacts, 42U);
  EXPECT_EQ(step_with_room<kNeeded - 1>(lane, model).flags, batch::kOverflow);
  EXPECT_EQ(step_with_room<kNeeded - 1>(lane, model).steps, 0U);
}

}  // namespace
}  // namespace tenpin::test
