// Contacts filed in batches of eight that share no body.
#pragma once

#include <algorithm>
#include <vector>

#include "complementarity/cone/sweep_kernel.h"

namespace tenpin::complementarity::cone {

// Rows of the bodies that stand still: one for each group of batches, so that groups that are swept
// at the same time share nothing.
constexpr int kNumFixedRows = 16;

// Which bodies a contact moves, by their numbers or rows.
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
  void reset(int num_rows) {
    slots_.clear();
    filled_.clear();
    open_.clear();
    num_batches_ = 0;
    first_free_.assign(num_rows, 0);
    first_of_group_ = 0;
  }

  // What is filed from here on shares no batch with what was filed before.
  void begin_group() { first_of_group_ = num_batches(); }

  // Files a contact in the first batch with a free lane after all that hold one of its bodies, so
  // that it is swept after those before it that it shares a body with. Returns its position.
  int append(const BodyPair& rows) {
    const int batch =
        find_open(std::max({first_of_group_, first_free_[rows.a], first_free_[rows.b]}));
    const int lane = filled_[batch]++;
    if (filled_[batch] == kNumLanes) open_[batch] = batch + 1;
    batches_[batch].a[lane] = rows.a;
    batches_[batch].b[lane] = rows.b;
    if (rows.a >= kNumFixedRows) first_free_[rows.a] = batch + 1;
    if (rows.b >= kNumFixedRows) first_free_[rows.b] = batch + 1;
    slots_.push_back(kNumLanes * batch + lane);
    return static_cast<int>(slots_.size()) - 1;
  }

  // After all contacts were filed: their reactions are zero.
  void prepare() {
    for (int i = 0; i < num_batches_; ++i) {
      for (int lane = filled_[i]; lane < kNumLanes; ++lane) clear_lane(lane, &batches_[i]);
    }
    reactions_.assign(num_batches_, BatchReaction{});
  }

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
    for (int i = 0; i < num_batches_; ++i) {
      for (int lane = 0; lane < filled_[i]; ++lane) visit(batches_[i], lane, reactions_[i]);
    }
  }

  // To put back what was tried.
  void save_reactions() { saved_ = reactions_; }
  void restore_reactions() { reactions_ = saved_; }
  int num_batches() const { return num_batches_; }

  SweepSpan<Batch> all(BodyMotion* bodies) { return part(0, num_batches(), bodies); }
  // The batches from begin to end.
  SweepSpan<Batch> part(int begin, int end, BodyMotion* bodies) {
    const auto first = static_cast<std::size_t>(begin);
    const auto size = static_cast<std::size_t>(end - begin);
    return {.batches = std::span(batches_).subspan(first, size),
            .reactions = std::span(reactions_).subspan(first, size),
            .bodies = bodies};
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
      if (++num_batches_ > static_cast<int>(batches_.size())) batches_.emplace_back();
      filled_.push_back(0);
      open_.push_back(root);
    }
    return root;
  }

  std::vector<int> slots_;       // by position: kNumLanes * batch + lane
  std::vector<int> filled_;      // by batch: number of contacts
  std::vector<int> open_;        // by batch: a later one, or itself if it has a free lane
  std::vector<int> first_free_;  // by row of a body: first batch after those that it is in
  int first_of_group_ = 0;
  std::vector<Batch> batches_;  // and some from before, which keep their memory
  int num_batches_ = 0;
  std::vector<BatchReaction> reactions_;
  std::vector<BatchReaction> saved_;
};

}  // namespace tenpin::complementarity::cone
