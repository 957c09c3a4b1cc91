#include "base/workers.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>

namespace tenpin {

struct Workers::Arena {
  explicit Arena(int threads)
      : control(tbb::global_control::max_allowed_parallelism, threads), arena(threads) {}
  tbb::global_control control;  // else there are never more threads than cores
  tbb::task_arena arena;
  // TBB orders what is written before, in and after the loop, but nobody sees how: counting tells
  // the thread sanitizer.
  std::atomic<unsigned> begun = 0;
  std::atomic<unsigned> done = 0;
};

Workers::Workers(int threads)
    : size_(threads), arena_(threads > 1 ? std::make_unique<Arena>(threads) : nullptr) {}

Workers::~Workers() = default;

void Workers::share(int count, Turn turn, const void* context) const {
  if (arena_ == nullptr || count < 2) {
    for (int i = 0; i < count; ++i) turn(context, i, 0);
    return;
  }
  Arena& arena = *arena_;
  const auto take_turns = [&arena, turn, context](const tbb::blocked_range<int>& range) {
    (void)arena.begun.load(std::memory_order_acquire);
    for (int i = range.begin(); i < range.end(); ++i) {
      turn(context, i, tbb::this_task_arena::current_thread_index());
    }
    arena.done.fetch_add(1, std::memory_order_release);
  };
  // Who waits for a loop within a turn takes no other turn meanwhile: its workspace is in use.
  const auto take_all = [&] {
    arena.begun.fetch_add(1, std::memory_order_release);
    tbb::parallel_for(tbb::blocked_range<int>(0, count), take_turns, tbb::simple_partitioner());
  };
  arena.arena.execute([&] {
    tbb::this_task_arena::isolate(take_all);
  });
  (void)arena.done.load(std::memory_order_acquire);
}

void Workers::join(Turn turn, const void* context) const {
  if (arena_ == nullptr) {
    turn(context, 0, 0);
    return;
  }
  arena_->arena.execute([turn, context] {
    turn(context, 0, 0);
  });
}

}  // namespace tenpin
