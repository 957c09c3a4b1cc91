#include "methods/analytic/division.h"

#include <algorithm>

#include "base/union_find.h"
#include "methods/analytic/simulator.h"
#include "methods/analytic/submodel.h"
#include "methods/analytic/tolerances.h"

namespace tenpin::methods::analytic {

using contact::Contact;

namespace {

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

// m   How far each body may move within h seconds, including after hits by bodies nearby.
std::vector<double> calc_reach(const Undivided& whole, double h, const ContactSearch& search) {
  const StepStart& start = whole.start;
  const std::vector<double> speeds = search.calc_speeds(start.t, start.q, start.v);
  std::vector<double> fastest = speeds;
  for (const Contact& c : whole.found) {
    const double faster = std::max(speeds[c.body_a], speeds[c.body_b]);
    fastest[c.body_a] = std::max(fastest[c.body_a], faster);
    fastest[c.body_b] = std::max(fastest[c.body_b], faster);
  }
  std::vector<double> reach(speeds.size());
  for (int i = 0; i < whole.model.num_bodies(); ++i) {
    const bool is_mobile = whole.model.bodies[i].is_mobile();
    const double fall = is_mobile ? 4.0 * whole.model.gravity.norm() * h : 0.0;
    const double speed = is_mobile ? fastest[i] : speeds[i];
    reach[i] = whole.options.event_tolerance + h * (2.0 * speed + fall);
  }
  return reach;
}

// Groups of mechanisms that cannot meet within h seconds: one for each group in which a mechanism
// has an event in that time, and last all other mechanisms together. Empty if dividing does not
// pay.
std::vector<std::vector<int>> make_groups(const Undivided& whole, double h,
                                          const std::vector<double>& reach,
                                          const std::vector<double>& ends, ContactSearch* search) {
  std::vector<Contact> near_contacts;
  search->find_surfaces(whole.start.X_WB, reach, &near_contacts);
  const int n = whole.model.num_mechanisms();
  UnionFind near;
  near.reset(n);
  for (const Contact& c : near_contacts) {
    const int a = whole.model.bodies[c.body_a].mechanism;
    const int b = whole.model.bodies[c.body_b].mechanism;
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
bool follow(const Undivided& whole, const std::vector<int>& mechanisms,
            const std::vector<double>& reach, Division* division) {
  const Submodel part(whole.model, mechanisms);
  Simulator simulator(part.model(), whole.options);
  const ContactSearch& search = simulator.search();
  dynamics::State state{.t = whole.start.t};
  part.take(whole.start.q, whole.start.v, &state);
  part.take(whole.memory).save(&state.memory);
  std::vector<double> way(part.model().bodies.size(), 0.0);  // m   at most
  StepReport one;
  int num_contacts = 0;
  int num_active = 0;
  std::vector<double> after = search.calc_speeds(state.t, state.q, state.v);
  while (state.t < division->t_end) {
    const double t = state.t;
    const std::vector<double> before = after;
    simulator.step(division->t_end, &state, &one);
    if (one.status != AdvanceStatus::kReachedEnd) return false;
    after = search.calc_speeds(state.t, state.q, state.v);
    for (std::size_t i = 0; i < way.size(); ++i) {
      way[i] += (state.t - t) * std::max(before[i], after[i]);
      const int body = part.body(static_cast<int>(i));
      if (way[i] > reach[body] && whole.model.bodies[body].is_mobile()) return false;
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

}  // namespace

bool may_divide(const dynamics::Model& model) {
  return model.num_mechanisms() >= kManyMechanisms && has_only_loose_bodies(model);
}

std::optional<Division> divide(const Undivided& whole, const DivisionTime& time,
                               const std::vector<double>& ends, ContactSearch* search) {
  double h = time.longest;
  std::vector<double> reach;
  std::vector<std::vector<int>> groups;
  for (int k = 0; k < kMaxDivisionTries && h > time.shortest; ++k) {
    reach = calc_reach(whole, h, *search);
    groups = make_groups(whole, h, reach, ends, search);
    if (!groups.empty()) break;
    h *= 0.5;
  }
  if (groups.empty()) return {};
  Division division{.t_end = std::min(whole.start.t + h, whole.start.t_limit),
                    .q = whole.start.q,
                    .v = whole.start.v};
  for (const std::vector<int>& group : groups) {
    if (!group.empty() && !follow(whole, group, reach, &division)) return {};
  }
  return division;
}

}  // namespace tenpin::methods::analytic
