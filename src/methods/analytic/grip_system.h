// The linear equations for the forces that keep the accelerations of touching contacts at zero.
//   A x = -b   A: accelerations per force, those of sliding contacts with the friction they bring
//              x: normal forces, and friction where contacts stick; one small block per contact
// A is sparse. Where contacts follow from others it is singular, and some forces are open: they
// stay near those that contacts had when their grips were decided.   [B89, eq. (17) and (26)]
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
  // What the equations are made of, by touch.
  struct Instant {
    const std::vector<Touch>& touches;
    const contact::ContactJacobian& J;
    const std::vector<Vec3>& free;     // m/s^2   accelerations without contact forces
    const std::vector<Vec2>& rubbing;  // -       friction along t1, t2 per normal force of a slide
  };

  // What the forces shall be near if they are not unique. kDecided: Touch::force. kShared: its
  // normal part; friction is then shared out in proportion to it.
  enum class Start { kDecided, kShared };

  // Writes the forces (N, along normal, t1, t2) of these touches, whose grips all ask for one.
  // False if they are not finite.
  [[nodiscard]] bool solve(const Instant& instant, std::span<const int> touches, Start start,
                           std::vector<Vec3>* forces);

 private:
  struct Block {
    int touch = 0;
    bool slides = false;
    int first = 0;              // row of its contact: dry joints begin with their friction
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
  bool is_redundant_ = false;                   // the pattern has been found so
  VecX free_, x_, before_, missing_, product_;  // all in units of Block::scale
  double size_ = 0.0;                           // of free_ and of x_ at the start
};

}  // namespace tenpin::methods::analytic
