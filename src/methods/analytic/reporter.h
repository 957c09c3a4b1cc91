// Reports a step: contacts, ledger, certificate.
#pragma once

#include <span>
#include <vector>

#include "contact/report.h"
#include "contact/uniqueness.h"
#include "dynamics/flight_certificate.h"
#include "methods/analytic/contact_search.h"
#include "methods/analytic/shown_forces.h"
#include "methods/analytic/step_values.h"
#include "methods/method.h"

namespace tenpin::methods::analytic {

// A finished step.
struct StepDone {
  const StepStart& start;
  const Piece& piece;
  const StepEnd& end;
  const Collision* collision = nullptr;  // null after a piece of motion

  double slip() const { return piece.scale.slip; }
  const std::vector<Touch>& touches() const { return piece.around.touches; }
};

class Reporter {
 public:
  Reporter(const dynamics::Model& model, const scene::AnalyticOptions& options);

  // Leaves the motion at the end of the step.
  void write(const StepDone& step, Motion* motion, ContactSearch* search, StepReport* report);
  // Takes records that others made.
  void take(std::vector<contact::ContactRecord> records) { records_ = std::move(records); }

  std::span<const contact::ContactRecord> contacts() const { return records_; }

 private:
  void write_records(const StepDone& step, Motion* motion, std::vector<ForceCheck>* checks,
                     contact::Certificate* certificate);
  void write_collision_records(const StepDone& step, Motion* motion);
  void mark_unique_forces(const StepDone& step, const Motion& motion, std::span<const Vec3> forces,
                          std::span<const char> slips);
  void add_rest_impulses(const std::vector<RestImpulse>& impulses);
  void certify_collision_energy(const StepDone& step);
  void certify_energy(double energy, contact::Certificate* certificate);
  void write_ledger(const StepDone& step, const Motion& motion, StepReport* report) const;
  void write_certificate(const StepDone& step, std::span<const ForceCheck> checks,
                         ContactSearch* search, StepReport* report);

  const dynamics::Model* model_;
  scene::AnalyticOptions options_;
  bool is_driven_ = false;  // is a mechanism attached to, or part of, a prescribed motion?
  contact::UniquenessTest uniqueness_test_;
  ShownForces shown_;
  std::vector<contact::ContactRecord> records_;
  std::vector<contact::ForceState> force_states_;  // by touch
  std::vector<char> is_unique_;                    // by touch
};

}  // namespace tenpin::methods::analytic
