// What a step remembers of the contacts of the step before.
#include "methods/time_stepping/active_set.h"

#include <gtest/gtest.h>

namespace tenpin::methods::time_stepping {
namespace {

using contact::ContactKey;

constexpr ContactKey kGone = {.part_a = 1, .part_b = 2, .feature_a = 3, .feature_b = 4};
constexpr ContactKey kStays = {.part_a = 1, .part_b = 2, .feature_a = 5, .feature_b = 6};
constexpr ContactKey kRenamed = {.part_a = 1, .part_b = 2, .feature_a = 7, .feature_b = 8};
constexpr ContactKey kSecond = {.part_a = 1, .part_b = 2, .feature_a = 8, .feature_b = 8};
constexpr ContactKey kStranger = {.part_a = 1, .part_b = 3, .feature_a = 7, .feature_b = 8};
const Vec3 kOld(1.0, 2.0, 3.0);
const Vec3 kOther(4.0, 5.0, 6.0);

class Memory : public testing::Test {
 protected:
  Memory() {
    active.insert({.key = kGone, .impulse = kOld, .point = Vec3(0.1, 0.0, 0.0)});
    active.insert({.key = kStays, .impulse = kOther});
    now.insert(kStays);
    now.insert(kRenamed);
    now.insert(kSecond);
    active.release_matches();
  }
  ActiveSet active;
  KeySet now;
};

TEST_F(Memory, ContactOfTheSameNameKeepsItsOwn) {
  EXPECT_EQ(
      active.match_previous_impulse({.key = kStays, .point = Vec3(0.1, 0, 0), .near = 1.0}, now),
      kOther);
}

TEST_F(Memory, NewNameInTheOldPlaceInheritsFromWhoIsGone) {
  // Nearer to the one that stays, which has nothing to give.
  EXPECT_EQ(
      active.match_previous_impulse({.key = kRenamed, .point = Vec3(0.01, 0, 0), .near = 0.2}, now),
      kOld);
}

TEST_F(Memory, OnlyOneInherits) {
  EXPECT_EQ(
      active.match_previous_impulse({.key = kRenamed, .point = Vec3(0.1, 0, 0), .near = 0.01}, now),
      kOld);
  const ActiveSet::RenamedContact second = {.key = kSecond, .point = Vec3(0.1, 0, 0), .near = 0.01};
  EXPECT_EQ(active.match_previous_impulse(second, now), Vec3(Vec3::Zero()));
  active.release_matches();
  EXPECT_EQ(active.match_previous_impulse(second, now), kOld);
}

TEST_F(Memory, WhoIsFarOrBetweenOtherPartsInheritsNothing) {
  EXPECT_EQ(
      active.match_previous_impulse({.key = kRenamed, .point = Vec3(0.2, 0, 0), .near = 0.05}, now),
      Vec3(Vec3::Zero()));
  EXPECT_EQ(active.match_previous_impulse(
                {.key = kStranger, .point = Vec3(0.1, 0, 0), .near = 0.05}, now),
            Vec3(Vec3::Zero()));
}

// Found violated in this step: active, but with no past of its own.
TEST_F(Memory, ContactThatJustBecameActiveInherits) {
  active.insert(kRenamed);
  active.release_matches();
  EXPECT_TRUE(active.contains(kRenamed));
  EXPECT_EQ(
      active.match_previous_impulse({.key = kRenamed, .point = Vec3(0.1, 0, 0), .near = 0.01}, now),
      kOld);
}

TEST_F(Memory, StateCarriesIt) {
  std::vector<std::uint64_t> words;
  active.save(&words);
  ActiveSet loaded;
  loaded.load(words);
  loaded.release_matches();
  EXPECT_EQ(loaded.impulse(kStays), kOther);
  EXPECT_EQ(
      loaded.match_previous_impulse({.key = kRenamed, .point = Vec3(0.1, 0, 0), .near = 1e-9}, now),
      kOld);
}

TEST_F(Memory, IsReadFromAnyPlaceOfACursor) {
  active.insert(kRenamed);  // only now: the step before did not know it
  for (std::size_t near = 0; near < 5; ++near) {
    ActiveSet::Cursor cursor = {.near = near};
    Vec3 impulse = kOther;
    EXPECT_TRUE(active.recall(kGone, &cursor, &impulse)) << near;
    EXPECT_EQ(impulse, kOld);
    cursor.near = near;
    EXPECT_FALSE(active.recall(kRenamed, &cursor, &impulse)) << near;
    EXPECT_EQ(impulse, kOld) << "left alone";
    EXPECT_FALSE(active.recall(kSecond, &cursor, &impulse)) << "last of its parts";
    EXPECT_TRUE(active.recall(kStranger, &cursor, &impulse)) << "no contact to take it from";
    EXPECT_EQ(impulse, Vec3(Vec3::Zero()));
  }
}

// More than a thread takes at a time, then fewer: nothing of the first load stays.
TEST_F(Memory, ThreadsSaveAndLoadTheSame) {
  const Workers workers(2);
  for (const int size : {2000, 700}) {
    ActiveSet many;
    many.assign(size, workers, [](int i) -> ActiveSet::Entry {
      return {.key = {.part_a = i, .part_b = i + 1},
              .impulse = Vec3(i, 1.0, 2.0),
              .point = Vec3(3.0, i, 4.0)};
    });
    std::vector<std::uint64_t> words;
    std::vector<std::uint64_t> shared = {1, 2, 3};
    many.save(&words);
    many.save(&shared, &workers);
    EXPECT_EQ(shared, words);
    active.load(shared, &workers);
    active.save(&shared);
    EXPECT_EQ(shared, words);
  }
}

TEST_F(Memory, KeysAreFoundWhereverTheLastLookEnded) {
  KeySet keys;
  for (const ContactKey& key : {kStranger, kRenamed, kGone, kRenamed}) keys.insert(key);
  for (std::size_t start = 0; start < 5; ++start) {
    std::size_t next = start;
    EXPECT_TRUE(keys.contains(kGone, &next)) << start;
    EXPECT_TRUE(keys.contains(kRenamed, &next)) << start;
    EXPECT_TRUE(keys.contains(kStranger, &next)) << start;
    EXPECT_FALSE(keys.contains(kStays, &next)) << start;
  }
  EXPECT_TRUE(keys.contains(kStranger));
  EXPECT_FALSE(keys.contains(kSecond));
  EXPECT_TRUE(keys.contains_pair(kSecond));
  EXPECT_FALSE(keys.contains_pair({.part_a = 1, .part_b = 4}));
  EXPECT_FALSE(keys.contains_pair({.part_a = 0, .part_b = 2}));
}

}  // namespace
}  // namespace tenpin::methods::time_stepping
