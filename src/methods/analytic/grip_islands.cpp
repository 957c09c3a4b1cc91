#include "methods/analytic/grip_islands.h"

#include <algorithm>

namespace tenpin::methods::analytic {

void GripIslands::forget() {
  is_known_ = false;
}

void GripIslands::update_islands(const std::vector<Touch>& touches) {
  now_.clear();
  for (int i = 0; i < static_cast<int>(touches.size()); ++i) {
    if (is_found(touches[i])) now_.push_back(i);
  }
  if (is_known_ && now_ == found_) return;
  is_known_ = true;
  found_ = now_;
  contacts_.clear();
  for (const int i : found_) contacts_.push_back(touches[i].contact);
  groups_.update(*model_, contacts_);
  num_islands_ = groups_.size();
  if (static_cast<int>(islands_.size()) < num_islands_) islands_.resize(num_islands_);
  for (int k = 0; k < num_islands_; ++k) {
    Island& island = islands_[k];
    island.touches.clear();
    island.mechanisms.clear();
    island.answer.clear();
    for (const int member : groups_.contacts(k)) {
      island.touches.push_back(found_[member]);
      for (const int body : {contacts_[member].body_a, contacts_[member].body_b}) {
        const int mechanism = model_->bodies[body].mechanism;
        if (mechanism >= 0) island.mechanisms.push_back(mechanism);
      }
    }
    std::sort(island.mechanisms.begin(), island.mechanisms.end());
    island.mechanisms.erase(std::unique(island.mechanisms.begin(), island.mechanisms.end()),
                            island.mechanisms.end());
  }
}

bool GripIslands::stands(const Island& island, ConstVecRef v) const {
  return std::all_of(island.mechanisms.begin(), island.mechanisms.end(), [&](int m) {
    const dynamics::Mechanism& mechanism = model_->mechanisms[m];
    return (v.segment(mechanism.v_begin, mechanism.nv).array() == 0.0).all();
  });
}

void GripIslands::ask(const Island& island, const GripSystem::Instant& instant,
                      GripSystem::Start start, ConstVecRef q) {
  question_.start = start;
  std::vector<double>& numbers = question_.numbers;
  numbers.clear();
  for (const int m : island.mechanisms) {
    const dynamics::Mechanism& mechanism = model_->mechanisms[m];
    const auto places = q.segment(mechanism.q_begin, mechanism.nq);
    numbers.insert(numbers.end(), places.begin(), places.end());
  }
  for (const int i : island.touches) {
    const Touch& touch = instant.touches[i];
    numbers.push_back(static_cast<double>(touch.grip));
    numbers.insert(numbers.end(), touch.force.begin(), touch.force.end());
    numbers.insert(numbers.end(), instant.free[i].begin(), instant.free[i].end());
    numbers.insert(numbers.end(), instant.rubbing[i].begin(), instant.rubbing[i].end());
  }
}

bool GripIslands::solve(const GripSystem::Instant& instant, GripSystem::Start start, ConstVecRef q,
                        ConstVecRef v, std::vector<Vec3>* forces) {
  update_islands(instant.touches);
  bool is_finite = true;
  for (int k = 0; k < num_islands_; ++k) {
    Island& island = islands_[k];
    const bool is_still = stands(island, v);
    if (is_still) ask(island, instant, start, q);
    if (is_still && !island.answer.empty() && question_ == island.question) {
      for (std::size_t i = 0; i < island.touches.size(); ++i) {
        (*forces)[island.touches[i]] = island.answer[i];
      }
      continue;
    }
    is_finite = island.system.solve(instant, island.touches, start, forces) && is_finite;
    if (!is_still) continue;
    island.question = question_;
    island.answer.clear();
    for (const int i : island.touches) island.answer.push_back((*forces)[i]);
  }
  return is_finite;
}

}  // namespace tenpin::methods::analytic
