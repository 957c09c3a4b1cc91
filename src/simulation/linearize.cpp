// Derivatives of the next state. Where a smooth step of second order was solved, the derivative
// includes its contacts: with the active set frozen the step is end = F(x, u, p) with the law r(x,
// u, p) = 0 for the impulses p (simulation/frozen_step.h), so that
//   d end / dx = F_x - F_p r_p^-1 r_x
// and nothing is solved again. F and r are smooth; their partial derivatives are central
// differences, exact to about 1e-9. Other steps are differentiated as a whole, by central
// differences.
#include "simulation/impl.h"
// The line above must come first.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "math/least_norm.h"
#include "math/pivoted_cholesky.h"
#include "math/rotation.h"
#include "methods/time_stepping/default_stepping.h"
#include "simulation/frozen_step.h"

namespace tenpin {

namespace {

using simulation::FrozenStep;

// The displacement dq (nv) from q_a to q_b, joint by joint.
VecX calc_displacement(const dynamics::Model& model, const VecX& q_a, const VecX& q_b) {
  VecX dq = VecX::Zero(model.nv);
  for (const dynamics::Body& body : model.bodies) {
    const dynamics::Joint& joint = body.joint;
    const int nq = num_positions(joint.type);
    const int nv = num_velocities(joint.type);
    if (nq == nv) {
      dq.segment(joint.v_begin, nv) =
          q_b.segment(joint.q_begin, nq) - q_a.segment(joint.q_begin, nq);
    } else if (joint.type == dynamics::JointType::kFree) {
      dq.segment<3>(joint.v_begin) = q_b.segment<3>(joint.q_begin) - q_a.segment<3>(joint.q_begin);
      const Quat a = dynamics::quaternion_at(q_a, joint.q_begin + 3);
      const Quat b = dynamics::quaternion_at(q_b, joint.q_begin + 3);
      dq.segment<3>(joint.v_begin + 3) = log_map(b * a.conjugate());  // world axes
    } else {
      const Quat a = dynamics::quaternion_at(q_a, joint.q_begin);
      const Quat b = dynamics::quaternion_at(q_b, joint.q_begin);
      dq.segment<3>(joint.v_begin) = log_map(a.conjugate() * b);  // the joint's own axes
    }
  }
  return dq;
}

// A state near the simulation's: displaced by dq and dv, with its loops closed.
struct Nearby {
  VecX q, v;
};
Nearby displace_state(const dynamics::Model& model, double t, const Nearby& from, const VecX& dx) {
  Nearby to = from;
  const Eigen::Index nv = model.nv;
  displace(model, from.q, dx.head(nv), to.q);
  to.v += dx.tail(nv);
  close_all_loops(model, t, &to.q, &to.v);
  return to;
}

// Stores the report of a step.
struct Recorder final : methods::StepObserver {
  bool on_step(const methods::StepReport& step, std::span<const contact::ContactRecord> contacts,
               const dynamics::State& /*state*/) override {
    report = step;
    records.assign(contacts.begin(), contacts.end());
    return true;
  }
  methods::StepReport report;
  std::vector<contact::ContactRecord> records;
};

bool steps(const Simulation::Impl& i) {
  return !is_event_driven(i.scene.contents().method);
}

// The next step, solved without the method's memory.
struct NextStep {
  dynamics::State end;
  Recorder seen;
  double duration = 0.0;  // s
};
NextStep take_step(const Simulation::Impl& i) {
  NextStep next;
  next.end = i.state;
  next.end.memory.clear();
  const auto method = methods::make_method(i.model, i.scene.contents().method, 1);
  const auto status = method->step(std::numeric_limits<double>::infinity(), &next.end, &next.seen);
  TENPIN_REQUIRE(status == methods::AdvanceStatus::kReachedEnd,
                 fmt::format("simulation: the step from this state fails: {}, {}",
                             to_string(status), next.seen.report.message));
  next.duration = next.end.t - i.state.t;
  return next;
}

// Returns "" if a FrozenStep can repeat the solved step, otherwise the reason why not.
std::string find_obstacle(const Simulation::Impl& i, const NextStep& next) {
  const scene::MethodOptions& options = i.scene.contents().method;
  const auto* own = std::get_if<scene::TimeSteppingOptions>(&options);
  if (own == nullptr) return fmt::format("method {}", name_of(options));
  const auto stepping = methods::time_stepping::choose_stepping(i.model, *own);
  if (*stepping.options.order != 2) return "order 1";
  const methods::StepReport& report = next.seen.report;
  if (report.retries > 0) return "the step was taken again in parts";
  if (report.division.impacts + report.division.divisions + report.division.late > 0) {
    return "an impact falls into the step";
  }
  const bool by_cone = *stepping.options.solver == scene::TimeSteppingOptions::Solver::kCone;
  for (const contact::ContactRecord& r : next.seen.records) {
    if (!by_cone && r.mode == contact::Mode::kSliding) return "a polyhedral friction cone slides";
  }
  for (const dynamics::Body& body : i.model.bodies) {
    if (body.applied.resists()) return "resistance of a medium";
    if (!body.applied.timed.empty()) return "forces that change with time";
  }
  return "";
}

// m/s   Velocities of this step below this cannot be distinguished from zero.
double calc_small_speed(const Simulation::Impl& i, double h) {
  constexpr double kSmall = 1e-6;  // -   a hundred times the errors that solvers leave
  const double speed = i.state.v.size() == 0 ? 0.0 : i.state.v.lpNorm<Eigen::Infinity>();
  return kSmall * std::max(speed, i.model.gravity.norm() * h);
}

std::string name_pair(const dynamics::Model& model, const contact::ContactRecord& r) {
  return model.bodies[r.body_a].name + " and " + model.bodies[r.body_b].name;
}

// Lists contacts whose mode the smallest change would switch.
std::vector<std::string> find_kinks(const Simulation::Impl& i, const NextStep& next,
                                    const FrozenStep& frozen) {
  const double small = calc_small_speed(i, next.duration);
  std::vector<std::string> kinks;
  std::size_t held = 0;
  for (const contact::ContactRecord& r : next.seen.records) {
    const std::string who = name_pair(i.model, r);
    if (r.mode == contact::Mode::kTouching) kinks.push_back(who + " touch without force");
    if (!contact::is_loaded(r.mode)) continue;
    const auto [mu, mobility] = frozen.calc_friction(held++);
    const double friction = (r.impulse - r.normal * r.normal.dot(r.impulse)).norm();
    if (r.mode == contact::Mode::kSliding && mu > 0.0 && r.slip.norm() <= small) {
      kinks.push_back(who + " hardly slide");
    }
    // the impulse is not unique: some other impulses are inside the cone
    if (!r.force_unique) continue;
    if (r.normal_impulse * mobility <= small) {
      kinks.push_back(who + " hardly press on each other");
    } else if (r.mode != contact::Mode::kSliding && mu > 0.0 &&
               (mu * r.normal_impulse - friction) * mobility <= small) {
      kinks.push_back(who + " stick at the edge of sliding");
    }
  }
  return kinks;
}

// Partial derivatives of end and law with respect to one argument of a FrozenStep, by columns.
struct Partials {
  MatX end;  // 2nv rows
  MatX law;
};

class FrozenDerivative {
 public:
  FrozenDerivative(const Simulation::Impl& i, FrozenStep* frozen, double eps)
      : i_(i), frozen_(frozen), eps_(eps) {
    at_ = {.q = i.state.q, .v = i.state.v, .u = VecX::Zero(i.model.nv), .p = frozen->impulses()};
  }

