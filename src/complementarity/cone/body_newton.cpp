#include "complementarity/cone/body_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "complementarity/tolerances.h"

namespace tenpin::complementarity::cone {
namespace {

constexpr double kMostPairs = 2.0;  // pairs of neighbours per body

bool is_worth_factors(long num_bodies, std::size_t num_pairs) {
  if (num_bodies <= kFewBodies) return true;
  return num_bodies <= kManyBodies &&
         static_cast<double>(num_pairs) <= kMostPairs * static_cast<double>(num_bodies);
}

struct LaneLaw {
  double softness[2];
  double mu;
  double r[3];
  double u[3];
};

// Linearises [r_N; r_T] = [-u_N / s_N; -u_T / s_T]: springs only, no slip.
void make_sticking(const LaneLaw& law, double B[3][3], double* defect) {
  for (int k = 0; k < 3; ++k) {
    if (k > 0 && law.mu == 0.0) continue;
    B[k][k] = 1.0 / law.softness[k == 0 ? 0 : 1];
    defect[k] = -law.u[k] * B[k][k] - law.r[k];
  }
}

// Linearises r_T = mu r_N t with t = -u_T / |u_T|, a direction that turns with the velocity.
void make_sliding(const LaneLaw& law, double B[3][3], double* defect) {
  const double slip = std::sqrt(law.u[1] * law.u[1] + law.u[2] * law.u[2]);
  const double size = std::sqrt(law.r[1] * law.r[1] + law.r[2] * law.r[2]);
  const bool by_slip = slip > 0.0;
  const double t[2] = {by_slip ? -law.u[1] / slip : law.r[1] / size,
                       by_slip ? -law.u[2] / slip : law.r[2] / size};
  const double limit = law.mu * law.r[0];
  B[0][0] = 1.0 / law.softness[0];
  defect[0] = -law.u[0] * B[0][0] - law.r[0];
  // Never stiffer than the spring of a sticking contact.
  const double turning = limit / std::max(slip, law.softness[1] * limit);
  for (int i = 0; i < 2; ++i) {
    B[1 + i][0] = law.mu * t[i] * B[0][0];
    for (int j = 0; j < 2; ++j) {
      B[1 + i][1 + j] = turning * ((i == j ? 1.0 : 0.0) - t[i] * t[j]);
    }
    defect[1 + i] = (limit + law.mu * defect[0]) * t[i] - law.r[1 + i];
  }
}

// True if the contact slides: sweeps leave the reactions of sliding contacts on their cones, up to
// rounding.
bool slides(const LaneLaw& law) {
  constexpr double kOnCone = 1.0 - 1e-10;
  const double limit = kOnCone * law.mu * law.r[0];
  return law.mu > 0.0 && law.r[1] * law.r[1] + law.r[2] * law.r[2] >= limit * limit;
}

void read_rows(const ContactBatch& batch, int lane, double J_a[3][kBodySize],
               double J_b[3][kBodySize]) {
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < kBodySize; ++i) {
      J_a[k][i] = batch.J_a[k][i][lane];
      J_b[k][i] = batch.J_b[k][i][lane];
    }
  }
}

void read_rows(const RoundBatch& batch, int lane, double J_a[3][kBodySize],
               double J_b[3][kBodySize]) {
  const double n[3] = {batch.n[0][lane], batch.n[1][lane], batch.n[2][lane]};
  const double t1[3] = {batch.t1[0][lane], batch.t1[1][lane], batch.t1[2][lane]};
  const double t2[3] = {n[1] * t1[2] - n[2] * t1[1], n[2] * t1[0] - n[0] * t1[2],
                        n[0] * t1[1] - n[1] * t1[0]};
  for (int side = 0; side < 2; ++side) {
    auto* const J = side == 0 ? J_a : J_b;
    const double linear = batch.linear[side][lane];
    const double spin = batch.spin[side][lane];
    for (int i = 0; i < 3; ++i) {
      J[0][i] = linear * n[i];
      J[1][i] = linear * t1[i];
      J[2][i] = linear * t2[i];
      J[0][3 + i] = 0.0;
      J[1][3 + i] = spin * t2[i];
      J[2][3 + i] = -spin * t1[i];
    }
  }
}

