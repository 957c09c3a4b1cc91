#include "methods/analytic/forces.h"

#include <algorithm>
#include <cmath>

namespace tenpin::methods::analytic {

using complementarity::SolveStatus;
using contact::ContactBlock;

namespace {

constexpr double kNoise = 1e-10;    // -   of the scale: less force or acceleration is none
constexpr double kZero = 1e-14;     // -   of the scale: what a solution has where it has nothing
constexpr double kNoForce = 1e-14;  // -   likewise, of forces, which the certificate may leave

double calc_mobility(const Motion& motion, int touch) {
  ContactBlock W = ContactBlock::Zero();
  motion.jacobian().add_delassus(touch, touch, &W);
  return W(contact::kNormalRow, contact::kNormalRow);
}

bool slips(const Motion& motion, int touch, const ForceScale& scale) {
  return motion.velocity(touch).tail<2>().norm() > scale.slip;
}

// Friction, along t1 and t2, on b for a unit of normal force while it slips.
Vec2 calc_rubbing(const Motion& motion, const Touch& touch, int index) {
  const Vec3 friction = -touch.mu * motion.slip_direction(index);
  return {friction.dot(touch.contact.t1), friction.dot(touch.contact.t2)};
}

}  // namespace

ForceCheck certify_forces(const Motion& motion, const std::vector<Touch>& touches,
                          const ForceScale& scale, int i, Moment moment) {
  const Touch& touch = touches[i];
  const Vec3& f = motion.forces()[i];
  const Vec3 a = motion.acceleration(i);
  const double mobility = calc_mobility(motion, i);
  const double force = scale.acceleration / mobility;
  ForceCheck check;
  check.residual = std::fabs(std::min(f[0] * mobility, a[0])) / scale.acceleration;
  if (touch.mu == 0.0) return check;
  check.cone_violation = std::max(0.0, f.tail<2>().norm() - touch.mu * f[0]);
  double law = 0.0;
  if (slips(motion, i, scale) || (moment == Moment::kEnd && touch.grip == Grip::kSlide)) {
    // Against the slip, or against what it was until this moment.
    law = (f.tail<2>() - f[0] * calc_rubbing(motion, touch, i)).norm() / force;
  } else {
    // Against the beginning of slip: as dissipative as the cone allows.
    const double best = touch.mu * f[0] * a.tail<2>().norm();
    law = std::fabs(best + f.tail<2>().dot(a.tail<2>())) / (force * scale.acceleration);
  }
  check.residual = std::max({check.residual, check.cone_violation / force, law});
  return check;
}

ForceSolver::ForceSolver(const dynamics::Model& model, const scene::AnalyticOptions& /*options*/)
    : model_(&model) {}

// The grips of the piece before often answer for the next one.
bool ForceSolver::keep_grips(const ForceScale& scale, Motion* motion,
                             std::vector<Touch>* touches) const {
  bool has_force = false;
  for (int i = 0; i < static_cast<int>(touches->size()); ++i) {
    Touch& touch = (*touches)[i];
    if (!touch.is_touching) continue;
    if (touch.grip == Grip::kApart) return false;
    has_force = has_force || carries(touch.grip);
    const bool rubs = touch.mu > 0.0 && slips(*motion, i, scale);
    if (carries(touch.grip) && rubs != (touch.grip == Grip::kSlide)) return false;
  }
  if (!has_force) return false;
  motion->solve_forces();
  if (motion->failed()) return false;
  for (int i = 0; i < static_cast<int>(touches->size()); ++i) {
    if (!(*touches)[i].is_touching) continue;
    if (!(certify_forces(*motion, *touches, scale, i, Moment::kStart).residual <= kNoise))
      return false;
  }
  return true;
}

void ForceSolver::choose_grips(const ForceScale& scale, const Motion& motion,
                               std::vector<Touch>* touches) {
  const VecX& z = solution_.z;
  for (int k = 0; k < static_cast<int>(problem_.contacts.size()); ++k) {
    const FrictionContact& of = problem_.contacts[k];
    Touch& touch = (*touches)[of.index];
    const double mobility = calc_mobility(motion, of.index);
    const double f = problem_.normal(z, k);
    const Vec2 friction = problem_.friction(z, k);
    touch.force = {f, friction.x(), friction.y()};
    if (f * mobility <= kNoForce * scale.acceleration) {
      touch.grip = Grip::kIdle;
    } else if (touch.mu == 0.0) {
      touch.grip = Grip::kPress;
    } else if (!of.decides) {
      touch.grip = Grip::kSlide;
    } else if (problem_.slip_rate(z, k) <= kZero * scale.acceleration) {
      touch.grip = Grip::kStick;
    } else {
      touch.grip = Grip::kSlide;
      touch.slip_dir = -(touch.contact.t1 * friction.x() + touch.contact.t2 * friction.y());
      touch.slip_dir.normalize();
    }
  }
}

// In space the polyhedral cone only finds roughly where a slip will start to: it must be along its
// own acceleration, and what sticks must be inside the round cone.
void ForceSolver::refine_slip(const ForceScale& scale, Motion* motion,
                              std::vector<Touch>* touches) const {
  constexpr int kMaxRounds = 200;
  for (int round = 0; round < kMaxRounds; ++round) {
    motion->solve_forces();
    double change = 0.0;
    for (int i = 0; i < static_cast<int>(touches->size()); ++i) {
      Touch& touch = (*touches)[i];
      if (touch.contact.is_planar || touch.mu == 0.0 || !touch.is_touching) continue;
      if (slips(*motion, i, scale)) continue;
      const auto to_world = [&](const Vec2& x) -> Vec3 {
        return (touch.contact.t1 * x.x() + touch.contact.t2 * x.y()).normalized();
      };
      const Vec3& f = motion->forces()[i];
      if (touch.grip == Grip::kStick && f.tail<2>().norm() > touch.mu * f[0] * (1.0 + kNoise)) {
        touch.grip = Grip::kSlide;
        touch.slip_dir = to_world(-f.tail<2>());
        change = 1.0;
      } else if (touch.grip == Grip::kSlide) {
        const Vec2 a = motion->acceleration(i).tail<2>();
        if (a.norm() <= kNoise * scale.acceleration) continue;
        const Vec3 before = touch.slip_dir;
        touch.slip_dir = to_world(a);
        change = std::max(change, (touch.slip_dir - before).norm());
      }
    }
    if (change <= 1e-14) return;
  }
}

bool ForceSolver::solve_island(std::span<const int> island, const ForceScale& scale, Motion* motion,
                               std::vector<Touch>* touches, ForceReport* report) {
  problem_.contacts.clear();
  for (const int k : island) {
    const int i = touching_[k];
    const Touch& touch = (*touches)[i];
    FrictionContact of{.index = i, .mu = touch.mu, .free = motion->free_acceleration(i)};
    of.decides = touch.mu > 0.0 && !slips(*motion, i, scale);
    if (touch.mu > 0.0 && !of.decides) of.rubbing = calc_rubbing(*motion, touch, i);
    problem_.contacts.push_back(of);
  }
  problem_.assemble(motion->jacobian(), motion->contacts());
  lemke_.solve(problem_.lcp(), &solution_);
  ++report->solves;
  report->pivots += solution_.pivots;
  report->largest = std::max(report->largest, problem_.lcp().size());
  if (solution_.status != SolveStatus::kSolved) {
    report->status = solution_.status;
    report->failed_touch = problem_.contacts.front().index;
    return false;
  }
  choose_grips(scale, *motion, touches);
  return true;
}

void ForceSolver::solve(const ForceScale& scale, Motion* motion, std::vector<Touch>* touches,
                        ForceReport* report) {
  *report = {};
  contacts_.clear();
  touching_.clear();
  for (int i = 0; i < static_cast<int>(touches->size()); ++i) {
    if (!(*touches)[i].is_touching) {
      (*touches)[i].grip = Grip::kApart;
      continue;
    }
    contacts_.push_back((*touches)[i].contact);
    touching_.push_back(i);
  }
  if (touching_.empty() || keep_grips(scale, motion, touches)) {
    if (touching_.empty()) motion->solve_forces();
    return;
  }
  islands_.update(*model_, contacts_);
  for (int k = 0; k < islands_.size(); ++k) {
    if (!solve_island(islands_.contacts(k), scale, motion, touches, report)) return;
  }
  refine_slip(scale, motion, touches);
}

}  // namespace tenpin::methods::analytic
