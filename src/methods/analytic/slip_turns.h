// How far the directions of all starting slips must turn at once so that none accelerates across
// itself: Newton's method, as one sparse system.
//   d, s  directions along and across a slip;  -mu f_n d  its friction
//   y     N   force along s due to a turn by -y / (mu f_n)
//   A [f; y] + diag(0; a_d / (mu f_n)) y = -(current accelerations)
// A: accelerations per force of all closed contacts, as in grip_system.h, with an additional row
// and column for each such slip. The diagonal accounts for s turning with d.
#pragma once

#include <span>
#include <vector>

#include "complementarity/cone/block_lu.h"
#include "complementarity/cone/block_matrix.h"
#include "contact/coupled_contacts.h"
#include "methods/analytic/motion.h"
#include "methods/analytic/touch.h"

namespace tenpin::methods::analytic {

class SlipTurns {
 public:
  // rad   by slip, a list of contacts; empty if they cannot be found. Uses the current forces of
  // the motion.
  [[nodiscard]] std::vector<double> solve(const Motion& motion, const std::vector<Touch>& touches,
                                          std::span<const int> slips);

 private:
  // The forces that a contact may add, and the directions in which its acceleration must vanish:
  // columns.
  struct Block {
    Mat3 forces = Mat3::Identity();
    Mat3 rows = Mat3::Identity();
    Vec3 scale = Vec3::Ones();
    double turning = 0.0;  // 1/kg   of the last row, if its slip starts
  };
  void add_contact(const Motion& motion, const std::vector<Touch>& touches, int touch, bool begins);
  void add_turn(const Motion& motion, const Touch& touch, int index, Block* block);
  void set_scales(const Motion& motion);
  void fill(const Motion& motion);

  std::vector<int> touches_;  // with an unknown force
  std::vector<int> sizes_;
  std::vector<Block> blocks_;
  contact::CoupledContacts coupled_;
  complementarity::cone::BlockMatrix A_;
  complementarity::cone::BlockLu lu_;
  std::vector<double> x_;
};

}  // namespace tenpin::methods::analytic
