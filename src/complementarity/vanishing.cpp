#include "complementarity/vanishing.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "complementarity/least_norm.h"
#include "complementarity/tolerances.h"

namespace tenpin::complementarity {

namespace {

using Status = LinearProgramSolution::Status;

constexpr double kMoves = 1e-8;  // -   scaled accelerations above this are non-zero

// The product A f for a square A.
VecX multiply(const std::vector<LinearProgram::Entry>& A, const VecX& f) {
  VecX product = VecX::Zero(f.size());
  for (const LinearProgram::Entry& e : A) product[e.row] += e.value * f[e.column];
  return product;
}

// The problem scaled so that every diagonal entry and the largest b are one. The tolerances of
// linear programs then have the same meaning for all masses.
class ScaledForces {
 public:
  explicit ScaledForces(const ForceProblem& problem)
      : n_(static_cast<int>(problem.b.size())), holonomic_(problem.holonomic), A_(problem.A) {
    holonomic_.resize(n_, false);
    weight_.setOnes(n_);
    for (const LinearProgram::Entry& e : A_) {
      TENPIN_DEMAND(e.row >= 0 && e.row < n_ && e.column >= 0 && e.column < n_);
      if (e.row == e.column && e.value > 0.0) weight_[e.row] = 1.0 / std::sqrt(e.value);
    }
    b_ = weight_.cwiseProduct(problem.b);
    for (const double b : b_) unit_ = std::max(unit_, std::fabs(b));
    if (unit_ == 0.0) unit_ = 1.0;
    b_ /= unit_;
    for (LinearProgram::Entry& e : A_) e.value *= weight_[e.row] * weight_[e.column];
  }

  enum class Row { kStays, kMayPart, kVanishes, kSplit };

  // The program whose rows are constrained as `kinds` says; its first unknowns are the forces.
  // kSplit: A f = b up to a misfit whose size is the cost.
  [[nodiscard]] LinearProgram make_program(const std::vector<Row>& kinds, double cost) const {
    LinearProgram program;
    for (int i = 0; i < n_; ++i) {
      const double lower = holonomic_[i] ? -kNoBound : 0.0;
      const double upper = kinds[i] == Row::kVanishes ? 0.0 : kNoBound;
      program.add_column(holonomic_[i] ? 0.0 : cost, lower, upper);
      const bool equals = kinds[i] == Row::kStays || kinds[i] == Row::kSplit;
      program.add_row(b_[i], equals ? b_[i] : kNoBound);
    }
    program.entries = A_;
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

  // Predicts V from the residual of an approximate solution.   [B89, eq. (21)]
  [[nodiscard]] std::vector<Row> predict(const VecX& f) const {
    std::vector<Row> rows = make_rows(Row::kStays, Row::kStays);
    const VecX residual = multiply(A_, f) - b_;
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
  std::vector<LinearProgram::Entry> A_;
  VecX weight_, b_;
  double unit_ = 0.0;
};

// The excess f'(A f - b) over all contacts.
double calc_excess(const ForceProblem& problem, const VecX& f) {
  const VecX a = multiply(problem.A, f) - problem.b;
  double excess = 0.0;
  for (Eigen::Index i = 0; i < f.size(); ++i) {
    const bool is_joint = !problem.holonomic.empty() && problem.holonomic[i];
    excess += is_joint ? 0.0 : f[i] * a[i];
  }
  return excess;
}

}  // namespace

std::vector<LinearProgram::Entry> list_entries(const MatX& A) {
  std::vector<LinearProgram::Entry> entries;
  for (int i = 0; i < static_cast<int>(A.rows()); ++i) {
    for (int j = 0; j < static_cast<int>(A.cols()); ++j) {
      if (A(i, j) != 0.0) entries.push_back({i, j, A(i, j)});
    }
  }
  return entries;
}

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
  compromise.misfit = multiply(problem.A, compromise.f) - problem.b;
  return compromise;
}

Compromise solve_least_squares(const MatX& A, const VecX& b) {
  LeastNormSolver solver;
  solver.factorize(A, kVanishingRank);
  Compromise compromise{.f = solver.solve(b)};
  compromise.misfit = A * compromise.f - b;
  return compromise;
}

}  // namespace tenpin::complementarity
