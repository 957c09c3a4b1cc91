// Shared by the stages of a solve: the best reaction so far, the tolerance and the budget.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "base/deadline.h"
#include "complementarity/cone/scaled_problem.h"

namespace tenpin::complementarity::cone {

enum class Stage : unsigned char { kGaussSeidel, kNewton, kInteriorPoint };

struct Effort {
  int sweeps = 0;          // of Gauss-Seidel, including those inside Newton's method
  int newton = 0;          // linear systems of Newton's method
  int interior_point = 0;  // linear systems of the interior point, two right-hand sides each
};

// Called from time to time with the current stage, the effort so far and the best error.
using Progress = std::function<void(Stage stage, const Effort& effort, double error)>;

class Search {
 public:
  // The search must reach `enough`; reaching `tolerance` may cost a few more systems.
  void reset(double tolerance, double enough, int max_systems, const Progress* progress,
             const Deadline* deadline) {
    tolerance_ = tolerance;
    enough_ = enough;
    polished_from_ = -1;
    max_systems_ = max_systems;
    progress_ = progress;
    deadline_ = deadline;
    best_error_ = std::numeric_limits<double>::infinity();
    best_.clear();
    effort = {};
  }

  // Keeps the scaled r if it is the best so far; u = W r + q. Returns its error.
  double offer(const ScaledProblem& problem, Stage stage, std::span<const double> r,
               std::span<const double> u) {
    const double error = problem.calc_error(r, u);
    if (error < best_error_ || best_.empty()) {
      if (error < best_error_) best_error_ = error;
      best_.assign(r.begin(), r.end());
    }
    if (polished_from_ < 0 && is_enough()) polished_from_ = num_systems();
    if (progress_ != nullptr && *progress_) (*progress_)(stage, effort, best_error_);
    return error;
  }

  bool is_solved() const { return best_error_ <= tolerance_; }
  bool is_enough() const { return best_error_ <= enough_; }
  bool is_exhausted() const {
    return num_systems() >= max_systems_ ||
           (is_enough() && num_systems() >= polished_from_ + kPolishSystems) || is_out_of_time();
  }
  bool is_out_of_time() const { return tenpin::is_over(deadline_); }
  bool is_over() const { return is_solved() || is_exhausted(); }
  double tolerance() const { return tolerance_; }
  double best_error() const { return best_error_; }
  const std::vector<double>& best() const { return best_; }

  Effort effort;

 private:
  static constexpr int kPolishSystems = 4;
  int num_systems() const { return effort.newton + effort.interior_point; }

  double tolerance_ = 0.0;
  double enough_ = 0.0;
  int polished_from_ = -1;  // number of systems when `enough` was reached
  int max_systems_ = 0;
  const Progress* progress_ = nullptr;
  const Deadline* deadline_ = nullptr;
  double best_error_ = std::numeric_limits<double>::infinity();
  std::vector<double> best_;
};

}  // namespace tenpin::complementarity::cone
