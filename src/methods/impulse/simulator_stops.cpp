// Finds the times at which joints reach their stops, and resolves these impacts.
#include <algorithm>
#include <cmath>

#include "methods/impulse/simulator.h"
#include "methods/impulse/slow_certificate.h"

namespace tenpin::methods::impulse {

using contact::Contact;
using contact::ContactRecord;
using contact::Ledger;

double Simulator::calc_next_stop_time(int stop) {
  mover_.move(stops_.body(stop), now_, &bodies_);
  const Contact c = stops_.calc_contact(stop);
  const double gap = stops_.lever(stop) * c.gap;
  const double v_n = stops_.calc_velocity(c, stop);
  note_overlap(gap, [&] {
    return "the joint of " + model_->bodies[stops_.body(stop)].name + " and its stop";
  });
  if (rule_.collides(gap, v_n, 0.0)) return now_;
  return calc_heap_time(
      collide::calc_closing_time(gap - calc_goal(gap), v_n, stops_.calc_unsteadiness(stop)),
      looks_.slice);
}

void Simulator::hit_stop(int stop) {
  const Contact c = stops_.calc_contact(stop);
  const double v_n = stops_.calc_velocity(c, stop);
  const double W = stops_.update(c, stop);
  const ImpactAnswer answer = rule_.solve_stop(W, stops_.lever(stop) * c.gap, v_n);
  const double p_n = answer.p.z();
  stops_.apply(stop, p_n);
  const double after = stops_.calc_velocity(c, stop);
  const double speed = std::max(std::fabs(v_n), std::fabs(after));
  const double left = answer.kind == ImpactKind::kLaw ? std::fabs(after) : 0.0;
  SlowCertificate slow;
  slow.add(Vec3(0.0, 0.0, v_n), Vec3(0.0, 0.0, after), answer.p, 0.0);
  const double height = thresholds_.refuge() - stops_.lever(stop) * c.gap;
  slow.allow_lift(std::sqrt(2.0 * thresholds_.fall * std::max(0.0, height)), 0.0, 0.0);
  const double residual =
      std::max({std::fabs(after - v_n - W * p_n) / speed, left / speed,
                answer.kind == ImpactKind::kLaw ? 0.0 : slow.calc_residual(answer.kind)});
  count(answer.kind);
  record_stop(c, stop, {.v = Vec3(0.0, 0.0, v_n), .p = answer.p, .residual = residual});
  const bool lifts = answer.kind == ImpactKind::kLift;
  book(lifts ? Ledger::kProjection : Ledger::kNormal, 0.5 * p_n * (v_n + after));
  if (accept(c, records_.back().residual)) update_pairs_of(c.body_b);
}

// Records a stop in the units of its joint, at the place of the joint.
void Simulator::record_stop(const Contact& c, int stop, const Impact& impact) {
  const dynamics::Joint& joint = model_->bodies[c.body_b].joint;
  const double after = stops_.calc_velocity(c, stop);
  const Pose X_WM = bodies_.pose(c.body_b) * joint.X_MB.inverse();
  ContactRecord r;
  r.key = c.key;
  r.body_a = r.body_b = c.body_b;
  r.position = X_WM.p;
  r.normal =
      joint.type == dynamics::JointType::kBall ? Vec3(X_WM.R * c.direction) : Vec3(X_WM.R.col(2));
  r.gap = c.gap;
  r.normal_impulse = stops_.lever(stop) * impact.p.z();
  r.normal_velocity = after / stops_.lever(stop);
  r.mode = contact::Mode::kResting;
  r.normal_work = 0.5 * impact.p.z() * (impact.v.z() + after);
  r.residual = impact.residual;
  add_record(r, now_);
  ++num_impact_records_;
  certificate_.residual = std::max(certificate_.residual, r.residual);
}

}  // namespace tenpin::methods::impulse
