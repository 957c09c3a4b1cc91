// Contacts arranged in batches of eight that share no body.
#pragma once

#include <algorithm>
#include <vector>

#include "complementarity/cone/sweep_kernel.h"

namespace tenpin::complementarity::cone {

// Number of rows for fixed bodies: one for each group of batches, so that groups swept at the same
// time share no memory.
constexpr int kNumFixedRows = 32;

// The two bodies that a contact moves, by body number or by row.
struct BodyPair {
  int a = 0;
  int b = 0;
};

// Empties a lane: it behaves like a contact that stays open.
void clear_lane(int lane, ContactBatch* batch);
void clear_lane(int lane, RoundBatch* batch);

// Contacts arranged in groups of batches. Groups share no batch. Groups that move no common body
// can be planned at the same time, and all groups can be filled at the same time. Reuses its
// buffers between calls.
template <typename Batch>
class BatchList {
 public:
  void reset(int num_rows) {
    pairs_.clear();
    num_groups_ = 0;
    num_batches_ = 0;
    first_free_.resize(num_rows);
  }

  void begin_group() {
    if (num_groups_ == static_cast<int>(groups_.size())) groups_.emplace_back();
    groups_[num_groups_++].begin = static_cast<int>(pairs_.size());
  }

  // Appends a contact to the latest group, given the rows of its bodies. Returns its position.
  int append(const BodyPair& rows) {
    if (num_groups_ == 0) begin_group();
    pairs_.push_back(rows);
    return static_cast<int>(pairs_.size()) - 1;
  }

  // Call this after all contacts were appended. Plans all groups, places them and fills each of
  // them. A contact goes into the first batch with a free lane after all batches that contain one
  // of its bodies, so it is swept after the earlier contacts that share a body with it.
  void end() {
    for (int g = 0; g < num_groups_; ++g) {
      const bool is_last = g + 1 == num_groups_;
      groups_[g].end = is_last ? static_cast<int>(pairs_.size()) : groups_[g + 1].begin;
    }
    slots_.resize(pairs_.size());
  }
  void plan(int group) {
    Group& plan = groups_[group];
    plan.filled.clear();
    plan.open.clear();
    for (int i = plan.begin; i < plan.end; ++i) {
      first_free_[pairs_[i].a] = first_free_[pairs_[i].b] = 0;
    }
    for (int i = plan.begin; i < plan.end; ++i) {
      const BodyPair& rows = pairs_[i];
      const int batch = plan.find_open(std::max(first_free_[rows.a], first_free_[rows.b]));
      slots_[i] = kNumLanes * batch + plan.filled[batch]++;
      if (plan.filled[batch] == kNumLanes) plan.open[batch] = batch + 1;
      if (rows.a >= kNumFixedRows) first_free_[rows.a] = batch + 1;
      if (rows.b >= kNumFixedRows) first_free_[rows.b] = batch + 1;
    }
  }
  void place() {
    num_batches_ = 0;
    for (int g = 0; g < num_groups_; ++g) {
      groups_[g].first_batch = num_batches_;
      num_batches_ += static_cast<int>(groups_[g].filled.size());
    }
    if (num_batches_ > static_cast<int>(batches_.size())) batches_.resize(num_batches_);
    reactions_.resize(num_batches_);
  }
  // Sets all reactions to zero.
  void fill(int group) {
    const Group& plan = groups_[group];
    for (int i = plan.begin; i < plan.end; ++i) {
      slots_[i] += kNumLanes * plan.first_batch;
      batch(i).a[lane(i)] = pairs_[i].a;
      batch(i).b[lane(i)] = pairs_[i].b;
    }
    for (int i = 0; i < static_cast<int>(plan.filled.size()); ++i) {
      Batch& last = batches_[plan.first_batch + i];
      for (int lane = plan.filled[i]; lane < kNumLanes; ++lane) {
        clear_lane(lane, &last);
        last.a[lane] = last.b[lane] = group;  // the group's own fixed row
      }
      reactions_[plan.first_batch + i] = BatchReaction{};
    }
  }
  // Performs all steps above in sequence.
  void prepare() {
    end();
    for (int g = 0; g < num_groups_; ++g) plan(g);
    place();
    for (int g = 0; g < num_groups_; ++g) fill(g);
  }
  // The number of batches before those of `group`.
  int first_batch(int group) const {
    return group < num_groups_ ? groups_[group].first_batch : num_batches_;
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
    for (int g = 0; g < num_groups_; ++g) {
      for (std::size_t k = 0; k < groups_[g].filled.size(); ++k) {
        const std::size_t i = groups_[g].first_batch + k;
        for (int lane = 0; lane < groups_[g].filled[k]; ++lane) {
          visit(batches_[i], lane, reactions_[i]);
        }
      }
    }
  }

  // Saves the reactions, so that a trial step can be undone.
  void save_reactions() { saved_ = reactions_; }
  void restore_reactions() { reactions_ = saved_; }
  int num_batches() const { return num_batches_; }

  SweepSpan<Batch> all(BodyMotion* bodies) { return part(0, num_batches(), bodies); }
  // The batches from `begin` to `end`.
  SweepSpan<Batch> part(int begin, int end, BodyMotion* bodies) {
    return {.batches = batches_.data() + begin,
            .reactions = reactions_.data() + begin,
            .size = end - begin,
            .bodies = bodies};
  }

 private:
  struct Group {
    int begin = 0, end = 0;   // in pairs_
    int first_batch = 0;      // among the batches of all groups
    std::vector<int> filled;  // by batch of the group: number of contacts
    // by batch of the group: the batch itself if it has a free lane, otherwise a later one
    std::vector<int> open;

    // The first batch from `batch` on with a free lane; past the end if there is none.
    int find_open(int batch) {
      const int num_batches = static_cast<int>(open.size());
      int root = batch;
      while (root < num_batches && open[root] != root) root = open[root];
      while (batch < root) {
        const int next = open[batch];
        open[batch] = root;
        batch = next;
      }
      if (root == num_batches) {
        filled.push_back(0);
        open.push_back(root);
      }
      return root;
    }
  };

  std::vector<BodyPair> pairs_;  // by position: rows
  std::vector<int> slots_;       // by position: kNumLanes * batch + lane
  std::vector<Group> groups_;    // the first num_groups_ are in use; the others only keep buffers
  int num_groups_ = 0;
  std::vector<int> first_free_;  // by body row: the first batch after those that contain the body
  std::vector<Batch> batches_;   // unused batches at the end keep their memory
  int num_batches_ = 0;
  std::vector<BatchReaction> reactions_;
  std::vector<BatchReaction> saved_;
};

}  // namespace tenpin::complementarity::cone