  // Computes the linearization. Returns false if the contacts of a neighbouring point differ.
  [[nodiscard]] bool run(const VecX& inertia, double h, Linearization* result) {
    const int nv = i_.model.nv;
    Partials p;
    if (!settle(&p)) return false;
    Partials x;
    Partials u;
    VecX sizes = VecX::Constant(2 * nv, eps_);
    const bool done = differentiate(sizes, &x, [&](const VecX& dx, FrozenStep::Point* at) {
      const Nearby near = displace_state(i_.model, i_.state.t, {at_.q, at_.v}, dx);
      at->q = near.q;
      at->v = near.v;
    });
    sizes = eps_ / h * inertia;
    if (!done || !differentiate(sizes, &u, [](const VecX& du, FrozenStep::Point* at) {
          at->u += du;
        })) {
      return false;
    }
    result->A = x.end - p.end * solve(p.law, x.law, result);
    result->B = u.end - p.end * solve(p.law, u.law, result);
    FrozenStep::End end;
    if (!frozen_->evaluate(at_, &end)) return false;
    for (MatX* M : {&result->A, &result->B}) {
      MatX dq = M->topRows(nv);
      frozen_->project(&dq);
      M->topRows(nv) = dq;
    }
    return true;
  }

  // The difference between the ends of the frozen step and the solved step, in the units of v.
  [[nodiscard]] double calc_error(const dynamics::State& solved) {
    FrozenStep::End end;
    if (!frozen_->evaluate(at_, &end)) return std::numeric_limits<double>::infinity();
    return (end.v - solved.v).lpNorm<Eigen::Infinity>();
  }

