#include "dynamics/loops.h"

namespace tenpin::dynamics {

namespace {

Pose pose_of(int body, const std::vector<Pose>& X_WB) {
  return body == kWorld ? Pose{} : X_WB[body];
}

Twist twist_of(int body, const std::vector<Twist>& V_WB) {
  return body == kWorld ? Twist{} : V_WB[body];
}

}  // namespace

void LoopRows::append_points(const Row& base, const Vec3& apart) {
  for (int k = 0; k < 3; ++k) {
    Row row = base;
    row.kind = Kind::kPoint;
    row.linear = Vec3::Unit(k);
    rows_.push_back(row);
    phi_.push_back(apart[k]);
  }
}

// Adds a row that keeps two directions, one on each body, perpendicular: phi = t_a . u_b.
void LoopRows::append_angle(Row row, const Vec3& t_a, const Vec3& u_b) {
  row.kind = Kind::kAngle;
  row.t_a = t_a;
  row.u_b = u_b;
  row.angular = u_b.cross(t_a);
  rows_.push_back(row);
  phi_.push_back(t_a.dot(u_b));
}

// Adds a row phi = (d . d - length^2) / (2 length), which is smooth and equals the error of the
// distance to first order.
void LoopRows::append_distance(Row row, const Vec3& apart, double length) {
  row.kind = Kind::kDistance;
  row.length = length;
  row.linear = apart / length;
  rows_.push_back(row);
  phi_.push_back((apart.squaredNorm() - length * length) / (2.0 * length));
}

void LoopRows::append_coupling(Row row, const Model& model, const Loop& loop, ConstVecRef q) {
  row.kind = Kind::kCoupling;
  const Joint& a = model.bodies[loop.body_a].joint;
  row.v_a = a.v_begin;
  const auto& c = loop.polynomial;
  double value = c[0];
  if (loop.body_b != kWorld) {
    const Joint& b = model.bodies[loop.body_b].joint;
    row.v_b = b.v_begin;
    const double x = q[b.q_begin];
    value = c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
    row.slope = c[1] + x * (2.0 * c[2] + x * (3.0 * c[3] + x * 4.0 * c[4]));
    row.curvature = 2.0 * c[2] + x * (6.0 * c[3] + x * 12.0 * c[4]);
  }
  rows_.push_back(row);
  phi_.push_back(q[a.q_begin] - value);
}

void LoopRows::append(const Model& model, int index, const std::vector<Pose>& X_WB, ConstVecRef q) {
  const Loop& loop = model.loops[index];
  Row base;
  base.loop = index;
  base.body_a = loop.body_a;
  base.body_b = loop.body_b;
  if (loop.kind == Loop::Kind::kCoupling) {
    append_coupling(base, model, loop, q);
    return;
  }
  const Pose X_WA = pose_of(loop.body_a, X_WB);
  const Pose X_WC = pose_of(loop.body_b, X_WB);
  base.r_a = X_WA.R * loop.p_A;
  base.r_b = X_WC.R * loop.p_B;
  const Vec3 apart = (X_WC.p + base.r_b) - (X_WA.p + base.r_a);
  if (loop.kind == Loop::Kind::kDistance) {
    append_distance(base, apart, loop.length);
    return;
  }
  append_points(base, apart);
  const Mat3 R_a = X_WA.R * loop.R_A;
  const Mat3 R_b = X_WC.R * loop.R_B;
  if (loop.kind == Loop::Kind::kHinge) {
    append_angle(base, R_a.col(0), R_b.col(2));
    append_angle(base, R_a.col(1), R_b.col(2));
  } else if (loop.kind == Loop::Kind::kWeld) {
    for (int k = 0; k < 3; ++k) append_angle(base, R_a.col(k), R_b.col((k + 1) % 3));
  }
}

void LoopRows::update(const Model& model, const Mechanism& mechanism, const std::vector<Pose>& X_WB,
                      ConstVecRef q) {
  rows_.clear();
  phi_.clear();
  for (const int loop : mechanism.loops) append(model, loop, X_WB, q);
  errors_ = Eigen::Map<const VecX>(phi_.data(), size());
  J_.setZero(size(), mechanism.nv);
  VecX line(mechanism.nv);
  for (int i = 0; i < size(); ++i) {
    const Row& row = rows_[i];
    if (row.kind == Kind::kCoupling) {
      J_(i, row.v_a - mechanism.v_begin) += 1.0;
      if (row.v_b >= 0) J_(i, row.v_b - mechanism.v_begin) -= row.slope;
      continue;
    }
    line.setZero();
    const Vec3 p_a = pose_of(row.body_a, X_WB).p + row.r_a;
    const Vec3 p_b = pose_of(row.body_b, X_WB).p + row.r_b;
    add_jacobian_row(model, X_WB, row.body_a, {p_a, -row.linear, -row.angular}, line.data());
    add_jacobian_row(model, X_WB, row.body_b, {p_b, row.linear, row.angular}, line.data());
    J_.row(i) = line;
  }
}

void LoopRows::calc_rates(const std::vector<Twist>& V_WB, ConstVecRef v, VecX* rates) const {
  rates->resize(size());
  for (int i = 0; i < size(); ++i) {
    const Row& row = rows_[i];
    if (row.kind == Kind::kCoupling) {
      (*rates)[i] = v[row.v_a] - (row.v_b >= 0 ? row.slope * v[row.v_b] : 0.0);
      continue;
    }
    const Twist a = twist_of(row.body_a, V_WB);
    const Twist b = twist_of(row.body_b, V_WB);
    (*rates)[i] = row.linear.dot(b.at(row.r_b) - a.at(row.r_a)) + row.angular.dot(b.w - a.w);
  }
}

void LoopRows::calc_accelerations(const std::vector<Twist>& V_WB, const std::vector<Twist>& A_WB,
                                  ConstVecRef v, ConstVecRef v_dot, VecX* accelerations) const {
  accelerations->resize(size());
  for (int i = 0; i < size(); ++i) {
    const Row& row = rows_[i];
    double& result = (*accelerations)[i];
    if (row.kind == Kind::kCoupling) {
      result = v_dot[row.v_a];
      if (row.v_b >= 0) {
        result -= row.slope * v_dot[row.v_b] + row.curvature * v[row.v_b] * v[row.v_b];
      }
      continue;
    }
    const Twist a = twist_of(row.body_a, V_WB);
    const Twist b = twist_of(row.body_b, V_WB);
    const Twist A_a = twist_of(row.body_a, A_WB);
    const Twist A_b = twist_of(row.body_b, A_WB);
    const Vec3 a_b = A_b.at(row.r_b) + b.w.cross(b.w.cross(row.r_b));
    const Vec3 a_a = A_a.at(row.r_a) + a.w.cross(a.w.cross(row.r_a));
    result = row.linear.dot(a_b - a_a) + row.angular.dot(A_b.w - A_a.w);
    if (row.kind == Kind::kAngle) {
      const Vec3 s_dot = b.w.cross(row.u_b).cross(row.t_a) + row.u_b.cross(a.w.cross(row.t_a));
      result += s_dot.dot(b.w - a.w);
    } else if (row.kind == Kind::kDistance) {
      result += (b.at(row.r_b) - a.at(row.r_a)).squaredNorm() / row.length;
    }
  }
}

}  // namespace tenpin::dynamics
