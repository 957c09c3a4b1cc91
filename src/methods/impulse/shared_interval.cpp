#include "methods/impulse/shared_interval.h"

#include <algorithm>

#include "base/float_environment.h"

namespace tenpin::methods::impulse {

namespace {

// How often per interval the boxes of bodies with an estimated motion are updated: at first, four
// times more whenever a body left its box, and at most.
constexpr double kSlices = 16.0;
constexpr double kMostSlices = 1024.0;

// How often an interval is repeated with larger groups before all bodies become one group. Chosen:
// a collision rarely sends a body far, and each repetition costs as much as the interval.
constexpr int kMostRepeats = 2;

}  // namespace

SharedInterval::SharedInterval(const dynamics::Model& model, const scene::ImpulseOptions& options,
                               int threads)
    : model_(&model), options_(options), workers_(threads), group_of_(model.mechanisms.size()) {
  simulators_.push_back(std::make_unique<Simulator>(model, options));
}

void SharedInterval::model_changed() {
  for (const auto& simulator : simulators_) simulator->model_changed();
}

void SharedInterval::advance(double t_end, dynamics::State* state, StepReport* report,
                             StepObserver* observer) {
  *report = {.step = state->step + 1, .t = t_end};
  is_stopped_ = false;
  Simulator& first = *simulators_[0];
  for (double slices = kSlices;; slices *= 4.0) {
    joined_.reset(model_->num_mechanisms());
    for (int round = 0;; ++round) {
      begin(*state, t_end, {.slice = (t_end - state->t) / slices, .reach = slices / kSlices});
      if (first.failure().status != AdvanceStatus::kReachedEnd) break;
      make_groups(round);
      run_groups(observer);
      if (!join_conflicts()) break;
    }
    if (is_stopped_) {
      report->status = AdvanceStatus::kStopped;
      return;
    }
    collect();
    first.finish(*state, report);
    if (!first.failure().is_lost || slices >= kMostSlices) break;
    ++report->retries;
  }
  if (report->status == AdvanceStatus::kReachedEnd) first.commit(state);
}

// Loads the state into as many simulators as the previous interval had groups.
void SharedInterval::begin(const dynamics::State& state, double t_end, const Looks& looks) {
  num_used_ = std::clamp(static_cast<int>(runs_.size()), 1, workers_.size());
  while (static_cast<int>(simulators_.size()) < num_used_) {
    simulators_.push_back(std::make_unique<Simulator>(*model_, options_));
  }
  runs_.clear();
  groups_.clear();
  workers_.run(num_used_, [&](int i, int) {
    const FloatEnvironment environment;
    simulators_[i]->begin(state, t_end, looks);
  });
}

// Numbers groups by their first mechanism. A single group remains if there is only one thread, or
// after too many rounds with conflicts.
void SharedInterval::make_groups(int round) {
  const int count = model_->num_mechanisms();
  simulators_[0]->pairs().join(&joined_);
  const bool is_one = workers_.size() == 1 || round >= kMostRepeats;
  groups_.clear();
  for (int m = 0; m < count; ++m) {
    const int root = is_one ? 0 : joined_.root(m);
    if (root == m) {
      group_of_[m] = static_cast<int>(groups_.size());
      groups_.emplace_back();
    } else {
      group_of_[m] = group_of_[root];
    }
    groups_[group_of_[m]].mechanisms.push_back(m);
  }
  simulators_[0]->list_work(group_of_, &groups_);
  runs_.clear();
  for (int g = 0; g < static_cast<int>(groups_.size()); ++g) {
    const std::vector<int>& members = groups_[g].mechanisms;
    const bool is_followed = std::any_of(members.begin(), members.end(), [this](int m) {
      return simulators_[0]->is_integrated(m);
    });
    if (is_followed || !groups_[g].pairs.empty()) runs_.push_back(g);
  }
  // Large groups first, so that no thread waits for one that began late.
  std::stable_sort(runs_.begin(), runs_.end(), [this](int a, int b) {
    return groups_[a].pairs.size() > groups_[b].pairs.size();
  });
}

// Each simulator takes the next group when it has finished one. Only the thread that called
// advance() uses the observer.
void SharedInterval::run_groups(StepObserver* observer) {
  const int count = static_cast<int>(runs_.size());
  run_by_.assign(runs_.size(), 0);
  std::atomic<int> next = 0;
  workers_.run(num_used_, [&](int simulator, int worker) {
    const FloatEnvironment environment;
    for (int i = next++; i < count; i = next++) {
      run_by_[i] = simulator;
      simulators_[simulator]->run_group(
          groups_[runs_[i]], group_of_,
          {.observer = worker == 0 ? observer : nullptr, .is_stopped = &is_stopped_});
    }
  });
}

// True if groups met and must be merged in the next round. A body may reach another group where
// that was at the start of the interval, which the simulators note, or where both moved later.
bool SharedInterval::join_conflicts() {
  bool any = false;
  refiled_.clear();
  if (groups_.size() <= 1) return any;
  for (int i = 0; i < num_used_; ++i) {
    const PairTable& pairs = simulators_[i]->pairs();
    for (const auto& [a, b] : pairs.conflicts()) joined_.join(a, b);
    any = any || !pairs.conflicts().empty();
    refiled_.insert(refiled_.end(), pairs.refiled().begin(), pairs.refiled().end());
  }
  refiled_hash_.reset(static_cast<int>(refiled_.size()));
  for (std::size_t k = 0; k < refiled_.size(); ++k) {
    const auto& [part, box] = refiled_[k];
    const int m = model_->bodies[model_->parts[part].body].mechanism;
    found_.clear();
    refiled_hash_.find(box, &found_);
    refiled_hash_.place(static_cast<int>(k), box);
    for (const int other : found_) {
      const int part_b = refiled_[other].first;
      const int m_b = model_->bodies[model_->parts[part_b].body].mechanism;
      if (group_of_[m] == group_of_[m_b]) continue;
      if (!simulators_[0]->pairs().may_touch(std::min(part, part_b), std::max(part, part_b)))
        continue;
      joined_.join(m, m_b);
      any = true;
    }
  }
  return any;
}

// The first simulator collects the results of the others.
void SharedInterval::collect() {
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    if (run_by_[i] == 0) continue;
    simulators_[0]->take_bodies(groups_[runs_[i]], *simulators_[run_by_[i]]);
  }
  for (int k = 1; k < num_used_; ++k) simulators_[0]->take_results(*simulators_[k]);
}

}  // namespace tenpin::methods::impulse