 private:
  // Central differences. `move` displaces a point by its first argument.
  template <class Move>
  bool differentiate(const VecX& sizes, Partials* partials, const Move& move) {
    const int nv = i_.model.nv;
    partials->end.resize(2 * nv, sizes.size());
    partials->law.resize(at_.p.size(), sizes.size());
    FrozenStep::End more;
    FrozenStep::End less;
    for (Eigen::Index k = 0; k < sizes.size(); ++k) {
      VecX step = VecX::Zero(sizes.size());
      step[k] = sizes[k];
      FrozenStep::Point at = at_;
      move(step, &at);
      if (!frozen_->evaluate(at, &more)) return false;
      at = at_;
      move(-step, &at);
      if (!frozen_->evaluate(at, &less)) return false;
      partials->end.col(k).head(nv) = calc_displacement(i_.model, less.q, more.q);
      partials->end.col(k).tail(nv) = more.v - less.v;
      partials->law.col(k) = more.law - less.law;
      partials->end.col(k) /= 2.0 * sizes[k];
      partials->law.col(k) /= 2.0 * sizes[k];
    }
    return true;
  }

  // Newton's method, starting from the solver's impulses, which satisfy the law only to its
  // tolerance.
  bool settle(Partials* p) {
    constexpr int kRounds = 2;
    FrozenStep::End end;
    for (int round = 0;; ++round) {
      if (!frozen_->evaluate(at_, &end)) return false;
      const VecX sizes = eps_ * frozen_->calc_mobilities().cwiseInverse();
      const bool done = differentiate(sizes, p, [](const VecX& dp, FrozenStep::Point* at) {
        at->p += dp;
      });
      if (!done || round == kRounds) return done;
      at_.p -= solve_least_norm(p->law, end.law, kRank);
    }
  }

  // Solves law_p X = law_x. Redundant contacts leave impulses undetermined, but not the motion.
  MatX solve(const MatX& law_p, const MatX& law_x, Linearization* result) const {
    constexpr double kConsistent = 1e-4;  // of the right side; differences leave errors of 1e-8
    MatX X = solve_least_norm(law_p, law_x, kRank);
    const double left = law_p.rows() == 0 ? 0.0 : (law_p * X - law_x).norm();
    if (left > kConsistent * std::max(1.0, law_x.norm())) {
      result->kinks.emplace_back("no impulses keep all contacts closed beside this state");
    }
    return X;
  }

  // -   of the largest direction of law_p: differences leave errors of 1e-9, and contacts that are
  // nearly redundant differ by the unevenness of faces, 1e-12 and less.
  static constexpr double kRank = 1e-7;