bool moves(int row) {
  return row >= kNumFixedRows;
}

double multiply_six(const double* row, const double* v) {
  double sum = 0.0;
  for (int i = 0; i < kBodySize; ++i) sum += row[i] * v[i];
  return sum;
}

// block += left' BJ, by columns.
void add_product(const double left[3][kBodySize], const double BJ[3][kBodySize], double* block) {
  for (int j = 0; j < kBodySize; ++j) {
    for (int i = 0; i < kBodySize; ++i) {
      block[i + kBodySize * j] +=
          left[0][i] * BJ[0][j] + left[1][i] * BJ[1][j] + left[2][i] * BJ[2][j];
    }
  }
}

void multiply_law(const double B[3][3], const double J[3][kBodySize], double BJ[3][kBodySize]) {
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < kBodySize; ++i) {
      BJ[k][i] = B[k][0] * J[0][i] + B[k][1] * J[1][i] + B[k][2] * J[2][i];
    }
  }
}

}  // namespace

// True if the balls, whose contacts are single points, have too many neighbours already: the pairs
// then need not be sorted.
bool BodyNewton::is_hopeless(int num_rows, RoundList* round) {
  std::size_t num_pairs = 0;
  round->visit([&](const BatchBase& batch, int lane, const BatchReaction&) {
    if (moves(batch.a[lane]) && moves(batch.b[lane])) ++num_pairs;
  });
  return !is_worth_factors(num_rows - kNumFixedRows, num_pairs);
}

void BodyNewton::analyze(int num_rows, RoundList* round, ContactList* others) {
  if (is_hopeless(num_rows, round)) {
    pairs_.clear();  // forces a new pattern in the next call
    sizes_.clear();
    flops_ = std::numeric_limits<double>::infinity();
    return;
  }
  std::swap(pairs_, last_pairs_);
  pairs_.clear();
  const auto take_pair = [this](const BatchBase& batch, int lane, const BatchReaction&) {
    pairs_.emplace_back(std::minmax(batch.a[lane], batch.b[lane]));
  };
  round->visit(take_pair);
  others->visit(take_pair);
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  const bool is_new = pairs_ != last_pairs_ || static_cast<int>(sizes_.size()) != num_rows;
  if (!is_new) return;
  sizes_.assign(num_rows, 0);
  for (const auto& [a, b] : pairs_) sizes_[a] = sizes_[b] = kBodySize;
  std::fill_n(sizes_.begin(), kNumFixedRows, 0);
  if (!is_worth_factors(std::count(sizes_.begin(), sizes_.end(), kBodySize), pairs_.size())) {
    flops_ = std::numeric_limits<double>::infinity();
    return;
  }
  K_.lay_out(sizes_, pairs_);
  lu_.order(K_);
  lu_.analyze(K_);
  flops_ = lu_.calc_flops();
}

template <typename Batch>
void BodyNewton::append_contacts(const std::vector<BodyMotion>& bodies, BatchList<Batch>* list) {
  list->visit([&](const Batch& batch, int lane, BatchReaction& reaction) {
    LinearContact& c = contacts_.emplace_back();
    LaneLaw law = {};
    for (int k = 0; k < 3; ++k) law.r[k] = reaction.r[k][lane];
    c.a = batch.a[lane];
    c.b = batch.b[lane];
    c.is_open = !(law.r[0] > 0.0);
    if (c.is_open) return;
    read_rows(batch, lane, c.J_a, c.J_b);
    double v_a[kBodySize];
    double v_b[kBodySize];
    for (int i = 0; i < kBodySize; ++i) {
      v_a[i] = bodies[c.a].v[i];
      v_b[i] = bodies[c.b].v[i];
    }
    for (int k = 0; k < 3; ++k) {
      law.u[k] = batch.q[k][lane] + (multiply_six(c.J_a[k], v_a) + multiply_six(c.J_b[k], v_b));
    }
    law.softness[0] = batch.softness[0][lane];
    law.softness[1] = batch.softness[1][lane];
    law.mu = batch.mu[lane];
    if (slides(law)) {
      make_sliding(law, c.B, c.defect);
    } else {
      make_sticking(law, c.B, c.defect);
    }
  });
}

