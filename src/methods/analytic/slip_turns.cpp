#include "methods/analytic/slip_turns.h"

#include <algorithm>
#include <cmath>

namespace tenpin::methods::analytic {

using contact::ContactBlock;

namespace {

constexpr double kSoft =
    1e-7;  // -   of a row's diagonal: selects the least change where forces are undetermined

// Along t1 and t2.
Vec3 to_contact(const Touch& touch, const Vec3& direction) {
  return {0.0, touch.contact.t1.dot(direction), touch.contact.t2.dot(direction)};
}

}  // namespace

void SlipTurns::add_turn(const Motion& motion, const Touch& touch, int index, Block* block) {
  const Vec3 along = to_contact(touch, touch.slip_dir);
  const Vec3 across = to_contact(touch, touch.contact.normal.cross(touch.slip_dir));
  block->forces.col(1) = block->rows.col(1) = across;
  const double friction = touch.mu * motion.forces()[index][0];
  if (friction > 0.0) {
    block->turning = std::max(0.0, along.dot(motion.acceleration(index))) / friction;
  }
}

void SlipTurns::add_contact(const Motion& motion, const std::vector<Touch>& touches, int index,
                            bool begins) {
  const Touch& touch = touches[index];
  Block block;
  int size = 1;
  if (is_dry_joint(touch)) {
    block.forces.col(0) = block.rows.col(0) = Vec3::UnitY();
  } else if (touch.grip == Grip::kStick) {
    size = touch.contact.is_planar ? 2 : 3;
  } else if (touch.grip == Grip::kSlide) {
    block.forces.col(0) -= touch.mu * to_contact(touch, motion.slip_direction(index));
    if (begins) add_turn(motion, touch, index, &block);
    size = begins ? 2 : 1;
  }
  touches_.push_back(index);
  sizes_.push_back(size);
  blocks_.push_back(block);
}

// Scales rows as for forces, so that masses do not affect the rank.
void SlipTurns::set_scales(const Motion& motion) {
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    const Mat3 W = motion.jacobian().own_delassus(touches_[k]).topLeftCorner<3, 3>();
    for (int i = 0; i < sizes_[k]; ++i) {
      const double mobility = blocks_[k].rows.col(i).dot(W * blocks_[k].rows.col(i));
      blocks_[k].scale[i] = mobility > 0.0 ? 1.0 / std::sqrt(mobility) : 1.0;
    }
  }
}

void SlipTurns::fill(const Motion& motion) {
  A_.set_pattern(sizes_, coupled_.find(motion.jacobian(), touches_));
  x_.resize(A_.num_rows());
  for (int a = 0; a < A_.num_blocks(); ++a) {
    const Block& row = blocks_[a];
    for (int e = A_.row_begin[a]; e < A_.row_begin[a + 1]; ++e) {
      const int b = A_.col[e];
      const Block& column = blocks_[b];
      ContactBlock W = ContactBlock::Zero();
      motion.jacobian().add_delassus(touches_[a], touches_[b], &W);
      const Mat3 values = row.rows.transpose() * W.topLeftCorner<3, 3>() * column.forces;
      double* value = A_.entry(e);
      for (int j = 0; j < sizes_[b]; ++j) {
        for (int i = 0; i < sizes_[a]; ++i)
          *value++ = row.scale[i] * values(i, j) * column.scale[j];
      }
    }
    const bool turns = row.turning > 0.0;
    double* own = A_.entry(A_.diagonal[a]);
    const Vec3 acceleration = row.rows.transpose() * motion.acceleration(touches_[a]);
    for (int i = 0; i < sizes_[a]; ++i) {
      const bool is_turn = turns && i == 1;
      own[i + i * sizes_[a]] += is_turn ? row.turning * row.scale[i] * row.scale[i] : kSoft;
      x_[A_.first_row[a] + i] = -row.scale[i] * acceleration[i];
    }
  }
}

std::vector<double> SlipTurns::solve(const Motion& motion, const std::vector<Touch>& touches,
                                     std::span<const int> slips) {
  touches_.clear();
  sizes_.clear();
  blocks_.clear();
  std::size_t next = 0;
  for (int i = 0; i < static_cast<int>(touches.size()); ++i) {
    const bool begins = next < slips.size() && slips[next] == i;
    if (begins) ++next;
    if (is_found(touches[i])) add_contact(motion, touches, i, begins);
  }
  set_scales(motion);
  fill(motion);
  lu_.order(A_);
  lu_.analyze(A_);
  if (!lu_.factorize(A_)) return {};
  lu_.solve(x_);
  std::vector<double> turns;
  for (std::size_t k = 0; k < blocks_.size() && turns.size() < slips.size(); ++k) {
    if (slips[turns.size()] != touches_[k]) continue;
    const double friction = touches[touches_[k]].mu * motion.forces()[touches_[k]][0];
    const double y = blocks_[k].scale[1] * x_[A_.first_row[static_cast<int>(k)] + 1];
    turns.push_back(friction > 0.0 ? -y / friction : 0.0);
  }
  return turns;
}

}  // namespace tenpin::methods::analytic
