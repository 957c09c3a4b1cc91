// Integrates a piece of smooth motion up to the first event in it.
#pragma once

#include <memory>
#include <vector>

#include "methods/analytic/approach.h"
#include "methods/analytic/contact_search.h"
#include "methods/analytic/events.h"
#include "methods/analytic/integrator.h"
#include "methods/analytic/step_values.h"

namespace tenpin::methods::analytic {

inline constexpr double kLeastStep = 1e-7;  // s   so that time advances despite rounding

class PieceIntegrator {
 public:
  PieceIntegrator(const dynamics::Model& model, const scene::AnalyticOptions& options);

  // The integrator's memory.
  void load(std::span<const std::uint64_t> words) { integrator_->load(words); }
  void save(std::vector<std::uint64_t>* words) const { integrator_->save(words); }
  // What follows does not continue the motion so far smoothly.
  void restart() { integrator_->restart(); }

  // 1. Takes one step of at most the piece's h. False if the motion cannot be followed.
  [[nodiscard]] bool integrate(const StepStart& start, const Piece& piece, Motion* motion);
  // Of that step.
  double h() const { return integrator_->h(); }  // s
  const VecX& y() const { return integrator_->end(); }
  const std::vector<int>& hindering() const { return integrator_->hindering(); }
  // 2. The fraction of the step after which the first event happens; at least 1 if there is none.
  [[nodiscard]] double find_event(const StepStart& start, Piece* piece, ContactSearch* search,
                                  Motion* motion);
  // The same for each touch and each pair of bodies, by a quick look; after find_event().
  [[nodiscard]] std::vector<double> find_ends_of_touches(const StepStart& start, const Piece& piece,
                                                         Motion* motion);
  [[nodiscard]] std::vector<double> find_ends_of_pairs(const StepStart& start, const Piece& piece);
  // 3. Accepts the end of the step, or integrates again to exactly the time of the event.
  [[nodiscard]] StepEnd finish(const StepStart& start, const Piece& piece, double event,
                               Motion* motion);

  long num_rejected() const { return integrator_->num_rejected(); }
  long num_evaluations() const { return integrator_->num_evaluations(); }
  long num_iterations() const {
    return event_finder_.num_iterations() + approach_.num_iterations();
  }
  long num_distances() const { return approach_.num_queries(); }

 private:
  [[nodiscard]] StepRange make_range(double h) const;
  [[nodiscard]] double find_change(const StepStart& start, double until, Piece* piece,
                                   ContactSearch* search);
  bool has_changed(const StepStart& start, double theta, Piece* piece, ContactSearch* search);
  bool integrate_until(const StepStart& start, const std::vector<Touch>& touches, double part,
                       Motion* motion);

  const dynamics::Model* model_;
  scene::AnalyticOptions options_;
  std::unique_ptr<Integrator> integrator_;
  EventFinder event_finder_;
  Approach approach_;
  VecX y_start_;
};

}  // namespace tenpin::methods::analytic
