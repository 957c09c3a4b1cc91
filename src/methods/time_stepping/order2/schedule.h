// The times of a step of second order, mechanism by mechanism.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/union_find.h"
#include "contact/contact.h"
#include "dynamics/flight.h"
#include "methods/time_stepping/core/step_setup.h"

namespace tenpin::methods::time_stepping::order2 {

// The progress of a node's current substep.
enum class NodeState : std::uint8_t {
  kAway,      // it takes no part in this step
  kReady,     // the substep is about to begin
  kOpen,      // the substep is solved, but bodies may turn out to overlap at its end
  kFinished,  // nothing overlaps, and positions are corrected
};

// Work on one node during a substep, except the work of contacts.   J
struct Works {
  double applied = 0.0;
  double flight = 0.0;
  double projection = 0.0;
  double prescribed = 0.0;

  Works& operator+=(const Works& more);
};

// A node is a mechanism; the last node stands for all bodies with prescribed motion. Each has its
// own substep, from begin to end; nodes that contacts connect share their times.
struct Node {
  double begin = 0.0;  // s   from the start of the step
  double end = 0.0;    // s   the same
  NodeState state = NodeState::kAway;
  // too many impacts in its group: the rest of the step is of first order
  bool is_over_budget = false;
  bool flies = false;  // a tree that no active contact touches in its substep
  int divisions = 0;   // number of divisions of the groups whose root it was
  dynamics::Flight::Work first_half, second_half;  // J   of smooth forces on trees
  Works works;                                     // of the current substep
  double projected = 0.0;                          // J   by projections after accepted substeps
};

// A subset of the nodes.
struct NodeSet {
  std::vector<int> list;  // ascending
  std::vector<char> has;  // by node

  bool contains(int node) const { return has[node] != 0; }
  bool empty() const { return list.empty(); }
};

struct Schedule {
  double h = 0.0;   // s   of the step
  double t0 = 0.0;  // s   its start
  double t1 = 0.0;  // s   its end
  std::vector<Node> nodes;

  // Resets all nodes to substeps from t0 to t1.
  void restart(double step, double start, double end, int num_nodes);
  int size() const { return static_cast<int>(nodes.size()); }
  int driven_node() const { return size() - 1; }
  // s   The length of a node's substep, and the time at a fraction (0 ... 1) of it.
  double length(int node) const { return nodes[node].end - nodes[node].begin; }
  double time(int node, double part) const;
  template <class Predicate>
  void select(const Predicate& is_wanted, NodeSet* set) const {
    set->list.clear();
    set->has.resize(nodes.size());
    for (int node = 0; node < size(); ++node) {
      set->has[node] = is_wanted(node) ? 1 : 0;
      if (set->has[node] != 0) set->list.push_back(node);
    }
  }
};

// The node that represents a contact in its group.
[[nodiscard]] int node_of(const dynamics::Model& model, const contact::Contact& contact);

// The bodies of a node.
[[nodiscard]] std::span<const int> bodies_of(const StepSetup& setup, int node);

// Groups of nodes that contacts connect. A group can be marked. Reuses its buffers between calls.
class NodeGroups {
 public:
  // Makes every node a group of its own, unmarked.
  void reset(const StepSetup& setup);
  // Groups nodes that active contacts connect, and mechanisms with the prescribed motion that they
  // are attached to; all unmarked.
  void reset(const StepSetup& setup, std::span<const contact::Contact> active);
  void join(const StepSetup& setup, const contact::Contact& contact);
  // The smallest node of the group.
  int root(int node) const { return sets_.root(node); }
  void mark(int node) { is_marked_[root(node)] = 1; }
  bool is_marked(int node) const { return is_marked_[root(node)] != 0; }
  int count_marked() const;

 private:
  mutable UnionFind sets_;       // mutable because a search shortens paths
  std::vector<char> is_marked_;  // by root
};

// Marks the clusters over the impact budget: their step has been divided too often, or would have
// to be. A few divisions of many would only cost time, since the rest would still be of first
// order. impacts[root] is the number of impacts still to come in each cluster; past impacts are
// added.
void apply_impact_budget(const NodeGroups& clusters, std::vector<int>* impacts, Schedule* schedule);

}  // namespace tenpin::methods::time_stepping::order2
