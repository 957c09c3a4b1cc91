// Bodies at rest that are left out of steps until another body touches them.
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

namespace tenpin::methods::time_stepping {

// The support of a sleeping body: a contact, and its impulse in every step.
struct Support {
  contact::Contact contact;
  Vec3 impulse = Vec3::Zero();  // N s   along n, t1, t2
  Vec3 point = Vec3::Zero();    // m     on the contact's first body, in that body's axes
  contact::ContactRecord record;
  contact::LawCheck check;
  double rigid_residual = 0.0;  // -     error of a compliant impulse in the law of rigid contact
};

// Records which bodies sleep, and on which supports. Only loose bodies sleep, with exactly zero
// velocity, and either all bodies of an island sleep or none. The set of sleeping bodies is part of
// the state. Supports are not: if they are not available, they are computed again from the state
// and its memory, so that equal states advance equally.
class Sleepers {
 public:
  explicit Sleepers(const dynamics::Model& model);

  int size() const { return num_asleep_; }
  bool sleeps(int mechanism) const { return words_[mechanism] == kAsleep; }
  // rests(): no body of the contact is awake. wakes(): one is awake and one asleep, so the contact
  // wakes it.
  [[nodiscard]] bool rests(const contact::Contact& c) const;
  [[nodiscard]] bool wakes(const contact::Contact& c) const;
  // By body: 1 if it may move in this step.
  std::span<const char> awake() const { return awake_; }
  std::span<const char> asleep() const { return asleep_; }

  // Read from the end of a state's memory, and write to it; both use num_mechanisms words. load()
  // returns the remaining words.
  std::span<const std::uint64_t> load(std::span<const std::uint64_t> memory);
  void save(std::vector<std::uint64_t>* memory) const;

  // True if the supports belong to the bodies that sleep in this state.
  [[nodiscard]] bool has_supports(ConstVecRef q, ConstVecRef v) const;
  // Sets all resting contacts, sorted by key. Mechanisms marked in `fail` wake.
  void set_supports(ConstVecRef q, std::vector<Support>* supports, std::span<const char> fail);
  std::span<const Support> supports() const { return supports_; }
  // Call this when the forces on bodies have changed: supports are computed again, and bodies that
  // are not held wake.
  void forget_supports() { made_for_.clear(); }

  // Wakes all sleeping bodies in the island of the contact.
  void wake(const contact::Contact& c);
  // The same for all contacts that wake a body. Returns true if there was one.
  bool wake_touched(std::span<const contact::Contact> contacts);
  // m/s   Determines the speeds that count as rest: up to the certified fraction of the velocity
  // due to the largest impulse, or due to one step of free fall. No solver could do better.
  void start_rest(double fall);
  void add_rest(const contact::Contact& c, double speed);
  [[nodiscard]] bool is_quiet(int mechanism, double speed, double tolerance) const;
  // Counts a step in which the mechanism was quiet; resets the count if it was not.
  void count_quiet(int mechanism, bool is_quiet);
  // Bodies that were quiet for long enough fall asleep, together with all bodies that contacts
  // connect to them.
  void settle(std::span<const contact::Contact> contacts, VecRef v);

  // Keep sleeping bodies where they are.
  void hold_velocities(VecRef v) const;
  void hold_coordinates(ConstVecRef q0, VecRef q) const;

 private:
  static constexpr std::uint64_t kQuietSteps = 16;
  static constexpr std::uint64_t kAsleep = ~std::uint64_t{0};

  void wake_island(int mechanism);
  void touch(int body, bool with_sleep, VecRef v);
  void put_to_sleep(int m, VecRef v);
  void update_bodies();

  const dynamics::Model* model_;
  std::vector<char> is_driven_;       // by body
  std::vector<std::uint64_t> words_;  // by mechanism: steps that it was quiet, or kAsleep
  std::vector<char> awake_, asleep_;  // by body
  int num_asleep_ = 0;
  std::vector<Support> supports_;
  std::vector<std::uint64_t> made_for_;             // words_ when supports were computed
  VecX made_at_;                                    // and q at that time
  std::vector<contact::Contact> support_contacts_;  // contacts of supports_
  contact::Islands islands_;
  std::vector<int> island_of_;      // by mechanism; -1 if it has no contact
  std::vector<char> is_touched_;    // by mechanism: 1 if it has a contact
  std::vector<double> rest_speed_;  // m/s   by mechanism
};

}  // namespace tenpin::methods::time_stepping
