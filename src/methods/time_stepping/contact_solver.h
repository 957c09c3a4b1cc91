// Solves a ContactProblem island by island, with Lemke's algorithm or over the round cone.
#pragma once

#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/workers.h"
#include "complementarity/cone/cone_solver.h"
#include "complementarity/lemke.h"
#include "contact/islands.h"
#include "methods/time_stepping/assemble.h"
#include "methods/time_stepping/cone_island.h"
#include "methods/time_stepping/core/contact_problem.h"
#include "methods/time_stepping/open_impulses.h"
#include "methods/time_stepping/refined_impulses.h"
#include "methods/time_stepping/resting_guess.h"
#include "methods/time_stepping/swept_islands.h"
#include "scene/options.h"

namespace tenpin::methods::time_stepping {

// Solves all islands. Islands are independent, so the number of threads affects only the time.
// Reuses its buffers between calls.
class ContactSolver {
 public:
  // An island over the round cone counts as unsolved if it needs more than max_systems linear
  // systems.
  ContactSolver(const dynamics::Model& model, const contact::FrictionCone& cone,
                const scene::TimeSteppingOptions& options, const Workers& workers,
                int max_systems = complementarity::cone::ConeOptions{}.max_systems);

  void solve(const ContactProblem& problem, ContactAnswer* answer);
  // Call after solve() failed. Solves the remaining islands over the round cone, by proximal steps.
  // Accepts the best result if it satisfies the law up to the rounding of the velocities that its
  // single impulses cause.
  void mend(const ContactProblem& problem, ContactAnswer* answer);

  // The islands of the last problem.
  const contact::Islands& islands() const { return islands_; }
  complementarity::SolveStatus status(int island) const { return outcomes_[island].status; }

 private:
  // How the solve of an island ended.
  struct Outcome {
    complementarity::SolveStatus status = complementarity::SolveStatus::kSolved;
    double residual = 0.0;  // -   as certified
    int rows = 0;
    int pivots = 0;  // pivots, or linear systems
    bool is_mended = false;
    bool is_least = true;
  };
  // The problem and the solution of one island. Kept between steps, so that an island of the same
  // size allocates nothing.
  struct Slot {
    ConeIsland cone;
    RestingGuess rest;
    // remembers the sparsity pattern of the previous step
    complementarity::cone::ConeSolver cone_solver;
    Layout layout;
    complementarity::Lcp lcp;
    complementarity::LcpSolution solution;
    complementarity::Lcp soft;          // the LCP with compliance added
    complementarity::LcpSolution best;  // best solution found with compliance
    OpenImpulses open;
    RefinedImpulses refined;
    Deadline::Clock::duration time = {};  // duration of the solve, if there is a deadline
  };
  // The part of the last problem that is solved by sweeps.
  struct SweepLists {
    std::vector<char> can_sweep;  // by contact
    std::vector<int> islands;
    std::vector<int> failed;  // positions of islands that did not pass
    SweptList all, rest;      // of the first sweep, and of the islands that failed
  };
  // Solvers with their workspaces, one set per thread.
  struct Solvers {
    explicit Solvers(const Deadline* deadline)
        : quick({.second_attempt = false, .deadline = deadline}),
          thorough({.deadline = deadline}) {}
    complementarity::Lemke quick;
    complementarity::Lemke thorough;
  };
  // The island of the current step whose solve took longest, for the message of the deadline.
  struct SlowIsland {
    Deadline::Clock::time_point step = Deadline::Clock::time_point::max();  // deadline of the step
    // duration of the island's solve
    Deadline::Clock::duration time = {};
    std::string text;
  };

  // If the deadline is over, throws StepStopped, or a LimitError that names the slowest island.
  void check_deadline(const ContactProblem& problem) const;
  void note_slow_islands(const ContactProblem& problem);
  void sort_islands(const ContactProblem& problem);
  void find_failed();
  void list_swept(const ContactProblem& problem, std::span<const int> islands,
                  SweptList* list) const;
  void sweep_islands(const ContactProblem& problem, ContactAnswer* answer);
  void solve_left(const ContactProblem& problem, std::size_t left, Solvers* solvers,
                  ContactAnswer* answer);
  Outcome solve_by_lemke(const ContactProblem& problem, std::span<const int> island,
                         Solvers* solvers, Slot* slot, ContactAnswer* answer) const;
  bool can_rest(const ContactProblem& problem, std::span<const int> island, Slot* slot,
                ContactAnswer* answer) const;
  static bool opens_by_itself(const ContactProblem& problem, std::span<const int> island,
                              double speed, ContactAnswer* answer);
  bool holds_by_guess(const ContactProblem& problem, std::span<const int> island, Outcome* outcome,
                      ContactAnswer* answer);
  Outcome mend_island(const ContactProblem& problem, std::span<const int> island, Slot* slot,
                      ContactAnswer* answer) const;
  [[nodiscard]] bool has_idle(const ContactProblem& problem, std::span<const int> island,
                              double speed) const;
  static double calc_law_error(const ContactProblem& problem, std::span<const int> island,
                               const ConeIsland& cone);
  Outcome solve_by_cone(const ContactProblem& problem, std::span<const int> island, Slot* slot,
                        ContactAnswer* answer) const;
  void solve_lcp(Solvers* solvers, Slot* slot) const;
  static bool judge_rigid(ConstVecRef z, Slot* slot);
  bool stiffen(VecX z, Slot* slot) const;
  void solve_proximal(double compliance, int attempt, Solvers* solvers, Slot* slot) const;
  void gather(const ContactProblem& problem, ContactAnswer* answer) const;

  const dynamics::Model* model_;
  const contact::FrictionCone* cone_;
  const Workers* workers_;
  bool by_cone_;
  double tolerance_;  // -   certified
  double aim_;        // -   aim over the round cone where reaching it is cheap
  complementarity::cone::ConeSolver fresh_cone_solver_;
  VecX v_guess_;    // m/s   velocities due to the guessed impulses
  VecX v_found_;    // m/s   velocities due to the solution
  VecX v_refined_;  // m/s   scratch
  contact::Islands islands_;
  SweptIslands swept_;
  SweepLists lists_;
  std::vector<int> left_;          // islands that sweeps did not solve
  std::vector<Outcome> outcomes_;  // by island
  std::vector<Slot> slots_;        // by position in left_
  std::vector<Solvers> solvers_;   // by worker
  SlowIsland slow_;
};

}  // namespace tenpin::methods::time_stepping
