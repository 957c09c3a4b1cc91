// Threads that share the iterations ("turns") of a loop.
#pragma once

#include <algorithm>
#include <array>
#include <memory>

#include "base/deadline.h"

namespace tenpin {

// The owner's thread is worker 0. Only one loop is shared at a time; a loop that is started within
// a turn runs on the thread that started it. Which thread takes which turn is not determined. A
// turn therefore writes only to its own memory, and sums are formed afterwards in a fixed order, so
// that results do not depend on the number of threads.
class Workers {
 public:
  explicit Workers(int threads);
  ~Workers();
  int size() const { return size_; }

  // Work that should end early checks this deadline where it can stop.
  Deadline& deadline() { return deadline_; }
  const Deadline& deadline() const { return deadline_; }

  // Calls work(i, worker) for every i below count; `worker` < size() is the number of the thread.
  template <typename Work>
  void run(int count, const Work& work) const {
    share(
        count,
        [](const void* context, int i, int worker) {
          (*static_cast<const Work*>(context))(i, worker);
        },
        &work);
  }

  // Calls work(begin, end) for chunks that cover the range from 0 to count.
  template <typename Work>
  void split(int count, const Work& work) const {
    constexpr int kPiece = 512;  // turns; takes longer than waking a thread
    if (size_ == 1 || count <= kPiece) {
      work(0, count);
      return;
    }
    run((count + kPiece - 1) / kPiece, [&](int i, int) {
      work(i * kPiece, std::min(count, (i + 1) * kPiece));
    });
  }

 private:
  using Turn = void (*)(const void* context, int i, int worker);
  void share(int count, Turn turn, const void* context) const;

  struct Team;
  int size_;
  Deadline deadline_;
  std::unique_ptr<Team> team_;  // null for one thread
};

// Runs the tasks on the calling thread if there are no workers.
template <typename Work>
void run(const Workers* workers, int count, const Work& work) {
  if (workers != nullptr) {
    workers->run(count, work);
    return;
  }
  for (int i = 0; i < count; ++i) work(i, 0);
}
template <typename Work>
void split(const Workers* workers, int count, const Work& work) {
  if (workers != nullptr) {
    workers->split(count, work);
    return;
  }
  work(0, count);
}

// The sum zero + term(0) + ... + term(count - 1), in chunks that do not depend on the number of
// threads.
template <typename T, typename Term>
T sum(const Workers* workers, int count, const T& zero, const Term& term) {
  constexpr int kMostPieces = 256;
  constexpr int kLeast = 512;
  const int piece = std::max(kLeast, (count + kMostPieces - 1) / kMostPieces);
  const int num_pieces = (count + piece - 1) / piece;
  const auto add_piece = [&](int i) {
    T part = zero;
    const int end = std::min(count, (i + 1) * piece);
    for (int k = i * piece; k < end; ++k) part += term(k);
    return part;
  };
  T all = zero;
  if (num_pieces == 1) {  // most sums are short: making 256 parts took longer than adding them
    all += add_piece(0);
    return all;
  }
  std::array<T, kMostPieces> parts;
  run(workers, num_pieces, [&](int i, int) {
    parts[i] = add_piece(i);
  });
  for (int i = 0; i < num_pieces; ++i) all += parts[i];
  return all;
}

// The largest of `least` and term(0), ..., term(count - 1).
template <typename Term>
double find_largest(const Workers* workers, int count, double least, const Term& term) {
  struct Largest {
    double x;
    Largest& operator+=(const Largest& other) {
      x = std::max(x, other.x);
      return *this;
    }
  };
  return sum(workers, count, Largest{least},
             [&term](int i) {
               return Largest{term(i)};
             })
      .x;
}

}  // namespace tenpin
