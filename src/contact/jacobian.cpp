#include "contact/jacobian.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <numeric>

namespace tenpin::contact {

namespace {

// One row of a body's Jacobian: the velocity along `direction` of the point at `arm`, or, when
// `is_spin`, the angular velocity along it.
void fill_row(const dynamics::Body& body, const Vec3& direction, const Vec3& arm, bool is_spin,
              double* row) {
  const Vec3 linear = is_spin ? Vec3(Vec3::Zero()) : direction;
  const Vec3 angular = is_spin ? direction : Vec3(arm.cross(direction));
  if (body.joint.type == dynamics::JointType::kPlanar) {
    const Mat3& R_WJ = body.joint.X_PJ.R;
    row[0] = R_WJ.col(0).dot(linear);
    row[1] = R_WJ.col(1).dot(linear);
    row[2] = R_WJ.col(2).dot(angular);
  } else {
    Eigen::Map<Vec3>{row} = linear;
    Eigen::Map<Vec3>{row + 3} = angular;
  }
}

// Multiplies all rows by the velocities, with sums in the order of the velocities. Most bodies are
// loose and have six velocities, a length that is known at compile time.
template <typename Rows>
ContactVector multiply_rows(const Rows& J, const double* v) {
  ContactVector u = ContactVector::Zero();
  if (J.cols() == 6) {
    for (int k = 0; k < 6; ++k) u += J.col(k) * v[k];
  } else {
    for (int k = 0; k < J.cols(); ++k) u += J.col(k) * v[k];
  }
  return u;
}

using Side = ContactJacobian::Side;
using Sides = std::span<const Side, 2>;

Side make_side(const dynamics::Model& model, int mechanism) {
  Side side{.mechanism = mechanism};
  if (mechanism >= 0) {
    side.v_begin = model.mechanisms[mechanism].v_begin;
    side.nv = model.mechanisms[mechanism].nv;
  }
  return side;
}

// True if the bodies of a contact are all loose or fixed: filling then sets all its rows.
bool is_loose(const dynamics::Model& model, Sides sides) {
  return std::all_of(sides.begin(), sides.end(), [&model](const Side& s) {
    return s.nv == 0 || model.mechanisms[s.mechanism].is_loose;
  });
}

// Poses of all bodies, and the motion of prescribed bodies.
struct Scene {
  const dynamics::Model& model;
  const std::vector<Pose>& X_WB;
  const std::vector<dynamics::Twist>& V_drive;
  double at_core;  // -   1: friction acts at the core of a rounded surface, 0: on the surface
};

// The points and directions of one side of a contact.
struct BodyRows {
  int body;
  std::array<Vec3, 4> directions;
  std::array<Vec3, 3> points;  // m   of the first three rows; the fourth is spin
  bool turns = false;          // all rows are of rotations
};

// Adds the rows of a body to the rows of a side, which are stored one after another.
void add_rows(const Scene& scene, const Side& side, const BodyRows& rows, double* of_side) {
  const dynamics::Model& model = scene.model;
  if (side.nv == 0 || !model.bodies[rows.body].is_mobile()) return;
  const dynamics::Body& body = model.bodies[rows.body];
  const bool is_loose = model.mechanisms[body.mechanism].is_loose;
  for (int r = 0; r < kNumRows; ++r) {
    double* row = of_side + r * side.nv;
    const bool is_spin = rows.turns || r == kSpinRow;
    const Vec3& point = rows.points[std::min(r, 2)];
    if (is_loose) {
      fill_row(body, rows.directions[r], point - scene.X_WB[rows.body].p, is_spin, row);
    } else {
      const Vec3 zero = Vec3::Zero();
      add_jacobian_row(model, scene.X_WB, rows.body,
                       {.p_W = point,
                        .linear = is_spin ? zero : rows.directions[r],
                        .angular = is_spin ? rows.directions[r] : zero},
                       row);
    }
  }
}

// Fills the rows of all sides; returns the contribution of prescribed motion.
ContactVector fill_surface(const Scene& scene, const Contact& c, Sides sides, double* rows) {
  const Vec3 grip_a = c.p_a - scene.at_core * c.radius_a * c.normal;
  const Vec3 grip_b = c.p_b + scene.at_core * c.radius_b * c.normal;
  const int m_a = scene.model.bodies[c.body_a].mechanism;
  const bool together = m_a >= 0 && m_a == scene.model.bodies[c.body_b].mechanism;
  const Side& side_a = sides[together ? 1 : 0];
  add_rows(scene, side_a,
           {.body = c.body_a,
            .directions = {-c.normal, -c.t1, -c.t2, -c.normal},
            .points = {c.p_a, grip_a, grip_a}},
           rows + side_a.offset);
  add_rows(scene, sides[1],
           {.body = c.body_b,
            .directions = {c.normal, c.t1, c.t2, c.normal},
            .points = {c.p_b, grip_b, grip_b}},
           rows + sides[1].offset);
  const dynamics::Twist& a = scene.V_drive[c.body_a];
  const dynamics::Twist& b = scene.V_drive[c.body_b];
  const Vec3 u = b.at(grip_b - scene.X_WB[c.body_b].p) - a.at(grip_a - scene.X_WB[c.body_a].p);
  ContactVector drive = {c.normal.dot(u), c.t1.dot(u), c.t2.dot(u), c.normal.dot(b.w - a.w)};
  if (c.has_belt) drive += belt_velocity(c);
  return drive;
}

// Rotation about the tangents, times the length that makes it a velocity. Bodies that move in a
// plane turn about its normal only.
ContactVector fill_rolling(const Scene& scene, const Contact& c, Sides sides, double* rows) {
  const Vec3 none = Vec3::Zero();
  const Vec3 first = c.rolling * c.t1;
  const Vec3 second = c.is_planar ? none : Vec3(c.rolling * c.t2);
  const int m_a = scene.model.bodies[c.body_a].mechanism;
  const bool together = m_a >= 0 && m_a == scene.model.bodies[c.body_b].mechanism;
  const Side& side_a = sides[together ? 1 : 0];
  add_rows(scene, side_a,
           {.body = c.body_a,
            .directions = {none, -first, -second, none},
            .points = {none, none, none},
            .turns = true},
           rows + side_a.offset);
  add_rows(scene, sides[1],
           {.body = c.body_b,
            .directions = {none, first, second, none},
            .points = {none, none, none},
            .turns = true},
           rows + sides[1].offset);
  const Vec3 w = scene.V_drive[c.body_b].w - scene.V_drive[c.body_a].w;
  return {0.0, first.dot(w), second.dot(w), 0.0};
}

void fill_joint(const Scene& scene, const Contact& contact, const Side& s, double* rows) {
  const dynamics::Body& body = scene.model.bodies[contact.body_b];
  const int row = contact.kind == ContactKind::kJointLimit ? kNormalRow : kT1Row;
  double* first = rows + s.offset + row * s.nv + body.joint.v_begin - s.v_begin;
  for (int k = 0; k < std::min(3, num_velocities(body.joint.type)); ++k) {
    first[k] = contact.direction[k];
  }
}

ContactVector fill(const Scene& scene, const Contact& contact, Sides sides, double* rows) {
  if (!is_loose(scene.model, sides)) {
    for (const Side& s : sides) std::fill_n(rows + s.offset, kNumRows * s.nv, 0.0);
  }
  if (contact.kind == ContactKind::kSurface) return fill_surface(scene, contact, sides, rows);
  if (contact.kind == ContactKind::kRollingFriction) {
    return fill_rolling(scene, contact, sides, rows);
  }
  fill_joint(scene, contact, sides[1], rows);
  return ContactVector::Zero();
}

}  // namespace

// Makes one side for each mechanism, or one side for both bodies if they belong to the same
// mechanism. Returns the number of velocities of all sides.
int ContactJacobian::make_sides(const dynamics::Model& model, std::span<const Contact> contacts) {
  sides_.resize(2 * contacts.size());
  split(workers_, static_cast<int>(contacts.size()), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const Contact& c = contacts[i];
      const bool is_joint =
          c.kind == ContactKind::kJointLimit || c.kind == ContactKind::kJointFriction;
      const int m_a = is_joint ? -1 : model.bodies[c.body_a].mechanism;
      const int m_b = model.bodies[c.body_b].mechanism;
      sides_[2 * i] = make_side(model, m_a == m_b ? -1 : m_a);
      sides_[2 * i + 1] = make_side(model, m_b);
    }
  });
  int size = 0;
  for (Side& side : sides_) {
    side.offset = size;
    size += kNumRows * side.nv;
  }
  return size;
}

