#include "methods/analytic/slip_directions.h"

#include <algorithm>
#include <cmath>

#include "methods/analytic/slip_turns.h"
#include "methods/analytic/tolerances.h"

namespace tenpin::methods::analytic {

namespace {

Vec3 to_world_direction(const Touch& touch, const Vec2& x) {
  return (touch.contact.t1 * x.x() + touch.contact.t2 * x.y()).normalized();
}

bool may_begin(const Motion& motion, const Touch& touch, int i, const ForceScale& scale) {
  return !touch.contact.is_planar && touch.mu > 0.0 && touch.is_touching &&
         !slips(motion, i, scale);
}

// -   How far the current forces violate the law of incipient slip.
double calc_worst_beginning(const ForceScale& scale, const Motion& motion,
                            const std::vector<Touch>& touches) {
  std::vector<int> which;
  for (int i = 0; i < static_cast<int>(touches.size()); ++i) {
    if (may_begin(motion, touches[i], i, scale) && carries(touches[i].grip)) which.push_back(i);
  }
  return calc_worst(scale, motion, touches, which);
}

// rad   Moves friction against the acceleration, by no more than all contacts of the island
// together can undo: near the critical slope, the direction of a small acceleration alone is
// misleading. Returns about how far the directions were from their solution.
double turn_slips(const ForceScale& scale, const std::vector<double>& share, const Motion& motion,
                  std::vector<Touch>* touches) {
  double change = 0.0;
  for (int i = 0; i < static_cast<int>(touches->size()); ++i) {
    Touch& touch = (*touches)[i];
    if (!may_begin(motion, touch, i, scale)) continue;
    const Vec3& f = motion.forces()[i];
    // In the units of the event that ends sticking: otherwise that event would follow at once.
    const double beyond = (f.tail<2>().norm() - touch.mu * f[0]) * calc_mobility(motion, i);
    if (touch.grip == Grip::kStick && beyond > kNoise * scale.acceleration) {
      touch.grip = Grip::kSlide;
      touch.slip_dir = to_world_direction(touch, -f.tail<2>());
      change = 1.0;
    } else if (touch.grip == Grip::kSlide) {
      const Vec2 a = motion.acceleration(i).tail<2>();
      if (a.norm() <= kNoise * scale.acceleration) continue;
      contact::ContactBlock W = contact::ContactBlock::Zero();
      motion.jacobian().add_delassus(i, i, &W);
      const double mobility =
          0.5 * (W(contact::kT1Row, contact::kT1Row) + W(contact::kT2Row, contact::kT2Row));
      const Vec3 before = touch.slip_dir;
      touch.slip_dir = to_world_direction(touch, share[i] / mobility * a - f.tail<2>());
      change = std::max(change, (touch.slip_dir - before).norm() / share[i]);
    }
  }
  return change;
}

// The same condition as equations for the angles of all incipient slips: the acceleration across
// each of them is zero.
class SlipAngles {
 public:
  SlipAngles(const ForceScale& scale, Motion* motion, std::vector<Touch>* touches)
      : scale_(scale), motion_(motion), touches_(touches) {
    for (int i = 0; i < static_cast<int>(touches->size()); ++i) {
      const Touch& touch = (*touches)[i];
      if (touch.grip == Grip::kSlide && may_begin(*motion, touch, i, scale)) slips_.push_back(i);
    }
  }

  // Newton's method with shorter steps where a full one goes too far. The directions stay the same
  // if no step helps.
  void solve() {
    double worst = calc_across();
    for (int round = 0; round < kMaxTurnRounds && !slips_.empty(); ++round) {
      if (worst <= kSettledTurn * scale_.acceleration) break;
      const double now = take_step(worst);
      if (!(now < worst)) break;
      worst = now;
    }
    motion_->solve_forces();
  }

 private:
  [[nodiscard]] Vec3 side_of(int i) const {
    const Touch& touch = (*touches_)[i];
    return touch.contact.normal.cross(touch.slip_dir);
  }

  // m/s^2   The largest acceleration across a slip.
  double calc_across() {
    motion_->solve_forces();
    double worst = 0.0;
    for (const int i : slips_) {
      const Touch& touch = (*touches_)[i];
      const Vec3 a = motion_->acceleration(i);
      worst = std::max(
          worst, std::fabs(side_of(i).dot(touch.contact.t1 * a[1] + touch.contact.t2 * a[2])));
    }
    return worst;
  }

  // Returns the largest acceleration afterwards, or `worst` if no step reduces it.
  double take_step(double worst) {
    const std::vector<double> turns = turns_.solve(*motion_, *touches_, slips_);
    if (turns.size() != slips_.size()) return worst;
    const std::vector<Vec3> before = directions();
    double part = 1.0;
    for (int k = 0; k <= kMaxTurnHalvings; ++k, part *= 0.5) {
      turn_by(turns, part);
      const double now = calc_across();
      if (now < worst) return now;
      set_directions(before);
    }
    return worst;
  }

  void turn_by(const std::vector<double>& turns, double part) {
    for (std::size_t k = 0; k < slips_.size(); ++k) {
      const double angle = part * std::clamp(turns[k], -kMostTurn, kMostTurn);
      const Vec3 turned = (*touches_)[slips_[k]].slip_dir + angle * side_of(slips_[k]);
      (*touches_)[slips_[k]].slip_dir = turned.normalized();
    }
  }

  [[nodiscard]] std::vector<Vec3> directions() const {
    std::vector<Vec3> all;
    for (const int i : slips_) all.push_back((*touches_)[i].slip_dir);
    return all;
  }

  void set_directions(const std::vector<Vec3>& all) {
    for (std::size_t k = 0; k < slips_.size(); ++k) (*touches_)[slips_[k]].slip_dir = all[k];
  }

  ForceScale scale_;
  Motion* motion_;
  std::vector<Touch>* touches_;
  std::vector<int> slips_;
  SlipTurns turns_;
};

}  // namespace

// Neither method improves in every round, so the best directions found are kept.
void refine_slip_directions(const ForceScale& scale, const std::vector<double>& share,
                            Motion* motion, std::vector<Touch>* touches) {
  constexpr int kRoundsPerSolve = 20;
  motion->solve_forces();
  double least = calc_worst_beginning(scale, *motion, *touches);
  std::vector<Touch> best = *touches;
  int last = 0;  // last round with an improvement
  for (int round = 1; round <= kMaxSlipRounds && least > kLawSatisfied; ++round) {
    if (round > last + kSlipPatience) break;
    if (turn_slips(scale, share, *motion, touches) <= kSettledSlipDirection) break;
    if (round % kRoundsPerSolve == 1) SlipAngles(scale, motion, touches).solve();
    motion->solve_forces();
    const double worst = calc_worst_beginning(scale, *motion, *touches);
    if (!(worst < least)) continue;
    if (worst < 0.9 * least) last = round;
    least = worst;
    best = *touches;
  }
  *touches = best;
  motion->solve_forces();
}

}  // namespace tenpin::methods::analytic
