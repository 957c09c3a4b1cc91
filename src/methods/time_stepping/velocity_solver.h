// Solves a VelocityProblem island by island with Lemke's algorithm.
#pragma once

#include <memory>
#include <vector>

#include "complementarity/lemke.h"
#include "contact/islands.h"
#include "methods/time_stepping/assemble.h"
#include "methods/time_stepping/velocity_problem.h"

namespace tenpin::methods::time_stepping {

// Islands are independent, so threads change nothing but the time. Keeps its buffers.
class VelocitySolver {
 public:
  VelocitySolver(const dynamics::Model& model, const contact::FrictionCone& cone, int threads);
  ~VelocitySolver();

  void solve(const VelocityProblem& problem, VelocityAnswer* answer);

  // Of the last problem.
  const contact::Islands& islands() const { return islands_; }
  complementarity::SolveStatus status(int island) const { return slots_[island].solution.status; }

 private:
  // One island's problem and answer; kept so that an equal size allocates nothing.
  struct Slot {
    Layout layout;
    complementarity::Lcp lcp;
    complementarity::LcpSolution solution;
    complementarity::Lcp soft;  // the same with compliance
  };
  // Solvers with their workspaces, one set per thread.
  struct Solvers {
    complementarity::Lemke quick{{.second_attempt = false}};
    complementarity::Lemke thorough;
  };
  struct Arena;  // threads

  void solve_island(const VelocityProblem& problem, int island, Solvers* solvers,
                    VelocityAnswer* answer);
  static void solve_lcp(Solvers* solvers, Slot* slot);
  static bool solve_proximal(double compliance, int attempt, Solvers* solvers, Slot* slot);
  void gather(const VelocityProblem& problem, VelocityAnswer* answer) const;

  const dynamics::Model* model_;
  const contact::FrictionCone* cone_;
  contact::Islands islands_;
  std::vector<Slot> slots_;
  Solvers solvers_;               // of the calling thread
  std::unique_ptr<Arena> arena_;  // null with one thread
};

}  // namespace tenpin::methods::time_stepping
