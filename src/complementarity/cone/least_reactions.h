// The shortest reactions among all that have the same effect.
//   minimise 1/2 sum |r_i|^2   with   sum B_i' r_i = b,   r_i in K_i
// K_i are convex: cones of sticking contacts, rays of sliding ones. The dual problem has no
// constraints and few unknowns: r_i = P_i(B_i y), the projection onto K_i, where y satisfies
//   sum B_i' P_i(B_i y) = b.
// This is the load on bodies that rest on equal springs and are displaced by y. It is solved by
// Newton's method on a convex function, whose matrix has one block per body.   [QS06]
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "complementarity/cone/block_lu.h"
#include "complementarity/cone/block_matrix.h"
#include "complementarity/cone/reaction_set.h"

namespace tenpin::complementarity::cone {

// Allocates only when a size or the pattern of groups changes.
class LeastReactions {
 public:
  // Starts without contacts and with this many columns in each group.
  void reset(std::span<const int> widths);

  // Four rows in the columns of one group, column by column. With group -1 there are none.
  struct Part {
    int group = -1;
    const double* values = nullptr;
  };
  // Adds a contact with its set of admissible reactions and its current reaction. Its rows beyond
  // set.num_rows are zero.
  void add(const ReactionSet& set, const Reaction& reaction, const Part& a, const Part& b);

  // Returns false if the shortest reactions are not found within max_systems linear systems, or if
  // the given reactions are not in their sets; the reactions then stay unchanged. Returns true also
  // if the given reactions already were the shortest.
  [[nodiscard]] bool solve(int max_systems);

  const Reaction& reaction(int i) const { return contacts_[i].reaction; }
  // Number of linear systems in the last solve.
  int num_systems() const { return num_systems_; }

 private:
  struct Contact {
    ReactionSet set;
    Reaction reaction;
    Projection now;                   // at the current y
    int group[2] = {-1, -1};          // columns
    std::size_t first[2] = {0, 0};    // of its rows in values_
    int entry[4] = {-1, -1, -1, -1};  // of the matrix: (a, a), (a, b), (b, a), (b, b)
  };

  using Rows = Eigen::Map<const Eigen::Matrix<double, 4, Eigen::Dynamic>>;
  Rows rows(const Contact& contact, int side) const;
  bool take_given();
  void make_pattern();
  void scale_columns();
  void add_loads(const Contact& contact, const Reaction& reaction, VecX* loads) const;
  // The matrix of a step: made from the linear hulls of the sets, or from the current slopes, or
  // the last matrix again.
  enum class System : unsigned char { kHulls, kSlopes, kSame };
  template <int kWidth>
  static void add_product(const Rows& left, const ReactionBlock& slope, const Rows& right,
                          double* values);
  void add_stiffness(const Contact& contact, const ReactionBlock& slope);
  void fill(double softness, System system);
  [[nodiscard]] bool calc_step(double softness, System system);
  void evaluate(const VecX& y);
  [[nodiscard]] bool search();

  std::vector<int> widths_, first_column_;
  std::vector<Contact> contacts_;
  std::vector<double> values_;
  std::vector<std::pair<int, int>> pairs_, old_pairs_;
  std::vector<int> old_widths_;
  BlockMatrix H_;
  BlockLu lu_;
  VecX scale_;   // by column: unit of y
  VecX target_;  // b, in units of scale_
  VecX y_, trial_, step_, loads_, missing_;
  double merit_ = 0.0;
  double size_ = 0.0;  // of the reactions
  int num_systems_ = 0;
  bool is_inside_ = false;  // true if all contacts are inside their sets at the current y
};

}  // namespace tenpin::complementarity::cone
