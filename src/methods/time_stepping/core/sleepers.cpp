#include "methods/time_stepping/core/sleepers.h"

#include <algorithm>

namespace tenpin::methods::time_stepping {

using contact::Contact;

Sleepers::Sleepers(const dynamics::Model& model)
    : model_(&model), words_(model.mechanisms.size(), 0), island_of_(model.mechanisms.size(), -1) {
  for (int i = 0; i < model.num_bodies(); ++i) {
    const bool is_belt = std::any_of(model.parts.begin() + model.bodies[i].parts_begin,
                                     model.parts.begin() + model.bodies[i].parts_end,
                                     [](const dynamics::Part& part) {
                                       return !part.surface_velocity.isZero(0.0);
                                     });
    const bool is_moved = !model.bodies[i].is_mobile() && !stands_still(model, i);
    is_driven_.push_back(is_moved || is_belt ? 1 : 0);
  }
  update_bodies();
}

void Sleepers::update_bodies() {
  awake_ = is_driven_;
  asleep_.assign(model_->bodies.size(), 0);
  num_asleep_ = 0;
  for (int m = 0; m < model_->num_mechanisms(); ++m) {
    for (const int body : model_->mechanisms[m].bodies) (sleeps(m) ? asleep_ : awake_)[body] = 1;
    num_asleep_ += sleeps(m) ? 1 : 0;
  }
}

bool Sleepers::rests(const Contact& c) const {
  return awake_[c.body_a] == 0 && awake_[c.body_b] == 0;
}

bool Sleepers::wakes(const Contact& c) const {
  return (asleep_[c.body_a] != 0 && awake_[c.body_b] != 0) ||
         (asleep_[c.body_b] != 0 && awake_[c.body_a] != 0);
}

std::span<const std::uint64_t> Sleepers::load(std::span<const std::uint64_t> memory) {
  if (memory.size() < words_.size()) {  // at the start of a run
    std::fill(words_.begin(), words_.end(), 0);
    update_bodies();
    return {};
  }
  const auto mine = memory.last(words_.size());
  if (!std::equal(mine.begin(), mine.end(), words_.begin())) {
    words_.assign(mine.begin(), mine.end());
    update_bodies();
  }
  return memory.first(memory.size() - words_.size());
}

void Sleepers::save(std::vector<std::uint64_t>* memory) const {
  memory->insert(memory->end(), words_.begin(), words_.end());
}

bool Sleepers::has_supports(ConstVecRef q, ConstVecRef v) const {
  if (made_for_.size() != words_.size()) return false;
  for (int m = 0; m < model_->num_mechanisms(); ++m) {
    const dynamics::Mechanism& mechanism = model_->mechanisms[m];
    if (sleeps(m) != (made_for_[m] == kAsleep)) return false;
    if (!sleeps(m)) continue;
    const int nq = mechanism.nq;
    if (q.segment(mechanism.q_begin, nq) != made_at_.segment(mechanism.q_begin, nq)) return false;
    if (!v.segment(mechanism.v_begin, mechanism.nv).isZero(0.0)) return false;
  }
  return true;
}

void Sleepers::set_supports(ConstVecRef q, std::vector<Support>* supports,
                            std::span<const char> fail) {
  supports_.swap(*supports);
  support_contacts_.clear();
  for (const Support& support : supports_) support_contacts_.push_back(support.contact);
  islands_.update(*model_, support_contacts_);
  std::fill(island_of_.begin(), island_of_.end(), -1);
  for (int k = 0; k < islands_.size(); ++k) {
    for (const int i : islands_.contacts(k)) {
      for (const int body : {support_contacts_[i].body_a, support_contacts_[i].body_b}) {
        if (asleep_[body] != 0) island_of_[model_->bodies[body].mechanism] = k;
      }
    }
  }
  for (int m = 0; m < model_->num_mechanisms(); ++m) {
    if (sleeps(m) && fail[m] != 0) wake_island(m);
  }
  made_for_ = words_;
  made_at_ = q;
}

void Sleepers::wake_island(int mechanism) {
  const int island = island_of_[mechanism];
  for (int m = 0; m < model_->num_mechanisms(); ++m) {
    const bool is_one = m == mechanism || (island >= 0 && island_of_[m] == island);
    if (is_one && sleeps(m)) words_[m] = 0;
  }
  update_bodies();
  std::erase_if(supports_, [this](const Support& support) {
    return !rests(support.contact);
  });
  made_for_ = words_;
}

void Sleepers::wake(const Contact& c) {
  for (const int body : {c.body_a, c.body_b}) {
    if (asleep_[body] != 0) wake_island(model_->bodies[body].mechanism);
  }
}

bool Sleepers::wake_touched(std::span<const Contact> contacts) {
  bool any = false;
  for (const Contact& c : contacts) {
    if (!wakes(c)) continue;
    wake(c);
    any = true;
  }
  return any;
}

void Sleepers::start_rest(double fall) {
  rest_speed_.assign(words_.size(), fall);
}

void Sleepers::add_rest(const Contact& c, double speed) {
  for (const int body : {c.body_a, c.body_b}) {
    const int m = model_->bodies[body].mechanism;
    if (m >= 0) rest_speed_[m] = std::max(rest_speed_[m], speed);
  }
}

bool Sleepers::is_quiet(int mechanism, double speed, double tolerance) const {
  constexpr double kMargin = 10.0;  // certified answers still vary by a few times the tolerance
  const dynamics::Mechanism& m = model_->mechanisms[mechanism];
  return m.is_loose && model_->bodies[m.bodies.front()].applied.timed.empty() &&
         speed <= kMargin * tolerance * rest_speed_[mechanism];
}

void Sleepers::count_quiet(int mechanism, bool is_quiet) {
  if (!sleeps(mechanism)) words_[mechanism] = is_quiet ? words_[mechanism] + 1 : 0;
}

void Sleepers::settle(std::span<const Contact> contacts, VecRef v) {
  // One moving body keeps its whole island awake.
  islands_.update(*model_, contacts);
  const auto is_quiet_enough = [this](int body) {
    const int m = model_->bodies[body].mechanism;
    return m < 0 ? is_driven_[body] == 0 : words_[m] >= kQuietSteps;
  };
  is_touched_.assign(words_.size(), 0);
  for (int k = 0; k < islands_.size(); ++k) {
    const std::span<const int> island = islands_.contacts(k);
    const bool all = std::all_of(island.begin(), island.end(), [&](int i) {
      return is_quiet_enough(contacts[i].body_a) && is_quiet_enough(contacts[i].body_b);
    });
    for (const int i : island) {
      for (const int body : {contacts[i].body_a, contacts[i].body_b}) touch(body, all, v);
    }
  }
  for (int m = 0; m < model_->num_mechanisms(); ++m) {
    if (is_touched_[m] == 0 && !sleeps(m) && words_[m] >= kQuietSteps) put_to_sleep(m, v);
  }
  update_bodies();
}

// Notes that the body has a contact, and puts the body to sleep if its whole island sleeps.
void Sleepers::touch(int body, bool with_sleep, VecRef v) {
  const int m = model_->bodies[body].mechanism;
  if (m < 0 || is_touched_[m] != 0) return;
  is_touched_[m] = 1;
  if (with_sleep) put_to_sleep(m, v);
}

void Sleepers::put_to_sleep(int m, VecRef v) {
  const dynamics::Mechanism& mechanism = model_->mechanisms[m];
  words_[m] = kAsleep;
  v.segment(mechanism.v_begin, mechanism.nv).setZero();
}

void Sleepers::hold_velocities(VecRef v) const {
  for (int m = 0; num_asleep_ > 0 && m < model_->num_mechanisms(); ++m) {
    const dynamics::Mechanism& mechanism = model_->mechanisms[m];
    if (sleeps(m)) v.segment(mechanism.v_begin, mechanism.nv).setZero();
  }
}

void Sleepers::hold_coordinates(ConstVecRef q0, VecRef q) const {
  for (int m = 0; num_asleep_ > 0 && m < model_->num_mechanisms(); ++m) {
    const dynamics::Mechanism& mechanism = model_->mechanisms[m];
    if (!sleeps(m)) continue;
    q.segment(mechanism.q_begin, mechanism.nq) = q0.segment(mechanism.q_begin, mechanism.nq);
  }
}

}  // namespace tenpin::methods::time_stepping
