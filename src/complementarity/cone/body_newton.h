// One Newton step of a regular cone problem in the space of body velocities, for islands through
// which loads travel too far for sweeps.
#pragma once

#include <utility>
#include <vector>

#include "complementarity/cone/batch_list.h"
#include "complementarity/cone/block_lu.h"

namespace tenpin::complementarity::cone {

// Compliance makes the reaction of a contact a function of its velocity alone, r = R(u), as long as
// the contact keeps the mode (stick, slide, open) of the last sweep. With v = J' r, the step is
//   (I + J' B J) dv = J' (R - r),   dr = R - r - B J dv,   B = -dR/du,
// whose matrix has one block of six rows per body.
// Allocates only when a size or the contact pattern changes.
class BodyNewton {
 public:
  using RoundList = BatchList<RoundBatch>;
  using ContactList = BatchList<ContactBatch>;

  // Analyses the pattern of the contacts.
  void analyze(int num_rows, RoundList* round, ContactList* others);

  // Floating-point operations of one step; infinite if a step would be too expensive.
  [[nodiscard]] double calc_flops() const { return flops_; }

  // Changes the reactions, which may leave their cones, and the body velocities, and resets the
  // momentum. If a number is not finite, returns false and changes nothing.
  [[nodiscard]] bool step(RoundList* round, ContactList* others, std::vector<BodyMotion>* bodies);

 private:
  // A contact with linearised law: dr = defect - B J dv.
  struct LinearContact {
    int a = 0;
    int b = 0;
    double J_a[3][kBodySize] = {};
    double J_b[3][kBodySize] = {};
    double B[3][3] = {};
    double defect[3] = {};
    bool is_open = false;
  };

  [[nodiscard]] static bool is_hopeless(int num_rows, RoundList* round);
  template <typename Batch>
  void append_contacts(const std::vector<BodyMotion>& bodies, BatchList<Batch>* list);
  void add_to_matrix(const LinearContact& c);
  void add_to_right_side(const LinearContact& c);
  template <typename Batch>
  void move_reactions(std::size_t first, BatchList<Batch>* list) const;

  BlockMatrix K_;
  BlockLu lu_;
  std::vector<std::pair<int, int>> pairs_, last_pairs_;  // of bodies in contact, sorted
  std::vector<int> sizes_;
  std::vector<LinearContact> contacts_;  // contacts of the round list, then the others
  std::vector<double> x_;                // right side, then velocities, by row of K
  double flops_ = 0.0;
};

}  // namespace tenpin::complementarity::cone
