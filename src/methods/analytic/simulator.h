// Advances from event to event: one call takes one integrator step, or resolves one collision.
// [B89]
#pragma once

#include <span>
#include <vector>

#include "contact/existence.h"
#include "methods/analytic/corrector.h"
#include "methods/analytic/division.h"
#include "methods/analytic/piece_integrator.h"
#include "methods/analytic/reporter.h"
#include "methods/analytic/statistics.h"

namespace tenpin::methods::analytic {

// Do forces exist, and are they unique? Keeps the answer while the contacts stay the same.
class ExistenceOfForces {
 public:
  contact::Existence test(const dynamics::Model& model, const Motion& motion,
                          const std::vector<Touch>& touches);

 private:
  contact::ExistenceTest test_;
  contact::Existence answer_;
  std::vector<contact::ContactKey> keys_;  // of the contacts of the answer
};

class Simulator {
 public:
  Simulator(const dynamics::Model& model, const scene::AnalyticOptions& options);

  // Takes *state to its next event, at most to t_limit, or leaves it unchanged and says in *report
  // why; also if events come so fast that time does not advance.
  void step(double t_limit, dynamics::State* state, StepReport* report);

  // Same as Method::model_changed(). A step reads the model when it starts.
  void model_changed() { num_short_ = 0; }

  // Of the last step.
  std::span<const contact::ContactRecord> contacts() const { return reporter_.contacts(); }
  [[nodiscard]] Statistics statistics() const;
  const ContactSearch& search() const { return search_; }

 private:
  // Finds contacts, and moves the motion to the start.
  void look_around(const StepStart& start, double factor, Piece* piece);
  [[nodiscard]] bool is_stalled(const Piece& piece, StepReport* report) const;
  Outcome take_step(const StepStart& start, Piece* piece, StepReport* report);

  // Finds the contact modes at the start. False if there are none, which is reported, or an impulse
  // must resolve the instant.
  bool find_forces(const StepStart& start, Piece* piece, Outcome* outcome, StepReport* report);
  ForceReport decide_modes(const StepStart& start, Piece* piece);
  bool rest_sticking(const StepStart& start, Piece* piece);
  void stop_slips(const StepStart& start, Piece* piece, ForceReport* forces);
  bool stop_at_once(const StepStart& start, const std::vector<int>& ending, Piece* piece,
                    std::vector<Vec3>* impulses, ForceReport* forces);

  // A piece of smooth motion.
  Outcome follow_piece(const StepStart& start, Piece* piece, StepReport* report);
  Outcome impact_without_collision(const StepStart& start, Piece* piece, StepReport* report);
  bool divide_step(const StepStart& start, const Piece& piece, const DivisionTime& time,
                   const std::vector<double>& ends, Outcome* outcome, StepReport* report);
  [[nodiscard]] std::vector<double> find_ends_by_events(const StepStart& start, const Piece& piece);
  [[nodiscard]] std::vector<double> find_ends_by_errors() const;

  // A collision (collisions.cpp).
  Outcome collide(const StepStart& start, Piece* piece, StepReport* report);
  Outcome resolve_painleve(const StepStart& start, int touch, Piece* piece, StepReport* report);
  bool give_impulses(const StepStart& start, const Piece& piece, Collision* collision, StepEnd* end,
                     StepReport* report);
  void settle(Piece* piece, const std::vector<Closed>& closed, StepEnd* end);
  bool solve_settled(const ForceScale& scale, double slow, std::vector<Touch>* touches);

  void remember(const StepStart& start, const Outcome& outcome, std::vector<Touch>* touches);
  void commit(const StepStart& start, const Outcome& outcome, Piece* piece, dynamics::State* state);

  const dynamics::Model* model_;
  scene::AnalyticOptions options_;
  bool can_divide_;
  ContactSearch search_;
  Motion motion_;
  ForceSolver force_solver_;
  CollisionSolver collision_solver_;
  PieceIntegrator integrator_;
  Corrector corrector_;
  ExistenceOfForces existence_;
  Reporter reporter_;
  Statistics statistics_;
  Statistics followed_;  // of groups that were simulated separately
  Memory memory_;
  int num_short_ = 0;  // consecutive steps that were too short to make progress
};

}  // namespace tenpin::methods::analytic
