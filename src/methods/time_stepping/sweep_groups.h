// Parts of a large heap that may be swept at the same time.
#pragma once

#include <span>
#include <vector>

#include "base/workers.h"
#include "dynamics/model.h"
#include "methods/time_stepping/velocity_problem.h"

namespace tenpin::methods::time_stepping {

// A large heap is cut into upright slabs. What touches within one slab is swept first, all slabs at
// once, then what touches across every other seam, then across the seams between. The cuts follow
// from the contacts alone, not from the number of threads. Keeps its buffers.
class SweepGroups {
 public:
  explicit SweepGroups(const Workers* workers) : workers_(workers) {}
  void update(const dynamics::Model& model, const VelocityProblem& problem,
              std::span<const int> contacts);

  // A group's contacts, by their positions in what update() was given, and its bodies' numbers.
  struct Group {
    int phase = 0;
    std::span<const int> bodies;
    std::span<int> positions;  // in no order worth keeping
  };
  int size() const { return 2 * num_slabs_; }
  [[nodiscard]] Group group(int i);
  // From 1 on for mechanisms that touch, 0 for all that does not move.
  int body(int mechanism) const { return mechanism < 0 ? 0 : body_[mechanism]; }
  int num_bodies() const { return num_bodies_; }

 private:
  void number_bodies(const dynamics::Model& model, const VelocityProblem& problem,
                     std::span<const int> contacts);
  [[nodiscard]] int calc_num_slabs(std::size_t num_contacts, const Vec3& extent, int upright) const;
  void find_cuts(const dynamics::Model& model, const VelocityProblem& problem,
                 std::span<const int> contacts);
  void find_slabs(const VelocityProblem& problem, std::span<const int> contacts);
  [[nodiscard]] int find_group(const VelocityProblem& problem, int contact) const;

  const Workers* workers_;
  int num_slabs_ = 1;
  int num_bodies_ = 1;
  std::vector<Vec3> points_;     // m   where a contact is, by position
  std::vector<double> along_;    // m   the same, across the cuts
  std::vector<double> sorted_;   // the same, up to the cuts
  std::vector<double> cuts_;     // m   between slabs
  std::vector<int> slab_;        // by mechanism; -1: does not touch
  std::vector<int> body_;        // by mechanism
  std::vector<int> bodies_;      // slab by slab
  std::vector<int> first_body_;  // by slab, and the end: in bodies_
  std::vector<int> group_;       // by position
  std::vector<int> first_;       // by group, and the end: in positions_
  std::vector<int> positions_;
};

}  // namespace tenpin::methods::time_stepping
