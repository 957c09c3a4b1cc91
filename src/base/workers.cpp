#include "base/workers.h"

#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>
#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "base/float_environment.h"

namespace tenpin {
namespace {

constexpr int kSpins = 4000;  // about 0.1 ms, longer than most of the serial code between two loops

// The team whose loop this thread is working on, and its worker number there.
struct Place {
  const void* team = nullptr;
  int worker = 0;
};
Place& place() {
  thread_local Place here;
  return here;
}

void pause() {
#ifdef __SSE2__
  _mm_pause();
#endif
}

}  // namespace

// Waiting threads poll `loop` for a while before they sleep: a sweep over a heap shares thousands
// of loops of about 0.01 ms each, which is less than waking up takes.
struct Workers::Team {
  // The iterations with which a thread starts. They are the same in every loop, so that the
  // thread's cache still holds their memory.
  struct alignas(64) Portion {
    std::atomic<int> next = 0;
    int end = 0;
  };
  alignas(64) std::atomic<unsigned> loop = 0;  // odd while a loop is running
  std::atomic<bool> is_over = false;           // true: the threads end
  alignas(64) std::atomic<int> visitors = 0;   // other threads that may read the fields below
  Turn turn = nullptr;
  const void* context = nullptr;
  std::vector<Portion> portions;  // by worker
  std::atomic<bool> is_thrown = false;
  std::mutex throwing;
  std::exception_ptr thrown;
  bool is_started = false;
  pid_t process = 0;  // the process that created the threads
  std::vector<std::thread> threads;

  explicit Team(int size) : portions(size) { threads.reserve(size); }
  ~Team() {
    if (process != getpid()) {  // after a fork: threads are not copied, and joining them would hang
      for (std::thread& thread : threads) thread.detach();
      return;
    }
    is_over = true;
    loop += 2;
    loop.notify_all();
    for (std::thread& thread : threads) thread.join();
  }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  void start();
  void attend(int worker);
  void take_turns(int worker);
  void take_turn(int i, int worker);
};

// Starts the threads with the first shared loop, because most scenes have no loop large enough.
// Uses fewer threads if the system does not grant all.
void Workers::Team::start() {
  if (std::exchange(is_started, true)) return;
  process = getpid();
  for (int worker = 1; worker < static_cast<int>(portions.size()); ++worker) {
    try {
      threads.emplace_back([this, worker] {
        attend(worker);
      });
    } catch (const std::exception&) {  // no more threads, or no memory for them
      return;
    }
  }
}

void Workers::Team::attend(int worker) {
  const FloatEnvironment environment;
  unsigned seen = 0;
  while (true) {
    for (int i = 0; i < kSpins && loop.load(std::memory_order_relaxed) == seen; ++i) pause();
    loop.wait(seen);
    seen = loop;
    if (is_over) return;
    if (seen % 2 == 0) continue;
    // The owner ends the loop before it counts visitors: either it sees this thread, or this thread
    // sees the end.
    ++visitors;
    if (loop == seen) take_turns(worker);
    --visitors;
  }
}

void Workers::Team::take_turns(int worker) {
  const Place before = std::exchange(place(), {this, worker});
  const int size = static_cast<int>(portions.size());
  for (int k = 0; k < size; ++k) {
    Portion& portion = portions[(worker + k) % size];
    while (portion.next.load(std::memory_order_relaxed) < portion.end) {
      const int i = portion.next.fetch_add(1, std::memory_order_relaxed);
      if (i < portion.end) take_turn(i, worker);
    }
  }
  place() = before;
}

void Workers::Team::take_turn(int i, int worker) {
  if (is_thrown.load(std::memory_order_relaxed)) return;
  try {
    turn(context, i, worker);
  } catch (...) {
    const std::lock_guard lock(throwing);
    if (!is_thrown) thrown = std::current_exception();
    is_thrown = true;
  }
}

Workers::Workers(int threads)
    : size_(threads), team_(threads > 1 ? std::make_unique<Team>(threads) : nullptr) {}

Workers::~Workers() = default;

void Workers::share(int count, Turn turn, const void* context) const {
  const bool is_nested = team_ != nullptr && place().team == team_.get();
  if (team_ == nullptr || count < 2 || is_nested) {
    for (int i = 0; i < count; ++i) turn(context, i, is_nested ? place().worker : 0);
    return;
  }
  Team& team = *team_;
  team.start();
  team.turn = turn;
  team.context = context;
  for (int worker = 0; worker < size_; ++worker) {
    const auto start_of = [&](std::int64_t k) {
      return static_cast<int>(k * count / size_);
    };
    team.portions[worker].next.store(start_of(worker), std::memory_order_relaxed);
    team.portions[worker].end = start_of(worker + 1);
  }
  ++team.loop;
  team.loop.notify_all();
  team.take_turns(0);
  ++team.loop;
  for (int i = 0; team.visitors != 0; ++i) {
    if (i < kSpins) {
      pause();
    } else {
      std::this_thread::yield();
    }
  }
  if (team.is_thrown) {
    team.is_thrown = false;
    std::rethrow_exception(std::exchange(team.thrown, nullptr));
  }
}

}  // namespace tenpin
