#include "methods/time_stepping/swept_islands.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenpin::methods::time_stepping {

using complementarity::cone::BodySweep;
using complementarity::cone::RoundRows;
using complementarity::cone::SweptLaw;
using complementarity::cone::SweptRows;
using contact::ContactJacobian;
using contact::ContactVector;

namespace {

// The lower triangular C with A = C C'.
Mat3 factor_inverse_inertia(const Mat3& A) {
  Mat3 C = Mat3::Zero();
  for (int j = 0; j < 3; ++j) {
    C(j, j) = std::sqrt(A(j, j) - C.row(j).head(j).squaredNorm());
    for (int i = j + 1; i < 3; ++i) {
      C(i, j) = (A(i, j) - C.row(i).head(j).dot(C.row(j).head(j))) / C(j, j);
    }
  }
  return C;
}

}  // namespace

// Computes the factors C. M^-1 of a loose body is 1/m and a 3x3 block; that of a planar body is
// diagonal.
void SweptIslands::update_roots(const dynamics::Model& model, const dynamics::MassMatrix& M) {
  roots_.resize(model.mechanisms.size());
  workers_->split(model.num_mechanisms(), [&](int begin, int end) {
    for (int m = begin; m < end; ++m) {
      if (model.mechanisms[m].is_loose) roots_[m] = calc_root(model, M, m);
    }
  });
}

SweptIslands::Root SweptIslands::calc_root(const dynamics::Model& model,
                                           const dynamics::MassMatrix& M, int m) {
  const dynamics::Mechanism& mechanism = model.mechanisms[m];
  Eigen::Matrix<double, 6, 6> inverse = Eigen::Matrix<double, 6, 6>::Identity();
  for (int k = 0; k < mechanism.nv; ++k) {
    const Eigen::Matrix<double, 6, 1> unit = Eigen::Matrix<double, 6, 1>::Unit(k);
    M.solve_block(m, unit.data(), inverse.col(k).data());
  }
  const Vec3& moments = model.bodies[mechanism.bodies.front()].moments;
  return {.linear = std::sqrt(inverse(0, 0)),
          .angular = mechanism.nv == 6 ? factor_inverse_inertia(inverse.bottomRightCorner<3, 3>())
                                       : Mat3(std::sqrt(inverse(2, 2)) * Mat3::Identity()),
          .is_round = mechanism.nv == 6 && moments[0] == moments[1] && moments[1] == moments[2]};
}

// Multiplies a row of J by C. A planar body has two velocities and a spin.
void SweptIslands::multiply_root(const ContactJacobian::Side& side, const ContactJacobian::Rows& J,
                                 int row, double* out) const {
  const Root& root = roots_[side.mechanism];
  const int num_linear = side.nv == 6 ? 3 : 2;
  for (int k = 0; k < num_linear; ++k) out[k] = root.linear * J(row, k);
  if (side.nv == 6) {
    Eigen::Map<Vec3>(out + 3) = root.angular.transpose() * Vec3(J.row(row).tail<3>());
  } else {
    out[2] = root.angular(0, 0) * J(row, 2);
  }
}

bool SweptIslands::can_sweep(const dynamics::Model& model, const ContactProblem& problem,
                             int contact) {
  const contact::Contact& c = problem.contacts[contact];
  if ((!is_isotropic(c) || c.torsion > 0.0) && !c.is_planar) return false;
  if (!(problem.compliance[contact].minCoeff() > 0.0) || problem.given[contact] > 0.0) return false;
  for (const int side : {0, 1}) {
    const int mechanism = problem.J.side(contact, side).mechanism;
    if (mechanism >= 0 && !model.mechanisms[mechanism].is_loose) return false;
  }
  return true;
}

