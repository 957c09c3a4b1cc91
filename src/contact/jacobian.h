// Contact velocities from the velocities of the bodies.
#pragma once

#include <span>
#include <vector>

#include "base/workers.h"
#include "contact/contact.h"
#include "dynamics/kinematics.h"
#include "dynamics/mass_matrix.h"
#include "dynamics/model.h"

namespace tenpin::contact {

// The velocity of b relative to a, or the impulse on b: along the normal, t1 and t2, and spin about
// the normal.
using ContactVector = Eigen::Vector4d;  // m/s, m/s, m/s, rad/s   or   N s, N s, N s, N m s
using ContactBlock = Eigen::Matrix4d;
enum ContactRow { kNormalRow = 0, kT1Row = 1, kT2Row = 2, kSpinRow = 3, kNumRows = 4 };

// The part of the velocity of a contact that comes from surface velocities.
[[nodiscard]] inline ContactVector belt_velocity(const Contact& c) {
  return {0.0, c.t1.dot(c.belt), c.t2.dot(c.belt), 0.0};
}

// Where friction acts on a rounded surface.
enum class FrictionPoint { kSurface, kCore };

// The Jacobians of a list of contacts. Rows are n, t1, t2, spin; columns are the velocities of the
// trees that the two bodies belong to. Stored in one buffer that only grows.
class ContactJacobian {
 public:
  // Sets the workers that share updates.
  void set_workers(const Workers* workers) { workers_ = workers; }

  // Computes J at the contacts' own points with bodies at X_WB, L = M^-1 J' with the given mass
  // matrix, and the contribution of prescribed motion: V_drive are the twists of all bodies at v =
  // 0.
  void update(const dynamics::Model& model, std::span<const Contact> contacts,
              const std::vector<Pose>& X_WB, const std::vector<dynamics::Twist>& V_drive,
              const dynamics::MassMatrix& M, FrictionPoint friction_point);

  // The same for one contact of that list that has moved.
  void update_one(const dynamics::Model& model, int contact, const Contact& moved,
                  const std::vector<Pose>& X_WB, const std::vector<dynamics::Twist>& V_drive,
                  const dynamics::MassMatrix& M);

  // The velocity of b's point relative to a's: J v + drive.
  [[nodiscard]] ContactVector velocity(int contact, const VecX& v) const;
  // J v alone, without prescribed motion.
  [[nodiscard]] ContactVector velocity_of_bodies(int contact, const VecX& v) const;
  // The first component of velocity(), at a quarter of the cost.
  [[nodiscard]] double normal_velocity(int contact, const VecX& v) const;
  // The contribution of prescribed motion.
  const ContactVector& drive(int contact) const { return drives_[contact]; }
  // Replaces that contribution, for schemes with a better value of the contact's velocity at v = 0.
  void set_drive(int contact, const ContactVector& drive) { drives_[contact] = drive; }

  // add_impulse() computes f += J' impulse, and the next function v += M^-1 J' impulse.
  void add_impulse(int contact, const ContactVector& impulse, VecRef f) const;
  void add_velocity_change(int contact, const ContactVector& impulse, VecRef v) const;
  // The same for all contacts; the workers share the work. Each velocity is summed in the order of
  // the contacts.
  void add_velocity_changes(std::span<const ContactVector> impulses, VecRef v) const;
  // v += |M^-1 J' impulse|, row by row: an upper bound of the terms that may cancel in the sum over
  // many contacts.
  void add_velocity_change_sizes(int contact, const ContactVector& impulse, VecRef v) const;

  // *W += J_i M^-1 J_j': the velocity at contact i per impulse at contact j. Adds zero unless both
  // share a mechanism.
  void add_delassus(int i, int j, ContactBlock* W) const;
  // J_i M^-1 J_i', the same as add_delassus(i, i).
  const ContactBlock& own_delassus(int i) const { return own_[i]; }

  // The velocities that side 0 (body a) or side 1 (body b) of a contact acts on. The count is 0 for
  // a fixed body, and on side 0 if both bodies belong to one mechanism.
  struct Side {
    int v_begin = 0;
    int nv = 0;
    int offset = 0;  // of its part in the buffers
    int mechanism = -1;
  };
  const Side& side(int contact, int which) const { return sides_[2 * contact + which]; }
  // The part of J that belongs to a side, by columns.
  using Rows = Eigen::Map<const Eigen::Matrix<double, kNumRows, Eigen::Dynamic>>;
  Rows rows(const Side& s) const { return {J_.data() + s.offset, kNumRows, s.nv}; }
  // The part of M^-1 J' that belongs to a side, one contact row after another.
  using Answers = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, kNumRows>>;
  Answers answers(const Side& s) const { return {L_.data() + s.offset, s.nv, kNumRows}; }

 private:
  void add_side_product(const Side& si, const Side& sj, ContactBlock* W) const;
  int make_sides(const dynamics::Model& model, std::span<const Contact> contacts);
  std::span<const Side, 2> sides_of(int contact) const {
    return std::span<const Side, 2>(&sides_[2 * contact], 2);
  }
  [[nodiscard]] bool is_shared() const { return workers_ != nullptr && workers_->size() > 1; }
  void sort_sides(int num_mechanisms);
  void add_side_change(const Side& side, const ContactVector& impulse, double* v) const;
  void solve_sides(int contact, const dynamics::MassMatrix& M);

  const Workers* workers_ = nullptr;
  double at_core_ =
      0.0;  // -   1: friction acts at the core of a rounded surface, 0: on the surface
  std::vector<Side> sides_;            // two per contact
  std::vector<ContactVector> drives_;  // one per contact
  std::vector<double> J_;              // sides in sequence, each by columns
  std::vector<double> L_;              // M^-1 J', each side by its four rows
  std::vector<double> row_;            // of one side of a tree
  std::vector<ContactBlock> own_;      // one per contact
  std::vector<int> sorted_sides_;      // by mechanism, then by contact; only with workers
  // by mechanism, with one more entry for the end: position in sorted_sides_
  std::vector<int> first_side_;
};

}  // namespace tenpin::contact
