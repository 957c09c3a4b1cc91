// Among many bodies, those with an event soon are followed separately, together with all bodies
// that they might meet. The others need not stop for them.
#include <algorithm>
#include <limits>

#include "base/union_find.h"
#include "contact/finder.h"
#include "dynamics/flight.h"
#include "methods/analytic/simulator.h"
#include "methods/analytic/submodel.h"

namespace tenpin::methods::analytic {

using contact::Contact;

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr int kMaxTries = 5;  // with shorter and shorter times

void add(const StepReport& one, StepReport* all) {
  all->certificate += one.certificate;
  for (std::size_t i = 0; i < one.ledger.work.size(); ++i) {
    all->ledger.work[i] += one.ledger.work[i];
  }
  all->ledger.closure += one.ledger.closure;
  all->existence.normals_independent &= one.existence.normals_independent;
  all->existence.spans_disjoint &= one.existence.spans_disjoint;
  all->problem_size = std::max(all->problem_size, one.problem_size);
  all->pivots += one.pivots;
  all->solves += one.solves;
  all->branches += one.branches;
  all->guarded += one.guarded;
}

}  // namespace

Statistics& Statistics::operator+=(const Statistics& more) {
  steps += more.steps;
  rejected += more.rejected;
  evaluations += more.evaluations;
  collisions += more.collisions;
  defiances += more.defiances;
  events += more.events;
  root_iterations += more.root_iterations;
  distances += more.distances;
  return *this;
}

// Results of the groups of a division.
struct Simulator::Division {
  double t_end = 0.0;  // s
  VecX q, v;
  Memory memory;
  StepReport report;
  std::vector<contact::ContactRecord> records;
  Statistics statistics;
};

// For each mechanism, the fraction of the step after which it has an event, as far as a quick look
// shows. A mechanism whose event is missed here stops the group in which it is followed.
std::vector<double> Simulator::find_ends() {
  std::vector<double> ends(model_->mechanisms.size(), kNever);
  const auto mark = [&](int body, double end) {
    const int m = model_->bodies[body].mechanism;
    if (m >= 0 && end < 1.0) ends[m] = std::min(ends[m], end);
  };
  const StepView view{.integrator = *integrator_, .t = t0_};
  const std::vector<double> of_touches = event_finder_.find_ends(view, &motion_, touches_);
  for (std::size_t i = 0; i < touches_.size(); ++i) {
    mark(touches_[i].contact.body_a, of_touches[i]);
    mark(touches_[i].contact.body_b, of_touches[i]);
  }
  const std::vector<double> of_pairs = approach_.find_each(view, apart_);
  for (std::size_t i = 0; i < apart_.size(); ++i) {
    mark(model_->parts[apart_[i].part_a].body, of_pairs[i]);
    mark(model_->parts[apart_[i].part_b].body, of_pairs[i]);
  }
  return ends;
}

// m/s   Upper bound of the speed of any point, by body.
std::vector<double> Simulator::calc_speeds(double t, const VecX& q, const VecX& v) const {
  std::vector<Pose> X;
  std::vector<dynamics::Twist> V;
  update_poses(*model_, q, t, &X);
  update_twists(*model_, X, v, t, &V);
  std::vector<double> speeds(V.size());
  for (std::size_t i = 0; i < V.size(); ++i) {
    speeds[i] = V[i].v.norm() + V[i].w.norm() * body_radius_[i];
  }
  return speeds;
}

// Sets how far each body may move within h seconds, including after hits by bodies nearby.
void Simulator::set_reach(double h) {
  const std::vector<double> speeds = calc_speeds(t0_, q0_, v_given_);
  std::vector<double> fastest = speeds;
  for (const Contact& c : found_) {
    const double faster = std::max(speeds[c.body_a], speeds[c.body_b]);
    fastest[c.body_a] = std::max(fastest[c.body_a], faster);
    fastest[c.body_b] = std::max(fastest[c.body_b], faster);
  }
  for (int i = 0; i < model_->num_bodies(); ++i) {
    const double fall = model_->bodies[i].is_mobile() ? 4.0 * model_->gravity.norm() * h : 0.0;
    const double speed = model_->bodies[i].is_mobile() ? fastest[i] : speeds[i];
    reach_[i] = options_.event_tolerance + h * (2.0 * speed + fall);
  }
}

