// Pairs of shapes, ordered by the time until which they certainly stay apart.   [MC95, Fig. 2]
#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace tenpin::methods::impulse {

// A binary heap with updatable items, so that only the pairs of bodies that collided move in it.
// Ties are broken by pair number: the same pairs give the same order.
class CollisionHeap {
 public:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  void clear() {
    items_.clear();
    place_.clear();
  }
  bool empty() const { return items_.empty(); }
  double top_time() const { return items_.empty() ? kNever : items_[0].time; }
  int top_pair() const { return items_[0].pair; }
  std::int64_t num_operations() const { return num_operations_; }

  // Sets the time of a pair, adding it if necessary; kNever removes it.
  void set(int pair, double time) {
    if (pair >= static_cast<int>(place_.size())) place_.resize(pair + 1, kOut);
    const int at = place_[pair];
    if (at == kOut && time == kNever) return;
    ++num_operations_;
    if (time == kNever) {
      take_out(at);
    } else if (at == kOut) {
      items_.push_back({time, pair});
      place_[pair] = size() - 1;
      rise(size() - 1);
    } else {
      items_[at].time = time;
      sink(rise(at));
    }
  }

 private:
  struct Item {
    double time;  // s
    int pair;

    bool operator<(const Item& other) const {
      return time != other.time ? time < other.time : pair < other.pair;
    }
  };
  static constexpr int kOut = -1;

  int size() const { return static_cast<int>(items_.size()); }

  void swap(int i, int j) {
    std::swap(items_[i], items_[j]);
    place_[items_[i].pair] = i;
    place_[items_[j].pair] = j;
  }
  int rise(int i) {
    while (i > 0 && items_[i] < items_[(i - 1) / 2]) {
      swap(i, (i - 1) / 2);
      i = (i - 1) / 2;
    }
    return i;
  }
  void sink(int i) {
    while (true) {
      int least = i;
      for (int child = 2 * i + 1; child <= 2 * i + 2 && child < size(); ++child) {
        if (items_[child] < items_[least]) least = child;
      }
      if (least == i) return;
      swap(i, least);
      i = least;
    }
  }
  void take_out(int i) {
    place_[items_[i].pair] = kOut;
    const Item last = items_.back();
    items_.pop_back();
    if (i == size()) return;
    items_[i] = last;
    place_[last.pair] = i;
    sink(rise(i));
  }

  std::vector<Item> items_;
  std::vector<int> place_;  // by pair
  std::int64_t num_operations_ = 0;
};

}  // namespace tenpin::methods::impulse
