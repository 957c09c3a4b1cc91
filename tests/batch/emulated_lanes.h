// Several lanes of a world on the CPU: one fibre each, and every operation on lanes is a place
// where all of them meet. Between two such places the lanes run one after the other, forwards or
// backwards: a result that depends on the order lacks a barrier.
#pragma once

#include <ucontext.h>

#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "batch/portable.h"

namespace tenpin::test {

class Fibres {
 public:
  Fibres(int count, bool backwards, std::function<void(int)> work)
      : work_(std::move(work)), backwards_(backwards), slots_(static_cast<std::size_t>(count)) {
    for (int i = 0; i < count; ++i) fibres_.push_back(std::make_unique<Fibre>());
  }

  void run() {
    const int count = static_cast<int>(fibres_.size());
    active_ = this;
    for (int i = 0; i < count; ++i) {
      Fibre& fibre = *fibres_[static_cast<std::size_t>(i)];
      getcontext(&fibre.context);
      fibre.context.uc_stack.ss_sp = fibre.stack.data();
      fibre.context.uc_stack.ss_size = fibre.stack.size();
      fibre.context.uc_link = &main_;
      makecontext(&fibre.context, reinterpret_cast<void (*)()>(&Fibres::enter), 0);
    }
    for (int running = count; running > 0;) {
      for (int k = 0; k < count; ++k) {
        current_ = backwards_ ? count - 1 - k : k;
        Fibre& fibre = *fibres_[static_cast<std::size_t>(current_)];
        if (fibre.is_done) continue;
        swapcontext(&main_, &fibre.context);
        if (fibre.is_done) --running;
      }
    }
    active_ = nullptr;
  }

  static Fibres& active() { return *active_; }
  int current() const { return current_; }
  // Waits until all fibres have come here.
  void meet() {
    Fibre& fibre = *fibres_[static_cast<std::size_t>(current_)];
    swapcontext(&fibre.context, &main_);
  }
  // The value that each lane passed, readable by all.
  template <class T>
  std::vector<T> share(const T& value) {
    std::memcpy(&slots_[static_cast<std::size_t>(current_)], &value, sizeof value);
    meet();
    std::vector<T> all(slots_.size());
    for (std::size_t i = 0; i < all.size(); ++i) std::memcpy(&all[i], &slots_[i], sizeof(T));
    meet();  // no lane writes before all have read
    return all;
  }

 private:
  struct Fibre {
    ucontext_t context = {};
    std::vector<char> stack = std::vector<char>(1 << 18);
    bool is_done = false;
  };

  static void enter() {
    Fibres& self = active();
    const int lane = self.current_;
    self.work_(lane);
    self.fibres_[static_cast<std::size_t>(lane)]->is_done = true;
  }

  static inline Fibres* active_ = nullptr;
  std::function<void(int)> work_;
  bool backwards_;
  int current_ = 0;
  ucontext_t main_ = {};
  std::vector<std::unique_ptr<Fibre>> fibres_;
  std::vector<unsigned long long> slots_;
};

// kCount_ lanes of one world; the warp has no other.
template <int kCount_>
struct EmulatedLanes {
  static constexpr int kCount = kCount_;
  static constexpr bool kIsAlone = false;
  int index() const { return Fibres::active().current(); }
  void sync() const { Fibres::active().meet(); }
  void sync_stage() const { Fibres::active().meet(); }
  batch::Word ballot(bool yes) const {
    batch::Word bits = 0;
    const std::vector<char> all = Fibres::active().share(static_cast<char>(yes ? 1 : 0));
    for (std::size_t i = 0; i < all.size(); ++i) bits |= all[i] != 0 ? 1U << i : 0U;
    return bits;
  }
  bool any(bool yes) const { return ballot(yes) != 0; }
  bool any_in_warp(bool yes) const { return ballot(yes) != 0; }
  int largest_in_warp(int x) const { return x; }
  template <class T>
  T exchange(T x, int mask) const {
    const int me = index();
    return Fibres::active().share(x)[static_cast<std::size_t>(me ^ mask)];
  }
};

}  // namespace tenpin::test
