#include "methods/analytic/grip_system.h"

#include <algorithm>
#include <cmath>

#include "methods/analytic/tolerances.h"

namespace tenpin::methods::analytic {

using contact::ContactBlock;

namespace {

constexpr double kBest =
    1e-14;  // -   of the size at the start: smallest error that rounding allows

int count_unknowns(const Touch& touch) {
  if (touch.grip != Grip::kStick || is_dry_joint(touch)) return 1;
  return touch.contact.is_planar ? 2 : 3;
}

}  // namespace

void GripSystem::update_pattern(const Instant& instant, std::span<const int> touches) {
  blocks_.clear();
  sizes_.clear();
  for (const int i : touches) {
    const Touch& touch = instant.touches[i];
    const bool slides = touch.grip == Grip::kSlide;
    blocks_.push_back({.touch = i, .slides = slides, .first = is_dry_joint(touch) ? 1 : 0});
    sizes_.push_back(count_unknowns(touch));
  }
  const std::vector<std::pair<int, int>>& pairs = coupled_.find(instant.J, touches);
  if (sizes_ == old_sizes_ && pairs == old_pairs_) return;
  A_.set_pattern(sizes_, pairs);
  lu_.order(A_);
  lu_.analyze(A_);
  is_redundant_ = false;
  old_sizes_ = sizes_;
  old_pairs_ = pairs;
}

void GripSystem::fill_entry(const Instant& instant, int row, int entry) {
  const Block& a = blocks_[row];
  const int column = A_.col[entry];
  const Block& b = blocks_[column];
  ContactBlock W = ContactBlock::Zero();
  instant.J.add_delassus(a.touch, b.touch, &W);
  double* value = A_.entry(entry);
  for (int j = 0; j < sizes_[column]; ++j) {
    Vec3 force = Vec3::Unit(b.first + j);
    if (b.slides) force.tail<2>() = instant.rubbing[b.touch];
    const Vec3 a_by_force = W.topLeftCorner<3, 3>() * force;
    for (int i = 0; i < sizes_[row]; ++i)
      *value++ = a.scale[i] * a_by_force[a.first + i] * b.scale[j];
  }
}

// Scales each unknown by the mobility of its contact, so that masses do not affect the rank.
void GripSystem::fill(const Instant& instant) {
  free_.resize(A_.num_rows());
  for (int k = 0; k < A_.num_blocks(); ++k) {
    Block& block = blocks_[k];
    ContactBlock W = ContactBlock::Zero();
    instant.J.add_delassus(block.touch, block.touch, &W);
    for (int i = 0; i < sizes_[k]; ++i) {
      const int row = block.first + i;
      block.scale[i] = W(row, row) > 0.0 ? 1.0 / std::sqrt(W(row, row)) : 1.0;
      free_[A_.first_row[k] + i] = block.scale[i] * instant.free[block.touch][row];
    }
  }
  for (int k = 0; k < A_.num_blocks(); ++k) {
    for (int e = A_.row_begin[k]; e < A_.row_begin[k + 1]; ++e) fill_entry(instant, k, e);
  }
}

void GripSystem::set_start(const Instant& instant, Start start) {
  x_.setZero(A_.num_rows());
  for (int k = 0; k < A_.num_blocks(); ++k) {
    const Block& block = blocks_[k];
    const int count = start == Start::kShared ? 1 : sizes_[k];
    for (int i = 0; i < count; ++i) {
      x_[A_.first_row[k] + i] =
          instant.touches[block.touch].force[block.first + i] / block.scale[i];
    }
  }
  size_ = std::max(free_.cwiseAbs().maxCoeff(), x_.cwiseAbs().maxCoeff());
}

void GripSystem::update_missing() {
  product_.resize(A_.num_rows());
  const auto n = static_cast<std::size_t>(A_.num_rows());
  multiply(A_, {x_.data(), n}, {free_.data(), n}, {product_.data(), n});
  missing_ = -product_;
}

// The error relative to the external forces and the forces at the start. Forces that rounding has
// magnified are not used as a scale.
double GripSystem::calc_error() const {
  return size_ > 0.0 ? missing_.cwiseAbs().maxCoeff() / size_ : 0.0;
}

void GripSystem::correct() {
  lu_.solve({missing_.data(), static_cast<std::size_t>(missing_.size())});
  x_ += missing_;
  update_missing();
}

// Removes the remaining error with the contacts that are independent.
void GripSystem::polish() {
  constexpr int kRefinements = 3;
  if (!lu_.factorize(A_, kRowRank, complementarity::cone::BlockLu::Singular::kBasic)) return;
  before_ = x_;
  const double error = calc_error();
  for (int round = 0; round < kRefinements; ++round) correct();
  if (calc_error() <= error) return;
  x_ = before_;
  update_missing();
}

// False if the solution is not unique, which is remembered for the pattern, or not accurate enough.
bool GripSystem::solve_unique() {
  polish();
  is_redundant_ = lu_.num_replaced_pivots() > 0;
  return !is_redundant_ && calc_error() <= kAcceptedError;
}

// Proximal iteration: each contact is slightly compliant, and the remaining error is solved for
// again, so that all changes together are the least-norm solution. With kShared, friction that a
// larger normal force could support costs less, so that contacts stick or slip together. More
// compliance magnifies rounding less where forces are undetermined, but converges more slowly where
// they are nearly undetermined.
void GripSystem::solve_nearest(Start start) {
  for (const double soft : {1e-3, 1e-5, 1e-7}) {
    if (soften(start, soft)) correct_repeatedly();
    if (calc_error() <= kBest) return;
  }
  if (calc_error() > kGoodError) polish();
}

// Factorizes with `soft` of each row's own diagonal added to it.
bool GripSystem::soften(Start start, double soft) {
  constexpr double kLeastShare = 1e-6;  // -
  double most = 0.0;
  for (int k = 0; k < A_.num_blocks(); ++k) most = std::max(most, x_[A_.first_row[k]]);
  softened_ = A_;
  for (int k = 0; k < A_.num_blocks(); ++k) {
    const bool shares = start == Start::kShared && most > 0.0;
    const double share = std::max(x_[A_.first_row[k]] / most, kLeastShare);
    double* values = softened_.entry(softened_.diagonal[k]);
    for (int i = 0; i < sizes_[k]; ++i) {
      values[i + i * sizes_[k]] += shares && i > 0 ? soft / share : soft;
    }
  }
  return lu_.factorize(softened_);
}

// Repeats until rounding, or an inconsistent part of the equations, stops the progress.
void GripSystem::correct_repeatedly() {
  double error = calc_error();
  for (int round = 0; round < kMaxCorrections; ++round) {
    before_ = x_;
    correct();
    const double now = calc_error();
    if (!(now < 0.5 * error)) {
      if (now < error) return;
      x_ = before_;
      update_missing();
      return;
    }
    error = now;
  }
}

bool GripSystem::solve(const Instant& instant, std::span<const int> touches, Start start,
                       std::vector<Vec3>* forces) {
  update_pattern(instant, touches);
  fill(instant);
  set_start(instant, start);
  update_missing();
  if (is_redundant_ || !solve_unique()) {
    set_start(instant, start);
    update_missing();
    solve_nearest(start);
  }
  for (int k = 0; k < A_.num_blocks(); ++k) {
    const Block& block = blocks_[k];
    Vec3& force = (*forces)[block.touch];
    force.setZero();
    for (int i = 0; i < sizes_[k]; ++i) {
      force[block.first + i] = block.scale[i] * x_[A_.first_row[k] + i];
    }
    if (block.slides) force.tail<2>() = force[0] * instant.rubbing[block.touch];
  }
  return x_.allFinite();
}

}  // namespace tenpin::methods::analytic
