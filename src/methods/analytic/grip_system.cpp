#include "methods/analytic/grip_system.h"

#include <algorithm>
#include <cmath>

namespace tenpin::methods::analytic {

using contact::ContactBlock;

namespace {

constexpr double kRank = 1e-10;      // -   of a row's own diagonal: smaller pivots are rounding
constexpr double kAccurate = 1e-11;  // -   of the largest scaled number: what LU must reach

int count_unknowns(const Touch& touch) {
  if (touch.grip != Grip::kStick) return 1;
  return touch.contact.is_planar ? 2 : 3;
}

}  // namespace

// Contacts that share a mechanism act on each other.
void GripSystem::update_pattern(const Instant& instant) {
  blocks_.clear();
  sizes_.clear();
  by_mechanism_.clear();
  pairs_.clear();
  is_symmetric_ = true;
  for (int i = 0; i < static_cast<int>(instant.touches.size()); ++i) {
    const Touch& touch = instant.touches[i];
    if (!is_found(touch.grip)) continue;
    const bool slides = touch.grip == Grip::kSlide;
    is_symmetric_ = is_symmetric_ && !slides;
    for (const int which : {0, 1}) {
      const contact::ContactJacobian::Side& side = instant.J.side(i, which);
      if (side.nv > 0) by_mechanism_.emplace_back(side.mechanism, static_cast<int>(blocks_.size()));
    }
    blocks_.push_back({.touch = i, .slides = slides});
    sizes_.push_back(count_unknowns(touch));
  }
  std::sort(by_mechanism_.begin(), by_mechanism_.end());
  for (std::size_t k = 0; k < by_mechanism_.size(); ++k) {
    for (std::size_t l = k + 1;
         l < by_mechanism_.size() && by_mechanism_[l].first == by_mechanism_[k].first; ++l) {
      pairs_.emplace_back(by_mechanism_[k].second, by_mechanism_[l].second);
    }
  }
  if (sizes_ == old_sizes_ && pairs_ == old_pairs_) return;
  A_.set_pattern(sizes_, pairs_);
  lu_.order(A_);
  lu_.analyze(A_);
  find_parts();
  is_redundant_ = false;
  old_sizes_ = sizes_;
  old_pairs_ = pairs_;
}

void GripSystem::fill_entry(const Instant& instant, int row, int entry) {
  const Block& a = blocks_[row];
  const int column = A_.col[entry];
  const Block& b = blocks_[column];
  ContactBlock W = ContactBlock::Zero();
  instant.J.add_delassus(a.touch, b.touch, &W);
  double* value = A_.entry(entry);
  for (int j = 0; j < sizes_[column]; ++j) {
    Vec3 force = Vec3::Unit(j);
    if (b.slides) force.tail<2>() = instant.rubbing[b.touch];
    const Vec3 a_by_force = W.topLeftCorner<3, 3>() * force;
    for (int i = 0; i < sizes_[row]; ++i) *value++ = a.scale[i] * a_by_force[i] * b.scale[j];
  }
}

// Unknowns are scaled by the mobility of their own contact, so that masses do not decide on rank.
void GripSystem::fill(const Instant& instant) {
  free_.resize(A_.num_rows());
  for (int k = 0; k < A_.num_blocks(); ++k) {
    Block& block = blocks_[k];
    ContactBlock W = ContactBlock::Zero();
    instant.J.add_delassus(block.touch, block.touch, &W);
    for (int i = 0; i < sizes_[k]; ++i) {
      block.scale[i] = W(i, i) > 0.0 ? 1.0 / std::sqrt(W(i, i)) : 1.0;
      free_[A_.first_row[k] + i] = block.scale[i] * instant.free[block.touch][i];
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
      x_[A_.first_row[k] + i] = instant.touches[block.touch].force[i] / block.scale[i];
    }
  }
}

void GripSystem::update_missing() {
  product_.resize(A_.num_rows());
  const auto n = static_cast<std::size_t>(A_.num_rows());
  multiply(A_, {x_.data(), n}, {free_.data(), n}, {product_.data(), n});
  missing_ = -product_;
}

// False if A lacks rank.
bool GripSystem::solve_sparse() {
  constexpr int kRefinements = 3;
  if (is_redundant_) return false;
  is_redundant_ = !lu_.factorize(A_, kRank) || lu_.num_replaced_pivots() > 0;
  if (is_redundant_) return false;
  for (int round = 0; round < kRefinements; ++round) {
    lu_.solve({missing_.data(), static_cast<std::size_t>(missing_.size())});
    x_ += missing_;
    update_missing();
  }
  const double size = std::max(free_.cwiseAbs().maxCoeff(), x_.cwiseAbs().maxCoeff());
  return missing_.cwiseAbs().maxCoeff() <= kAccurate * size;
}

// Blocks that act on each other, directly or not, have one number.
void GripSystem::find_parts() {
  part_.assign(A_.num_blocks(), -1);
  num_parts_ = 0;
  std::vector<int> open;
  for (int k = 0; k < A_.num_blocks(); ++k) {
    if (part_[k] >= 0) continue;
    part_[k] = num_parts_;
    open.assign(1, k);
    while (!open.empty()) {
      const int a = open.back();
      open.pop_back();
      for (int e = A_.row_begin[a]; e < A_.row_begin[a + 1]; ++e) {
        if (part_[A_.col[e]] >= 0) continue;
        part_[A_.col[e]] = num_parts_;
        open.push_back(A_.col[e]);
      }
    }
    ++num_parts_;
  }
}

// The answer nearest to the start. With kShared friction that a larger normal force could bear is
// cheaper, so that contacts stick or give in together.
void GripSystem::solve_part(int part, Start start) {
  std::vector<int> rows;
  std::vector<int> place(A_.num_rows(), -1);
  VecX share = VecX::Ones(A_.num_rows());
  const double most = x_.maxCoeff();
  for (int k = 0; k < A_.num_blocks(); ++k) {
    if (part_[k] != part) continue;
    const double normal = std::max(x_[A_.first_row[k]], 0.0);
    for (int i = 0; i < sizes_[k]; ++i) {
      const int row = A_.first_row[k] + i;
      if (i > 0 && start == Start::kShared && most > 0.0) share[row] = std::sqrt(normal / most);
      place[row] = static_cast<int>(rows.size());
      rows.push_back(row);
    }
  }
  dense_.setZero(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows.size()));
  const auto put_entry = [&](int a, int e) {
    const int b = A_.col[e];
    const double* value = A_.entry(e);
    for (int j = A_.first_row[b]; j < A_.first_row[b + 1]; ++j) {
      for (int i = A_.first_row[a]; i < A_.first_row[a + 1]; ++i) {
        dense_(place[i], place[j]) = share[j] * *value++;
      }
    }
  };
  for (int a = 0; a < A_.num_blocks(); ++a) {
    if (part_[a] != part) continue;
    for (int e = A_.row_begin[a]; e < A_.row_begin[a + 1]; ++e) put_entry(a, e);
  }
  VecX change = missing_(rows);
  if (is_symmetric_ && start == Start::kDecided) {
    cholesky_.factor(dense_, kRank);
    cholesky_.solve(change);
  } else {
    least_norm_.factorize(dense_, kRank);
    change = least_norm_.solve(change);
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    x_[rows[k]] += share[rows[k]] * change[static_cast<Eigen::Index>(k)];
  }
}

bool GripSystem::solve(const Instant& instant, Start start, std::vector<Vec3>* forces) {
  update_pattern(instant);
  if (blocks_.empty()) return true;
  fill(instant);
  set_start(instant, start);
  update_missing();
  if (!solve_sparse()) {
    set_start(instant, start);
    update_missing();
    for (int part = 0; part < num_parts_; ++part) solve_part(part, start);
  }
  for (int k = 0; k < A_.num_blocks(); ++k) {
    const Block& block = blocks_[k];
    Vec3& force = (*forces)[block.touch];
    force.setZero();
    for (int i = 0; i < sizes_[k]; ++i) force[i] = block.scale[i] * x_[A_.first_row[k] + i];
    if (block.slides) force.tail<2>() = force[0] * instant.rubbing[block.touch];
  }
  return x_.allFinite();
}

}  // namespace tenpin::methods::analytic
