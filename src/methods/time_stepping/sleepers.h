// Bodies at rest that take no part in steps until something touches them.
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

// What a sleeping body rests on: a contact and the impulse that it takes in every step.
struct Bed {
  contact::Contact contact;
  Vec3 impulse = Vec3::Zero();  // N s   along n, t1, t2
  Vec3 point = Vec3::Zero();    // m     on the contact's first body, in that body's axes
  contact::ContactRecord record;
  contact::LawCheck check;
};

// Who sleeps, and on what. Only loose bodies do, those of an island all or none, and with no
// velocity at all. Who sleeps is part of the state. Beds are not: they are made again from the
// state and its memory where they are not at hand, so that equal states advance equally.
class Sleepers {
 public:
  explicit Sleepers(const dynamics::Model& model);

  int size() const { return num_asleep_; }
  bool sleeps(int mechanism) const { return words_[mechanism] == kAsleep; }
  // Whether all that could move of the contact sleeps, or a part of it only.
  [[nodiscard]] bool rests(const contact::Contact& c) const;
  [[nodiscard]] bool rouses(const contact::Contact& c) const;
  // By body: whether it may move in this step.
  std::span<const char> awake() const { return awake_; }
  std::span<const char> asleep() const { return asleep_; }

  // From the end of a state's memory, and to it; takes num_mechanisms words. Returns the others.
  std::span<const std::uint64_t> load(std::span<const std::uint64_t> memory);
  void save(std::vector<std::uint64_t>* memory) const;

  // Whether the beds are those of the ones who sleep in this state.
  [[nodiscard]] bool has_beds(ConstVecRef q, ConstVecRef v) const;
  // All contacts that rest, sorted by key; those that `fail`, by mechanism, wake instead.
  void make_beds(ConstVecRef q, std::vector<Bed>* beds, std::span<const char> fail);
  std::span<const Bed> beds() const { return beds_; }
  // The forces on bodies have changed: beds must be made again, and hold, or their bodies wake.
  void forget_beds() { made_for_.clear(); }

  // Everybody who sleeps in one island with it.
  void wake(const contact::Contact& c);
  // The same for all of them that rouse somebody; whether one did.
  bool wake_touched(std::span<const contact::Contact> contacts);
  // What moves by no more than the certified part of the velocity that its largest impulse, or one
  // step's fall, makes, rests as well as any solver could tell.   m/s
  void start_rest(double fall);
  void add_rest(const contact::Contact& c, double speed);
  [[nodiscard]] bool is_quiet(int mechanism, double speed, double tolerance) const;
  // Who was quiet for long enough, with all that contacts tie to it, falls asleep.
  void settle(std::span<const contact::Contact> contacts, std::span<const char> is_quiet, VecRef v);

  // Sleepers stay where they are.
  void hold_velocities(VecRef v) const;
  void hold_coordinates(ConstVecRef q0, VecRef q) const;

  // What sleeps is in the report like everything else.
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
  std::vector<std::uint64_t> made_for_;  // words_ when beds were made
  VecX made_at_;                         // and q
  std::vector<contact::Contact> tying_;  // contacts of beds_
  contact::Islands islands_;
  std::vector<int> island_of_;      // by mechanism; -1: alone
  std::vector<char> tied_;          // by mechanism: has a contact
  std::vector<double> rest_speed_;  // m/s   by mechanism
};

}  // namespace tenpin::methods::time_stepping
