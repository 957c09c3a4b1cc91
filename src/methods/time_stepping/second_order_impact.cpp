// Impacts: which contacts the end of a piece overlaps, when they close, and what they do then.
#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/time_stepping/second_order.h"

namespace tenpin::methods::time_stepping {

using contact::Contact;
using contact::ContactVector;
using contact::kNormalRow;
using Restitution = scene::TimeSteppingOptions::Restitution;

namespace {

constexpr double kOverlapped = 1e-11;  // m   overlap that makes an open contact one to look at
constexpr int kMaxDivisions = 64;      // of the step of one cluster
constexpr int kMaxMoves = 1024;        // of bodies, by all divisions of a cluster's step
constexpr double kTogether = 1e-6;     // -   of a step: impacts that are one

void sort_by_key(std::vector<Contact>* contacts) {
  std::sort(contacts->begin(), contacts->end(), [](const Contact& a, const Contact& b) {
    return a.key < b.key;
  });
}

}  // namespace

bool SecondOrderStepper::find_violated() {
  violated_.clear();
  for (const Contact& c : end_contacts_) {
    if (c.gap >= -kOverlapped) continue;
    const Contact* held = contact::find_contact(held_, c.key);
    Contact found = c;
    if (held != nullptr) {
      if (is_same_place(
              *model_,
              {.first = *held, .X_first = at_begin_.X, .second = c, .X_second = at_end_.X})) {
        continue;
      }
      found.key = make_elsewhere_key(c.key);
      if (contact::find_contact(held_, found.key) != nullptr) continue;
    }
    violated_.push_back({.at_end = found,
                         .at_begin = found,
                         .node = node_of(c),
                         .p_a = at_end_.X[c.body_a].inverse() * c.p_a,
                         .p_b = at_end_.X[c.body_b].inverse() * c.p_b});
  }
  return !violated_.empty();
}

// Of the contacts found at the start of a piece, the one that became this one.
const Contact* SecondOrderStepper::find_like(const Contact& contact) const {
  const auto is_like = [&](const Contact& shown) {
    return is_same_place(
        *model_,
        {.first = shown, .X_first = at_begin_.X, .second = contact, .X_second = at_end_.X});
  };
  const Contact* best = contact::find_contact(shown_, strip_elsewhere(contact.key));
  if (best != nullptr) return is_like(*best) ? best : nullptr;
  // Corners and edges come and go by their keys: only a single contact is surely the same.
  const bool is_single =
      !shown_.empty() && shown_.back().kind == contact::ContactKind::kSurface &&
      (shown_.size() == 1 || shown_[shown_.size() - 2].kind != contact::ContactKind::kSurface);
  return is_single && is_like(shown_.back()) ? &shown_.back() : nullptr;
}

// When the contact closed: the parabola through its gap and velocity at the start and its gap at
// the end. One that closes no faster than rest would, and would not bounce for longer than a step,
// is slow: it is held from now on, as if it had touched from the start.
void SecondOrderStepper::classify(Violation* violation) {
  const Contact& end = violation->at_end;
  pairs_.clear();
  if (end.kind == contact::ContactKind::kSurface) {
    pairs_.push_back({.first = end.key.part_a, .second = end.key.part_b});
  }
  find_known(at_begin_, q_begin_, wide_reach_);
  const Contact* like = find_like(end);
  violation->at_begin = like != nullptr ? *like : carry(end, at_end_.X, at_begin_.X);
  violation->at_begin.key = end.key;
  const double u0 = calc_velocity(violation->at_begin, at_begin_, v_begin_)[kNormalRow];
  const double h = length(violation->node);
  const double g0 = std::max(violation->at_begin.gap, 0.0);
  violation->crossing = calc_crossing({.g0 = g0, .u0 = u0, .g1 = end.gap}, h);
  const Crossing& at = violation->crossing;
  const double fall = std::fabs(at.bend) * h_;
  const double e = *options_.restitution == Restitution::kNone ? 0.0 : end.restitution;
  constexpr double kSlack = 1.01;
  violation->is_slow = -at.speed <= 1e-9 * body_speed_ ||
                       (-at.speed <= kSlack * fall && -2.0 * e * at.speed <= fall);
}

// Groups that meet may have begun their pieces at different times: those behind catch up. Late ones
// need not, since their pieces end at the same time.
bool SecondOrderStepper::meet(StepReport* report) {
  stop_.assign(is_moving_.size(), 0.0);
  for (int node = 0; node <= driven_node_; ++node) {
    double& latest = stop_[groups_.root(node)];
    latest = std::max(latest, begin_[node]);
  }
  for (int node = 0; node <= driven_node_; ++node) stop_[node] = stop_[groups_.root(node)];
  move_where([this](int node) {
    return is_hit_[node] != 0 && is_late_[node] == 0 && begin_[node] < stop_[node];
  });
  if (moving_.empty()) return true;
  for (const int node : moving_) end_[node] = stop_[node];
  if (!move(report) || !finish(report)) return false;
  begin_anew();
  return true;
}

// When the step of each group is divided: at the first impact in it, or not at all. Of groups near
// each other only the first in time is: what it does may reach the others before their impacts do.
void SecondOrderStepper::find_stops() {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  stop_.assign(is_moving_.size(), kNever);
  first_.assign(is_moving_.size(), kNever);
  for (const Violation& v : violated_) {
    if (v.is_slow) continue;
    double& stop = stop_[groups_.root(v.node)];
    stop = std::min(stop, v.crossing.s);
    double& first = first_[clusters_.root(v.node)];
    first = std::min(first, begin_[v.node] + v.crossing.s);
  }
  for (int node = driven_node_; node >= 0; --node) {
    const int root = groups_.root(node);
    const double first = first_[clusters_.root(node)];
    is_waiting_[node] = begin_[root] + stop_[root] > first + kTogether * h_ ? 1 : 0;
    stop_[node] = is_waiting_[node] != 0 ? kNever : stop_[root];
  }
}

// Groups and what is near them at the end: what happens to one of a cluster may reach the others.
void SecondOrderStepper::make_clusters() {
  clusters_ = groups_;
  std::swap(groups_, clusters_);
  for (const Contact& c : end_contacts_) join(c);
  std::swap(groups_, clusters_);
}

// Chooses the clusters whose step has been divided too often, or would have to be: a few divisions
// of many would only cost, as what is left would be late all the same. impacts_ counts what is
// ahead, by root.
void SecondOrderStepper::choose_late() {
  cluster_size_.assign(is_moving_.size(), 0);
  for (int node = driven_node_; node >= 0; --node) {
    const int root = clusters_.root(node);
    ++cluster_size_[root];
    is_late_[root] |= is_late_[node];
    if (impacts_[root] > 0) impacts_[root] += divisions_[node];
  }
  for (int root = 0; root <= driven_node_; ++root) {
    const int limit = std::min(kMaxMoves / std::max(cluster_size_[root], 1), kMaxDivisions);
    if (impacts_[root] > limit) is_late_[root] = 1;
  }
  for (int node = driven_node_; node >= 0; --node) is_late_[node] = is_late_[clusters_.root(node)];
}

// What comes near in a late cluster without overlapping is held as well, by a law that lets it come
// as near as to touch: else each that overlaps once impulses change would cost another solve of a
// large group.
void SecondOrderStepper::guard_late() {
  if (*options_.restitution != Restitution::kNone) return;
  const std::size_t num_held = held_.size();
  for (const Contact& c : end_contacts_) {
    if (is_late_[node_of(c)] == 0) continue;
    join(c);
    const std::span<const Contact> before(held_.data(), num_held);
    if (c.gap < -kOverlapped || contact::find_contact(before, c.key) != nullptr) continue;
    const double u1 = calc_velocity(c, at_end_, v_end_)[kNormalRow];
    held_.push_back(carry(c, at_end_.X, at_begin_.X));
    near_.push_back({c.key, std::min(0.0, u1 - 2.0 * c.gap / length(node_of(c)))});
  }
  std::sort(near_.begin(), near_.end());
}

bool SecondOrderStepper::resolve_violated(StepReport* report) {
  group_violated();
  is_hit_.assign(is_moving_.size(), 0);
  impacts_.assign(is_moving_.size(), 0);
  for (const Violation& v : violated_) {
    is_hit_[groups_.root(v.node)] = 1;
    impacts_[clusters_.root(v.node)] = 1;
  }
  for (int node = driven_node_; node >= 0; --node) is_hit_[node] = is_hit_[groups_.root(node)];
  choose_late();
  if (!meet(report)) return false;

  group_violated();
  impacts_.assign(is_moving_.size(), 0);
  for (Violation& v : violated_) {
    classify(&v);
    impacts_[clusters_.root(v.node)] += v.is_slow ? 0 : 1;
  }
  choose_late();
  guard_late();
  for (Violation& v : violated_) {
    if (is_late_[v.node] == 0 || v.is_slow) continue;
    v.is_slow = true;
    ++report->division.late;
  }
  find_stops();
  is_hit_.assign(is_moving_.size(), 0);
  for (const Violation& v : violated_) {
    if (is_waiting_[v.node] != 0) continue;
    is_hit_[groups_.root(v.node)] = 1;
    if (v.is_slow && std::isinf(stop_[v.node])) held_.push_back(v.at_begin);
  }
  for (int node = driven_node_; node >= 0; --node) is_hit_[node] = is_hit_[groups_.root(node)];
  sort_by_key(&held_);
  move_where([this](int node) {
    return std::isfinite(stop_[node]);
  });
  if (!moving_.empty() && !divide(report)) return false;
  move_where([this](int node) {
    return is_hit_[node] != 0;
  });
  return move(report);
}

// Groups by what is held and what overlaps, and their clusters.
void SecondOrderStepper::group_violated() {
  make_groups();
  for (const Violation& v : violated_) join(v.at_end);
  make_clusters();
}

// Takes what moves to the first impact of each group, and through it.
bool SecondOrderStepper::divide(StepReport* report) {
  for (const int node : moving_) {
    end_[node] = begin_[node] + stop_[node];
    if (groups_.root(node) == node) ++divisions_[node];
  }
  move_where([this](int node) {
    return std::isfinite(stop_[node]) && end_[node] > begin_[node];
  });
  if (!moving_.empty()) {
    if (!move(report) || !finish(report)) return false;
    begin_anew();
  }
  move_where([this](int node) {
    return std::isfinite(stop_[node]);
  });
  for (const int node : moving_) end_[node] = h_;
  hold_touching();
  make_groups();
  for (const Violation& v : violated_) {
    if (std::isfinite(stop_[v.node])) marked_[groups_.root(v.node)] = 1;
  }
  const std::int64_t before = report->division.impacts;
  const bool is_solved = collide(report);
  report->division.divisions += report->division.impacts - before;
  return is_solved;
}

// What touches in the groups that move, now that they are at their impacts.
void SecondOrderStepper::hold_touching() {
  const auto moves = [this](const Contact& c) {
    return is_moving_[node_of(c)] != 0;
  };
  pairs_.clear();
  for (const Contact& c : held_) {
    const bool is_pair = c.kind == contact::ContactKind::kSurface;
    if (is_pair && moves(c)) pairs_.push_back({.first = c.key.part_a, .second = c.key.part_b});
  }
  for (const Violation& v : violated_) {
    if (v.at_end.kind == contact::ContactKind::kSurface && moves(v.at_end)) {
      pairs_.push_back({.first = v.at_end.key.part_a, .second = v.at_end.key.part_b});
    }
  }
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  held_.erase(std::remove_if(held_.begin(), held_.end(), moves), held_.end());
  find_known(at_begin_, q_begin_, reach_);
  for (const Contact& c : shown_) {
    if (!moves(c)) continue;
    const auto hits = [&](const Violation& v) {
      return !v.is_slow && v.at_end.key == c.key && v.crossing.s <= stop_[v.node] + kTogether * h_;
    };
    const bool hit = std::any_of(violated_.begin(), violated_.end(), hits);
    if (hit || c.gap <= kTouching) held_.push_back(c);
  }
  hold_hit_elsewhere();
  sort_by_key(&held_);
}

// A rim that touches at a second place shows only one of them.
void SecondOrderStepper::hold_hit_elsewhere() {
  const std::size_t num_shown = held_.size();
  for (const Violation& v : violated_) {
    const bool is_hit = !v.is_slow && v.crossing.s <= stop_[v.node] + kTogether * h_;
    if (!is_hit || v.at_end.key == strip_elsewhere(v.at_end.key)) continue;
    Contact c = v.at_end;
    c.p_a = at_begin_.X[c.body_a] * v.p_a;
    c.p_b = at_begin_.X[c.body_b] * v.p_b;
    c.gap = c.normal.dot(c.p_b - c.p_a);
    const bool is_held =
        std::any_of(held_.begin(), held_.begin() + num_shown, [&](const Contact& k) {
          return k.key.part_a == c.key.part_a && k.key.part_b == c.key.part_b &&
                 is_same_place(
                     *model_,
                     {.first = k, .X_first = at_begin_.X, .second = c, .X_second = at_begin_.X});
        });
    if (!is_held) held_.push_back(c);
  }
}

// An impact of every marked group, where its piece begins: all its contacts take part, and none
// lasts. What moves has its velocities changed.
bool SecondOrderStepper::collide(StepReport* report) {
  problem_.contacts.clear();
  for (const Contact& c : held_) {
    if (marked_[groups_.root(node_of(c))] != 0) problem_.contacts.push_back(c);
  }
  for (const int m : moving_) {
    if (m != driven_node_) M_.update(*model_, m, at_begin_.X, q_begin_, zero_);
  }
  problem_.J.update(*model_, problem_.contacts, at_begin_.X, V_zero_, M_,
                    contact::FrictionPoint::kSurface);
  problem_.v = v_begin_;
  resize_problem();
  speed_ = body_speed_;
  for (int i = 0; i < problem_.size(); ++i) {
    const Contact& c = problem_.contacts[i];
    u0_[i] = calc_velocity(c, at_begin_, v_begin_);
    offset_[i] = u0_[i] - problem_.J.velocity_of_bodies(i, v_begin_);
    problem_.J.set_drive(i, offset_[i]);
    problem_.mu[i] = c.mu;
    problem_.given[i] = 0.0;
    problem_.guess[i] = tried_impacts_.impulse(c.key);
    problem_.softness[i].setZero();
    turn_[i].setZero();
    fall_[i] = -std::max(model_->gravity.norm() * h_,
                         std::fabs(problem_.J.velocity_of_bodies(i, kick_)[kNormalRow]));
    speed_ = std::max(speed_, u0_[i].head<3>().norm());
  }
  problem_.speed = speed_;
  set_rebounds();
  if (!solve(report)) return false;
  tried_impacts_.clear();
  for (int i = 0; i < problem_.size(); ++i) {
    tried_impacts_.insert({.key = problem_.contacts[i].key, .impulse = impulses_[i].head<3>()});
  }
  if (!rebound_by_poisson(report) || !guard_energy(report)) return false;
  book_impact();
  for (int root = 0; root <= driven_node_; ++root) {
    if (marked_[root] != 0) ++report->division.impacts;
  }
  for (const int m : moving_) {
    if (m == driven_node_) continue;
    const dynamics::Mechanism& mechanism = model_->mechanisms[m];
    v_begin_.segment(mechanism.v_begin, mechanism.nv) =
        answer_.v.segment(mechanism.v_begin, mechanism.nv);
  }
  place(q_begin_, v_begin_, 0.0, &at_begin_);
  return true;
}

// -   of the velocity before; a hop that would not outlast a step is none.
double SecondOrderStepper::calc_rebound(int i) const {
  const double e = problem_.contacts[i].restitution;
  if (*options_.restitution == Restitution::kNone) return 0.0;
  return -2.0 * e * u0_[i][kNormalRow] > std::fabs(fall_[i]) || u0_[i][kNormalRow] > 0.0 ? e : 0.0;
}

// Newton's law for every contact of the group, also for those that part: with one coefficient that
// can only take energy away.   [ST00, §5]
void SecondOrderStepper::set_rebounds() {
  const bool by_newton = *options_.restitution == Restitution::kNewton;
  for (int i = 0; i < problem_.size(); ++i) {
    const double e = by_newton ? calc_rebound(i) : 0.0;
    problem_.required[i] = e == 0.0 ? 0.0 : -e * u0_[i][kNormalRow];
  }
}

// Each contact gives back e times its compression impulse, and may add to it.   [AP97]
bool SecondOrderStepper::rebound_by_poisson(StepReport* report) {
  if (*options_.restitution != Restitution::kPoisson) return true;
  bool any = false;
  compression_ = impulses_;
  problem_.v = answer_.v;
  for (int i = 0; i < problem_.size(); ++i) {
    const double e = u0_[i][kNormalRow] < 0.0 ? calc_rebound(i) : 0.0;
    problem_.given[i] = e * std::max(compression_[i][kNormalRow], 0.0);
    if (problem_.given[i] == 0.0) continue;
    any = true;
    problem_.J.add_velocity_change(i, {problem_.given[i], 0.0, 0.0, 0.0}, problem_.v);
  }
  if (!any) return true;
  for (int i = 0; i < problem_.size(); ++i) forget_rounding(i);
  std::fill(problem_.guess.begin(), problem_.guess.end(), Vec3(Vec3::Zero()));
  compression_checks_ = checks_;
  if (!solve(report)) return false;
  for (int i = 0; i < problem_.size(); ++i) {
    impulses_[i] += compression_[i];
    checks_[i].residual = std::max(checks_[i].residual, compression_checks_[i].residual);
  }
  return true;
}

// What stuck in compression slips by rounding alone, which no solver can tell from slip.
void SecondOrderStepper::forget_rounding(int i) {
  constexpr double kRounding = 1e-13;  // of the step's velocities
  ContactVector drive = offset_[i];
  const ContactVector u = problem_.J.velocity(i, problem_.v);
  for (int k = 1; k < 3; ++k) {
    if (std::fabs(u[k]) <= kRounding * speed_) drive[k] -= u[k];
  }
  problem_.J.set_drive(i, drive);
}

// With friction neither law keeps every group from gaining energy: one that would is made plastic,
// which cannot. The others' answer is found again as it was.
bool SecondOrderStepper::guard_energy(StepReport* report) {
  if (!mark_gains(report)) return true;
  problem_.v = v_begin_;
  for (int i = 0; i < problem_.size(); ++i) {
    problem_.given[i] = 0.0;
    const bool gains = gain_[groups_.root(node_of(problem_.contacts[i]))] > 0.0;
    if (gains) problem_.contacts[i].restitution = 0.0;
  }
  set_rebounds();
  if (!solve(report) || !rebound_by_poisson(report)) return false;
  for (int i = 0; i < problem_.size(); ++i) u1_[i] = problem_.J.velocity(i, answer_.v);
  return true;
}

// Whether a group's contacts did positive work, beyond rounding; counts them.
bool SecondOrderStepper::mark_gains(StepReport* report) {
  constexpr double kRounding = 1e-12;
  gain_.assign(is_moving_.size(), 0.0);
  for (int i = 0; i < problem_.size(); ++i) {
    u1_[i] = problem_.J.velocity(i, answer_.v);
    gain_[groups_.root(node_of(problem_.contacts[i]))] +=
        0.5 * impulses_[i].dot(u0_[i] + u1_[i]) -
        kRounding * impulses_[i].head<3>().norm() * speed_;
  }
  const auto count = std::count_if(gain_.begin(), gain_.end(), [](double gain) {
    return gain > 0.0;
  });
  report->guarded += static_cast<int>(count);
  return count > 0;
}

}  // namespace tenpin::methods::time_stepping