// Copies each row of L_ to J_ and replaces it in L_ by its solution with the mass matrix.
void ContactJacobian::solve_sides(int contact, const dynamics::MassMatrix& M) {
  constexpr int kLoose = 6;
  double of_loose[kLoose];
  for (int which = 0; which < 2; ++which) {
    const Side& s = side(contact, which);
    if (s.nv > kLoose) row_.resize(s.nv);
    double* const row = s.nv > kLoose ? row_.data() : of_loose;
    for (int r = 0; r < kNumRows && s.nv > 0; ++r) {
      double* const solved = L_.data() + s.offset + r * s.nv;
      std::copy_n(solved, s.nv, row);
      for (int i = 0; i < s.nv; ++i) J_[s.offset + i * kNumRows + r] = row[i];
      M.solve_block(s.mechanism, row, solved);
    }
  }
  own_[contact].setZero();
  add_delassus(contact, contact, &own_[contact]);
}

void ContactJacobian::update_one(const dynamics::Model& model, int contact, const Contact& moved,
                                 const std::vector<Pose>& X_WB,
                                 const std::vector<dynamics::Twist>& V_drive,
                                 const dynamics::MassMatrix& M) {
  drives_[contact] = fill({model, X_WB, V_drive, at_core_}, moved, sides_of(contact), L_.data());
  solve_sides(contact, M);
}

