#include "methods/analytic/instant.h"

#include "dynamics/forces.h"
#include "dynamics/joint_forces.h"

namespace tenpin::methods::analytic {

InstantUpdate::InstantUpdate(const dynamics::Model& model)
    : model_(&model),
      f_(VecX::Zero(model.nv)),
      zero_(VecX::Zero(model.nv)),
      wrenches_(model.bodies.size()) {
  for (const dynamics::Body& body : model.bodies) {
    has_drives_ = has_drives_ || body.joint.type == dynamics::JointType::kPrescribed ||
                  body.joint.forces.motor.kind != dynamics::Motor::Kind::kNone ||
                  !body.applied.timed.empty();
  }
}

void InstantUpdate::move(double t, ConstVecRef q, ConstVecRef v, std::vector<Touch>* touches,
                         Instant* at) {
  find_what_moved(q, v, *at);
  at->t = t;
  at->q = q;
  at->v = v;
  update_poses(*model_, at->q, t, &at->X_WB);
  update_twists(*model_, at->X_WB, at->v, t, &at->V_WB);
  calc_free_acceleration(at);
  update_contacts(touches, at);
}

void InstantUpdate::find_what_moved(ConstVecRef q, ConstVecRef v, const Instant& before) {
  has_moved_.assign(model_->mechanisms.size(), true);
  if (!are_contacts_known_ || has_drives_) return;
  for (int k = 0; k < model_->num_mechanisms(); ++k) {
    const dynamics::Mechanism& m = model_->mechanisms[k];
    has_moved_[k] = q.segment(m.q_begin, m.nq) != before.q.segment(m.q_begin, m.nq) ||
                    v.segment(m.v_begin, m.nv) != before.v.segment(m.v_begin, m.nv);
  }
}

bool InstantUpdate::has_moved(const contact::Contact& contact) const {
  const int a = model_->bodies[contact.body_a].mechanism;
  const int b = model_->bodies[contact.body_b].mechanism;
  return has_drives_ || (a >= 0 && has_moved_[a]) || (b >= 0 && has_moved_[b]);
}

// Adds gravity, applied forces, and the springs, damping and motors of joints, with their powers.
void InstantUpdate::add_smooth_forces(Instant* at) {
  at->power_potential = at->power_applied = 0.0;
  for (const dynamics::Mechanism& mechanism : model_->mechanisms) {
    for (const int i : mechanism.bodies) {
      const dynamics::Body& body = model_->bodies[i];
      const dynamics::Twist& V = at->V_WB[i];
      const Vec3 weight = body.mass * model_->gravity;
      const dynamics::Wrench applied = calc_applied_wrench(body, V, at->t, 0.0);
      at->power_potential += weight.dot(V.v);
      at->power_applied += applied.force.dot(V.v) + applied.torque.dot(V.w);
      wrenches_[i].force += weight + applied.force;
      wrenches_[i].torque += applied.torque;
      for (int k = 0; k < num_velocities(body.joint.type) && has_joint_forces(body.joint); ++k) {
        const dynamics::JointLoad load = calc_joint_load(body.joint, k, at->q, at->v, at->t);
        const double rate = at->v[body.joint.v_begin + k];
        at->power_potential += load.spring * rate;
        at->power_applied += load.other * rate;
        f_[body.joint.v_begin + k] += load.spring + load.other;
      }
    }
  }
}

void InstantUpdate::calc_free_acceleration(Instant* at) {
  update_accelerations(*model_, {at->X_WB, at->V_WB, at->v, zero_, at->t}, &at->A_WB);
  f_.setZero(model_->nv);
  for (const dynamics::Mechanism& mechanism : model_->mechanisms) {
    for (const int i : mechanism.bodies) {
      const Mat3 I = calc_world_inertia(model_->bodies[i], at->X_WB[i]);
      const Vec3& w = at->V_WB[i].w;
      wrenches_[i] = {.force = -model_->bodies[i].mass * at->A_WB[i].v,
                      .torque = -(I * at->A_WB[i].w + w.cross(I * w))};
    }
  }
  add_smooth_forces(at);
  for (const dynamics::Mechanism& mechanism : model_->mechanisms) {
    add_generalized_forces(*model_, mechanism, at->X_WB, &wrenches_, f_);
  }
  at->M.update(*model_, at->X_WB, at->q, zero_);
  if (at->v_dot.size() != model_->nv) at->v_dot.setZero(model_->nv);
  at->M.solve(*model_, f_, at->v_dot);
  for (int m = 0; m < model_->num_mechanisms(); ++m) {
    const dynamics::Mechanism& mechanism = model_->mechanisms[m];
    if (mechanism.loops.empty()) continue;
    const dynamics::MechanismInverse& inverse = at->M.inverse(m);
    inverse.loops().calc_accelerations(at->V_WB, at->A_WB, at->v, zero_, &loop_accelerations_);
    inverse.close_rates(loop_accelerations_, at->v_dot.segment(mechanism.v_begin, mechanism.nv));
  }
}

void InstantUpdate::update_contacts(std::vector<Touch>* touches, Instant* at) {
  const std::size_t n = touches->size();
  const bool is_new = !are_contacts_known_;
  are_contacts_known_ = true;
  at->contacts.resize(n);
  at->accelerations.resize(n);
  at->velocities.resize(n);
  if (n == 0) return;
  update_twists(*model_, at->X_WB, zero_, at->t, &V_drive_);
  moved_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    Touch& touch = (*touches)[i];
    if (is_new || has_moved(touch.contact)) {
      moved_.push_back(static_cast<int>(i));
      update_contact(*model_, touch.track, at->X_WB, at->q, &touch.contact);
      at->contacts[i] = touch.contact;
    } else {
      touch.contact = at->contacts[i];
    }
  }
  contact::ContactJacobian& J = at->J;
  if (is_new) {
    J.update(*model_, at->contacts, at->X_WB, V_drive_, at->M, contact::FrictionPoint::kSurface);
  }
  for (const int i : moved_) {
    if (!is_new) J.update_one(*model_, i, at->contacts[i], at->X_WB, V_drive_, at->M);
    at->velocities[i] = J.velocity(i, at->v).head<3>();
    at->accelerations[i] = J.velocity_of_bodies(i, at->v_dot).head<3>() +
                           calc_bias((*touches)[i].track, at->contacts[i],
                                     {.X_WB = at->X_WB, .V_WB = at->V_WB, .A_WB = at->A_WB});
  }
}

}  // namespace tenpin::methods::analytic
