#include "methods/time_stepping/order2/finisher.h"

#include <algorithm>
#include <cmath>

#include "methods/time_stepping/tolerances.h"

namespace tenpin::methods::time_stepping::order2 {

using contact::Contact;
using contact::ContactVector;
using contact::kNormalRow;

namespace {

// Projections are repeated, so each one may leave a part of the gaps to the next. Contacts that
// this many linear systems cannot close stay where they are: positions are wrong by only O(h^3).
constexpr double kProjectionTolerance = 1e-3;
constexpr int kMaxProjectionSystems = 100;
constexpr int kMaxProjections = 3;
constexpr double kClosed = 1e-13;  // m

bool is_misplaced(double gap, double load, double tolerance) {
  return gap < -tolerance || (gap > tolerance && load > 0.0);
}

}  // namespace

Finisher::Finisher(const StepSetup& setup, ContactTracker* tracker, SubstepSolver* substeps,
                   SubstepMotion* motion)
    : setup_(&setup),
      tracker_(tracker),
      substeps_(substeps),
      motion_(motion),
      projection_(setup, kProjectionTolerance, kMaxProjectionSystems) {}

bool Finisher::finish(const NodeSet& nodes, StepProgress* step, NodeSet* changed,
                      StepReport* report) {
  std::vector<char>& is_changed = changed->has;
  is_changed.assign(step->schedule.nodes.size(), 0);
  std::span<const Contact> current = tracker_->find_active(*step, nodes, step->path.end);
  for (int pass = 1; find_unsettled(nodes, current, pass, *step); ++pass) {
    step->schedule.select(
        [&](int node) {
          return nodes.contains(node) && groups_.is_marked(node);
        },
        &refined_);
    if (!substeps_->refine(refined_, current, step, report)) return false;
    for (const int node : refined_.list) is_changed[node] = 1;
    current = tracker_->find_active(*step, nodes, step->path.end);
  }
  if (project(nodes, current, step)) is_changed = nodes.has;
  changed->list.clear();
  for (int node = 0; node < step->schedule.size(); ++node) {
    if (is_changed[node] != 0) changed->list.push_back(node);
  }
  for (const int node : nodes.list) step->schedule.nodes[node].state = NodeState::kFinished;
  return true;
}

// Marks the groups for which another solve is worth its cost. Forces that resist motion are known
// only after the first solve.
bool Finisher::find_unsettled(const NodeSet& nodes, std::span<const Contact> current, int pass,
                              const StepProgress& step) {
  groups_.reset(*setup_, step.active.contacts);
  bool any = false;
  if (pass == 1 && setup_->resists) {
    for (const int node : nodes.list) groups_.mark(node);
    any = true;
  }
  for (const JournalEntry& entry : step.journal.entries) {
    const int node = node_of(*setup_->model, entry.contact);
    if (entry.is_final || !nodes.contains(node)) continue;
    if (step.schedule.nodes[node].is_over_budget || groups_.is_marked(node)) continue;
    if (!is_unsettled(entry, current, pass, step)) continue;
    groups_.mark(node);
    any = true;
  }
  return any;
}

// True if the contact ends with a velocity other than the one for which the law was solved, or if
// its slip turned by another angle. This does not happen for contacts that rest or slide straight
// on.
bool Finisher::is_unsettled(const JournalEntry& entry, std::span<const Contact> current, int pass,
                            const StepProgress& step) const {
  const Path& path = step.path;
  const Contact* begin = contact::find_contact(step.active.contacts, entry.contact.key);
  const Contact* moved =
      begin != nullptr ? find_moved(*setup_, step, *begin, current, path.end.motion) : nullptr;
  if (moved == nullptr) return false;
  Contact end = *moved;
  align_tangents(entry.contact, &end);
  const double speed = calc_speed(*setup_, step, end);
  const ContactVector u1 = calc_contact_velocity(*setup_->model, end, path.end.motion, path.end.v);
  if (pass < count_passes(end) && (u1 - entry.after).head<3>().norm() > kSameVelocity * speed) {
    return true;
  }
  if (pass > 1) return false;
  const ContactVector u0 =
      calc_contact_velocity(*setup_->model, *begin, path.begin.motion, path.begin.v);
  const Vec2 after = u1.segment<2>(1);
  const double h = step.schedule.length(node_of(*setup_->model, end));
  const double change = std::max(std::fabs(entry.free_acceleration) * h,
                                 entry.normal_mobility * entry.impulse[kNormalRow]);
  const Vec2 turn = calc_turn(*setup_, step, end, u0.segment<2>(1), after, change);
  const double worth = turn.squaredNorm() / std::max(after.norm(), 1e-6 * speed);
  return (turn - entry.turn).norm() > std::max(worth, 1e-12 * speed);
}

// The flow of trees contains their forces, so the two halves must cancel to rounding even at rest.
int Finisher::count_passes(const Contact& c) const {
  constexpr int kPassesOfTrees = 3;
  for (const int body : {c.body_a, c.body_b}) {
    const int m = setup_->model->bodies[body].mechanism;
    if (m >= 0 && !setup_->is_loose(m)) return std::max(setup_->options.passes, kPassesOfTrees);
  }
  return setup_->options.passes;
}

// m   The accuracy of positions: no better than the accuracy of the velocities.
double Finisher::calc_place_tolerance(const NodeSet& nodes, const StepProgress& step) const {
  double left = 0.0;
  for (const JournalEntry& entry : step.journal.entries) {
    if (entry.is_final || !nodes.contains(node_of(*setup_->model, entry.contact))) continue;
    left = std::max(left, entry.check.residual);
  }
  const double by_law = setup_->by_cone ? std::min(0.1 * setup_->tolerance(), left) *
                                              substeps_->speed() * step.schedule.h
                                        : 0.0;
  return std::max(kClosed, by_law);
}

// Writes the active contacts of the nodes and their loads to contacts_ and loads_. Returns the
// fraction of its load by which each contact is to be pressed together, or a negative number if no
// contact is misplaced.
double Finisher::collect_misplaced(const NodeSet& nodes, std::span<const Contact> current,
                                   double tolerance, const StepProgress& step) {
  contacts_.clear();
  loads_.clear();
  double press = 0.0;
  bool any = false;
  for (const JournalEntry& entry : step.journal.entries) {
    if (entry.is_final || !nodes.contains(node_of(*setup_->model, entry.contact))) continue;
    const Contact* c = contact::find_contact(current, entry.contact.key);
    if (c == nullptr) continue;
    contacts_.push_back(*c);
    // Another place of the same features has no load: it may overlap, but need not touch.
    const Contact* active = contact::find_contact(step.active.contacts, entry.contact.key);
    const bool is_there = active != nullptr && find_moved(*setup_, step, *active, current,
                                                          step.path.end.motion) != nullptr;
    const double load = is_there ? entry.impulse[kNormalRow] : 0.0;
    const double moved = entry.normal_mobility * load;
    const bool is_loaded = moved > 1e-6 * tracker_->body_speed();
    loads_.push_back(is_loaded ? load : 0.0);
    if (is_loaded) press = std::max(press, 2.0 * std::fabs(c->gap) / moved);
    any = any || is_misplaced(c->gap, loads_.back(), tolerance);
  }
  return any ? press : -1.0;
}

// Moves bodies by the least motion in the mass metric that leaves g = 0 at loaded contacts and g >=
// 0 elsewhere. As a complementarity problem: the contact loads first press the bodies together, by
// a little more than the widest gap, and then the bodies are pushed apart until none overlaps.
// Velocities do not change. Returns true if anything moved.
bool Finisher::project(const NodeSet& nodes, std::span<const Contact> current, StepProgress* step) {
  const double tolerance = calc_place_tolerance(nodes, *step);
  for (int round = 0; round < kMaxProjections; ++round) {
    if (round > 0) current = tracker_->find_active(*step, nodes, step->path.end);
    const double press = collect_misplaced(nodes, current, tolerance, *step);
    if (press < 0.0) return round > 0;
    for (double& load : loads_) load *= press;
    const VecX* displacement = projection_.solve(
        *setup_, {.X_WB = step->path.end.motion.X, .V_drive = setup_->rest, .M = motion_->masses()},
        contacts_, loads_);
    if (displacement == nullptr) return round > 0;
    std::vector<Node>& all = step->schedule.nodes;
    for (const int i : nodes.list) {
      all[i].works.projection -= motion_->calc_energy_at_end(*step, i);
    }
    displace(nodes, *displacement, step);
    for (const int i : nodes.list) {
      all[i].works.projection += motion_->calc_energy_at_end(*step, i);
    }
  }
  return true;
}

void Finisher::displace(const NodeSet& nodes, const VecX& by, StepProgress* step) {
  const dynamics::Model& model = *setup_->model;
  Instant& end = step->path.end;
  q_ = end.q;
  for (const int m : nodes.list) {
    if (m == step->schedule.driven_node()) continue;
    const dynamics::Mechanism& mechanism = model.mechanisms[m];
    for (const int i : mechanism.bodies) {
      const dynamics::Joint& joint = model.bodies[i].joint;
      if (num_velocities(joint.type) > 0) dynamics::displace(joint, q_, by, end.q);
    }
    if (!mechanism.loops.empty()) {
      (void)close_loops(model, mechanism, step->schedule.time(m, 1.0), &end.q);
    }
  }
  motion_->place(step->schedule, nodes, 1.0, &end);
}

}  // namespace tenpin::methods::time_stepping::order2
