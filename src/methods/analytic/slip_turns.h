// By how much the directions of all slips that begin have to turn at once, so that none accelerates
// across itself: Newton's rule, as one sparse system.
//   d, s  directions along and across a slip;  -mu f_n d  its friction
//   y     N   force along s that turning by -y / (mu f_n) brings
//   A [f; y] + diag(0; a_d / (mu f_n)) y = -(accelerations as they are)
// A: accelerations per force of all contacts that hold, as in grip_system.h, with a row and a
// column more for each such slip. The diagonal is there because s turns with d.
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
  // rad   by slip, a list of touches; none if they cannot be found. By the forces that the motion
  // has.
  [[nodiscard]] std::vector<double> solve(const Motion& motion, const std::vector<Touch>& touches,
                                          std::span<const int> slips);

 private:
  // What a contact may add to its force, and along what its acceleration has to vanish: columns.
  struct Block {
    Mat3 forces = Mat3::Identity();
    Mat3 rows = Mat3::Identity();
    Vec3 scale = Vec3::Ones();
    double turning = 0.0;  // 1/kg   of the last row, if its slip begins
  };
  void add_contact(const Motion& motion, const std::vector<Touch>& touches, int touch, bool begins);
  void add_turn(const Motion& motion, const Touch& touch, int index, Block* block);
  void set_scales(const Motion& motion);
  void fill(const Motion& motion);

  std::vector<int> touches_;  // with a force that is found
  std::vector<int> sizes_;
  std::vector<Block> blocks_;
  contact::CoupledContacts coupled_;
  complementarity::cone::BlockMatrix A_;
  complementarity::cone::BlockLu lu_;
  std::vector<double> x_;
};

}  // namespace tenpin::methods::analytic
