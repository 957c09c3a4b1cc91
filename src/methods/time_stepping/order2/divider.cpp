#include "methods/time_stepping/order2/divider.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenpin::methods::time_stepping::order2 {

using contact::Contact;
using contact::kNormalRow;
using Restitution = scene::TimeSteppingOptions::Restitution;

namespace {

constexpr double kOverlapped = 1e-11;  // m   overlap that makes an inactive contact a violation
// -   of a step: impacts this close in time count as simultaneous
constexpr double kTogether = 1e-6;
constexpr double kNever = std::numeric_limits<double>::infinity();

void sort_by_key(std::vector<Contact>* contacts) {
  std::sort(contacts->begin(), contacts->end(), [](const Contact& a, const Contact& b) {
    return a.key < b.key;
  });
}

bool is_surface(const Contact& c) {
  return c.kind == contact::ContactKind::kSurface;
}

collide::Pair pair_of(const Contact& c) {
  return {.first = c.key.part_a, .second = c.key.part_b};
}

// Finds the contact at the start of a substep that became `end` at its end; null if there is none.
const Contact* find_origin(const StepSetup& setup, const StepProgress& step, const Contact& end,
                           std::span<const Contact> at_begin) {
  const auto is_same = [&](const Contact& begin) {
    return is_same_place(*setup.model, {.first = begin,
                                        .X_first = step.path.begin.motion.X,
                                        .second = end,
                                        .X_second = step.path.end.motion.X});
  };
  const Contact* best = contact::find_contact(at_begin, strip_elsewhere(end.key));
  if (best != nullptr) return is_same(*best) ? best : nullptr;
  // The keys of corners and edges change: only a single contact is certain to be the same.
  const bool is_single = !at_begin.empty() && is_surface(at_begin.back()) &&
                         (at_begin.size() == 1 || !is_surface(at_begin[at_begin.size() - 2]));
  return is_single && is_same(at_begin.back()) ? &at_begin.back() : nullptr;
}

}  // namespace

bool Divider::find_violations(const StepProgress& step) {
  violations_.clear();
  const std::vector<Pose>& X_end = step.path.end.motion.X;
  for (const Contact& c : step.end_contacts) {
    if (c.gap >= -kOverlapped) continue;
    const Contact* active = contact::find_contact(step.active.contacts, c.key);
    Contact found = c;
    if (active != nullptr) {
      if (is_same_place(*setup_->model, {.first = *active,
                                         .X_first = step.path.begin.motion.X,
                                         .second = c,
                                         .X_second = X_end})) {
        continue;
      }
      found.key = make_elsewhere_key(c.key);
      if (contact::find_contact(step.active.contacts, found.key) != nullptr) continue;
    }
    violations_.push_back({.at_end = found,
                           .at_begin = found,
                           .node = node_of(*setup_->model, c),
                           .p_a = X_end[c.body_a].inverse() * c.p_a,
                           .p_b = X_end[c.body_b].inverse() * c.p_b});
  }
  return !violations_.empty();
}

// Finds when the contact closed, from the parabola through its gap and velocity at the start and
// its gap at the end. A contact is slow if it closes no faster than a resting contact would and
// would not bounce for longer than a step. A slow contact becomes active as if it had touched from
// the start.
void Divider::classify(const StepProgress& step, Violation* violation) {
  const Path& path = step.path;
  const Contact& end = violation->at_end;
  pairs_.clear();
  if (is_surface(end)) pairs_.push_back(pair_of(end));
  const std::span<const Contact> at_begin = tracker_->find_at_begin(step, pairs_, true);
  const Contact* origin = find_origin(*setup_, step, end, at_begin);
  violation->at_begin =
      origin != nullptr ? *origin : carry(end, path.end.motion.X, path.begin.motion.X);
  violation->at_begin.key = end.key;
  const double u0 = calc_contact_velocity(*setup_->model, violation->at_begin, path.begin.motion,
                                          path.begin.v)[kNormalRow];
  const double h = step.schedule.length(violation->node);
  const double g0 = std::max(violation->at_begin.gap, 0.0);
  violation->crossing = calc_crossing({.g0 = g0, .u0 = u0, .g1 = end.gap}, h);
  const Crossing& at = violation->crossing;
  const double fall = std::fabs(at.bend) * step.schedule.h;
  const double e = *setup_->options.restitution == Restitution::kNone ? 0.0 : end.restitution;
  constexpr double kSlack = 1.01;
  violation->is_slow = -at.speed <= 1e-9 * tracker_->body_speed() ||
                       (-at.speed <= kSlack * fall && -2.0 * e * at.speed <= fall);
}

// Forms groups of nodes that active contacts and violations connect, and clusters of groups that
// are close at the end: an impact in one group of a cluster may affect the others.
void Divider::group(const StepProgress& step) {
  groups_.reset(*setup_, step.active.contacts);
  for (const Violation& v : violations_) groups_.join(*setup_, v.at_end);
  clusters_ = groups_;
  for (const Contact& c : step.end_contacts) clusters_.join(*setup_, c);
}

