// Coulomb friction as a complementarity problem over second-order cones, and its certificate.
//   symbol  here  meaning (for a time step: impulses and velocities)
//   r       r     N s  reaction: (r_N, r_T1, r_T2) of a contact, free multipliers of a free block
//   u       u     m/s  relative velocity, u = W r + q
//   K       -     |r_T| <= mu r_N, the friction cone; K* its dual. T may have a third direction,
//                 spin about the normal times a length: slip and spin then share one round limit
//   uhat    -     (u_N + mu |u_T|, u_T), De Saxce's change of variable: with it, sliding obeys
//                 maximum dissipation without opening the contact, though u is not normal to K
//   g       given N s  additional known normal reaction that counts for friction, usually zero
// Find r with   K* > uhat _|_ r in K   at every contact,   u = 0   at every free block.
// With g the tip of the cone is cut off: |r_T| <= mu (r_N + g), r_N >= 0, and -uhat is normal to
// that set. So friction under a known load is a contact that stays open. W need be neither
// symmetric nor of full rank; reactions are then not unique.   [ABH18, §2]
#pragma once

#include <span>
#include <vector>

#include "complementarity/cone/block_matrix.h"

namespace tenpin::complementarity::cone {

enum class BlockKind : unsigned char {
  kContact,  // three rows: normal, two tangents; four with spin; its mu may be zero
  kFree,     // rows of a joint or loop: u = 0 for whatever r is needed
};

struct ConeProblem {
  BlockMatrix W;
  std::vector<BlockKind> kind;  // per block
  std::vector<double> mu;       // per block; 0 at free blocks
  std::vector<double> given;    // per block
  std::vector<double> q;        // per row

  int num_blocks() const { return W.num_blocks(); }
  int num_rows() const { return W.num_rows(); }
  [[nodiscard]] int calc_num_contacts() const;
};

// A problem of nc contacts followed by free blocks, with its pattern, zero values and no given
// load.
void set_structure(std::span<const double> contact_mu, std::span<const int> free_sizes,
                   std::span<const std::pair<int, int>> pairs, ConeProblem* problem);
// The same with contacts of three or four rows, and no free blocks.
void set_contacts(std::span<const double> mu, std::span<const int> sizes,
                  std::span<const std::pair<int, int>> pairs, ConeProblem* problem);

// How far r is from solving the problem. Computed from the problem and r alone, independently of
// the solvers. The products W r are summed in double-double precision.
struct ConeResidual {
  // |e| / max(|q|, |r|, |u|) and |e| / |q|, with e = r - P_K(r - uhat) at contacts and u at free
  // blocks. They mix impulses and velocities, so they depend on the units.   [ABH18, §5]
  double err_sic = 0.0;
  double err_q = 0.0;
  // The same without units: e = r - P_K(r - uhat / w), w = tr W_aa / 3, in the energy norm:
  // sqrt(sum w |e|^2) / sqrt(sum |q|^2 / w).
  double energy = 0.0;
  double cone_violation = 0.0;   // max (|r_T| - mu (r_N + g))+ / max (r_N + g)
  double penetration = 0.0;      // max (-u_N)+ / max |q|
  double complementarity = 0.0;  // |sum uhat.r| / (|r| |u|)
  double friction_gain = 0.0;    // max (u_T.r_T)+ / (|r| |u|): friction must never do positive work
  double free_velocity = 0.0;    // max |u| of free rows / max |q|
  bool finite = true;
};

[[nodiscard]] ConeResidual certify_cone(const ConeProblem& problem, std::span<const double> r);

}  // namespace tenpin::complementarity::cone