void BodyNewton::add_to_matrix(const LinearContact& c) {
  double BJ_a[3][kBodySize];
  double BJ_b[3][kBodySize];
  multiply_law(c.B, c.J_a, BJ_a);
  multiply_law(c.B, c.J_b, BJ_b);
  if (moves(c.a)) add_product(c.J_a, BJ_a, K_.entry(K_.diagonal[c.a]));
  if (moves(c.b)) add_product(c.J_b, BJ_b, K_.entry(K_.diagonal[c.b]));
  if (!moves(c.a) || !moves(c.b)) return;
  const int across = K_.find(c.a, c.b);
  add_product(c.J_a, BJ_b, K_.entry(across));
  add_product(c.J_b, BJ_a, K_.entry(K_.mirror[across]));
}

void BodyNewton::add_to_right_side(const LinearContact& c) {
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < kBodySize; ++i) {
      if (moves(c.a)) x_[K_.first_row[c.a] + i] += c.J_a[k][i] * c.defect[k];
      if (moves(c.b)) x_[K_.first_row[c.b] + i] += c.J_b[k][i] * c.defect[k];
    }
  }
}

template <typename Batch>
void BodyNewton::move_reactions(std::size_t first, BatchList<Batch>* list) const {
  constexpr double kStill[kBodySize] = {};
  list->visit([&](const Batch&, int lane, BatchReaction& reaction) {
    const LinearContact& c = contacts_[first++];
    if (c.is_open) return;
    const double* const v_a = moves(c.a) ? &x_[K_.first_row[c.a]] : kStill;
    const double* const v_b = moves(c.b) ? &x_[K_.first_row[c.b]] : kStill;
    double u[3];
    for (int k = 0; k < 3; ++k) u[k] = multiply_six(c.J_a[k], v_a) + multiply_six(c.J_b[k], v_b);
    for (int k = 0; k < 3; ++k) {
      reaction.r[k][lane] += c.defect[k] - (c.B[k][0] * u[0] + c.B[k][1] * u[1] + c.B[k][2] * u[2]);
    }
  });
}

bool BodyNewton::step(RoundList* round, ContactList* others, std::vector<BodyMotion>* bodies) {
  contacts_.clear();
  append_contacts(*bodies, round);
  const std::size_t num_round = contacts_.size();
  append_contacts(*bodies, others);
  K_.clear_values();
  x_.assign(K_.num_rows(), 0.0);
  for (int body = 0; body < K_.num_blocks(); ++body) {
    for (int i = 0; i < K_.size(body); ++i) K_.entry(K_.diagonal[body])[i + i * kBodySize] = 1.0;
  }
  for (const LinearContact& c : contacts_) {
    if (c.is_open) continue;
    add_to_matrix(c);
    add_to_right_side(c);
  }
  if (!lu_.factorize(K_)) return false;
  lu_.solve(x_);
  if (!std::all_of(x_.begin(), x_.end(), [](double x) {
        return std::isfinite(x);
      }))
    return false;
  move_reactions(0, round);
  move_reactions(num_round, others);
  for (BodyMotion& body : *bodies) body = BodyMotion{};
  add_reactions(round->all(bodies->data()));
  add_reactions(others->all(bodies->data()));
  return true;
}

}  // namespace tenpin::complementarity::cone