  const Simulation::Impl& i_;
  FrozenStep* frozen_;
  double eps_;
  FrozenStep::Point at_;
};

// The state (nq + nv) after one step or the interval; nothing if the method refuses u.
std::optional<VecX> go_from(const Simulation& from, const LinearizeOptions& options,
                            const Nearby& at, const std::vector<double>& forces) {
  Simulation there = from.clone();
  there.set_state(at.q, at.v);
  std::copy(forces.begin(), forces.end(), there.joint_forces().begin());
  const StepReport* report = nullptr;
  try {
    report =
        steps(from.impl()) ? &there.step() : &there.advance_to(there.time() + options.duration);
  } catch (const InputError&) {
    return std::nullopt;
  }
  TENPIN_REQUIRE(report->ok(), fmt::format("simulation: a step beside this state fails: {}, {}",
                                           to_string(report->status), report->message));
  VecX end(there.q().size() + there.v().size());
  end << there.q(), there.v();
  return end;
}

// Removes from a displacement the part that opens or closes a closed contact, by the least motion
// in the mass metric. Steps cannot start with overlapping bodies, so whole steps cannot be taken
// from such displaced states.
class ContactProjection {
 public:
  explicit ContactProjection(const Simulation& simulation) {
    constexpr double kDependent = 1e-9;  // of a row's own mobility
    constexpr double kClosed = 1e-8;     // m
    const ContactRows rows = calc_contact_rows(simulation, kClosed);
    const auto n = static_cast<Eigen::Index>(rows.contacts.size());
    N_.resize(n, simulation.v().size());
    for (Eigen::Index k = 0; k < n; ++k) N_.row(k) = rows.J.row(3 * k);
    L_ = calc_responses(simulation, N_);
    factor_.factor(N_ * L_, kDependent);
  }
  [[nodiscard]] VecX operator()(const VecX& dq) const {
    VecX gaps = N_ * dq;
    if (gaps.size() > 0) factor_.solve(gaps);
    return dq - L_ * gaps;
  }

 private:
  MatX N_, L_;  // normals, and M^-1 N'
  PivotedCholesky factor_;
};

// Derivatives by differences of whole steps. A kink shows where the differences to both sides
// differ.
class WholeDerivative {
 public:
  WholeDerivative(const Simulation& simulation, const LinearizeOptions& options)
      : sim_(simulation),
        options_(options),
        model_(simulation.impl().model),
        along_contacts_(simulation) {
    middle_ = go_from(sim_, options_, {sim_.q(), sim_.v()}, sim_.impl().joint_forces).value();
  }

  void run(const VecX& inertia, double h, Linearization* result) {
    const int nv = model_.nv;
    result->A = MatX::Zero(2 * nv, 2 * nv);
    result->B = MatX::Zero(2 * nv, nv);
    const Nearby here{sim_.q(), sim_.v()};
    const double t = sim_.time();
    for (int k = 0; k < 2 * nv; ++k) {
      VecX dx = VecX::Zero(2 * nv);
      dx[k] = options_.eps;
      dx.head(nv) = along_contacts_(dx.head(nv));
      const auto& forces = sim_.impl().joint_forces;
      const auto more = go_from(sim_, options_, displace_state(model_, t, here, dx), forces);
      const auto less = go_from(sim_, options_, displace_state(model_, t, here, -dx), forces);
      result->A.col(k) = difference(*more, *less, options_.eps);
      look_for_kink(k < nv ? "q" : "v", k % nv, *more, *less, options_.eps, result);
    }
    for (int k = 0; k < nv; ++k) {
      const double eps = options_.eps / h * inertia[k];
      std::vector<double> forces = sim_.impl().joint_forces;
      const double force = forces[k];
      forces[k] = force + eps;
      const auto more = go_from(sim_, options_, here, forces);
      forces[k] = force - eps;
      const auto less = go_from(sim_, options_, here, forces);
      if (!more || !less) {
        result->kinks.push_back(fmt::format("{} takes no force in v[{}]",
                                            name_of(sim_.impl().scene.contents().method), k));
        continue;
      }
      result->B.col(k) = difference(*more, *less, eps);
      look_for_kink("force", k, *more, *less, eps, result);
    }
  }

