// Finishes accepted substeps: refines them by further solves, and corrects positions.
#pragma once

#include <span>
#include <vector>

#include "methods/time_stepping/core/positions.h"
#include "methods/time_stepping/order2/substep_solver.h"

namespace tenpin::methods::time_stepping::order2 {

// Reuses its buffers between calls.
class Finisher {
 public:
  Finisher(const StepSetup& setup, ContactTracker* tracker, SubstepSolver* substeps,
           SubstepMotion* motion);

  // Finishes the open substeps of the nodes; nothing may overlap at their ends. Adds the nodes
  // whose ends moved to *changed. Returns false if a solve fails.
  [[nodiscard]] bool finish(const NodeSet& nodes, StepProgress* step, NodeSet* changed,
                            StepReport* report);

 private:
  [[nodiscard]] bool find_unsettled(const NodeSet& nodes, std::span<const contact::Contact> current,
                                    int pass, const StepProgress& step);
  [[nodiscard]] bool is_unsettled(const JournalEntry& entry,
                                  std::span<const contact::Contact> current, int pass,
                                  const StepProgress& step) const;
  [[nodiscard]] int count_passes(const contact::Contact& contact) const;
  [[nodiscard]] bool project(const NodeSet& nodes, std::span<const contact::Contact> current,
                             StepProgress* step);
  [[nodiscard]] double calc_place_tolerance(const NodeSet& nodes, const StepProgress& step) const;
  [[nodiscard]] double collect_misplaced(const NodeSet& nodes,
                                         std::span<const contact::Contact> current,
                                         double tolerance, const StepProgress& step);
  void displace(const NodeSet& nodes, const VecX& by, StepProgress* step);

  const StepSetup* setup_;
  ContactTracker* tracker_;
  SubstepSolver* substeps_;
  SubstepMotion* motion_;
  Projection projection_;
  // by active contacts; marked groups are worth another solve
  NodeGroups groups_;
  NodeSet refined_;                         // scratch
  std::vector<contact::Contact> contacts_;  // scratch: contacts of the projection
  std::vector<double> loads_;               // N s   scratch: loads of these contacts
  VecX q_;                                  // scratch
};

}  // namespace tenpin::methods::time_stepping::order2
