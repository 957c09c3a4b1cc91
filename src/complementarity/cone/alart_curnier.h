// Coulomb's law of a proximal problem as a nonsmooth equation, and one Newton step on it.   [AC91]
//   ua = W l + q + weight (l - centre),   z = l - rho ua,   F = l - P(z)
//   P(z) = (n, z_T) where |z_T| <= reach,  (n, reach d) else
//   n = max(z_N, 0),  reach = mu (n + given),  d = z_T / |z_T|
// At free blocks P(z) = z. Unknowns of a step that F determines directly are eliminated: none are
// left for an open contact, all but one for a sliding contact. An open contact that sticks or
// slides under a given load has one unknown less than a closed contact.
#pragma once

#include <span>
#include <vector>

#include "complementarity/cone/block_lu.h"
#include "complementarity/cone/scaled_problem.h"

namespace tenpin::complementarity::cone {

class AlartCurnier {
 public:
  // Allocates only when a size grows.
  void reset(const ScaledProblem& problem);

  void set_proximal(double weight, std::span<const double> centre) {
    weight_ = weight;
    centre_.assign(centre.begin(), centre.end());
  }

  // Returns |F| at l with u = W l + q. If `keep` is true, stores F and the contact modes for
  // calc_step().
  double calc_residual(std::span<const double> l, std::span<const double> u, bool keep);

  // Computes the step dl and W dl from the point where the residual was stored. Returns false if a
  // number is not finite.
  [[nodiscard]] bool calc_step(std::span<double> dl, std::span<double> W_dl);

  static constexpr double kRho = 30.0;

 private:
  // Contact modes; free blocks count as kStick. The unknowns of dl, in the order of the modes, are:
  // none; n; n + mu d and the directions across d; all; the tangents; the directions across d.
  enum Mode : unsigned char { kOpen, kNormal, kSlide, kStick, kHold, kRub };
  struct Contact {
    Mode mode = kStick;
    double d[3] = {1.0, 0.0, 0.0};  // slip direction, among the tangents
    double across[2][3] = {};       // one or two directions across it
    double c = 1.0;                 // reach / |z_T|
    double h = 0.0;                 // known part of dl along d
  };

  void update_sizes();
  // The law of one contact.
  struct Limit {
    int num_tangents = 2;
    double mu = 0.0;
    double given = 0.0;
  };
  static Contact judge(const double* z, const Limit& limit, double* P);
  static bool is_turned(Mode mode) { return mode == kSlide || mode == kRub; }
  int num_tangents(int block) const { return problem_->W.size(block) - 1; }
  void pick_rows(int block, double* rows) const;
  void take_column(int e, int j, double* column) const;
  void fill_entry(int a, int e);
  void fill_matrix();
  void fill_right_side(std::span<double> known, std::span<double> W_known);
  void expand(std::span<const double> known, std::span<double> dl) const;

  const ScaledProblem* problem_ = nullptr;
  double weight_ = 0.0;
  std::vector<double> centre_;
  std::vector<double> F_;
  std::vector<Contact> contacts_;
  std::vector<int> sizes_;
  std::vector<int> planned_sizes_;  // the sizes that lu_ was last analysed for
  std::vector<double> zeros_;
  std::vector<double> known_;
  std::vector<double> x_;  // reduced right side, then the solution
  BlockMatrix A_;          // reduced
  BlockLu lu_;
  bool is_ordered_ = false;
};

}  // namespace tenpin::complementarity::cone
