// Bodies at rest that are left out of steps until something touches them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/certify.h"
#include "contact/contact.h"
#include "contact/islands.h"
#include "contact/report.h"
#include "dynamics/model.h"
#include "dynamics/state.h"
#include "methods/method.h"

namespace tenpin::methods::time_stepping {

// The support of a sleeping body: a contact and its impulse in every step.
struct Bed {
  contact::Contact contact;
  Vec3 impulse = Vec3::Zero();  // N s   along n, t1, t2
  Vec3 point = Vec3::Zero();    // m     on the contact's first body, in that body's axes
  contact::ContactRecord record;
  contact::LawCheck check;
};

// Which bodies sleep, and on which supports. Only loose bodies sleep, all bodies of an island or
// none, and with exactly zero velocity. Which bodies sleep is part of the state. Supports are not:
// if they are not available, they are computed again from the state and its memory, so that equal
// states advance equally.
class Sleepers {
 public:
  explicit Sleepers(const dynamics::Model& model);

  int size() const { return num_asleep_; }
  bool sleeps(int mechanism) const { return words_[mechanism] == kAsleep; }
  // rests(): all movable bodies of the contact sleep. rouses(): only some of them sleep, so the
  // contact wakes them.
  [[nodiscard]] bool rests(const contact::Contact& c) const;
  [[nodiscard]] bool rouses(const contact::Contact& c) const;
  // By body: may it move in this step?
  std::span<const char> awake() const { return awake_; }
  std::span<const char> asleep() const { return asleep_; }

  // Reads from the end of a state's memory, or writes to it; uses num_mechanisms words. load()
  // returns the others.
  std::span<const std::uint64_t> load(std::span<const std::uint64_t> memory);
  void save(std::vector<std::uint64_t>* memory) const;

  // Do the supports belong to the bodies that sleep in this state?
  [[nodiscard]] bool has_beds(ConstVecRef q, ConstVecRef v) const;
  // Sets all resting contacts, sorted by key; mechanisms marked in `fail` wake instead.
  void make_beds(ConstVecRef q, std::vector<Bed>* beds, std::span<const char> fail);
  std::span<const Bed> beds() const { return beds_; }
  // Call when the forces on bodies have changed: supports are computed again, and bodies that they
  // do not hold wake.
  void forget_beds() { made_for_.clear(); }

  // Wakes all sleeping bodies in the island of the contact.
  void wake(const contact::Contact& c);
  // The same for all contacts that wake a body; returns true if one did.
  bool wake_touched(std::span<const contact::Contact> contacts);
  // m/s   Velocities up to the certified fraction of that due to the largest impulse, or to one
  // step of free fall, count as rest: no solver could do better.
  void start_rest(double fall);
  void add_rest(const contact::Contact& c, double speed);
  [[nodiscard]] bool is_quiet(int mechanism, double speed, double tolerance) const;
  // Bodies that were quiet for long enough fall asleep, together with all bodies that contacts
  // connect to them.
  void settle(std::span<const contact::Contact> contacts, std::span<const char> is_quiet, VecRef v);

  // Keep sleeping bodies where they are.
  void hold_velocities(VecRef v) const;
  void hold_coordinates(ConstVecRef q0, VecRef q) const;

  // Adds the sleeping bodies to the report, like all others.
  void report(std::vector<contact::ContactRecord>* records, StepReport* report) const;

 private:
  static constexpr std::uint64_t kQuietSteps = 16;
  static constexpr std::uint64_t kAsleep = ~std::uint64_t{0};

  void wake_island(int mechanism);
  void tie(int body, bool with_sleep, VecRef v);
  void put_to_sleep(int m, VecRef v);
  void update_bodies();

  const dynamics::Model* model_;
  std::vector<char> is_driven_;       // by body
  std::vector<std::uint64_t> words_;  // by mechanism: steps that it was quiet, or kAsleep
  std::vector<char> awake_, asleep_;  // by body
  int num_asleep_ = 0;
  std::vector<Bed> beds_;
  std::vector<std::uint64_t> made_for_;  // words_ when supports were computed
  VecX made_at_;                         // and q at that time
  std::vector<contact::Contact> tying_;  // contacts of beds_
  contact::Islands islands_;
  std::vector<int> island_of_;      // by mechanism; -1: alone
  std::vector<char> tied_;          // by mechanism: has a contact
  std::vector<double> rest_speed_;  // m/s   by mechanism
};

}  // namespace tenpin::methods::time_stepping
