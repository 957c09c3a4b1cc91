#include "complementarity/cone/body_sweep.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace tenpin::complementarity::cone {
namespace {

constexpr int kMostBetweenChecks = 25;
constexpr int kSweepsAfterNewton = 5;
// Floating-point operations of a linear solve that take as long as one sweep over a round contact.
constexpr double kRoundFlops = 80.0;
constexpr double kContactFlops = 250.0;
// Floating-point operations that take as long as ordering one body in the elimination.
constexpr double kAnalysisFlops = 7000.0;

// Checks the deadline only now and then: reading the clock takes as long as sweeping one contact.
bool is_out_of_time(int sweeps, const Workers* workers) {
  constexpr int kSweepsBetweenLooks = 8;
  return workers != nullptr && sweeps % kSweepsBetweenLooks == 0 && workers->deadline().is_over();
}

double dot_six_velocities(const double* x, const double* y) {
  double sum = 0.0;
  for (int i = 0; i < kBodySize; ++i) sum += x[i] * y[i];
  return sum;
}

void clear_lane_base(int lane, BatchBase* batch) {
  for (int k = 0; k < 3; ++k) batch->q[k][lane] = k == 0 ? 1.0 : 0.0;
  batch->softness[0][lane] = batch->softness[1][lane] = 0.0;
  batch->mu[lane] = 0.0;
  batch->unit[lane] = 1.0;
  batch->a[lane] = batch->b[lane] = 0;
}

// Scales each contact by one number d, so that the trace of its own block is 3, as in
// ScaledProblem.
void set_lane_law(int lane, const SweptLaw& law, double d, BatchBase* batch,
                  BatchReaction* reaction) {
  for (int k = 0; k < 3; ++k) {
    batch->q[k][lane] = d * law.q[k];
    reaction->r[k][lane] = law.r[k] / d;
  }
  for (int k = 0; k < 2; ++k) batch->softness[k][lane] = d * d * law.softness[k];
  batch->mu[lane] = law.mu;
  batch->unit[lane] = 1.0 / d;
}

double calc_contact_scale(double trace) {
  return trace > 0.0 ? std::sqrt(3.0 / trace) : 1.0;
}

double invert_or_zero(double x) {
  return x > 0.0 ? 1.0 / x : 0.0;
}

}  // namespace

void clear_lane(int lane, ContactBatch* batch) {
  clear_lane_base(lane, batch);
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < kBodySize; ++i) batch->J_a[k][i][lane] = batch->J_b[k][i][lane] = 0.0;
  }
  for (int k = 0; k < 6; ++k) batch->D[k][lane] = k == 0 || k == 3 || k == 5 ? 1.0 : 0.0;
  batch->inverse_normal[lane] = 1.0;
}

void clear_lane(int lane, RoundBatch* batch) {
  clear_lane_base(lane, batch);
  for (int k = 0; k < 3; ++k) batch->n[k][lane] = batch->t1[k][lane] = 0.0;
  for (int k = 0; k < 2; ++k) {
    batch->linear[k][lane] = batch->spin[k][lane] = 0.0;
    batch->inverse[k][lane] = 1.0;
  }
}

void BodySweep::reset(int num_bodies) {
  const int num_rows = kNumFixedRows + num_bodies - 1;
  round_.reset(num_rows);
  others_.reset(num_rows);
  bodies_.resize(num_rows);
  groups_.clear();
}

// The row of a body. Body 0 has one row in each group.
int BodySweep::find_row(int body) const {
  return body > 0 ? kNumFixedRows - 1 + body : static_cast<int>(groups_.size()) - 1;
}

void BodySweep::begin_group(int phase, int first_body, int end_body) {
  TENPIN_DEMAND(groups_.size() < kNumFixedRows);
  round_.begin_group();
  others_.begin_group();
  groups_.push_back({.phase = phase,
                     .begin_body = kNumFixedRows - 1 + first_body,
                     .end_body = kNumFixedRows - 1 + end_body});
}

BodySweep::Place BodySweep::file(const BodyPair& pair, bool is_round) {
  if (groups_.empty()) begin_group(0, 1, static_cast<int>(bodies_.size()) - kNumFixedRows + 1);
  const BodyPair rows = {.a = find_row(pair.a), .b = find_row(pair.b)};
  return {.is_round = is_round, .position = is_round ? round_.append(rows) : others_.append(rows)};
}

// Calls visit(group, number) for all groups; the groups of one phase run at the same time.
template <typename Visit>
void BodySweep::visit_by_phase(const Workers* workers, Visit&& visit) {
  std::size_t begin = 0;
  while (begin < groups_.size()) {
    std::size_t end = begin;
    while (end < groups_.size() && groups_[end].phase == groups_[begin].phase) ++end;
    run(workers, static_cast<int>(end - begin), [&](int i, int) {
      visit(groups_[begin + i], begin + i);
    });
    begin = end;
  }
}

