#include "methods/time_stepping/sweep_groups.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenpin::methods::time_stepping {

namespace {

constexpr std::size_t kSlabSize = 500;  // contacts, with which a thread is longer busy than waking
constexpr double kSlabWidth = 16.0;     // bodies of one layer: fewer would not fill the lanes
constexpr double kSlabThickness = 4.0;  // bodies: fewer would touch across both of its seams
constexpr int kMostSlabs = 8;

struct Box {
  Vec3 lower = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 upper = -lower;
  Box& operator+=(const Box& other) {
    lower = lower.cwiseMin(other.lower);
    upper = upper.cwiseMax(other.upper);
    return *this;
  }
};

int find_upright_axis(const dynamics::Model& model) {
  int axis = 2;
  model.gravity.cwiseAbs().maxCoeff(&axis);
  return axis;
}

}  // namespace

// An even number, or one. Bodies are taken for cubes that fill the box around them.
int SweepGroups::calc_num_slabs(std::size_t num_contacts, const Vec3& extent, int upright) const {
  const double num_bodies = num_bodies_ - 1;
  const double cube = extent.prod() / num_bodies;
  const double height = extent[upright];
  const double cube_of_layer = num_bodies * num_bodies * extent.prod() / (height * height * height);
  const double length = extent[axis_];
  for (int slabs = kMostSlabs; slabs > 1; slabs -= 2) {
    const double width = slabs * kSlabWidth;
    const double thickness = slabs * kSlabThickness;
    if (num_contacts >= slabs * kSlabSize && cube_of_layer >= width * width * width &&
        length * length * length >= thickness * thickness * thickness * cube) {
      return slabs;
    }
  }
  return 1;
}

// Where contacts are and what they move, side by side in memory.
void SweepGroups::read(const VelocityProblem& problem, std::span<const int> contacts) {
  points_.resize(contacts.size());
  pairs_.resize(contacts.size());
  split(workers_, static_cast<int>(contacts.size()), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      points_[i] = problem.contacts[contacts[i]].p_b;
      pairs_[i] = {problem.J.side(contacts[i], 0).mechanism,
                   problem.J.side(contacts[i], 1).mechanism};
    }
  });
}

// Across the longest side that is not upright, between equal numbers of contacts, nearly. Seams are
// halved across the longer of the other two.
void SweepGroups::find_cuts(const dynamics::Model& model) {
  constexpr std::size_t kEvery = 8;  // contact is looked at: the cuts need not be exact
  const Box box = sum(workers_, static_cast<int>(points_.size()), Box(), [this](int i) {
    return Box{.lower = points_[i], .upper = points_[i]};
  });
  const Vec3 extent = box.upper - box.lower;
  const int upright = find_upright_axis(model);
  Vec3 level = extent;
  level[upright] = 0.0;
  level.maxCoeff(&axis_);
  num_slabs_ = calc_num_slabs(points_.size(), extent, upright);
  cuts_.clear();
  if (num_slabs_ == 1) return;
  const auto take_sample = [this](int axis) {
    sample_.clear();
    for (std::size_t i = 0; i < points_.size(); i += kEvery) sample_.push_back(points_[i][axis]);
  };
  Vec3 others = extent;
  others[axis_] = 0.0;
  others.maxCoeff(&seam_axis_);
  take_sample(seam_axis_);
  const auto middle = sample_.begin() + static_cast<std::ptrdiff_t>(sample_.size() / 2);
  std::nth_element(sample_.begin(), middle, sample_.end());
  seam_cut_ = *middle;
  take_sample(axis_);
  auto begin = sample_.begin();
  for (int i = 1; i < num_slabs_; ++i) {
    const auto cut = sample_.begin() + static_cast<std::ptrdiff_t>(i * sample_.size() / num_slabs_);
    std::nth_element(begin, cut, sample_.end());
    cuts_.push_back(*cut);
    begin = cut;
  }
}

