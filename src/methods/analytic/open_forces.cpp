#include "methods/analytic/open_forces.h"

#include <algorithm>

#include "methods/analytic/tolerances.h"

namespace tenpin::methods::analytic {

namespace {

// -   of the largest
double calc_change(const std::vector<Vec3>& before, const std::vector<Vec3>& now) {
  double largest = 0.0;
  double change = 0.0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    largest = std::max(largest, now[i].norm());
    change = std::max(change, (now[i] - before[i]).norm());
  }
  return largest > 0.0 ? change / largest : 0.0;
}

void keep_forces(const Motion& motion, std::vector<Touch>* touches) {
  for (std::size_t i = 0; i < touches->size(); ++i) {
    if (is_found((*touches)[i])) (*touches)[i].force = motion.forces()[i];
  }
}

// N   Reduces the target forces of contacts that stick beyond this part of their cones, and raises
// those of contacts that would pull, or that press much less than the average contact of their
// bodies: other contacts may be able to carry the load. Returns the sum of all changes.
double relieve_contacts(double part, const std::vector<bool>& kept, std::vector<Touch>* touches) {
  constexpr double kBeyond = 0.5;   // -   of the missing part, added so that the result lies inside
  constexpr double kInside = 0.95;  // -   of the part
  double sum_of_changes = 0.0;
  for (auto touch = touches->begin(); touch != touches->end();) {
    const auto end = std::find_if(touch, touches->end(), [&](const Touch& other) {
      return other.contact.body_a != touch->contact.body_a ||
             other.contact.body_b != touch->contact.body_b;
    });
    double sum = 0.0;
    for (auto i = touch; i != end; ++i) sum += is_found(*i) ? i->force[0] : 0.0;
    const double least = (1.0 - part) * std::max(sum, 0.0) / static_cast<double>(end - touch);
    for (; touch != end; ++touch) {
      const bool is_kept = kept[static_cast<std::size_t>(touch - touches->begin())];
      if (is_kept || !is_found(*touch) || is_dry_joint(*touch)) continue;
      const Vec3 before = touch->force;
      if (touch->force[0] < least) touch->force[0] = least + kBeyond * (least - touch->force[0]);
      const double most = part * touch->mu * touch->force[0];
      const double friction = touch->force.tail<2>().norm();
      if (touch->grip == Grip::kStick && friction > most) {
        touch->force.tail<2>() *= kInside * most / friction;
      }
      sum_of_changes += (touch->force - before).norm();
    }
  }
  return sum_of_changes;
}

// True if the changes of successive rounds shrink fast enough to continue.
bool gets_on(const std::vector<double>& asked) {
  constexpr std::size_t kWatched = 4;
  if (asked.size() <= kWatched) return true;
  const double gained = asked[asked.size() - 1 - kWatched] - asked.back();
  return gained * kMostSharingRounds > kWatched * asked.back();
}

// Lets contacts that rest without force, because others carry the load, carry their share.
void engage_idle(const ForceScale& scale, Motion* motion, std::vector<Touch>* touches) {
  motion->solve_forces();
  const double none = kNoise * scale.acceleration;
  for (int i = 0; i < static_cast<int>(touches->size()); ++i) {
    Touch& touch = (*touches)[i];
    const bool rests = touch.grip == Grip::kIdle && touch.is_touching && touch.mu > 0.0 &&
                       !slips(*motion, i, scale) && motion->acceleration(i).norm() <= none;
    if (rests) touch.grip = Grip::kStick;
  }
}

// A contact at the edge of its cone, which others keep from slipping, keeps that friction while
// they carry the rest. Treated as sticking, it would leave its cone at once, in every round.
void stay_at_edges(const ForceScale& scale, std::span<const int> touching, Motion* motion,
                   std::vector<Touch>* touches) {
  constexpr double kEdge = 1e-6;  // -   of the largest friction
  motion->solve_forces();
  const std::vector<Touch> before = *touches;
  for (const int i : touching) {
    Touch& touch = (*touches)[i];
    if (touch.grip != Grip::kStick || is_dry_joint(touch)) continue;
    const Vec3& f = motion->forces()[i];
    if (f.tail<2>().norm() < (1.0 - kEdge) * touch.mu * f[0] || touch.mu == 0.0) continue;
    touch.grip = Grip::kSlide;
    touch.slip_dir = -(touch.contact.t1 * f[1] + touch.contact.t2 * f[2]).normalized();
  }
  motion->solve_forces();
  if (!(calc_worst(scale, *motion, *touches, touching) <= kLawOfShares)) *touches = before;
}

// Releases contacts that would pull and engages contacts that would approach. Returns false if
// there are none.
bool exchange_once(const ForceScale& scale, std::span<const int> touching, const Motion& motion,
                   std::vector<Touch>* touches) {
  bool is_any = false;
  for (const int i : touching) {
    Touch& touch = (*touches)[i];
    if (is_dry_joint(touch) || touch.grip == Grip::kGiven) continue;
    const double f = motion.forces()[i][0] * calc_mobility(motion, i);
    const bool pulls = carries(touch.grip) && f < -kLeastForce * scale.acceleration;
    const bool is_driven =
        touch.grip == Grip::kIdle && motion.acceleration(i)[0] < -kLeastForce * scale.acceleration;
    if (!pulls && !is_driven) continue;
    is_any = true;
    touch.force.setZero();
    touch.grip = Grip::kIdle;
    if (!is_driven) continue;
    const bool rubs = touch.mu > 0.0 && slips(motion, i, scale);
    touch.grip = touch.mu == 0.0 ? Grip::kPress : rubs ? Grip::kSlide : Grip::kStick;
  }
  return is_any;
}

}  // namespace