// True if the normal passes through the centres of the bodies, and these have equal moments of
// inertia about all axes.
bool SweptIslands::is_round(const ContactProblem& problem, int contact) const {
  constexpr double kOffCentre = 1e-11;  // of the arm
  const contact::Contact& c = problem.contacts[contact];
  for (const int which : {0, 1}) {
    const ContactJacobian::Side& side = problem.J.side(contact, which);
    if (side.nv == 0) continue;
    if (!roots_[side.mechanism].is_round) return false;
    const ContactJacobian::Rows J = problem.J.rows(side);
    const Vec3 about_n = J.row(0).tail<3>();
    const Vec3 about_t1 = J.row(1).tail<3>();
    const Vec3 about_t2 = J.row(2).tail<3>();
    const double arm = about_t1.dot(c.t2);
    const double off = about_n.squaredNorm() + (about_t1 - arm * c.t2).squaredNorm() +
                       (about_t2 + arm * c.t1).squaredNorm();
    if (!(off <= kOffCentre * kOffCentre * arm * arm)) return false;
  }
  return true;
}

// Sorts contacts: round ones first, and within each kind from the ground up.
void SweptIslands::file(const dynamics::Model& model, const ContactProblem& problem,
                        std::span<const int> contacts) {
  groups_.update(model, problem, contacts);
  places_.resize(contacts.size());
  heights_.resize(contacts.size());
  workers_->split(static_cast<int>(contacts.size()), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      places_[i].is_round = is_round(problem, contacts[i]);
      heights_[i] = -model.gravity.dot(problem.contacts[contacts[i]].p_b);
    }
  });
  workers_->run(groups_.size(), [this](int g, int) {
    const std::span<int> positions = groups_.group(g).positions;
    std::sort(positions.begin(), positions.end(), [this](int i, int j) {
      return heights_[i] < heights_[j] || (heights_[i] == heights_[j] && i < j);
    });
  });
  sweep_.reset(groups_.num_bodies());
  for (int g = 0; g < groups_.size(); ++g) {
    const SweepGroups::Group group = groups_.group(g);
    sweep_.begin_group(group.phase, group.first_body, group.end_body);
    for (const int i : group.positions) {
      const auto [a, b] = groups_.bodies(i);
      places_[i] = sweep_.file({.a = a, .b = b}, places_[i].is_round);
    }
  }
  sweep_.prepare(workers_);
}

void SweptIslands::set_round(const ContactProblem& problem, int contact, const SweptLaw& law,
                             const BodySweep::Place& place) {
  const contact::Contact& c = problem.contacts[contact];
  RoundRows rows;
  for (int k = 0; k < 3; ++k) {
    rows.n[k] = c.normal[k];
    rows.t1[k] = c.t1[k];
  }
  for (const int which : {0, 1}) {
    const ContactJacobian::Side& side = problem.J.side(contact, which);
    if (side.nv == 0) continue;
    const Root& root = roots_[side.mechanism];
    rows.linear[which] = which == 0 ? -root.linear : root.linear;
    const Vec3 about_t1 = problem.J.rows(side).row(1).tail<3>();
    rows.spin[which] = root.angular(0, 0) * about_t1.dot(c.t2);
  }
  sweep_.set(place, law, rows);
}

void SweptIslands::set_contact(const ContactProblem& problem, int contact, const Vec3& start,
                               const BodySweep::Place& place) {
  SweptLaw law;
  const ContactVector u = problem.J.velocity(contact, problem.v);
  const Vec3 given = problem.calc_compliance_velocity(contact, Vec3::Zero());
  law.q[0] = u[0] + given[0] - problem.required[contact];
  law.q[1] = u[1] + given[1];
  law.q[2] = u[2] + given[2];
  law.softness[0] = problem.compliance[contact][0];
  law.softness[1] = problem.compliance[contact][1];
  law.mu = problem.with_friction ? problem.mu[contact] : 0.0;
  for (int k = 0; k < 3; ++k) {
    law.r[k] = k == 0 || law.mu > 0.0 ? start[k] : 0.0;
  }
  if (place.is_round) {
    set_round(problem, contact, law, place);
    return;
  }
  SweptRows rows;
  for (const int which : {0, 1}) {
    const ContactJacobian::Side& side = problem.J.side(contact, which);
    if (side.nv == 0) continue;
    auto& out = which == 0 ? rows.a : rows.b;
    for (int k = 0; k < 3; ++k) multiply_root(side, problem.J.rows(side), k, out[k]);
  }
  sweep_.set(place, law, rows);
}

