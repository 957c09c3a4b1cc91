#include "complementarity/cone/least_reactions.h"

#include <algorithm>
#include <cmath>

#include "complementarity/tolerances.h"

namespace tenpin::complementarity::cone {

namespace {

// All of these are relative: columns have length one, and loads are divided by the size of the
// reactions.
constexpr double kLeastSoftness = 1e-9;  // keeps the matrix regular; a tenth of it loses digits
constexpr double kMostSoftness = 1e-2;   // ten times more needs one more system at the end
constexpr double kDone = 1e-14;          // missing load that no further step can reduce
constexpr double kOutside =
    1e-10;  // distance of given reactions from their sets: the solver's rounding
constexpr double kRounding = 1e-12;  // of the longest column of a body
constexpr int kMaxSearches = 12;
constexpr double kDescent = 1e-4;  // Armijo's fraction of the expected decrease

}  // namespace

void LeastReactions::reset(std::span<const int> widths) {
  widths_.assign(widths.begin(), widths.end());
  first_column_.resize(widths_.size() + 1);
  first_column_[0] = 0;
  for (std::size_t g = 0; g < widths_.size(); ++g) {
    first_column_[g + 1] = first_column_[g] + widths_[g];
  }
  contacts_.clear();
  values_.clear();
}

void LeastReactions::add(const ReactionSet& set, const Reaction& reaction, const Part& a,
                         const Part& b) {
  Contact contact = {.set = set, .reaction = reaction, .now = {}};
  int side = 0;
  for (const Part& part : {a, b}) {
    contact.group[side] = part.group;
    contact.first[side] = values_.size();
    const int count = part.group < 0 ? 0 : 4 * widths_[part.group];
    values_.insert(values_.end(), part.values, part.values + count);
    ++side;
  }
  contacts_.push_back(contact);
}

LeastReactions::Rows LeastReactions::rows(const Contact& contact, int side) const {
  const int group = contact.group[side];
  return {values_.data() + contact.first[side], 4, group < 0 ? 0 : widths_[group]};
}

// Reads the loads that the given reactions produce; the shortest reactions must produce the same.
bool LeastReactions::take_given() {
  target_.setZero(first_column_.back());
  for (Contact& contact : contacts_) {
    contact.now = project(contact.set, contact.reaction);
    if (!((contact.now.point - contact.reaction).norm() <= kOutside * size_)) return false;
    add_loads(contact, contact.now.point, &target_);
  }
  return true;
}

void LeastReactions::add_loads(const Contact& contact, const Reaction& reaction,
                               VecX* loads) const {
  for (int side = 0; side < 2; ++side) {
    if (contact.group[side] < 0) continue;
    const Rows B = rows(contact, side);
    double* load = loads->data() + first_column_[contact.group[side]];
    for (int k = 0; k < B.cols(); ++k) load[k] += B.col(k).dot(reaction);
  }
}

// Scales columns to length one, so that neither units nor masses decide what is small. Columns that
// are rounding beside the others of their body are left out: scaled up, they would pin down loads
// that nothing determines.
void LeastReactions::scale_columns() {
  scale_.setZero(first_column_.back());
  for (const Contact& contact : contacts_) {
    const ReactionBlock span = calc_span(contact.set);
    for (int side = 0; side < 2; ++side) {
      if (contact.group[side] < 0) continue;
      const Rows B = rows(contact, side);
      double* square = scale_.data() + first_column_[contact.group[side]];
      for (int k = 0; k < B.cols(); ++k) square[k] += (span * B.col(k)).squaredNorm();
    }
  }
  for (std::size_t g = 0; g < widths_.size(); ++g) {
    auto squares = scale_.segment(first_column_[g], widths_[g]);
    const double least = kRounding * kRounding * squares.maxCoeff();
    for (double& square : squares) square = square > least ? 1.0 / std::sqrt(square) : 0.0;
  }
  for (const Contact& contact : contacts_) {
    for (int side = 0; side < 2; ++side) {
      if (contact.group[side] < 0) continue;
      double* value = values_.data() + contact.first[side];
      const double* unit = scale_.data() + first_column_[contact.group[side]];
      for (int k = 0; k < 4 * widths_[contact.group[side]]; ++k) value[k] *= unit[k / 4];
    }
  }
}

void LeastReactions::make_pattern() {
  pairs_.clear();
  for (const Contact& contact : contacts_) {
    const auto [low, high] = std::minmax(contact.group[0], contact.group[1]);
    if (low >= 0 && low != high) pairs_.emplace_back(low, high);
  }
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  if (pairs_ != old_pairs_ || widths_ != old_widths_ || H_.num_blocks() == 0) {
    H_.set_pattern(widths_, pairs_);
    lu_.order(H_);
    lu_.analyze(H_);
    old_pairs_ = pairs_;
    old_widths_ = widths_;
  }
  for (Contact& contact : contacts_) {
    for (int k = 0; k < 4; ++k) {
      const int row = contact.group[k / 2];
      const int column = contact.group[k % 2];
      contact.entry[k] = row < 0 || column < 0 ? -1 : H_.find(row, column);
    }
  }
}

// Adds left' slope right to values, by columns.
template <int kWidth>
void LeastReactions::add_product(const Rows& left, const ReactionBlock& slope, const Rows& right,
                                 double* values) {
  using Sized = Eigen::Matrix<double, 4, kWidth>;
  const Eigen::Map<const Sized> a(left.data(), 4, left.cols());
  const Eigen::Map<const Sized> b(right.data(), 4, right.cols());
  for (int j = 0; j < b.cols(); ++j) {
    const Reaction answer = slope * b.col(j);
    for (int i = 0; i < a.cols(); ++i) *values++ += a.col(i).dot(answer);
  }
}

void LeastReactions::add_stiffness(const Contact& contact, const ReactionBlock& slope) {
  for (int k = 0; k < 4; ++k) {
    if (contact.entry[k] < 0) continue;
    const Rows left = rows(contact, k / 2);
    const Rows right = rows(contact, k % 2);
    double* values = H_.entry(contact.entry[k]);
    if (left.cols() == 6 && right.cols() == 6) {
      add_product<6>(left, slope, right, values);  // loose bodies: width known at compile time
    } else {
      add_product<Eigen::Dynamic>(left, slope, right, values);
    }
  }
}

void LeastReactions::fill(double softness, System system) {
  H_.clear_values();
  for (const Contact& contact : contacts_) {
    const ReactionBlock slope =
        system == System::kHulls ? calc_span(contact.set) : contact.now.slope;
    if (!slope.isZero(0.0)) add_stiffness(contact, slope);
  }
  for (int group = 0; group < H_.num_blocks(); ++group) {
    double* value = H_.entry(H_.diagonal[group]);
    const int width = widths_[group];
    for (int k = 0; k < width; ++k) {
      const bool is_empty = scale_[first_column_[group] + k] == 0.0;
      value[k + k * width] += is_empty ? 1.0 : softness;
    }
  }
}

// Computes a step and writes it to step_.
bool LeastReactions::calc_step(double softness, System system) {
  if (system != System::kSame) {
    fill(softness, system);
    ++num_systems_;
    if (!lu_.factorize(H_)) return false;
  }
  step_ = missing_;
  lu_.solve({step_.data(), static_cast<std::size_t>(step_.size())});
  return step_.allFinite();
}

// Computes reactions, slopes, merit and the missing load at y.
void LeastReactions::evaluate(const VecX& y) {
  merit_ = -target_.dot(y);
  is_inside_ = true;
  missing_ = target_;
  for (Contact& contact : contacts_) {
    Reaction x = Reaction::Zero();
    for (int side = 0; side < 2; ++side) {
      if (contact.group[side] < 0) continue;
      const Rows B = rows(contact, side);
      const double* part = y.data() + first_column_[contact.group[side]];
      for (int k = 0; k < B.cols(); ++k) x += part[k] * B.col(k);
    }
    contact.now = project(contact.set, x);
    is_inside_ = is_inside_ && contact.now.is_inside;
    merit_ += contact.now.point.dot(x - 0.5 * contact.now.point);
    add_loads(contact, -contact.now.point, &missing_);
  }
}

// Searches along step_ until the convex function falls or the missing load shrinks.
bool LeastReactions::search() {
  const double merit = merit_;
  const double missing = missing_.norm();
  const double gain = missing_.dot(step_);
  double part = 1.0;
  for (int i = 0; i < kMaxSearches; ++i, part *= 0.5) {
    trial_ = y_ + part * step_;
    evaluate(trial_);
    if (merit_ <= merit - kDescent * part * gain || missing_.norm() <= 0.5 * missing) {
      y_.swap(trial_);
      return true;
    }
  }
  evaluate(y_);
  return false;
}

bool LeastReactions::solve(int max_systems) {
  num_systems_ = 0;
  size_ = 0.0;
  for (const Contact& contact : contacts_) size_ += contact.reaction.squaredNorm();
  size_ = std::sqrt(size_);
  if (size_ == 0.0) return true;
  scale_columns();
  if (!take_given()) return false;
  make_pattern();
  missing_ = target_;
  if (!calc_step(kLeastSoftness, System::kHulls)) return false;
  y_ = step_;
  evaluate(y_);
  bool is_linear = is_inside_;  // so far one system has served all steps
  double error = missing_.norm() / size_;
  for (int i = 0; error > kDone && i < kMaxReactionSteps && num_systems_ < max_systems; ++i) {
    const double softness = std::clamp(0.1 * error, kLeastSoftness, kMostSoftness);
    if (!calc_step(softness, is_linear ? System::kSame : System::kSlopes) || !search()) break;
    is_linear = is_linear && is_inside_;
    const double now = missing_.norm() / size_;
    if (now <= kNegligibleLoad && now > 0.5 * error) break;
    error = now;
  }
  if (!(missing_.norm() <= kNegligibleLoad * size_)) return false;
  for (Contact& contact : contacts_) contact.reaction = contact.now.point;
  return true;
}

}  // namespace tenpin::complementarity::cone
