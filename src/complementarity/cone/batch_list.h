// Contacts filed in batches of eight that share no body.
#pragma once

#include <algorithm>
#include <vector>

#include "complementarity/cone/sweep_kernel.h"

namespace tenpin::complementarity::cone {

// Which bodies a contact moves; 0: one that stands still.
struct BodyPair {
  int a = 0;
  int b = 0;
};

// A lane in which nothing happens: a contact that stays open.
void clear_lane(int lane, ContactBatch* batch);
void clear_lane(int lane, RoundBatch* batch);

// Keeps its buffers.
template <typename Batch>
class BatchList {
 public:
  void reset(int num_bodies) {
    slots_.clear();
    filled_.clear();
    open_.clear();
    batches_.clear();
    first_free_.assign(num_bodies, 0);
  }

  // Files a contact in the first batch with a free lane after all that hold one of its bodies, so
  // that it is swept after those before it that it shares a body with. Returns its position.
  int append(const BodyPair& pair) {
    const int batch = find_open(std::max(first_free_[pair.a], first_free_[pair.b]));
    const int lane = filled_[batch]++;
    if (filled_[batch] == kNumLanes) open_[batch] = batch + 1;
    batches_[batch].a[lane] = pair.a;
    batches_[batch].b[lane] = pair.b;
    if (pair.a > 0) first_free_[pair.a] = batch + 1;
    if (pair.b > 0) first_free_[pair.b] = batch + 1;
    slots_.push_back(kNumLanes * batch + lane);
    return static_cast<int>(slots_.size()) - 1;
  }

  // After all contacts were filed: their reactions are zero.
  void clear_reactions() { reactions_.assign(batches_.size(), BatchReaction{}); }

  int lane(int position) const { return slots_[position] % kNumLanes; }
  Batch& batch(int position) { return batches_[slots_[position] / kNumLanes]; }
  const Batch& batch(int position) const { return batches_[slots_[position] / kNumLanes]; }
  BatchReaction& reaction(int position) { return reactions_[slots_[position] / kNumLanes]; }
  const BatchReaction& reaction(int position) const {
    return reactions_[slots_[position] / kNumLanes];
  }

  // Calls visit(batch, lane, reaction) for every contact, batch by batch.
  template <typename Visit>
  void visit(Visit&& visit) {
    for (std::size_t i = 0; i < batches_.size(); ++i) {
      for (int lane = 0; lane < filled_[i]; ++lane) visit(batches_[i], lane, reactions_[i]);
    }
  }

  // To put back what was tried.
  void save_reactions() { saved_ = reactions_; }
  void restore_reactions() { reactions_ = saved_; }
  int num_batches() const { return static_cast<int>(batches_.size()); }

  SweepSpan<Batch> all(BodyMotion* bodies) {
    return {.batches = batches_, .reactions = reactions_, .bodies = bodies};
  }
  // The batch of one contact.
  SweepSpan<Batch> near(int position, BodyMotion* bodies) {
    return {
        .batches = {&batch(position), 1}, .reactions = {&reaction(position), 1}, .bodies = bodies};
  }

 private:
  // The first batch from `batch` on that has a free lane; makes one at the end if there is none.
  int find_open(int batch) {
    int root = batch;
    while (root < num_batches() && open_[root] != root) root = open_[root];
    while (batch < root) {
      const int next = open_[batch];
      open_[batch] = root;
      batch = next;
    }
    if (root == num_batches()) {
      batches_.emplace_back();
      for (int lane = 0; lane < kNumLanes; ++lane) clear_lane(lane, &batches_.back());
      filled_.push_back(0);
      open_.push_back(root);
    }
    return root;
  }

  std::vector<int> slots_;       // by position: kNumLanes * batch + lane
  std::vector<int> filled_;      // by batch: number of contacts
  std::vector<int> open_;        // by batch: a later one, or itself if it has a free lane
  std::vector<int> first_free_;  // by body: first batch after those that it is in
  std::vector<Batch> batches_;
  std::vector<BatchReaction> reactions_;
  std::vector<BatchReaction> saved_;
};

}  // namespace tenpin::complementarity::cone
