#include "simulation/impl.h"
// The line above must come first.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "collide/narrow_phase.h"
#include "contact/finder.h"
#include "contact/jacobian.h"
#include "dynamics/articulated.h"
#include "dynamics/forces.h"
#include "dynamics/joint_forces.h"
#include "dynamics/mass_matrix.h"

namespace tenpin {

namespace {

// The state that queries need. Simulations pass their cached values, so nothing is computed twice.
struct View {
  const dynamics::Model& model;
  const dynamics::State& state;
  const std::vector<Pose>& X_WB;
  const std::vector<dynamics::Twist>& V_WB;
};

View view(const Simulation& simulation) {
  auto& i = const_cast<Simulation::Impl&>(simulation.impl());  // fills the caches
  i.update_kinematics();
  return {.model = i.model, .state = i.state, .X_WB = i.kinematics.X_WB, .V_WB = i.kinematics.V_WB};
}

// M v_dot + velocity terms, without gravity.
VecX calc_inertia_forces(const View& s, const VecX& v_dot) {
  std::vector<dynamics::Twist> A_WB;
  update_accelerations(s.model, {s.X_WB, s.V_WB, s.state.v, v_dot, s.state.t}, &A_WB);
  VecX f = VecX::Zero(s.model.nv);
  std::vector<dynamics::Wrench> scratch;
  for (const dynamics::Mechanism& m : s.model.mechanisms) {
    add_inverse_dynamics(s.model, m, {s.X_WB, s.V_WB, A_WB}, v_dot, &scratch, f);
  }
  return f;
}

VecX calc_weights(const View& s) {
  VecX f(s.model.nv);
  std::vector<dynamics::Wrench> scratch;
  dynamics::calc_gravity(s.model, s.X_WB, &scratch, f);
  return f;
}

VecX calc_smooth(const View& s) {
  VecX f(s.model.nv);
  std::vector<dynamics::Wrench> scratch;
  dynamics::calc_applied(s.model, s.X_WB, s.V_WB, {.t = s.state.t, .h = 0.0}, &scratch, f);
  for (const dynamics::Body& body : s.model.bodies) {
    if (!body.is_mobile() || !has_joint_forces(body.joint)) continue;
    for (int k = 0; k < num_velocities(body.joint.type); ++k) {
      const dynamics::JointLoad load =
          calc_joint_load(body.joint, k, s.state.q, s.state.v, s.state.t);
      f[body.joint.v_begin + k] += load.spring + load.other;
    }
  }
  return f;
}

dynamics::MassMatrix make_mass_matrix(const View& s) {
  dynamics::MassMatrix M;
  M.update(s.model, s.X_WB, s.state.q, VecX(VecX::Zero(s.model.nv)));
  return M;
}

// Takes over joint forces that the caller has written for the next step.
void take_controls(const Simulation& simulation) {
  const_cast<Simulation::Impl&>(simulation.impl()).use_joint_forces();
}

}  // namespace

MatX calc_mass_matrix(const Simulation& simulation) {
  const View s = view(simulation);
  MatX M = MatX::Zero(s.model.nv, s.model.nv);
  for (const dynamics::Mechanism& m : s.model.mechanisms) {
    dynamics::calc_mass_matrix(s.model, m, s.X_WB, M.block(m.v_begin, m.v_begin, m.nv, m.nv));
  }
  return M;
}

VecX calc_bias_forces(const Simulation& simulation) {
  const View s = view(simulation);
  return calc_inertia_forces(s, VecX::Zero(s.model.nv)) - calc_weights(s);
}

VecX calc_smooth_forces(const Simulation& simulation) {
  take_controls(simulation);
  return calc_smooth(view(simulation));
}

MatX calc_point_jacobian(const Simulation& simulation, BodyId body, const Vec3& p_W) {
  const int index = simulation.impl().check(body);
  check_vector("p_W", p_W, kLargestPosition);
  const View s = view(simulation);
  MatX J = MatX::Zero(6, s.model.nv);
  const int mechanism = s.model.bodies[index].mechanism;
  if (mechanism < 0) return J;
  const dynamics::Mechanism& m = s.model.mechanisms[mechanism];
  for (int k = 0; k < 6; ++k) {
    VecX row = VecX::Zero(m.nv);
    dynamics::PointDirection of{.p_W = p_W};
    (k < 3 ? of.linear : of.angular)[k % 3] = 1.0;
    add_jacobian_row(s.model, s.X_WB, index, of, row.data());
    J.row(k).segment(m.v_begin, m.nv) = row.transpose();
  }
  return J;
}

ContactRows calc_contact_rows(const Simulation& simulation, double reach) {
  TENPIN_REQUIRE(reach >= 0.0 && reach <= kLargestPosition,
                 fmt::format("reach: got {}, want 0 to {:g}", reach, kLargestPosition));
  const View s = view(simulation);
  contact::ContactFinder finder(s.model);
  std::vector<contact::Contact> found;
  finder.find(s.X_WB, std::vector<double>(s.model.bodies.size(), 0.5 * reach), &found);
  std::erase_if(found, [reach](const contact::Contact& c) {
    return c.gap > reach;
  });
  std::vector<dynamics::Twist> V_drive;
  const VecX zero = VecX::Zero(s.model.nv);
  update_twists(s.model, s.X_WB, zero, s.state.t, &V_drive);
  const dynamics::MassMatrix M = make_mass_matrix(s);
  contact::ContactJacobian J;
  J.update(s.model, found, s.X_WB, V_drive, M, contact::FrictionPoint::kSurface);
  ContactRows rows;
  const int nc = static_cast<int>(found.size());
  rows.J = MatX::Zero(3 * nc, s.model.nv);
  rows.drive.resize(3 * nc);
  for (int k = 0; k < nc; ++k) {
    const contact::Contact& c = found[k];
    for (const int which : {0, 1}) {
      const contact::ContactJacobian::Side& side = J.side(k, which);
      if (side.nv == 0) continue;
      rows.J.block(3 * k, side.v_begin, 3, side.nv) += J.rows(side).topRows<3>();
    }
    rows.drive.segment<3>(3 * k) = J.drive(k).head<3>();
    Contact& one = rows.contacts.emplace_back();
    one.body_a = {c.body_a};
    one.body_b = {c.body_b};
    one.position = 0.5 * (c.p_a + c.p_b);
    one.normal = c.normal;
    one.gap = c.gap;
    const Vec3 velocity = J.velocity(k, s.state.v).head<3>();
    one.normal_velocity = velocity[0];
    one.slip = c.t1 * velocity[1] + c.t2 * velocity[2];
    rows.axes.emplace_back();
    rows.axes.back() << c.normal, c.t1, c.t2;
    rows.friction.push_back(c.mu);
  }
  return rows;
}

MatX calc_delassus(const Simulation& simulation, const MatX& J) {
  const View s = view(simulation);
  check_size("J: columns", J.cols(), s.model.nv);
  check_numbers("J", J.data(), J.size(), std::numeric_limits<double>::max());
  return J * calc_responses(simulation, J);
}

MatX calc_responses(const Simulation& simulation, const MatX& J) {
  const View s = view(simulation);
  const dynamics::MassMatrix M = make_mass_matrix(s);
  MatX L(s.model.nv, J.rows());
  VecX column(s.model.nv);
  for (Eigen::Index k = 0; k < J.rows(); ++k) {
    M.solve(s.model, J.row(k).transpose(), column);
    L.col(k) = column;
  }
  return L;
}

VecX calc_forward_dynamics(const Simulation& simulation, const VecX& extra) {
  take_controls(simulation);
  const View s = view(simulation);
  check_size("extra", extra.size(), s.model.nv);
  check_numbers("extra", extra.data(), extra.size(), kLargestForce);
  const VecX zero = VecX::Zero(s.model.nv);
  const VecX f = calc_weights(s) + calc_smooth(s) + extra - calc_inertia_forces(s, zero);
  const dynamics::MassMatrix M = make_mass_matrix(s);
  VecX v_dot(s.model.nv);
  M.solve(s.model, f, v_dot);
  std::vector<dynamics::Twist> A_WB;
  update_accelerations(s.model, {s.X_WB, s.V_WB, s.state.v, zero, s.state.t}, &A_WB);
  VecX bend;
  for (int k = 0; k < s.model.num_mechanisms(); ++k) {
    const dynamics::Mechanism& m = s.model.mechanisms[k];
    if (m.loops.empty()) continue;
    M.inverse(k).loops().calc_accelerations(s.V_WB, A_WB, s.state.v, zero, &bend);
    M.inverse(k).close_rates(bend, v_dot.segment(m.v_begin, m.nv));
  }
  return v_dot;
}

VecX calc_inverse_dynamics(const Simulation& simulation, const VecX& v_dot) {
  const View s = view(simulation);
  check_size("v_dot", v_dot.size(), s.model.nv);
  check_numbers("v_dot", v_dot.data(), v_dot.size(), kLargestForce);
  return calc_inertia_forces(s, v_dot) - calc_weights(s);
}

Distance calc_distance(const Simulation& simulation, BodyId a, BodyId b) {
  const int body_a = simulation.impl().check(a);
  const int body_b = simulation.impl().check(b);
  TENPIN_REQUIRE(body_a != body_b, "b: got the same body twice, want another one");
  const View s = view(simulation);
  Distance least{.gap = std::numeric_limits<double>::infinity()};
  collide::NarrowPhase narrow_phase;
  for (int k = s.model.bodies[body_a].parts_begin; k < s.model.bodies[body_a].parts_end; ++k) {
    for (int l = s.model.bodies[body_b].parts_begin; l < s.model.bodies[body_b].parts_end; ++l) {
      const shapes::PlacedShape& A = s.model.parts[k].placed;
      const shapes::PlacedShape& B = s.model.parts[l].placed;
      const Pose X_WA = s.X_WB[body_a] * A.X_BS;
      const Pose X_WB = s.X_WB[body_b] * B.X_BS;
      const collide::Distance d =
          narrow_phase.calc_distance({.A = A.shape, .X_WA = X_WA, .B = B.shape, .X_WB = X_WB});
      if (!(d.gap < least.gap)) continue;
      least = {.gap = d.gap, .point_a = d.p_A, .point_b = d.p_B, .normal = d.normal};
    }
  }
  return least;
}

Vec3 calc_contact_force(const Simulation& simulation, BodyId a, BodyId b) {
  const int body_a = simulation.impl().check(a);
  const int body_b = simulation.impl().check(b);
  Vec3 sum = Vec3::Zero();
  for (const Contact& contact : simulation.contacts()) {
    const int first = contact.body_a.index;
    const int second = contact.body_b.index;
    if (first == body_a && second == body_b) sum += contact.force;
    if (first == body_b && second == body_a) sum -= contact.force;
  }
  return sum;
}

double calc_joint_effort(const Simulation& simulation, JointId joint) {
  const int body = simulation.impl().check(joint);
  for (const Reaction& reaction : simulation.reactions()) {
    if (reaction.kind == Reaction::Kind::kJoint && reaction.index == body) return reaction.drive;
  }
  return 0.0;
}

}  // namespace tenpin
