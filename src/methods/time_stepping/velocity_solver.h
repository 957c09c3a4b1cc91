// Solves a VelocityProblem island by island, with Lemke's algorithm or by the round cone.
#pragma once

#include <memory>
#include <vector>

#include "complementarity/cone/cone_solver.h"
#include "complementarity/lemke.h"
#include "contact/islands.h"
#include "methods/time_stepping/assemble.h"
#include "methods/time_stepping/cone_island.h"
#include "methods/time_stepping/velocity_problem.h"
#include "scene/options.h"

namespace tenpin::methods::time_stepping {

// Islands are independent, so threads change nothing but the time. Keeps its buffers.
class VelocitySolver {
 public:
  VelocitySolver(const dynamics::Model& model, const contact::FrictionCone& cone,
                 const scene::TimeSteppingOptions& options, int threads);
  ~VelocitySolver();

  void solve(const VelocityProblem& problem, VelocityAnswer* answer);

  // Of the last problem.
  const contact::Islands& islands() const { return islands_; }
  complementarity::SolveStatus status(int island) const { return slots_[island].outcome.status; }

 private:
  // How an island's solve ended.
  struct Outcome {
    complementarity::SolveStatus status = complementarity::SolveStatus::kSolved;
    double residual = 0.0;  // -   certified
    int rows = 0;
    int pivots = 0;  // or linear systems
  };
  // One island's problem and answer; kept so that an equal size allocates nothing.
  struct Slot {
    Outcome outcome;
    ConeIsland cone;
    Layout layout;
    complementarity::Lcp lcp;
    complementarity::LcpSolution solution;
    complementarity::Lcp soft;  // the same with compliance
  };
  // Solvers with their workspaces, one set per thread.
  struct Solvers {
    complementarity::Lemke quick{{.second_attempt = false}};
    complementarity::Lemke thorough;
    complementarity::cone::ConeSolver cone;
  };
  struct Arena;  // threads

  void solve_island(const VelocityProblem& problem, int island, Solvers* solvers,
                    VelocityAnswer* answer);
  void solve_by_lemke(const VelocityProblem& problem, int island, Solvers* solvers,
                      VelocityAnswer* answer);
  void solve_by_cone(const VelocityProblem& problem, int island, Solvers* solvers,
                     VelocityAnswer* answer);
  static void solve_lcp(Solvers* solvers, Slot* slot);
  static bool solve_proximal(double compliance, int attempt, Solvers* solvers, Slot* slot);
  void gather(const VelocityProblem& problem, VelocityAnswer* answer) const;

  const dynamics::Model* model_;
  const contact::FrictionCone* cone_;
  bool by_cone_;
  contact::Islands islands_;
  std::vector<Slot> slots_;
  Solvers solvers_;               // of the calling thread
  std::unique_ptr<Arena> arena_;  // null with one thread
};

}  // namespace tenpin::methods::time_stepping