 private:
  VecX difference(const VecX& more, const VecX& less, double eps) const {
    VecX column(2 * model_.nv);
    column.head(model_.nv) = calc_displacement(model_, less.head(model_.nq), more.head(model_.nq));
    column.tail(model_.nv) = more.tail(model_.nv) - less.tail(model_.nv);
    return column / (2.0 * eps);
  }

  void look_for_kink(const char* what, int k, const VecX& more, const VecX& less, double eps,
                     Linearization* result) const {
    constexpr double kSame = 0.01;  // -   of the larger difference; smooth steps differ by eps
    const VecX up = 2.0 * difference(more, middle_, eps);
    const VecX down = 2.0 * difference(middle_, less, eps);
    const double size = std::max(up.lpNorm<Eigen::Infinity>(), down.lpNorm<Eigen::Infinity>());
    if ((up - down).lpNorm<Eigen::Infinity>() <= kSame * size) return;
    result->kinks.push_back(fmt::format("derivatives to both sides of {}[{}] differ", what, k));
  }

  const Simulation& sim_;
  LinearizeOptions options_;
  const dynamics::Model& model_;
  ContactProjection along_contacts_;
  VecX middle_;
};

// Returns "" if it succeeded, otherwise the reason.
std::string linearize_frozen(const Simulation::Impl& i, const NextStep& next, const VecX& inertia,
                             double eps, Linearization* result) {
  // -   of the velocities: the real step has a finite number of passes
  constexpr double kSameEnd = 1e-4;
  std::string obstacle = find_obstacle(i, next);
  if (!obstacle.empty()) return obstacle;
  FrozenStep frozen(i.model, {.t = i.state.t, .h = next.duration});
  std::string problem = frozen.hold({.q0 = i.state.q,
                                     .v0 = i.state.v,
                                     .q1 = next.end.q,
                                     .v1 = next.end.v,
                                     .records = next.seen.records});
  if (!problem.empty()) return problem;
  Linearization frozen_result{.A = {}, .B = {}};
  FrozenDerivative derivative(i, &frozen, eps);
  if (!derivative.run(inertia, next.duration, &frozen_result)) {
    return "contacts have other features beside this state";
  }
  const double scale = 1e6 * calc_small_speed(i, next.duration);
  const double error = derivative.calc_error(next.end);
  if (!(error <= kSameEnd * scale)) {
    return fmt::format("the frozen step ends {:g} m/s from the solved one", error);
  }
  result->A = std::move(frozen_result.A);
  result->B = std::move(frozen_result.B);
  result->kinks = find_kinks(i, next, frozen);
  result->kinks.insert(result->kinks.end(), frozen_result.kinks.begin(), frozen_result.kinks.end());
  result->through_contacts = true;
  return "";
}

}  // namespace

Linearization linearize(const Simulation& simulation, const LinearizeOptions& options) {
  constexpr double kLargestEps = 0.1;
  constexpr double kLongest = 1e3;  // s
  TENPIN_REQUIRE(options.eps > 0.0 && options.eps <= kLargestEps,
                 fmt::format("eps: got {}, want > 0, <= {}", options.eps, kLargestEps));
  TENPIN_REQUIRE(options.duration > 0.0 && options.duration <= kLongest,
                 fmt::format("duration: got {}, want > 0, <= {}", options.duration, kLongest));
  auto& i = const_cast<Simulation::Impl&>(simulation.impl());
  i.use_joint_forces();
  Linearization result{.A = {}, .B = {}, .duration = options.duration};
  const VecX inertia = calc_mass_matrix(simulation).diagonal();
  if (steps(i)) {
    const NextStep next = take_step(i);
    result.duration = next.duration;
    result.why_differences = options.by_differences
                                 ? "asked for"
                                 : linearize_frozen(i, next, inertia, options.eps, &result);
    if (result.through_contacts) return result;
  } else {
    result.why_differences = fmt::format("method {}", name_of(i.scene.contents().method));
  }
  WholeDerivative(simulation, options).run(inertia, result.duration, &result);
  return result;
}

}  // namespace tenpin
