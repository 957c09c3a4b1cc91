// Finds the contacts of a step of second order.
#pragma once

#include <span>
#include <vector>

#include "methods/time_stepping/core/sleepers.h"
#include "methods/time_stepping/core/step_setup.h"
#include "methods/time_stepping/order2/substep.h"

namespace tenpin::methods::time_stepping::order2 {

// Reuses its buffers between calls.
class ContactTracker {
 public:
  ContactTracker(const StepSetup& setup, const Sleepers& sleepers)
      : setup_(&setup), sleepers_(&sleepers), search_(*setup.model, *setup.workers) {}

  // Finds all contacts of awake bodies, or of sleeping ones, sorted by key. `start_speed` is the
  // speed of the fastest body at the start of the step.
  void find(const Instant& instant, double h, double start_speed, bool of_sleepers,
            std::vector<contact::Contact>* contacts);
  // Updates the contacts at the end of *step: all of them, or those of nodes that moved since the
  // last search. Contacts of bodies that met on the way are included.
  void find_at_end(bool of_sleepers, StepProgress* step);
  void find_at_end_again(const NodeSet& moved, StepProgress* step);

  // The current contacts, sorted by key, of all pairs of parts that have an active contact of these
  // nodes, and of all joints near their stops. The next call of a find function overwrites them.
  std::span<const contact::Contact> find_active(const StepProgress& step, const NodeSet& nodes,
                                                const Instant& instant);
  // The same for given pairs at the start of substeps. If `is_wide`, searches as far as bodies can
  // move.
  std::span<const contact::Contact> find_at_begin(const StepProgress& step,
                                                  std::span<const collide::Pair> pairs,
                                                  bool is_wide);

  ContactSearch& search() { return search_; }
  // m   By body: the distance searched in the last find() or find_at_end().
  std::span<const double> reach() const { return reach_; }
  // m/s   The speed of the fastest body since the step began, or the speed gained in one step of
  // free fall.
  double body_speed() const { return body_speed_; }

 private:
  void update_reach(const std::vector<dynamics::Twist>& V_WB, double h, double start_speed);
  void restore_met(StepProgress* step);
  std::span<const contact::Contact> find_pairs(const StepProgress& step, const Instant& instant,
                                               std::span<const collide::Pair> pairs,
                                               std::span<const double> reach);

  const StepSetup* setup_;
  const Sleepers* sleepers_;
  ContactSearch search_;
  std::vector<double> reach_, wide_reach_;  // m   by body
  double body_speed_ = 0.0;                 // m/s
  std::vector<contact::Contact> current_;   // result of find_active() and find_at_begin()
  std::vector<contact::Contact> before_;    // scratch
  std::vector<collide::Pair> pairs_;        // scratch
  std::vector<char> is_moved_;              // scratch, by body
  std::vector<double> begun_;               // -   scratch, by body: begin of its node, over h
};

// The current contact that an active contact has become, with bodies at `motion`; null if it no
// longer exists.
[[nodiscard]] const contact::Contact* find_moved(const StepSetup& setup, const StepProgress& step,
                                                 const contact::Contact& active,
                                                 std::span<const contact::Contact> current,
                                                 const BodyMotion& motion);

}  // namespace tenpin::methods::time_stepping::order2
