// The threads of the impulse-based method: groups of bodies that cannot meet within an interval are
// simulated at the same time.   [MC95, §Conclusions]: parallel decomposition
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/union_find.h"
#include "base/workers.h"
#include "collide/spatial_hash.h"
#include "methods/impulse/simulator.h"

namespace tenpin::methods::impulse {

// Each simulator has all bodies of the model and runs one group after the other. If a collision
// sends a body into the reach of another group, the interval is repeated with both groups as one;
// so the groups are independent, and neither their number nor the number of threads changes a bit
// of the motion, the records or the ledger.
class SharedInterval {
 public:
  SharedInterval(const dynamics::Model& model, const scene::ImpulseOptions& options, int threads);

  // Advances *state to time t_end, or leaves it unchanged and says in *report why. Only the state
  // is carried from one interval to the next, so a run can be resumed between any two. The
  // observer, if any, may stop it within an interval.
  void advance(double t_end, dynamics::State* state, StepReport* report, StepObserver* observer);

  // Same as Method::model_changed().
  void model_changed();

  // Impacts of the last interval, by time.
  std::span<const contact::ContactRecord> contacts() const { return simulators_[0]->contacts(); }

 private:
  void begin(const dynamics::State& state, double t_end, const Looks& looks);
  void make_groups(int round);
  void run_groups(StepObserver* observer);
  bool join_conflicts();
  void collect();

  const dynamics::Model* model_;
  scene::ImpulseOptions options_;
  Workers workers_;
  std::vector<std::unique_ptr<Simulator>> simulators_;  // at least one, at most one per thread
  int num_used_ = 1;                                    // of them, in this interval
  UnionFind joined_;                                    // mechanisms that must be in one group
  std::vector<int> group_of_;                           // by mechanism
  std::vector<Group> groups_;
  std::vector<int> runs_;    // groups that have work to do
  std::vector<int> run_by_;  // by position in runs_: number of the simulator
  std::atomic<bool> is_stopped_ = false;
  collide::SpatialHash refiled_hash_;
  std::vector<std::pair<int, shapes::Aabb>> refiled_;  // part and box, of all simulators
  std::vector<int> found_;
};

}  // namespace tenpin::methods::impulse