void ContactJacobian::update(const dynamics::Model& model, std::span<const Contact> contacts,
                             const std::vector<Pose>& X_WB,
                             const std::vector<dynamics::Twist>& V_drive,
                             const dynamics::MassMatrix& M, FrictionPoint friction_point) {
  const int size = make_sides(model, contacts);
  if (is_shared()) sort_sides(model.num_mechanisms());
  J_.resize(size);
  L_.resize(size);
  drives_.resize(contacts.size());
  own_.resize(contacts.size());
  at_core_ = friction_point == FrictionPoint::kCore ? 1.0 : 0.0;
  const Scene scene = {model, X_WB, V_drive, at_core_};
  const int num_contacts = static_cast<int>(contacts.size());
  std::atomic<bool> has_trees = false;
  split(workers_, num_contacts, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      drives_[i] = fill(scene, contacts[i], sides_of(i), L_.data());
      if (is_loose(model, sides_of(i))) {
        solve_sides(i, M);
      } else {
        has_trees = true;
      }
    }
  });
  // Only one thread at a time can solve with the mass matrix of a tree.
  for (int i = 0; has_trees && i < num_contacts; ++i) {
    if (!is_loose(model, sides_of(i))) solve_sides(i, M);
  }
}

ContactVector ContactJacobian::velocity_of_bodies(int contact, const VecX& v) const {
  ContactVector u = ContactVector::Zero();
  for (int which = 0; which < 2; ++which) {
    const Side& s = side(contact, which);
    if (s.nv > 0) u += multiply_rows(rows(s), v.data() + s.v_begin);
  }
  return u;
}

