// Parts of a large heap that can be swept at the same time.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "base/workers.h"
#include "dynamics/model.h"
#include "methods/time_stepping/core/contact_problem.h"

namespace tenpin::methods::time_stepping {

// A large heap is cut into upright partitions. Contacts within a partition are swept first, all
// partitions at the same time; then contacts across the interfaces, all interface halves at the
// same time; then the rest. The cuts depend on the contacts alone, not on the number of threads.
// Reuses its buffers between calls.
class SweepGroups {
 public:
  explicit SweepGroups(const Workers* workers) : workers_(workers) {}
  void update(const dynamics::Model& model, const ContactProblem& problem,
              std::span<const int> contacts);

  // A group's contacts, by their positions in the input of update(), and its bodies.
  struct Group {
    int phase = 0;
    int first_body = 0, end_body = 0;
    std::span<int> positions;  // in no particular order
  };
  int size() const { return last_group() + 1; }
  [[nodiscard]] Group group(int i);
  // The bodies of a contact, given its position. Bodies are counted from 1; 0 stands for everything
  // that does not move.
  std::pair<int, int> bodies(int position) const {
    return {body(pairs_[position].first), body(pairs_[position].second)};
  }
  int num_bodies() const { return num_bodies_; }

 private:
  static constexpr int kUntouched = -1;
  static constexpr int kUnknown = -2;  // not assigned yet
  void read(const ContactProblem& problem, std::span<const int> contacts);
  void count_bodies(const dynamics::Model& model);
  [[nodiscard]] int calc_num_partitions(std::size_t num_contacts, const Vec3& extent,
                                        int upright) const;
  void find_cuts(const dynamics::Model& model);
  void find_partitions();
  [[nodiscard]] int find_group(int position) const;
  void separate_interfaces();
  int body(int mechanism) const { return mechanism < 0 ? 0 : body_[mechanism]; }
  int last_group() const { return num_partitions_ + 2 * (num_partitions_ - 1); }

  const Workers* workers_;
  int num_partitions_ = 1;
  int num_bodies_ = 1;
  int axis_ = 0;                            // orthogonal to the cuts
  int interface_axis_ = 0;                  // orthogonal to the cut of interfaces
  double interface_cut_ = 0.0;              // m
  std::vector<Vec3> points_;                // m   of a contact, by position
  std::vector<std::pair<int, int>> pairs_;  // mechanisms, by position; -1: does not move
  std::vector<double> sample_;              // m   of the points along the axis
  std::vector<double> cuts_;                // m   between partitions
  std::vector<int> partition_;              // by mechanism
  std::vector<int> body_;                   // by mechanism
  std::vector<int> interface_;              // by mechanism: group of its interface
  std::vector<int> first_body_;             // by partition, with one more entry for the end
  std::vector<int> group_;                  // by position
  // by group, with one more entry for the end: position in positions_
  std::vector<int> first_;
  std::vector<int> positions_;
};

}  // namespace tenpin::methods::time_stepping
