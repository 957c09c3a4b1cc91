#include "methods/time_stepping/sweep_groups.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenpin::methods::time_stepping {

namespace {

constexpr std::size_t kSlabSize = 500;  // contacts, with which a thread is longer busy than waking
constexpr double kSlabWidth = 16.0;     // bodies of one layer: fewer would not fill the lanes
constexpr int kMostSlabs = 8;

int find_upright_axis(const dynamics::Model& model) {
  int axis = 2;
  model.gravity.cwiseAbs().maxCoeff(&axis);
  return axis;
}

}  // namespace

// An even number, or one. Bodies are taken for cubes that fill the box around them.
int SweepGroups::calc_num_slabs(std::size_t num_contacts, const Vec3& extent, int upright) const {
  const double num_bodies = num_bodies_ - 1;
  const double height = extent[upright];
  const double cube_of_layer = num_bodies * num_bodies * extent.prod() / (height * height * height);
  for (int slabs = kMostSlabs; slabs > 1; slabs -= 2) {
    const double width = slabs * kSlabWidth;
    if (num_contacts >= slabs * kSlabSize && cube_of_layer >= width * width * width) return slabs;
  }
  return 1;
}

// Across the longest side that is not upright, between equal numbers of contacts.
void SweepGroups::find_cuts(const dynamics::Model& model, const VelocityProblem& problem,
                            std::span<const int> contacts) {
  Vec3 lower = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 upper = -lower;
  points_.resize(contacts.size());
  split(workers_, static_cast<int>(contacts.size()), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) points_[i] = problem.contacts[contacts[i]].p_b;
  });
  for (const Vec3& point : points_) {
    lower = lower.cwiseMin(point);
    upper = upper.cwiseMax(point);
  }
  Vec3 extent = upper - lower;
  const int upright = find_upright_axis(model);
  num_slabs_ = calc_num_slabs(contacts.size(), extent, upright);
  cuts_.clear();
  along_.assign(contacts.size(), 0.0);
  if (num_slabs_ == 1) return;
  extent[upright] = 0.0;
  int axis = 0;
  extent.maxCoeff(&axis);
  for (std::size_t i = 0; i < contacts.size(); ++i) along_[i] = points_[i][axis];
  sorted_ = along_;
  auto begin = sorted_.begin();
  for (int i = 1; i < num_slabs_; ++i) {
    const auto cut = sorted_.begin() + static_cast<std::ptrdiff_t>(i * sorted_.size() / num_slabs_);
    std::nth_element(begin, cut, sorted_.end());
    cuts_.push_back(*cut);
    begin = cut;
  }
}

// From 1 on.
void SweepGroups::number_bodies(const dynamics::Model& model, const VelocityProblem& problem,
                                std::span<const int> contacts) {
  body_.assign(model.mechanisms.size(), 0);
  for (const int c : contacts) {
    for (const int side : {0, 1}) {
      const int mechanism = problem.J.side(c, side).mechanism;
      if (mechanism >= 0) body_[mechanism] = 1;
    }
  }
  num_bodies_ = 1;
  for (int& body : body_) body = body == 0 ? 0 : num_bodies_++;
}

// A body belongs where its first contact is.
void SweepGroups::find_slabs(const VelocityProblem& problem, std::span<const int> contacts) {
  slab_.assign(body_.size(), -1);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto cut = std::upper_bound(cuts_.begin(), cuts_.end(), along_[i]);
    for (const int side : {0, 1}) {
      const int mechanism = problem.J.side(contacts[i], side).mechanism;
      if (mechanism >= 0 && slab_[mechanism] < 0) {
        slab_[mechanism] = static_cast<int>(cut - cuts_.begin());
      }
    }
  }
  first_body_.assign(num_slabs_ + 1, 0);
  for (const int slab : slab_) {
    if (slab >= 0) ++first_body_[slab + 1];
  }
  for (int slab = 0; slab < num_slabs_; ++slab) first_body_[slab + 1] += first_body_[slab];
  bodies_.resize(num_bodies_ - 1);
  first_.assign(first_body_.begin(), first_body_.end());
  for (std::size_t m = 0; m < slab_.size(); ++m) {
    if (slab_[m] >= 0) bodies_[first_[slab_[m]]++] = body_[m];
  }
}

// Slabs, then even seams, then odd ones, then what reaches farther than to the next slab.
int SweepGroups::find_group(const VelocityProblem& problem, int contact) const {
  const int a = problem.J.side(contact, 0).mechanism;
  const int b = problem.J.side(contact, 1).mechanism;
  const int slab_a = slab_[a < 0 ? b : a];
  const int slab_b = slab_[b < 0 ? a : b];
  if (slab_a == slab_b) return slab_a;
  const int seam = std::min(slab_a, slab_b);
  if (std::max(slab_a, slab_b) > seam + 1) return 2 * num_slabs_ - 1;
  return num_slabs_ + (seam % 2 == 0 ? seam / 2 : (num_slabs_ + seam) / 2);
}

void SweepGroups::update(const dynamics::Model& model, const VelocityProblem& problem,
                         std::span<const int> contacts) {
  number_bodies(model, problem, contacts);
  find_cuts(model, problem, contacts);
  find_slabs(problem, contacts);
  group_.resize(contacts.size());
  split(workers_, static_cast<int>(contacts.size()), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) group_[i] = find_group(problem, contacts[i]);
  });
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
  const bool is_even = i < num_slabs_ + num_slabs_ / 2;
  const bool is_last = i == 2 * num_slabs_ - 1;
  return {.phase = is_slab   ? 0
                   : is_last ? 3
                   : is_even ? 1
                             : 2,
          .bodies = is_slab ? std::span<const int>(bodies_).subspan(
                                  first_body_[i], first_body_[i + 1] - first_body_[i])
                            : std::span<const int>(),
          .positions = std::span(positions_).subspan(first_[i], first_[i + 1] - first_[i])};
}

}  // namespace tenpin::methods::time_stepping
