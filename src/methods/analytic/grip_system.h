// The linear equations for the forces that keep the accelerations of closed contacts at zero.
//   A x = -b   A: accelerations per force; sliding contacts include their friction
//              x: normal forces, and friction where contacts stick; one small block per contact
// A is sparse. Redundant contacts make it singular, and some forces are not determined: they stay
// close to those that the contacts had when their modes were decided.   [B89, eq. (17) and (26)]
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "complementarity/cone/block_lu.h"
#include "complementarity/cone/block_matrix.h"
#include "contact/coupled_contacts.h"
#include "contact/jacobian.h"
#include "methods/analytic/touch.h"

namespace tenpin::methods::analytic {

class GripSystem {
 public:
  // The input of the equations, by tracked contact.
  struct Instant {
    const std::vector<Touch>& touches;
    const contact::ContactJacobian& J;
    const std::vector<Vec3>& free;  // m/s^2   accelerations without contact forces
    const std::vector<Vec2>&
        rubbing;  // -       friction along t1, t2 per normal force of a sliding contact
  };

  // The reference for forces that are not unique. kDecided: Touch::force. kShared: its normal part,
  // with friction distributed in proportion to it.
  enum class Start { kDecided, kShared };

  // Writes the forces (N, along normal, t1, t2) of these contacts, all of which have a mode with an
  // unknown force. False if they are not finite.
  [[nodiscard]] bool solve(const Instant& instant, std::span<const int> touches, Start start,
                           std::vector<Vec3>* forces);

 private:
  struct Block {
    int touch = 0;
    bool slides = false;
    int first = 0;              // row of its contact: dry joints start with their friction
    Vec3 scale = Vec3::Zero();  // N   unit of each unknown, and 1/unit of its row
  };
  void update_pattern(const Instant& instant, std::span<const int> touches);
  void fill_entry(const Instant& instant, int row, int entry);
  void fill(const Instant& instant);
  void set_start(const Instant& instant, Start start);
  void update_missing();
  double calc_error() const;
  void correct();
  void polish();
  bool solve_unique();
  void solve_nearest(Start start);
  bool soften(Start start, double soft);
  void correct_repeatedly();

  std::vector<Block> blocks_;
  contact::CoupledContacts coupled_;
  std::vector<int> sizes_, old_sizes_;
  std::vector<std::pair<int, int>> old_pairs_;
  complementarity::cone::BlockMatrix A_, softened_;
  complementarity::cone::BlockLu lu_;
  bool is_redundant_ = false;                   // has the pattern turned out to be redundant?
  VecX free_, x_, before_, missing_, product_;  // all in units of Block::scale
  double size_ = 0.0;                           // of free_ and of x_ at the start
};

}  // namespace tenpin::methods::analytic