void Divider::select_hit(const Schedule& schedule, NodeSet* hit) const {
  schedule.select(
      [this](int node) {
        return hit_roots_[groups_.root(node)] != 0;
      },
      hit);
}

// Groups that meet may have begun their substeps at different times: the earlier ones catch up.
// Groups over the impact budget need not, since their substeps end at the same time.
bool Divider::meet(const NodeSet& hit, StepProgress* step, StepReport* report) {
  std::vector<Node>& nodes = step->schedule.nodes;
  std::vector<double>& latest = stops_.after;  // s   by root
  latest.assign(nodes.size(), 0.0);
  for (int node = 0; node < step->schedule.size(); ++node) {
    double& begin = latest[groups_.root(node)];
    begin = std::max(begin, nodes[node].begin);
  }
  step->schedule.select(
      [&](int node) {
        return hit.contains(node) && !nodes[node].is_over_budget &&
               nodes[node].begin < latest[groups_.root(node)];
      },
      &moving_);
  if (moving_.empty()) return true;
  for (const int node : moving_.list) nodes[node].end = latest[groups_.root(node)];
  if (!substeps_->solve(moving_, step, report)) return false;
  if (!finisher_->finish(moving_, step, &changed_, report)) return false;
  restart(*setup_, moving_, step);
  return true;
}

// Decides when the step of each group is divided: at its first impact, or not at all. Of groups
// that are close to each other, only the group with the earliest impact is divided: that impact may
// reach the others before their own.
void Divider::find_stops(const Schedule& schedule) {
  stops_.after.assign(schedule.nodes.size(), kNever);
  stops_.first.assign(schedule.nodes.size(), kNever);
  stops_.is_waiting.assign(schedule.nodes.size(), 0);
  for (const Violation& v : violations_) {
    if (v.is_slow) continue;
    double& stop = stops_.after[groups_.root(v.node)];
    stop = std::min(stop, v.crossing.s);
    double& first = stops_.first[clusters_.root(v.node)];
    first = std::min(first, schedule.nodes[v.node].begin + v.crossing.s);
  }
  for (int node = schedule.driven_node(); node >= 0; --node) {  // roots come last
    const int root = groups_.root(node);
    const double first = stops_.first[clusters_.root(node)];
    const bool is_waiting =
        schedule.nodes[root].begin + stops_.after[root] > first + kTogether * schedule.h;
    stops_.is_waiting[node] = is_waiting ? 1 : 0;
    stops_.after[node] = is_waiting ? kNever : stops_.after[root];
  }
}

// In clusters over the impact budget, contacts that come near without overlapping become active as
// well; their law lets them just touch. Otherwise each contact that overlaps after impulses change
// would cost another solve of a large group.
void Divider::guard_near(StepProgress* step) {
  if (*setup_->options.restitution != Restitution::kNone) return;
  const Path& path = step->path;
  std::vector<Contact>& active = step->active.contacts;
  const std::size_t num_active = active.size();
  for (const Contact& c : step->end_contacts) {
    const int node = node_of(*setup_->model, c);
    if (!step->schedule.nodes[node].is_over_budget) continue;
    groups_.join(*setup_, c);
    const std::span<const Contact> before(active.data(), num_active);
    if (c.gap < -kOverlapped || contact::find_contact(before, c.key) != nullptr) continue;
    const double u1 =
        calc_contact_velocity(*setup_->model, c, path.end.motion, path.end.v)[kNormalRow];
    active.push_back(carry(c, path.end.motion.X, path.begin.motion.X));
    step->active.near.push_back(
        {c.key, std::min(0.0, u1 - 2.0 * c.gap / step->schedule.length(node))});
  }
  std::sort(step->active.near.begin(), step->active.near.end());
}

bool Divider::resolve(StepProgress* step, NodeSet* moved, StepReport* report) {
  Schedule& schedule = step->schedule;
  // Find groups that may have to wait for each other.
  group(*step);
  hit_roots_.assign(schedule.nodes.size(), 0);
  num_impacts_.assign(schedule.nodes.size(), 0);
  for (const Violation& v : violations_) {
    hit_roots_[groups_.root(v.node)] = 1;
    num_impacts_[clusters_.root(v.node)] = 1;
  }
  select_hit(schedule, moved);
  apply_impact_budget(clusters_, &num_impacts_, &schedule);
  if (!meet(*moved, step, report)) return false;

  // Find when they collide.
  group(*step);
  num_impacts_.assign(schedule.nodes.size(), 0);
  for (Violation& v : violations_) {
    classify(*step, &v);
    num_impacts_[clusters_.root(v.node)] += v.is_slow ? 0 : 1;
  }
  apply_impact_budget(clusters_, &num_impacts_, &schedule);
  guard_near(step);
  for (Violation& v : violations_) {
    if (!schedule.nodes[v.node].is_over_budget || v.is_slow) continue;
    v.is_slow = true;
    ++report->division.late;
  }
  find_stops(schedule);
  hit_roots_.assign(schedule.nodes.size(), 0);
  for (const Violation& v : violations_) {
    if (stops_.is_waiting[v.node] != 0) continue;
    hit_roots_[groups_.root(v.node)] = 1;
    if (v.is_slow && std::isinf(stops_.after[v.node])) {
      step->active.contacts.push_back(v.at_begin);
    }
  }
  select_hit(schedule, moved);
  sort_by_key(&step->active.contacts);

  // Advance to the impacts, through them, and to the end.
  return divide(step, report) && substeps_->solve(*moved, step, report);
}

