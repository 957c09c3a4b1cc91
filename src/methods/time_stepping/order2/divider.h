// Divides steps of second order at impacts.
#pragma once

#include <span>
#include <vector>

#include "methods/time_stepping/order2/finisher.h"
#include "methods/time_stepping/order2/substep_solver.h"

namespace tenpin::methods::time_stepping::order2 {

// A contact that overlaps at the end of a substep although it was not active.
struct Violation {
  contact::Contact at_end;
  contact::Contact at_begin;
  Crossing crossing;  // when it closed
  int node = 0;
  bool is_slow = false;     // closes like an active contact: no division needed
  Vec3 p_a = Vec3::Zero();  // closes slowly like an active contact, so that no division is needed
  Vec3 p_b = Vec3::Zero();
};

// Finds violations, and advances the groups that they connect to the end of the step again: through
// the first impact of each group, or with more active contacts. Reuses its buffers between calls.
class Divider {
 public:
  Divider(const StepSetup& setup, ContactTracker* tracker, SubstepSolver* substeps,
          Finisher* finisher)
      : setup_(&setup), tracker_(tracker), substeps_(substeps), finisher_(finisher) {}

  // Looks for contacts that overlap at the end of the step although they are not active.
  [[nodiscard]] bool find_violations(const StepProgress& step);

  // Resolves the violations. Adds the nodes whose ends changed to *moved. Returns false if a solve
  // fails.
  [[nodiscard]] bool resolve(StepProgress* step, NodeSet* moved, StepReport* report);

 private:
  // When the step of each group is divided.
  struct Stops {
    // s   by node: from its start; infinite if the step is not divided
    std::vector<double> after;
    std::vector<char> is_waiting;  // by node: true if another group of its cluster comes first
    std::vector<double> first;     // s   by root of a cluster: time of its first impact
  };
  void group(const StepProgress& step);
  void select_hit(const Schedule& schedule, NodeSet* hit) const;
  [[nodiscard]] bool meet(const NodeSet& hit, StepProgress* step, StepReport* report);
  void classify(const StepProgress& step, Violation* violation);
  void guard_near(StepProgress* step);
  void find_stops(const Schedule& schedule);
  [[nodiscard]] bool divide(StepProgress* step, StepReport* report);
  void activate_touching(const NodeSet& nodes, StepProgress* step);
  void activate_second_places(StepProgress* step) const;
  [[nodiscard]] bool is_hit_at_stop(const Violation& violation, double h) const;

  const StepSetup* setup_;
  ContactTracker* tracker_;
  SubstepSolver* substeps_;
  Finisher* finisher_;
  std::vector<Violation> violations_;
  NodeGroups groups_;    // nodes that active contacts and violations connect
  NodeGroups clusters_;  // groups that are close to each other at the end
  Stops stops_;
  std::vector<char> hit_roots_;       // scratch, by root
  std::vector<int> num_impacts_;      // scratch, by root of a cluster
  NodeSet moving_, changed_;          // scratch
  std::vector<collide::Pair> pairs_;  // scratch
};

}  // namespace tenpin::methods::time_stepping::order2
