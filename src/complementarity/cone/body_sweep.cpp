#include "complementarity/cone/body_sweep.h"

#include <algorithm>
#include <cmath>

namespace tenpin::complementarity::cone {
namespace {

constexpr int kMostBetweenChecks = 25;
constexpr int kSweepsAfterNewton = 5;
// Floating-point operations of a linear system that take as long as a sweep over a contact.
constexpr double kRoundFlops = 80.0;
constexpr double kContactFlops = 250.0;

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

// One number d per contact makes the trace of its own block 3, as in ScaledProblem.
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
  round_.reset(num_bodies);
  others_.reset(num_bodies);
  bodies_.assign(num_bodies, BodyMotion{});
}

BodySweep::Place BodySweep::file(const BodyPair& pair, bool is_round) {
  return {.is_round = is_round, .position = is_round ? round_.append(pair) : others_.append(pair)};
}

void BodySweep::prepare() {
  round_.clear_reactions();
  others_.clear_reactions();
}

void BodySweep::set(const Place& place, const SweptLaw& law, const SweptRows& rows) {
  const int lane = others_.lane(place.position);
  ContactBatch& batch = others_.batch(place.position);
  const auto product = [&rows](int i, int j) {
    return dot_six_velocities(rows.a[i], rows.a[j]) + dot_six_velocities(rows.b[i], rows.b[j]);
  };
  double D[6] = {product(0, 0), product(0, 1), product(0, 2),
                 product(1, 1), product(1, 2), product(2, 2)};
  // A direction in which nothing moves, as in planar contacts: any mobility keeps D regular.
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

double BodySweep::calc_error() {
  const double round = calc_largest_error(round_.all(bodies_.data()));
  const double others = calc_largest_error(others_.all(bodies_.data()));
  return std::isnan(round) || round > others ? round : others;
}

double BodySweep::sweep(double momentum) {
  lead_bodies(bodies_, momentum);
  const double round = sweep_batches(round_.all(bodies_.data()), momentum);
  const double others = sweep_batches(others_.all(bodies_.data()), momentum);
  return round + others;
}

void BodySweep::start() {
  is_analyzed_ = false;
  add_reactions(round_.all(bodies_.data()));
  add_reactions(others_.all(bodies_.data()));
  for (BodyMotion& body : bodies_) body.start = body.v;
}

// When a Newton step may be tried: after as many sweeps as take half its time. So what sweeps can
// solve is never much dearer, and what they cannot is not much dearer than by Newton's method
// alone.
int BodySweep::find_newton_turn() {
  if (!is_analyzed_) newton_.analyze(static_cast<int>(bodies_.size()), &round_, &others_);
  is_analyzed_ = true;
  const double flops_of_sweep =
      kNumLanes * (kRoundFlops * round_.num_batches() + kContactFlops * others_.num_batches());
  return static_cast<int>(std::min(0.5 * newton_.calc_flops() / flops_of_sweep, 1e9));
}

// A Newton step and the sweep that brings the reactions back to their cones. False, with everything
// as it was, if that does not lessen the error.
bool BodySweep::try_newton(double* error) {
  round_.save_reactions();
  others_.save_reactions();
  saved_bodies_ = bodies_;
  if (newton_.step(&round_, &others_, &bodies_)) {
    for (BodyMotion& body : bodies_) body.start = body.v;
    sweep(0.0);
    const double after = calc_error();
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

// Nonsmooth nonlinear conjugate gradients: the change that a sweep makes stands for the gradient.
// The error is computed only when the size of the change promises that it is small enough. Ends on
// a sweep, so that reactions are in their cones; what rests gets better from step to step, since
// there is at least one.   [SNE10]
// Where sweeps are slow, as in high stacks, they tell which contacts stick, slide and are open, and
// Newton steps do the rest; later and later ones if they fail.
BodySweep::Outcome BodySweep::solve(const Options& options) {
  Outcome outcome;
  double momentum = 0.0;
  double last_size = 0.0;
  double share = 0.0;  // of the change in the error, when both were known
  int checked = 0;
  int newton_at = options.sweeps_before_newton;
  int pause = kSweepsAfterNewton;
  do {
    const double size = sweep(momentum);
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
    outcome.error = calc_error();
    share = change > 0.0 ? outcome.error / change : 0.0;
    if (outcome.error <= options.tolerance || is_last || !is_newton_due) continue;
    newton_at = find_newton_turn();
    if (outcome.sweeps < newton_at) continue;
    ++outcome.newton_steps;
    pause *= 2;
    if (try_newton(&outcome.error)) {
      checked = ++outcome.sweeps;
      momentum = last_size = share = 0.0;
      pause = kSweepsAfterNewton;
    }
    newton_at = outcome.sweeps + pause;
  } while ((checked != outcome.sweeps || !(outcome.error <= options.tolerance)) &&
           outcome.sweeps < options.max_sweeps);
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

double BodySweep::calc_error_near(const Place& place) {
  return place.is_round ? calc_largest_error(round_.near(place.position, bodies_.data()))
                        : calc_largest_error(others_.near(place.position, bodies_.data()));
}

}  // namespace tenpin::complementarity::cone