void BodySweep::prepare(const Workers* workers) {
  split(workers, static_cast<int>(bodies_.size()), [this](int begin, int end) {
    std::fill(bodies_.begin() + begin, bodies_.begin() + end, BodyMotion{});
  });
  parts_.resize(groups_.size());
  round_.end();
  others_.end();
  visit_by_phase(workers, [this](const Group&, std::size_t i) {
    round_.plan(static_cast<int>(i));
    others_.plan(static_cast<int>(i));
  });
  round_.place();
  others_.place();
  const int num_groups = static_cast<int>(groups_.size());
  run(workers, num_groups, [this](int i, int) {
    round_.fill(i);
    others_.fill(i);
  });
  for (int i = 0; i < num_groups; ++i) {
    groups_[i].begin_round = round_.first_batch(i);
    groups_[i].end_round = round_.first_batch(i + 1);
    groups_[i].begin_others = others_.first_batch(i);
    groups_[i].end_others = others_.first_batch(i + 1);
  }
}

void BodySweep::set(const Place& place, const SweptLaw& law, const SweptRows& rows) {
  const int lane = others_.lane(place.position);
  ContactBatch& batch = others_.batch(place.position);
  const auto product = [&rows](int i, int j) {
    return dot_six_velocities(rows.a[i], rows.a[j]) + dot_six_velocities(rows.b[i], rows.b[j]);
  };
  double D[6] = {product(0, 0), product(0, 1), product(0, 2),
                 product(1, 1), product(1, 2), product(2, 2)};
  // A direction without any mobility, as in planar contacts: an arbitrary positive value keeps D
  // regular.
  if (D[5] == 0.0) D[5] = 0.5 * (D[0] + D[3]);
  D[0] += law.softness[0];
  D[3] += law.softness[1];
  D[5] += law.softness[1];
  const double d = calc_contact_scale(D[0] + D[3] + D[5]);
  set_lane_law(lane, law, d, &batch, &others_.reaction(place.position));
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < kBodySize; ++i) {
      batch.J_a[k][i][lane] = d * rows.a[k][i];
      batch.J_b[k][i][lane] = d * rows.b[k][i];
    }
  }
  for (int k = 0; k < 6; ++k) batch.D[k][lane] = d * d * D[k];
  batch.inverse_normal[lane] = invert_or_zero(d * d * D[0]);
}

void BodySweep::set(const Place& place, const SweptLaw& law, const RoundRows& rows) {
  const int lane = round_.lane(place.position);
  RoundBatch& batch = round_.batch(place.position);
  const auto sum_squares = [](const double* x) {
    return x[0] * x[0] + x[1] * x[1];
  };
  const double own = sum_squares(rows.linear);
  const double normal = own + law.softness[0];
  const double tangential = own + sum_squares(rows.spin) + law.softness[1];
  const double d = calc_contact_scale(normal + 2.0 * tangential);
  set_lane_law(lane, law, d, &batch, &round_.reaction(place.position));
  for (int k = 0; k < 3; ++k) {
    batch.n[k][lane] = rows.n[k];
    batch.t1[k][lane] = rows.t1[k];
  }
  for (int k = 0; k < 2; ++k) {
    batch.linear[k][lane] = d * rows.linear[k];
    batch.spin[k][lane] = d * rows.spin[k];
  }
  batch.inverse[0][lane] = invert_or_zero(d * d * normal);
  batch.inverse[1][lane] = invert_or_zero(d * d * tangential);
}

double BodySweep::calc_error(const Workers* workers) {
  visit_by_phase(workers, [this](const Group& group, std::size_t i) {
    const double round = calc_largest_error(round_of(group));
    const double others = calc_largest_error(others_of(group));
    parts_[i] = std::isnan(round) || round > others ? round : others;
  });
  double largest = 0.0;
  for (const double part : parts_) largest = std::isnan(part) || part > largest ? part : largest;
  return largest;
}

double BodySweep::sweep(double momentum, const Workers* workers) {
  visit_by_phase(workers, [this, momentum](const Group& group, std::size_t i) {
    lead_bodies(std::span(bodies_).subspan(group.begin_body, group.end_body - group.begin_body),
                momentum);
    parts_[i] =
        sweep_batches(round_of(group), momentum) + sweep_batches(others_of(group), momentum);
  });
  double sum = 0.0;
  for (const double part : parts_) sum += part;
  return sum;
}

