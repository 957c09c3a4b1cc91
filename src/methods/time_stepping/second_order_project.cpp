// Positions: gaps that a piece leaves at contacts which carried load, and overlaps, are closed.
#include <algorithm>
#include <cmath>

#include "dynamics/joint_forces.h"
#include "methods/time_stepping/second_order.h"

namespace tenpin::methods::time_stepping {

using contact::Contact;
using contact::kNormalRow;

namespace {

constexpr double kClosed = 1e-13;  // m
constexpr int kMaxProjections = 3;

}  // namespace

bool SecondOrderStepper::is_out_of_place(int i, double tolerance) const {
  const double gap = apart_.contacts[i].gap;
  return gap < -tolerance || (gap > tolerance && apart_.guess[i].x() > 0.0);
}

// m   What the solver left open of the velocities cannot be asked of positions.
double SecondOrderStepper::calc_place_tolerance() const {
  double left = 0.0;
  for (const Entry& entry : entries_) {
    if (entry.is_final || is_moving_[node_of(entry.contact)] == 0) continue;
    left = std::max(left, entry.check.residual);
  }
  return std::max(kClosed,
                  by_cone_ ? std::min(0.1 * *options_.tolerance, left) * speed_ * h_ : 0.0);
}

// Fills apart_ with the contacts that took part, and their loads for a guess. Returns by how much
// of its load each is to be pressed together, or a negative number if none is out of place.
double SecondOrderStepper::collect_apart(double tolerance) {
  apart_.contacts.clear();
  apart_.guess.clear();
  double press = 0.0;
  bool any = false;
  for (const Entry& entry : entries_) {
    if (entry.is_final || is_moving_[node_of(entry.contact)] == 0) continue;
    const Contact* c = contact::find_contact(shown_, entry.contact.key);
    if (c == nullptr) continue;
    apart_.contacts.push_back(*c);
    // Another place of the same features has no load: it may overlap, but need not touch.
    const Contact* held = contact::find_contact(held_, entry.contact.key);
    const bool is_there = held != nullptr && find_shown(*held, at_end_) != nullptr;
    const double load = is_there ? entry.impulse[kNormalRow] : 0.0;
    const double moved = entry.normal_mobility * load;
    const bool is_loaded = moved > 1e-6 * body_speed_;
    apart_.guess.emplace_back(is_loaded ? load : 0.0, 0.0, 0.0);
    if (is_loaded) press = std::max(press, 2.0 * std::fabs(c->gap) / moved);
    any = any || is_out_of_place(static_cast<int>(apart_.contacts.size()) - 1, tolerance);
  }
  return any ? press : -1.0;
}

// The least motion in the mass metric that leaves g = 0 where load was carried and g >= 0
// elsewhere. As a complementarity problem: bodies are first pressed together by their own loads, a
// little more than the widest of those gaps, and then pushed apart until none overlaps. Velocities
// stay. Begins with the contacts in shown_; true if anything moved.
bool SecondOrderStepper::project() {
  const double tolerance = calc_place_tolerance();
  for (int round = 0; round < kMaxProjections; ++round) {
    if (round > 0) find_known(at_end_, q_end_, reach_);
    const double press = collect_apart(tolerance);
    if (press < 0.0) return round > 0;
    const std::size_t n = apart_.contacts.size();
    apart_.with_friction = false;
    apart_.J.update(*model_, apart_.contacts, at_end_.X, V_zero_, M_,
                    contact::FrictionPoint::kSurface);
    apart_.v.setZero(model_->nv);
    apart_.mu.assign(n, 0.0);
    apart_.given.assign(n, 0.0);
    apart_.memory.assign(n, Vec3::Zero());
    apart_.softness.assign(n, Vec3::Zero());
    apart_.required.resize(n);
    for (int i = 0; i < apart_.size(); ++i) {
      apart_.required[i] = -apart_.contacts[i].gap;
      apart_.guess[i] *= press;
      apart_.J.add_velocity_change(i, {-apart_.guess[i].x(), 0.0, 0.0, 0.0}, apart_.v);
    }
    apart_solver_.solve(apart_, &apart_answer_);
    if (apart_answer_.status != complementarity::SolveStatus::kSolved) return round > 0;
    for (const int node : moving_) works_[node].projection -= calc_energy_at_end(node);
    displace_bodies(apart_answer_.v);
    for (const int node : moving_) works_[node].projection += calc_energy_at_end(node);
  }
  return true;
}

void SecondOrderStepper::displace_bodies(const VecX& by) {
  q_scratch_ = q_end_;
  for (const int m : moving_) {
    if (m == driven_node_) continue;
    for (const int i : model_->mechanisms[m].bodies) {
      const dynamics::Joint& joint = model_->bodies[i].joint;
      if (num_velocities(joint.type) > 0) dynamics::displace(joint, q_scratch_, by, q_end_);
    }
    if (!model_->mechanisms[m].loops.empty()) {
      (void)close_loops(*model_, model_->mechanisms[m], time(m, 1.0), &q_end_);
    }
  }
  place(q_end_, v_end_, 1.0, &at_end_);
}

// J   of one node.
double SecondOrderStepper::calc_energy_at_end(int node) {
  if (node == driven_node_) return 0.0;
  double energy = calc_kinetic(node, time(node, 1.0), at_end_.X, v_end_);
  for (const int i : model_->mechanisms[node].bodies) {
    energy -= model_->bodies[i].mass * model_->gravity.dot(at_end_.X[i].p);
  }
  return energy + calc_spring_energy(*model_, model_->mechanisms[node], q_end_, v_end_);
}

}  // namespace tenpin::methods::time_stepping
