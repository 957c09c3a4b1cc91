// A primal-dual interior-point method for the problem with De Saxce's term, which is neither convex
// nor smooth: Mehrotra's predictor-corrector with Nesterov-Todd scaling.   [AG03, §6]
//   x = (mu r_N, r_T),  y = (u_N / mu + |u_T|, u_T): both in the Lorentz cone, x'y = 0
//   F = Q x + c + |y_T| e0 - y
// The derivative of |y_T| is damped in the matrix and exact in F. Undamped, steps that point at the
// tip of the cone stop the method long before it converges.
#pragma once

#include <span>
#include <vector>

#include "complementarity/cone/interface_lu.h"
#include "complementarity/cone/lorentz.h"
#include "complementarity/cone/scaled_problem.h"
#include "complementarity/cone/search.h"

namespace tenpin::complementarity::cone {

class InteriorPoint {
 public:
  struct Pace {
    double damping = 0.95;  // of the derivative of |y_T|; 0 treats that term explicitly
    double progress = 0.3;  // factor by which the merit must fall in fifteen iterations
  };
  // kQuick solves most problems; kPatient solves some of the problems on which kQuick stalls.
  static constexpr Pace kQuick = {0.95, 0.3};
  static constexpr Pace kPatient = {0.5, 0.8};

  // If `joins`, contacts between the same two bodies are treated as one interface. The linear
  // systems are then smaller, but less accurate where they are nearly singular. Allocates only when
  // a size grows.
  void reset(const ScaledProblem& problem, bool joins);

  void start(const Pace& pace);
  // Passes every iterate to the search. Returns true if it stopped at an iterate as good as
  // `pause`, from which it can continue; false if it makes no more progress.
  bool run(double pause, Search* search);

 private:
  struct Iterate {
    std::vector<double> x, y, F;
    std::vector<double> r, u;
    double gap = 0.0;  // x'y per cone
  };
  struct Direction {
    std::vector<double> x, y;
  };

  void make_matrix();
  void fill_entry(int a, int e);
  [[nodiscard]] bool is_stuck() const;
  void step();
  void update_residual();
  [[nodiscard]] bool factorize();
  void solve_step(std::span<const double> v);
  [[nodiscard]] double calc_step_limit() const;
  [[nodiscard]] double calc_gap_after(double step) const;
  void make_corrector(double target, bool second_order);
  double find_step(double largest) const;
  void advance(double step);
  int cone_size(int block) const { return is_cone_[block] ? Q_.size(block) : 0; }

  const ScaledProblem* problem_ = nullptr;
  Pace pace_;
  int num_cones_ = 0;
  std::vector<unsigned char> is_cone_, may_join_;
  BlockMatrix Q_;
  InterfaceLu lu_;
  std::vector<double> D_;       // G V^2, block after block
  std::vector<double> weight_;  // of each row of Q: x = r / weight, y = u weight
  Iterate now_;
  Direction direction_;
  std::vector<double> v_, rhs_;
  std::vector<NesterovTodd> scaling_;
  double last_step_ = 0.0;
  std::vector<double> merits_;  // of every iterate since the start
};

}  // namespace tenpin::complementarity::cone
