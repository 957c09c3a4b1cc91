#include "methods/time_stepping/order2/schedule.h"

#include <algorithm>

namespace tenpin::methods::time_stepping::order2 {

namespace {

constexpr int kMaxDivisions = 64;  // of the step of one cluster
constexpr int kMaxMoves = 1024;    // of bodies, in all divisions of a cluster's step

}  // namespace

Works& Works::operator+=(const Works& more) {
  applied += more.applied;
  flight += more.flight;
  projection += more.projection;
  prescribed += more.prescribed;
  return *this;
}

void Schedule::restart(double step, double start, double end, int num_nodes) {
  h = step;
  t0 = start;
  t1 = end;
  nodes.assign(num_nodes, {.end = step});
}

double Schedule::time(int node, double part) const {
  const double at = nodes[node].begin + part * length(node);
  return at == h ? t1 : t0 + at;
}

int node_of(const dynamics::Model& model, const contact::Contact& c) {
  return std::max(model.bodies[c.body_a].mechanism, model.bodies[c.body_b].mechanism);
}

std::span<const int> bodies_of(const StepSetup& setup, int node) {
  if (node == setup.num_mechanisms()) return setup.driven;
  return setup.model->mechanisms[node].bodies;
}

void NodeGroups::reset(const StepSetup& setup) {
  sets_.reset(setup.num_mechanisms() + 1);
  is_marked_.assign(setup.num_mechanisms() + 1, 0);
}

void NodeGroups::reset(const StepSetup& setup, std::span<const contact::Contact> active) {
  reset(setup);
  for (const contact::Contact& c : active) join(setup, c);
  for (int m = 0; m < setup.num_mechanisms() && setup.is_driven; ++m) {
    for (const int base : setup.model->mechanisms[m].bases) {
      if (!stands_still(*setup.model, base)) sets_.join(m, setup.num_mechanisms());
    }
  }
}

void NodeGroups::join(const StepSetup& setup, const contact::Contact& c) {
  const int node = node_of(*setup.model, c);
  for (const int body : {c.body_a, c.body_b}) {
    const int other = setup.model->bodies[body].mechanism;
    if (other >= 0) {
      sets_.join(node, other);
    } else if (std::binary_search(setup.driven.begin(), setup.driven.end(), body)) {
      sets_.join(node, setup.num_mechanisms());
    }
  }
}

int NodeGroups::count_marked() const {
  return static_cast<int>(std::count(is_marked_.begin(), is_marked_.end(), 1));
}

void apply_impact_budget(const NodeGroups& clusters, std::vector<int>* impacts,
                         Schedule* schedule) {
  std::vector<Node>& nodes = schedule->nodes;
  std::vector<int> sizes(nodes.size(), 0);  // by root
  for (int node = schedule->driven_node(); node >= 0; --node) {
    const int root = clusters.root(node);
    ++sizes[root];
    nodes[root].is_over_budget = nodes[root].is_over_budget || nodes[node].is_over_budget;
    if ((*impacts)[root] > 0) (*impacts)[root] += nodes[node].divisions;
  }
  for (int root = 0; root < schedule->size(); ++root) {
    const int limit = std::min(kMaxMoves / std::max(sizes[root], 1), kMaxDivisions);
    if ((*impacts)[root] > limit) nodes[root].is_over_budget = true;
  }
  for (int node = schedule->driven_node(); node >= 0; --node) {
    nodes[node].is_over_budget = nodes[clusters.root(node)].is_over_budget;
  }
}

}  // namespace tenpin::methods::time_stepping::order2
