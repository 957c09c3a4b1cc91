// A smooth step of second order whose contacts are known: which are closed, and which of these
// stick or slide. It contains no solver, so it is a smooth function of state, control and impulses,
// and can be differentiated.
//
// It is the smooth substep of docs/second-order.md with as many passes as needed:
//   (q0, v0) -> half a drift -> v+ = v- + M^-1 (h k + Jm'p) -> half a drift -> (q1, v1)
// and the law is r(q0, v0, u, p) = 0 with one row per unknown impulse:
//   normal     n'u1                           u1: velocity of the contact at the end
//   sticking   t1'u1, t2'u1
//   sliding    w (p_t + mu p_n s)             s: direction of the slip, w: mobility, 1/kg
#pragma once

#include <span>
#include <string>
#include <vector>

#include "contact/finder.h"
#include "contact/jacobian.h"
#include "contact/report.h"
#include "dynamics/flight.h"
#include "dynamics/mass_matrix.h"
#include "dynamics/model.h"
#include "methods/time_stepping/contact_motion.h"

namespace tenpin::simulation {

// How a closed contact behaves within the step.
enum class FrozenLaw {
  kNormal,  // no friction: only the normal impulse is unknown
  // the normal and two tangential impulses are unknown; one tangential impulse if bodies move in a
  // plane
  kSticks,
  kSlides,        // friction opposes the slip at the end
  kSlidesTurned,  // friction opposes the bisector of the slips at start and end
};

class FrozenStep {
 public:
  struct Interval {
    double t = 0.0;  // s   start
    double h = 0.0;  // s   length
  };
  // Copies the model, because controls are written into it.
  FrozenStep(const dynamics::Model& model, const Interval& interval);

  // A step as the method solved it.
  struct Solved {
    const VecX& q0;
    const VecX& v0;
    const VecX& q1;
    const VecX& v1;
    std::span<const contact::ContactRecord> records;
  };
  // Stores the contacts that have an impulse in the step. Returns "", or the reason why this step
  // has no smooth form.
  [[nodiscard]] std::string hold(const Solved& step);

  struct Point {
    VecX q, v;  // at the start
    VecX u;     // nv   forces on the velocities, in addition to those in the model
    VecX p;     // N s  unknown impulses
  };
  struct End {
    VecX q, v;
    VecX law;  // m/s   size of p
  };
  // Evaluates the step at a point. Returns false if the point is too far from the stored step,
  // because a contact has other features.
  [[nodiscard]] bool evaluate(const Point& at, End* end);

  // N s   The impulses from the records, for the stored step.
  const VecX& impulses() const { return impulses_; }
  // 1/kg   By unknown impulse: the change of its own contact's velocity per unit impulse, at the
  // last point; never zero.
  [[nodiscard]] VecX calc_mobilities() const;
  // The friction of one contact with an impulse, in the order of the records.
  struct Friction {
    double mu = 0.0;        // -
    double mobility = 0.0;  // 1/kg   along the normal
  };
  [[nodiscard]] Friction calc_friction(std::size_t i) const {
    return {.mu = held_[i].at_start.mu, .mobility = J_.own_delassus(static_cast<int>(i))(0, 0)};
  }
  // Removes from displacements of the end (nv, one per column) the part that opens or closes gaps,
  // by the least motion in the mass metric. Uses the last point.
  void project(MatX* dq) const;

 private:
  struct Held {
    contact::Contact at_start;  // at the start of the stored step
    contact::Contact at_end;
    FrozenLaw law = FrozenLaw::kNormal;
    int row = 0;            // first row of its unknowns
    int size = 1;           // number of its unknowns
    bool is_found = false;  // found at the end, too; otherwise it is carried along
  };
  struct Motion {
    methods::time_stepping::BodyMotion start, mid, end;
    std::vector<dynamics::Twist> V_zero;
    VecX q_mid, v_start;
  };
  struct Contacts {
    std::vector<contact::Contact> found;
    std::vector<contact::Contact> start, middle, end;  // in the order of held_
  };
  // The contact in `found` with that key, or the one at the same place: where faces lie edge on
  // edge, the names of their features change as soon as they move. Null if there is none.
  [[nodiscard]] const contact::Contact* find_same(const contact::Contact& wanted) const;

  void write_forces(const VecX& u);
  void update_reach();
  void find(const methods::time_stepping::BodyMotion& motion, const VecX& q,
            std::vector<contact::Contact>* contacts);
  void place(const VecX& q, const VecX& v, double t,
             methods::time_stepping::BodyMotion* motion) const;
  [[nodiscard]] bool drift(const VecX& q, const VecX& v, double t, VecX* q_end, VecX* v_end);
  [[nodiscard]] bool collect_start(const Point& at);
  [[nodiscard]] bool collect_end(const VecX& q);
  void kick(const Point& at, const VecX& v_minus, VecX* v_plus);
  [[nodiscard]] std::string hold_one(const contact::ContactRecord& record,
                                     const contact::Contact& at_start,
                                     const contact::Contact* at_end);
  void choose_direction(std::size_t i, const VecX& v0, const VecX& v1);
  void write_law(const Point& at, End* end) const;

  dynamics::Model model_;
  std::vector<dynamics::AppliedForce> applied_;  // by body, as in the given model
  std::vector<Vec3> joint_applied_;
  Interval interval_;
  contact::ContactFinder finder_;
  dynamics::Flight flight_;
  VecX q_solved_, v_solved_;   // end of the stored step
  std::vector<Held> held_;     // by key
  std::vector<double> reach_;  // m   by body
  std::vector<collide::Pair> pairs_;
  VecX impulses_;

  Motion motion_;      // of the last point
  Contacts contacts_;  // of the last point
  dynamics::MassMatrix M_;
  contact::ContactJacobian J_;
  VecX v_minus_, zero_;
};

}  // namespace tenpin::simulation
