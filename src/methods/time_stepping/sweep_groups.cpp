#include "methods/time_stepping/sweep_groups.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenpin::methods::time_stepping {

namespace {

constexpr std::size_t kPartitionSize =
    500;  // contacts: sweeping them takes longer than waking a thread
// bodies of one layer; fewer would not fill the vector lanes
constexpr double kPartitionWidth = 16.0;
constexpr double kPartitionThickness =
    4.0;  // bodies; with fewer, some would touch across both interfaces
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

// The number of partitions: even, or one. Assumes that bodies are cubes that fill the box around
// them.
int SweepGroups::calc_num_partitions(std::size_t num_contacts, const Vec3& extent,
                                     int upright) const {
  const double num_bodies = num_bodies_ - 1;
  const double cube = extent.prod() / num_bodies;
  const double height = extent[upright];
  const double cube_of_layer = num_bodies * num_bodies * extent.prod() / (height * height * height);
  const double length = extent[axis_];
  for (int partitions = kMostSlabs; partitions > 1; partitions -= 2) {
    const double width = partitions * kPartitionWidth;
    const double thickness = partitions * kPartitionThickness;
    if (num_contacts >= partitions * kPartitionSize && cube_of_layer >= width * width * width &&
        length * length * length >= thickness * thickness * thickness * cube) {
      return partitions;
    }
  }
  return 1;
}

// Copies the points and mechanisms of contacts to adjacent memory.
void SweepGroups::read(const ContactProblem& problem, std::span<const int> contacts) {
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

// Finds cuts across the longest horizontal side, so that nearly equal numbers of contacts lie
// between them. Interfaces are halved across the longer of the other two sides.
void SweepGroups::find_cuts(const dynamics::Model& model) {
  // Only one of this many contacts is sampled, because the cuts need not be exact.
  constexpr std::size_t kEvery = 8;
  const Box box = sum(workers_, static_cast<int>(points_.size()), Box(), [this](int i) {
    return Box{.lower = points_[i], .upper = points_[i]};
  });
  const Vec3 extent = box.upper - box.lower;
  const int upright = find_upright_axis(model);
  Vec3 level = extent;
  level[upright] = 0.0;
  level.maxCoeff(&axis_);
  num_partitions_ = calc_num_partitions(points_.size(), extent, upright);
  cuts_.clear();
  if (num_partitions_ == 1) return;
  const auto take_sample = [this](int axis) {
    sample_.clear();
    for (std::size_t i = 0; i < points_.size(); i += kEvery) sample_.push_back(points_[i][axis]);
  };
  Vec3 others = extent;
  others[axis_] = 0.0;
  others.maxCoeff(&interface_axis_);
  take_sample(interface_axis_);
  const auto middle = sample_.begin() + static_cast<std::ptrdiff_t>(sample_.size() / 2);
  std::nth_element(sample_.begin(), middle, sample_.end());
  interface_cut_ = *middle;
  take_sample(axis_);
  auto begin = sample_.begin();
  for (int i = 1; i < num_partitions_; ++i) {
    const auto cut =
        sample_.begin() + static_cast<std::ptrdiff_t>(i * sample_.size() / num_partitions_);
    std::nth_element(begin, cut, sample_.end());
    cuts_.push_back(*cut);
    begin = cut;
  }
}

void SweepGroups::count_bodies(const dynamics::Model& model) {
  partition_.assign(model.mechanisms.size(), kUntouched);
  num_bodies_ = 1;
  const auto count = [this](int mechanism) {
    if (mechanism < 0 || partition_[mechanism] != kUntouched) return;
    partition_[mechanism] = kUnknown;
    ++num_bodies_;
  };
  for (const auto& [a, b] : pairs_) {
    count(a);
    count(b);
  }
}

// Assigns each body to the partition of its first contact. Bodies of a partition are adjacent in
// memory.
void SweepGroups::find_partitions() {
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    for (const int mechanism : {pairs_[i].first, pairs_[i].second}) {
      if (mechanism < 0 || partition_[mechanism] != kUnknown) continue;
      const auto cut = std::upper_bound(cuts_.begin(), cuts_.end(), points_[i][axis_]);
      partition_[mechanism] = static_cast<int>(cut - cuts_.begin());
    }
  }
  first_body_.assign(num_partitions_ + 1, 0);
  first_body_[0] = 1;
  for (const int partition : partition_) {
    if (partition >= 0) ++first_body_[partition + 1];
  }
  for (int partition = 0; partition < num_partitions_; ++partition)
    first_body_[partition + 1] += first_body_[partition];
  first_.assign(first_body_.begin(), first_body_.end());
  body_.assign(partition_.size(), 0);
  for (std::size_t m = 0; m < partition_.size(); ++m) {
    if (partition_[m] >= 0) body_[m] = first_[partition_[m]]++;
  }
}

// The group of a contact. Partitions come first, then interface halves, then contacts that reach
// beyond the next partition.
int SweepGroups::find_group(int position) const {
  const auto [a, b] = pairs_[position];
  const int partition_a = partition_[a < 0 ? b : a];
  const int partition_b = partition_[b < 0 ? a : b];
  const int interface = std::min(partition_a, partition_b);
  if (partition_a == partition_b) return interface;
  if (std::max(partition_a, partition_b) > interface + 1) return last_group();
  return num_partitions_ + 2 * interface +
         (points_[position][interface_axis_] < interface_cut_ ? 0 : 1);
}

// Interface halves must not move the same body: a body in two of them is moved to the last group,
// with all its contacts across interfaces.
void SweepGroups::separate_interfaces() {
  constexpr int kNone = -1;
  constexpr int kTwo = -2;
  if (num_partitions_ == 1) return;
  interface_.assign(partition_.size(), kNone);
  const auto visit = [this](auto&& work) {
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (group_[i] < num_partitions_ || group_[i] == last_group()) continue;
      work(&group_[i], &interface_[pairs_[i].first]);
      work(&group_[i], &interface_[pairs_[i].second]);
    }
  };
  visit([](const int* group, int* interface) {
    if (*interface == kNone) *interface = *group;
    if (*interface != *group) *interface = kTwo;
  });
  visit([this](int* group, const int* interface) {
    if (*interface == kTwo) *group = last_group();
  });
}

void SweepGroups::update(const dynamics::Model& model, const ContactProblem& problem,
                         std::span<const int> contacts) {
  read(problem, contacts);
  count_bodies(model);
  find_cuts(model);
  find_partitions();
  group_.resize(contacts.size());
  split(workers_, static_cast<int>(contacts.size()), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) group_[i] = find_group(i);
  });
  separate_interfaces();
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
  const bool is_partition = i < num_partitions_;
  return {.phase = is_partition       ? 0
                   : i < last_group() ? 1
                                      : 2,
          .first_body = is_partition ? first_body_[i] : 0,
          .end_body = is_partition ? first_body_[i + 1] : 0,
          .positions = std::span(positions_).subspan(first_[i], first_[i + 1] - first_[i])};
}

}  // namespace tenpin::methods::time_stepping
