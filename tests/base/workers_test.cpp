#include "base/workers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <vector>

namespace tenpin {
namespace {

TEST(WorkerThreads, TakeEveryTurnOnce) {
  for (const int threads : {1, 2, 8}) {
    const Workers workers(threads);
    for (const int count : {0, 1, 7, 1000}) {
      std::vector<std::atomic<int>> turns(count);
      std::atomic<bool> is_worker_known = true;
      workers.run(count, [&](int i, int worker) {
        ++turns[i];
        if (worker < 0 || worker >= threads) is_worker_known = false;
      });
      for (const auto& turn : turns) EXPECT_EQ(turn, 1);
      EXPECT_TRUE(is_worker_known);
    }
  }
}

TEST(WorkerThreads, PiecesMakeUpTheRange) {
  for (const int threads : {1, 3}) {
    const Workers workers(threads);
    for (const int count : {0, 5, 512, 513, 5000}) {
      std::vector<int> seen(count);
      workers.split(count, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) ++seen[i];
      });
      EXPECT_EQ(seen, std::vector<int>(count, 1));
    }
  }
}

TEST(WorkerThreads, NeedNotBeThere) {
  std::vector<int> seen(1000);
  run(nullptr, 1000, [&](int i, int worker) {
    EXPECT_EQ(worker, 0);
    ++seen[i];
  });
  split(nullptr, 1000, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) ++seen[i];
  });
  EXPECT_EQ(seen, std::vector<int>(1000, 2));
}

// A turn that starts a loop of its own is not interrupted by another turn of its thread.
TEST(WorkerThreads, TakeNoTurnWithinAnother) {
  const Workers workers(4);
  std::vector<int> depth(workers.size());
  std::atomic<int> deepest = 0;
  workers.run(200, [&](int, int worker) {
    deepest = std::max(deepest.load(), ++depth[worker]);
    std::atomic<int> sum = 0;
    workers.run(20, [&](int i, int) {
      for (int k = 0; k < 200; ++k) sum += i;
    });
    EXPECT_EQ(sum, 200 * 190);
    --depth[worker];
  });
  EXPECT_EQ(deepest, 1);
}

// Loops that are too small to be shared, too, have the number of the thread that they are on; and
// another team's loops have numbers of their own.
TEST(WorkerThreads, KnowWhoTheyAreWithinATurn) {
  const Workers workers(4);
  std::atomic<int> num_wrong = 0;
  workers.run(200, [&](int, int worker) {
    for (const int count : {1, 3}) {
      workers.run(count, [&](int, int inner) {
        num_wrong += inner != worker ? 1 : 0;
      });
    }
    const Workers others(2);
    others.run(10, [&](int, int other) {
      num_wrong += other >= 2 ? 1 : 0;
    });
  });
  EXPECT_EQ(num_wrong, 0);
}

TEST(WorkerThreads, HandOnWhatIsThrown) {
  const Workers workers(2);
  EXPECT_THROW(workers.run(100,
                           [](int i, int) {
                             if (i == 37) throw std::runtime_error("no");
                           }),
               std::runtime_error);
  std::atomic<int> turns = 0;
  workers.run(100, [&](int, int) {
    ++turns;
  });
  EXPECT_EQ(turns, 100) << "what comes after is not harmed";
}

// A piece and a bit, and many pieces; the sum of small whole numbers is exact in any order.
TEST(WorkerThreads, SumAndFindTheLargestByPieces) {
  const Workers workers(3);
  for (const Workers* of : {static_cast<const Workers*>(nullptr), &workers}) {
    for (const int count : {0, 1, 513, 300000}) {
      const auto term = [count](int i) {
        return static_cast<double>((7 * i) % std::max(count, 1));
      };
      double all = 0.0;
      double most = 3.5;
      for (int i = 0; i < count; ++i) {
        all += term(i);
        most = std::max(most, term(i));
      }
      EXPECT_EQ(sum(of, count, 0.0, term), all) << count;
      EXPECT_EQ(find_largest(of, count, 3.5, term), most) << count;
    }
  }
}

}  // namespace
}  // namespace tenpin
