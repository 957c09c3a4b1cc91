// Instantaneous changes of velocity by impulses: collisions and Painlevé's paradox.
#include <algorithm>
#include <cmath>

#include "methods/analytic/simulator.h"
#include "methods/analytic/tolerances.h"

namespace tenpin::methods::analytic {

namespace {

// Marks the touches that act on this one.
std::vector<bool> find_island(const dynamics::Model& model, const std::vector<Touch>& touches,
                              double event_tolerance, int touch) {
  std::vector<int> closed;
  std::vector<contact::Contact> contacts;
  for (int i = 0; i < static_cast<int>(touches.size()); ++i) {
    if (touches[i].contact.gap > event_tolerance || is_dry_joint(touches[i])) continue;
    closed.push_back(i);
    contacts.push_back(touches[i].contact);
  }
  contact::Islands islands;
  islands.update(model, contacts);
  std::vector<bool> acts(touches.size(), false);
  for (int k = 0; k < islands.size(); ++k) {
    const std::span<const int> island = islands.contacts(k);
    const bool is_its = std::any_of(island.begin(), island.end(), [&](int c) {
      return closed[c] == touch;
    });
    for (const int c : island) acts[closed[c]] = is_its;
  }
  return acts;
}

// A collision of the closed contacts. Those of `pushed` that slip are pushed.
Collision begin_collision(const Motion& motion, const Piece& piece, double event_tolerance,
                          double push, const std::vector<bool>& pushed) {
  const std::vector<Touch>& touches = piece.around.touches;
  Collision collision;
  for (int i = 0; i < static_cast<int>(touches.size()); ++i) {
    collision.v_before.push_back(motion.velocity(i));
    // The friction of joints is bounded, so it has no impulse.
    if (touches[i].contact.gap > event_tolerance || is_dry_joint(touches[i])) continue;
    const bool is_pushed = !pushed.empty() && pushed[i] && slips(motion, i, piece.scale);
    collision.closed.push_back({.touch = i, .push = is_pushed ? push : 0.0});
  }
  return collision;
}

void fail_without_impulses(const dynamics::Model& model, const std::vector<Touch>& touches,
                           const CollisionReport& collision, StepReport* report) {
  fail(report, AdvanceStatus::kSolverFailed,
       "no impulses found at " + name_of(model, touches[collision.failed_touch].contact));
}

}  // namespace

// Resolves the collisions of this instant, including points that would sink in afterwards.
Outcome Simulator::collide(const StepStart& start, Piece* piece, StepReport* report) {
  ++statistics_.collisions;
  std::vector<Touch>& touches = piece->around.touches;
  Outcome outcome;
  for (int round = 0;; ++round) {
    outcome.collision = begin_collision(motion_, *piece, options_.event_tolerance, 0.0, {});
    if (!give_impulses(start, *piece, &*outcome.collision, &outcome.end, report)) {
      fail_without_impulses(*model_, touches, outcome.collision->report, report);
      return outcome;
    }
    std::vector<dynamics::Twist> V_WB;
    update_twists(*model_, start.X_WB, outcome.end.v, start.t, &V_WB);
    if (round == kMaxRimRounds ||
        !search_.append_sinking_rims(start, V_WB, memory_, &piece->around)) {
      break;
    }
    motion_.set_touches(&touches);
    motion_.update(start.t, start.q, piece->v);
    piece->scale = find_scale(*model_, options_.event_tolerance, motion_, &touches);
  }
  settle(piece, outcome.collision->closed, &outcome.end);
  return outcome;
}

// Resolves Painlevé's paradox: a contact has no finite force now, or soon will have none. All
// contacts that slip with it get an impulse, which grows until one of them sticks or separates. The
// smallest impulse above rounding depends on the slips.
Outcome Simulator::resolve_painleve(const StepStart& start, int touch, Piece* piece,
                                    StepReport* report) {
  ++statistics_.defiances;
  const std::vector<Touch>& touches = piece->around.touches;
  const std::vector<bool> island = find_island(*model_, touches, options_.event_tolerance, touch);
  Outcome outcome;
  bool found = false;
  for (double push = kLeastPush; push <= kMostPush; push *= 10.0) {
    outcome.collision = begin_collision(motion_, *piece, options_.event_tolerance, push, island);
    const Collision& collision = *outcome.collision;
    found = give_impulses(start, *piece, &*outcome.collision, &outcome.end, report);
    if (found &&
        std::any_of(collision.closed.begin(), collision.closed.end(), [&](const Closed& c) {
          const double change = collision.kicks[c.touch].tail<2>().norm();
          return c.push > 0.0 &&
                 change > kChangedSlip * collision.v_before[c.touch].tail<2>().norm();
        })) {
      break;
    }
  }
  if (found) {
    settle(piece, outcome.collision->closed, &outcome.end);
  } else {
    fail_without_impulses(*model_, touches, outcome.collision->report, report);
  }
  return outcome;
}

// False if no impulses were found.
bool Simulator::give_impulses(const StepStart& start, const Piece& piece, Collision* collision,
                              StepEnd* end, StepReport* report) {
  collision_solver_.solve(motion_, piece.around.touches, collision->closed, &collision->report);
  const CollisionReport& done = collision->report;
  report->solver = done.status;
  report->solves += done.solves;
  report->pivots += done.pivots;
  report->guarded = done.guarded;
  report->problem_size = std::max(report->problem_size, done.largest);
  report->num_contacts = static_cast<int>(piece.around.found.size());
  report->num_active = static_cast<int>(collision->closed.size());
  if (done.status != complementarity::SolveStatus::kSolved) return false;
  collision->impulses = collision_solver_.impulses();
  collision->works = collision_solver_.works();
  end->t = start.t;
  end->h_next = piece.h;
  end->q = start.q;
  end->v = piece.v;
  for (const Closed& c : collision->closed) {
    const Vec3& p = collision->impulses[c.touch];
    motion_.jacobian().add_velocity_change(c.touch, {p[0], p[1], p[2], 0.0}, end->v);
  }
  collision->kicks.assign(piece.around.touches.size(), Vec3::Zero());
  const VecX change = end->v - piece.v;
  for (const Closed& c : collision->closed) {
    collision->kicks[c.touch] = motion_.jacobian().velocity_of_bodies(c.touch, change).head<3>();
  }
  integrator_.restart();
  return true;
}

// Brings contacts to rest that would only bounce within the event tolerance.
void Simulator::settle(Piece* piece, const std::vector<Closed>& closed, StepEnd* end) {
  const ForceScale& scale = piece->scale;
  std::vector<Touch>& touches = piece->around.touches;
  motion_.update(end->t, end->q, end->v);
  const double hop = std::sqrt(2.0 * options_.event_tolerance * 1e3 * scale.acceleration);
  const double slow = std::sqrt(2.0 * options_.event_tolerance * scale.acceleration);
  bool moves = false;
  for (const Closed& c : closed) {
    const Vec3 u = motion_.velocity(c.touch);
    Touch& touch = touches[c.touch];
    touch.is_touching = u[0] <= hop;
    touch.grip = Grip::kApart;
    moves = moves || (touch.is_touching && std::fabs(u[0]) > 0.0);
  }
  if (!moves) return;
  if (!solve_settled(scale, std::max(slow, scale.slip), &touches) &&
      !solve_settled(scale, scale.slip, &touches)) {
    return;
  }
  corrector_.rest_after(closed, touches, motion_, end, &piece->corrections);
}

// Finds the forces that would act if all slips below `slow` (m/s) were zero.
bool Simulator::solve_settled(const ForceScale& scale, double slow, std::vector<Touch>* touches) {
  ForceReport forces;
  motion_.set_slow(slow);
  force_solver_.solve({.acceleration = scale.acceleration, .slip = slow}, &motion_, touches,
                      &forces);
  motion_.set_slow(scale.slip);
  return forces.status == complementarity::SolveStatus::kSolved;
}

}  // namespace tenpin::methods::analytic
