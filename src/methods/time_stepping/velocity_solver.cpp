#include "methods/time_stepping/velocity_solver.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>

namespace tenpin::methods::time_stepping {

using complementarity::Lemke;
using complementarity::SolveStatus;

struct VelocitySolver::Arena {
  explicit Arena(int threads) : arena(threads) {}
  tbb::task_arena arena;
  tbb::enumerable_thread_specific<Lemke> lemkes;
};

VelocitySolver::VelocitySolver(const dynamics::Model& model, const contact::FrictionCone& cone,
                               int threads)
    : model_(&model), cone_(&cone) {
  if (threads > 1) arena_ = std::make_unique<Arena>(threads);
}

VelocitySolver::~VelocitySolver() = default;

void VelocitySolver::solve_island(const VelocityProblem& problem, int island, Lemke* lemke,
                                  VelocityAnswer* answer) {
  Slot& slot = slots_[island];
  make_layout(problem, *cone_, islands_.contacts(island), &slot.layout);
  assemble_lcp(problem, *cone_, islands_.contacts(island), slot.layout, &slot.lcp);
  lemke->solve(slot.lcp, &slot.solution);
  read_solution(problem, *cone_, islands_.contacts(island), slot.layout, slot.solution.z, answer);
}

void VelocitySolver::solve(const VelocityProblem& problem, VelocityAnswer* answer) {
  islands_.update(*model_, problem.contacts);
  if (static_cast<int>(slots_.size()) < islands_.size()) slots_.resize(islands_.size());
  answer->impulses.resize(problem.contacts.size());
  answer->slip_bound.resize(problem.contacts.size());
  if (arena_ == nullptr || islands_.size() < 2) {
    for (int i = 0; i < islands_.size(); ++i) solve_island(problem, i, &lemke_, answer);
  } else {
    arena_->arena.execute([&] {
      tbb::parallel_for(0, islands_.size(), [&](int i) {
        solve_island(problem, i, &arena_->lemkes.local(), answer);
      });
    });
  }
  gather(problem, answer);
}

// In the order of the islands, whichever thread solved them.
void VelocitySolver::gather(const VelocityProblem& problem, VelocityAnswer* answer) const {
  answer->status = SolveStatus::kSolved;
  answer->failed_contact = -1;
  answer->residual = 0.0;
  answer->largest = 0;
  answer->pivots = 0;
  answer->solves = islands_.size();
  for (int i = 0; i < islands_.size(); ++i) {
    const complementarity::LcpSolution& solution = slots_[i].solution;
    answer->largest = std::max(answer->largest, slots_[i].layout.size);
    answer->pivots += solution.pivots;
    answer->residual = std::max(answer->residual, solution.residual.relative);
    if (solution.status != SolveStatus::kSolved && answer->status == SolveStatus::kSolved) {
      answer->status = solution.status;
      answer->failed_contact = islands_.contacts(i).front();
    }
  }
  answer->v = problem.v;
  for (int c = 0; c < problem.size(); ++c) {
    problem.J.add_velocity_change(c, answer->impulses[c], answer->v);
  }
  // problem.v holds the given impulses already: take them out once.
  for (int c = 0; c < problem.size(); ++c) {
    if (problem.given[c] == 0.0) continue;
    const contact::ContactVector given(-problem.given[c], 0.0, 0.0, 0.0);
    problem.J.add_velocity_change(c, given, answer->v);
  }
}

}  // namespace tenpin::methods::time_stepping
