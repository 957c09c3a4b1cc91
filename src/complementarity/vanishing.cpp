#include "complementarity/vanishing.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "complementarity/least_norm.h"
#include "complementarity/linear_program.h"

namespace tenpin::complementarity {

namespace {

using Status = LinearProgramSolution::Status;

constexpr double kMoves = 1e-8;  // -   scaled accelerations above this are not zero

// The problem in units in which every row's own diagonal and the largest b are one, so that the
// tolerances of linear programs mean the same for all masses.
class ScaledForces {
 public:
  explicit ScaledForces(const ForceProblem& problem)
      : n_(static_cast<int>(problem.b.size())), holonomic_(problem.holonomic) {
    TENPIN_DEMAND(problem.A.rows() == n_ && problem.A.cols() == n_);
    holonomic_.resize(n_, false);
    weight_.resize(n_);
    b_.resize(n_);
    for (int i = 0; i < n_; ++i) {
      const double own = problem.A(i, i);
      weight_[i] = own > 0.0 ? 1.0 / std::sqrt(own) : 1.0;
      b_[i] = weight_[i] * problem.b[i];
      unit_ = std::max(unit_, std::fabs(b_[i]));
    }
    if (unit_ == 0.0) unit_ = 1.0;
    b_ /= unit_;
    A_ = weight_.asDiagonal() * problem.A * weight_.asDiagonal();
  }

  enum class Row { kStays, kMayPart, kVanishes, kSplit };

  // The program whose rows do what `kinds` says; its unknowns begin with the forces. kSplit: A f =
  // b up to a misfit that costs its size.
  [[nodiscard]] LinearProgram make_program(const std::vector<Row>& kinds, double cost) const {
    LinearProgram program;
    for (int i = 0; i < n_; ++i) {
      const double lower = holonomic_[i] ? -kNoBound : 0.0;
      const double upper = kinds[i] == Row::kVanishes ? 0.0 : kNoBound;
      program.add_column(holonomic_[i] ? 0.0 : cost, lower, upper);
      const bool equals = kinds[i] == Row::kStays || kinds[i] == Row::kSplit;
      program.add_row(b_[i], equals ? b_[i] : kNoBound);
    }
    for (int i = 0; i < n_; ++i) {
      for (int j = 0; j < n_; ++j) {
        if (A_(i, j) != 0.0) program.entries.push_back({i, j, A_(i, j)});
      }
    }
    for (int i = 0; i < n_; ++i) {
      if (kinds[i] != Row::kSplit) continue;
      for (const double sign : {1.0, -1.0}) {
        // The paper's norm is that of the unscaled rows.
        const int column = program.add_column(1.0 / weight_[i], 0.0, kNoBound);
        program.entries.push_back({i, column, sign});
      }
    }
    return program;
  }

  [[nodiscard]] std::vector<Row> make_rows(Row contact, Row joint) const {
    std::vector<Row> rows(n_, contact);
    for (int i = 0; i < n_; ++i) {
      if (holonomic_[i]) rows[i] = joint;
    }
    return rows;
  }

  // V, by the residual of an approximate solution.   [B89, eq. (21)]
  [[nodiscard]] std::vector<Row> predict(const VecX& f) const {
    std::vector<Row> rows = make_rows(Row::kStays, Row::kStays);
    const VecX residual = A_ * f - b_;
    for (int i = 0; i < n_; ++i) {
      if (!holonomic_[i] && residual[i] > kMoves) rows[i] = Row::kVanishes;
    }
    return rows;
  }

  [[nodiscard]] VecX to_forces(const VecX& scaled) const {
    return unit_ * weight_.cwiseProduct(scaled.head(n_));
  }

 private:
  int n_;
  std::vector<bool> holonomic_;
  VecX weight_, b_;
  MatX A_;
  double unit_ = 0.0;
};

// f'(A f - b) over the contacts.
double calc_excess(const ForceProblem& problem, const VecX& f) {
  const VecX a = problem.A * f - problem.b;
  double excess = 0.0;
  for (Eigen::Index i = 0; i < f.size(); ++i) {
    const bool is_joint = !problem.holonomic.empty() && problem.holonomic[i];
    excess += is_joint ? 0.0 : f[i] * a[i];
  }
  return excess;
}

}  // namespace

ForceAnswer solve_by_guesses(const ForceProblem& problem) {
  using Row = ScaledForces::Row;
  const ScaledForces scaled(problem);
  ForceAnswer answer{.f = VecX::Zero(problem.b.size())};
  const auto try_program = [&](const std::vector<Row>& rows, double cost, VecX* f) {
    const LinearProgramSolution solution = solve(scaled.make_program(rows, cost));
    ++answer.programs;
    answer.iterations += solution.iterations;
    if (solution.status == Status::kOptimal) *f = solution.x;
    return solution.status == Status::kOptimal;
  };
  VecX f;
  if (try_program(scaled.make_rows(Row::kStays, Row::kStays), 0.0, &f)) {
    answer.branch = ForceBranch::kNoneVanishes;
    answer.f = scaled.to_forces(f);
    return answer;
  }
  VecX approximate;  // [B89, eq. (22)-(23)]
  if (!try_program(scaled.make_rows(Row::kMayPart, Row::kStays), 1.0, &approximate)) return answer;
  const bool is_right = try_program(scaled.predict(approximate), 0.0, &f);  // [B89, eq. (18)]
  answer.branch = is_right ? ForceBranch::kPredicted : ForceBranch::kFallback;
  answer.f = scaled.to_forces(is_right ? f : approximate);
  if (!is_right) answer.excess = calc_excess(problem, answer.f);
  return answer;
}

Compromise solve_least_sum(const ForceProblem& problem) {
  using Row = ScaledForces::Row;
  const ScaledForces scaled(problem);
  const LinearProgramSolution solution =
      solve(scaled.make_program(scaled.make_rows(Row::kMayPart, Row::kSplit), 0.0));
  if (solution.status != Status::kOptimal) return {};
  Compromise compromise{.f = scaled.to_forces(solution.x)};
  compromise.misfit = problem.A * compromise.f - problem.b;
  return compromise;
}

Compromise solve_least_squares(const MatX& A, const VecX& b) {
  constexpr double kRank = 1e-12;
  LeastNormSolver solver;
  solver.factorize(A, kRank);
  Compromise compromise{.f = solver.solve(b)};
  compromise.misfit = A * compromise.f - b;
  return compromise;
}

}  // namespace tenpin::complementarity
