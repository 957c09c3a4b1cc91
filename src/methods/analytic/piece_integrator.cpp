#include "methods/analytic/piece_integrator.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "methods/analytic/tolerances.h"

namespace tenpin::methods::analytic {

using contact::Contact;

namespace {

// Sorts by pair of parts, joints before surfaces.
bool precedes(const Contact& a, const Contact& b) {
  return std::tie(a.key.part_a, a.key.part_b) < std::tie(b.key.part_a, b.key.part_b);
}

// True if the points of support have changed: a contact that still touches has moved, or a point
// touches that did not at the start. Both lists are sorted by pair.
bool has_moved_support(const std::vector<Touch>& before, std::span<const Contact> now,
                       double event_tolerance) {
  const double near = 10.0 * event_tolerance;
  const auto is_same = [near](const Contact& a, const Contact& b) {
    return a.key == b.key || (a.p_b - b.p_b).norm() <= near;
  };
  for (const Touch& touch : before) {
    const bool is_followed = touch.track.is_exact || touch.normal_of == contact::NormalOf::kChoice;
    const bool counts =
        carries(touch.grip) && is_followed && touch.contact.kind == contact::ContactKind::kSurface;
    if (!counts) continue;
    const auto [begin, end] = std::equal_range(now.begin(), now.end(), touch.contact, precedes);
    const bool is_there = std::any_of(begin, end, [&](const Contact& c) {
      return is_same(touch.contact, c);
    });
    if (!is_there) return true;
  }
  for (const Contact& c : now) {
    if (c.gap < -0.7 * event_tolerance) return true;
    if (c.gap > 0.5 * event_tolerance) continue;
    const auto begin = std::partition_point(before.begin(), before.end(), [&](const Touch& t) {
      return precedes(t.contact, c);
    });
    bool pair_touches = false;
    bool is_there = false;
    for (auto touch = begin; touch != before.end() && !precedes(c, touch->contact); ++touch) {
      pair_touches = pair_touches || (touch->is_touching && touch->track.is_exact);
      is_there = is_there || !touch->track.is_exact || is_same(touch->contact, c);
    }
    if (pair_touches && !is_there) return true;
  }
  return false;
}

}  // namespace

PieceIntegrator::PieceIntegrator(const dynamics::Model& model,
                                 const scene::AnalyticOptions& options)
    : model_(&model),
      options_(options),
      integrator_(make_integrator(options.integrator)),
      event_finder_(model, options),
      approach_(model, options) {}

// The impulses of single contacts are integrated without error control: where they are not unique,
// their distribution is not a smooth function of time.
StepRange PieceIntegrator::make_range(double h) const {
  return {.h_max = h,
          .h_guess = h,
          .tolerance = options_.tolerance,
          .num_steering = model_->nq + model_->nv + Motion::kNumWorks};
}

bool PieceIntegrator::integrate(const StepStart& start, const Piece& piece, Motion* motion) {
  y_start_.setZero(motion->num_states());
  y_start_.head(model_->nq) = start.q;
  y_start_.segment(model_->nq, model_->nv) = piece.v;
  return integrator_->step(motion, start.t, y_start_, make_range(piece.h));
}

double PieceIntegrator::find_event(const StepStart& start, Piece* piece, ContactSearch* search,
                                   Motion* motion) {
  // If nothing moves, nothing changes.
  const int n = model_->nq + model_->nv;
  const bool stands = integrator_->end().head(n) == y_start_.head(n);
  if (stands && !motion->has_drives()) return kNoEvent;
  const StepView view{.integrator = *integrator_, .t = start.t};
  std::vector<Touch>* touches = &piece->around.touches;
  double first = event_finder_.find_first(view, piece->scale, motion, touches);
  first = std::min(first, approach_.find_first(view, piece->around.apart, std::min(first, 1.0)));
  first = std::min(first, find_change(start, std::min(first, 1.0), piece, search));
  return first < 1.0 ? event_finder_.find_earlier(view, first, motion, *touches) : first;
}

std::vector<double> PieceIntegrator::find_ends_of_touches(const StepStart& start,
                                                          const Piece& piece, Motion* motion) {
  return event_finder_.find_ends({.integrator = *integrator_, .t = start.t}, motion,
                                 piece.around.touches);
}

std::vector<double> PieceIntegrator::find_ends_of_pairs(const StepStart& start,
                                                        const Piece& piece) {
  return approach_.find_each({.integrator = *integrator_, .t = start.t}, piece.around.apart);
}

bool PieceIntegrator::has_changed(const StepStart& start, double theta, Piece* piece,
                                  ContactSearch* search) {
  VecX y;
  std::vector<Pose> X_WB;
  integrator_->interpolate(theta, &y);
  update_poses(*model_, y.head(model_->nq), start.t + theta * integrator_->h(), &X_WB);
  for (Touch& touch : piece->around.touches) {
    update_contact(*model_, touch.track, X_WB, y.head(model_->nq), &touch.contact);
  }
  const std::vector<double> reach(model_->bodies.size(), options_.event_tolerance);
  std::vector<Contact> found;
  search->find_points(X_WB, reach, &found);
  return has_moved_support(piece->around.touches, found, options_.event_tolerance);
}

// The fraction of the step after which bodies no longer touch at the same points; 2 if they always
// do.
double PieceIntegrator::find_change(const StepStart& start, double until, Piece* piece,
                                    ContactSearch* search) {
  const std::vector<Touch>& all = piece->around.touches;
  const bool touches = std::any_of(all.begin(), all.end(), [](const Touch& t) {
    return t.contact.kind == contact::ContactKind::kSurface;
  });
  if (!touches || !has_changed(start, until, piece, search)) return kNoEvent;
  const double h = integrator_->h();
  double low = 0.0;
  double high = until;
  while ((high - low) * h > kChangeWidth) {
    const double middle = 0.5 * (low + high);
    (has_changed(start, middle, piece, search) ? high : low) = middle;
  }
  const double change = std::max(high, kLeastStep / h);
  return std::min(change, until) >= 1.0 ? kNoEvent : change;
}

// Integrates to the event after a fraction of the step, or to an earlier event that appears then: a
// shorter step is more accurate than the one in which the event was found.
bool PieceIntegrator::integrate_until(const StepStart& start, const std::vector<Touch>& touches,
                                      double part, Motion* motion) {
  constexpr int kMaxAttempts = 20;
  const StepView view{.integrator = *integrator_, .t = start.t};
  for (int k = 0; k < kMaxAttempts; ++k) {
    integrator_->restart();
    if (!integrator_->step(motion, start.t, y_start_, make_range(part))) return false;
    const double earlier = event_finder_.find_earlier(view, 1.0, motion, touches);
    if (earlier >= 1.0) break;
    part = earlier * integrator_->h();
  }
  return true;
}

StepEnd PieceIntegrator::finish(const StepStart& start, const Piece& piece, double event,
                                Motion* motion) {
  const double h = integrator_->h();
  StepEnd end{.h_next = integrator_->h_next(), .has_event = event < 1.0};
  if (end.has_event) {
    const bool good = integrate_until(start, piece.around.touches, event * h, motion);
    end.t = good ? start.t + integrator_->h() : start.t;  // an event at the start: no step
    end.y = good ? integrator_->end() : y_start_;
    integrator_->restart();
  } else {
    end.t = start.t + h > start.t_limit - 1e-9 * h ? start.t_limit : start.t + h;
    end.y = integrator_->end();
  }
  end.q = end.y.head(model_->nq);
  end.v = end.y.segment(model_->nq, model_->nv);
  for (const dynamics::Body& body : model_->bodies) {
    const int i = body.joint.q_begin;
    if (body.joint.type == dynamics::JointType::kFree) end.q.segment<4>(i + 3).normalize();
    if (body.joint.type == dynamics::JointType::kBall) end.q.segment<4>(i).normalize();
  }
  return end;
}

}  // namespace tenpin::methods::analytic