bool share_forces(const std::vector<bool>& kept, Motion* motion, std::vector<Touch>* touches) {
  // With many contacts a round costs more, and usually some contact cannot be relieved at all.
  const std::size_t max_rounds = touches->size() > FrictionLcp::kLarge ? 7 : 100;
  motion->solve_forces(GripSystem::Start::kShared);
  keep_forces(*motion, touches);
  for (const double part : {0.95, 0.99, 1.0}) {
    std::vector<double> asked;
    double change = 1.0;
    while (asked.size() < max_rounds && change > kLeastChange && gets_on(asked)) {
      asked.push_back(relieve_contacts(part, kept, touches));
      if (asked.back() == 0.0) return true;
      const std::vector<Vec3> before = motion->forces();
      motion->solve_forces();
      keep_forces(*motion, touches);
      change = calc_change(before, motion->forces());
    }
  }
  return relieve_contacts(1.0, kept, touches) == 0.0;
}

void settle_open_forces(const ForceScale& scale, std::span<const int> touching,
                        const std::vector<bool>& kept, Motion* motion,
                        std::vector<Touch>* touches) {
  if (std::none_of(touches->begin(), touches->end(), [](const Touch& touch) {
        return touch.grip == Grip::kStick;
      })) {
    return;
  }
  const std::vector<Touch> decided = *touches;
  engage_idle(scale, motion, touches);
  const bool can_share = share_forces(kept, motion, touches);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i]) (*touches)[i] = decided[i];
  }
  if (can_share) return;
  *touches = decided;
  stay_at_edges(scale, touching, motion, touches);
}

void exchange_contacts(const ForceScale& scale, std::span<const int> touching, Motion* motion,
                       std::vector<Touch>* touches) {
  motion->solve_forces();
  double least = calc_worst(scale, *motion, *touches, touching);
  std::vector<Touch> best = *touches;
  for (int round = 0; round < kMaxExchanges && least > kLawSatisfied; ++round) {
    if (!exchange_once(scale, touching, *motion, touches)) break;
    motion->solve_forces();
    const double worst = calc_worst(scale, *motion, *touches, touching);
    if (!(worst < least)) continue;
    least = worst;
    best = *touches;
  }
  *touches = best;
}

}  // namespace tenpin::methods::analytic