// Groups of mechanisms that cannot meet within h seconds: one for each group in which a mechanism
// has an event in that time, and last all other mechanisms together. Empty if dividing does not
// pay.
std::vector<std::vector<int>> Simulator::make_groups(double h, const std::vector<double>& ends) {
  set_reach(h);
  update_poses(*model_, q0_, t0_, &X_);
  found_end_.clear();
  finder_.find(X_, reach_, &found_end_);
  const int n = model_->num_mechanisms();
  UnionFind near;
  near.reset(n);
  for (const Contact& c : found_end_) {
    const int a = model_->bodies[c.body_a].mechanism;
    const int b = model_->bodies[c.body_b].mechanism;
    if (a >= 0 && b >= 0) near.join(a, b);
  }
  std::vector<bool> has_event(n, false);  // by root
  for (int m = 0; m < n; ++m) {
    if (ends[m] <= h) has_event[near.root(m)] = true;
  }
  std::vector<int> place(n, -1);  // by root
  std::vector<std::vector<int>> groups;
  std::vector<int> others;
  for (int m = 0; m < n; ++m) {
    const int root = near.root(m);
    if (!has_event[root]) {
      others.push_back(m);
      continue;
    }
    if (place[root] < 0) {
      place[root] = static_cast<int>(groups.size());
      groups.emplace_back();
    }
    groups[place[root]].push_back(m);
  }
  if (groups.empty()) return {};
  const bool is_one_large = std::any_of(groups.begin(), groups.end(), [n](const auto& group) {
    return 2 * static_cast<int>(group.size()) > n;
  });
  if (is_one_large) return {};
  groups.push_back(std::move(others));
  return groups;
}

// False if a step fails, or if a body moves farther than its bound.
bool Simulator::follow(const std::vector<int>& mechanisms, Division* division) const {
  const Submodel part(*model_, mechanisms);
  Simulator simulator(part.model(), options_);
  dynamics::State state{.t = t0_};
  part.take(q0_, v_given_, &state);
  part.take(memory_).save(&state.memory);
  std::vector<double> way(part.model().bodies.size(), 0.0);  // m   at most
  StepReport one;
  int num_contacts = 0;
  int num_active = 0;
  std::vector<double> after = simulator.calc_speeds(t0_, state.q, state.v);
  while (state.t < division->t_end) {
    const double t = state.t;
    const std::vector<double> before = after;
    simulator.step(division->t_end, &state, &one);
    if (one.status != AdvanceStatus::kReachedEnd) return false;
    after = simulator.calc_speeds(state.t, state.q, state.v);
    for (std::size_t i = 0; i < way.size(); ++i) {
      way[i] += (state.t - t) * std::max(before[i], after[i]);
      const int body = part.body(static_cast<int>(i));
      if (way[i] > reach_[body] && model_->bodies[body].is_mobile()) return false;
    }
    add(one, &division->report);
    num_contacts = std::max(num_contacts, one.num_contacts);
    num_active = std::max(num_active, one.num_active);
    for (const contact::ContactRecord& r : simulator.contacts()) {
      division->records.push_back(part.rename(r));
    }
  }
  division->report.num_contacts += num_contacts;
  division->report.num_active += num_active;
  division->report.ledger.kinetic += one.ledger.kinetic;
  division->report.ledger.potential += one.ledger.potential;
  division->statistics += simulator.statistics();
  part.put(state, &division->q, &division->v);
  Memory memory;
  memory.load(state.memory);
  part.put(memory, &division->memory);
  division->memory.h = memory.h;
  return true;
}

// Events before the middle of the step stop their own groups only.
bool Simulator::divide_at_events(double first, StepReport* report) {
  const double h = integrator_->h();
  if (!can_divide_ || first >= 0.5) return false;
  std::vector<double> ends = find_ends();
  for (double& end : ends) end *= h;
  return divide({.longest = 0.5 * h, .shortest = first * h}, ends, report);
}

// Bodies that need short steps are followed separately.
bool Simulator::divide_at_short_steps(StepReport* report) {
  const double h = integrator_->h();
  if (!can_divide_ || h >= 0.5 * h_planned_) return false;
  std::vector<double> ends(model_->mechanisms.size(), kNever);
  for (int m = 0; m < model_->num_mechanisms(); ++m) {
    const dynamics::Mechanism& of = model_->mechanisms[m];
    const int v_begin = model_->nq + of.v_begin;
    const auto hinders = [&](int i) {
      return (i >= of.q_begin && i < of.q_begin + of.nq) || (i >= v_begin && i < v_begin + of.nv);
    };
    const std::vector<int>& all = integrator_->hindering();
    if (std::any_of(all.begin(), all.end(), hinders)) ends[m] = 0.0;
  }
  return divide({.longest = h_planned_, .shortest = 2.0 * h}, ends, report);
}

// Follows groups of bodies separately for a time in which most bodies have no event.
bool Simulator::divide(const Span& span, const std::vector<double>& ends, StepReport* report) {
  double h = span.longest;
  std::vector<std::vector<int>> groups;
  for (int k = 0; k < kMaxTries && h > span.shortest; ++k) {
    groups = make_groups(h, ends);
    if (!groups.empty()) break;
    h *= 0.5;
  }
  if (groups.empty()) return false;
  Division division{.t_end = std::min(t0_ + h, t_limit_), .q = q0_, .v = v_given_};
  for (const std::vector<int>& group : groups) {
    if (!group.empty() && !follow(group, &division)) return false;
  }
  division.report.step = report->step;
  division.report.t = t1_ = division.t_end;
  *report = division.report;
  q1_ = division.q;
  v1_ = division.v;
  records_ = std::move(division.records);
  followed_ += division.statistics;
  memory_ = std::move(division.memory);
  has_event_ = false;
  is_divided_ = true;
  integrator_->restart();
  return true;
}

}  // namespace tenpin::methods::analytic
