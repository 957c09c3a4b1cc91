// The groups of bodies that rest at the start of an interval, until something hits them.
#pragma once

#include <functional>
#include <vector>

#include "methods/impulse/journal.h"
#include "methods/impulse/pair_table.h"
#include "methods/impulse/resting.h"

namespace tenpin::methods::impulse {

// Keeps the groups of the last interval: while bodies and contacts are unchanged, so are the
// groups. All of this follows from the state, so a run that continues from there finds the same.
class RestingGroups {
 public:
  explicit RestingGroups(const dynamics::Model& model);

  // Finds the loose bodies with zero velocity that contact forces hold, if no moving body is near,
  // and marks their flights. `look` updates a pair.
  void find(const Thresholds& thresholds, double tolerance, const std::function<void(Pair*)>& look,
            PairTable* pairs, FlyingBodies* bodies);
  // Forgets the groups, because their supports may have changed.
  void forget() { candidates_.clear(); }

  // The group in which a body rests, or null.
  [[nodiscard]] const RestingGroup* group_of(int body) const;
  // All groups that have not been woken.
  [[nodiscard]] std::vector<const RestingGroup*> all() const;
  // From time t on, no body of the group rests.
  void wake(const RestingGroup& group, double t, FlyingBodies* bodies);

 private:
  const dynamics::Model* model_;
  RestFinder finder_;
  std::vector<RestingGroup> groups_;
  std::vector<int> group_of_;  // by body: index into groups_, -1 if it does not rest
  // What groups_ were found from.
  std::vector<bool> candidates_;
  std::vector<contact::Contact> contacts_;
};

// Records the impulses that held a group in [from, to].
void record_rest(const RestingGroup& group, double from, double to, FlyingBodies* bodies,
                 Journal* journal);

}  // namespace tenpin::methods::impulse