void SweepGroups::count_bodies(const dynamics::Model& model) {
  slab_.assign(model.mechanisms.size(), kUntouched);
  num_bodies_ = 1;
  const auto count = [this](int mechanism) {
    if (mechanism < 0 || slab_[mechanism] != kUntouched) return;
    slab_[mechanism] = kUnknown;
    ++num_bodies_;
  };
  for (const auto& [a, b] : pairs_) {
    count(a);
    count(b);
  }
}

// A body belongs where its first contact is. Bodies of a slab are neighbours in memory.
void SweepGroups::find_slabs() {
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    for (const int mechanism : {pairs_[i].first, pairs_[i].second}) {
      if (mechanism < 0 || slab_[mechanism] != kUnknown) continue;
      const auto cut = std::upper_bound(cuts_.begin(), cuts_.end(), points_[i][axis_]);
      slab_[mechanism] = static_cast<int>(cut - cuts_.begin());
    }
  }
  first_body_.assign(num_slabs_ + 1, 0);
  first_body_[0] = 1;
  for (const int slab : slab_) {
    if (slab >= 0) ++first_body_[slab + 1];
  }
  for (int slab = 0; slab < num_slabs_; ++slab) first_body_[slab + 1] += first_body_[slab];
  first_.assign(first_body_.begin(), first_body_.end());
  body_.assign(slab_.size(), 0);
  for (std::size_t m = 0; m < slab_.size(); ++m) {
    if (slab_[m] >= 0) body_[m] = first_[slab_[m]]++;
  }
}

// Slabs, then halves of seams, then what reaches farther than to the next slab.
int SweepGroups::find_group(int position) const {
  const auto [a, b] = pairs_[position];
  const int slab_a = slab_[a < 0 ? b : a];
  const int slab_b = slab_[b < 0 ? a : b];
  const int seam = std::min(slab_a, slab_b);
  if (slab_a == slab_b) return seam;
  if (std::max(slab_a, slab_b) > seam + 1) return last_group();
  return num_slabs_ + 2 * seam + (points_[position][seam_axis_] < seam_cut_ ? 0 : 1);
}

// Halves of seams must move no body in common: what touches in two of them waits for the last
// group, with all that it touches across seams.
void SweepGroups::part_seams() {
  constexpr int kNone = -1;
  constexpr int kTwo = -2;
  if (num_slabs_ == 1) return;
  seam_.assign(slab_.size(), kNone);
  const auto visit = [this](auto&& work) {
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (group_[i] < num_slabs_ || group_[i] == last_group()) continue;
      work(&group_[i], &seam_[pairs_[i].first]);
      work(&group_[i], &seam_[pairs_[i].second]);
    }
  };
  visit([](const int* group, int* seam) {
    if (*seam == kNone) *seam = *group;
    if (*seam != *group) *seam = kTwo;
  });
  visit([this](int* group, const int* seam) {
    if (*seam == kTwo) *group = last_group();
  });
}

void SweepGroups::update(const dynamics::Model& model, const VelocityProblem& problem,
                         std::span<const int> contacts) {
  read(problem, contacts);
  count_bodies(model);
  find_cuts(model);
  find_slabs();
  group_.resize(contacts.size());
  split(workers_, static_cast<int>(contacts.size()), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) group_[i] = find_group(i);
  });
  part_seams();
  first_.assign(size() + 1, 0);
  for (const int group : group_) ++first_[group + 1];
  for (int g = 0; g < size(); ++g) first_[g + 1] += first_[g];
  positions_.resize(contacts.size());
  for (int i = static_cast<int>(contacts.size()) - 1; i >= 0; --i) {
    positions_[--first_[group_[i] + 1]] = i;
  }
  first_.erase(first_.begin());
  first_.push_back(static_cast<int>(contacts.size()));
}

SweepGroups::Group SweepGroups::group(int i) {
  const bool is_slab = i < num_slabs_;
  return {.phase = is_slab            ? 0
                   : i < last_group() ? 1
                                      : 2,
          .first_body = is_slab ? first_body_[i] : 0,
          .end_body = is_slab ? first_body_[i + 1] : 0,
          .positions = std::span(positions_).subspan(first_[i], first_[i + 1] - first_[i])};
}

}  // namespace tenpin::methods::time_stepping
