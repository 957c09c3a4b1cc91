// One interval of the impulse-based method: from event to event, then all bodies at the same time.
// Several of them share an interval (shared_interval.h): each runs other groups of bodies.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "base/union_find.h"
#include "dynamics/state.h"
#include "methods/impulse/group_run.h"
#include "methods/impulse/lift_account.h"

namespace tenpin::methods::impulse {

class Simulator {
 public:
  Simulator(const dynamics::Model& model, const scene::ImpulseOptions& options);
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;

  // The stages of an interval. Which pairs and groups exist depends on the state alone.
  // 1. Loads the state and finds the pairs that may meet and the bodies that rest.
  void begin(const dynamics::State& state, double t_end, const Looks& looks);
  // 2. The pairs, whose mechanisms must be in one group.
  const PairTable& pairs() const { return pairs_; }
  // Appends pairs and stops to the groups; `group_of` is by mechanism.
  void list_work(std::span<const int> group_of, std::vector<Group>* groups) const;
  // Is the motion of the mechanism integrated, and bounded by estimates only?
  bool is_integrated(int mechanism) const {
    return bodies_.is_integrated(model_->mechanisms[mechanism]);
  }
  // 3. Takes the bodies of one group to the end of the interval. `patience` says when to stop.
  void run_group(const Group& group, std::span<const int> group_of, const Patience& patience) {
    run_.run(group, group_of, patience);
  }
  // 4. Takes over what another simulator did with a group, or with all of its groups.
  void take_bodies(const Group& group, const Simulator& other);
  void take_results(const Simulator& other);
  // 5. Certifies the whole interval.
  void finish(const dynamics::State& state, StepReport* report);
  // Writes the state at the end of an interval that did not fail.
  void commit(dynamics::State* state) const;
  // The earliest failure; kReachedEnd if there is none.
  const Failure& failure() const { return journal_.failure; }

  // Same as Method::model_changed().
  void model_changed() { resting_.forget(); }

  // Impacts of the last interval, by time.
  std::span<const contact::ContactRecord> contacts() const { return journal_.records; }

 private:
  void certify(const dynamics::State& state, contact::Ledger* ledger, StepReport* report);
  void fail(AdvanceStatus status, const std::string& message,
            complementarity::SolveStatus solver = complementarity::SolveStatus::kSolved);

  const dynamics::Model* model_;
  scene::ImpulseOptions options_;
  double least_half_width_;  // m
  FlyingBodies bodies_;
  PartShapes shapes_;
  PairTable pairs_;
  RestingGroups resting_;
  GroupRun run_;

  // The interval in progress.
  Interval interval_;
  Journal journal_;
  LiftAccount lifts_;
  int num_pairs_at_begin_ = 0;
  int num_pairs_added_ = 0;  // by other simulators whose results were taken
};

}  // namespace tenpin::methods::impulse