// Takes groups that have a stop to their first impact, and through it.
bool Divider::divide(StepProgress* step, StepReport* report) {
  Schedule& schedule = step->schedule;
  const auto has_stop = [this](int node) {
    return std::isfinite(stops_.after[node]);
  };
  schedule.select(has_stop, &moving_);
  if (moving_.empty()) return true;
  for (const int node : moving_.list) {
    schedule.nodes[node].end = schedule.nodes[node].begin + stops_.after[node];
    if (groups_.root(node) == node) ++schedule.nodes[node].divisions;
  }
  schedule.select(
      [&](int node) {
        return has_stop(node) && schedule.nodes[node].end > schedule.nodes[node].begin;
      },
      &moving_);
  if (!moving_.empty()) {
    if (!substeps_->solve(moving_, step, report)) return false;
    if (!finisher_->finish(moving_, step, &changed_, report)) return false;
    restart(*setup_, moving_, step);
  }
  schedule.select(has_stop, &moving_);
  for (const int node : moving_.list) schedule.nodes[node].end = schedule.h;
  activate_touching(moving_, step);
  groups_.reset(*setup_, step->active.contacts);
  for (const Violation& v : violations_) {
    if (has_stop(v.node)) groups_.mark(v.node);
  }
  const std::int64_t before = report->division.impacts;
  const bool is_solved = substeps_->collide(moving_, groups_, step, report);
  report->division.divisions += report->division.impacts - before;
  return is_solved;
}

bool Divider::is_hit_at_stop(const Violation& v, double h) const {
  return !v.is_slow && v.crossing.s <= stops_.after[v.node] + kTogether * h;
}

// Replaces the active contacts of the nodes, which are at their impacts, by the contacts that touch
// now.
void Divider::activate_touching(const NodeSet& nodes, StepProgress* step) {
  std::vector<Contact>& active = step->active.contacts;
  const auto moves = [&](const Contact& c) {
    return nodes.contains(node_of(*setup_->model, c));
  };
  pairs_.clear();
  for (const Contact& c : active) {
    if (is_surface(c) && moves(c)) pairs_.push_back(pair_of(c));
  }
  for (const Violation& v : violations_) {
    if (is_surface(v.at_end) && moves(v.at_end)) pairs_.push_back(pair_of(v.at_end));
  }
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  std::erase_if(active, moves);
  for (const Contact& c : tracker_->find_at_begin(*step, pairs_, false)) {
    if (!moves(c)) continue;
    const bool is_hit =
        std::any_of(violations_.begin(), violations_.end(), [&](const Violation& v) {
          return v.at_end.key == c.key && is_hit_at_stop(v, step->schedule.h);
        });
    if (is_hit || c.gap <= kTouching) active.push_back(c);
  }
  activate_second_places(step);
  sort_by_key(&active);
}

// Activates second places of contact. For a rim that touches at two places, only one is found.
void Divider::activate_second_places(StepProgress* step) const {
  const std::vector<Pose>& X = step->path.begin.motion.X;
  std::vector<Contact>& active = step->active.contacts;
  const std::size_t num_found = active.size();
  for (const Violation& v : violations_) {
    if (!is_hit_at_stop(v, step->schedule.h)) continue;
    if (v.at_end.key == strip_elsewhere(v.at_end.key)) continue;
    Contact c = v.at_end;
    c.p_a = X[c.body_a] * v.p_a;
    c.p_b = X[c.body_b] * v.p_b;
    c.gap = c.normal.dot(c.p_b - c.p_a);
    const auto is_same = [&](const Contact& k) {
      return k.key.part_a == c.key.part_a && k.key.part_b == c.key.part_b &&
             is_same_place(*setup_->model, {.first = k, .X_first = X, .second = c, .X_second = X});
    };
    const auto end = active.begin() + static_cast<std::ptrdiff_t>(num_found);
    if (std::none_of(active.begin(), end, is_same)) active.push_back(c);
  }
}

}  // namespace tenpin::methods::time_stepping::order2