// 1/kg   Velocity per impulse at the contact.
double SweptIslands::calc_mobility(const ContactProblem& problem, int contact) {
  const contact::ContactBlock& W = problem.J.own_delassus(contact);
  return W.topLeftCorner<3, 3>().trace() / 3.0;
}

// Finds the largest velocity of each island that an impulse causes at its own contact. The
// certificate is relative to it as well, because such velocities cancel while their rounding errors
// do not.
void SweptIslands::find_speeds() {
  island_speeds_.clear();
  slowest_ = std::numeric_limits<double>::infinity();
  int i = 0;
  for (const SweptList::Island& island : list_->islands) {
    double speed = island.speed;
    for (; i < island.end; ++i) speed = std::max(speed, speeds_[i]);
    island_speeds_.push_back(std::min(speed, kMaxCancellation * island.speed));
    slowest_ = std::min(slowest_, island_speeds_.back());
  }
}

void SweptIslands::read_impulses(ContactAnswer* answer) {
  const std::vector<int>& contacts = list_->contacts;
  workers_->split(static_cast<int>(contacts.size()), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      double r[3];
      sweep_.read_reaction(places_[i], r);
      answer->impulses[contacts[i]] = {r[0], r[1], r[2], 0.0};
      speeds_[i] = mobilities_[i] * std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    }
  });
  find_speeds();
}

void SweptIslands::start(const dynamics::Model& model, const ContactProblem& problem,
                         const SweptList& list) {
  update_roots(model, *problem.M);
  max_mu_ = 0.0;
  for (const int c : list.contacts) {
    if (problem.with_friction) max_mu_ = std::max(max_mu_, problem.mu[c]);
  }
  list_ = &list;
  take(model, problem, problem.guess);
}

void SweptIslands::restart(const dynamics::Model& model, const ContactProblem& problem,
                           const SweptList& list, const ContactAnswer& earlier) {
  guess_.resize(problem.contacts.size());
  for (const int c : list.contacts) guess_[c] = earlier.impulses[c].head<3>();
  list_ = &list;
  take(model, problem, guess_);
}

void SweptIslands::take(const dynamics::Model& model, const ContactProblem& problem,
                        const std::vector<Vec3>& guess) {
  const std::vector<int>& contacts = list_->contacts;
  file(model, problem, contacts);
  mobilities_.resize(contacts.size());
  speeds_.resize(contacts.size());
  workers_->split(static_cast<int>(contacts.size()), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      set_contact(problem, contacts[i], guess[contacts[i]], places_[i]);
      mobilities_[i] = calc_mobility(problem, contacts[i]);
      speeds_[i] = mobilities_[i] * guess[contacts[i]].norm();
    }
  });
  find_speeds();
  sweep_.start(workers_);
}

void SweptIslands::solve(double tolerance, int max_sweeps, ContactAnswer* answer) {
  // An error e of the natural map, as a velocity, is an error in the power of friction of at most e
  // (2 mu |W r| + (1 + mu) |u_T|), and a contact slips at most twice as fast as its bodies move.
  share_ = 0.5 * tolerance / (1.0 + 2.0 * max_mu_);
  for (int attempt = 0; attempt < 2; ++attempt) {
    outcome_ = sweep_.solve(
        {.tolerance = share_ * slowest_, .max_sweeps = max_sweeps, .workers = workers_});
    answer->swept += static_cast<std::int64_t>(outcome_.sweeps) * list_->contacts.size();
    read_impulses(answer);
    if (passed()) break;  // otherwise the guess was larger than the answer
  }
}

}  // namespace tenpin::methods::time_stepping
