#include "contact/least_impulses.h"

#include <algorithm>
#include <cmath>

namespace tenpin::contact {

using complementarity::cone::LeastReactions;
using complementarity::cone::ReactionSet;

namespace {

bool is_dry_joint(const Contact& c) {
  return c.kind == ContactKind::kJointFriction;
}

// Does the contact have impulses in the direction of this row of its Jacobian?
bool has_row(const Contact& c, int row) {
  if (row == kNormalRow) return true;
  if (c.kind != ContactKind::kSurface || !has_friction(c)) return false;
  if (row == kT1Row) return true;
  return !c.is_planar && (row == kT2Row || c.torsion > 0.0);
}

}  // namespace

// Gaussian elimination: a row that depends on those before it leaves no mobility of its own.
bool is_determined(const ContactJacobian& J, const Contact& contact, int index) {
  // Chosen: rounding leaves 1e-15. Below this, loads would be found with less than half their
  // digits.
  constexpr double kDependent = 1e-8;  // -   of the row's own mobility
  if (is_dry(contact)) return true;
  const ContactBlock& own = J.own_delassus(index);
  ContactBlock W = own;
  for (int row = 0; row < kNumRows; ++row) {
    if (!has_row(contact, row)) continue;
    if (!(W(row, row) > kDependent * own(row, row))) return false;
    for (int below = row + 1; below < kNumRows; ++below) {
      W.row(below) -= W(below, row) / W(row, row) * W.row(row);
    }
  }
  return true;
}

// The groups of columns are the mechanisms that the free contacts of the island move.
void LeastImpulses::number_mechanisms(const Problem& problem) {
  for (const int m : used_) group_[m] = -1;
  used_.clear();
  widths_.clear();
  for (std::size_t k = 0; k < problem.island.size(); ++k) {
    if (problem.freedom[k] == Freedom::kNone) continue;
    for (const int which : {0, 1}) {
      const ContactJacobian::Side& side = problem.J.side(problem.island[k], which);
      if (side.nv == 0) continue;
      if (static_cast<int>(group_.size()) <= side.mechanism) group_.resize(side.mechanism + 1, -1);
      if (group_[side.mechanism] >= 0) continue;
      group_[side.mechanism] = static_cast<int>(used_.size());
      used_.push_back(side.mechanism);
      widths_.push_back(side.nv);
    }
  }
}

void LeastImpulses::find_mobility(const Problem& problem) {
  double sum = 0.0;
  int count = 0;
  for (std::size_t k = 0; k < problem.island.size(); ++k) {
    const int i = problem.island[k];
    if (problem.contacts[i].kind != ContactKind::kSurface) continue;
    sum += problem.J.own_delassus(i)(kNormalRow, kNormalRow);
    ++count;
  }
  mobility_ = count > 0 && sum > 0.0 ? sum / count : 0.0;
}

// The unit of each component, by which reactions of different kinds can be compared.
ContactVector LeastImpulses::calc_units(const Problem& problem, int i) const {
  const Contact& c = problem.contacts[i];
  if (c.kind != ContactKind::kSurface) {
    const int row = is_dry_joint(c) ? kT1Row : kNormalRow;
    const double own = problem.J.own_delassus(i)(row, row);
    const double unit = own > 0.0 ? std::sqrt((mobility_ > 0.0 ? mobility_ : 1.0) / own) : 0.0;
    ContactVector units = ContactVector::Zero();
    units[row] = unit;
    return units;
  }
  const double mu = problem.mu[i];
  const double across = c.is_planar || c.mu == 0.0 ? 0.0 : c.mu_across / c.mu;
  const double spin = c.is_planar ? 0.0 : c.torsion;
  return mu > 0.0 ? ContactVector(1.0, 1.0, across, spin) : ContactVector(1.0, 0.0, 0.0, 0.0);
}

// The direction in which the reaction of a sliding contact without load would grow.
ContactVector LeastImpulses::calc_ray(const Problem& problem, int place) const {
  const int i = problem.island[place];
  const Contact& c = problem.contacts[i];
  const ContactVector units = calc_units(problem, i);
  Vec3 against = -units.tail<3>().cwiseProduct(problem.slips[place]);
  if (problem.cone.directions().empty() || c.is_planar) {
    against.normalize();
  } else {
    Vec3 best = Vec3::Zero();
    double most = -1.0;
    for (const Vec2& d : problem.cone.directions()) {
      const double along = d.dot(against.head<2>());
      if (along > most) best = {d.x(), d.y(), 0.0};
      most = std::max(most, along);
    }
    against = best;
  }
  ContactVector ray;
  ray << 1.0, problem.mu[i] * against;
  return ray;
}

ReactionSet LeastImpulses::make_set(const Problem& problem, int place,
                                    const ContactVector& reaction) const {
  const int i = problem.island[place];
  const Contact& c = problem.contacts[i];
  if (is_dry_joint(c)) {
    const double unit = calc_units(problem, i)[kT1Row];
    return {.kind = ReactionSet::Kind::kInterval, .bound = problem.mu[i] * problem.loads[i] / unit};
  }
  if (problem.freedom[place] == Freedom::kSliding) {
    const bool is_loaded = reaction[kNormalRow] > 0.0;
    return {.kind = ReactionSet::Kind::kRay,
            .ray = is_loaded ? ContactVector(reaction / reaction[kNormalRow])
                             : calc_ray(problem, place)};
  }
  const bool is_flat = c.is_planar || c.mu_across == 0.0;
  ReactionSet set = {.num_rows = is_flat ? 2 : 3, .mu = problem.mu[i]};
  if (c.kind == ContactKind::kJointLimit) set.mu = 0.0;
  if (c.torsion > 0.0 && !c.is_planar) set.num_rows = 4;
  if (!problem.cone.directions().empty() && !is_flat && set.mu > 0.0) {
    set.kind = ReactionSet::Kind::kPolygon;
    set.directions = problem.cone.directions();
  }
  return set;
}

// For loose bodies the norm uses the forces on them. For mechanisms it uses their response, because
// their loops carry a part of the forces.
LeastReactions::Part LeastImpulses::make_part(const ContactJacobian& J,
                                              const ContactJacobian::Side& side,
                                              const ContactVector& units,
                                              std::vector<double>* values) const {
  if (side.nv == 0) return {};
  values->resize(static_cast<std::size_t>(kNumRows) * side.nv);
  Eigen::Map<Eigen::Matrix<double, kNumRows, Eigen::Dynamic>> B(values->data(), kNumRows, side.nv);
  B = units.asDiagonal() * J.answers(side).transpose();
  return {.group = group_[side.mechanism], .values = values->data()};
}

LeastImpulses::Outcome LeastImpulses::solve(const Problem& problem, int max_systems,
                                            std::span<ContactVector> impulses) {
  const auto is_free = [](Freedom freedom) {
    return freedom != Freedom::kNone;
  };
  const auto num_free = std::count_if(problem.freedom.begin(), problem.freedom.end(), is_free);
  if (num_free == 0) return Outcome::kUnique;
  if (num_free == 1) {
    const auto alone = std::find_if(problem.freedom.begin(), problem.freedom.end(), is_free);
    const int i = problem.island[alone - problem.freedom.begin()];
    if (*alone == Freedom::kSliding || is_determined(problem.J, problem.contacts[i], i)) {
      return Outcome::kUnique;
    }
  }
  number_mechanisms(problem);
  find_mobility(problem);
  least_.reset(widths_);
  for (std::size_t k = 0; k < problem.island.size(); ++k) {
    if (problem.freedom[k] == Freedom::kNone) continue;
    const int i = problem.island[k];
    const ContactVector units = calc_units(problem, i);
    ContactVector reaction = impulses[i];
    for (int row = 0; row < kNumRows; ++row) {
      reaction[row] = units[row] > 0.0 ? reaction[row] / units[row] : 0.0;
    }
    least_.add(make_set(problem, static_cast<int>(k), reaction), reaction,
               make_part(problem.J, problem.J.side(i, 0), units, &part_a_),
               make_part(problem.J, problem.J.side(i, 1), units, &part_b_));
  }
  if (!least_.solve(max_systems)) return Outcome::kNotFound;
  int next = 0;
  for (std::size_t k = 0; k < problem.island.size(); ++k) {
    if (problem.freedom[k] == Freedom::kNone) continue;
    const int i = problem.island[k];
    const ContactVector least = calc_units(problem, i).cwiseProduct(least_.reaction(next++));
    const double kept = impulses[i][kNormalRow];
    impulses[i] = least;
    if (is_dry_joint(problem.contacts[i])) impulses[i][kNormalRow] = kept;
  }
  return Outcome::kLeast;
}

}  // namespace tenpin::contact