double ContactJacobian::normal_velocity(int contact, const VecX& v) const {
  double u = 0.0;
  for (int which = 0; which < 2; ++which) {
    const Side& s = side(contact, which);
    double of_side = 0.0;
    for (int i = 0; i < s.nv; ++i) of_side += rows(s)(kNormalRow, i) * v[s.v_begin + i];
    u += of_side;
  }
  return u + drives_[contact][kNormalRow];
}

ContactVector ContactJacobian::velocity(int contact, const VecX& v) const {
  return velocity_of_bodies(contact, v) + drives_[contact];
}

void ContactJacobian::add_impulse(int contact, const ContactVector& impulse, VecRef f) const {
  for (int which = 0; which < 2; ++which) {
    const Side& s = side(contact, which);
    for (int r = 0; r < kNumRows; ++r) {
      for (int i = 0; i < s.nv; ++i) f[s.v_begin + i] += rows(s)(r, i) * impulse[r];
    }
  }
}

void ContactJacobian::add_side_change(const Side& s, const ContactVector& impulse,
                                      double* v) const {
  const double* l = L_.data() + s.offset;
  double* const out = v + s.v_begin;
  for (int r = 0; r < kNumRows; ++r, l += s.nv) {
    for (int i = 0; i < s.nv; ++i) out[i] += l[i] * impulse[r];
  }
}

void ContactJacobian::add_velocity_change(int contact, const ContactVector& impulse,
                                          VecRef v) const {
  for (int which = 0; which < 2; ++which) add_side_change(side(contact, which), impulse, v.data());
}

// A counting sort keeps the order of the contacts.
void ContactJacobian::sort_sides(int num_mechanisms) {
  first_side_.assign(num_mechanisms + 1, 0);
  for (const Side& s : sides_) {
    if (s.mechanism >= 0) ++first_side_[s.mechanism];
  }
  std::partial_sum(first_side_.begin(), first_side_.end(), first_side_.begin());
  sorted_sides_.resize(first_side_.back());
  for (int i = static_cast<int>(sides_.size()) - 1; i >= 0; --i) {
    if (sides_[i].mechanism >= 0) sorted_sides_[--first_side_[sides_[i].mechanism]] = i;
  }
}

void ContactJacobian::add_velocity_changes(std::span<const ContactVector> impulses,
                                           VecRef v) const {
  if (!is_shared()) {
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      add_side_change(sides_[i], impulses[i / 2], v.data());
    }
    return;
  }
  workers_->split(static_cast<int>(first_side_.size()) - 1, [&](int begin, int end) {
    for (int k = first_side_[begin]; k < first_side_[end]; ++k) {
      const int i = sorted_sides_[k];
      add_side_change(sides_[i], impulses[i / 2], v.data());
    }
  });
}

void ContactJacobian::add_velocity_change_sizes(int contact, const ContactVector& impulse,
                                                VecRef v) const {
  for (int which = 0; which < 2; ++which) {
    const Side& s = side(contact, which);
    for (int r = 0; r < kNumRows; ++r) {
      const double* l = L_.data() + s.offset + r * s.nv;
      for (int i = 0; i < s.nv; ++i) v[s.v_begin + i] += std::fabs(l[i] * impulse[r]);
    }
  }
}

void ContactJacobian::add_side_product(const Side& si, const Side& sj, ContactBlock* W) const {
  for (int c = 0; c < kNumRows; ++c) {
    W->col(c) += multiply_rows(rows(si), L_.data() + sj.offset + c * sj.nv);
  }
}

void ContactJacobian::add_delassus(int i, int j, ContactBlock* W) const {
  for (int a = 0; a < 2; ++a) {
    for (int b = 0; b < 2; ++b) {
      const Side& si = side(i, a);
      const Side& sj = side(j, b);
      if (si.nv > 0 && sj.nv > 0 && si.mechanism == sj.mechanism) add_side_product(si, sj, W);
    }
  }
}

}  // namespace tenpin::contact