void BodySweep::start(const Workers* workers) {
  is_analyzed_ = false;
  visit_by_phase(workers, [this](const Group& group, std::size_t) {
    add_reactions(round_of(group));
    add_reactions(others_of(group));
  });
}

// The number of sweeps after which a Newton step may be tried: sweeps that take half the time of
// the step plus three times that of its analysis. Heaps repeat the analysis in every time step,
// usually in vain. So problems that sweeps can solve never cost much more, and other problems cost
// little more than with Newton's method alone.
int BodySweep::find_newton_turn(int sweeps) {
  const double flops_of_sweep =
      kNumLanes * (kRoundFlops * round_.num_batches() + kContactFlops * others_.num_batches());
  const double analysis =
      3.0 * kAnalysisFlops * static_cast<double>(bodies_.size()) / flops_of_sweep;
  if (!is_analyzed_ && sweeps < analysis) return static_cast<int>(std::min(analysis + 1.0, 1e9));
  if (!is_analyzed_) newton_.analyze(static_cast<int>(bodies_.size()), &round_, &others_);
  is_analyzed_ = true;
  return static_cast<int>(std::min(0.5 * newton_.calc_flops() / flops_of_sweep, 1e9));
}

// Takes a Newton step, followed by the sweep that returns the reactions to their cones. If this
// does not reduce the error, returns false and restores everything.
bool BodySweep::try_newton(const Workers* workers, double* error) {
  round_.save_reactions();
  others_.save_reactions();
  saved_bodies_ = bodies_;
  if (newton_.step(&round_, &others_, &bodies_)) {
    sweep(0.0, workers);
    const double after = calc_error(workers);
    if (after < *error) {
      *error = after;
      return true;
    }
  }
  round_.restore_reactions();
  others_.restore_reactions();
  bodies_ = saved_bodies_;
  return false;
}

// Sweeps with momentum. The momentum is the ratio by which the squared changes decrease, as in
// conjugate gradients, so it adapts to slow problems.   [P64], [SNE10]
// The error is computed only when the size of the change suggests that it is small enough. The last
// operation is a sweep, so that reactions end within their cones. There is at least one sweep, so
// that the reactions of resting bodies improve from step to step.
// Where sweeps are slow, as in high stacks, they determine which contacts stick, slide or open, and
// Newton steps do the rest. The interval between Newton steps grows each time one fails.
BodySweep::Outcome BodySweep::solve(const Options& options) {
  Outcome outcome;
  double momentum = 0.0;
  double last_size = 0.0;
  double share = 0.0;  // ratio of change to error when both were last computed
  int checked = 0;
  int newton_at = options.sweeps_before_newton;
  int pause = kSweepsAfterNewton;
  do {
    const double size = sweep(momentum, options.workers);
    ++outcome.sweeps;
    momentum = size < last_size ? size / last_size : 0.0;
    last_size = size;
    const double change = std::sqrt(size);
    const bool promises = share * change <= options.tolerance;
    const bool is_last = outcome.sweeps >= options.max_sweeps;
    const bool is_newton_due = outcome.sweeps >= newton_at;
    if (!promises && !is_last && !is_newton_due && outcome.sweeps - checked < kMostBetweenChecks)
      continue;
    checked = outcome.sweeps;
    outcome.error = calc_error(options.workers);
    share = change > 0.0 ? outcome.error / change : 0.0;
    if (outcome.error <= options.tolerance || is_last || !is_newton_due) continue;
    newton_at = find_newton_turn(outcome.sweeps);
    if (outcome.sweeps < newton_at) continue;
    ++outcome.newton_steps;
    pause *= 2;
    if (try_newton(options.workers, &outcome.error)) {
      checked = ++outcome.sweeps;
      momentum = last_size = share = 0.0;
      pause = kSweepsAfterNewton;
    }
    newton_at = outcome.sweeps + pause;
  } while ((checked != outcome.sweeps || !(outcome.error <= options.tolerance)) &&
           outcome.sweeps < options.max_sweeps && !is_out_of_time(outcome.sweeps, options.workers));
  return outcome;
}

void BodySweep::read_reaction(const Place& place, double* r) const {
  const auto read = [&place, r](const auto& list) {
    const int lane = list.lane(place.position);
    const double d = 1.0 / list.batch(place.position).unit[lane];
    for (int k = 0; k < 3; ++k) r[k] = d * list.reaction(place.position).r[k][lane];
  };
  if (place.is_round) {
    read(round_);
  } else {
    read(others_);
  }
}

double BodySweep::read_error(const Place& place) const {
  const auto read = [&place](const auto& list) {
    return std::sqrt(list.reaction(place.position).error[list.lane(place.position)]);
  };
  return place.is_round ? read(round_) : read(others_);
}

}  // namespace tenpin::complementarity::cone
