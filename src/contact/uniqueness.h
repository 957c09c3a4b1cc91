// Determines which contact forces follow from the motion, and which could differ without changing
// it.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "base/union_find.h"
#include "contact/contact.h"
#include "contact/jacobian.h"
#include "math/pivoted_cholesky.h"

namespace tenpin::contact {

// The data of one contact after a solve.
struct ForceState {
  ContactVector impulse = ContactVector::Zero();  // N s
  Vec3 slip = Vec3::Zero();  // m/s, m/s, rad/s   along t1, t2 and spin, according to the law
  double mu = 0.0;           // -   as used
  bool touches = false;      // may carry an impulse: it does, or it rests without one
  bool slips = false;        // friction has its full size, against the slip
  // Of a polyhedral cone: the generators that oppose the slip best, per unit of load. Friction lies
  // between them.
  static constexpr int kMostEdges = 4;
  std::array<std::array<double, 3>, kMostEdges> edges = {};  // along t1, t2 and spin
  int num_edges = 0;
};

// Impulses p and p' give the same motion if J'(p - p') = 0. A contact's impulse is determined if
// all vectors of the null space of J' are zero in its rows. A contact has the rows in which its
// impulse can vary: only the normal without friction, the edge of the cone while it slides, all
// directions while it sticks. Loops are rows, too, because they share loads with contacts.
//
// Three tests in sequence:
//   pairs     two sticking contacts between the same two bodies can always push against each other
//             along the line through them: neither is determined.
//   peeling   if the rows of all contacts of one mechanism are independent by themselves, they are
//             determined whatever the others do, and leave the problem.
//   core      the rest, in components: finds a vector of the null space as the residual of a random
//             vector projected onto the range of J. Up to kMaxCore velocities; contacts of larger
//             components count as not determined. A null space of one dimension must also respect
//             the cones of unloaded contacts, otherwise it offers no other impulses.
//
// So `true` is proven; `false` means that other impulses exist or, in a large core and where
// several unloaded contacts are involved, that this was not excluded.
class UniquenessTest {
 public:
  static constexpr int kMaxCore = 48;  // velocities: eight loose bodies, about 0.05 ms

  // (*unique)[i] is 1 if the impulse of contact i is unique, else 0. Returns true if all are 1.
  // Reuses its buffers between calls.
  bool test(const dynamics::Model& model, const dynamics::MassMatrix& M, const ContactJacobian& J,
            std::span<const Contact> contacts, std::span<const ForceState> states,
            std::vector<char>* unique);

 private:
  // The rows of one contact, or of the loops of one mechanism.
  struct Block {
    int first = 0;           // of its numbers in values_
    int count = 0;           // number of rows; 0 if it cannot carry anything
    bool is_loaded = false;  // always true for loops
    bool is_stuck = false;
    std::array<int, 2> mechanism = {-1, -1};
    std::array<int, 2> nv = {0, 0};
    [[nodiscard]] int width() const { return nv[0] + nv[1]; }
  };

  void scale_rows(Block* block);
  void collect(const ContactJacobian& J, int contact, const Contact& c, const ForceState& state);
  void append_row(const ContactJacobian& J, int contact, const ContactVector& direction);
  void append_slipping_rows(const ContactJacobian& J, int contact, const ForceState& state);
  void append_sticking_rows(const ContactJacobian& J, int contact, const Contact& c);
  void collect_loops(const dynamics::Model& model, const dynamics::MassMatrix& M);
  void sort_by_mechanism(int num_mechanisms);
  [[nodiscard]] std::span<const int> blocks_of(int mechanism) const;
  void mark_pairs(std::span<const Contact> contacts, std::vector<char>* unique) const;
  void peel(const dynamics::Model& model);
  [[nodiscard]] bool are_independent(int mechanism, int nv);
  void test_cores(const dynamics::Model& model, std::span<const ForceState> states,
                  std::vector<char>* unique);
  void test_core(std::span<const std::pair<int, int>> core, std::span<const ForceState> states,
                 std::vector<char>* unique);
  void fill_core(std::span<const std::pair<int, int>> core, int num_columns);
  void fill_rows(const Block& block, Eigen::Index first);
  void add_products(const Block& block, Eigen::Index first);
  void project_on_null_space();
  [[nodiscard]] bool is_admissible(std::span<const std::pair<int, int>> core, double sign,
                                   std::span<const ForceState> states) const;

  std::vector<Block> blocks_;              // one per contact, then one per mechanism with loops
  std::vector<double> values_;             // rows, each side a then side b
  std::vector<double> shares_;             // 1/kg   of the last row's velocities in its mobility
  std::vector<int> first_of_;              // by mechanism, and the end: in members_
  std::vector<int> members_;               // blocks
  std::vector<char> is_peeled_;            // by block
  std::vector<int> queue_;                 // mechanisms to examine again
  std::vector<double> basis_;              // orthonormal rows of one mechanism
  UnionFind components_;                   // of mechanisms
  std::vector<std::pair<int, int>> core_;  // root, block; sorted
  std::vector<int> column_;    // by mechanism: its first column in the core; -1: none yet
  MatX rows_, normal_matrix_;  // of a core
  VecX null_, right_side_;
  PivotedCholesky cholesky_;
};

}  // namespace tenpin::contact
